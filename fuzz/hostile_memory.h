/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the long-term memory as the fuzzer's input says: most of them with the right checksums. */
#ifndef AGENTCHAT_FUZZ_HOSTILE_MEMORY_H
#define AGENTCHAT_FUZZ_HOSTILE_MEMORY_H

#include "fuzz.h"

#include "store/core/driver.h"

/* Gives the rows of a statement of the memory. */
agentchat_status hostile_memory_answer(fuzz_input *in, const aci_sql_request *request, agentchat_error *err);

#endif
