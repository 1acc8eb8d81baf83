/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole pages: options and errors, the same bytes twice, streams that fail, no memory, what stands where; and every
 * golden and recorded file, whose pages hold every text as it stands and nothing that a page may not hold.
 */
#include "view_test.h"

#include "fuzz/page_check.h"
#include "snapshot/snapshot.h"
#include <time.h>

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static agentchat_status write_page(const agentchat_snapshot *snapshot, const agentchat_html_options *options,
                                   agentchat_bytes *bytes, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_error opening;
    agentchat_status status;

    test_ok(agentchat_sink_memory(snapshot != NULL ? snapshot->env : NULL, bytes, &sink, &opening), &opening);
    status = agentchat_snapshot_write_html(snapshot, sink, options, err);
    agentchat_sink_free(sink);
    return status;
}

static agentchat_bytes page_of(const agentchat_snapshot *snapshot, const agentchat_html_options *options)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    const char *fault;
    agentchat_error err;
    size_t at;

    test_ok(write_page(snapshot, options, &bytes, &err), &err);
    fault = page_fault(bytes.ptr, bytes.len, PAGE_OF_CHAT, &at);
    if (fault != NULL)
        fail_msg("%s: %.200s", fault, bytes.ptr + at);
    return bytes;
}

static agentchat_snapshot *read_text(const char *text)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, &err), &err);
    return snapshot;
}

#define CHAT(history, channels)                                                                                        \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[" history "],\"participants\":[{\"id\":\"i\",\"name\":"   \
    "\"Ann\",\"type\":\"t\"}],\"channels\":[" channels "]}"
#define TEXT(role, text) "{\"role\":\"" role "\",\"items\":[{\"type\":\"text\",\"text\":\"" text "\"}]}"

#define HOLDER(key, text)                                                                                              \
    "{\"channelkey\":\"" key                                                                                           \
    "\",\"channeltype\":\"U\",\"statekind\":\"messages\",\"channelstate\":[" TEXT("user", text) "]}"

static agentchat_snapshot *small_chat(void)
{
    return read_text(
        CHAT(TEXT("user", "hello") "," TEXT("assistant", "*hi*"),
             "{\"channelkey\":\"k1\",\"channeltype\":\"T\",\"statekind\":\"text\",\"channelstate\":\"s\"}," HOLDER(
                 "k2", "only here")));
}

/* ---- options and errors ----------------------------------------------------------------------------------------- */

static void assert_in_page(const agentchat_bytes *page, const char *part)
{
    if (strstr(page->ptr, part) == NULL)
        fail_msg("not in the page: %s", part);
}

static void assert_not_in_page(const agentchat_bytes *page, const char *part)
{
    if (strstr(page->ptr, part) != NULL)
        fail_msg("in the page: %s", part);
}

static void test_page__title(void **state)
{
    agentchat_snapshot *chat = small_chat();
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page = page_of(chat, NULL);

    (void)state;
    assert_in_page(&page, "<title>Chat</title>");
    assert_in_page(&page, "<h1 dir=\"auto\">Chat</h1>");
    agentchat_bytes_clear(&page);
    options.title = "</title><b>\"caf\xC3\xA9\" \xE2\x80\xAE";
    page = page_of(chat, &options);
    assert_in_page(&page, "<title>&lt;/title&gt;&lt;b&gt;&quot;caf\xC3\xA9&quot; \xEF\xBF\xBD</title>");
    assert_in_page(&page, "<h1 dir=\"auto\">&lt;/title&gt;&lt;b&gt;&quot;caf\xC3\xA9&quot; <bdi class=\"u\" "
                          "data-c=\"202E\">\xE2\x80\xAE</bdi></h1>");
    agentchat_bytes_clear(&page);
    options.title = "";
    page = page_of(chat, &options);
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
    assert_in_page(&page, "<option value=\"1\" data-runs=\"n2\" selected>channel 1: U</option>");
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
        options.title = bad_titles[i];
        test_fails(write_page(chat, &options, &bytes, &err), &err, AGENTCHAT_E_INVALID, NULL, "the title is not UTF-8");
    }
    options.title = NULL;
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
    longer.options.title = "T";
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
    agentchat_read_options reading = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *chat;
    agentchat_bytes page;
    agentchat_error err;

    (void)state;
    reading.report = &report;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &reading, &chat, &err), &err);
    assert_int_equal(agentchat_report_count(report), 2);
    options.report = report;
    page = page_of(chat, &options);
    assert_in_page(&page, "<summary>report: 2 in all, of them losses: 0</summary>");
    assert_in_page(&page, "<a href=\"#m0\">/history/0</a>");
    assert_in_page(&page, "<a href=\"#m1\">/history/1/items/0</a>");
    agentchat_bytes_clear(&page);
    page = page_of(chat, NULL);
    assert_not_in_page(&page, "<summary>report");
    agentchat_bytes_clear(&page);
    agentchat_report_free(report);
    agentchat_snapshot_unref(chat);
}

