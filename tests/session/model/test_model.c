/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random operations on a store and on the naive model, compared after each one: outcome, what the handle shows, lists,
 * sequence numbers, revisions, sums. The seed alone decides what is done, so every kind of store that agrees with the
 * model agrees with the others, in everything and in the same order.
 *
 *     test_session_model memory|sqlite|postgres [FILTER]
 *
 * AGENTCHAT_TEST_SEQUENCES: how many sequences of operations (500), a twelfth of them where each is a journey to a
 * server; AGENTCHAT_TEST_SEED: of the first one. A sequence that fails prints its seed and all that was done.
 */
#include "session/model/compare.h"

#include <inttypes.h>
#include <stdio.h>

enum { OPERATIONS = 40, HANDLES = 5, LISTS = 3, SEQUENCES_OF_A_STORE = 200 };

typedef struct open_list { /* one whose next page is still to be read */
    bool used, of_all;
    char user[MODEL_NAME], cursor[1024];
    model_row after;
} open_list;

typedef struct run {
    scene *s;
    uint64_t random;
    char app[128];
    model_world world;
    struct {
        agentchat_session *session; /* NULL: not in use */
        model_view view;
    } handles[HANDLES];
    open_list lists[LISTS];
} run;

/* ---- random numbers --------------------------------------------------------------------------------------------- */

static uint32_t below(run *r, uint32_t limit)
{
    r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((r->random >> 33) % limit);
}

static const char *pick(run *r, const char *const *from, uint32_t count)
{
    return from[below(r, count)];
}
#define PICK(r, list) pick((r), (list), (uint32_t)(sizeof(list) / sizeof *(list)))

static const char *const users[] = {"u", "v", "U"};
static const char *const ids[] = {"s1", "s2", "S1", "s"};
static const char *const event_ids[] = {"e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8"};
static const char *const stored_keys[] = {"a",     "b",          "B",      "n",      "app:a",
                                          "app:n", "app:user:a", "user:a", "user:n", "User:a"};
static const char *const temporary_keys[] = {"temp:a", "temp:n"};
static const char *const values[] = {"0",
                                     "1",
                                     "7",
                                     "-3",
                                     "\"x\"",
                                     "\"\"",
                                     "null",
                                     "[1, 2]",
                                     "1.50",
                                     "true",
                                     "{\"a\":1}",
                                     "{ }",
                                     "9223372036854775807",
                                     "-9223372036854775808"};
static const int64_t amounts[] = {1, 1, 2, -1, 0, 1000, INT64_MAX, INT64_MIN};
static const char *const times[] = {"1970-01-01T00:00:01Z", "1970-01-01T00:00:02.5Z", "2027-01-15T08:00:00Z",
                                    "2030-01-01T00:00:00.000000001+01:00"};
static const int64_t times_ns[] = {INT64_C(1000000000), INT64_C(2500000000), INT64_C(1800000000000000000),
                                   INT64_C(1893452400000000001)};
static const char *const texts[] = {"", "", "hello", "good-bye"};
static const char *const invocations[] = {"", "", "", "i1", "i2"};

static const char *any_key(run *r)
{
    return below(r, 6) == 0 ? PICK(r, temporary_keys) : PICK(r, stored_keys);
}

static size_t used_handle(run *r)
{
    size_t at = below(r, HANDLES);

    for (size_t i = 0; i < HANDLES; i++)
        if (r->handles[(at + i) % HANDLES].session != NULL)
            return (at + i) % HANDLES;
    return HANDLES;
}

static void drop(run *r, size_t i)
{
    agentchat_session_free(r->handles[i].session);
    r->handles[i].session = NULL;
}

/* ---- what is done ----------------------------------------------------------------------------------------------- */

/* The name of a session: mostly of one that is there. */
static void pick_name(run *r, const char **user, const char **id)
{
    size_t i = r->world.session_count > 0 ? below(r, (uint32_t)r->world.session_count) : 0;

    *user = PICK(r, users);
    *id = PICK(r, ids);
    if (r->world.session_count > 0 && r->world.sessions[i].exists && below(r, 4) > 0) {
        *user = r->world.sessions[i].user;
        *id = r->world.sessions[i].id;
    }
}

static void random_map(run *r, model_map *map)
{
    map->count = 0;
    for (uint32_t i = below(r, 6); i > 0; i--) {
        const char *key = any_key(r), *value = PICK(r, values);

        model_put(map, key, value, 0);
    }
}

