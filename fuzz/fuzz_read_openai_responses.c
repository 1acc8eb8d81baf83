/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of OpenAI's Responses; what it accepts goes through both native formats. */
#include "documents.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read_and_round_trip((agentchat_str){(const char *)data, size}, "openai-responses");
    return 0;
}
