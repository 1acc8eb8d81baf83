/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at events, counting references, copying. */
#include "event/event.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- references ------------------------------------------------------------------------------------------------- */

agentchat_event *agentchat_event_ref(const agentchat_event *event)
{
    agentchat_event *counted = (agentchat_event *)(uintptr_t)event; /* const in the interface, for views */

    if (event != NULL)
        atomic_fetch_add_explicit(&counted->refs, 1, memory_order_relaxed);
    return counted;
}

void agentchat_event_unref(const agentchat_event *event)
{
    agentchat_event *counted = (agentchat_event *)(uintptr_t)event;

    if (event == NULL || atomic_fetch_sub_explicit(&counted->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (event->content != NULL && event->content->arena != event->arena)
        agentchat_message_unref(event->content);
    aci_arena_unref(event->arena);
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

agentchat_str agentchat_event_get(const agentchat_event *event, agentchat_event_field field)
{
    if (event == NULL || field < AGENTCHAT_EVENT_ID || field > AGENTCHAT_EVENT_COMPACTION)
        return (agentchat_str){NULL, 0};
    return event->fields[field];
}

const agentchat_message *agentchat_event_content(const agentchat_event *event)
{
    return event != NULL ? event->content : NULL;
}

size_t agentchat_event_change_count(const agentchat_event *event)
{
    return event != NULL ? event->change_count : 0;
}

const agentchat_change *agentchat_event_change(const agentchat_event *event, size_t index)
{
    return index < agentchat_event_change_count(event) ? &event->changes[index] : NULL;
}

size_t agentchat_event_extra_count(const agentchat_event *event)
{
    return event != NULL && event->extras != NULL ? event->extras->count : 0;
}

const agentchat_extra *agentchat_event_extra(const agentchat_event *event, size_t index)
{
    return index < agentchat_event_extra_count(event) ? &event->extras->list[index] : NULL;
}

size_t agentchat_event_action_extra_count(const agentchat_event *event)
{
    return event != NULL && event->action_extras != NULL ? event->action_extras->count : 0;
}

const agentchat_extra *agentchat_event_action_extra(const agentchat_event *event, size_t index)
{
    return index < agentchat_event_action_extra_count(event) ? &event->action_extras->list[index] : NULL;
}

uint64_t agentchat_event_sequence(const agentchat_event *event)
{
    return event != NULL ? event->sequence : 0;
}

uint64_t agentchat_event_revision(const agentchat_event *event, agentchat_scope scope)
{
    if (event == NULL)
        return 0;
    return scope == AGENTCHAT_SCOPE_APP    ? event->app_revision
           : scope == AGENTCHAT_SCOPE_USER ? event->user_revision
                                           : 0;
}

int64_t agentchat_event_time_ns(const agentchat_event *event)
{
    return event != NULL ? event->time_ns : 0;
}

/* ---- what a store adds ------------------------------------------------------------------------------------------ */

void aci_event_set_stored(agentchat_event *event, uint64_t sequence, uint64_t app_revision, uint64_t user_revision)
{
    event->sequence = sequence;
    event->app_revision = app_revision;
    event->user_revision = user_revision;
}

bool aci_event_set_sum(agentchat_event *event, size_t index, int64_t sum)
{
    char digits[24];
    bool ok = true;
    int len = snprintf(digits, sizeof digits, "%" PRId64, sum);
    agentchat_str text = aci_arena_copy(event->arena, (agentchat_str){digits, (size_t)len}, &ok);

    if (ok)
        event->changes[index].value = text;
    return ok;
}

bool aci_event_set_undo(agentchat_event *event, agentchat_str undo)
{
    bool ok = true;
    agentchat_str text = aci_arena_copy(event->arena, undo, &ok);

    if (ok)
        event->undo = text;
    return ok;
}

/* ---- copying ---------------------------------------------------------------------------------------------------- */

enum { ALIGNMENT = 8 };

static size_t extras_footprint(const aci_extras *extras)
{
    size_t size = extras != NULL ? sizeof *extras + ALIGNMENT : 0;

    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        size +=
            sizeof extras->list[i] + extras->list[i].name.len + extras->list[i].value.len + extras->list[i].from.len;
    return size;
}

/* No overflow is possible: it all stands in memory already. */
static size_t footprint(const agentchat_event *event, bool with_content)
{
    size_t size = sizeof *event + 3 * ALIGNMENT + event->undo.len;

    for (int i = 0; i < ACI_EVENT_FIELDS; i++)
        size += event->fields[i].len;
    for (size_t i = 0; i < event->change_count; i++)
        size += sizeof *event->changes + strlen(event->changes[i].key) + 1 + event->changes[i].value.len;
    size += extras_footprint(event->extras) + extras_footprint(event->action_extras);
    return with_content ? size + aci_message_copy_size(event->content) : size;
}

static const char *copy_key(aci_arena *arena, const char *key, bool *ok)
{
    size_t size = strlen(key) + 1;
    char *text = aci_arena_text(arena, size);

    if (text == NULL)
        *ok = false;
    else
        memcpy(text, key, size);
    return text;
}

static bool copy_changes(agentchat_event *copy, const agentchat_event *event)
{
    bool ok = true;

    copy->changes = NULL;
    if (event->change_count == 0)
        return true;
    copy->changes = aci_arena_alloc(copy->arena, event->change_count * sizeof *copy->changes);
    if (copy->changes == NULL)
        return false;
    for (size_t i = 0; i < event->change_count; i++) {
        copy->changes[i] = event->changes[i];
        copy->changes[i].key = copy_key(copy->arena, event->changes[i].key, &ok);
        copy->changes[i].value = aci_arena_copy(copy->arena, event->changes[i].value, &ok);
    }
    return ok;
}

agentchat_event *aci_event_copy(const agentchat_env *env, const agentchat_event *event)
{
    const agentchat_message *content = event->content;
    bool shared = content == NULL || aci_arena_env(content->arena) == aci_env(env), ok = true;
    aci_arena *arena = aci_arena_new(env, footprint(event, !shared));
    agentchat_event *copy = arena != NULL ? aci_arena_alloc(arena, sizeof *copy) : NULL;

    if (copy == NULL) {
        aci_arena_unref(arena);
        return NULL;
    }
    aci_event_assign(copy, event);
    atomic_init(&copy->refs, 1);
    copy->env = aci_env(env);
    copy->arena = arena;
    for (int i = 0; i < ACI_EVENT_FIELDS; i++)
        copy->fields[i] = aci_arena_copy(arena, event->fields[i], &ok);
    copy->undo = aci_arena_copy(arena, event->undo, &ok);
    copy->extras = aci_extras_copy(event->extras, arena, &ok);
    copy->action_extras = aci_extras_copy(event->action_extras, arena, &ok);
    ok = copy_changes(copy, event) && ok;
    if (!shared)
        copy->content = ok ? aci_message_copy(content, arena) : NULL;
    if (!ok || (!shared && copy->content == NULL)) {
        aci_arena_unref(arena);
        return NULL;
    }
    if (shared)
        copy->content = agentchat_message_ref(content);
    return copy;
}
