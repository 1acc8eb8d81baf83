/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker does. */
#include "session/processes/worker.h"

#include <agentchat/session.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct worker {
    const worker_job *job;
    agentchat_store *store;
    agentchat_session *sessions[SESSIONS]; /* NULL: not got yet */
    uint64_t random;
    int log;
    agentchat_error err;
} worker;

int64_t worker_now_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static uint64_t mixed(uint64_t value)
{
    value ^= value >> 33;
    value *= UINT64_C(0xff51afd7ed558ccd);
    value ^= value >> 33;
    value *= UINT64_C(0xc4ceb9fe1a85ec53);
    return value ^ value >> 33;
}

static uint32_t below(worker *w, uint32_t limit)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((w->random >> 33) % limit);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

void worker_session_name(int session, char user[16], char id[16])
{
    snprintf(user, 16, "u%d", session % 2);
    snprintf(id, 16, "s%d", session);
}

worker_event worker_event_of(int number, unsigned long n)
{
    uint64_t bits = mixed(((uint64_t)number << 40) ^ n);
    worker_event event;

    event.session = bits % 10 < 6 ? 0 : (int)((bits >> 8) % SESSIONS);
    event.app_key = bits >> 16 & 1 ? (int)((bits >> 17) % WORKER_KEYS) : -1;
    event.user_key = bits >> 24 & 1 ? (int)((bits >> 25) % WORKER_KEYS) : -1;
    event.counts_app = (bits >> 32) % 4 == 0;
    event.counts_user = (bits >> 36) % 4 == 0;
    return event;
}

static agentchat_status build(worker *w, unsigned long n, const worker_event *wanted, agentchat_event **out)
{
    agentchat_event_builder *builder = NULL;
    agentchat_status status;
    char name[48], value[64], key[32];

    snprintf(name, sizeof name, "w%d-%lu", w->job->number, n);
    snprintf(value, sizeof value, "\"%s\"", name);
    status = agentchat_event_builder_new(NULL, agentchat_str_from(name), &builder, &w->err);
    if (status < 0)
        return status;
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(name));
    agentchat_event_builder_add_state(builder, "n", 1);
    snprintf(key, sizeof key, "last-%d", w->job->number);
    agentchat_event_builder_set_state(builder, key, agentchat_str_from(value));
    if (wanted->app_key >= 0) {
        snprintf(key, sizeof key, "app:k%d", wanted->app_key);
        agentchat_event_builder_set_state(builder, key, agentchat_str_from(value));
    }
    if (wanted->user_key >= 0) {
        snprintf(key, sizeof key, "user:k%d", wanted->user_key);
        agentchat_event_builder_set_state(builder, key, agentchat_str_from(value));
    }
    if (wanted->counts_app)
        agentchat_event_builder_add_state(builder, "app:n", 1);
    if (wanted->counts_user)
        agentchat_event_builder_add_state(builder, "user:n", 1);
    return agentchat_event_builder_finish(builder, out, &w->err);
}

/* ---- the log ---------------------------------------------------------------------------------------------------- */

static FILE *open_log(const char *dir, int number, const char *how)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/w%d.log", dir, number);
    return fopen(path, how);
}

size_t worker_acknowledged(const char *dir, int number, uint64_t **sequences)
{
    FILE *log = open_log(dir, number, "r");
    size_t count = 0, cap = 0;
    unsigned long n;
    char line[128];

    *sequences = NULL;
    /* A line that was cut off when its writer was killed has no end; the event is tried again, so it counts later. */
    while (log != NULL && fgets(line, sizeof line, log) != NULL && strchr(line, '\n') != NULL) {
        uint64_t sequence;

        if (sscanf(line, "%lu %" SCNu64, &n, &sequence) != 2 || n != count + 1)
            break;
        if (count == cap) {
            cap = cap == 0 ? 1024 : cap * 2;
            *sequences = realloc(*sequences, cap * sizeof **sequences);
            if (*sequences == NULL)
                abort();
        }
        (*sequences)[count++] = sequence;
    }
    if (log != NULL)
        fclose(log);
    return count;
}

