/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searching threads: what is found, where and in which order, by pages of any size. search_random.c compares with a
 * naive search.
 */
#include "thread/contract/contract.h"

#include "model/model.h"

/* ---- searching -------------------------------------------------------------------------------------------------- */

static agentchat_thread_hits *one_page(scene *s, const search *what, const char *cursor)
{
    agentchat_thread_search_options options = AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT;
    agentchat_thread_hits *page = NULL;

    options.ns = what->ns;
    options.limit = what->limit;
    options.cursor = cursor;
    test_ok(agentchat_thread_search(s->store, what->all ? NULL : s->app, agentchat_str_from(what->query), &options,
                                    &page, &s->err),
            &s->err);
    assert_true(agentchat_thread_hits_count(page) <= (what->limit != 0 ? what->limit : 100));
    assert_null(agentchat_thread_hits_at(page, agentchat_thread_hits_count(page)));
    return page;
}

const char *found(scene *s, search what)
{
    static char text[FOUND_SIZE];
    char cursor[8192] = "";
    size_t len = 0;
    bool more = false;

    text[0] = '\0';
    do {
        agentchat_thread_hits *page = one_page(s, &what, more ? cursor : NULL);

        for (size_t i = 0; i < agentchat_thread_hits_count(page); i++) {
            const agentchat_thread_hit *hit = agentchat_thread_hits_at(page, i);

            assert_non_null(hit->message);
            assert_true(hit->match_begin < hit->match_end && hit->match_end <= hit->excerpt.len &&
                        hit->excerpt.len <= 240);
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s:%d", len > 0 ? " " : "", hit->checkpoint->id,
                                    (int)hit->position);
            assert_true(len < sizeof text);
        }
        more = agentchat_thread_hits_cursor(page) != NULL;
        if (more)
            snprintf(cursor, sizeof cursor, "%s", agentchat_thread_hits_cursor(page));
        agentchat_thread_hits_free(page);
    } while (more);
    return text;
}

static const char *found_by(scene *s, const char *query)
{
    return found(s, (search){.query = query});
}

static void put_texts(scene *s, const char *id, const char *parent, const char *texts)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of(texts, NULL, NULL);

    options.id = id;
    options.parent = parent;
    (void)put_chat_after(s, chat, &options);
    agentchat_snapshot_unref(chat);
}

/* ---- what is found ---------------------------------------------------------------------------------------------- */

static void test_search__all_words_whatever_case_and_accents(void **state)
{
    scene *s = *state;

    put_texts(s, "c1", NULL,
              "Where is my order 1234?|Das Stra\u00DFencaf\u00E9 in "
              "K\u00F6ln|\u6211\u559C\u6B22\u559D\u8336|cafe\u0301 order_id");
    assert_string_equal(found_by(s, "order"), "c1:3 c1:0");
    assert_string_equal(found_by(s, "1234 ORDER where"), "c1:0");
    assert_string_equal(found_by(s, "order cafe"), "c1:3");
    assert_string_equal(found_by(s, "CAF\u00C9"), "c1:3");
    assert_string_equal(found_by(s, "strassencafe koln"), "c1:1");
    assert_string_equal(found_by(s, "\u559D\u8336"), "c1:2");
    assert_string_equal(found_by(s, "\u8336"), "c1:2");
    assert_string_equal(found_by(s, "\u559C\u8336"), "");
    assert_string_equal(found_by(s, "orde"), "");
    assert_string_equal(found_by(s, "user"), ""); /* the author */
}

static void test_search__where_it_was_said(void **state)
{
    scene *s = *state;

    put_texts(s, "c1", NULL, "red one");
    put_texts(s, "c2", NULL, "red one|two|red three");
    put_texts(s, "c3", NULL, "two|red three|red four"); /* the first is cut off */
    put_texts(s, "b3", "c2", "red one|two|red three|red branch");
    assert_string_equal(found_by(s, "red"), "b3:3 c3:2 c2:2 c1:0");
    assert_string_equal(found_by(s, "two"), "c2:1");
}

static void test_search__equal_messages_each(void **state)
{
    scene *s = *state;

    put_texts(s, "c1", NULL, "yes|no|yes");
    put_texts(s, "c2", NULL, "yes|no|yes|yes");
    put_texts(s, "c3", NULL, "no|yes|yes|yes"); /* moved, not said */
    put_texts(s, "c4", NULL, "yes|no|yes|yes|yes");
    assert_string_equal(found_by(s, "yes"), "c4:4 c2:3 c1:2 c1:0");
    assert_string_equal(found_by(s, "no"), "c1:1");
}

