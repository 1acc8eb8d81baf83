/* SPDX-License-Identifier: Apache-2.0 */
/* The naive model of the session service: maps of keys, sessions that are found, made, copied, listed and deleted. */
#include "session/model/model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- maps ------------------------------------------------------------------------------------------------------- */

void model_need(bool condition)
{
    if (!condition)
        abort();
}

void model_copy_text(char *to, size_t size, const char *from)
{
    model_need(strlen(from) < size);
    memmove(to, from, strlen(from) + 1);
}

model_entry *model_find(const model_map *map, const char *key)
{
    for (size_t i = 0; i < map->count; i++)
        if (strcmp(map->entries[i].key, key) == 0)
            return (model_entry *)(uintptr_t)&map->entries[i];
    return NULL;
}

void model_put(model_map *map, const char *key, const char *value, uint64_t revision)
{
    model_entry *entry = model_find(map, key);

    if (entry == NULL) {
        model_need(map->count < MODEL_KEYS);
        entry = &map->entries[map->count++];
    }
    set_text(entry->key, key);
    set_text(entry->value, value);
    entry->revision = revision;
}

void model_remove(model_map *map, const char *key)
{
    model_entry *entry = model_find(map, key);

    if (entry != NULL)
        *entry = map->entries[--map->count];
}

model_scope model_scope_of(const char *key)
{
    if (strncmp(key, "app:", 4) == 0)
        return MODEL_APP;
    if (strncmp(key, "user:", 5) == 0)
        return MODEL_USER;
    return strncmp(key, "temp:", 5) == 0 ? MODEL_TEMP : MODEL_SESSION;
}