static void do_create(run *r)
{
    size_t i = below(r, HANDLES);
    const char *user = PICK(r, users), *id = PICK(r, ids);
    model_map initial;
    agentchat_state *state;

    if (r->world.session_count >= MODEL_SESSIONS - 1)
        return;
    drop(r, i);
    random_map(r, &initial);
    compare_note("create handle %zu %s/%s with %zu keys", i, user, id, initial.count);
    state = compare_state_of(r->s, &initial);
    compare_outcome(agentchat_session_create(r->s->store, &(agentchat_session_id){r->app, user, id}, state,
                                             &r->handles[i].session, &r->s->err),
                    &r->s->err, model_create(&r->world, user, id, &initial, &r->handles[i].view));
    agentchat_state_free(state);
}

static void do_get(run *r)
{
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    size_t i = below(r, HANDLES), last = SIZE_MAX;
    int64_t since_ns = INT64_MIN;
    const char *user, *id;

    drop(r, i);
    pick_name(r, &user, &id);
    if (below(r, 2) == 0) {
        options.last = last = below(r, 6);
        options.no_events = last == 0;
    }
    if (below(r, 3) == 0)
        options.after_sequence = below(r, 12);
    options.has_since = below(r, 3) == 0;
    if (options.has_since)
        options.since_ns = since_ns = times_ns[below(r, 4)] + below(r, 2);
    compare_note("get handle %zu %s/%s last %zu after %" PRIu64 " since %" PRId64, i, user, id, last,
                 options.after_sequence, since_ns);
    compare_outcome(agentchat_session_get(r->s->store, &(agentchat_session_id){r->app, user, id}, &options,
                                          &r->handles[i].session, &r->s->err),
                    &r->s->err,
                    model_get(&r->world, user, id, last, options.after_sequence, since_ns, &r->handles[i].view));
}

/* Changes in the order in which they are stored: all that set, then all that delete, then all that add. */
static void random_changes(run *r, model_event *event)
{
    model_map seen = {.count = 0};

    for (int kind = MODEL_SET; kind <= MODEL_ADD; kind++) {
        for (uint32_t n = below(r, 3); n > 0; n--) {
            model_change *change = &event->changes[event->change_count];
            const char *key = any_key(r);

            if (model_find(&seen, key) != NULL)
                continue;
            model_put(&seen, key, "0", 0);
            *change = (model_change){.kind = (model_kind)kind};
            snprintf(change->key, sizeof change->key, "%s", key);
            if (kind == MODEL_SET)
                snprintf(change->value, sizeof change->value, "%s", PICK(r, values));
            if (kind == MODEL_ADD)
                change->amount = amounts[below(r, below(r, 4) == 0 ? 8 : 5)];
            event->change_count++;
        }
    }
}

static model_event random_event(run *r, const model_view *view)
{
    model_event event = {.author = "a"};
    uint32_t time = below(r, 8);

    if (!view->collects || below(r, 3) > 0)
        snprintf(event.id, sizeof event.id, "%s", PICK(r, event_ids));
    snprintf(event.invocation, sizeof event.invocation, "%s", PICK(r, invocations));
    snprintf(event.text, sizeof event.text, "%s", PICK(r, texts));
    if (below(r, 2) == 0)
        snprintf(event.author, sizeof event.author, "user");
    if (time < 4) {
        snprintf(event.time, sizeof event.time, "%s", times[time]);
        event.ns = times_ns[time];
    }
    event.partial = below(r, 20) == 0;
    random_changes(r, &event);
    return event;
}

/* Sometimes an event again that is there already. */
static void repeat_event(run *r, const model_view *view, model_event *event)
{
    const model_session *session = &r->world.sessions[view->session];
    const model_event *stored;

    if (session->event_count == 0 || below(r, 4) != 0)
        return;
    stored = &session->events[below(r, (uint32_t)session->event_count)];
    if (stored->id[0] == '\0' || strcmp(stored->author, "system") == 0)
        return; /* made and not seen yet; the library's own, whose changes stand in an order that the model ignores */
    *event = *stored;
    for (size_t i = 0; i < event->change_count; i++)
        if (event->changes[i].kind == MODEL_ADD)
            event->changes[i].value[0] = '\0';
    if (below(r, 3) == 0)
        event->time[0] = '\0';
    if (below(r, 3) == 0)
        event->invocation[0] = '\0';
    if (event->invocation[0] == '\0' && below(r, 4) == 0 && event->change_count > 0)
        event->change_count--;
}