#define DATA(type, mime, data) "{\"type\":\"" type "\",\"mimetype\":\"" mime "\",\"data\":\"" data "\"}"

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

#define CALL(id) "{\"type\":\"call\",\"id\":" id ",\"plugin\":\"p\",\"function\":\"f\",\"arguments\":{\"a\":1}}"
#define RESULT(id) "{\"type\":\"result\",\"id\":" id ",\"function\":\"f\",\"result\":\"ok\"}"

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
    env = agentchat_env_new(&options);
    test_ok(agentchat_message_new_text(env, "user", NULL, AGENTCHAT_STR("deepest"), &message, &err), &err);
    for (size_t i = 0; i < DEPTH; i++) {
        agentchat_builder *b = agentchat_builder_new(env, "user", NULL);

        agentchat_builder_add_message(b, message);
        test_ok(agentchat_builder_finish(b, &outer, &err), &err);
        agentchat_message_unref(message);
        message = outer;
    }
    for (size_t i = 0; i < DEPTH; i++) {
        agentchat_snapshot_builder *b = agentchat_snapshot_builder_new(env, NULL);

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

/* ---- streams and memory ----------------------------------------------------------------------------------------- */

/* Of several windows of the writer. */
static agentchat_snapshot *long_chat(const agentchat_env *env)
{
    static char text[3000];
    agentchat_snapshot_builder *b = agentchat_snapshot_builder_new(env, NULL);
    agentchat_message *message;
    agentchat_snapshot *chat;
    agentchat_error err;

    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < 60; i++) {
        text[0] = i % 2 == 0 ? '#' : 'x';
        test_ok(agentchat_message_new_text(env, "user", NULL, (agentchat_str){text, sizeof text}, &message, &err),
                &err);
        agentchat_snapshot_builder_add_message(b, message);
        agentchat_message_unref(message);
    }
    test_ok(agentchat_snapshot_builder_finish(b, &chat, &err), &err);
    return chat;
}

static void test_page__a_stream_that_fails(void **state)
{
    agentchat_snapshot *chat = long_chat(NULL);
    agentchat_status status = AGENTCHAT_E_IO;
    agentchat_sink *sink;
    agentchat_error err;
    uint64_t writes = 0;

    (void)state;
    for (; status < 0; writes++) {
        sink = test_sink_failing(writes, false);
        status = agentchat_snapshot_write_html(chat, sink, NULL, &err);
        if (status < 0)
            test_fails(status, &err, AGENTCHAT_E_IO, NULL, "refuses this write");
        agentchat_sink_free(sink);
        assert_true(writes < 100);
    }
    assert_true(writes > 3);
    sink = test_sink_failing(writes, true);
    test_fails(agentchat_snapshot_write_html(chat, sink, NULL, &err), &err, AGENTCHAT_E_IO, NULL, "refuses to commit");
    agentchat_sink_free(sink);
    agentchat_snapshot_unref(chat);
}