static void test_search__what_was_pruned_is_not_found(void **state)
{
    scene *s = *state;
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    put_texts(s, "c1", NULL, "red gone|red stays");
    put_texts(s, "c2", NULL, "red stays|red too");
    options.keep = 1;
    assert_string_equal(found_by(s, "red"), "c2:1 c1:1 c1:0");
    test_ok(agentchat_thread_prune(s->store, s->app, &options, NULL, &s->err), &s->err);
    assert_string_equal(found_by(s, "red"), "c2:1 c2:0");
    assert_string_equal(found_by(s, "gone"), "");
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    assert_string_equal(found_by(s, "red"), "");
}

static void test_search__a_checkpoint_that_was_replaced(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("red one|red new", NULL, NULL);

    put_texts(s, "c1", NULL, "red one");
    put_texts(s, "c2", NULL, "red one|red old");
    options.id = "c1";
    options.parent = "c2"; /* a later one */
    options.replace = options.branch = true;
    (void)put_chat(s, chat, &options);
    assert_string_equal(found_by(s, "red"), "c2:1 c1:1 c1:0");
    assert_string_equal(found_by(s, "new"), "c1:1");
    agentchat_snapshot_unref(chat);
}

static void test_search__calls_results_and_nested_messages(void **state)
{
    static const char json[] =
        "[{\"role\":\"assistant\",\"name\":\"zed\",\"metadata\":{\"k\":\"hidden\"},\"items\":["
        "{\"type\":\"call\",\"id\":\"c\",\"plugin\":\"Orders\",\"function\":\"find_order\",\"arguments\":"
        "{\"customer\":\"Ren\\u00e9e\",\"n\":[4711,1.50]}}]},"
        "{\"role\":\"tool\",\"items\":[{\"type\":\"result\",\"id\":\"c\",\"result\":{\"status\":\"in\\ntransit\"}},"
        "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"deep "
        "inside\"}]}}]}]";
    scene *s = *state;
    agentchat_messages *messages = NULL;
    agentchat_snapshot *chat = chat_of("", NULL, NULL), *made = NULL;
    agentchat_snapshot_builder *builder = test_snapshot_builder(NULL, chat);
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    test_ok(agentchat_messages_read(NULL, agentchat_str_from(json), &messages, NULL, &s->err), &s->err);
    agentchat_snapshot_builder_replace(builder, 0, 0, messages);
    test_ok(agentchat_snapshot_builder_finish(builder, &made, &s->err), &s->err);
    options.id = "c";
    (void)put_chat(s, made, &options);
    assert_string_equal(found_by(s, "orders renee customer"), "c:0");
    assert_string_equal(found_by(s, "find 4711 50"), "c:0");
    assert_string_equal(found_by(s, "in transit"), "c:1");
    assert_string_equal(found_by(s, "status deep"), "c:1");
    assert_string_equal(found_by(s, "hidden"), "");
    assert_string_equal(found_by(s, "zed"), "");
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(made);
    agentchat_messages_unref(messages);
}

