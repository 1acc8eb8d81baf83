/* SPDX-License-Identifier: Apache-2.0 */
/* Work to be done later: what each call does, the same on every store. */
#include "session/scene.h"

#include <agentchat/agentchat.h>
#include <agentchat/thread_chat.h>
#include <pthread.h>
#include <stdlib.h>

#define HOUR_US INT64_C(3600000000)
#define AT_ONCE 1 /* a lease that is over when anybody looks */

/* ---- doing ------------------------------------------------------------------------------------------------------ */

/* Threads and kinds begin with the scene's application, which no other test has. */
static const char *in(const scene *s, const char *rest)
{
    static char names[4][100];
    static unsigned next;
    char *name = names[next++ % 4];

    (void)snprintf(name, sizeof names[0], "%s-%s", s->app, rest);
    return name;
}

static void queue(scene *s, const char *thread, const char *kind, int64_t delay_us, const char *body)
{
    agentchat_work_request request = {in(s, kind), delay_us, agentchat_str_from(body)};

    test_ok(agentchat_work_queue(s->store, in(s, thread), &request, &s->err), &s->err);
}

/* Claims up to so many of a kind. */
static agentchat_work_item_list *claim(scene *s, const char *kind, int64_t lease_us, size_t limit)
{
    agentchat_work_claim_options options = AGENTCHAT_WORK_CLAIM_OPTIONS_INIT;
    agentchat_work_item_list *list = NULL;

    options.kind = in(s, kind);
    options.lease_us = lease_us;
    options.limit = limit;
    test_ok(agentchat_work_claim(s->store, &options, &list, &s->err), &s->err);
    return list;
}

/* Claims one, which must be there. */
static agentchat_work_item_list *claim_one(scene *s, const char *kind, int64_t lease_us,
                                           const agentchat_work_item **item)
{
    agentchat_work_item_list *list = claim(s, kind, lease_us, 1);

    assert_int_equal(agentchat_work_item_list_count(list), 1);
    *item = agentchat_work_item_list_at(list, 0);
    assert_int_equal((*item)->state, AGENTCHAT_WORK_LEASED);
    return list;
}

static void expect_nothing_due(scene *s, const char *kind)
{
    agentchat_work_item_list *list = claim(s, kind, 0, 10);

    assert_int_equal(agentchat_work_item_list_count(list), 0);
    assert_null(agentchat_work_item_list_at(list, 0));
    agentchat_work_item_list_free(list);
}

/* The one item of a thread and kind. */
static agentchat_work_item_list *look(scene *s, const char *thread, const char *kind, const agentchat_work_item **item)
{
    agentchat_work_list_options options = AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    agentchat_work_item_list *list = NULL;

    options.thread = in(s, thread);
    options.kind = in(s, kind);
    test_ok(agentchat_work_list(s->store, &options, &list, &s->err), &s->err);
    *item = agentchat_work_item_list_at(list, 0);
    return list;
}

static void expect_work(scene *s, const char *thread, const char *kind, agentchat_work_state state, uint32_t attempts,
                        const char *mark, const char *error)
{
    const agentchat_work_item *item;
    agentchat_work_item_list *list = look(s, thread, kind, &item);

    assert_non_null(item);
    assert_int_equal(item->state, state);
    assert_int_equal(item->attempts, attempts);
    assert_string_equal(item->mark != NULL ? item->mark : "(none)", mark);
    assert_string_equal(item->error != NULL ? item->error : "(none)", error);
    assert_int_equal(item->due_us != 0, state == AGENTCHAT_WORK_QUEUED || state == AGENTCHAT_WORK_LEASED);
    assert_int_equal(item->lease_us != 0, state == AGENTCHAT_WORK_LEASED);
    agentchat_work_item_list_free(list);
}

/* ---- one row ---------------------------------------------------------------------------------------------------- */

