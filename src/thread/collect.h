/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting what no checkpoint of a thread reaches any more. */
#ifndef ACI_THREAD_COLLECT_H
#define ACI_THREAD_COLLECT_H

#include "thread/rows.h"

/* Deletes it within a transaction that has locked the thread, and counts it out of the thread's row, which the caller
   writes. */
agentchat_status aci_collect(aci_tx *tx, aci_thread_row *thread, agentchat_error *err);

#endif
