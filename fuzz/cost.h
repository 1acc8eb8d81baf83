/* SPDX-License-Identifier: Apache-2.0 */
/* What reading a document costs: never more than its size says (docs/limits.md). */
#ifndef AGENTCHAT_FUZZ_COST_H
#define AGENTCHAT_FUZZ_COST_H

#include "fuzz.h"

/* Reads a document and checks memory and calls of the allocator; under the fuzzer, processor time too, which the tests
   that replay inputs do not measure. */
void fuzz_check_cost_of_reading(agentchat_str document, const char *format);

#endif
