/* SPDX-License-Identifier: Apache-2.0 */
/* The page that compares two chats: what it says, what it refuses, and failures on the way. */
#include "support/test_support.h"

#include "fuzz/page_check.h"

#include <agentchat/view.h>

static const char before[] =
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["
    "{\"role\":\"user\",\"name\":\"Ana\",\"items\":[{\"type\":\"text\",\"text\":\"Where is <it>?\"}]},"
    "{\"role\":\"assistant\",\"name\":\"Desk\",\"items\":[{\"type\":\"text\",\"text\":\"The old answer\"}]},"
    "{\"role\":\"user\",\"name\":\"Ana\",\"items\":[{\"type\":\"text\",\"text\":\"Gone\"}]}],"
    "\"participants\":[{\"id\":\"d\",\"name\":\"Desk\",\"type\":\"Old.Type\"}],\"channels\":[]}";
static const char after[] =
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["
    "{\"role\":\"user\",\"name\":\"Ana\",\"items\":[{\"type\":\"text\",\"text\":\"Where is <it>?\"}]},"
    "{\"role\":\"assistant\",\"name\":\"Desk\",\"items\":[{\"type\":\"text\",\"text\":\"The new answer\"}]}],"
    "\"participants\":[{\"id\":\"d\",\"name\":\"Desk\",\"type\":\"New.Type\"}],\"channels\":[]}";

typedef struct chats {
    agentchat_snapshot *before, *after;
} chats;

static int read_chats(void **state)
{
    chats *c = calloc(1, sizeof *c);
    agentchat_error err;

    assert_non_null(c);
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(before), NULL, &c->before, NULL, &err), &err);
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(after), NULL, &c->after, NULL, &err), &err);
    *state = c;
    return 0;
}

static int free_chats(void **state)
{
    chats *c = *state;

    agentchat_snapshot_unref(c->before);
    agentchat_snapshot_unref(c->after);
    free(c);
    return 0;
}

static agentchat_status write_page(const agentchat_snapshot *left, const agentchat_snapshot *right,
                                   const agentchat_html_options *options, agentchat_bytes *out, agentchat_error *err)
{
    agentchat_sink *sink = NULL;
    agentchat_status status;

    test_ok(agentchat_sink_memory(NULL, out, &sink, err), err);
    status = agentchat_snapshot_write_html_diff(left, right, sink, options, err);
    agentchat_sink_free(sink);
    return status;
}

/* A page that holds nothing that a page may not hold; no link of it leads nowhere. */
static agentchat_bytes page_of(const agentchat_snapshot *left, const agentchat_snapshot *right)
{
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    const char *fault;
    agentchat_error err;
    size_t at;

    test_ok(write_page(left, right, NULL, &page, &err), &err);
    fault = page_fault(page.ptr, page.len, PAGE_OF_COMPARISON, &at);
    if (fault != NULL)
        fail_msg("%s: %.200s", fault, page.ptr + at);
    return page;
}

static void test_page_comparison__says_what_changed(void **state)
{
    static const char *const parts[] = {
        "<title>Comparison</title>",
        "The <del>old</del> answer",
        "The <ins>new</ins> answer",
        "<p class=\"absent\">removed</p>",
        "<code>/participants/0/type</code>",
        "<del>Old</del>.Type",
        "<ins>New</ins>.Type",
        "1 equal message<",
        "Where is &lt;it&gt;?",
    };
    const chats *c = *state;
    agentchat_bytes page = page_of(c->before, c->after), again;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(page.ptr, parts[i]) == NULL)
            fail_msg("the page lacks %s", parts[i]);
    again = page_of(c->before, c->after);
    assert_string_equal(page.ptr, again.ptr);
    agentchat_bytes_clear(&page);
    agentchat_bytes_clear(&again);
}

static void test_page_comparison__of_equal_chats_has_no_difference(void **state)
{
    const chats *c = *state;
    agentchat_bytes page = page_of(c->after, c->after);

    assert_null(strstr(page.ptr, "<div class=\"pair"));
    assert_non_null(strstr(page.ptr, "no difference outside the history"));
    assert_non_null(strstr(page.ptr, "2 equal messages"));
    agentchat_bytes_clear(&page);
}

#define HISTORY(messages)                                                                                              \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[" messages "],\"participants\":[],\"channels\":[]}"
#define ITEM(item) "{\"role\":\"user\",\"items\":[" item "]}"
#define CALL "{\"type\":\"call\",\"id\":\"1\",\"function\":\"find\",\"arguments\":{}}"
#define RESULT(text) "{\"type\":\"result\",\"id\":\"1\",\"function\":\"find\",\"result\":\"" text "\"}"

static agentchat_snapshot *read_text(const char *text)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

static void assert_page_holds(const char *left_text, const char *right_text, const char *const *parts)
{
    agentchat_snapshot *left = read_text(left_text), *right = read_text(right_text);
    agentchat_bytes page = page_of(left, right);

    for (; *parts != NULL; parts++)
        if (strstr(page.ptr, *parts) == NULL)
            fail_msg("the page lacks %s", *parts);
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
}

