/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Patch and JSON Merge Patch: a document, a NUL, a patch. What comes of it is JSON that a `test` of the whole
 * document finds equal to itself; a failure leaves what was there.
 */
#include "fuzz.h"

#include <string.h>

static void expect_equal_to_itself(agentchat_str value)
{
    agentchat_bytes test = AGENTCHAT_BYTES_INIT, out = AGENTCHAT_BYTES_INIT;

    FUZZ_CHECK(agentchat_bytes_append(&test, AGENTCHAT_STR("[{\"op\":\"test\",\"path\":\"\",\"value\":"), NULL) >= 0);
    FUZZ_CHECK(agentchat_bytes_append(&test, value, NULL) >= 0);
    FUZZ_CHECK(agentchat_bytes_append(&test, AGENTCHAT_STR("}]"), NULL) >= 0);
    if (agentchat_json_patch(NULL, value, (agentchat_str){test.ptr, test.len}, &out, NULL) >= 0)
        FUZZ_CHECK(out.len == value.len && memcmp(out.ptr, value.ptr, out.len) == 0);
    else /* two levels deeper than the limit */
        FUZZ_CHECK(agentchat_json_check(NULL, (agentchat_str){test.ptr, test.len}, &(agentchat_str){NULL, 0}, NULL) <
                   0);
    agentchat_bytes_clear(&test);
    agentchat_bytes_clear(&out);
}

static void apply(agentchat_status (*patch)(const agentchat_env *env, agentchat_str document, agentchat_str patch,
                                            agentchat_bytes *out, agentchat_error *err),
                  agentchat_str document, agentchat_str with)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_str value = {NULL, 0};
    agentchat_error err;

    FUZZ_CHECK(agentchat_bytes_append(&out, AGENTCHAT_STR("before"), NULL) >= 0);
    if (patch(NULL, document, with, &out, &err) < 0) {
        FUZZ_CHECK(out.len == 6 && err.message[0] != '\0');
    } else {
        FUZZ_CHECK(agentchat_json_check(NULL, (agentchat_str){out.ptr + 6, out.len - 6}, &value, NULL) >= 0);
        expect_equal_to_itself(value);
    }
    agentchat_bytes_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    agentchat_str document, patch;

    if (nul == NULL)
        return 0;
    document = (agentchat_str){(const char *)data, (size_t)(nul - data)};
    patch = (agentchat_str){(const char *)nul + 1, size - document.len - 1};
    apply(agentchat_json_patch, document, patch);
    apply(agentchat_json_merge_patch, document, patch);
    return 0;
}
