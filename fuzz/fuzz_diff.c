/* SPDX-License-Identifier: Apache-2.0 */
/* Two documents with the byte 0xFF between them, which no document holds: they differ exactly when their digests do,
   from either side, and what differs is named by pointer and valid JSON. */
#include "documents.h"

#include "json/value.h"

static void check_value(agentchat_str text)
{
    agentchat_str span;

    if (text.ptr != NULL)
        FUZZ_CHECK(aci_json_check(NULL, text, 0, &span, NULL, NULL) == AGENTCHAT_OK);
}

static agentchat_status count(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                              agentchat_error *err)
{
    size_t *found = user;

    (void)err;
    FUZZ_CHECK(path.ptr != NULL && (path.len == 0 || path.ptr[0] == '/'));
    FUZZ_CHECK(left.ptr != NULL || right.ptr != NULL);
    check_value(left);
    check_value(right);
    ++*found;
    return AGENTCHAT_OK;
}

static void compare(const agentchat_snapshot *a, const agentchat_snapshot *b)
{
    bool same = fuzz_same_digest(a, b, true), equal = !same, quick = !same;
    size_t found = 0;

    FUZZ_CHECK(agentchat_snapshot_diff(a, b, count, &found, &equal, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(equal == same && (found == 0) == same);
    FUZZ_CHECK(agentchat_snapshot_diff(a, b, NULL, NULL, &quick, NULL) >= 0 && quick == same);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_each_pair(data, size, compare);
    return 0;
}
