/* SPDX-License-Identifier: Apache-2.0 */
/* The index of threads: that searches use it, what keeps it, and what comes of rows that are lost. search_random.c
   compares what is found with it. */
#include "thread/contract/contract.h"

#include "thread/thread_internal.h"

static void put_texts(scene *s, const char *id, const char *texts, bool replace)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of(texts, NULL, NULL);

    options.id = id;
    options.replace = replace;
    (void)put_chat(s, chat, &options);
    agentchat_snapshot_unref(chat);
}

static void switch_index(scene *s, bool on)
{
    test_ok(agentchat_thread_index(s->store, on, &s->err), &s->err);
}

static const char *found_by(scene *s, const char *query)
{
    return found(s, (search){.query = query});
}

/* ---- the rows --------------------------------------------------------------------------------------------------- */

typedef struct rows {
    scene *s;
    const char *lost; /* the term that loses its rows; NULL: none */
    aci_thread_found thread;
    size_t count, marks; /* of the usual namespace, of the checkpoint seq */
    int64_t seq;
} rows;

static agentchat_status count_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    rows *r = user;
    aci_term_row row;
    agentchat_status status = aci_terms_read(&row, columns, count, err);

    r->count++;
    r->marks += status >= 0 && row.term.len == 0;
    return status;
}

static agentchat_status look_at_rows(aci_tx *tx, void *user, agentchat_error *err)
{
    rows *r = user;
    agentchat_status status;

    r->count = r->marks = 0;
    r->thread = (aci_thread_found){.id = agentchat_str_from(r->s->app)};
    aci_thread_statement_add(tx, ACI_THREAD_ROW, aci_rows_load_thread, &r->thread);
    aci_transact_text(tx, r->thread.id);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && r->lost != NULL) {
        aci_thread_statement_add(tx, ACI_TERM_DELETE, NULL, NULL);
        aci_transact_integer(tx, r->thread.row.num);
        aci_transact_text(tx, AGENTCHAT_STR(""));
        aci_transact_text(tx, agentchat_str_from(r->lost));
        aci_transact_integer(tx, r->seq);
        return aci_transact_run(tx, true, err);
    }
    aci_thread_statement_add(tx, ACI_TERMS_OF_CHECKPOINT, count_row, r);
    aci_transact_integer(tx, r->thread.row.num);
    aci_transact_text(tx, AGENTCHAT_STR(""));
    aci_transact_integer(tx, r->seq);
    return status < 0 ? status : aci_transact_run(tx, false, err);
}

static rows rows_of(scene *s, int64_t seq)
{
    rows r = {.s = s, .seq = seq};

    test_ok(aci_transact(s->store, false, look_at_rows, &r, &s->err), &s->err);
    return r;
}

static void lose(scene *s, int64_t seq, const char *term)
{
    rows r = {.s = s, .seq = seq, .lost = term};

    test_ok(aci_transact(s->store, true, look_at_rows, &r, &s->err), &s->err);
}

/* ---- tests ------------------------------------------------------------------------------------------------------ */

static void test_index__of_what_is_there_and_of_what_comes(void **state)
{
    scene *s = *state;

    put_texts(s, "c1", "red one", false);
    put_texts(s, "c2", "red one|red two", false);
    assert_int_equal(rows_of(s, 1).count, 0);
    switch_index(s, true);
    assert_int_equal(rows_of(s, 1).thread.row.indexed, ACI_INDEXED);
    assert_int_equal(rows_of(s, 1).count, 2);
    assert_int_equal(rows_of(s, 2).count, 2);
    put_texts(s, "c3", "red one|red two|green green", false);
    assert_int_equal(rows_of(s, 3).count, 1);
    assert_int_equal(rows_of(s, 3).marks, 0);
    assert_string_equal(found_by(s, "red"), "c2:1 c1:0");
    assert_string_equal(found_by(s, "green"), "c3:2");
    expect_sound(s->store);
    switch_index(s, false);
    assert_int_equal(rows_of(s, 1).thread.row.indexed, ACI_INDEXED_NOT);
    assert_int_equal(rows_of(s, 1).count + rows_of(s, 2).count + rows_of(s, 3).count, 0);
    assert_string_equal(found_by(s, "red"), "c2:1 c1:0");
    put_texts(s, "c4", "green", false);
    assert_int_equal(rows_of(s, 4).count, 0);
}

static void test_index__of_new_threads(void **state)
{
    scene *s = *state;

    switch_index(s, true);
    put_texts(s, "c1", "red one", false);
    assert_int_equal(rows_of(s, 1).thread.row.indexed, ACI_INDEXED);
    assert_int_equal(rows_of(s, 1).count, 2);
    switch_index(s, false);
}