static void test_work__is_claimed_once_and_done(void **state)
{
    scene *s = *state;
    const agentchat_work_item *item;
    agentchat_work_item_list *list;

    queue(s, "t", "extract", 0, "the body");
    expect_work(s, "t", "extract", AGENTCHAT_WORK_QUEUED, 0, "(none)", "(none)");
    list = claim_one(s, "extract", 0, &item);
    assert_string_equal(item->thread, in(s, "t"));
    assert_string_equal(item->kind, in(s, "extract"));
    assert_str(item->body, "the body");
    assert_int_equal(item->attempts, 1);
    assert_true(item->lease_us > item->due_us);
    expect_work(s, "t", "extract", AGENTCHAT_WORK_LEASED, 1, "(none)", "(none)");
    expect_nothing_due(s, "extract");
    test_ok(agentchat_work_extend(s->store, item, HOUR_US, &s->err), &s->err);
    test_ok(agentchat_work_done(s->store, item, "checkpoint-7", &s->err), &s->err);
    expect_work(s, "t", "extract", AGENTCHAT_WORK_DONE, 1, "checkpoint-7", "(none)");
    expect_nothing_due(s, "extract");
    expect_fails(s, agentchat_work_done(s->store, item, NULL, &s->err), AGENTCHAT_E_CONFLICT, "does not count");
    agentchat_work_item_list_free(list);
    queue(s, "t", "extract", 0, NULL); /* the next time it goes on after the mark */
    list = claim_one(s, "extract", 0, &item);
    assert_string_equal(item->mark, "checkpoint-7");
    assert_null(item->body.ptr);
    test_ok(agentchat_work_done(s->store, item, NULL, &s->err), &s->err);
    expect_work(s, "t", "extract", AGENTCHAT_WORK_DONE, 1, "checkpoint-7", "(none)");
    agentchat_work_item_list_free(list);
    expect_sound(s->store);
}

static void test_work__queueing_again_moves_the_time(void **state)
{
    scene *s = *state;
    const agentchat_work_item *item;
    agentchat_work_item_list *list;

    queue(s, "t", "extract", 0, "first");
    queue(s, "t", "extract", HOUR_US, "second");
    expect_nothing_due(s, "extract");
    queue(s, "t", "extract", INT64_MAX, "for ever");
    expect_nothing_due(s, "extract");
    queue(s, "t", "extract", 0, "third");
    list = claim_one(s, "extract", 0, &item);
    assert_str(item->body, "third");
    agentchat_work_item_list_free(list);
}

static void test_work__queued_again_while_it_is_done(void **state)
{
    scene *s = *state;
    const agentchat_work_item *item, *next;
    agentchat_work_item_list *list, *other;

    queue(s, "t", "extract", 0, "first");
    list = claim_one(s, "extract", 0, &item);
    queue(s, "t", "extract", 0, "second");
    expect_nothing_due(s, "extract"); /* not to two at the same time */
    test_ok(agentchat_work_done(s->store, item, "first", &s->err), &s->err);
    agentchat_work_item_list_free(list);
    list = claim_one(s, "extract", 0, &item);
    assert_str(item->body, "second");
    assert_string_equal(item->mark, "first");
    assert_int_equal(item->attempts, 1);
    queue(s, "t", "extract", 0, "third");
    test_ok(agentchat_work_fail(s->store, item, "no", -1, &s->err), &s->err); /* that is not of the third one */
    other = claim_one(s, "extract", 0, &next);
    assert_str(next->body, "third");
    assert_null(next->error);
    agentchat_work_item_list_free(other);
    agentchat_work_item_list_free(list);
}

static void test_work__a_lease_that_is_over(void **state)
{
    scene *s = *state;
    const agentchat_work_item *item, *next;
    agentchat_work_item_list *list, *other;

    queue(s, "t", "extract", 0, NULL);
    list = claim_one(s, "extract", AT_ONCE, &item);
    test_ok(agentchat_work_extend(s->store, item, AT_ONCE, &s->err), &s->err); /* nobody else has it */
    other = claim_one(s, "extract", 0, &next);
    assert_int_equal(next->attempts, 2);
    expect_fails(s, agentchat_work_extend(s->store, item, 0, &s->err), AGENTCHAT_E_CONFLICT, "stop working");
    expect_fails(s, agentchat_work_done(s->store, item, NULL, &s->err), AGENTCHAT_E_CONFLICT, "stop working");
    expect_fails(s, agentchat_work_fail(s->store, item, "x", 0, &s->err), AGENTCHAT_E_CONFLICT, "stop working");
    test_ok(agentchat_work_done(s->store, next, NULL, &s->err), &s->err);
    agentchat_work_item_list_free(list);
    agentchat_work_item_list_free(other);
}

