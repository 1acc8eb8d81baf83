/* SPDX-License-Identifier: Apache-2.0 */
/* The naive model of the session service. */
#include "session/model/model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- maps ------------------------------------------------------------------------------------------------------- */

/* The model's own arrays are large enough; a test that asks for more is wrong. */
static void need(bool condition)
{
    if (!condition)
        abort();
}

static void copy_text(char *to, size_t size, const char *from)
{
    need(strlen(from) < size);
    memmove(to, from, strlen(from) + 1);
}
#define set_text(to, from) copy_text((to), sizeof(to), (from))

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
        need(map->count < MODEL_KEYS);
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

static model_user *user_of(model_world *world, const char *name)
{
    for (size_t i = 0; i < world->user_count; i++)
        if (strcmp(world->users[i].name, name) == 0)
            return &world->users[i];
    need(world->user_count < MODEL_USERS);
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

model_event *model_event_place(model_world *world, size_t session, uint64_t place)
{
    model_session *s = &world->sessions[session];

    for (size_t i = 0; i < s->event_count; i++)
        if (s->events[i].sequence == place)
            return &s->events[i];
    return NULL;
}

const model_event *model_event_at(const model_world *world, const model_view *view, size_t index)
{
    return model_event_place((model_world *)(uintptr_t)world, view->session, view->places[index]);
}

static int64_t later(int64_t a, int64_t b)
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

/* Everything as it is now; temp: keys stay, and of the events those that were held and are still there, and those that
   came since. */
static void bring_up_to_date(const model_world *world, model_view *view)
{
    const model_session *session = &world->sessions[view->session];
    model_map map = {.count = 0};
    size_t kept = 0;

    add_scope(&map, &world->map, MODEL_APP);
    add_scope(&map, users_map(world, session->user), MODEL_USER);
    add_scope(&map, &session->own, MODEL_SESSION);
    add_scope(&map, &view->map, MODEL_TEMP);
    view->map = map;
    for (size_t i = 0; i < view->place_count; i++) {
        if (model_event_at(world, view, i) != NULL)
            view->places[kept++] = view->places[i];
    }
    for (size_t i = 0; i < session->event_count && view->collects; i++) {
        if (session->events[i].sequence > view->sequence)
            view->places[kept++] = session->events[i].sequence;
    }
    view->place_count = kept;
    view->sequence = session->sequence;
    view->updated_us = session->updated_us;
}

static bool is_gone(const model_world *world, const model_view *view)
{
    return !world->sessions[view->session].exists;
}

model_outcome model_refresh(const model_world *world, model_view *view)
{
    if (is_gone(world, view))
        return MODEL_NOTFOUND;
    bring_up_to_date(world, view);
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
            view->places[view->place_count++] = event->sequence;
    }
    if (last < view->place_count)
        first = view->place_count - last;
    view->place_count -= first;
    memmove(view->places, view->places + first, view->place_count * sizeof *view->places);
    view->sequence = UINT64_MAX; /* no more events: those that are wanted are there */
    bring_up_to_date(world, view);
    return MODEL_OK;
}

/* ---- making and deleting ---------------------------------------------------------------------------------------- */

