/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a document is in, from its beginning. */
#include "support/test_support.h"

#include "format/detect.h"

static void test_detect__knows_our_formats_by_the_header(void **state)
{
    static const struct {
        const char *text;
        const char *format;
    } cases[] = {
        {"{\"agentchat\":{\"format\":1,\"reader\":1}}", "agentchat"},
        {" \r\n\t{ \"agentchat\" : { \"reader\" : 1 , \"format\" : 1 } }", "agentchat"},
        {"\xEF\xBB\xBF{\"agentchat\":{\"format\":1}}", "agentchat"},
        {"{\"agentchat\":{\"x\":{\"a\":[\"}\",{}]},\"y\":\"\\\"\",\"z\":-1.5e3,\"format\":9}}", "agentchat"},
        {"{\"agentchat\":{\"format\":1,\"reader\":1,\"encoding\":\"base64\"}}", "agentchat-encoded"},
        {"{\"agentchat\":{\"encoding\":\"base64\",\"format\":1}}", "agentchat-encoded"},
        /* names are compared by what they mean */
        {"{\"\\u0061gentchat\":{\"\\u0066ormat\":1}}", "agentchat"},
        {"{\"agentcha\\u0074\":{\"forma\\u0074\":1,\"en\\u0063odin\\u0067\":1}}", "agentchat-encoded"},
        {"{\"agentchat\":{\"f\\u006Frmat\":1}}", "agentchat"},
        /* cut off within the header: ours, so that our reader says where */
        {"{\"agentchat\":{", "agentchat"},
        {"{\"agentchat\":{\"form", "agentchat"},
        {"{\"agentchat\":{\"format\":1", "agentchat"},
        {"{\"agentchat\":{\"reader\":{\"", "agentchat"},
        /* everything else */
        {"", "semantic-kernel"},
        {"{", "semantic-kernel"},
        {"[]", "semantic-kernel"},
        {"\"text\"", "semantic-kernel"},
        {"{\"Participants\":[]}", "semantic-kernel"},
        {"{\"History\":[],\"agentchat\":{\"format\":1}}", "semantic-kernel"},
        {"{\"agentchat\":1}", "semantic-kernel"},
        {"{\"agentchat\"", "semantic-kernel"},
        {"{\"agentchat\":{}}", "semantic-kernel"},
        {"{\"agentchat\":{\"synced\":{\"format\":1}},\"History\":[]}", "semantic-kernel"},
        {"{\"Agentchat\":{\"format\":1}}", "semantic-kernel"},
        {"{\"agentchat\":{\"forma\\u0054\":1}}", "semantic-kernel"},
        {"{\"agentchat\":{\"format\\u0000\":1}}", "semantic-kernel"},
        {"{\"agentchat\":{\"forma\":1,\"formatt\":1,\"\":1}}", "semantic-kernel"},
        {"{\"agentchat\":{\"forma\\t\":1,\"forma\\u007\":1,\"forma\\u00g4\":1}}", "semantic-kernel"},
        {"{\"agentcha\\u0074", "semantic-kernel"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len = strlen(cases[i].text);
        char *exact = malloc(len != 0 ? len : 1); /* no byte after the text may be looked at */

        assert_non_null(exact);
        memcpy(exact, cases[i].text, len);
        if (strcmp(aci_detect(exact, len)->about.name, cases[i].format) != 0)
            fail_msg("%s", cases[i].text);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detect__knows_our_formats_by_the_header),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
