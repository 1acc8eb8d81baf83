/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical text of events and sessions. Members are written in the order of their names. */
#include "format/event_canonical.h"

#include "base/error.h"
#include "event/draft.h"
#include "format/adk/normal.h"
#include "snapshot/digest.h"
#include "snapshot/key_order.h"
#include "state/state.h"
#include "json/walk.h"

/* An event that is written. */
typedef struct writing {
    aci_canonical *c;
    aci_raw_reader a; /* its arena: of what is brought into another shape */
    const agentchat_event *event;
    aci_adk_context *context; /* NULL: an event alone */
    bool first;
} writing;

static void put_name(writing *w, const char *name)
{
    aci_canonical_name(w->c, &w->first, name);
}

/* A field that is text or JSON; an empty text is none, but for the author. */
static void put_field(writing *w, agentchat_event_field field)
{
    agentchat_str value = w->event->fields[field];

    if (value.ptr == NULL || (value.len == 0 && field != AGENTCHAT_EVENT_AUTHOR))
        return;
    put_name(w, aci_event_field_name(field));
    if (aci_event_field_is_json(field))
        aci_canonical_json(w->c, value);
    else
        aci_canonical_string(w->c, value);
}

static void put_time_text(aci_canonical *c, agentchat_str text)
{
    char number[ACI_ADK_TIME_SIZE];

    if (aci_adk_normal_time(text, number))
        aci_canonical_json(c, agentchat_str_from(number));
    else
        aci_canonical_string(c, text);
}

static void put_time(writing *w)
{
    agentchat_str text = w->event->fields[AGENTCHAT_EVENT_TIME];
    char number[ACI_ADK_TIME_SIZE];
    bool is_exact;

    if (text.ptr == NULL)
        return;
    is_exact = aci_adk_normal_time(text, number);
    if (w->context != NULL && *number != '\0')
        (void)aci_adk_context_time(w->context, number);
    put_name(w, "time");
    if (is_exact)
        aci_canonical_json(w->c, agentchat_str_from(number));
    else
        aci_canonical_string(w->c, text);
}

static void put_extras(writing *w, const char *name, const aci_extras *extras)
{
    const aci_extras *normal = aci_adk_normal_extras(&w->a, extras);

    if (normal == NULL || normal->count == 0)
        return;
    put_name(w, name);
    aci_canonical_extras(w->c, normal);
}

static void put_message(writing *w, const agentchat_message *message, const agentchat_event *event)
{
    const agentchat_message *normal = aci_adk_normal_content(&w->a, message, event, w->context);

    if (normal != NULL)
        aci_canonical_message(w->c, normal);
}

static void put_compaction(writing *w)
{
    agentchat_str json = w->event->fields[AGENTCHAT_EVENT_COMPACTION];
    aci_adk_compaction_parts compaction = {{NULL, 0}, {NULL, 0}, NULL, false};

    if (json.ptr == NULL)
        return;
    put_name(w, "compaction");
    if (aci_adk_compaction_read(&w->a, &compaction, json) && !compaction.has_others) {
        aci_canonical_text(w->c, "{\"content\":");
        put_message(w, compaction.content, NULL);
        aci_canonical_text(w->c, ",\"end\":");
        put_time_text(w->c, compaction.end);
        aci_canonical_text(w->c, ",\"start\":");
        put_time_text(w->c, compaction.start);
        aci_canonical_text(w->c, "}");
    } else if (w->a.status >= 0) {
        aci_canonical_json(w->c, json);
    }
    agentchat_message_unref(compaction.content);
}

static void put_artifacts(writing *w)
{
    agentchat_str json = w->event->fields[AGENTCHAT_EVENT_ARTIFACTS];
    aci_walk walk;

    if (json.ptr == NULL)
        return;
    aci_walk_begin(&walk, json);
    if (aci_walk_next(&walk)) /* an empty object is none */
        put_field(w, AGENTCHAT_EVENT_ARTIFACTS);
}

/* ---- changes ---------------------------------------------------------------------------------------------------- */

/* Whether a change is one to a value; the others add to a value that is not known. */
static bool sets_value(const agentchat_change *change)
{
    return change->kind != AGENTCHAT_CHANGE_ADD || change->value.ptr != NULL;
}