/* Written with one call, so that a killed worker leaves complete lines. */
static agentchat_status acknowledge(worker *w, unsigned long n, uint64_t sequence)
{
    char line[64];
    int len = snprintf(line, sizeof line, "%lu %" PRIu64 "\n", n, sequence);

    return write(w->log, line, (size_t)len) == len ? AGENTCHAT_OK : AGENTCHAT_E_IO;
}

/* ---- appending -------------------------------------------------------------------------------------------------- */

static agentchat_status handle_of(worker *w, int session, agentchat_session **out)
{
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_status status = AGENTCHAT_OK;
    char user[16], id[16];

    if (w->sessions[session] != NULL && below(w, 200) == 0) { /* a handle that has seen little */
        agentchat_session_free(w->sessions[session]);
        w->sessions[session] = NULL;
    }
    if (w->sessions[session] == NULL) {
        worker_session_name(session, user, id);
        options.last = 3;
        options.no_events = below(w, 2) == 0;
        status = agentchat_session_get(w->store, &(agentchat_session_id){w->job->app, user, id}, &options,
                                       &w->sessions[session], &w->err);
    }
    *out = w->sessions[session];
    return status;
}

static agentchat_status append_one(worker *w, unsigned long n)
{
    worker_event wanted = worker_event_of(w->job->number, n);
    agentchat_session *session = NULL;
    agentchat_event *event = NULL;
    uint64_t sequence = 0;
    agentchat_status status = handle_of(w, wanted.session, &session);

    if (status >= 0)
        status = build(w, n, &wanted, &event);
    if (status >= 0)
        status = agentchat_session_append(session, event, NULL, &sequence, &w->err);
    if (status >= 0)
        status = acknowledge(w, n, sequence);
    agentchat_event_unref(event);
    return status;
}

static agentchat_status append_all(worker *w)
{
    agentchat_status status = AGENTCHAT_OK;
    uint64_t *sequences;
    unsigned long n = worker_acknowledged(w->job->dir, w->job->number, &sequences);

    free(sequences);
    while (status >= 0 && (w->job->until_ms == 0 || worker_now_ms() < w->job->until_ms) &&
           (w->job->most == 0 || n < w->job->most))
        status = append_one(w, ++n);
    return status;
}

/* ---- counting --------------------------------------------------------------------------------------------------- */

static agentchat_status count_up(worker *w)
{
    static const char *const keys[] = {"app:count", "user:count", "count"};
    agentchat_session *session = NULL;
    agentchat_status status = AGENTCHAT_OK;
    int64_t before[3] = {0, 0, 0}, sum = 0;

    for (unsigned long i = 0; i < w->job->most && status >= 0; i++) {
        status = handle_of(w, 0, &session);
        if (status >= 0)
            status = agentchat_session_add(session, keys[i % 3], 1, &sum, &w->err);
        if (status >= 0 && sum <= before[i % 3])
            status = agentchat_error_set(&w->err, AGENTCHAT_E_INTERNAL, "the sum went back");
        before[i % 3] = sum;
    }
    return status;
}

/* ---- complete states -------------------------------------------------------------------------------------------- */

/* Makes the session's state the worker's own, as a whole, again and again. */
static agentchat_status apply_states(worker *w)
{
    agentchat_session *session = NULL;
    agentchat_status status = AGENTCHAT_OK;
    char key[16], value[16];

    while (status >= 0 && worker_now_ms() < w->job->until_ms) {
        agentchat_state *wanted = NULL;
        uint32_t round = below(w, 1000);

        status = agentchat_state_new(NULL, &wanted, &w->err);
        for (int i = 0; i < 5 && status >= 0; i++) {
            if (((w->job->number + 1) >> (i % 3) & 1) != 0) /* other workers want other keys */
                continue;
            snprintf(key, sizeof key, "k%d", i);
            snprintf(value, sizeof value, "%d%03u", w->job->number + 1, round);
            status = agentchat_state_set(wanted, key, agentchat_str_from(value), &w->err);
        }
        snprintf(value, sizeof value, "%d%03u", w->job->number + 1, round);
        if (status >= 0)
            status = agentchat_state_set(wanted, "mark", agentchat_str_from(value), &w->err);
        if (status >= 0)
            status = handle_of(w, 0, &session);
        if (status >= 0)
            status = agentchat_session_apply_state(session, wanted, NULL, &w->err);
        agentchat_state_free(wanted);
    }
    return status;
}