static agentchat_snapshot *rich_chat(const agentchat_env *env)
{
    static const char text[] =
        CHAT("{\"role\":\"a\",\"items\":[" CALL("\"1\"") ",{\"type\":\"text\",\"text\":\"*b*\"},"
                                                         "{\"type\":\"message\",\"message\":" TEXT("u", "x") "}," DATA(
                                                             "image", "image/png",
                                                             "QUJD") ",null]},"
                                                                     "{\"role\":\"t\",\"items\":[" RESULT("\"1\"") "]}",
             HOLDER("k1", "own") ",{\"channelkey\":\"k2\",\"channeltype\":\"U\",\"statekind\":\"chat\","
                                 "\"channelstate\":{\"history\":[" TEXT(
                                     "u", "`inner`") "],\"participants\":[],\"channels\":[" HOLDER("k3", "own") "]}}");
    agentchat_snapshot *chat;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(env, agentchat_str_from(text), NULL, &chat, &err), &err);
    return chat;
}

static agentchat_status write_rich(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes page = {NULL, 0, 0, env};
    agentchat_snapshot *chat;
    agentchat_status status;

    (void)user;
    test_oom_running()->held = true;
    chat = rich_chat(env);
    test_oom_running()->held = false;
    {
        agentchat_sink *sink;

        status = agentchat_sink_memory(env, &page, &sink, err);
        if (status >= 0)
            status = agentchat_snapshot_write_html(chat, sink, NULL, err);
        agentchat_sink_free(sink);
    }
    assert_int_equal(page.len > 0, status >= 0);
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
    return status;
}

static void test_page__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(write_rich, NULL) > 40);
}

/* What a page takes does not grow with the page. */
static void test_page__memory_for_a_long_chat(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_snapshot *chat = long_chat(env);
    uint64_t live = oom.live_bytes;
    agentchat_sink *sink = test_sink_failing(UINT64_MAX, false);
    agentchat_error err;

    (void)state;
    oom.peak_bytes = live;
    test_ok(agentchat_snapshot_write_html(chat, sink, NULL, &err), &err);
    assert_true(oom.peak_bytes - live < 160000);
    assert_int_equal(oom.live_bytes, live);
    agentchat_sink_free(sink);
    agentchat_snapshot_unref(chat);
    agentchat_env_free(env);
}

/* ---- growth ----------------------------------------------------------------------------------------------------- */

/* Adds one piece again and again, with its number for each %zu of it (at most two). */
static void repeat(agentchat_bytes *text, const char *piece, size_t count)
{
    agentchat_error err;
    char one[512];

    for (size_t i = 0; i < count; i++) {
        int len = snprintf(one, sizeof one, i > 0 ? "," : "");

        len += snprintf(one + len, sizeof one - (size_t)len, piece, i, i);
        test_ok(agentchat_bytes_append(text, (agentchat_str){one, (size_t)len}, &err), &err);
    }
}

/* So many messages and channels, or messages and participants. */
static agentchat_snapshot *large_chat(const char *message, const char *channel, const char *participant, size_t count)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *chat;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(
        agentchat_bytes_append(&text, AGENTCHAT_STR("{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["), &err),
        &err);
    repeat(&text, message, count);
    test_ok(agentchat_bytes_append(&text, AGENTCHAT_STR("],\"participants\":["), &err), &err);
    repeat(&text, participant, *participant != '\0' ? count : 0);
    test_ok(agentchat_bytes_append(&text, AGENTCHAT_STR("],\"channels\":["), &err), &err);
    repeat(&text, channel, *channel != '\0' ? count : 0);
    test_ok(agentchat_bytes_append(&text, AGENTCHAT_STR("]}"), &err), &err);
    chat = read_text(text.ptr);
    agentchat_bytes_clear(&text);
    return chat;
}

