/* SPDX-License-Identifier: Apache-2.0 */
/* Whole pages: options, reports and errors. */
#include "page_test.h"

static void test_page__title(void **state)
{
    agentchat_snapshot *chat = small_chat();
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page = page_of(chat, NULL);

    (void)state;
    assert_in_page(&page, "<title>Chat</title>");
    assert_in_page(&page, "<h1 dir=\"auto\">Chat</h1>");
    agentchat_bytes_clear(&page);
    options.title = AGENTCHAT_STR("</title><b>\"caf\xC3\xA9\" \xE2\x80\xAE");
    page = page_of(chat, &options);
    assert_in_page(&page, "<title>&lt;/title&gt;&lt;b&gt;&quot;caf\xC3\xA9&quot; \xEF\xBF\xBD</title>");
    assert_in_page(&page, "<h1 dir=\"auto\">&lt;/title&gt;&lt;b&gt;&quot;caf\xC3\xA9&quot; <bdi class=\"u\" "
                          "data-c=\"202E\">\xE2\x80\xAE</bdi></h1>");
    agentchat_bytes_clear(&page);
    options.title = AGENTCHAT_STR("a\0b"); /* a NUL is text like any other */
    page = page_of(chat, &options);
    assert_in_page(&page, "<title>a\xEF\xBF\xBD"
                          "b</title>");
    agentchat_bytes_clear(&page);
    options.title = AGENTCHAT_STR("");
    page = page_of(chat, &options);
    assert_in_page(&page, "<h1 dir=\"auto\">Chat</h1>");
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

static void test_page__opens_with_a_channel(void **state)
{
    agentchat_snapshot *chat = small_chat();
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page = page_of(chat, NULL);

    (void)state;
    assert_not_in_page(&page, " selected>");
    agentchat_bytes_clear(&page);
    options.channel = AGENTCHAT_STR("k2");
    page = page_of(chat, &options);
    assert_in_page(&page, "<option value=\"1\" data-runs=\"d2\" selected>channel 1: U</option>");
    assert_in_page(&page, "<option value=\"0\" data-runs=\"u2\">channel 0: T</option>");
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

static void test_page__a_key_may_hold_any_character(void **state)
{
    agentchat_snapshot *chat =
        read_text(CHAT(TEXT("user", "hello"), HOLDER("k", "one") "," HOLDER("k\\u0000l", "two")));
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page;

    (void)state;
    options.channel = (agentchat_str){"k\0l", 3};
    page = page_of(chat, &options);
    assert_in_page(&page, " selected>channel 1: ");
    agentchat_bytes_clear(&page);
    options.channel.len = 1;
    page = page_of(chat, &options);
    assert_in_page(&page, " selected>channel 0: ");
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

static void test_page__errors(void **state)
{
    static const char *const bad_titles[] = {"\xFF", "a\xC3", "\xED\xA0\x80"};
    agentchat_snapshot *chat = small_chat();
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof bad_titles / sizeof *bad_titles; i++) {
        options.title = agentchat_str_from(bad_titles[i]);
        test_fails(write_page(chat, &options, &bytes, &err), &err, AGENTCHAT_E_INVALID, NULL, "the title is not UTF-8");
    }
    options.title = (agentchat_str){NULL, 0};
    options.channel = AGENTCHAT_STR("k3");
    test_fails(write_page(chat, &options, &bytes, &err), &err, AGENTCHAT_E_NOTFOUND, NULL,
               "there is no channel \"k3\"");
    options.channel = AGENTCHAT_STR("k");
    test_fails(write_page(chat, &options, &bytes, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, NULL);
    assert_int_equal(write_page(chat, &options, &bytes, NULL), AGENTCHAT_E_NOTFOUND);
    assert_int_equal(bytes.len, 0);
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_fails(agentchat_snapshot_write_html(NULL, sink, NULL, &err), &err, AGENTCHAT_E_INVALID, NULL, "required");
    test_fails(agentchat_snapshot_write_html(chat, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, NULL, "required");
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(chat);
}

/* Options of an older program are shorter, those of a newer one longer. */
static void test_page__sizes_of_options(void **state)
{
    agentchat_snapshot *chat = small_chat();
    struct {
        agentchat_html_options options;
        char more[8];
    } longer = {AGENTCHAT_HTML_OPTIONS_INIT, {0}};
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    longer.options.title = AGENTCHAT_STR("T");
    longer.options.channel = AGENTCHAT_STR("none");
    longer.options.struct_size = offsetof(agentchat_html_options, channel); /* which has no channel yet */
    test_ok(write_page(chat, &longer.options, &page, &err), &err);
    assert_in_page(&page, "<title>T</title>");
    agentchat_bytes_clear(&page);
    longer.options.channel = (agentchat_str){NULL, 0};
    longer.options.struct_size = sizeof longer;
    test_ok(write_page(chat, &longer.options, &page, &err), &err);
    agentchat_bytes_clear(&page);
    longer.more[sizeof longer.more - 1] = 1; /* something that this version does not know */
    assert_int_equal(write_page(chat, &longer.options, &page, &err), AGENTCHAT_E_INVALID);
    longer.options.struct_size = 0;
    test_fails(write_page(chat, &longer.options, &page, &err), &err, AGENTCHAT_E_INVALID, NULL, NULL);
    assert_int_equal(page.len, 0);
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
}

static void test_page__a_report(void **state)
{
    static const char text[] = "{\"Participants\":[],\"Channels\":[],\"History\":[null,{\"Role\":{\"Label\":\"user\"},"
                               "\"Items\":[null]}]}";
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *chat;
    agentchat_bytes page;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &chat, &report, &err), &err);
    assert_int_equal(agentchat_report_count(report), 2);
    options.report = report;
    page = page_of(chat, &options);
    assert_in_page(&page, "<summary>report: 2 remarks (no loss)</summary>");
    assert_in_page(&page, "<a href=\"#m0\">/history/0</a>");
    assert_in_page(&page, "<a href=\"#m1\">/history/1/items/0</a>");
    agentchat_bytes_clear(&page);
    page = page_of(chat, NULL);
    assert_not_in_page(&page, "report:");
    agentchat_bytes_clear(&page);
    agentchat_report_free(report);
    agentchat_snapshot_unref(chat);
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(CHAT("", "")), NULL, &chat, &report, &err), &err);
    options.report = report;
    page = page_of(chat, &options);
    assert_in_page(&page, "<p class=\"none\">report: no remarks</p>");
    agentchat_bytes_clear(&page);
    agentchat_report_free(report);
    agentchat_snapshot_unref(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page__title),
        cmocka_unit_test(test_page__opens_with_a_channel),
        cmocka_unit_test(test_page__a_key_may_hold_any_character),
        cmocka_unit_test(test_page__errors),
        cmocka_unit_test(test_page__sizes_of_options),
        cmocka_unit_test(test_page__a_report),
    };

    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
