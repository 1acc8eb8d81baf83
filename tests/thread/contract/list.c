/* SPDX-License-Identifier: Apache-2.0 */
/* Listing checkpoints and threads. */
#include "thread/contract/contract.h"

/* Ids of all pages of a list, joined by spaces. */
static const char *ids_of(scene *s, agentchat_checkpoint_list_options options)
{
    static char text[4096];
    char cursor[256] = "";

    text[0] = '\0';
    do {
        agentchat_checkpoint_list *list = NULL;

        test_ok(agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), &s->err);
        for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++) {
            strcat(text, text[0] != '\0' ? " " : "");
            strcat(text, agentchat_checkpoint_list_at(list, i)->id);
        }
        options.cursor = NULL;
        if (agentchat_checkpoint_list_cursor(list) != NULL)
            options.cursor = strcpy(cursor, agentchat_checkpoint_list_cursor(list));
        assert_null(agentchat_checkpoint_list_at(list, agentchat_checkpoint_list_count(list)));
        agentchat_checkpoint_list_free(list);
    } while (options.cursor != NULL);
    return text;
}

static void put_some(scene *s)
{
    static const struct {
        const char *id, *ns, *run, *metadata;
    } some[] = {{"c1", "", "r1", "{\"n\":1.0,\"who\":\"ann\"}"},
                {"c2", "", "r1", "{\"n\":2,\"who\":\"ann\",\"deep\":{\"b\":1,\"a\":[2]}}"},
                {"c3", "in", "r2", "{}"},
                {"c4", "", NULL, "{\"n\":1,\"who\":\"bob\"}"},
                {"c5", "", "r2", "{\"n\":1,\"who\":\"\\u0061nn\"}"}};
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);

    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

        options.id = some[i].id;
        options.ns = some[i].ns;
        options.run = some[i].run;
        options.metadata = agentchat_str_from(some[i].metadata);
        (void)put_chat(s, chat, &options);
    }
    agentchat_snapshot_unref(chat);
}

static void test_list__newest_first_by_pages(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    assert_string_equal(ids_of(s, options), "");
    put_some(s);
    assert_string_equal(ids_of(s, options), "c5 c4 c2 c1");
    for (options.limit = 1; options.limit < 6; options.limit++)
        assert_string_equal(ids_of(s, options), "c5 c4 c2 c1");
    options.limit = 2;
    options.all_namespaces = true;
    assert_string_equal(ids_of(s, options), "c5 c4 c3 c2 c1");
    options.all_namespaces = false;
    options.ns = "in";
    assert_string_equal(ids_of(s, options), "c3");
}

/* Those of all namespaces, where many sequence numbers are gone: by pages of any length, and some of them. */
static void test_list__all_namespaces_with_gaps(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    char expected[1024] = "", some[1024] = "", id[16];

    options.all_namespaces = true;
    assert_string_equal(ids_of(s, options), "");
    for (int i = 1; i <= 120; i++) {
        agentchat_checkpoint_put_options put = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

        (void)snprintf(id, sizeof id, "c%d", i);
        put.id = id;
        put.ns = i % 3 == 0 ? "side" : i % 10 == 0 ? "other" : NULL;
        put.run = i == 1 || i == 4 || i == 60 || i == 111 || i == 120 ? "kept" : "gone";
        (void)put_chat(s, chat, &put);
    }
    agentchat_snapshot_unref(chat);
    for (int i = 120; i >= 1; i--) {
        (void)snprintf(expected + strlen(expected), 16, "%sc%d", i < 120 ? " " : "", i);
        if (i == 1 || i == 4 || i == 60 || i == 111 || i == 120)
            (void)snprintf(some + strlen(some), 16, "%sc%d", i < 120 ? " " : "", i);
    }
    for (options.limit = 1; options.limit < 200; options.limit = options.limit * 2 + 1)
        assert_string_equal(ids_of(s, options), expected);
    options.run = "kept";
    for (options.limit = 1; options.limit < 9; options.limit++)
        assert_string_equal(ids_of(s, options), some);
    options.run = NULL;
    test_ok(agentchat_thread_delete_run(s->store, s->app, "gone", NULL, &s->err), &s->err);
    for (options.limit = 1; options.limit < 9; options.limit++)
        assert_string_equal(ids_of(s, options), some);
    options.before = "c60";
    options.ns = "side";
    assert_string_equal(ids_of(s, options), "c4 c1");
}

