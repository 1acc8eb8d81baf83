/* SPDX-License-Identifier: Apache-2.0 */
/* Drafts of events. */
#include "event/draft.h"

#include "base/checked.h"
#include "base/error.h"
#include "event/time.h"
#include "model/check.h"
#include "state/state.h"
#include "json/value.h"

void aci_event_draft_begin(aci_event_draft *d, const agentchat_env *env, aci_arena *arena)
{
    memset(d, 0, sizeof *d);
    d->env = aci_env(env);
    d->arena = arena;
    aci_draft_begin(&d->extras);
    aci_draft_begin(&d->action_extras);
}

static void drop_content(aci_event_draft *d)
{
    if (d->content != NULL && d->content->arena != d->arena)
        agentchat_message_unref(d->content);
    d->content = NULL;
}

void aci_event_draft_clear(aci_event_draft *d)
{
    drop_content(d);
    aci_free(d->env, d->changes, d->change_cap * sizeof *d->changes);
    aci_index_clear(&d->keys, d->env);
    aci_draft_clear(&d->extras, d->env);
    aci_draft_clear(&d->action_extras, d->env);
    aci_arena_unref(d->arena);
    d->changes = NULL;
    d->change_count = d->change_cap = 0;
    d->arena = NULL;
}

/* ---- rules ------------------------------------------------------------------------------------------------------ */

const char *aci_event_field_name(agentchat_event_field field)
{
    static const char *const names[ACI_EVENT_FIELDS] = {
        [AGENTCHAT_EVENT_ID] = "id",
        [AGENTCHAT_EVENT_INVOCATION] = "invocation",
        [AGENTCHAT_EVENT_AUTHOR] = "author",
        [AGENTCHAT_EVENT_TIME] = "time",
        [AGENTCHAT_EVENT_BRANCH] = "branch",
        [AGENTCHAT_EVENT_PARTIAL] = "partial",
        [AGENTCHAT_EVENT_LONG_RUNNING] = "longrunning",
        [AGENTCHAT_EVENT_TRANSFER] = "transfer",
        [AGENTCHAT_EVENT_ESCALATE] = "escalate",
        [AGENTCHAT_EVENT_SKIP_SUMMARIZATION] = "skipsummarization",
        [AGENTCHAT_EVENT_ARTIFACTS] = "artifacts",
        [AGENTCHAT_EVENT_COMPACTION] = "compaction",
    };

    return names[field];
}

agentchat_status aci_event_check_text(agentchat_event_field field, agentchat_str text, agentchat_error *err)
{
    aci_excerpt excerpt;
    aci_time time;

    switch ((int)field) {
    case AGENTCHAT_EVENT_ID:
        return aci_label_check(text, "event id", err);
    case AGENTCHAT_EVENT_INVOCATION:
        return aci_label_check(text, "invocation id", err);
    case AGENTCHAT_EVENT_TIME:
        if (aci_time_parse(text, &time))
            return AGENTCHAT_OK;
        return aci_fail(err, AGENTCHAT_E_INVALID, "\"%s\" is no time as RFC 3339 has it, such as 2026-11-21T10:02:00Z",
                        aci_error_excerpt(text, &excerpt));
    default:
        return aci_check_text(text, err);
    }
}

/* ---- changes ---------------------------------------------------------------------------------------------------- */

bool aci_event_draft_has(const aci_event_draft *d, agentchat_str key)
{
    return aci_index_find(&d->keys, key) != ACI_INDEX_NONE;
}

bool aci_event_draft_change(aci_event_draft *d, agentchat_str key, agentchat_change change)
{
    size_t at = aci_index_find(&d->keys, key), size;
    void *array = d->changes;
    char *text;

    if (at != ACI_INDEX_NONE) {
        change.key = d->changes[at].key;
        d->changes[at] = change;
        return true;
    }
    if (!aci_grow(d->env, &array, &d->change_cap, d->change_count, sizeof *d->changes))
        return false;
    d->changes = array;
    text = aci_add(key.len, 1, &size) ? aci_arena_text(d->arena, size) : NULL;
    if (text == NULL)
        return false;
    memcpy(text, key.ptr, key.len);
    text[key.len] = '\0';
    if (!aci_index_put(&d->keys, d->env, (agentchat_str){text, key.len}, d->change_count))
        return false;
    change.key = text;
    d->changes[d->change_count++] = change;
    return true;
}

/* Appends those of one kind, in the order in which they came. */
static void add_changes(agentchat_event *event, const aci_event_draft *d, agentchat_change_kind kind)
{
    for (size_t i = 0; i < d->change_count; i++)
        if (d->changes[i].kind == kind)
            event->changes[event->change_count++] = d->changes[i];
}