static void do_append(run *r)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    size_t i = used_handle(r);
    model_expectation expectation = {.has_sequence = false};
    model_view *view;
    model_event event;
    agentchat_event *real;
    uint64_t sequence = 7, wanted = 0;

    if (i == HANDLES)
        return;
    view = &r->handles[i].view;
    if (r->world.sessions[view->session].event_count >= MODEL_EVENTS)
        return;
    event = random_event(r, view);
    repeat_event(r, view, &event);
    if (below(r, 3) == 0) {
        expectation.has_sequence = options.has_expect_sequence = true;
        expectation.sequence = options.expect_sequence = below(r, 3) == 0 ? below(r, 9) : view->sequence;
    }
    if (below(r, 4) == 0) {
        const char *key = PICK(r, stored_keys);
        const model_entry *entry = model_find(&view->map, key);

        expectation.has_key = true;
        snprintf(expectation.key, sizeof expectation.key, "%s", key);
        expectation.revision = below(r, 4) == 0 ? below(r, 6) : entry != NULL ? entry->revision : 0;
        options.expect_key = expectation.key;
        options.expect_revision = expectation.revision;
    }
    compare_note("append handle %zu", i);
    compare_note_event(&event);
    real = compare_event_of(r->s, &event);
    compare_outcome(agentchat_session_append(r->handles[i].session, real, &options, &sequence, &r->s->err), &r->s->err,
                    model_append(&r->world, view, &event, &expectation, &wanted));
    compare_number("sequence number", sequence, wanted);
    agentchat_event_unref(real);
}

/* One change by a call of its own. */
static void do_change(run *r)
{
    static const model_expectation nothing = {.has_sequence = false}, there = {.must_be_there = true};
    size_t i = used_handle(r);
    const char *key = any_key(r), *value = PICK(r, values);
    bool temporary = model_scope_of(key) == MODEL_TEMP;
    model_event event = {.author = "system", .change_count = 1};
    uint32_t what = below(r, 3);
    agentchat_session *session;
    model_view *view;
    uint64_t sequence;
    int64_t sum = 7, wanted = 0;

    if (i == HANDLES)
        return;
    session = r->handles[i].session;
    view = &r->handles[i].view;
    if (r->world.sessions[view->session].event_count >= MODEL_EVENTS)
        return;
    snprintf(event.changes[0].key, sizeof event.changes[0].key, "%s", key);
    event.changes[0].kind = (model_kind)what;
    if (what == MODEL_SET) {
        compare_note("set handle %zu %s=%s", i, key, value);
        snprintf(event.changes[0].value, sizeof event.changes[0].value, "%s", value);
        compare_outcome(agentchat_session_set(session, key, agentchat_str_from(value), &r->s->err), &r->s->err,
                        temporary ? model_set_temp(view, key, value)
                                  : model_append(&r->world, view, &event, &nothing, &sequence));
    } else if (what == MODEL_DELETE) {
        compare_note("delete key handle %zu %s", i, key);
        compare_outcome(agentchat_session_delete_key(session, key, &r->s->err), &r->s->err,
                        temporary ? model_delete_temp(view, key)
                                  : model_append(&r->world, view, &event, &there, &sequence));
    } else {
        model_outcome outcome;

        event.changes[0].amount = amounts[below(r, 6)];
        compare_note("add handle %zu %s+=%" PRId64, i, key, event.changes[0].amount);
        outcome = temporary ? model_add_temp(view, key, event.changes[0].amount, &wanted)
                            : model_append(&r->world, view, &event, &nothing, &sequence);
        compare_outcome(agentchat_session_add(session, key, event.changes[0].amount, &sum, &r->s->err), &r->s->err,
                        outcome);
        if (!temporary && outcome == MODEL_OK)
            wanted = strtoll(model_event_by_sequence(&r->world, view->session, sequence)->changes[0].value, NULL, 10);
        compare_number("sum", (uint64_t)sum, (uint64_t)wanted);
    }
}

static void do_apply(run *r)
{
    size_t i = used_handle(r);
    uint64_t sequence = 7, wanted = 0;
    agentchat_state *state;
    model_map map;

    if (i == HANDLES || r->world.sessions[r->handles[i].view.session].event_count >= MODEL_EVENTS)
        return;
    random_map(r, &map);
    compare_note("apply handle %zu %zu keys", i, map.count);
    state = compare_state_of(r->s, &map);
    compare_outcome(agentchat_session_apply_state(r->handles[i].session, state, &sequence, &r->s->err), &r->s->err,
                    model_apply(&r->world, &r->handles[i].view, &map, &wanted));
    compare_number("sequence number", sequence, wanted);
    agentchat_state_free(state);
}