static double seconds_for(const agentchat_snapshot *chat, size_t *len)
{
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    struct timespec begin, end;
    agentchat_error err;

    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin), 0);
    test_ok(write_page(chat, NULL, &page, &err), &err);
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end), 0);
    *len = page.len;
    agentchat_bytes_clear(&page);
    return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

/* What grows in two places of a chat at once, so that either may be gone through for the other one. What grows in one
   place is measured by hostile.growth. */
static void test_page__costs_what_the_chat_has(void **state)
{
    enum { SMALL = 250, STEP = 8, WORST = 30, TRIES = 2 };
    static const char *const cases[][3] = {
        {TEXT("user", "%zu"),
         "{\"channelkey\":\"k%zu\",\"channeltype\":\"T\",\"statekind\":\"text\",\"channelstate\":\"s\"}", ""},
        {TEXT("user", "%zu"), HOLDER("k%zu", "0"), ""},
        {TEXT("user", "same"), HOLDER("k%zu", "same"), ""},
        {TEXT("user", "%zu"), HOLDER("k%zu", "own %zu"), ""},
        {"{\"role\":\"user\",\"name\":\"n%zu\"}", "", "{\"id\":\"%zu\",\"name\":\"n%zu\",\"type\":\"t\"}"},
        {TEXT("user", "%zu"),
         "{\"channelkey\":\"k%zu\",\"channeltype\":\"T\",\"statekind\":\"chat\",\"channelstate\":{\"history\":[" TEXT(
             "user", "%zu") "],\"participants\":[],\"channels\":[]}}",
         ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_snapshot *little = large_chat(cases[i][0], cases[i][1], cases[i][2], SMALL);
        agentchat_snapshot *much = large_chat(cases[i][0], cases[i][1], cases[i][2], SMALL * STEP);
        size_t small_len = 0, large_len = 0;
        double small = 1e9, large = 1e9;

        for (int k = 0; k < TRIES; k++) {
            double a = seconds_for(little, &small_len), b = seconds_for(much, &large_len);

            small = a < small ? a : small;
            large = b < large ? b : large;
        }
        printf("case %zu: %10.6f s and %zu bytes, %10.6f s and %zu bytes\n", i, small, small_len, large, large_len);
        assert_true(large < WORST * (small > 0.0005 ? small : 0.0005));
        assert_true(large_len < (STEP + 2) * small_len);
        agentchat_snapshot_unref(little);
        agentchat_snapshot_unref(much);
    }
}

/* ---- every file ------------------------------------------------------------------------------------------------- */

typedef struct texts {
    agentchat_str *list; /* each to be released with free() */
    size_t count, next;
} texts;

static void add_text(texts *t, char *text, size_t len)
{
    t->list = realloc(t->list, (t->count + 1) * sizeof *t->list);
    assert_non_null(t->list);
    t->list[t->count++] = (agentchat_str){text, len};
}

/* What the page's blocks of text hold as it stands: what is not Markdown, and what is shown beside it. */
static texts texts_of_page(const agentchat_bytes *page)
{
    static const char plain[] = "<div class=\"plain\" dir=\"auto\">", raw[] = "<pre class=\"raw\" dir=\"auto\">";
    texts found = {NULL, 0, 0};

    for (const char *p = page->ptr; (p = strchr(p, '<')) != NULL; p++) {
        bool is_plain = strncmp(p, plain, sizeof plain - 1) == 0;
        const char *end;
        char *text;

        if (!is_plain && strncmp(p, raw, sizeof raw - 1) != 0)
            continue;
        end = strstr(p, is_plain ? "</div>" : "</pre>");
        assert_non_null(end);
        text = malloc((size_t)(end - p) + 1);
        add_text(&found, text, view_text(p, (size_t)(end - p), text));
    }
    return found;
}

static void clear_texts(texts *t)
{
    for (size_t i = 0; i < t->count; i++)
        free((char *)t->list[i].ptr);
    free(t->list);
}

/* Texts stand in the page in the order of the chat, but for what channels hold: looked for from the last one on. */
static void find_text(texts *found, agentchat_str text)
{
    if (text.ptr == NULL || text.len == 0 || agentchat_str_is_null(text))
        return;
    for (size_t i = 0; i < found->count; i++) {
        agentchat_str candidate = found->list[(found->next + i) % found->count];

        if (candidate.len == text.len && memcmp(candidate.ptr, text.ptr, text.len) == 0) {
            found->next += i + 1;
            return;
        }
    }
    fail_msg("not in the page: %.*s", (int)text.len, text.ptr);
}

static size_t find_message(texts *found, const agentchat_message *message)
{
    size_t texts_in_it = 0;

    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];

        if (item->kind == AGENTCHAT_ITEM_TEXT || item->kind == AGENTCHAT_ITEM_REASONING ||
            item->kind == AGENTCHAT_ITEM_ACTION) {
            find_text(found, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT));
            texts_in_it++;
        } else if (item->kind == AGENTCHAT_ITEM_MESSAGE) {
            texts_in_it += find_message(found, item->u.message);
        }
    }
    return texts_in_it;
}