/* ---- everything at once ----------------------------------------------------------------------------------------- */

static agentchat_status churn_one(worker *w)
{
    agentchat_session *session = NULL;
    agentchat_state *initial = NULL;
    agentchat_status status;
    char user[16], id[16], other[16];

    snprintf(user, sizeof user, "c%u", below(w, 2));
    snprintf(id, sizeof id, "s%u", below(w, 3));
    snprintf(other, sizeof other, "s%u", below(w, 3));
    switch (below(w, 12)) {
    case 0:
        return agentchat_session_delete(w->store, &(agentchat_session_id){w->job->app, user, id}, &w->err);
    case 1:
        return agentchat_user_delete(w->store, w->job->app, user, NULL, &w->err);
    case 2:
        return agentchat_session_copy(w->store, &(agentchat_session_id){w->job->app, user, id}, other, NULL, &w->err);
    case 3:
    case 4:
    case 5:
        status = agentchat_state_read(NULL, AGENTCHAT_STR("{\"app:a\":1,\"user:b\":2,\"c\":3}"), &initial, &w->err);
        if (status >= 0)
            status = agentchat_session_create(w->store, &(agentchat_session_id){w->job->app, user, id}, initial,
                                              &session, &w->err);
        break;
    default:
        status =
            agentchat_session_get(w->store, &(agentchat_session_id){w->job->app, user, id}, NULL, &session, &w->err);
        break;
    }
    for (uint32_t i = below(w, 5); i > 0 && status >= 0; i--) {
        switch (below(w, 4)) {
        case 0:
            status = agentchat_session_rewind(session, NULL, NULL, &w->err);
            break;
        case 1:
            status = agentchat_session_add(session, "user:n", 1, NULL, &w->err);
            break;
        case 2:
            status = agentchat_session_set(session, "user:b", AGENTCHAT_STR("\"x\""), &w->err);
            break;
        default:
            status = agentchat_session_add(session, "c", 1, NULL, &w->err);
            break;
        }
    }
    agentchat_state_free(initial);
    agentchat_session_free(session);
    return status;
}

/* ---- one name --------------------------------------------------------------------------------------------------- */

/* Everybody makes, copies and deletes the same two sessions: each call reports that it was done, or who was faster, and
   nothing else. */
static agentchat_status race_one(worker *w)
{
    agentchat_session *session = NULL;
    agentchat_status status;

    switch (below(w, 4)) {
    case 0:
        return agentchat_session_delete(w->store, &(agentchat_session_id){w->job->app, "race", "one"}, &w->err);
    case 1:
        return agentchat_session_delete(w->store, &(agentchat_session_id){w->job->app, "race", "two"}, &w->err);
    case 2:
        return agentchat_session_copy(w->store, &(agentchat_session_id){w->job->app, "race", "one"}, "two", NULL,
                                      &w->err);
    default:
        status = agentchat_session_create(w->store, &(agentchat_session_id){w->job->app, "race", "one"}, NULL, &session,
                                          &w->err);
        agentchat_session_free(session);
        return status;
    }
}

/* ---- one moment ------------------------------------------------------------------------------------------------- */

/* Each event gives three keys, one of each scope, the same value. */
static agentchat_status set_same(worker *w)
{
    agentchat_session *session = NULL;
    agentchat_event_builder *builder;
    agentchat_event *event = NULL;
    agentchat_status status = handle_of(w, 0, &session);
    char value[32];

    if (status < 0)
        return status;
    snprintf(value, sizeof value, "%d%06u", w->job->number + 1, below(w, 1000000));
    status = agentchat_event_builder_new(NULL, AGENTCHAT_STR("same"), &builder, &w->err);
    if (status < 0)
        return status;
    agentchat_event_builder_set_state(builder, "app:x", agentchat_str_from(value));
    agentchat_event_builder_set_state(builder, "user:x", agentchat_str_from(value));
    agentchat_event_builder_set_state(builder, "x", agentchat_str_from(value));
    status = agentchat_event_builder_finish(builder, &event, &w->err);
    if (status >= 0)
        status = agentchat_session_append(session, event, NULL, NULL, &w->err);
    agentchat_event_unref(event);
    return status;
}

