/* SPDX-License-Identifier: Apache-2.0 */
/* Whole pages: media, calls and results, what only a channel holds, what lies deep inside. */
#include "page_test.h"

static void test_page__media(void **state)
{
    agentchat_snapshot *chat = read_text(CHAT(
        "{\"role\":\"user\",\"items\":[" DATA("image", "image/png", "QUJD") "," DATA(
            "image", "IMAGE/PNG; a=b",
            "QUJE") "," DATA("audio", "audio/wav",
                             "QUJF") "," DATA("image", "text/html",
                                              "QUJG") "," DATA("binary", "image/png",
                                                               "QUJH") "," DATA("image", "image/png\\\" onerror=\\\"x",
                                                                                "QUJI") ",{\"type\":\"image\","
                                                                                        "\"mimetype\":\"image/"
                                                                                        "png\",\"uri\":\"http://x/"
                                                                                        "<y>\"}]}",
        ""));
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page = page_of(chat, NULL);

    (void)state;
    assert_in_page(&page, " src=\"data:image/png;base64,QUJD\">");
    assert_in_page(&page, " src=\"data:image/png;base64,QUJE\">");
    assert_in_page(&page, " src=\"data:audio/wav;base64,QUJF\">");
    assert_not_in_page(&page, "QUJG");
    assert_not_in_page(&page, "QUJH");
    assert_not_in_page(&page, "QUJI");
    assert_in_page(&page, "<code>http://x/&lt;y&gt;</code>");
    agentchat_bytes_clear(&page);
    options.no_media = true;
    page = page_of(chat, &options);
    assert_not_in_page(&page, "<img");
    assert_not_in_page(&page, "<audio");
    assert_not_in_page(&page, "QUJ");
    assert_in_page(&page, "image, image/png, 3 bytes");
    assert_in_page(&page, "sound, audio/wav, 3 bytes");
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

static void test_page__contents_failures_and_signatures(void **state)
{
    agentchat_snapshot *chat = read_text(
        CHAT("{\"role\":\"a\",\"items\":[{\"type\":\"reasoning\",\"redacted\":true,\"signature\":\"c2ln\",\"issuer\":"
             "\"<i>\"},"
             "{\"type\":\"call\",\"id\":\"1\",\"function\":\"f\"},"
             "{\"type\":\"text\",\"text\":\"no\",\"refusal\":true,\"signature\":\"xyz\"}]},"
             "{\"role\":\"t\",\"items\":[{\"type\":\"result\",\"id\":\"1\",\"failed\":true,\"content\":["
             "{\"type\":\"text\",\"text\":\"<in>side\"},{\"type\":\"result\",\"function\":\"g\",\"result\":7}]}]}",
             ""));
    agentchat_bytes page = page_of(chat, NULL);

    (void)state;
    assert_in_page(&page, "reasoning (redacted)</summary>");
    assert_in_page(&page, "c2ln");
    assert_in_page(&page, "&lt;i&gt;");
    assert_in_page(&page, "<span class=\"outcome failed\">\xE2\x86\x90 failed: 2 items</span>");
    assert_in_page(&page, "<p class=\"label\">content of the result</p><div class=\"i nested\">");
    assert_in_page(&page, "&lt;in&gt;side");
    assert_in_page(&page, "<p class=\"label\">refusal</p>");
    assert_in_page(&page, "xyz");
    assert_not_in_page(&page, "<in>");
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

static void test_page__calls_and_results(void **state)
{
    agentchat_snapshot *chat = read_text(
        CHAT("{\"role\":\"a\",\"items\":[" CALL("\"1\"") "," CALL("\"2\"") "," CALL(
                 "null") "]},{\"role\":\"t\",\"items\":[" RESULT("\"3\"") "," RESULT("\"1\"") "," RESULT("null") "]}",
             ""));
    agentchat_bytes page = page_of(chat, NULL);
    const char *missing = page.ptr;
    size_t count = 0;

    (void)state;
    assert_in_page(&page,
                   "<b class=\"function\">p.f</b><span class=\"arguments\">(a: 1)</span> <span class=\"outcome\">"
                   "\xE2\x86\x90 &quot;ok&quot;</span>");
    assert_in_page(&page,
                   "result of <b class=\"function\">p.f</b>, shown with its call in <a href=\"#m0\">message 0</a>");
    for (; (missing = strstr(missing, "<span class=\"outcome missing\">no result</span>")) != NULL; missing++)
        count++;
    assert_int_equal(count, 2);
    for (missing = page.ptr; (missing = strstr(missing, "<span class=\"outcome missing\">no call</span>")) != NULL;
         missing++)
        count++;
    assert_int_equal(count, 4);
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

static void test_page__what_only_a_channel_holds(void **state)
{
    agentchat_snapshot *chat = small_chat();
    agentchat_bytes page = page_of(chat, NULL);
    const char *own = strstr(page.ptr, "<article class=\"m own");

    (void)state;
    assert_non_null(own);
    assert_non_null(strstr(own, "data-own=\"1\" id=\"c1-m0\""));
    assert_non_null(strstr(own, "only channel 1 holds this"));
    assert_non_null(strstr(own, "only here"));
    assert_true(own < strstr(page.ptr, " id=\"m0\"")); /* it stands before what follows it in the channel */
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

/* Chats and messages inside one another, far deeper than browsers nest elements. */
static void test_page__deep_nesting(void **state)
{
    enum { DEPTH = 600 };
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_snapshot *chat = NULL, *around;
    agentchat_message *message, *outer;
    agentchat_bytes page;
    agentchat_error err;
    agentchat_env *env;

    (void)state;
    limits.max_depth = 4 * DEPTH;
    options.limits = &limits;
    env = test_env(&options);
    test_ok(agentchat_message_new_text(env, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("deepest"), &message, &err),
            &err);
    for (size_t i = 0; i < DEPTH; i++) {
        agentchat_message_builder *b = test_message_builder(env, "user", NULL);

        agentchat_message_builder_add_message(b, message);
        test_ok(agentchat_message_builder_finish(b, &outer, &err), &err);
        agentchat_message_unref(message);
        message = outer;
    }
    for (size_t i = 0; i < DEPTH; i++) {
        agentchat_snapshot_builder *b = test_snapshot_builder(env, NULL);

        if (i == 0)
            agentchat_snapshot_builder_add_message(b, message);
        else
            agentchat_snapshot_builder_set_channel_chat(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("t"), chat, 0);
        test_ok(agentchat_snapshot_builder_finish(b, &around, &err), &err);
        agentchat_snapshot_unref(chat);
        chat = around;
    }
    agentchat_message_unref(message);
    page = page_of(chat, NULL);
    assert_in_page(&page, "deepest");
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
    agentchat_env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page__media),
        cmocka_unit_test(test_page__calls_and_results),
        cmocka_unit_test(test_page__contents_failures_and_signatures),
        cmocka_unit_test(test_page__what_only_a_channel_holds),
        cmocka_unit_test(test_page__deep_nesting),
    };

    return cmocka_run_group_tests_name("page_content", tests, NULL, NULL);
}