static void test_list__what_is_asked_for(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    put_some(s);
    options.limit = 1;
    options.before = "c4";
    assert_string_equal(ids_of(s, options), "c2 c1");
    options.before = NULL;
    options.run = "r1";
    assert_string_equal(ids_of(s, options), "c2 c1");
    options.run = NULL;
    options.filter = AGENTCHAT_STR("{\"who\":\"ann\"}");
    assert_string_equal(ids_of(s, options), "c5 c2 c1");
    options.filter = AGENTCHAT_STR("{\"who\":\"ann\",\"n\":1}");
    assert_string_equal(ids_of(s, options), "c5 c1");
    options.filter = AGENTCHAT_STR("{\"deep\":{\"a\":[2],\"b\":1}}");
    assert_string_equal(ids_of(s, options), "c2");
    options.filter = AGENTCHAT_STR("{\"none\":null}");
    assert_string_equal(ids_of(s, options), "");
    options.filter = AGENTCHAT_STR("{}");
    assert_string_equal(ids_of(s, options), "c5 c4 c2 c1");
}

static void test_list__what_is_wrong_is_said(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;

    put_some(s);
    options.before = "none";
    expect_fails(s, agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), AGENTCHAT_E_NOTFOUND,
                 "no checkpoint none");
    options.before = NULL;
    options.cursor = "MQ==";
    expect_fails(s, agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), AGENTCHAT_E_INVALID,
                 "no cursor");
    options.cursor = "not base64";
    expect_fails(s, agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), AGENTCHAT_E_INVALID,
                 "no cursor");
    options.cursor = NULL;
    options.filter = AGENTCHAT_STR("[]");
    expect_fails(s, agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), AGENTCHAT_E_INVALID,
                 "JSON object");
    assert_null(list);
}

/* The threads of a filter through all pages, by the ends of their names. */
static void list_filtered(scene *s, const char *filter, size_t limit, char *seen)
{
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    char cursor[256] = "";

    options.filter = agentchat_str_from(filter);
    options.limit = limit;
    seen[0] = '\0';
    do {
        agentchat_thread_list *list = NULL;

        test_ok(agentchat_thread_list_read(s->store, &options, &list, &s->err), &s->err);
        assert_true(agentchat_thread_list_count(list) <= limit);
        for (size_t i = 0; i < agentchat_thread_list_count(list); i++)
            strcat(seen, agentchat_thread_list_at(list, i)->id + strlen(s->app));
        options.cursor =
            agentchat_thread_list_cursor(list) != NULL ? strcpy(cursor, agentchat_thread_list_cursor(list)) : NULL;
        agentchat_thread_list_free(list);
    } while (options.cursor != NULL);
}