static void test_search__a_hit_says_what_it_is(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = picture_chat("look at the \u201Cred\u201D picture", 100000, "image/png");
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_thread_hits *page;
    const agentchat_thread_hit *hit;

    options.id = "c1";
    options.source = "input";
    options.metadata = AGENTCHAT_STR("{\"k\":1}");
    (void)put_chat(s, chat, &options);
    page = one_page(s, &(search){.query = "picture RED"}, NULL);
    assert_int_equal(agentchat_thread_hits_count(page), 1);
    assert_null(agentchat_thread_hits_cursor(page));
    hit = agentchat_thread_hits_at(page, 0);
    assert_string_equal(hit->thread, s->app);
    assert_string_equal(hit->checkpoint->id, "c1");
    assert_string_equal(hit->checkpoint->source, "input");
    assert_string_equal(hit->checkpoint->ns, "");
    assert_str(hit->checkpoint->metadata, "{\"k\":1}");
    assert_str(hit->excerpt, "look at the \u201Cred\u201D picture");
    assert_str(((agentchat_str){hit->excerpt.ptr + hit->match_begin, hit->match_end - hit->match_begin}), "red");
    assert_true(aci_message_equal(hit->message,
                                  agentchat_messages_at(agentchat_snapshot_history(chat), 0))); /* with its picture */
    agentchat_thread_hits_free(page);
    agentchat_snapshot_unref(chat);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

/* So many bytes of "blah " with a word at the end. */
static char *long_text(size_t size, const char *word)
{
    char *text = test_malloc(size + 32);

    for (size_t i = 0; i < size; i++)
        text[i] = "blah "[i % 5];
    snprintf(text + size, 32, " %s", word);
    return text;
}

static void test_search__a_long_message(void **state)
{
    scene *s = *state;
    char *text = long_text(10 << 20, "needl\u00E9");
    agentchat_thread_hits *page;

    put_texts(s, "c0", NULL, text);
    page = one_page(s, &(search){.query = "needle"}, NULL);
    assert_int_equal(agentchat_thread_hits_count(page), 1);
    assert_int_equal(agentchat_thread_hits_at(page, 0)->excerpt.len, 80 + 7);
    agentchat_thread_hits_free(page);
    test_free(text);
}

static void test_search__long_messages_take_several_pages(void **state)
{
    scene *s = *state;
    size_t size = 4 << 20, pages = 0;
    char id[8], cursor[1024] = "", *text = long_text(size, "end");
    agentchat_thread_hits *page;

    memcpy(text, "hay ", 4);
    for (int i = 0; i < 6; i++) {
        snprintf(id, sizeof id, "c%d", i);
        text[size / 2] = (char)('0' + i);
        put_texts(s, id, NULL, text);
    }
    put_texts(s, "c6", NULL, "needle");
    for (bool more = true; more; pages++) {
        page = one_page(s, &(search){.query = "needle"}, pages > 0 ? cursor : NULL);
        assert_int_equal(agentchat_thread_hits_count(page), pages == 0);
        more = agentchat_thread_hits_cursor(page) != NULL;
        if (more)
            snprintf(cursor, sizeof cursor, "%s", agentchat_thread_hits_cursor(page));
        agentchat_thread_hits_free(page);
    }
    assert_true(pages >= 2);
    assert_string_equal(found_by(s, "hay"), "c5:0 c4:0 c3:0 c2:0 c1:0 c0:0");
    test_free(text);
}

static void test_search__long_threads(void **state)
{
    enum { COUNT = 300 };
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("", NULL, NULL), *longer;
    char text[32], expected[FOUND_SIZE] = "";
    size_t len = 0;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    for (int i = 0; i < COUNT; i++) {
        snprintf(text, sizeof text, "message %d%s", i, i % 7 == 0 ? " lucky" : "");
        longer = chat_with(chat, text);
        agentchat_snapshot_unref(chat);
        chat = longer;
        snprintf(text, sizeof text, "c%d", i);
        options.id = text;
        (void)put_chat(s, chat, &options);
    }
    for (int i = COUNT; i-- > 0;)
        if (i % 7 == 0)
            len += (size_t)snprintf(expected + len, sizeof expected - len, "%sc%d:%d", len > 0 ? " " : "", i, i);
    assert_string_equal(found_by(s, "lucky"), expected);
    assert_string_equal(found(s, (search){.query = "lucky", .limit = 1}), expected);
    assert_string_equal(found(s, (search){.query = "message", .limit = 300}), found_by(s, "message"));
    assert_string_equal(found_by(s, "message 123"), "c123:123");
    agentchat_snapshot_unref(chat);
}

/* ---- pages ------------------------------------------------------------------------------------------------------ */

static void test_search__nothing_comes_twice_while_others_put(void **state)
{
    scene *s = *state;
    char seen[256] = "", cursor[1024] = "", id[8];

    put_texts(s, "c0", NULL, "red 0");
    put_texts(s, "c1", NULL, "red 0|red 1|red 2|red 3");
    for (int page = 0; page < 5; page++) {
        agentchat_thread_hits *hits = one_page(s, &(search){.query = "red", .limit = 1}, page > 0 ? cursor : NULL);
        size_t len = strlen(seen);

        assert_int_equal(agentchat_thread_hits_count(hits), page < 4);
        if (page < 4)
            snprintf(seen + len, sizeof seen - len, "%d ", (int)agentchat_thread_hits_at(hits, 0)->position);
        assert_int_equal(agentchat_thread_hits_cursor(hits) == NULL, page == 4);
        if (page < 4)
            snprintf(cursor, sizeof cursor, "%s", agentchat_thread_hits_cursor(hits));
        agentchat_thread_hits_free(hits);
        snprintf(id, sizeof id, "n%d", page);
        put_texts(s, id, NULL, "red 0|red 1|red 2|red 3|red new");
    }
    assert_string_equal(seen, "3 2 1 0 ");
}

static void put_in_namespace(scene *s, const char *id, const char *ns, const char *texts)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of(texts, NULL, NULL);

    options.id = id;
    options.ns = ns;
    (void)put_chat(s, chat, &options);
    agentchat_snapshot_unref(chat);
}

static void test_search__namespaces_by_name(void **state)
{
    scene *s = *state;

    put_in_namespace(s, "b1", "b", "red");
    put_in_namespace(s, "u1", NULL, "red");
    put_in_namespace(s, "a1", "a", "red|red");
    for (size_t limit = 1; limit < 6; limit++) {
        assert_string_equal(found(s, (search){.query = "red", .limit = limit}), "u1:0 a1:1 a1:0 b1:0");
        assert_string_equal(found(s, (search){.query = "red", .limit = limit, .ns = "a"}), "a1:1 a1:0");
    }
    assert_string_equal(found(s, (search){.query = "red", .ns = ""}), "u1:0");
    assert_string_equal(found(s, (search){.query = "red", .ns = "none"}), "");
}

