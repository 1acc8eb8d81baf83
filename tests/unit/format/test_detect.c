/* SPDX-License-Identifier: Apache-2.0 */
/* Which format a document is in, from its beginning. */
#include "support/test_support.h"

#include "format/detect.h"

static void test_detect__knows_our_formats_by_the_header(void **state)
{
    static const struct {
        const char *text;
        agentchat_format format;
    } cases[] = {
        {"{\"agentchat\":{\"format\":1,\"reader\":1}}", AGENTCHAT_FORMAT_AGENTCHAT},
        {" \r\n\t{ \"agentchat\" : { \"reader\" : 1 , \"format\" : 1 } }", AGENTCHAT_FORMAT_AGENTCHAT},
        {"\xEF\xBB\xBF{\"agentchat\":{\"format\":1}}", AGENTCHAT_FORMAT_AGENTCHAT},
        {"{\"agentchat\":{\"x\":{\"a\":[\"}\",{}]},\"y\":\"\\\"\",\"z\":-1.5e3,\"format\":9}}",
         AGENTCHAT_FORMAT_AGENTCHAT},
        {"{\"agentchat\":{\"format\":1,\"reader\":1,\"encoding\":\"base64\"}}", AGENTCHAT_FORMAT_AGENTCHAT_ENCODED},
        {"{\"agentchat\":{\"encoding\":\"base64\",\"format\":1}}", AGENTCHAT_FORMAT_AGENTCHAT_ENCODED},
        /* names are compared by what they mean */
        {"{\"\\u0061gentchat\":{\"\\u0066ormat\":1}}", AGENTCHAT_FORMAT_AGENTCHAT},
        {"{\"agentcha\\u0074\":{\"forma\\u0074\":1,\"en\\u0063odin\\u0067\":1}}", AGENTCHAT_FORMAT_AGENTCHAT_ENCODED},
        {"{\"agentchat\":{\"f\\u006Frmat\":1}}", AGENTCHAT_FORMAT_AGENTCHAT},
        /* cut off within the header: ours, so that our reader says where */
        {"{\"agentchat\":{", AGENTCHAT_FORMAT_AGENTCHAT},
        {"{\"agentchat\":{\"form", AGENTCHAT_FORMAT_AGENTCHAT},
        {"{\"agentchat\":{\"format\":1", AGENTCHAT_FORMAT_AGENTCHAT},
        {"{\"agentchat\":{\"reader\":{\"", AGENTCHAT_FORMAT_AGENTCHAT},
        /* everything else */
        {"", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"[]", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"\"text\"", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"Participants\":[]}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"History\":[],\"agentchat\":{\"format\":1}}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\":1}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\"", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\":{}}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\":{\"synced\":{\"format\":1}},\"History\":[]}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"Agentchat\":{\"format\":1}}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\":{\"forma\\u0054\":1}}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\":{\"format\\u0000\":1}}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\":{\"forma\":1,\"formatt\":1,\"\":1}}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentchat\":{\"forma\\t\":1,\"forma\\u007\":1,\"forma\\u00g4\":1}}", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
        {"{\"agentcha\\u0074", AGENTCHAT_FORMAT_SEMANTIC_KERNEL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len = strlen(cases[i].text);
        char *exact = malloc(len != 0 ? len : 1); /* no byte after the text may be looked at */

        assert_non_null(exact);
        memcpy(exact, cases[i].text, len);
        if (aci_detect(exact, len) != cases[i].format)
            fail_msg("%s", cases[i].text);
        free(exact);
    }
}

static void test_detect__names_formats(void **state)
{
    static const char *const names[] = {"agentchat", "agentchat-encoded", "semantic-kernel", "adk"};

    (void)state;
    for (int format = 1; format <= 4; format++) {
        assert_string_equal(agentchat_format_name((agentchat_format)format), names[format - 1]);
        assert_int_equal(agentchat_format_from_name(names[format - 1]), format);
    }
    assert_null(agentchat_format_name(AGENTCHAT_FORMAT_NONE));
    assert_null(agentchat_format_name((agentchat_format)99));
    assert_int_equal(agentchat_format_from_name("Agentchat"), AGENTCHAT_FORMAT_NONE);
    assert_int_equal(agentchat_format_from_name(""), AGENTCHAT_FORMAT_NONE);
    assert_int_equal(agentchat_format_from_name(NULL), AGENTCHAT_FORMAT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detect__knows_our_formats_by_the_header),
        cmocka_unit_test(test_detect__names_formats),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
