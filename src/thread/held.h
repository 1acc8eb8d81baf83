/* SPDX-License-Identifier: Apache-2.0 */
/* What of a checkpoint need not be read, because an earlier one that is held has it. */
#ifndef ACI_THREAD_HELD_H
#define ACI_THREAD_HELD_H

#include "snapshot/snapshot.h"
#include "thread/contents.h"

/*
 * Marks in the contents what the snapshot has, whose own contents are base: the beginning of a list, which is taken off
 * its range, and states and values that are the same body. What is marked lives as long as the snapshot.
 */
void aci_held_mark(aci_contents *contents, const aci_contents *base, const agentchat_snapshot *snapshot);

#endif
