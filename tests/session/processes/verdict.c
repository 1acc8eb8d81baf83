/* SPDX-License-Identifier: Apache-2.0 */
/* Reading everything back and comparing it with the logs of the workers. */
#include "session/processes/verdict.h"

#include "session/processes/worker.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct stored {
    int worker, session;
    unsigned long n;
    uint64_t sequence, app_revision, user_revision;
    int64_t app_sum, user_sum; /* 0: it does not count */
} stored;

typedef struct books {
    agentchat_store *store;
    const char *app, *dir;
    stored *events;
    size_t count, cap;
    uint64_t *sequences[WORKERS]; /* of the acknowledged events, by n - 1 */
    size_t acknowledged[WORKERS];
    agentchat_error err;
} books;

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static int64_t sum_of(const agentchat_event *event, const char *key)
{
    for (size_t i = 0; i < agentchat_event_change_count(event); i++) {
        const agentchat_change *change = agentchat_event_change(event, i);

        if (change->kind == AGENTCHAT_CHANGE_ADD && strcmp(change->key, key) == 0) {
            char digits[24] = "";

            assert_true(change->value.len < sizeof digits);
            memcpy(digits, change->value.ptr, change->value.len);
            return strtoll(digits, NULL, 10);
        }
    }
    return 0;
}

static void take_event(books *b, int session, const agentchat_event *event)
{
    agentchat_str id = agentchat_event_get(event, AGENTCHAT_EVENT_ID);
    char text[64];
    stored s = {.session = session};

    assert_true(id.len < sizeof text);
    memcpy(text, id.ptr, id.len);
    text[id.len] = '\0';
    assert_int_equal(sscanf(text, "w%d-%lu", &s.worker, &s.n), 2);
    assert_true(s.worker >= 0 && s.worker < WORKERS && s.n > 0);
    s.sequence = agentchat_event_sequence(event);
    s.app_revision = agentchat_event_revision(event, AGENTCHAT_SCOPE_APP);
    s.user_revision = agentchat_event_revision(event, AGENTCHAT_SCOPE_USER);
    s.app_sum = sum_of(event, "app:n");
    s.user_sum = sum_of(event, "user:n");
    if (b->count == b->cap) {
        b->cap = b->cap == 0 ? 4096 : b->cap * 2;
        b->events = realloc(b->events, b->cap * sizeof *b->events);
        assert_non_null(b->events);
    }
    b->events[b->count++] = s;
}

static agentchat_session *get(books *b, int session, bool with_events)
{
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_session *handle = NULL;
    char user[16], id[16];

    options.no_events = !with_events;
    worker_session_name(session, user, id);
    test_ok(agentchat_session_get(b->store, &(agentchat_session_id){b->app, user, id}, &options, &handle, &b->err),
            &b->err);
    return handle;
}

/* Sequence numbers have no gaps, and the counter of the session is their number. */
static void read_session(books *b, int session)
{
    agentchat_session *handle = get(b, session, true);
    size_t count = agentchat_session_event_count(handle);
    char sum[24];

    assert_int_equal(agentchat_session_sequence(handle), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(agentchat_event_sequence(agentchat_session_event(handle, i)), i + 1);
        take_event(b, session, agentchat_session_event(handle, i));
    }
    snprintf(sum, sizeof sum, "%zu", count);
    if (count > 0)
        expect_key(handle, "n", sum);
    agentchat_session_free(handle);
}

/* ---- comparing with the logs ------------------------------------------------------------------------------------ */

/* Events are read session by session in the order of their sequence numbers, so the n of each writer rise within
   one. */
static void check_order_of_writers(const books *b)
{
    unsigned long before[WORKERS];

    for (size_t i = 0; i < b->count; i++) {
        const stored *s = &b->events[i];

        if (i == 0 || b->events[i - 1].session != s->session)
            memset(before, 0, sizeof before);
        assert_true(s->n > before[s->worker]);
        before[s->worker] = s->n;
    }
}

static void check_acknowledged(books *b)
{
    size_t all = 0;

    for (size_t i = 0; i < b->count; i++) {
        const stored *s = &b->events[i];
        worker_event wanted = worker_event_of(s->worker, s->n);

        if (s->n > b->acknowledged[s->worker])
            fail_msg("event w%d-%lu is there, but was never acknowledged", s->worker, s->n);
        assert_int_equal(s->session, wanted.session);
        if (b->sequences[s->worker][s->n - 1] != s->sequence)
            fail_msg("event w%d-%lu is at %" PRIu64 ", but was acknowledged at %" PRIu64
                     ": it is there twice, or another one is lost",
                     s->worker, s->n, s->sequence, b->sequences[s->worker][s->n - 1]);
    }
    for (int worker = 0; worker < WORKERS; worker++)
        all += b->acknowledged[worker];
    assert_int_equal(b->count, all); /* sequence numbers are unique in a session, so none is there twice */
}

/* ---- revisions -------------------------------------------------------------------------------------------------- */

/* Of one scope: the application (user -1) or a user. by_revision[r - 1] is the event that made revision r. */
static void check_scope(books *b, int user)
{
    const stored **by_revision = calloc(b->count + 1, sizeof *by_revision);
    agentchat_session *handle = get(b, user < 0 ? 0 : user, false);
    size_t revisions = 0;
    int64_t sum = 0;
    char text[64], key[32];

    assert_non_null(by_revision);
    for (size_t i = 0; i < b->count; i++) {
        const stored *s = &b->events[i];
        uint64_t revision = user < 0 ? s->app_revision : s->session % 2 == user ? s->user_revision : 0;

        if (revision == 0)
            continue;
        assert_true(revision <= b->count);
        assert_null(by_revision[revision - 1]); /* no revision twice */
        by_revision[revision - 1] = s;
        revisions++;
    }
    for (size_t r = 0; r < revisions; r++) {
        const stored *s = by_revision[r];

        assert_non_null(s); /* and none missing */
        if ((user < 0 ? s->app_sum : s->user_sum) != 0)
            assert_int_equal(user < 0 ? s->app_sum : s->user_sum, ++sum);
    }
    for (int k = 0; k < WORKER_KEYS; k++) {
        for (size_t r = revisions; r-- > 0;) {
            const stored *s = by_revision[r];
            worker_event wanted = worker_event_of(s->worker, s->n);

            if ((user < 0 ? wanted.app_key : wanted.user_key) != k)
                continue;
            snprintf(key, sizeof key, "%s:k%d", user < 0 ? "app" : "user", k);
            snprintf(text, sizeof text, "\"w%d-%lu\"", s->worker, s->n);
            expect_key(handle, key, text);
            assert_int_equal(agentchat_session_revision(handle, key), r + 1);
            break;
        }
    }
    agentchat_session_free(handle);
    free(by_revision);
}

size_t verdict_of_appending(agentchat_store *store, const char *app, const char *dir)
{
    books b = {.store = store, .app = app, .dir = dir};
    size_t count;

    for (int worker = 0; worker < WORKERS; worker++)
        b.acknowledged[worker] = worker_acknowledged(dir, worker, &b.sequences[worker]);
    for (int session = 0; session < SESSIONS; session++)
        read_session(&b, session);
    check_acknowledged(&b);
    check_order_of_writers(&b);
    check_scope(&b, -1);
    check_scope(&b, 0);
    check_scope(&b, 1);
    expect_sound(store);
    for (int worker = 0; worker < WORKERS; worker++)
        free(b.sequences[worker]);
    free(b.events);
    count = b.count;
    return count;
}