static void test_search__all_threads_those_put_to_last_first(void **state)
{
    scene *s = *state;
    char name[sizeof s->app], word[128];

    memcpy(name, s->app, sizeof name);
    s->now_us = INT64_C(5000000000000000); /* before all threads of other tests */
    s->step_us = 1;
    snprintf(word, sizeof word, "w%sw", name);
    for (char *p = word; *p != '\0'; p++)
        *p = *p == '-' || *p == '_' || *p == '.' ? 'x' : *p;
    for (int i = 0; i < 40; i++) {
        snprintf(s->app, sizeof s->app, "%.40s-%d", name, i);
        put_texts(s, i % 2 == 0 ? "even" : "odd", NULL, i < 3 || i == 39 ? word : "nothing");
    }
    snprintf(s->app, sizeof s->app, "%.40s-1", name);
    put_texts(s, "later", NULL, "nothing more");
    for (size_t limit = 1; limit < 5; limit++)
        assert_string_equal(found(s, (search){.query = word, .limit = limit, .all = true}),
                            "odd:0 odd:0 even:0 even:0");
    memcpy(s->app, name, sizeof name);
}

/* ---- what is wrong ---------------------------------------------------------------------------------------------- */

static void test_search__what_is_wrong_is_said(void **state)
{
    scene *s = *state;
    agentchat_thread_search_options options = AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT;
    agentchat_thread_hits *hits = NULL;
    char cursor[1024];

    assert_string_equal(found_by(s, "red"), ""); /* there is no thread */
    expect_fails(s, agentchat_thread_search(s->store, s->app, AGENTCHAT_STR(" -- ?!"), NULL, &hits, &s->err),
                 AGENTCHAT_E_INVALID, "no word");
    expect_fails(s, agentchat_thread_search(s->store, s->app, (agentchat_str){NULL, 0}, NULL, &hits, &s->err),
                 AGENTCHAT_E_INVALID, "no word");
    expect_fails(s, agentchat_thread_search(s->store, "", AGENTCHAT_STR("red"), NULL, &hits, &s->err),
                 AGENTCHAT_E_INVALID, "thread");
    options.cursor = "MQ==";
    expect_fails(s, agentchat_thread_search(s->store, s->app, AGENTCHAT_STR("red"), &options, &hits, &s->err),
                 AGENTCHAT_E_INVALID, "no cursor");
    put_texts(s, "c1", NULL, "red|red");
    options.cursor = NULL;
    options.limit = 1;
    test_ok(agentchat_thread_search(s->store, s->app, AGENTCHAT_STR("red"), &options, &hits, &s->err), &s->err);
    snprintf(cursor, sizeof cursor, "%s", agentchat_thread_hits_cursor(hits));
    agentchat_thread_hits_free(hits);
    options.cursor = cursor;
    expect_fails(s, agentchat_thread_search(s->store, "other", AGENTCHAT_STR("red"), &options, &hits, &s->err),
                 AGENTCHAT_E_INVALID, "other threads");
    expect_fails(s, agentchat_thread_search(s->store, NULL, AGENTCHAT_STR("red"), &options, &hits, &s->err),
                 AGENTCHAT_E_INVALID, "other threads");
    options.ns = "ns";
    expect_fails(s, agentchat_thread_search(s->store, s->app, AGENTCHAT_STR("red"), &options, &hits, &s->err),
                 AGENTCHAT_E_INVALID, "another namespace");
    assert_null(hits);
}

int contract_search(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_search__all_words_whatever_case_and_accents),
        SCENE_TEST(test_search__where_it_was_said),
        SCENE_TEST(test_search__equal_messages_each),
        SCENE_TEST(test_search__what_was_pruned_is_not_found),
        SCENE_TEST(test_search__a_checkpoint_that_was_replaced),
        SCENE_TEST(test_search__calls_results_and_nested_messages),
        SCENE_TEST(test_search__a_hit_says_what_it_is),
        SCENE_TEST(test_search__a_long_message),
        SCENE_TEST(test_search__long_messages_take_several_pages),
        SCENE_TEST(test_search__long_threads),
        SCENE_TEST(test_search__nothing_comes_twice_while_others_put),
        SCENE_TEST(test_search__namespaces_by_name),
        SCENE_TEST(test_search__all_threads_those_put_to_last_first),
        SCENE_TEST(test_search__what_is_wrong_is_said),
    };

    return CONTRACT_GROUP("search", tests);
}
