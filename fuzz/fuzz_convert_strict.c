/* SPDX-License-Identifier: Apache-2.0 */
/* From any format to semantic-kernel, strict, and back: equal unless a loss was reported, and then stable. */
#include "documents.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_convert_to_semantic_kernel((agentchat_str){(const char *)data, size}, true);
    return 0;
}