static void test_work__fails_after_five_attempts(void **state)
{
    scene *s = *state;
    const agentchat_work_item *item;
    agentchat_work_item_list *list;

    queue(s, "t", "extract", 0, NULL);
    for (uint32_t i = 1; i <= AGENTCHAT_WORK_ATTEMPTS; i++) {
        list = claim_one(s, "extract", 0, &item);
        assert_int_equal(item->attempts, i);
        assert_string_equal(item->error != NULL ? item->error : "(none)", i == 1 ? "(none)" : "the model is away");
        test_ok(agentchat_work_fail(s->store, item, "the model is away", 1, &s->err), &s->err);
        agentchat_work_item_list_free(list);
    }
    expect_nothing_due(s, "extract");
    expect_work(s, "t", "extract", AGENTCHAT_WORK_FAILED, 5, "(none)", "the model is away");
    test_ok(agentchat_work_retry(s->store, in(s, "t"), in(s, "extract"), &s->err), &s->err);
    list = claim_one(s, "extract", 0, &item);
    assert_int_equal(item->attempts, 1);
    expect_fails(s, agentchat_work_retry(s->store, in(s, "t"), in(s, "extract"), &s->err), AGENTCHAT_E_CONFLICT,
                 "somebody has claimed it");
    test_ok(agentchat_work_fail(s->store, item, NULL, 0, &s->err), &s->err); /* due in ten seconds */
    expect_nothing_due(s, "extract");
    expect_work(s, "t", "extract", AGENTCHAT_WORK_QUEUED, 1, "(none)", "it was not said why");
    test_ok(agentchat_work_retry(s->store, in(s, "t"), in(s, "extract"), &s->err), &s->err);
    agentchat_work_item_list_free(list);
    list = claim_one(s, "extract", 0, &item);
    test_ok(agentchat_work_fail(s->store, item, "it cannot be done", -1, &s->err), &s->err);
    expect_work(s, "t", "extract", AGENTCHAT_WORK_FAILED, 1, "(none)", "it cannot be done");
    agentchat_work_item_list_free(list);
}

static void test_work__of_workers_who_never_come_back(void **state)
{
    scene *s = *state;
    const agentchat_work_item *item;

    queue(s, "t", "extract", 0, NULL);
    for (int i = 0; i < AGENTCHAT_WORK_ATTEMPTS; i++)
        agentchat_work_item_list_free(claim_one(s, "extract", AT_ONCE, &item));
    expect_nothing_due(s, "extract");
    expect_work(s, "t", "extract", AGENTCHAT_WORK_FAILED, 5, "(none)", "nobody came back with it");
    queue(s, "t", "extract", 0, NULL);
    expect_work(s, "t", "extract", AGENTCHAT_WORK_QUEUED, 0, "(none)", "(none)");
}

/* ---- many rows -------------------------------------------------------------------------------------------------- */

/* The threads of all pages, each of so many items, without the application. */
static void expect_listed(scene *s, agentchat_work_list_options options, const char *expected)
{
    char found[2000] = "", cursor[1000];
    agentchat_work_item_list *page = NULL;
    bool more;

    do {
        test_ok(agentchat_work_list(s->store, &options, &page, &s->err), &s->err);
        for (size_t i = 0; i < agentchat_work_item_list_count(page); i++)
            (void)snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", *found != '\0' ? " " : "",
                           agentchat_work_item_list_at(page, i)->thread + strlen(s->app) + 1);
        more = agentchat_work_item_list_cursor(page) != NULL;
        (void)snprintf(cursor, sizeof cursor, "%s", more ? agentchat_work_item_list_cursor(page) : "");
        options.cursor = cursor;
        agentchat_work_item_list_free(page);
    } while (more);
    assert_string_equal(found, expected);
}

