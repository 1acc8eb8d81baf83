/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of a bare chat history, Semantic Kernel's array of messages: the input is what stands in the array. */
#include "documents.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *document = malloc(size + 2);

    FUZZ_CHECK(document != NULL);
    document[0] = '[';
    if (size > 0)
        memcpy(document + 1, data, size);
    document[size + 1] = ']';
    fuzz_read_and_round_trip((agentchat_str){document, size + 2}, "semantic-kernel");
    free(document);
    return 0;
}