static void expect_index(scene *s, bool on)
{
    uint64_t threads = 0, indexed = 0;
    bool is_on = !on;

    test_ok(agentchat_thread_index_state(s->store, &is_on, &threads, &indexed, &s->err), &s->err);
    assert_true(is_on == on);
    assert_true(threads > 0);
    assert_int_equal(indexed, on ? threads : 0);
    test_ok(agentchat_thread_index_state(s->store, &is_on, NULL, NULL, &s->err), &s->err);
    assert_true(is_on == on);
}

static void test_index__says_how_far_it_is(void **state)
{
    scene *s = *state;

    put_texts(s, "c1", "red one", false);
    switch_index(s, false);
    expect_index(s, false);
    switch_index(s, true);
    expect_index(s, true);
    switch_index(s, false);
    expect_index(s, false);
}

/* The clock of a store that switches the index by another handle when it is looked at for the n-th time. */
typedef struct switching {
    agentchat_store *other;
    bool on;
    unsigned looks, at; /* at 0: never again */
    agentchat_status status;
    agentchat_error err;
} switching;

static int64_t switching_clock(void *user)
{
    switching *w = user;

    if (w->at != 0 && ++w->looks == w->at)
        w->status = agentchat_thread_index(w->other, w->on, &w->err);
    return 1000000;
}

static void put_while_it_is_switched(scene *s, agentchat_store *store, switching *w)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("red one|red two", NULL, NULL);

    switch_index(s, !w->on);
    options.id = "c1";
    test_ok(agentchat_checkpoint_put(store, s->app, chat, &options, NULL, &s->err), &s->err);
    assert_true(w->looks >= w->at);
    w->at = 0;
    if (w->status != AGENTCHAT_E_BUSY) /* SQLite lets only one of them write */
        test_ok(w->status, &w->err);
    assert_string_equal(found_by(s, "red"), "c1:1 c1:0");
    expect_sound(s->store);
    put_texts(s, "c2", "red one|red two|red three", false);
    assert_string_equal(found_by(s, "red"), "c2:2 c1:1 c1:0");
    switch_index(s, w->on);
    expect_index(s, w->on);
    assert_string_equal(found_by(s, "red"), "c2:2 c1:1 c1:0");
    expect_sound(s->store);
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    agentchat_snapshot_unref(chat);
}

/* A thread that is made while others switch it, at each moment at which its put looks at the clock. */
static void test_index__switched_in_the_middle_of_a_put(void **state)
{
    enum { LOOKS = 3 };
    scene *s = *state;
    agentchat_env_options env = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_env *own;
    switching w = {.at = 0};

    if (!scene_is_shared(s))
        skip();
    options.wait_ms = 20;
    w.other = scene_open(s, &options);
    env.now_us = switching_clock;
    env.user = &w;
    own = test_env(&env);
    test_ok(agentchat_store_open(own, s->url, NULL, &store, &s->err), &s->err);
    for (unsigned i = 0; i < 2 * LOOKS; i++) {
        w.on = i % 2 == 0;
        w.looks = 0;
        w.at = 1 + i / 2;
        put_while_it_is_switched(s, store, &w);
    }
    agentchat_store_close(store);
    agentchat_store_close(w.other);
    agentchat_env_free(own);
    switch_index(s, false);
}

static void test_index__what_was_replaced_is_marked_until_it_is_settled(void **state)
{
    scene *s = *state;

    switch_index(s, true);
    put_texts(s, "c1", "red one", false);
    put_texts(s, "c2", "red one|red two", false);
    put_texts(s, "c1", "blue", true);
    assert_int_equal(rows_of(s, 1).marks, 1);
    assert_int_equal(rows_of(s, 2).marks, 1);
    assert_string_equal(found_by(s, "one"), "c2:0");
    assert_string_equal(found_by(s, "blue"), "c1:0");
    expect_sound(s->store);
    switch_index(s, true);
    assert_int_equal(rows_of(s, 1).marks + rows_of(s, 2).marks, 0);
    assert_int_equal(rows_of(s, 1).count, 1);
    assert_int_equal(rows_of(s, 2).count, 3);
    assert_string_equal(found_by(s, "one"), "c2:0");
    switch_index(s, false);
}

