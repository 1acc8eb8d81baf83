/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A naive model of the session service: arrays, copies and linear searches, so that it is easy to see that it is right.
 * It knows nothing of statements, views that are brought up to date, or undo lists: an event keeps a copy of the
 * complete state of the session's own keys before it, and a handle's view is made anew from everything there is.
 *
 * One application with its users is a world; nothing reaches from one application to another.
 */
#ifndef SESSION_MODEL_H
#define SESSION_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MODEL_NAME = 40,     /* longest name, id, time and text, with its NUL */
    MODEL_WORD = 24,     /* longest key and value, with its NUL */
    MODEL_KEYS = 16,     /* of one map */
    MODEL_CHANGES = 12,  /* of one event */
    MODEL_EVENTS = 64,   /* of one session */
    MODEL_SESSIONS = 64, /* that ever were */
    MODEL_USERS = 4
};

typedef struct model_entry {
    char key[MODEL_WORD], value[MODEL_WORD];
    uint64_t revision; /* 0 for temp: keys */
} model_entry;

typedef struct model_map {
    model_entry entries[MODEL_KEYS];
    size_t count;
} model_map;

model_entry *model_find(const model_map *map, const char *key);
void model_put(model_map *map, const char *key, const char *value, uint64_t revision);
void model_remove(model_map *map, const char *key);

typedef enum model_scope { MODEL_SESSION, MODEL_USER, MODEL_APP, MODEL_TEMP } model_scope;
model_scope model_scope_of(const char *key);

typedef enum model_kind { MODEL_SET, MODEL_DELETE, MODEL_ADD } model_kind;

typedef struct model_change {
    model_kind kind;
    char key[MODEL_WORD], value[MODEL_WORD]; /* value of SET; the sum of ADD once it is stored */
    int64_t amount;
} model_change;

/* An event that is to be appended, and one that was. */
typedef struct model_event {
    char id[MODEL_NAME];                       /* "": to be made; or made and not seen yet */
    char invocation[MODEL_NAME];               /* the same */
    char time[MODEL_NAME];                     /* "": to be made */
    char author[MODEL_NAME], text[MODEL_NAME]; /* text of its content, "": it has none */
    int64_t ns;
    bool partial;
    model_change changes[MODEL_CHANGES];
    size_t change_count;
    /* ---- stored ---- */
    uint64_t sequence, app_revision, user_revision;
    model_map before; /* the session's own keys */
} model_event;

typedef struct model_session {
    char user[MODEL_NAME], id[MODEL_NAME];
    bool exists;
    uint64_t sequence;
    int64_t created_us, updated_us;
    model_map own;
    model_event events[MODEL_EVENTS];
    size_t event_count;
} model_session;

typedef struct model_user {
    char name[MODEL_NAME];
    uint64_t revision;
    model_map map; /* keys with their prefix, as everywhere here */
} model_user;

typedef struct model_world {
    uint64_t revision; /* of the application's state */
    model_map map;
    model_user users[MODEL_USERS];
    size_t user_count;
    model_session sessions[MODEL_SESSIONS]; /* those that are gone stay, so that a session is known by its index */
    size_t session_count;
    int64_t now_us;
} model_world;

/* What a handle shows. */
typedef struct model_view {
    size_t session; /* index in the world */
    bool collects;
    bool invoking;
    char invocation[MODEL_NAME]; /* "": made and not seen */
    model_map map;               /* all scopes, temp: too */
    uint64_t sequence;
    int64_t updated_us;
    uint64_t sequences[MODEL_EVENTS]; /* of the events that it holds */
    size_t event_count;
} model_view;

/* Outcomes; the same names as the statuses that the service returns. */
typedef enum model_outcome {
    MODEL_OK,
    MODEL_DONE,
    MODEL_INVALID,
    MODEL_NOTFOUND,
    MODEL_EXISTS,
    MODEL_LIMIT,
    MODEL_CONFLICT,
    MODEL_BUSY
} model_outcome;

typedef struct model_expectation {
    bool has_sequence, has_key;
    uint64_t sequence, revision;
    char key[MODEL_WORD];
    bool must_be_there; /* the changed keys, as when one key is deleted */
} model_expectation;

/* ---- the service ------------------------------------------------------------------------------------------------ */

/* Index of a session that exists, or MODEL_SESSIONS. */
size_t model_session_of(const model_world *world, const char *user, const char *id);
model_outcome model_create(model_world *world, const char *user, const char *id, const model_map *initial,
                           model_view *view);
model_outcome model_get(const model_world *world, const char *user, const char *id, size_t last, uint64_t after,
                        int64_t since_ns, model_view *view);
model_outcome model_refresh(const model_world *world, model_view *view);
model_outcome model_append(model_world *world, model_view *view, const model_event *event,
                           const model_expectation *expectation, uint64_t *sequence);
model_outcome model_apply(model_world *world, model_view *view, const model_map *wanted, uint64_t *sequence);
/* target: an id; NULL for none. */
model_outcome model_rewind(model_world *world, model_view *view, const char *target, uint64_t *removed);
model_outcome model_copy(model_world *world, const char *user, const char *id, const char *new_id);
model_outcome model_delete(model_world *world, const char *user, const char *id);
uint64_t model_delete_user(model_world *world, const char *user);
void model_scope_state(const model_world *world, const char *user, model_map *out);
/* temp: keys of an invocation, which no event changes. */
model_outcome model_set_temp(model_view *view, const char *key, const char *value);
model_outcome model_add_temp(model_view *view, const char *key, int64_t amount, int64_t *sum);
model_outcome model_delete_temp(model_view *view, const char *key);
void model_end_invocation(model_view *view);

/* A row of a list, and the one after which the next page begins. */
typedef struct model_row {
    int64_t updated_us;
    char user[MODEL_NAME], id[MODEL_NAME];
    size_t session;
} model_row;
/* Rows after `after` (NULL: all), user NULL: of all users; at most `most` of them. *more: whether there are others. */
size_t model_list(const model_world *world, const char *user, const model_row *after, model_row *rows, size_t most,
                  bool *more);

const model_event *model_event_at(const model_world *world, const model_view *view, size_t index);
/* The same, where what the store made can be noted. */
model_event *model_event_by_sequence(model_world *world, size_t session, uint64_t sequence);
/* "2027-01-15T08:00:00.000001Z". */
void model_time_of(int64_t now_us, char out[MODEL_NAME]);

#endif