/* A message that is the same on both sides stands on the right one only. */
static void test_page_comparison__links_to_messages_that_stand_on_it(void **state)
{
    static const char *const removed_call[] = {"<p class=\"from\">from <a href=\"#l1\">message 1</a>", NULL};
    static const char *const removed_result[] = {", shown with its call in message 0</p>", NULL};

    (void)state;
    assert_page_holds(HISTORY(ITEM(CALL) "," ITEM(RESULT("a"))), HISTORY(""), removed_call);
    assert_page_holds(HISTORY(ITEM(CALL) "," ITEM(RESULT("a"))), HISTORY(ITEM(CALL)), removed_result);
}

#define POSITIONED(synced, pending)                                                                                    \
    "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[" ITEM(CALL) "," ITEM(CALL) "," ITEM(                     \
        CALL) "],\"participants\":[],\"channels\":[{\"channelkey\":\"k\",\"channeltype\":\"T\",\"statekind\":"         \
              "\"text\","                                                                                              \
              "\"channelstate\":\"s\"" synced pending "}]}"

/* Which is no difference of meaning. */
static void test_page_comparison__says_how_far_channels_had_been_given_the_history(void **state)
{
    static const char *const parts[] = {
        "<details class=\"outside\" open>",
        "<code>/channels/0/synced</code></th><td><pre class=\"compared\">\n<del>1</del></pre>", "<ins>3</ins>",
        "<code>/channels/0/pending</code></th><td><span class=\"none\">nothing</span>", NULL};
    static const char *const unknown[] = {
        "<code>/channels/0/synced</code></th><td><span class=\"none\">nothing</span></td>", NULL};
    static const char *const none[] = {"no difference outside the history", NULL};

    (void)state;
    assert_page_holds(POSITIONED(",\"synced\":1", ""), POSITIONED(",\"synced\":3", ",\"pending\":[0,2]"), parts);
    assert_page_holds(POSITIONED("", ""), POSITIONED(",\"synced\":3", ""), unknown);
    assert_page_holds(POSITIONED(",\"synced\":3", ",\"pending\":[1]"), POSITIONED(",\"synced\":3", ",\"pending\":[1]"),
                      none);
}

static void test_page_comparison__refuses_what_it_cannot_take(void **state)
{
    const chats *c = *state;
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_fails(write_page(NULL, c->after, NULL, &page, &err), &err, AGENTCHAT_E_INVALID, NULL, "required");
    test_fails(write_page(c->before, NULL, NULL, &page, &err), &err, AGENTCHAT_E_INVALID, NULL, "required");
    options.title = AGENTCHAT_STR("\xFF");
    test_fails(write_page(c->before, c->after, &options, &page, &err), &err, AGENTCHAT_E_INVALID, NULL, "title");
    assert_int_equal(page.len, 0);
    agentchat_bytes_clear(&page);
}

static void test_page_comparison__fails_with_its_stream(void **state)
{
    const chats *c = *state;

    for (int commits = 0; commits < 2; commits++) {
        agentchat_sink *sink = test_sink_failing(commits ? 1000 : 0, commits);
        agentchat_error err;

        test_fails(agentchat_snapshot_write_html_diff(c->before, c->after, sink, NULL, &err), &err, AGENTCHAT_E_IO,
                   NULL, NULL);
        agentchat_sink_free(sink);
    }
}

/* Everything anew in each run, so that the snapshots' own memory fails too. */
static agentchat_status scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_snapshot *left = NULL, *right = NULL;
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_status status = agentchat_snapshot_read_memory(env, agentchat_str_from(before), NULL, &left, NULL, err);

    (void)user;
    if (status >= 0)
        status = agentchat_snapshot_read_memory(env, agentchat_str_from(after), NULL, &right, NULL, err);
    if (status >= 0)
        status = agentchat_sink_memory(env, &page, &sink, err);
    if (status >= 0)
        status = agentchat_snapshot_write_html_diff(left, right, sink, NULL, err);
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
    return status;
}

static void test_page_comparison__without_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(scenario, NULL) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_page_comparison__says_what_changed, read_chats, free_chats),
        cmocka_unit_test_setup_teardown(test_page_comparison__of_equal_chats_has_no_difference, read_chats, free_chats),
        cmocka_unit_test_setup_teardown(test_page_comparison__refuses_what_it_cannot_take, read_chats, free_chats),
        cmocka_unit_test_setup_teardown(test_page_comparison__fails_with_its_stream, read_chats, free_chats),
        cmocka_unit_test(test_page_comparison__links_to_messages_that_stand_on_it),
        cmocka_unit_test(test_page_comparison__says_how_far_channels_had_been_given_the_history),
        cmocka_unit_test(test_page_comparison__without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