/* A put with very many words does not keep others waiting for them. */
static void test_index__what_has_many_words_is_marked_until_it_is_settled(void **state)
{
    scene *s = *state;
    enum { WORDS = 12000, SIZE = 2 << 20 };
    char *text = calloc(SIZE, 1);

    assert_non_null(text);
    switch_index(s, true);
    for (size_t i = 0, len = 0; i < WORDS; i++)
        len += (size_t)snprintf(text + len, SIZE - len, "word%zu ", i);
    put_texts(s, "c1", text, false);
    memset(text, 0, SIZE);
    for (size_t len = 0; len + 8 < SIZE - 2;)
        len += (size_t)snprintf(text + len, SIZE - len, "again ");
    put_texts(s, "c2", text, false);
    for (int64_t seq = 1; seq <= 2; seq++) {
        assert_int_equal(rows_of(s, seq).count, 1);
        assert_int_equal(rows_of(s, seq).marks, 1);
    }
    assert_string_equal(found_by(s, "word11999"), "c1:0");
    assert_string_equal(found_by(s, "again"), "c2:0");
    switch_index(s, true);
    assert_int_equal(rows_of(s, 1).count, WORDS);
    assert_int_equal(rows_of(s, 2).count, 1);
    assert_int_equal(rows_of(s, 2).marks, 0);
    assert_string_equal(found_by(s, "word11999"), "c1:0");
    expect_sound(s->store);
    free(text);
}

static void test_index__pruning_leaves_no_rows(void **state)
{
    scene *s = *state;
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    switch_index(s, true);
    put_texts(s, "c1", "red one|gone", false);
    put_texts(s, "c2", "red one|red two", false);
    options.keep = 1;
    test_ok(agentchat_thread_prune(s->store, s->app, &options, NULL, &s->err), &s->err);
    assert_int_equal(rows_of(s, 1).count, 0);
    assert_int_equal(rows_of(s, 2).count, 3);
    assert_int_equal(rows_of(s, 2).marks, 0);
    assert_string_equal(found_by(s, "red"), "c2:1 c2:0");
    switch_index(s, false);
}

typedef struct finding {
    char text[1024];
} finding;

static agentchat_status note(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    finding *f = user;

    (void)part;
    (void)err;
    if (problem.ptr != NULL)
        snprintf(f->text, sizeof f->text, "%.*s", (int)problem.len, problem.ptr);
    return AGENTCHAT_OK;
}

static void test_index__the_check_finds_what_is_missing(void **state)
{
    scene *s = *state;
    finding f = {""};

    switch_index(s, true);
    put_texts(s, "c1", "red one", false);
    lose(s, 1, "red");
    assert_string_equal(found_by(s, "red"), ""); /* so the index is looked at */
    assert_string_equal(found_by(s, "one"), "c1:0");
    test_ok(agentchat_store_check(s->store, note, &f, &s->err), &s->err);
    assert_string_equal(f.text, "checkpoint number 1: the index lacks 1 of its words; switch it off and on");
    switch_index(s, false);
    switch_index(s, true);
    assert_string_equal(found_by(s, "red"), "c1:0");
    expect_sound(s->store);
    switch_index(s, false);
}

static void test_index__of_a_long_thread(void **state)
{
    enum { COUNT = 200 };
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("", NULL, NULL), *longer;
    char text[64], expected[FOUND_SIZE] = "";
    size_t len = 0;

    switch_index(s, true);
    for (int i = 0; i < COUNT; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

        snprintf(text, sizeof text, "message %d%s%s", i, i % 3 == 0 ? " third" : "", i % 7 == 0 ? " seventh" : "");
        longer = chat_with(chat, text);
        agentchat_snapshot_unref(chat);
        chat = longer;
        snprintf(text, sizeof text, "c%d", i);
        options.id = text;
        (void)put_chat(s, chat, &options);
    }
    for (int i = COUNT; i-- > 0;)
        if (i % 21 == 0)
            len += (size_t)snprintf(expected + len, sizeof expected - len, "%sc%d:%d", len > 0 ? " " : "", i, i);
    assert_string_equal(found_by(s, "third seventh"), expected);
    assert_string_equal(found(s, (search){.query = "seventh third", .limit = 1}), expected);
    assert_string_equal(found_by(s, "message 123"), "c123:123");
    assert_string_equal(found_by(s, "message nothing"), "");
    agentchat_snapshot_unref(chat);
    switch_index(s, false);
}

int contract_index(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_index__of_what_is_there_and_of_what_comes),
        SCENE_TEST(test_index__of_new_threads),
        SCENE_TEST(test_index__says_how_far_it_is),
        SCENE_TEST(test_index__switched_in_the_middle_of_a_put),
        SCENE_TEST(test_index__what_was_replaced_is_marked_until_it_is_settled),
        SCENE_TEST(test_index__what_has_many_words_is_marked_until_it_is_settled),
        SCENE_TEST(test_index__pruning_leaves_no_rows),
        SCENE_TEST(test_index__the_check_finds_what_is_missing),
        SCENE_TEST(test_index__of_a_long_thread),
    };

    return CONTRACT_GROUP("index", tests);
}