static size_t find_messages(texts *found, const agentchat_messages *messages)
{
    size_t count = agentchat_messages_count(messages), texts_in_them = 0;

    for (size_t i = 0; i < count; i++)
        texts_in_them += find_message(found, agentchat_messages_at(messages, i));
    return texts_in_them;
}

static size_t find_chat(texts *found, const agentchat_snapshot *chat)
{
    size_t texts_in_it = find_messages(found, &chat->history);

    for (size_t i = 0; i < chat->channel_count; i++) {
        if (chat->channels[i].kind == AGENTCHAT_STATE_CHAT)
            texts_in_it += find_chat(found, chat->channels[i].chat);
        else if (chat->channels[i].kind == AGENTCHAT_STATE_MESSAGES)
            texts_in_it += find_messages(found, &chat->channels[i].messages);
    }
    return texts_in_it;
}

typedef struct tally {
    size_t files, texts;
} tally;

static void check_file(const char *path, void *user)
{
    agentchat_bytes page, again;
    agentchat_snapshot *chat;
    tally *t = user;
    texts found;

    if (agentchat_snapshot_read_file(NULL, path, NULL, &chat, NULL) < 0)
        return; /* a file that is there to be refused, or of another kind */
    page = page_of(chat, NULL);
    again = page_of(chat, NULL);
    assert_int_equal(page.len, again.len);
    assert_memory_equal(page.ptr, again.ptr, page.len);
    found = texts_of_page(&page);
    t->texts += find_chat(&found, chat);
    t->files++;
    clear_texts(&found);
    agentchat_bytes_clear(&page);
    agentchat_bytes_clear(&again);
    agentchat_snapshot_unref(chat);
}

static void check_folder(const char *folder, size_t files, size_t texts_in_them)
{
    char *dir = test_path(test_data_dir(), folder);
    tally t = {0, 0};

    test_each_file(dir, ".json", check_file, &t);
    if (t.files < files || t.texts < texts_in_them)
        fail_msg("%s: %zu files and %zu texts", dir, t.files, t.texts);
    free(dir);
}

static void test_page__of_every_golden_file(void **state)
{
    (void)state;
    check_folder("data/golden/format-1", 5, 10);
    check_folder("data/cases/agentchat/accept", 10, 5);
}

static void test_page__of_every_recorded_file(void **state)
{
    (void)state;
    check_folder("interop/semantic-kernel/recorded", 250, 1000);
}

static void test_page__of_every_real_file(void **state)
{
    tally t = {0, 0};

    (void)state;
    if (test_real_files() == NULL)
        skip();
    test_each_file(test_real_files(), ".json", check_file, &t);
    assert_true(t.files > 0);
}

/* ---- the check itself ------------------------------------------------------------------------------------------- */

