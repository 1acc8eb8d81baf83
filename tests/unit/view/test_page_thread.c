/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a thread: its tree, each message once, what it costs as the thread grows, and what may go wrong. */
#include "page_test.h"

#include <string.h>

enum { MOST = 512 };

/* Checkpoints, oldest first, each with the text of a chat. */
typedef struct thread {
    size_t count;
    char *texts[MOST];
    agentchat_checkpoint_info infos[MOST];       /* newest first */
    agentchat_html_checkpoint checkpoints[MOST]; /* newest first */
    char ids[MOST][32];
    agentchat_html_thread what;
    const agentchat_env *env;
    size_t fails_at; /* SIZE_MAX: never */
    bool gives_none, asked[MOST];
} thread;

static agentchat_status get(void *user, size_t index, agentchat_snapshot **out, agentchat_error *err)
{
    thread *t = user;

    assert_false(t->asked[index]);
    t->asked[index] = true;
    if (index == t->fails_at)
        return agentchat_error_set(err, AGENTCHAT_E_NOTFOUND, "checkpoint %zu is gone", index);
    if (t->gives_none)
        return AGENTCHAT_OK;
    return agentchat_snapshot_read_memory(t->env, agentchat_str_from(t->texts[t->count - 1 - index]), NULL, out, NULL,
                                          err);
}

static thread *thread_new(void)
{
    thread *t = calloc(1, sizeof *t);

    assert_non_null(t);
    t->fails_at = SIZE_MAX;
    return t;
}

static void add(thread *t, const char *text)
{
    assert_true(t->count < MOST);
    t->texts[t->count] = strdup(text);
    assert_non_null(t->texts[t->count]);
    t->count++;
}

static void thread_free(thread *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->texts[i]);
    free(t);
}

/* Each follows the one before. */
static void make_infos(thread *t)
{
    for (size_t i = 0; i < t->count; i++)
        snprintf(t->ids[i], sizeof t->ids[i], "id-%zu", i + 1);
    for (size_t i = 0; i < t->count; i++) {
        size_t number = t->count - i;

        t->infos[i] = (agentchat_checkpoint_info){.ns = "",
                                                  .id = t->ids[number - 1],
                                                  .parent = number > 1 ? t->ids[number - 2] : NULL,
                                                  .sequence = number,
                                                  .metadata = AGENTCHAT_STR("{}")};
        t->checkpoints[i] = (agentchat_html_checkpoint){&t->infos[i], {NULL, 0}};
        t->asked[i] = false;
    }
    t->what = (agentchat_html_thread)AGENTCHAT_HTML_THREAD_INIT;
    t->what.checkpoints = t->checkpoints;
    t->what.count = t->count;
    t->what.snapshot = get;
    t->what.user = t;
}

static agentchat_status write_thread(const thread *t, const agentchat_html_options *options, agentchat_bytes *bytes,
                                     agentchat_error *err)
{
    agentchat_error opening;
    agentchat_sink *sink;
    agentchat_status status;

    test_ok(agentchat_sink_memory(t->env, bytes, &sink, &opening), &opening);
    status = agentchat_thread_write_html(&t->what, sink, options, err);
    agentchat_sink_free(sink);
    return status;
}

/* A page that holds nothing that a page may not hold. */
static agentchat_bytes checked(const thread *t, const agentchat_html_options *options)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    const char *fault;
    agentchat_error err;
    size_t at;

    test_ok(write_thread(t, options, &bytes, &err), &err);
    fault = page_fault(bytes.ptr, bytes.len, PAGE_OF_THREAD, &at);
    if (fault != NULL)
        fail_msg("%s: %.200s", fault, bytes.ptr + at);
    return bytes;
}

