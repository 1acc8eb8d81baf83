/* SPDX-License-Identifier: Apache-2.0 */
/* The naive model of the session service: what appending, applying a state and going back do, and temp: keys. */
#include "session/model/model_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        return &model_user_of(world, session->user)->map;
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
    model_user *owner = model_user_of(world, session->user);
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
    session->updated_us = model_later(session->updated_us, world->now_us);
    model_need(session->event_count < MODEL_EVENTS);
    session->events[session->event_count++] = *event;
}

model_outcome model_append(model_world *world, model_view *view, const model_event *given,
                           const model_expectation *expectation, uint64_t *sequence)
{
    model_session *session = &world->sessions[view->session];
    model_event event = *given;
    model_outcome outcome;

    *sequence = 0;
    if (event.partial)
        return MODEL_DONE;
    if (model_is_gone(world, view))
        return MODEL_NOTFOUND;
    for (size_t i = 0; i < session->event_count && event.id[0] != '\0'; i++) {
        if (strcmp(session->events[i].id, event.id) != 0)
            continue;
        if (says_the_same(&event, &session->events[i]))
            *sequence = session->events[i].sequence;
        model_bring_up_to_date(world, view);
        return *sequence != 0 ? MODEL_OK : MODEL_CONFLICT;
    }
    outcome = check_expectation(world, view, &event, expectation);
    if (outcome == MODEL_CONFLICT)
        model_bring_up_to_date(world, view);
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
    *sequence = event.sequence;
    model_bring_up_to_date(world, view);
    return MODEL_OK;
}

model_outcome model_apply(model_world *world, model_view *view, const model_map *wanted, uint64_t *sequence)
{
    const model_expectation nothing = {.has_sequence = false};
    model_event event = {.author = "system"};
    const model_map *own;

    *sequence = 0;
    if (model_is_gone(world, view))
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
        return model_append(world, view, &event, &nothing, sequence);
    model_bring_up_to_date(world, view);
    return MODEL_OK;
}

/* ---- going back ------------------------------------------------------------------------------------------------- */

model_outcome model_rewind(model_world *world, model_view *view, const char *target, uint64_t *removed)
{
    model_session *session = &world->sessions[view->session];
    size_t keep = 0;

    *removed = 0;
    if (model_is_gone(world, view))
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
        session->updated_us = model_later(session->updated_us, world->now_us);
    }
    model_bring_up_to_date(world, view);
    return MODEL_OK;
}