static void do_rewind(run *r)
{
    size_t i = used_handle(r);
    const model_session *session;
    const char *target = NULL;
    uint64_t removed = 7, wanted = 0;
    char id[MODEL_NAME];

    if (i == HANDLES)
        return;
    session = &r->world.sessions[r->handles[i].view.session];
    if (below(r, 5) == 0) {
        target = PICK(r, event_ids);
    } else if (session->event_count > 0 && below(r, 4) > 0) {
        snprintf(id, sizeof id, "%s", session->events[below(r, (uint32_t)session->event_count)].id);
        target = id;
        if (id[0] == '\0')
            return; /* made and not seen yet */
    }
    compare_note("rewind handle %zu to %s", i, target != NULL ? target : "the beginning");
    compare_outcome(agentchat_session_rewind(r->handles[i].session, target, &removed, &r->s->err), &r->s->err,
                    model_rewind(&r->world, &r->handles[i].view, target, &wanted));
    compare_number("removed", removed, wanted);
}

static void do_invocation(run *r)
{
    size_t i = used_handle(r);
    model_view *view;
    const char *id;

    if (i == HANDLES)
        return;
    view = &r->handles[i].view;
    if (below(r, 3) == 0) {
        compare_note("invocation end handle %zu", i);
        agentchat_invocation_end(r->handles[i].session);
        model_end_invocation(view);
        return;
    }
    id = below(r, 2) == 0 ? "i1" : "given";
    compare_note("invocation begin handle %zu %s", i, id);
    compare_outcome(agentchat_invocation_begin(r->handles[i].session, id, &r->s->err), &r->s->err,
                    view->invoking ? MODEL_BUSY : MODEL_OK);
    if (!view->invoking)
        snprintf(view->invocation, sizeof view->invocation, "%s", id);
    view->invoking = true;
}

static void do_refresh(run *r)
{
    size_t i = used_handle(r);

    if (i == HANDLES)
        return;
    compare_note("refresh handle %zu", i);
    compare_outcome(agentchat_session_refresh(r->handles[i].session, &r->s->err), &r->s->err,
                    model_refresh(&r->world, &r->handles[i].view));
}

static void do_copy(run *r)
{
    const char *user, *id, *new_id = PICK(r, ids);

    if (r->world.session_count >= MODEL_SESSIONS - 1)
        return;
    pick_name(r, &user, &id);
    compare_note("copy %s/%s to %s", user, id, new_id);
    compare_outcome(
        agentchat_session_copy(r->s->store, &(agentchat_session_id){r->app, user, id}, new_id, NULL, &r->s->err),
        &r->s->err, model_copy(&r->world, user, id, new_id));
}

static void do_delete(run *r)
{
    const char *user, *id;
    uint64_t gone = 7;

    pick_name(r, &user, &id);
    if (below(r, 4) > 0) {
        compare_note("delete %s/%s", user, id);
        compare_outcome(agentchat_session_delete(r->s->store, &(agentchat_session_id){r->app, user, id}, &r->s->err),
                        &r->s->err, model_delete(&r->world, user, id));
        return;
    }
    compare_note("delete user %s", user);
    compare_outcome(agentchat_user_delete(r->s->store, r->app, user, &gone, &r->s->err), &r->s->err, MODEL_OK);
    compare_number("deleted sessions", gone, model_delete_user(&r->world, user));
}

/* Begins a list, or goes on with one. */
static void do_list(run *r)
{
    open_list *list = &r->lists[below(r, LISTS)];
    agentchat_session_list *page = NULL;
    model_row rows[MODEL_SESSIONS];
    size_t limit = 1 + below(r, 4), count;
    bool more = false;
    const char *cursor;

    if (!list->used) {
        list->of_all = below(r, 2) == 0;
        snprintf(list->user, sizeof list->user, "%s", PICK(r, users));
    }
    compare_note("list %td %s limit %zu %s", list - r->lists, list->of_all ? "of all" : list->user, limit,
                 list->used ? "goes on" : "begins");
    compare_outcome(agentchat_session_list_read(
                        r->s->store, r->app,
                        &(agentchat_session_list_options){.struct_size = sizeof(agentchat_session_list_options),
                                                          .user = list->of_all ? NULL : list->user,
                                                          .cursor = list->used ? list->cursor : NULL,
                                                          .limit = limit},
                        &page, &r->s->err),
                    &r->s->err, MODEL_OK);
    count =
        model_list(&r->world, list->of_all ? NULL : list->user, list->used ? &list->after : NULL, rows, limit, &more);
    compare_page(page, &r->world, rows, count, more);
    cursor = agentchat_session_list_cursor(page);
    list->used = more;
    if (more) {
        assert_true(strlen(cursor) < sizeof list->cursor);
        strcpy(list->cursor, cursor);
        list->after = rows[count - 1];
    }
    agentchat_session_list_free(page);
}

