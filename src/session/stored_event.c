/* SPDX-License-Identifier: Apache-2.0 */
#include "session/stored_event.h"

#include "base/error.h"
#include "base/ids.h"
#include "event/draft.h"
#include "event/time.h"
#include "format/native/event.h"
#include "session/temporary.h"
#include "state/state.h"
#include "json/value.h"

/* ---- leaving out what is temporary ------------------------------------------------------------------------------ */

/* An event that is to be copied, with what was taken out of it. */
typedef struct trimmed {
    agentchat_event event; /* views into the original, and into the arena */
    aci_arena *arena;      /* of what had to be written anew; NULL: nothing */
    bool any;              /* something was taken out */
} trimmed;

static aci_arena *arena_of(trimmed *t)
{
    if (t->arena == NULL)
        t->arena = aci_arena_new(t->event.env, 0);
    return t->arena;
}

/* The text without its temporary members. false: out of memory. */
static bool trim_json(trimmed *t, agentchat_str *json)
{
    aci_buf out;
    bool any, ok;

    aci_buf_init(&out, t->event.env, SIZE_MAX);
    ok = aci_temporary_strip(*json, &out, &any);
    if (ok && any) {
        t->any = true;
        ok = arena_of(t) != NULL;
        if (ok)
            *json = aci_arena_copy(t->arena, aci_buf_str(&out), &ok);
    }
    aci_buf_clear(&out);
    return ok;
}

static bool trim_extras(trimmed *t, aci_extras **extras)
{
    aci_extras *kept;

    if (*extras == NULL)
        return true;
    kept = arena_of(t) != NULL ? aci_extras_new(t->arena, (*extras)->list, (*extras)->count) : NULL;
    if (kept == NULL)
        return false;
    kept->count = 0;
    for (size_t i = 0; i < (*extras)->count; i++) {
        agentchat_extra extra = (*extras)->list[i];

        if (aci_is_temporary(extra.name)) {
            t->any = true;
            continue;
        }
        if (!trim_json(t, &extra.value))
            return false;
        kept->list[kept->count++] = extra;
    }
    *extras = kept->count > 0 ? kept : NULL;
    return true;
}

static bool trim_changes(trimmed *t)
{
    agentchat_event *event = &t->event;
    agentchat_change *kept;
    size_t left = 0;

    for (size_t i = 0; i < event->change_count; i++)
        left += !aci_is_temporary(agentchat_str_from(event->changes[i].key));
    if (left == event->change_count)
        return true;
    t->any = true;
    kept = arena_of(t) != NULL ? aci_arena_alloc(t->arena, (left + 1) * sizeof *kept) : NULL;
    if (kept == NULL)
        return false;
    left = 0;
    for (size_t i = 0; i < event->change_count; i++)
        if (!aci_is_temporary(agentchat_str_from(event->changes[i].key)))
            kept[left++] = event->changes[i];
    event->changes = kept;
    event->change_count = left;
    return true;
}

static bool trim(trimmed *t)
{
    agentchat_str *artifacts = &t->event.fields[AGENTCHAT_EVENT_ARTIFACTS];
    agentchat_str *compaction = &t->event.fields[AGENTCHAT_EVENT_COMPACTION];

    return trim_changes(t) && trim_extras(t, &t->event.extras) && trim_extras(t, &t->event.action_extras) &&
           (artifacts->ptr == NULL || trim_json(t, artifacts)) && (compaction->ptr == NULL || trim_json(t, compaction));
}

/* ---- filling in ------------------------------------------------------------------------------------------------- */

typedef struct filling {
    char id[ACI_ID_LEN + 1], invocation[ACI_ID_LEN + 1], time[ACI_TIME_SIZE];
} filling;

static bool is_missing(const agentchat_event *event, agentchat_event_field field, unsigned bit, unsigned *made)
{
    if (event->fields[field].ptr == NULL)
        *made |= bit;
    return event->fields[field].ptr == NULL;
}

static void set_time(agentchat_event *event, agentchat_str text)
{
    aci_time time;

    event->fields[AGENTCHAT_EVENT_TIME] = text;
    event->time_ns = aci_time_parse(text, &time) ? aci_time_ns(&time) : 0;
}

