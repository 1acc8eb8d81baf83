/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the index of a thread has the words of what its checkpoints add. */
#ifndef ACI_THREAD_CHECK_TERMS_H
#define ACI_THREAD_CHECK_TERMS_H

#include "store/core/check.h"
#include "thread/rows.h"

/* Reports what is missing as problems of a part. E_CORRUPT where a row is damaged. */
agentchat_status aci_check_terms(aci_store_check *all, const char *part, aci_tx *tx, agentchat_str thread,
                                 agentchat_error *err);

#endif