static model_session *new_session(model_world *world, const char *user, const char *id)
{
    model_session *session;

    need(world->session_count < MODEL_SESSIONS);
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
    model_user *owner = user_of(world, user);
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
    model_user *owner = user_of(world, user);
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

/* ---- sums ------------------------------------------------------------------------------------------------------- */

static model_outcome add_up(const char *value, int64_t amount, int64_t *sum)
{
    const char *digits = value[0] == '-' ? value + 1 : value;
    char *end;
    long long number;

    if (digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return MODEL_INVALID;
    errno = 0;
    number = strtoll(value, &end, 10);
    if (errno == ERANGE || __builtin_add_overflow((int64_t)number, amount, sum))
        return MODEL_LIMIT;
    return MODEL_OK;
}

model_outcome model_add_temp(model_view *view, const char *key, int64_t amount, int64_t *sum)
{
    const model_entry *entry = model_find(&view->map, key);
    char digits[MODEL_WORD];
    model_outcome outcome;

    *sum = 0;
    if (!view->invoking)
        return MODEL_INVALID;
    outcome = add_up(entry != NULL ? entry->value : "0", amount, sum);
    if (outcome != MODEL_OK) {
        *sum = 0;
        return outcome;
    }
    snprintf(digits, sizeof digits, "%" PRId64, *sum);
    model_put(&view->map, key, digits, 0);
    return MODEL_OK;
}

model_outcome model_set_temp(model_view *view, const char *key, const char *value)
{
    if (!view->invoking)
        return MODEL_INVALID;
    model_put(&view->map, key, value, 0);
    return MODEL_OK;
}

model_outcome model_delete_temp(model_view *view, const char *key)
{
    if (!view->invoking)
        return MODEL_INVALID;
    if (model_find(&view->map, key) == NULL)
        return MODEL_NOTFOUND;
    model_remove(&view->map, key);
    return MODEL_OK;
}

void model_end_invocation(model_view *view)
{
    for (size_t i = view->map.count; i-- > 0;)
        if (model_scope_of(view->map.entries[i].key) == MODEL_TEMP)
            model_remove(&view->map, view->map.entries[i].key);
    view->invoking = false;
}

/* ---- appending -------------------------------------------------------------------------------------------------- */

/* The map that holds a key of a scope. */
static model_map *map_of(model_world *world, model_view *view, const char *key)
{
    model_session *session = &world->sessions[view->session];

    switch (model_scope_of(key)) {
    case MODEL_APP:
        return &world->map;
    case MODEL_USER:
        return &user_of(world, session->user)->map;
    case MODEL_SESSION:
        return &session->own;
    case MODEL_TEMP:
        break;
    }
    return &view->map;
}

/* Whether an event says what a stored one said; what it leaves to the store may be anything. */
static bool says_the_same(const model_event *event, const model_event *stored)
{
    size_t count = 0;

    if (strcmp(event->author, stored->author) != 0 || strcmp(event->text, stored->text) != 0 ||
        (event->time[0] != '\0' && strcmp(event->time, stored->time) != 0) ||
        (event->invocation[0] != '\0' && strcmp(event->invocation, stored->invocation) != 0))
        return false;
    for (size_t i = 0; i < event->change_count; i++) {
        const model_change *mine = &event->changes[i], *theirs = &stored->changes[count];

        if (model_scope_of(mine->key) == MODEL_TEMP)
            continue;
        if (count++ == stored->change_count || mine->kind != theirs->kind || strcmp(mine->key, theirs->key) != 0 ||
            mine->amount != theirs->amount || (mine->kind == MODEL_SET && strcmp(mine->value, theirs->value) != 0))
            return false;
    }
    return count == stored->change_count;
}

static model_outcome check_expectation(model_world *world, model_view *view, const model_event *event,
                                       const model_expectation *expectation)
{
    const model_entry *entry;

    if (expectation->has_sequence && expectation->sequence != world->sessions[view->session].sequence)
        return MODEL_CONFLICT;
    if (expectation->has_key) {
        entry = model_find(map_of(world, view, expectation->key), expectation->key);
        if ((entry != NULL ? entry->revision : 0) != expectation->revision)
            return MODEL_CONFLICT;
    }
    for (size_t i = 0; i < event->change_count && expectation->must_be_there; i++) {
        if (model_find(map_of(world, view, event->changes[i].key), event->changes[i].key) == NULL)
            return MODEL_NOTFOUND;
    }
    return MODEL_OK;
}

static model_outcome add_up_all(model_world *world, model_view *view, model_event *event)
{
    for (size_t i = 0; i < event->change_count; i++) {
        model_change *change = &event->changes[i];
        const model_entry *entry = model_find(map_of(world, view, change->key), change->key);
        model_outcome outcome;
        int64_t sum = 0;

        if (change->kind != MODEL_ADD || (model_scope_of(change->key) == MODEL_TEMP && !view->invoking))
            continue;
        outcome = add_up(entry != NULL ? entry->value : "0", change->amount, &sum);
        if (outcome != MODEL_OK)
            return outcome;
        snprintf(change->value, sizeof change->value, "%" PRId64, sum);
    }
    return MODEL_OK;
}

static uint64_t revision_of(const model_world *world, const model_event *event, const char *key)
{
    (void)world;
    switch (model_scope_of(key)) {
    case MODEL_APP:
        return event->app_revision;
    case MODEL_USER:
        return event->user_revision;
    case MODEL_SESSION:
        return event->sequence + 1;
    case MODEL_TEMP:
        break;
    }
    return 0;
}

/* Stores the event: its changes that are to be kept in the order in which they stand, temp: changes in the view. */
static void store(model_world *world, model_view *view, model_event *event)
{
    model_session *session = &world->sessions[view->session];
    model_user *owner = user_of(world, session->user);
    size_t kept = 0;

    event->before = session->own;
    event->sequence = ++session->sequence;
    event->app_revision = event->user_revision = 0;
    for (size_t i = 0; i < event->change_count; i++) {
        if (model_scope_of(event->changes[i].key) == MODEL_APP && event->app_revision == 0)
            event->app_revision = ++world->revision;
        if (model_scope_of(event->changes[i].key) == MODEL_USER && event->user_revision == 0)
            event->user_revision = ++owner->revision;
    }
    for (size_t i = 0; i < event->change_count; i++) {
        const model_change change = event->changes[i];
        bool temporary = model_scope_of(change.key) == MODEL_TEMP;

        if (!temporary)
            event->changes[kept++] = change;
        else if (!view->invoking)
            continue;
        if (change.kind == MODEL_DELETE)
            model_remove(map_of(world, view, change.key), change.key);
        else
            model_put(map_of(world, view, change.key), change.key, change.value, revision_of(world, event, change.key));
    }
    event->change_count = kept;
    session->updated_us = later(session->updated_us, world->now_us);
    need(session->event_count < MODEL_EVENTS);
    session->events[session->event_count++] = *event;
}

model_outcome model_append(model_world *world, model_view *view, const model_event *given,
                           const model_expectation *expectation, uint64_t *place)
{
    model_session *session = &world->sessions[view->session];
    model_event event = *given;
    model_outcome outcome;

    *place = 0;
    if (event.partial)
        return MODEL_DONE;
    if (is_gone(world, view))
        return MODEL_NOTFOUND;
    for (size_t i = 0; i < session->event_count && event.id[0] != '\0'; i++) {
        if (strcmp(session->events[i].id, event.id) != 0)
            continue;
        if (says_the_same(&event, &session->events[i]))
            *place = session->events[i].sequence;
        bring_up_to_date(world, view);
        return *place != 0 ? MODEL_OK : MODEL_CONFLICT;
    }
    outcome = check_expectation(world, view, &event, expectation);
    if (outcome == MODEL_CONFLICT)
        bring_up_to_date(world, view);
    if (outcome == MODEL_OK)
        outcome = add_up_all(world, view, &event);
    if (outcome != MODEL_OK)
        return outcome;
    if (event.invocation[0] == '\0' && view->invoking)
        set_text(event.invocation, view->invocation);
    if (event.time[0] == '\0') {
        model_time_of(world->now_us, event.time);
        event.ns = world->now_us * 1000;
    }
    store(world, view, &event);
    *place = event.sequence;
    bring_up_to_date(world, view);
    return MODEL_OK;
}

model_outcome model_apply(model_world *world, model_view *view, const model_map *wanted, uint64_t *place)
{
    const model_expectation nothing = {.has_sequence = false};
    model_event event = {.author = "system"};
    const model_map *own;

    *place = 0;
    if (is_gone(world, view))
        return MODEL_NOTFOUND;
    own = &world->sessions[view->session].own;
    for (size_t i = 0; i < wanted->count; i++) {
        const model_entry *entry = &wanted->entries[i], *have = model_find(own, entry->key);
        model_change *change = &event.changes[event.change_count];

        if (model_scope_of(entry->key) != MODEL_SESSION || (have != NULL && strcmp(have->value, entry->value) == 0))
            continue;
        change->kind = MODEL_SET;
        set_text(change->key, entry->key);
        set_text(change->value, entry->value);
        event.change_count++;
    }
    for (size_t i = 0; i < own->count; i++) {
        model_change *change = &event.changes[event.change_count];

        if (model_find(wanted, own->entries[i].key) != NULL)
            continue;
        change->kind = MODEL_DELETE;
        set_text(change->key, own->entries[i].key);
        event.change_count++;
    }
    if (event.change_count > 0)
        return model_append(world, view, &event, &nothing, place);
    bring_up_to_date(world, view);
    return MODEL_OK;
}

/* ---- going back ------------------------------------------------------------------------------------------------- */

model_outcome model_rewind(model_world *world, model_view *view, const char *target, uint64_t *removed)
{
    model_session *session = &world->sessions[view->session];
    size_t keep = 0;

    *removed = 0;
    if (is_gone(world, view))
        return MODEL_NOTFOUND;
    while (target != NULL && (keep == 0 || strcmp(session->events[keep - 1].id, target) != 0)) {
        if (keep == session->event_count)
            return MODEL_NOTFOUND;
        keep++;
    }
    if (keep < session->event_count) {
        const model_map before = session->events[keep].before;
        model_map own = before;

        session->sequence++;
        for (size_t i = 0; i < own.count; i++) { /* a key that no event touched is as it was */
            const model_entry *now = model_find(&session->own, own.entries[i].key);
            bool touched = false;

            for (size_t j = keep; j < session->event_count; j++)
                for (size_t c = 0; c < session->events[j].change_count; c++)
                    touched = touched || strcmp(session->events[j].changes[c].key, own.entries[i].key) == 0;
            own.entries[i].revision = touched ? session->sequence + 1 : now->revision;
        }
        session->own = own;
        *removed = session->event_count - keep;
        session->event_count = keep;
        session->updated_us = later(session->updated_us, world->now_us);
    }
    bring_up_to_date(world, view);
    return MODEL_OK;
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