static void test_work__pages_and_states(void **state)
{
    scene *s = *state;
    agentchat_work_list_options options = AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    const agentchat_work_item *item;
    agentchat_work_item_list *list;

    queue(s, "a", "extract", 0, NULL);
    list = claim_one(s, "extract", 0, &item);
    test_ok(agentchat_work_done(s->store, item, NULL, &s->err), &s->err);
    agentchat_work_item_list_free(list);
    for (const char *thread = "bcdefg"; *thread != '\0'; thread++)
        queue(s, (char[]){*thread, '\0'}, "extract", HOUR_US, NULL);
    queue(s, "c", "other", 0, NULL);
    options.kind = in(s, "extract");
    for (options.limit = 1; options.limit < 9; options.limit++) {
        options.state = (agentchat_work_state)0;
        expect_listed(s, options, "a b c d e f g");
        options.state = AGENTCHAT_WORK_QUEUED;
        expect_listed(s, options, "b c d e f g");
    }
    options.state = AGENTCHAT_WORK_DONE;
    expect_listed(s, options, "a");
    options.state = AGENTCHAT_WORK_FAILED;
    expect_listed(s, options, "");
    options = (agentchat_work_list_options)AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    options.thread = in(s, "c");
    options.limit = 1;
    expect_listed(s, options, "c c");
    options.cursor = "no";
    expect_fails(s, agentchat_work_list(s->store, &options, &list, &s->err), AGENTCHAT_E_INVALID, "cursor");
}

static void test_work__what_is_due_longest_comes_first(void **state)
{
    scene *s = *state;
    agentchat_work_item_list *list;

    queue(s, "later", "extract", 2, NULL);
    queue(s, "first", "extract", 0, NULL);
    queue(s, "never", "extract", HOUR_US, NULL);
    s->now_us += 10;
    do { /* a server has its own clock */
        list = claim(s, "extract", 0, 10);
    } while (agentchat_work_item_list_count(list) == 0);
    assert_string_equal(agentchat_work_item_list_at(list, 0)->thread,
                        in(s, s->kind == STORE_POSTGRES ? "later" : "first"));
    assert_int_equal(agentchat_work_item_list_count(list), 2);
    agentchat_work_item_list_free(list);
}

/* ---- several workers -------------------------------------------------------------------------------------------- */

enum { THREADS = 30, WORKERS = 4 };

typedef struct worker {
    scene *s;
    const char *kind;
    int done[THREADS];
} worker;

static void *work(void *user)
{
    worker *w = user;

    for (;;) {
        agentchat_work_claim_options options = AGENTCHAT_WORK_CLAIM_OPTIONS_INIT;
        agentchat_work_item_list *list = NULL;
        agentchat_error err;
        size_t count;

        options.kind = w->kind;
        options.limit = 3;
        test_ok(agentchat_work_claim(w->s->store, &options, &list, &err), &err);
        count = agentchat_work_item_list_count(list);
        for (size_t i = 0; i < count; i++) {
            const agentchat_work_item *item = agentchat_work_item_list_at(list, i);

            w->done[strtoul(item->body.ptr, NULL, 10)]++;
            test_ok(agentchat_work_done(w->s->store, item, NULL, &err), &err);
        }
        agentchat_work_item_list_free(list);
        if (count == 0)
            return NULL;
    }
}

static void test_work__each_is_done_by_one(void **state)
{
    scene *s = *state;
    worker workers[WORKERS];
    pthread_t threads[WORKERS];
    char kind[100];

    snprintf(kind, sizeof kind, "%s", in(s, "extract"));
    for (int i = 0; i < THREADS; i++) {
        char name[20];

        snprintf(name, sizeof name, "%d", i);
        queue(s, name, "extract", 0, name);
    }
    s->step_us = 0; /* a clock that many may read */
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){.s = s, .kind = kind};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        int done = 0;

        for (int k = 0; k < WORKERS; k++)
            done += workers[k].done[i];
        assert_int_equal(done, 1);
    }
}

/* ---- with checkpoints ------------------------------------------------------------------------------------------- */