static void add_scope(model_map *to, const model_map *from, model_scope scope)
{
    for (size_t i = 0; i < from->count; i++)
        if (model_scope_of(from->entries[i].key) == scope)
            model_put(to, from->entries[i].key, from->entries[i].value, from->entries[i].revision);
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

model_user *model_user_of(model_world *world, const char *name)
{
    for (size_t i = 0; i < world->user_count; i++)
        if (strcmp(world->users[i].name, name) == 0)
            return &world->users[i];
    model_need(world->user_count < MODEL_USERS);
    world->users[world->user_count] = (model_user){.revision = 0};
    set_text(world->users[world->user_count].name, name);
    return &world->users[world->user_count++];
}

static const model_map *users_map(const model_world *world, const char *name)
{
    static const model_map none;

    for (size_t i = 0; i < world->user_count; i++)
        if (strcmp(world->users[i].name, name) == 0)
            return &world->users[i].map;
    return &none;
}

size_t model_session_of(const model_world *world, const char *user, const char *id)
{
    for (size_t i = 0; i < world->session_count; i++) {
        const model_session *session = &world->sessions[i];

        if (session->exists && strcmp(session->user, user) == 0 && strcmp(session->id, id) == 0)
            return i;
    }
    return MODEL_SESSIONS;
}

model_event *model_event_by_sequence(model_world *world, size_t session, uint64_t sequence)
{
    model_session *s = &world->sessions[session];

    for (size_t i = 0; i < s->event_count; i++)
        if (s->events[i].sequence == sequence)
            return &s->events[i];
    return NULL;
}

const model_event *model_event_at(const model_world *world, const model_view *view, size_t index)
{
    return model_event_by_sequence((model_world *)(uintptr_t)world, view->session, view->sequences[index]);
}

int64_t model_later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void model_time_of(int64_t now_us, char out[MODEL_NAME])
{
    time_t seconds = (time_t)(now_us / 1000000);
    struct tm parts;

    gmtime_r(&seconds, &parts);
    snprintf(out, MODEL_NAME, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", (parts.tm_year + 1900) % 10000,
             parts.tm_mon % 12 + 1, parts.tm_mday % 32, parts.tm_hour % 24, parts.tm_min % 60, parts.tm_sec % 61,
             (int)(now_us % 1000000));
}

/* ---- views ------------------------------------------------------------------------------------------------------ */

void model_bring_up_to_date(const model_world *world, model_view *view)
{
    const model_session *session = &world->sessions[view->session];
    model_map map = {.count = 0};
    size_t kept = 0;

    add_scope(&map, &world->map, MODEL_APP);
    add_scope(&map, users_map(world, session->user), MODEL_USER);
    add_scope(&map, &session->own, MODEL_SESSION);
    add_scope(&map, &view->map, MODEL_TEMP);
    view->map = map;
    for (size_t i = 0; i < view->event_count; i++) {
        if (model_event_at(world, view, i) != NULL)
            view->sequences[kept++] = view->sequences[i];
    }
    for (size_t i = 0; i < session->event_count && view->collects; i++) {
        if (session->events[i].sequence > view->sequence)
            view->sequences[kept++] = session->events[i].sequence;
    }
    view->event_count = kept;
    view->sequence = session->sequence;
    view->updated_us = session->updated_us;
}

bool model_is_gone(const model_world *world, const model_view *view)
{
    return !world->sessions[view->session].exists;
}

model_outcome model_refresh(const model_world *world, model_view *view)
{
    if (model_is_gone(world, view))
        return MODEL_NOTFOUND;
    model_bring_up_to_date(world, view);
    return MODEL_OK;
}

model_outcome model_get(const model_world *world, const char *user, const char *id, size_t last, uint64_t after,
                        int64_t since_ns, model_view *view)
{
    size_t index = model_session_of(world, user, id), first = 0;

    if (index == MODEL_SESSIONS)
        return MODEL_NOTFOUND;
    *view = (model_view){.session = index, .collects = last > 0};
    for (size_t i = 0; i < world->sessions[index].event_count; i++) {
        const model_event *event = &world->sessions[index].events[i];

        if (event->sequence > after && event->ns >= since_ns)
            view->sequences[view->event_count++] = event->sequence;
    }
    if (last < view->event_count)
        first = view->event_count - last;
    view->event_count -= first;
    memmove(view->sequences, view->sequences + first, view->event_count * sizeof *view->sequences);
    view->sequence = UINT64_MAX; /* no more events: those that are wanted are there */
    model_bring_up_to_date(world, view);
    return MODEL_OK;
}

/* ---- making and deleting ---------------------------------------------------------------------------------------- */

static model_session *new_session(model_world *world, const char *user, const char *id)
{
    model_session *session;

    model_need(world->session_count < MODEL_SESSIONS);
    session = &world->sessions[world->session_count++];
    session->sequence = 0;
    session->own.count = session->event_count = 0;
    set_text(session->user, user);
    set_text(session->id, id);
    session->exists = true;
    session->created_us = session->updated_us = world->now_us;
    return session;
}

model_outcome model_create(model_world *world, const char *user, const char *id, const model_map *initial,
                           model_view *view)
{
    model_user *owner = model_user_of(world, user);
    bool has_app = false, has_user = false;
    model_session *session;

    if (model_session_of(world, user, id) != MODEL_SESSIONS)
        return MODEL_EXISTS;
    session = new_session(world, user, id);
    for (size_t i = 0; i < initial->count; i++) {
        has_app = has_app || model_scope_of(initial->entries[i].key) == MODEL_APP;
        has_user = has_user || model_scope_of(initial->entries[i].key) == MODEL_USER;
    }
    world->revision += has_app;
    owner->revision += has_user;
    for (size_t i = 0; i < initial->count; i++) {
        const model_entry *entry = &initial->entries[i];

        switch (model_scope_of(entry->key)) {
        case MODEL_APP:
            model_put(&world->map, entry->key, entry->value, world->revision);
            break;
        case MODEL_USER:
            model_put(&owner->map, entry->key, entry->value, owner->revision);
            break;
        case MODEL_SESSION:
            model_put(&session->own, entry->key, entry->value, 1);
            break;
        case MODEL_TEMP:
            break;
        }
    }
    return model_get(world, user, id, SIZE_MAX, 0, INT64_MIN, view);
}

model_outcome model_copy(model_world *world, const char *user, const char *id, const char *new_id)
{
    size_t from = model_session_of(world, user, id);
    model_session *copy;

    if (from == MODEL_SESSIONS)
        return MODEL_NOTFOUND;
    if (model_session_of(world, user, new_id) != MODEL_SESSIONS)
        return MODEL_EXISTS;
    copy = new_session(world, user, new_id);
    copy->sequence = world->sessions[from].sequence;
    copy->own = world->sessions[from].own;
    copy->event_count = world->sessions[from].event_count;
    memcpy(copy->events, world->sessions[from].events, copy->event_count * sizeof *copy->events);
    return MODEL_OK;
}

model_outcome model_delete(model_world *world, const char *user, const char *id)
{
    size_t index = model_session_of(world, user, id);

    if (index == MODEL_SESSIONS)
        return MODEL_NOTFOUND;
    world->sessions[index].exists = false;
    return MODEL_OK;
}

uint64_t model_delete_user(model_world *world, const char *user)
{
    model_user *owner = model_user_of(world, user);
    uint64_t gone = 0;

    for (size_t i = 0; i < world->session_count; i++) {
        if (world->sessions[i].exists && strcmp(world->sessions[i].user, user) == 0) {
            world->sessions[i].exists = false;
            gone++;
        }
    }
    owner->revision = 0;
    owner->map.count = 0;
    return gone;
}

void model_scope_state(const model_world *world, const char *user, model_map *out)
{
    out->count = 0;
    add_scope(out, &world->map, MODEL_APP);
    if (user != NULL)
        add_scope(out, users_map(world, user), MODEL_USER);
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

/* Those written to last first; then users, then ids, backwards. */
static int compare_rows(const void *a, const void *b)
{
    const model_row *left = a, *right = b;

    if (left->updated_us != right->updated_us)
        return left->updated_us > right->updated_us ? -1 : 1;
    if (strcmp(left->user, right->user) != 0)
        return -strcmp(left->user, right->user);
    return -strcmp(left->id, right->id);
}

size_t model_list(const model_world *world, const char *user, const model_row *after, model_row *rows, size_t most,
                  bool *more)
{
    model_row all[MODEL_SESSIONS];
    size_t count = 0;

    for (size_t i = 0; i < world->session_count; i++) {
        const model_session *session = &world->sessions[i];
        model_row row = {.updated_us = session->updated_us, .session = i};

        set_text(row.user, session->user);
        set_text(row.id, session->id);
        if (session->exists && (user == NULL || strcmp(user, session->user) == 0) &&
            (after == NULL || compare_rows(after, &row) < 0))
            all[count++] = row;
    }
    qsort(all, count, sizeof *all, compare_rows);
    *more = count > most;
    count = count < most ? count : most;
    memcpy(rows, all, count * sizeof *all);
    return count;
}
