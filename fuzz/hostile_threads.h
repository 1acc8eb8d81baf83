/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of threads as the fuzzer's input says: most of them with the right checksums and digests, so that what they hold
 * is looked at: contents that do not fit their frame, lists that lead out of their segments, bodies of another kind.
 */
#ifndef AGENTCHAT_FUZZ_HOSTILE_THREADS_H
#define AGENTCHAT_FUZZ_HOSTILE_THREADS_H

#include "fuzz.h"

#include "store/core/driver.h"

/* Gives the rows of a statement of threads. */
agentchat_status hostile_threads_answer(fuzz_input *in, const aci_sql_request *request, agentchat_error *err);

#endif
