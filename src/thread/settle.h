/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adding the words of checkpoints that are marked in the index of their thread.
 *
 * Some of them are looked at together, in a transaction that reads. Their words are written in steps; who sees only a
 * part of them sees the marks, too. The last of these steps looks once more at what the checkpoints add, while the
 * thread is locked, and takes away the marks of those that add what they did.
 */
#ifndef ACI_THREAD_SETTLE_H
#define ACI_THREAD_SETTLE_H

#include "thread/steps.h"

/* Does it in steps. Success, too, when the thread of that number is gone, or is not indexed any more. */
agentchat_status aci_settle(aci_steps *steps, agentchat_str thread, int64_t num, agentchat_error *err);

#endif