/* ---- finishing -------------------------------------------------------------------------------------------------- */

/* Levels of containers around things in the text of an event. */
enum { AROUND_CONTENT = 1, AROUND_ACTION = 2, AROUND_CHANGE = 3, AROUND_EXTRA = 3, AROUND_ACTION_EXTRA = 4 };

static bool fits(const aci_event_draft *d, agentchat_str json, uint32_t around)
{
    uint32_t levels = d->env->limits.max_depth > around ? d->env->limits.max_depth - around : 0;

    return json.len / 2 <= levels || aci_json_depth_of(json) <= levels; /* a level takes two bytes at least */
}

/* What is too deep, as the native format names it; NULL when nothing is. */
static const char *too_deep(const aci_event_draft *d)
{
    uint32_t max = d->env->limits.max_depth;

    if (d->content != NULL && !aci_message_depth_fits(d->content, max > AROUND_CONTENT ? max - AROUND_CONTENT : 0))
        return "content";
    if (!fits(d, d->fields[AGENTCHAT_EVENT_ARTIFACTS], AROUND_ACTION))
        return "actions/artifacts";
    if (!fits(d, d->fields[AGENTCHAT_EVENT_COMPACTION], AROUND_ACTION))
        return "actions/compaction";
    for (size_t i = 0; i < d->change_count; i++)
        if (!fits(d, d->changes[i].value, AROUND_CHANGE))
            return "actions/statedelta";
    for (size_t i = 0; i < d->extras.extra_count; i++)
        if (!fits(d, d->extras.extras[i].value, AROUND_EXTRA))
            return "extras";
    for (size_t i = 0; i < d->action_extras.extra_count; i++)
        if (!fits(d, d->action_extras.extras[i].value, AROUND_ACTION_EXTRA))
            return "actions/extras";
    return NULL;
}

static agentchat_status check(const aci_event_draft *d, agentchat_error *err)
{
    const char *deep;
    char path[32];

    if (d->fields[AGENTCHAT_EVENT_AUTHOR].ptr == NULL) {
        aci_fail(err, AGENTCHAT_E_INVALID, "an event needs an author, be it an empty one");
        aci_error_path(err, AGENTCHAT_STR("/author"));
        return AGENTCHAT_E_INVALID;
    }
    deep = d->is_native ? NULL : too_deep(d);
    if (deep == NULL)
        return AGENTCHAT_OK;
    aci_fail(err, AGENTCHAT_E_LIMIT,
             "the event would be nested deeper than %u levels as agentchat writes it, in its \"%s\"",
             (unsigned)d->env->limits.max_depth, deep);
    (void)snprintf(path, sizeof path, "/%s", deep);
    aci_error_path(err, agentchat_str_from(path));
    return AGENTCHAT_E_LIMIT;
}

static bool move_extras(const aci_draft *from, aci_arena *arena, aci_extras **out)
{
    if (from->extra_count > 0)
        *out = aci_extras_new(arena, from->extras, from->extra_count);
    return from->extra_count == 0 || *out != NULL;
}

static agentchat_event *assemble(aci_event_draft *d)
{
    agentchat_event *event = aci_arena_alloc(d->arena, sizeof *event);
    aci_time time;

    if (event == NULL)
        return NULL;
    memset(event, 0, sizeof *event);
    atomic_init(&event->refs, 1);
    event->env = d->env;
    memcpy(event->fields, d->fields, sizeof event->fields);
    if (!move_extras(&d->extras, d->arena, &event->extras) ||
        !move_extras(&d->action_extras, d->arena, &event->action_extras))
        return NULL;
    if (d->change_count > 0) {
        event->changes = aci_arena_alloc(d->arena, d->change_count * sizeof *event->changes);
        if (event->changes == NULL)
            return NULL;
    }
    add_changes(event, d, AGENTCHAT_CHANGE_SET);
    add_changes(event, d, AGENTCHAT_CHANGE_DELETE);
    add_changes(event, d, AGENTCHAT_CHANGE_ADD);
    if (aci_time_parse(event->fields[AGENTCHAT_EVENT_TIME], &time))
        event->time_ns = aci_time_ns(&time);
    return event;
}

agentchat_status aci_event_draft_finish(aci_event_draft *d, agentchat_event **out, agentchat_error *err)
{
    agentchat_status status;

    *out = NULL;
    if (d->arena == NULL)
        return aci_fail_nomem(err);
    status = check(d, err);
    if (status < 0)
        return status;
    *out = assemble(d);
    if (*out == NULL)
        return aci_fail_nomem(err);
    (*out)->content = (agentchat_message *)(uintptr_t)d->content;
    (*out)->arena = d->arena;
    d->content = NULL;
    d->arena = NULL;
    return AGENTCHAT_OK;
}
