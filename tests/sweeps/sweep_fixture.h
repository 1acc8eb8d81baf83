/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixture of sweeps that need a store: one in memory with a session in it. Each row has two variants: 0, in which
 * the environment's allocations fail, and each of them must show; 1, in which SQLite's fail too, without some of which
 * it gets along.
 */
#ifndef SWEEP_FIXTURE_H
#define SWEEP_FIXTURE_H

#include "sqlite_memory.h"
#include "sweep.h"

#include <agentchat/session.h>
#include <agentchat/sqlite.h>

#include <stdio.h>

enum { FIXTURE_VARIANTS = 2 };

typedef struct fixture {
    const agentchat_env *env;
    agentchat_store *store;
    agentchat_session *session; /* "s" of user "u" and application "a" */
    size_t before;              /* SQLite's memory */
    char shown[1024];           /* what the handle shows and what is stored, before the call */
    char stored[1024];
} fixture;

static inline agentchat_event *fixture_event(const agentchat_env *env, const char *id, const char *key,
                                             const char *value)
{
    agentchat_event_builder *builder = test_event_builder(env, "agent");
    agentchat_event *event = NULL;
    agentchat_error err;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    agentchat_event_builder_set_state(builder, key, agentchat_str_from(value));
    agentchat_event_builder_add_state(builder, "app:n", 1);
    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    return event;
}

static inline void fixture_append(const fixture *p, agentchat_session *session, const char *id, const char *value)
{
    agentchat_event *event = fixture_event(p->env, id, "k", value);
    agentchat_error err;

    test_ok(agentchat_session_append(session, event, NULL, NULL, &err), &err);
    agentchat_event_unref(event);
}

static inline agentchat_session *fixture_get(const fixture *p, const char *id)
{
    agentchat_session *session = NULL;
    agentchat_error err;

    test_ok(agentchat_session_get(p->store, &(agentchat_session_id){"a", "u", id}, NULL, &session, &err), &err);
    return session;
}

static inline int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "SEQUENCE KEY=VALUE KEY=VALUE … ID ID …", keys sorted. */
static inline void fixture_text(const agentchat_session *session, char out[1024])
{
    const char *keys[16], *key;
    size_t count = 0;
    int len = snprintf(out, 1024, "%llu", (unsigned long long)agentchat_session_sequence(session));

    for (size_t at = 0; agentchat_state_next(agentchat_session_state(session), &at, &key, NULL);) {
        assert_true(count < 16);
        keys[count++] = key;
    }
    qsort(keys, count, sizeof *keys, by_name);
    for (size_t i = 0; i < count; i++)
        len += snprintf(out + len, 1024 - (size_t)len, " %s=" AGENTCHAT_STR_FMT, keys[i],
                        AGENTCHAT_STR_ARG(agentchat_state_get(agentchat_session_state(session), keys[i])));
    for (size_t i = 0; i < agentchat_session_event_count(session); i++) {
        agentchat_str id = agentchat_event_get(agentchat_session_event(session, i), AGENTCHAT_EVENT_ID);

        /* Made ids are all alike. */
        len += snprintf(out + len, 1024 - (size_t)len, " " AGENTCHAT_STR_FMT,
                        AGENTCHAT_STR_ARG(id.len == 36 ? AGENTCHAT_STR("*") : id));
        assert_in_range(len, 0, 1023);
    }
}

static inline void fixture_stored(const fixture *p, const char *id, char out[1024])
{
    agentchat_session *session = fixture_get(p, id);

    fixture_text(session, out);
    agentchat_session_free(session);
}

/* A session with two events, and another handle's event that this one has not seen yet when `outdated`. */
static inline void fixture_begin(fixture *p, const agentchat_env *env, unsigned variant, bool outdated)
{
    agentchat_session *other;
    agentchat_state *initial = NULL;
    agentchat_error err;

    memset(p, 0, sizeof *p);
    p->env = env;
    p->before = sqlite_memory_used();
    test_ok(agentchat_sqlite_open(env, NULL, NULL, &p->store, &err), &err);
    test_ok(agentchat_state_read(env, AGENTCHAT_STR("{\"app:a\":1,\"user:b\":[2],\"k\":0}"), &initial, &err), &err);
    test_ok(agentchat_session_create(p->store, &(agentchat_session_id){"a", "u", "s"}, initial, &p->session, &err),
            &err);
    agentchat_state_free(initial);
    fixture_append(p, p->session, "e1", "1");
    fixture_append(p, p->session, "e2", "\"two\"");
    if (outdated) {
        other = fixture_get(p, "s");
        fixture_append(p, other, "theirs", "3");
        agentchat_session_free(other);
    }
    fixture_text(p->session, p->shown);
    fixture_stored(p, "s", p->stored);
    if (variant == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant == 1);
}

/* After a call that failed: the handle and the store are as they were. */
static inline void fixture_expect_unchanged(const fixture *p)
{
    char now[1024];

    sqlite_memory_count(false);
    fixture_text(p->session, now);
    assert_string_equal(now, p->shown);
    fixture_stored(p, "s", now);
    assert_string_equal(now, p->stored);
}

/* What the handle shows, and what is stored. */
static inline void fixture_expect(const fixture *p, const char *expected)
{
    char now[1024];

    sqlite_memory_count(false);
    fixture_text(p->session, now);
    assert_string_equal(now, expected);
    agentchat_session_refresh(p->session, NULL);
    fixture_text(p->session, now);
    assert_string_equal(now, expected);
}

static inline void fixture_end(fixture *p)
{
    sqlite_memory_count(false);
    agentchat_session_free(p->session);
    agentchat_store_close(p->store);
    assert_int_equal(sqlite_memory_used(), p->before);
}

#endif
