/* SPDX-License-Identifier: Apache-2.0 */
/* The longest ascending run of a sequence of positions. */
#ifndef ACI_SNAPSHOT_LONGEST_RUN_H
#define ACI_SNAPSHOT_LONGEST_RUN_H

#include "base/env.h"

#define ACI_NO_POSITION SIZE_MAX

/* Keeps in positions a longest strictly ascending run; all others become ACI_NO_POSITION, as those are that are none.
   In O(n log n). false: out of memory, positions unchanged. */
bool aci_longest_run(const agentchat_env *env, size_t *positions, size_t count);

#endif