static agentchat_status fill(agentchat_event *event, const char *invocation, filling *f, unsigned *made,
                             agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (is_missing(event, AGENTCHAT_EVENT_ID, ACI_EVENT_MADE_ID, made)) {
        status = aci_id_new(event->env, f->id, err);
        event->fields[AGENTCHAT_EVENT_ID] = agentchat_str_from(f->id);
    }
    if (status >= 0 && is_missing(event, AGENTCHAT_EVENT_INVOCATION, ACI_EVENT_MADE_INVOCATION, made)) {
        if (invocation == NULL)
            status = aci_id_new(event->env, f->invocation, err);
        event->fields[AGENTCHAT_EVENT_INVOCATION] = agentchat_str_from(invocation != NULL ? invocation : f->invocation);
    }
    if (status >= 0 && is_missing(event, AGENTCHAT_EVENT_TIME, ACI_EVENT_MADE_TIME, made)) {
        size_t len = aci_time_print_us(aci_now_us(event->env), f->time);

        set_time(event, (agentchat_str){f->time, len});
    }
    return status;
}

agentchat_status aci_stored_event_of(const agentchat_env *env, const agentchat_event *event, const char *invocation,
                                     unsigned *made, agentchat_event **out, agentchat_error *err)
{
    agentchat_status status;
    trimmed t = {.arena = NULL};
    filling f;

    *out = NULL;
    *made = 0;
    aci_event_assign(&t.event, event);
    t.event.env = aci_env(env);
    status = trim(&t) ? fill(&t.event, invocation, &f, made, err) : aci_fail_nomem(err);
    if (t.any)
        *made |= ACI_EVENT_TRIMMED;
    if (status >= 0) {
        aci_event_set_stored(&t.event, 0, 0, 0);
        t.event.undo = (agentchat_str){NULL, 0};
        *out = aci_event_copy(env, &t.event);
        if (*out == NULL)
            status = aci_fail_nomem(err);
    }
    aci_arena_unref(t.arena);
    return status;
}

agentchat_status aci_stored_event_with(const agentchat_event *event, agentchat_str id, agentchat_str invocation,
                                       agentchat_str time, agentchat_event **out, agentchat_error *err)
{
    agentchat_event changed;

    aci_event_assign(&changed, event);
    if (id.ptr != NULL)
        changed.fields[AGENTCHAT_EVENT_ID] = id;
    if (invocation.ptr != NULL)
        changed.fields[AGENTCHAT_EVENT_INVOCATION] = invocation;
    if (time.ptr != NULL)
        set_time(&changed, time);
    *out = aci_event_copy(event->env, &changed);
    return *out != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_stored_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err)
{
    uint32_t max = event->env->limits.max_depth;
    size_t before = out->len;
    agentchat_status status = aci_event_text(event, out, err);
    agentchat_str text;

    if (status < 0)
        return status;
    text = (agentchat_str){out->ptr + before, out->len - before};
    if (text.len / 2 <= max || aci_json_depth_of(text) <= max) /* a level takes two bytes at least */
        return AGENTCHAT_OK;
    out->len = before;
    return aci_fail(err, AGENTCHAT_E_LIMIT, "the event would be nested deeper than %u levels as agentchat writes it",
                    (unsigned)max);
}

/* ---- out of a store --------------------------------------------------------------------------------------------- */

/* E_CORRUPT for what is wrong with stored text; what is wrong with this process stays what it is. */
static agentchat_status damaged(uint64_t sequence, const char *what, const agentchat_error *detail,
                                agentchat_error *err)
{
    agentchat_status status = (agentchat_status)detail->code;
    agentchat_error failure = *detail;

    if (status != AGENTCHAT_E_NOMEM && status != AGENTCHAT_E_LIMIT) {
        status = AGENTCHAT_E_CORRUPT;
        failure.code = 0;
        aci_fail(&failure, status, "the stored %s of event %llu is damaged: %s", what, (unsigned long long)sequence,
                 detail->message);
    }
    if (err != NULL && err->code == 0)
        *err = failure;
    return status;
}

