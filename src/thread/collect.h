/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting what no checkpoint of a thread reaches any more. */
#ifndef ACI_THREAD_COLLECT_H
#define ACI_THREAD_COLLECT_H

#include "thread/steps.h"

/* Deletes it in steps. Success, too, when the thread of that number is gone. */
agentchat_status aci_collect(aci_steps *steps, agentchat_str thread, int64_t num, agentchat_error *err);

#endif