static agentchat_snapshot *some_chat(const char *text)
{
    agentchat_snapshot_builder *builder = NULL;
    agentchat_message *message = NULL;
    agentchat_snapshot *chat = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_new(NULL, NULL, &builder, &err), &err);
    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){0}, agentchat_str_from(text), &message, &err),
            &err);
    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_message_unref(message);
    test_ok(agentchat_snapshot_builder_finish(builder, &chat, &err), &err);
    return chat;
}

static void test_work__of_a_checkpoint(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    const agentchat_work_item *item;
    agentchat_work_item_list *list;
    agentchat_snapshot *chat = some_chat("I drink espresso");
    char kinds[2][100], thread[100];
    agentchat_work_request work_of[2] = {{kinds[0], 0, AGENTCHAT_STR("user ana")}, {kinds[1], HOUR_US, {NULL, 0}}};

    snprintf(thread, sizeof thread, "%s", in(s, "t"));
    snprintf(kinds[0], sizeof kinds[0], "%s", in(s, "extract"));
    snprintf(kinds[1], sizeof kinds[1], "%s", in(s, "summarize"));
    options.work = work_of;
    options.work_count = 2;
    options.expect_none = true;
    test_ok(agentchat_checkpoint_put(s->store, thread, chat, &options, NULL, &s->err), &s->err);
    list = claim_one(s, "extract", 0, &item);
    assert_str(item->body, "user ana");
    test_ok(agentchat_work_done(s->store, item, NULL, &s->err), &s->err);
    agentchat_work_item_list_free(list);
    /* a put that fails queues nothing */
    expect_fails(s, agentchat_checkpoint_put(s->store, thread, chat, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 NULL);
    expect_nothing_due(s, "extract");
    work_of[1].kind = kinds[0];
    expect_fails(s, agentchat_checkpoint_put(s->store, thread, chat, &options, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "queued twice");
    agentchat_snapshot_unref(chat);
    expect_sound(s->store);
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("noted"), err);
}

static void test_work__of_a_live_chat(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_thread_save_options saving = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    const agentchat_work_item *item;
    agentchat_work_item_list *list;
    agentchat_chat *chat = NULL;
    char kind[100], thread[100];
    agentchat_work_request request = {kind, 0, AGENTCHAT_STR("live")};

    snprintf(thread, sizeof thread, "%s", in(s, "t"));
    snprintf(kind, sizeof kind, "%s", in(s, "extract"));
    test_ok(agentchat_chat_new(NULL, &chat, &s->err), &s->err);
    test_ok(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), answer, NULL, &s->err), &s->err);
    options.work = &request;
    options.work_count = 1;
    test_ok(agentchat_thread_attach(s->store, thread, chat, &options, NULL, &s->err), &s->err);
    request.body = AGENTCHAT_STR("not this one"); /* it was copied */
    snprintf(kind, sizeof kind, "%s", in(s, "changed"));
    expect_nothing_due(s, "extract");
    test_ok(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("remember this"), &s->err), &s->err);
    test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &s->err), &s->err);
    list = claim_one(s, "extract", 0, &item);
    assert_str(item->body, "live");
    agentchat_work_item_list_free(list);
    agentchat_chat_free(chat);
    test_ok(agentchat_chat_new(NULL, &chat, &s->err), &s->err);
    test_ok(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Desk"), answer, NULL, &s->err), &s->err);
    test_ok(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("by hand"), &s->err), &s->err);
    saving.work = &request;
    saving.work_count = 1;
    test_ok(agentchat_thread_save(s->store, in(s, "by-hand"), chat, &saving, NULL, &s->err), &s->err);
    list = claim_one(s, "changed", 0, &item);
    assert_string_equal(item->thread, in(s, "by-hand"));
    agentchat_work_item_list_free(list);
    agentchat_chat_free(chat);
}