static void do_scope_state(run *r)
{
    const char *user = below(r, 3) == 0 ? NULL : PICK(r, users);
    agentchat_state *state = NULL;
    model_map map;

    compare_note("scope state of %s", user != NULL ? user : "the application");
    compare_outcome(agentchat_scope_state(r->s->store, r->app, user, &state, &r->s->err), &r->s->err, MODEL_OK);
    model_scope_state(&r->world, user, &map);
    compare_map(state, &map);
    agentchat_state_free(state);
}

/* The clock goes on, stands still, or goes back. */
static void tick(run *r)
{
    uint32_t how = below(r, 8);

    r->s->now_us += how == 0 ? -(int64_t)below(r, 5000) : how < 3 ? 0 : below(r, 1000);
    r->world.now_us = r->s->now_us;
}

/* ---- sequences -------------------------------------------------------------------------------------------------- */

static const struct {
    void (*operation)(run *r);
    uint32_t weight;
} operations[] = {
    {do_append, 30}, {do_change, 14},    {do_create, 8}, {do_get, 12},   {do_refresh, 6}, {do_rewind, 7},
    {do_apply, 5},   {do_invocation, 5}, {do_list, 8},   {do_delete, 3}, {do_copy, 3},    {do_scope_state, 3},
};

static void one_operation(run *r)
{
    uint32_t all = 0, chosen;
    size_t i = 0;

    for (size_t j = 0; j < sizeof operations / sizeof *operations; j++)
        all += operations[j].weight;
    chosen = below(r, all);
    while (chosen >= operations[i].weight)
        chosen -= operations[i++].weight;
    tick(r);
    operations[i].operation(r);
    for (size_t h = 0; h < HANDLES; h++)
        if (r->handles[h].session != NULL)
            compare_handle(r->handles[h].session, &r->world, &r->handles[h].view);
}

/* Everything that there is, got anew. */
static void compare_all(run *r)
{
    for (size_t i = 0; i < r->world.session_count; i++) {
        const model_session *session = &r->world.sessions[i];
        agentchat_session *handle = NULL;
        static model_view view;

        if (!session->exists)
            continue;
        compare_note("at the end: %s/%s", session->user, session->id);
        test_ok(agentchat_session_get(r->s->store, &(agentchat_session_id){r->app, session->user, session->id}, NULL,
                                      &handle, &r->s->err),
                &r->s->err);
        model_get(&r->world, session->user, session->id, SIZE_MAX, 0, INT64_MIN, &view);
        compare_handle(handle, &r->world, &view);
        agentchat_session_free(handle);
    }
}

static void one_sequence(run *r, uint64_t seed)
{
    compare_begin(seed);
    r->random = seed;
    snprintf(r->app, sizeof r->app, "%s-%" PRIu64, r->s->app, seed);
    r->world.revision = 0;
    r->world.map.count = r->world.user_count = r->world.session_count = 0;
    memset(r->lists, 0, sizeof r->lists);
    r->s->now_us = INT64_C(1800000000000000) + below(r, 1000);
    r->s->step_us = 0;
    for (int i = 0; i < 3; i++) {
        tick(r);
        do_create(r);
    }
    for (int i = 0; i < OPERATIONS; i++)
        one_operation(r);
    for (size_t i = 0; i < HANDLES; i++)
        drop(r, i);
    compare_all(r);
}

static void test_model__random_operations_do_what_the_model_does(void **state)
{
    static run r;
    scene *s = *state;
    uint64_t seed = test_number("AGENTCHAT_TEST_SEED", 1);
    unsigned long sequences = test_number("AGENTCHAT_TEST_SEQUENCES", 500) / (s->kind == STORE_POSTGRES ? 12 : 1);

    r.s = s;
    for (unsigned long i = 0; i < sequences; i++) {
        one_sequence(&r, seed + i);
        if (i % SEQUENCES_OF_A_STORE == SEQUENCES_OF_A_STORE - 1 && !scene_is_shared(s))
            scene_reopen(s); /* a new one */
    }
    expect_sound(s->store);
    compare_report(sequences);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_model__random_operations_do_what_the_model_does),
    };

    scene_files_in_memory();
    if (!scene_program("session.model", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