/* The sums, in the order of the changes or any other. */
static bool read_sums(agentchat_event *event, aci_json_reader *r)
{
    aci_index adds = {NULL, 0, 0};
    agentchat_str key, number;
    bool ok = aci_json_object(r);
    int64_t sum;

    for (size_t i = 0; ok && i < event->change_count; i++)
        if (event->changes[i].kind == AGENTCHAT_CHANGE_ADD)
            ok = aci_index_put(&adds, event->env, agentchat_str_from(event->changes[i].key), i) || aci_native_nomem(r);
    while (ok && aci_json_member(r, &key)) {
        size_t at = aci_index_find(&adds, key);

        ok = at != ACI_INDEX_NONE;
        if (!ok)
            (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the event adds nothing to this key");
        ok = ok && aci_json_raw(r, &number);
        if (ok && !aci_json_integer(number, &sum)) {
            (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "a sum must be a 64-bit integer");
            ok = false;
        }
        ok = ok && (aci_event_set_sum(event, at, sum) || aci_native_nomem(r));
    }
    aci_index_clear(&adds, event->env);
    return ok && !aci_json_failed(r);
}

/* One entry: a key, the revision that it had, and its value if it had one. */
static bool check_undo_entry(aci_json_reader *r)
{
    agentchat_str key = {NULL, 0}, ignored;
    uint64_t revision;
    bool right = aci_json_array(r) && aci_json_element(r) && aci_json_string(r, &key) && aci_json_element(r) &&
                 aci_json_u64(r, &revision);

    if (right && aci_json_element(r))
        right = aci_json_raw(r, &ignored) && !aci_json_element(r);
    if (!right && !aci_json_failed(r))
        (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "an entry has a key, a revision and perhaps a value");
    else if (right && (aci_key_check(key, NULL) < 0 || aci_key_scope(key, NULL) != AGENTCHAT_SCOPE_SESSION))
        (void)aci_json_fail(r, AGENTCHAT_E_INVALID, "an entry's key is none of a session's own");
    return !aci_json_failed(r);
}

/* Checks the undo text and takes it as it stands. */
static bool read_undo(agentchat_event *event, aci_json_reader *r)
{
    const char *begin;

    if (aci_json_peek(r) == ACI_JSON_ERROR)
        return false;
    begin = r->cursor;
    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!check_undo_entry(r))
            return false;
    return !aci_json_failed(r) &&
           (aci_event_set_undo(event, (agentchat_str){begin, (size_t)(r->cursor - begin)}) || aci_native_nomem(r));
}

static bool read_effect(agentchat_event *event, aci_json_reader *r)
{
    static const agentchat_str names[] = {{"app", 3}, {"user", 4}, {"sums", 4}, {"undo", 4}};
    agentchat_str key;
    uint32_t seen = 0;
    bool ok = aci_json_object(r);

    while (ok && aci_json_member(r, &key)) {
        uint32_t i = 0;

        while (i < 4 && !agentchat_str_equal(key, names[i]))
            i++;
        ok = i == 4 || aci_native_once(r, &seen, i);
        if (!ok)
            break;
        if (i == 0)
            ok = aci_json_u64(r, &event->app_revision);
        else if (i == 1)
            ok = aci_json_u64(r, &event->user_revision);
        else if (i == 2)
            ok = read_sums(event, r);
        else if (i == 3)
            ok = read_undo(event, r);
        else
            ok = aci_json_raw(r, &key); /* of a later version */
    }
    return ok && aci_json_end(r);
}

static agentchat_status apply_effect(agentchat_event *event, agentchat_str effect, agentchat_error *err)
{
    aci_json_options options = {.env = event->env, .arena = event->arena, .max_depth = ACI_JSON_HIGHEST_DEPTH};
    aci_json_reader r;

    /* Without ACI_JSON_IN_PLACE nothing is changed. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)effect.ptr, effect.len, err);
    (void)read_effect(event, &r);
    return aci_json_close(&r);
}

agentchat_status aci_stored_event_read(const agentchat_env *env, uint64_t sequence, agentchat_str json,
                                       agentchat_str effect, agentchat_event **out, agentchat_error *err)
{
    agentchat_event *event = NULL;
    agentchat_error detail;
    uint64_t ignored;

    *out = NULL;
    agentchat_error_clear(&detail);
    if (aci_native_event_read(env, json, &aci_event_location_alone, NULL, &ignored, &event, &detail) < 0)
        return damaged(sequence, "text", &detail, err);
    if (effect.ptr != NULL && apply_effect(event, effect, &detail) < 0) {
        agentchat_event_unref(event);
        return damaged(sequence, "effect", &detail, err);
    }
    event->sequence = sequence;
    *out = event;
    return AGENTCHAT_OK;
}