static void test_work__of_a_thread_that_is_deleted(void **state)
{
    scene *s = *state;
    const agentchat_work_item *item, *done;
    agentchat_work_item_list *list, *other;
    agentchat_snapshot *chat = some_chat("soon gone");

    test_ok(agentchat_checkpoint_put(s->store, in(s, "t"), chat, NULL, NULL, &s->err), &s->err);
    agentchat_snapshot_unref(chat);
    queue(s, "t", "waiting", HOUR_US, NULL);
    queue(s, "t", "claimed", 0, NULL);
    list = claim_one(s, "claimed", 0, &item);
    queue(s, "t", "done", 0, NULL);
    other = claim_one(s, "done", 0, &done);
    test_ok(agentchat_work_done(s->store, done, "m", &s->err), &s->err);
    agentchat_work_item_list_free(other);
    test_ok(agentchat_thread_delete(s->store, in(s, "t"), &s->err), &s->err);
    expect_work(s, "t", "waiting", AGENTCHAT_WORK_FAILED, 0, "(none)", "its thread was deleted");
    expect_work(s, "t", "claimed", AGENTCHAT_WORK_FAILED, 1, "(none)", "its thread was deleted");
    expect_fails(s, agentchat_work_done(s->store, item, NULL, &s->err), AGENTCHAT_E_CONFLICT, "does not count");
    agentchat_work_item_list_free(list);
    list = look(s, "t", "done", &item);
    assert_null(item);
    agentchat_work_item_list_free(list);
    expect_sound(s->store);
}

/* ---- bad calls -------------------------------------------------------------------------------------------------- */

static void test_work__bad_calls(void **state)
{
    scene *s = *state;
    agentchat_work_request request = {"extract", -1, {NULL, 0}};
    agentchat_work_claim_options options = AGENTCHAT_WORK_CLAIM_OPTIONS_INIT;
    agentchat_work_item_list *list = NULL;
    agentchat_work_item item = {.thread = "t", .kind = "none"};

    expect_fails(s, agentchat_work_queue(s->store, "t", &request, &s->err), AGENTCHAT_E_INVALID, "not before");
    request.delay_us = 0;
    expect_fails(s, agentchat_work_queue(s->store, "", &request, &s->err), AGENTCHAT_E_INVALID, "thread");
    request.body = AGENTCHAT_STR("\xFF");
    expect_fails(s, agentchat_work_queue(s->store, "t", &request, &s->err), AGENTCHAT_E_INVALID, "UTF-8");
    request.body = (agentchat_str){"a\0b", 3};
    expect_fails(s, agentchat_work_queue(s->store, "t", &request, &s->err), AGENTCHAT_E_INVALID, "NUL");
    request.kind = NULL;
    expect_fails(s, agentchat_work_queue(s->store, "t", &request, &s->err), AGENTCHAT_E_INVALID, "kind");
    options.lease_us = -1;
    expect_fails(s, agentchat_work_claim(s->store, &options, &list, &s->err), AGENTCHAT_E_INVALID, "lease");
    expect_fails(s, agentchat_work_done(s->store, &item, NULL, &s->err), AGENTCHAT_E_CONFLICT, "does not count");
    expect_fails(s, agentchat_work_done(s->store, &item, "\xFF", &s->err), AGENTCHAT_E_INVALID, "a mark");
    expect_fails(s, agentchat_work_fail(s->store, &item, "\xFF", 0, &s->err), AGENTCHAT_E_INVALID, "an error");
    expect_fails(s, agentchat_work_retry(s->store, "t", "none", &s->err), AGENTCHAT_E_NOTFOUND, "no such work");
    assert_null(list);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_work__is_claimed_once_and_done),
        SCENE_TEST(test_work__queueing_again_moves_the_time),
        SCENE_TEST(test_work__queued_again_while_it_is_done),
        SCENE_TEST(test_work__a_lease_that_is_over),
        SCENE_TEST(test_work__fails_after_five_attempts),
        SCENE_TEST(test_work__of_workers_who_never_come_back),
        SCENE_TEST(test_work__pages_and_states),
        SCENE_TEST(test_work__what_is_due_longest_comes_first),
        SCENE_TEST(test_work__each_is_done_by_one),
        SCENE_TEST(test_work__of_a_checkpoint),
        SCENE_TEST(test_work__of_a_live_chat),
        SCENE_TEST(test_work__of_a_thread_that_is_deleted),
        SCENE_TEST(test_work__bad_calls),
    };

    scene_files_in_memory();
    if (!scene_program("memory.work", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("memory_work", tests, NULL, NULL);
}