static size_t times(const agentchat_bytes *page, const char *part)
{
    size_t count = 0;

    for (const char *at = page->ptr; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

/* ---- what is on it ---------------------------------------------------------------------------------------------- */

static void test_page_thread__each_message_once(void **state)
{
    thread *t = thread_new();
    agentchat_bytes page;

    (void)state;
    add(t, CHAT(TEXT("user", "one"), ""));
    add(t, CHAT(TEXT("user", "one") "," TEXT("assistant", "two"), ""));
    add(t, CHAT(TEXT("user", "one") "," TEXT("assistant", "two") "," TEXT("user", "three"), ""));
    add(t, CHAT(TEXT("system", "short") "," TEXT("user", "three"), ""));
    make_infos(t);
    page = checked(t, NULL);
    for (size_t i = 0; i < 4; i++) {
        static const char *const texts[] = {">one<", ">two<", ">three<", ">short<"};

        assert_int_equal(times(&page, texts[i]), 1);
    }
    assert_in_page(&page, "<div id=\"chat\" data-shown=\"4\">");
    assert_in_page(&page, "data-chat=\"m\" data-list=\"p0x2\"");     /* 4: short, three */
    assert_in_page(&page, "data-chat=\"m\" data-list=\"p2x1\"");     /* 1: one */
    assert_in_page(&page, "data-chat=\"m\" data-list=\"b0x1p3x1\""); /* 2: one, two */
    assert_in_page(&page, "data-chat=\"m\" data-list=\"b0x2p1x1\""); /* 3: one, two, three */
    agentchat_bytes_clear(&page);
    thread_free(t);
}

/* A message that a chat has twice is there twice, and no more often. */
static void test_page_thread__equal_messages(void **state)
{
    thread *t = thread_new();
    agentchat_bytes page;

    (void)state;
    add(t, CHAT(TEXT("user", "again") "," TEXT("user", "again") "," TEXT("user", "again"), ""));
    add(t, CHAT(TEXT("user", "again"), ""));
    add(t, CHAT(TEXT("user", "again") "," TEXT("user", "again"), ""));
    make_infos(t);
    page = checked(t, NULL);
    assert_int_equal(times(&page, ">again<"), 3);
    agentchat_bytes_clear(&page);
    thread_free(t);
}

/* A call is shown as it was before its result came, and as it is since. */
static void test_page_thread__a_call_and_its_result(void **state)
{
    static const char call[] = "{\"role\":\"assistant\",\"items\":[" CALL("\"7\"") "]}",
                      result[] = "{\"role\":\"tool\",\"items\":[" RESULT("\"7\"") "]}";
    thread *t = thread_new();
    agentchat_bytes page;
    char text[2048];

    (void)state;
    snprintf(text, sizeof text, CHAT("%s", ""), call);
    add(t, text);
    snprintf(text, sizeof text, CHAT("%s,%s", ""), call, result);
    add(t, text);
    snprintf(text, sizeof text, CHAT("%s,%s," TEXT("user", "thanks"), ""), call, result);
    add(t, text);
    make_infos(t);
    page = checked(t, NULL);
    assert_int_equal(times(&page, "no result"), 1);
    assert_int_equal(times(&page, "from <a href=\"#m1\" data-by=\"1\">message 1</a>"), 1);
    assert_int_equal(times(&page, "shown with its call in <a href=\"#m0\" data-by=\"-1\">message 0</a>"), 1);
    assert_int_equal(times(&page, ">thanks<"), 1);
    agentchat_bytes_clear(&page);
    thread_free(t);
}

/* The same messages, but the result stands further away: what leads to it is another distance. */
static void test_page_thread__a_result_that_moved(void **state)
{
    static const char call[] = "{\"role\":\"assistant\",\"items\":[" CALL("\"7\"") "]}",
                      result[] = "{\"role\":\"tool\",\"items\":[" RESULT("\"7\"") "]}";
    thread *t = thread_new();
    agentchat_bytes page;
    char text[2048];

    (void)state;
    snprintf(text, sizeof text, CHAT("%s," TEXT("user", "between") ",%s", ""), call, result);
    add(t, text);
    snprintf(text, sizeof text, CHAT("%s,%s", ""), call, result);
    add(t, text);
    make_infos(t);
    page = checked(t, NULL);
    assert_int_equal(times(&page, "data-by=\"1\""), 1);
    assert_int_equal(times(&page, "data-by=\"2\""), 1);
    assert_int_equal(times(&page, "data-by=\"-1\""), 1);
    assert_int_equal(times(&page, "data-by=\"-2\""), 1);
    agentchat_bytes_clear(&page);
    thread_free(t);
}

#define INNER(history)                                                                                                 \
    "{\"channelkey\":\"k3\",\"channeltype\":\"U\",\"statekind\":\"chat\",\"channelstate\":{\"history\":[" history      \
    "],\"participants\":[],\"channels\":[]}}"

/* Messages that only a channel holds, and those of a chat inside a channel: each list by itself. */
static void test_page_thread__channels(void **state)
{
    thread *t = thread_new();
    agentchat_bytes page;

    (void)state;
    add(t, CHAT(TEXT("user", "one"), HOLDER("k1", "own") "," INNER(TEXT("user", "inner"))));
    add(t, CHAT(TEXT("user", "one") "," TEXT("user", "two"),
                HOLDER("k1", "own") "," INNER(TEXT("user", "inner") "," TEXT("user", "one"))));
    make_infos(t);
    page = checked(t, NULL);
    assert_int_equal(times(&page, ">own<"), 1);
    assert_int_equal(times(&page, ">inner<"), 1);
    assert_int_equal(times(&page, ">one<"), 2); /* in the history, and in the chat of the channel */
    assert_int_equal(times(&page, "data-chat=\"c1-m\""), 2);
    assert_in_page(&page, "data-owns=\"o0x1\"");
    agentchat_bytes_clear(&page);
    thread_free(t);
}

static void test_page_thread__authors_of_all(void **state)
{
    thread *t = thread_new();
    agentchat_bytes page;

    (void)state;
    add(t, CHAT(TEXT("first", "one"), ""));
    add(t, CHAT(TEXT("second", "two"), ""));
    make_infos(t);
    page = checked(t, NULL);
    assert_in_page(&page, "<select class=\"authors\"><option value=\"2\">first</option></select>");
    agentchat_bytes_clear(&page);
    thread_free(t);
}

static void test_page_thread__tree(void **state)
{
    thread *t = thread_new();
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page;

    (void)state;
    for (size_t i = 0; i < 4; i++)
        add(t, CHAT(TEXT("user", "one"), ""));
    make_infos(t);
    t->infos[0].parent = "id-2"; /* 4 was put as a branch of 2, which 3 follows */
    t->infos[0].line = 4;
    t->infos[0].has_step = true;
    t->infos[0].step = -3;
    t->infos[0].source = "lo<op";
    t->infos[0].run = "r&1";
    t->infos[0].messages = 1;
    t->infos[0].time_us = INT64_C(1700000000123456);
    t->infos[0].metadata = AGENTCHAT_STR("{\"a\":\"</script>\"}");
    t->infos[3].parent = "somewhere else";
    t->checkpoints[0].summary = AGENTCHAT_STR("<b>\xE2\x80\xAE");
    t->what.has_more = true;
    t->what.shown = 2;
    options.title = AGENTCHAT_STR("<title>");
    page = checked(t, &options);
    assert_in_page(&page, "<h1 dir=\"auto\">&lt;title&gt;</h1>");
    assert_in_page(&page, "<li id=\"s4\"><span class=\"lanes\"><span class=\"dot down\"></span></span>");
    assert_in_page(&page, "<li id=\"s3\"><span class=\"lanes\"><span class=\"line\"></span><span class=\"dot down\">");
    assert_in_page(&page,
                   "<li id=\"s2\"><span class=\"lanes joint\"><span class=\"joined\"></span><span class=\"turn\">");
    assert_in_page(&page, "<a href=\"#s2\" aria-current=\"true\">");
    assert_int_equal(times(&page, "<span class=\"branch\">branch</span>"), 1);
    assert_in_page(&page, "step <bdi>-3</bdi>");
    assert_in_page(&page, "<bdi>lo&lt;op</bdi>");
    assert_in_page(&page, "run <bdi>r&amp;1</bdi>");
    assert_in_page(&page, "<bdi>2023-11-14 22:13</bdi>");
    assert_in_page(&page, "<dd>2023-11-14 22:13:20 UTC</dd>");
    assert_in_page(&page, "follows <code><bdi>\xE2\x80\xA6"
                          "ere else</bdi></code>");
    assert_in_page(&page, "&lt;b&gt;<bdi class=\"u\" data-c=\"202E\">");
    assert_in_page(&page, "the thread has others");
    agentchat_bytes_clear(&page);
    thread_free(t);
}

/* What no clock says is no date. */
static void test_page_thread__times(void **state)
{
    static const int64_t odd[] = {INT64_MIN, INT64_MAX, -1, 0};
    thread *t = thread_new();

    (void)state;
    add(t, CHAT(TEXT("user", "one"), ""));
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        agentchat_bytes page;

        make_infos(t);
        t->infos[0].time_us = odd[i];
        page = checked(t, NULL);
        if (odd[i] == -1)
            assert_in_page(&page, "<dd>1969-12-31 23:59:59 UTC</dd>");
        agentchat_bytes_clear(&page);
    }
    thread_free(t);
}

/* What is long is there in the chat that is shown, and named in the others. */
static void test_page_thread__long_states(void **state)
{
    static char text[8000], state_text[5001];
    thread *t = thread_new();
    agentchat_bytes page;

    (void)state;
    memset(state_text, 'x', sizeof state_text - 1);
    snprintf(text, sizeof text,
             CHAT(TEXT("user", "one"),
                  "{\"channelkey\":\"k\",\"channeltype\":\"T\",\"statekind\":\"text\",\"channelstate\":\"%s\"}"),
             state_text);
    add(t, text);
    add(t, text);
    make_infos(t);
    page = checked(t, NULL);
    assert_int_equal(times(&page, state_text), 1);
    assert_int_equal(times(&page, "5000 bytes, left out here"), 1);
    agentchat_bytes_clear(&page);
    thread_free(t);
}

/* ---- what it costs ---------------------------------------------------------------------------------------------- */

typedef enum pattern { GROWS, SLIDES, CHANGES_A_MESSAGE, CHANGES_ONE_OF_ALL, FILTERS, PATTERNS } pattern;

static void append(char *text, size_t size, const char *role, const char *prefix, size_t number)
{
    size_t len = strlen(text);

    snprintf(text + len, size - len, "%s{\"role\":\"%s\",\"items\":[{\"type\":\"text\",\"text\":\"%s %zu\"}]}",
             len > 0 ? "," : "", role, prefix, number);
}

/* The chat of turn i. */
static void add_turn(thread *t, pattern how, size_t i)
{
    enum { SIZE = 200000, WINDOW = 20 };
    char *history = calloc(1, SIZE), *text = calloc(1, 2 * SIZE), channel[20000] = "", *end = channel;
    size_t from = how == SLIDES && i > WINDOW ? i - WINDOW : 0;

    assert_true(history != NULL && text != NULL);
    for (size_t k = from; k <= i; k++) {
        bool is_changed = (how == CHANGES_A_MESSAGE && k == 1) || (how == CHANGES_ONE_OF_ALL && k == i / 2);

        append(history, SIZE, k % 2 == 0 ? "user" : "tool", is_changed ? "changed" : "message", is_changed ? i : k);
        if (k % 2 == 0)
            end += snprintf(end, sizeof channel - (size_t)(end - channel), "%s[%zu,1]", k > 0 ? "," : "", k - from);
    }
    if (how == FILTERS) /* every second message */
        snprintf(text, 2 * SIZE,
                 CHAT("%s", "{\"channelkey\":\"k\",\"channeltype\":\"H\",\"statekind\":\"messages\",\"synced\":%zu,"
                            "\"channelstate\":[%s]}"),
                 history, i + 1, channel);
    else
        snprintf(text, 2 * SIZE, CHAT("%s", ""), history);
    add(t, text);
    free(history);
    free(text);
}

static size_t size_of(pattern how, size_t turns)
{
    thread *t = thread_new();
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    size_t size;

    for (size_t i = 0; i < turns; i++)
        add_turn(t, how, i);
    make_infos(t);
    test_ok(write_thread(t, NULL, &page, &err), &err);
    size = page.len;
    agentchat_bytes_clear(&page);
    thread_free(t);
    return size;
}

/* Twice as many turns make the page at most a little more than twice as large. */
static void test_page_thread__size_grows_with_the_conversation(void **state)
{
    (void)state;
    for (pattern how = GROWS; how < PATTERNS; how++) {
        size_t base = size_of(how, 1), few = size_of(how, 200) - base, many = size_of(how, 400) - base;

        if (many > few * 23 / 10)
            fail_msg("pattern %d: %zu bytes for 200 turns, %zu for 400", (int)how, few, many);
        if (few > 200 * 4000)
            fail_msg("pattern %d: %zu bytes a turn", (int)how, few / 200);
    }
}

/* ---- what may go wrong ------------------------------------------------------------------------------------------ */

static void refused(const thread *t, agentchat_status expected, const char *message)
{
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_fails(write_thread(t, NULL, &page, &err), &err, expected, NULL, message);
    assert_int_equal(page.len, 0);
    agentchat_bytes_clear(&page);
}

static void test_page_thread__bad_arguments(void **state)
{
    thread *t = thread_new();
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    add(t, CHAT(TEXT("user", "one"), ""));
    add(t, CHAT(TEXT("user", "one"), ""));
    make_infos(t);
    t->what.count = 0;
    refused(t, AGENTCHAT_E_INVALID, "required");
    make_infos(t);
    t->what.snapshot = NULL;
    refused(t, AGENTCHAT_E_INVALID, "required");
    make_infos(t);
    t->what.shown = 2;
    refused(t, AGENTCHAT_E_INVALID, "must be one of the page's");
    make_infos(t);
    t->infos[1].sequence = 2;
    refused(t, AGENTCHAT_E_INVALID, "newest first");
    make_infos(t);
    t->checkpoints[1].info = NULL;
    refused(t, AGENTCHAT_E_INVALID, "needs what is known of it");
    make_infos(t);
    t->infos[1].run = "\xFF";
    refused(t, AGENTCHAT_E_INVALID, "a text of checkpoint 1 is not UTF-8");
    make_infos(t);
    t->checkpoints[0].summary = AGENTCHAT_STR("\xC3");
    refused(t, AGENTCHAT_E_INVALID, "a text of checkpoint 2 is not UTF-8");
    make_infos(t);
    options.channel = AGENTCHAT_STR("k");
    test_fails(write_thread(t, &options, &page, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "there is no channel \"k\"");
    make_infos(t);
    options = (agentchat_html_options)AGENTCHAT_HTML_OPTIONS_INIT;
    options.title = AGENTCHAT_STR("\xFF");
    test_fails(write_thread(t, &options, &page, &err), &err, AGENTCHAT_E_INVALID, NULL, "the title is not UTF-8");
    agentchat_bytes_clear(&page);
    thread_free(t);
}

static void test_page_thread__a_chat_that_cannot_be_had(void **state)
{
    thread *t = thread_new();

    (void)state;
    for (size_t i = 0; i < 3; i++)
        add(t, CHAT(TEXT("user", "one"), ""));
    for (t->fails_at = 0; t->fails_at < 3; t->fails_at++) {
        make_infos(t);
        refused(t, AGENTCHAT_E_NOTFOUND, "is gone");
    }
    make_infos(t);
    t->gives_none = true;
    refused(t, AGENTCHAT_E_INVALID, "gave none");
    thread_free(t);
}

static agentchat_status write_swept(const agentchat_env *env, void *user, agentchat_error *err)
{
    thread *t = user;
    agentchat_bytes page = {NULL, 0, 0, env};
    agentchat_sink *sink;
    agentchat_status status;

    make_infos(t);
    t->env = env;
    status = agentchat_sink_memory(env, &page, &sink, err);
    if (status >= 0)
        status = agentchat_thread_write_html(&t->what, sink, NULL, err);
    agentchat_sink_free(sink);
    assert_int_equal(page.len > 0, status >= 0);
    agentchat_bytes_clear(&page);
    return status;
}

static void test_page_thread__out_of_memory(void **state)
{
    static const char call[] = "{\"role\":\"assistant\",\"items\":[" CALL("\"7\"") "," RESULT("\"7\"") "]}";
    thread *t = thread_new();
    char text[2048];

    (void)state;
    snprintf(text, sizeof text, CHAT("%s," TEXT("user", "one"), HOLDER("k1", "own") "," INNER(TEXT("user", "inner"))),
             call);
    add(t, text);
    add(t, CHAT(TEXT("user", "one") "," TEXT("user", "one"), ""));
    add(t, CHAT(TEXT("other", "two") "," TEXT("user", "one"), INNER(TEXT("user", "inner"))));
    assert_true(test_oom_sweep(write_swept, t) > 60);
    thread_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_thread__each_message_once),
        cmocka_unit_test(test_page_thread__equal_messages),
        cmocka_unit_test(test_page_thread__a_call_and_its_result),
        cmocka_unit_test(test_page_thread__a_result_that_moved),
        cmocka_unit_test(test_page_thread__channels),
        cmocka_unit_test(test_page_thread__authors_of_all),
        cmocka_unit_test(test_page_thread__tree),
        cmocka_unit_test(test_page_thread__times),
        cmocka_unit_test(test_page_thread__long_states),
        cmocka_unit_test(test_page_thread__size_grows_with_the_conversation),
        cmocka_unit_test(test_page_thread__bad_arguments),
        cmocka_unit_test(test_page_thread__a_chat_that_cannot_be_had),
        cmocka_unit_test(test_page_thread__out_of_memory),
    };

    return cmocka_run_group_tests_name("page_thread", tests, NULL, NULL);
}