/* A page in which one thing is replaced is refused: what finds no fault must be able to find one. */
static void test_page__faults_are_found(void **state)
{
    static const struct {
        const char *instead_of, *put, *fault;
    } cases[] = {
        {"<!DOCTYPE", "<!DOCTIPE", "no HTML"},
        {"<main ", "<mine ", "an element that is none of ours"},
        {"</main>", "</nav>", "an end of what is not open"},
        {"<p class=\"by\">", "<b class=\"by\">", "an end of what is not open"},
        {"<p class=\"by\">", "<p style=\"by\">", "an attribute that is none of ours"},
        {"<p class=\"by\">", "<p class=by>", "a value without quotes"},
        {"<p class=\"by\">", "<p class=\"B\">", "a value that is none of ours"},
        {" href=\"#m0\"", " href=\"x:m0\"", "an address that is none of ours"},
        {" href=\"#m0\"", " href=\"#m9\"", "a link that leads nowhere"},
        {" id=\"m1\"", " id=\"m0\"", "an id that is there twice"},
        {" src=\"data:", " src=\"http:", "an address that is none of ours"},
        {" src=\"data:image", " src=\"data:text/", "an address that is no data"},
        {";base64,QUJD\"", ";base64,\"QUJD", "a tag that does not end"},
        {";base64,QUJD\"", ";base65,QUJD\"", "an address that is no data"},
        {"hello", "hel<o", "an element that is none of ours"},
        {"hello", "hel>o", "a character that is written as a reference"},
        {"hello", "h&llo", "a character reference that is none of ours"},
        {"hello", "h\x1Bllo", "a character that would not be seen"},
        {"hello", "he\xE2\x80\xAE", "a character that would not be seen"},
        {"hello", "h\xFFllo", "no UTF-8"},
        {"hello", "<br> ", "an element that is none of ours"},
        {"<em>", "<hr>", "a block inside of what holds phrases"},
        {"\"use strict\"", "\"use Strict\"", "a style or script that is none of ours"},
        {"</html>", "<html>", "the page is not complete"},
    };
    agentchat_snapshot *chat =
        read_text(CHAT(TEXT("user", "hello") ",{\"role\":\"a\",\"items\":[{\"type\":\"text\",\"text\":\"*hi*\"}," DATA(
                           "image", "image/png", "QUJD") "]}",
                       ""));
    agentchat_bytes page = page_of(chat, NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = strlen(cases[i].instead_of), put_len = strlen(cases[i].put), before, at;
        char *changed = malloc(page.len + put_len + 1), *place = strstr(page.ptr, cases[i].instead_of);
        const char *fault;

        assert_non_null(place);
        before = (size_t)(place - page.ptr);
        memcpy(changed, page.ptr, before);
        memcpy(changed + before, cases[i].put, put_len);
        memcpy(changed + before + put_len, place + len, page.len - before - len);
        fault = page_fault(changed, page.len - len + put_len, PAGE_OF_CHAT, &at);
        assert_string_equal(fault != NULL ? fault : "none", cases[i].fault);
        free(changed);
    }
    agentchat_bytes_clear(&page);
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
        cmocka_unit_test(test_page__media),
        cmocka_unit_test(test_page__calls_and_results),
        cmocka_unit_test(test_page__what_only_a_channel_holds),
        cmocka_unit_test(test_page__deep_nesting),
        cmocka_unit_test(test_page__a_stream_that_fails),
        cmocka_unit_test(test_page__out_of_memory),
        cmocka_unit_test(test_page__memory_for_a_long_chat),
        cmocka_unit_test(test_page__costs_what_the_chat_has),
        cmocka_unit_test(test_page__of_every_golden_file),
        cmocka_unit_test(test_page__of_every_recorded_file),
        cmocka_unit_test(test_page__of_every_real_file),
        cmocka_unit_test(test_page__faults_are_found),
    };

    return cmocka_run_group_tests_name("page", tests, NULL, NULL);
}