/* What a handle shows was there at one moment: the three keys are alike, its last event set them, and it is as long as
   its sequence says. */
static agentchat_status check_moment(worker *w, const agentchat_session *session)
{
    const agentchat_state *shown = agentchat_session_state(session);
    size_t count = agentchat_session_event_count(session);
    agentchat_str x = agentchat_state_get(shown, "x");

    if (!agentchat_str_equal(agentchat_state_get(shown, "app:x"), x) ||
        !agentchat_str_equal(agentchat_state_get(shown, "user:x"), x))
        return agentchat_error_set(&w->err, AGENTCHAT_E_INTERNAL, "the scopes are of different moments");
    if (count != agentchat_session_sequence(session))
        return agentchat_error_set(&w->err, AGENTCHAT_E_INTERNAL, "the events are of another moment than the session");
    if (count > 0 &&
        !agentchat_str_equal(agentchat_event_change(agentchat_session_event(session, count - 1), 0)->value, x))
        return agentchat_error_set(&w->err, AGENTCHAT_E_INTERNAL, "the events are of another moment than the state");
    return AGENTCHAT_OK;
}

/* A new handle now and then, else one that is brought up to date. */
static agentchat_status look_once(worker *w)
{
    agentchat_status status = AGENTCHAT_OK;
    char user[16], id[16];

    worker_session_name(0, user, id);
    if (below(w, 3) == 0) {
        agentchat_session_free(w->sessions[0]);
        w->sessions[0] = NULL;
    }
    if (w->sessions[0] == NULL)
        status = agentchat_session_get(w->store, &(agentchat_session_id){w->job->app, user, id}, NULL, &w->sessions[0],
                                       &w->err);
    else
        status = agentchat_session_refresh(w->sessions[0], &w->err);
    return status < 0 ? status : check_moment(w, w->sessions[0]);
}

/* ---- lives ------------------------------------------------------------------------------------------------------ */

/* Sessions come and go under everybody's hands: what cannot be is said so, and by nothing else. What was done is
   acknowledged. */
static agentchat_status come_and_go(worker *w, agentchat_status (*one)(worker *w))
{
    agentchat_status status = AGENTCHAT_OK;
    unsigned long done = 0;

    while (status >= 0 && (done < WORKER_LEAST || worker_now_ms() < w->job->until_ms)) {
        status = one(w);
        if (status >= 0)
            status = acknowledge(w, ++done, 0);
        if (status == AGENTCHAT_E_NOTFOUND || status == AGENTCHAT_E_EXISTS)
            status = AGENTCHAT_OK;
    }
    return status;
}

static agentchat_status live(worker *w)
{
    char path[4096];
    agentchat_status status = agentchat_store_open(NULL, w->job->url, NULL, &w->store, &w->err);

    if (status < 0)
        return status;
    snprintf(path, sizeof path, "%s/w%d.log", w->job->dir, w->job->number);
    w->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (w->log < 0)
        return agentchat_error_set(&w->err, AGENTCHAT_E_IO, "cannot open the log");
    if (strcmp(w->job->mode, "append") == 0)
        return append_all(w);
    if (strcmp(w->job->mode, "count") == 0)
        return count_up(w);
    if (strcmp(w->job->mode, "apply") == 0)
        return apply_states(w);
    if (strcmp(w->job->mode, "same") == 0)
        return come_and_go(w, set_same);
    if (strcmp(w->job->mode, "look") == 0)
        return come_and_go(w, look_once);
    return come_and_go(w, strcmp(w->job->mode, "race") == 0 ? race_one : churn_one);
}

int worker_run(const worker_job *job)
{
    worker w = {.job = job, .random = mixed((uint64_t)job->number + 1) ^ (uint64_t)getpid(), .log = -1};
    agentchat_status status;

    agentchat_error_clear(&w.err);
    status = live(&w);
    if (status < 0) {
        fprintf(stderr, "worker %d (%s): %s: ", job->number, job->mode, agentchat_status_name(status));
        agentchat_error_print(&w.err, stderr);
    }
    for (int i = 0; i < SESSIONS; i++)
        agentchat_session_free(w.sessions[i]);
    agentchat_store_close(w.store);
    if (w.log >= 0)
        close(w.log);
    return status < 0 ? 1 : 0;
}