/* Of each thread the newest checkpoint of the usual namespace is looked at; between those that match many do not. */
static void test_list_threads__filter(void **state)
{
    enum { THREADS = 60 };
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    char name[128], metadata[128], filter[128], seen[2048], expected[2048] = "";

    for (int i = 0; i < THREADS; i++) { /* the last two checkpoints are of 1 and 2, of any thread that 20 divides */
        snprintf(name, sizeof name, "%s-%d", s->app, i);
        for (int turn = 1; turn <= (i % 20 == 0 ? 2 : 1); turn++) {
            snprintf(metadata, sizeof metadata, "{\"app\": \"%s\", \"kind\": %d.0, \"deep\": {\"b\": 1, \"a\": []}}",
                     s->app, i % 20 == 0 ? turn : 3);
            options.metadata = agentchat_str_from(metadata);
            options.ns = NULL;
            test_ok(agentchat_checkpoint_put(s->store, name, chat, &options, NULL, &s->err), &s->err);
        }
        options.ns = "side";
        options.metadata = AGENTCHAT_STR("{\"kind\": 4}");
        test_ok(agentchat_checkpoint_put(s->store, name, chat, &options, NULL, &s->err), &s->err);
    }
    for (int i = THREADS; i-- > 0;)
        if (i % 20 == 0)
            snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "-%d", i);
    for (size_t limit = 1; limit <= 100; limit *= 3) {
        snprintf(filter, sizeof filter, "{\"kind\": 2, \"app\": \"%s\", \"deep\": {\"a\": [], \"b\": 1.00}}", s->app);
        list_filtered(s, filter, limit, seen);
        assert_string_equal(seen, expected);
    }
    snprintf(filter, sizeof filter, "{\"kind\": 1, \"app\": \"%s\"}", s->app); /* it was so before */
    list_filtered(s, filter, 5, seen);
    assert_string_equal(seen, "");
    list_filtered(s, "{\"kind\": 4}", 5, seen); /* another namespace */
    assert_string_equal(seen, "");
    agentchat_snapshot_unref(chat);
}

static void test_list_threads__a_filter_that_is_none(void **state)
{
    scene *s = *state;
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    agentchat_thread_list *list = NULL;

    options.filter = AGENTCHAT_STR("[]");
    expect_fails(s, agentchat_thread_list_read(s->store, &options, &list, &s->err), AGENTCHAT_E_INVALID,
                 "a filter must be a JSON object");
    options.filter = AGENTCHAT_STR("{\"a\":");
    expect_fails(s, agentchat_thread_list_read(s->store, &options, &list, &s->err), AGENTCHAT_E_INVALID, "JSON object");
    assert_null(list);
}

static void test_list_threads__those_put_to_last_first(void **state)
{
    scene *s = *state;
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    char name[128], seen[1024] = "", cursor[256] = "";
    static const char order[] = "abcab";

    s->now_us = INT64_C(4000000000000000); /* before all threads of other tests */
    s->step_us = 1;
    for (size_t i = 0; order[i] != '\0'; i++) {
        snprintf(name, sizeof name, "%s-%c", s->app, order[i]);
        test_ok(agentchat_checkpoint_put(s->store, name, chat, NULL, NULL, &s->err), &s->err);
    }
    options.limit = 1;
    for (int page = 0; page < 3; page++) {
        agentchat_thread_list *list = NULL;

        test_ok(agentchat_thread_list_read(s->store, &options, &list, &s->err), &s->err);
        assert_int_equal(agentchat_thread_list_count(list), 1);
        strcat(seen, agentchat_thread_list_at(list, 0)->id + strlen(s->app));
        if (page < 2)
            options.cursor = strcpy(cursor, agentchat_thread_list_cursor(list));
        agentchat_thread_list_free(list);
    }
    assert_string_equal(seen, "-b-a-c");
    options.cursor = "MQ==";
    expect_fails(s, agentchat_thread_list_read(s->store, &options, &(agentchat_thread_list *){NULL}, &s->err),
                 AGENTCHAT_E_INVALID, "no cursor");
    for (char c = 'a'; c <= 'c'; c++) {
        snprintf(name, sizeof name, "%s-%c", s->app, c);
        test_ok(agentchat_thread_delete(s->store, name, &s->err), &s->err);
    }
    agentchat_snapshot_unref(chat);
}

int contract_list(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_list__all_namespaces_with_gaps),
        SCENE_TEST(test_list__newest_first_by_pages),
        SCENE_TEST(test_list__what_is_asked_for),
        SCENE_TEST(test_list__what_is_wrong_is_said),
        SCENE_TEST(test_list_threads__those_put_to_last_first),
        SCENE_TEST(test_list_threads__filter),
        SCENE_TEST(test_list_threads__a_filter_that_is_none),
    };

    return CONTRACT_GROUP("list", tests);
}