static void put_change(writing *w, const agentchat_change *change)
{
    char amount[32];

    if (change->value.ptr != NULL)
        aci_canonical_json(w->c, change->value);
    else if (change->kind == AGENTCHAT_CHANGE_ADD)
        aci_canonical_json(
            w->c, (agentchat_str){amount, (size_t)snprintf(amount, sizeof amount, "%lld", (long long)change->amount)});
    else
        aci_canonical_text(w->c, "null");
}

/* The changes of one of the two ways, by key. */
static void put_changes(writing *w, const char *name, bool values, const aci_keyed *keys)
{
    bool first = true;

    for (size_t i = 0; i < w->event->change_count; i++) {
        const agentchat_change *change = &w->event->changes[keys[i].index];

        if (sets_value(change) != values)
            continue;
        if (first)
            put_name(w, name);
        aci_canonical_text(w->c, first ? "{" : ",");
        aci_canonical_string(w->c, keys[i].key);
        aci_canonical_text(w->c, ":");
        put_change(w, change);
        first = false;
    }
    if (!first)
        aci_canonical_text(w->c, "}");
}

static void put_all_changes(writing *w)
{
    aci_keyed *keys = aci_arena_alloc(w->a.arena, (w->event->change_count + 1) * sizeof *keys);

    if (keys == NULL) {
        (void)aci_raw_reader_nomem(&w->a);
        return;
    }
    for (size_t i = 0; i < w->event->change_count; i++)
        keys[i] = (aci_keyed){agentchat_str_from(w->event->changes[i].key), i};
    aci_key_order_sort(keys, w->event->change_count);
    put_changes(w, "stateadd", false, keys);
    put_changes(w, "statedelta", true, keys);
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void put_event(writing *w)
{
    const agentchat_event *event = w->event;

    put_extras(w, "actionextras", event->action_extras);
    put_artifacts(w);
    put_field(w, AGENTCHAT_EVENT_AUTHOR);
    put_field(w, AGENTCHAT_EVENT_BRANCH);
    put_compaction(w);
    if (event->content != NULL && (event->content->flags & ACI_MESSAGE_IS_NULL) == 0) {
        put_name(w, "content");
        put_message(w, event->content, event);
    }
    put_field(w, AGENTCHAT_EVENT_ESCALATE);
    put_extras(w, "extras", event->extras);
    put_field(w, AGENTCHAT_EVENT_ID);
    put_field(w, AGENTCHAT_EVENT_INVOCATION);
    put_field(w, AGENTCHAT_EVENT_LONG_RUNNING);
    put_field(w, AGENTCHAT_EVENT_PARTIAL);
    put_field(w, AGENTCHAT_EVENT_SKIP_SUMMARIZATION);
    put_all_changes(w);
    put_time(w);
    put_field(w, AGENTCHAT_EVENT_TRANSFER);
}

void aci_event_canonical(aci_canonical *c, const agentchat_event *event, aci_adk_context *context)
{
    aci_adk_context alone = {.env = event->env, .keep_times = true};
    writing w = {.c = c, .event = event, .context = context != NULL ? context : &alone, .first = true};

    w.a = (aci_raw_reader){.env = aci_env(event->env), .arena = aci_arena_new(event->env, 0), .err = c->err};
    if (w.a.arena == NULL || !aci_adk_context_add(w.context, event)) {
        (void)aci_raw_reader_nomem(&w.a);
    } else {
        aci_canonical_text(c, "{");
        put_event(&w);
        aci_canonical_text(c, "}");
    }
    if (w.a.status < 0 && c->status >= 0)
        c->status = w.a.status;
    aci_adk_context_clear(&alone);
    aci_arena_unref(w.a.arena);
}

agentchat_status agentchat_event_digest(const agentchat_event *event, char out[AGENTCHAT_DIGEST_LEN + 1],
                                        agentchat_error *err)
{
    aci_sha256 sha;
    aci_canonical c;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    out[0] = '\0';
    if (event == NULL)
        return aci_fail_null(err, "event");
    if (!aci_sha256_begin(&sha))
        return aci_fail_nomem(err);
    aci_canonical_begin(&c, event->env, &sha, err);
    aci_event_canonical(&c, event, NULL);
    return aci_digest_end(&c, &sha, out, err);
}

/* ---- sessions --------------------------------------------------------------------------------------------------- */

static bool changed_keys(const aci_session_data *data, aci_index *keys)
{
    for (size_t i = 0; i < data->event_count; i++)
        for (size_t k = 0; k < data->events[i]->change_count; k++)
            if (!aci_index_put(keys, aci_env(data->env), agentchat_str_from(data->events[i]->changes[k].key), i))
                return false;
    return true;
}

/* Whether a key of the initial state says something that state and events do not. */
static bool says_more(const aci_session_data *data, const aci_index *changed, agentchat_str key, agentchat_str value)
{
    return aci_index_find(changed, key) != ACI_INDEX_NONE ||
           !agentchat_str_equal(value, aci_state_find(data->state, key));
}

/* A state as an object; changed: only the keys of the initial state that say more. */
static void put_state(aci_canonical *c, const aci_session_data *data, const agentchat_state *state,
                      const aci_index *changed)
{
    size_t count = state != NULL ? state->live : 0, used = 0, at = 0;
    aci_keyed *keys = aci_alloc(c->env, (count + 1) * sizeof *keys);
    agentchat_str key, value;

    if (keys == NULL) {
        c->status = c->status < 0 ? c->status : aci_fail_nomem(c->err);
        return;
    }
    while (state != NULL && aci_state_next(state, &at, &key, &value))
        if (aci_key_scope(key, NULL) != AGENTCHAT_SCOPE_TEMP &&
            (changed == NULL || says_more(data, changed, key, value))) {
            keys[used] = (aci_keyed){key, used};
            used++;
        }
    aci_key_order_sort(keys, used);
    aci_canonical_text(c, "{");
    for (size_t i = 0; i < used; i++) {
        aci_canonical_text(c, i > 0 ? "," : "");
        aci_canonical_string(c, keys[i].key);
        aci_canonical_text(c, ":");
        aci_canonical_json(c, aci_state_find(state, keys[i].key));
    }
    aci_canonical_text(c, "}");
    aci_free(c->env, keys, (count + 1) * sizeof *keys);
}

static void put_initial(aci_canonical *c, const aci_session_data *data)
{
    aci_index changed = {NULL, 0, 0};

    if (!changed_keys(data, &changed))
        c->status = c->status < 0 ? c->status : aci_fail_nomem(c->err);
    else
        put_state(c, data, data->initial, &changed);
    aci_index_clear(&changed, aci_env(data->env));
}

static void put_label(aci_canonical *c, const char *before, agentchat_str label)
{
    aci_canonical_text(c, before);
    aci_canonical_string(c, label.ptr != NULL ? label : AGENTCHAT_STR(""));
}

void aci_event_canonical_session(aci_canonical *c, const aci_session_data *data)
{
    aci_adk_context context = {.env = aci_env(data->env)};

    put_label(c, "{\"app\":", data->app);
    aci_canonical_text(c, ",\"events\":[");
    for (size_t i = 0; i < data->event_count && c->status >= 0; i++) {
        aci_canonical_text(c, i > 0 ? "," : "");
        aci_event_canonical(c, data->events[i], &context);
    }
    put_label(c, "],\"id\":", data->id);
    aci_canonical_text(c, ",\"initial\":");
    put_initial(c, data);
    aci_canonical_text(c, ",\"state\":");
    put_state(c, data, data->state, NULL);
    put_label(c, ",\"user\":", data->user);
    aci_canonical_text(c, "}");
    aci_adk_context_clear(&context);
}

agentchat_status aci_event_canonical_digest(const aci_session_data *data, char out[AGENTCHAT_DIGEST_LEN + 1],
                                            agentchat_error *err)
{
    aci_sha256 sha;
    aci_canonical c;

    if (!aci_sha256_begin(&sha))
        return aci_fail_nomem(err);
    aci_canonical_begin(&c, aci_env(data->env), &sha, err);
    aci_event_canonical_session(&c, data);
    return aci_digest_end(&c, &sha, out, err);
}
