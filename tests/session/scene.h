/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of sessions share: a URL for each kind of store, by which one can be opened again and again, an
 * application that no other test has, a clock that the test sets, and short ways of saying what is done and expected.
 *
 * Changes of state are written as words separated by spaces: `key=JSON` sets, `-key` deletes, `key+=N` adds; there are
 * no spaces in keys and values.
 */
#ifndef SESSION_SCENE_H
#define SESSION_SCENE_H

#include "support/test_support.h"

#include <agentchat/event.h>
#include <agentchat/session.h>
#include <agentchat/state.h>
#include <agentchat/store.h>

typedef enum store_kind { STORE_MEMORY, STORE_SQLITE, STORE_POSTGRES } store_kind;

typedef struct scene {
    store_kind kind;
    const char *url;    /* what opens the store */
    agentchat_env *env; /* its clock is now_us */
    int64_t now_us;     /* what the clock shows next */
    int64_t step_us;    /* by how much it goes on with each look at it */
    agentchat_store *store;
    char app[64];        /* no other test has it */
    agentchat_error err; /* of the last call */
} scene;

/* ---- programs --------------------------------------------------------------------------------------------------- */

/* Takes `memory`, `sqlite` or `postgres` as the first argument, and optionally a cmocka filter as the second; false for
   a wrong call. name: of the test without the store. Where there is no server, the program ends with status 77. */
bool scene_program(const char *name, int argc, char **argv);
/* Temporary files go where flushing them costs nothing, if there is such a directory and TMPDIR does not say otherwise;
   for programs that make many and lose none. */
void scene_files_in_memory(void);
/* The kind that was asked for. */
store_kind scene_kind(void);

/* A scene for a test: for cmocka. */
int scene_begin(void **state);
int scene_end(void **state);
#define SCENE_TEST(function) cmocka_unit_test_setup_teardown(function, scene_begin, scene_end)

/* Whether a store outlives its handle and can be opened twice: all but that in memory. A test that needs it skips
   otherwise. */
bool scene_is_shared(const scene *s);
/* Opens the store once more, as another program would; to be closed by the caller. */
agentchat_store *scene_open(scene *s, const agentchat_store_options *options);
/* Closes the store and opens it again. */
void scene_reopen(scene *s);

/* ---- doing ------------------------------------------------------------------------------------------------------ */

/* Applications `app` of the scene. initial: a JSON object, or NULL. All of these must succeed. */
agentchat_session *scene_create(scene *s, const char *user, const char *id, const char *initial);
agentchat_session *scene_get(scene *s, const char *user, const char *id);
agentchat_session *scene_get_with(scene *s, const char *user, const char *id, agentchat_session_get_options options);
/* An event by "agent". id, changes and time (RFC 3339) may be NULL. */
agentchat_event *scene_event(scene *s, const char *id, const char *changes, const char *time);
/* An event in the native format. */
agentchat_event *scene_read_event(scene *s, const char *json);
/* Appends such an event; returns its sequence number. */
uint64_t scene_append(scene *s, agentchat_session *session, const char *id, const char *changes);
uint64_t scene_append_at(scene *s, agentchat_session *session, const char *id, const char *changes, const char *time);
agentchat_state *scene_state(scene *s, const char *object);
/* How many sessions of that id, or of any (NULL), the list of an application and a user (NULL: of all) has. */
size_t scene_count(scene *s, const char *app, const char *user, const char *id);

/* ---- expecting -------------------------------------------------------------------------------------------------- */

/* Exactly these keys with values spelled so; the order of keys does not count. expected: a JSON object. */
void expect_state_at(const agentchat_state *state, const char *expected, const char *file, int line);
#define expect_state(session, expected)                                                                                \
    expect_state_at(agentchat_session_state(session), (expected), __FILE__, __LINE__)
#define expect_map(state, expected) expect_state_at((state), (expected), __FILE__, __LINE__)
/* One value, as it is spelled; NULL: there is no such key. */
void expect_key_at(const agentchat_session *session, const char *key, const char *expected, const char *file, int line);
#define expect_key(session, key, expected) expect_key_at((session), (key), (expected), __FILE__, __LINE__)
/* Ids of the events that a handle holds, separated by spaces. */
void expect_events_at(const agentchat_session *session, const char *expected, const char *file, int line);
#define expect_events(session, expected) expect_events_at((session), (expected), __FILE__, __LINE__)
/* What another handle finds now: state and ids of all events. */
void expect_stored_at(scene *s, const char *user, const char *id, const char *state, const char *events,
                      const char *file, int line);
#define expect_stored(s, user, id, state, events)                                                                      \
    expect_stored_at((s), (user), (id), (state), (events), __FILE__, __LINE__)
/* There is no such session. */
void expect_missing_at(scene *s, const char *user, const char *id, const char *file, int line);
#define expect_missing(s, user, id) expect_missing_at((s), (user), (id), __FILE__, __LINE__)
/* A call fails with a status and a message. */
#define expect_fails(s, call, status, message_part) test_fails((call), &(s)->err, (status), NULL, (message_part))
/* Whether a store finds nothing wrong with itself. */
void expect_sound_at(agentchat_store *store, const char *file, int line);
#define expect_sound(store) expect_sound_at((store), __FILE__, __LINE__)

#endif
