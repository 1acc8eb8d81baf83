/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a session's file, replayed: so that an imported session can be rewound like any other. The state
 * before the first event is known from the native format; from other formats it counts as empty.
 */
#include "session/session_internal.h"

#include "base/error.h"
#include "base/index.h"
#include <string.h>

/* ---- one event ------------------------------------------------------------------------------------------------ */

/* What a key of the session has after a change; absent: nothing. digits: room for a sum. */
static agentchat_status value_after(const aci_replay *replay, const agentchat_change *change, char digits[24],
                                    agentchat_str *out, agentchat_error *err)
{
    agentchat_str key = agentchat_str_from(change->key);
    int64_t sum = 0;
    agentchat_status status;

    *out = (agentchat_str){NULL, 0};
    if (change->kind == AGENTCHAT_CHANGE_DELETE)
        return AGENTCHAT_OK;
    *out = change->value;
    if (change->kind == AGENTCHAT_CHANGE_SET || change->value.ptr != NULL)
        return AGENTCHAT_OK;
    status = aci_state_sum(key, aci_state_find(replay->own, key), change->amount, &sum, err);
    (void)aci_load_print_integer(sum, digits);
    *out = agentchat_str_from(digits);
    return status;
}

static agentchat_status apply(aci_replay *replay, const agentchat_change *change, agentchat_str value, int64_t sequence,
                              agentchat_error *err)
{
    agentchat_str key = agentchat_str_from(change->key);

    if (value.ptr == NULL) {
        (void)aci_state_remove(replay->own, key);
        (void)aci_state_remove(replay->revisions, key);
        return AGENTCHAT_OK;
    }
    return aci_state_put(replay->own, key, value) && aci_load_revision_put(replay->revisions, key, sequence + 1)
               ? AGENTCHAT_OK
               : aci_fail_nomem(err);
}

/* Appends `"sums":{…},"undo":[…]`, of each what there is, and carries the changes out. */
static agentchat_status write_effect(aci_replay *replay, const aci_import_event *e, aci_buf *sums, aci_buf *undo,
                                     agentchat_error *err)
{
    for (size_t i = 0; i < agentchat_event_change_count(e->event); i++) {
        const agentchat_change *change = &e->event->changes[i];
        agentchat_str key = agentchat_str_from(change->key);
        bool own = aci_key_scope(key, NULL) == AGENTCHAT_SCOPE_SESSION;
        agentchat_str value;
        agentchat_status status = AGENTCHAT_OK;
        char digits[24] = "";

        if (own || change->value.ptr != NULL)
            status = value_after(replay, change, digits, &value, err);
        else
            value = (agentchat_str){NULL, 0};
        if (status < 0)
            return status;
        if (change->kind == AGENTCHAT_CHANGE_ADD && value.ptr != NULL && !aci_effect_sum_add(sums, key, value))
            return aci_fail_nomem(err);
        if (!own)
            continue;
        if (!aci_effect_undo_add(undo, undo->len == 0, key, aci_load_revision_find(replay->revisions, key),
                                 aci_state_find(replay->own, key)))
            return aci_fail_nomem(err);
        status = apply(replay, change, value, e->sequence, err);
        if (status < 0)
            return status;
    }
    return AGENTCHAT_OK;
}

static agentchat_status keep_texts(aci_replay *replay, aci_import_event *e, agentchat_error *err)
{
    aci_buf text, sums, undo, effect;
    agentchat_status status;
    bool ok = true;

    aci_buf_init(&text, replay->env, SIZE_MAX);
    aci_buf_init(&sums, replay->env, SIZE_MAX);
    aci_buf_init(&undo, replay->env, SIZE_MAX);
    aci_buf_init(&effect, replay->env, SIZE_MAX);
    status = write_effect(replay, e, &sums, &undo, err);
    if (status >= 0)
        status = aci_stored_event_text(e->event, &text, err);
    if (status >= 0) {
        ok = aci_effect_write(&effect, 0, 0, aci_buf_str(&sums), aci_buf_str(&undo));
        e->text = aci_arena_copy(replay->arena, aci_buf_str(&text), &ok);
        e->effect = aci_arena_copy(replay->arena, aci_buf_str(&effect), &ok);
    }
    aci_buf_clear(&text);
    aci_buf_clear(&sums);
    aci_buf_clear(&undo);
    aci_buf_clear(&effect);
    return ok ? status : aci_fail_nomem(err);
}

/* ---- all of them ---------------------------------------------------------------------------------------------- */

/* Says what was made of an event that differs from the file. path: of the event. */
static bool report_made(agentchat_report *report, const char *path, unsigned made)
{
    static const struct {
        unsigned flag;
        agentchat_report_kind kind;
        const char *text;
    } all[] = {
        {ACI_EVENT_TRIMMED, AGENTCHAT_REPORT_LOSS, "what begins with temp: was left out: it is not stored"},
        {ACI_EVENT_MADE_TIME, AGENTCHAT_REPORT_NOTE, "the event has no time: that of bringing it in was taken"},
        {ACI_EVENT_MADE_ID, AGENTCHAT_REPORT_NOTE, "the event has no id: one was made"},
        {ACI_EVENT_MADE_INVOCATION, AGENTCHAT_REPORT_NOTE, "the event has no invocation id: one was made"},
    };
    agentchat_str at = agentchat_str_from(path), none = {NULL, 0};
    bool ok = true;

    for (size_t i = 0; ok && i < sizeof all / sizeof *all; i++)
        ok = (made & all[i].flag) == 0 ||
             aci_report_add(report, all[i].kind, AGENTCHAT_MATCH_NONE, at, none, "%s", all[i].text);
    return ok;
}

static agentchat_status add_event(aci_replay *replay, const agentchat_event *event, aci_index *ids, unsigned *made,
                                  agentchat_error *err)
{
    aci_import_event *e = &replay->events[replay->count];
    agentchat_str id;
    aci_excerpt excerpt;
    agentchat_status status = aci_stored_event_of(replay->env, event, NULL, made, &e->event, err);

    if (status < 0)
        return status;
    replay->count++;
    id = agentchat_event_get(e->event, AGENTCHAT_EVENT_ID);
    if (aci_index_find(ids, id) != ACI_INDEX_NONE)
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "two events have the id %s", aci_error_excerpt(id, &excerpt));
    if (!aci_index_put(ids, replay->env, id, replay->count))
        return aci_fail_nomem(err);
    if (agentchat_event_sequence(event) > (uint64_t)replay->sequence)
        e->sequence = (int64_t)agentchat_event_sequence(event);
    else
        e->sequence = replay->sequence + 1;
    replay->sequence = e->sequence;
    return keep_texts(replay, e, err);
}

static agentchat_status add_all(aci_replay *replay, const aci_session_data *data, agentchat_report *report,
                                agentchat_error *err)
{
    aci_index ids = {NULL, 0, 0};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < data->event_count && status >= 0; i++) {
        const agentchat_event *event = data->events[i];
        unsigned made = 0;
        char path[40];

        (void)snprintf(path, sizeof path, "/events/%zu", aci_session_event_index(data, i));
        if (aci_event_is_partial(event)) {
            if (!aci_report_add(report, AGENTCHAT_REPORT_LOSS, AGENTCHAT_MATCH_NONE, agentchat_str_from(path),
                                (agentchat_str){NULL, 0}, "a partial event is not stored"))
                status = aci_fail_nomem(err);
            continue;
        }
        status = add_event(replay, event, &ids, &made, err);
        if (status >= 0 && !report_made(report, path, made))
            status = aci_fail_nomem(err);
        if (status < 0 && err != NULL && err->path[0] == '\0')
            aci_error_path(err, agentchat_str_from(path));
    }
    aci_index_clear(&ids, replay->env);
    return status;
}

static bool copy_initial(aci_replay *replay, const agentchat_state *initial)
{
    agentchat_str key, value;

    for (size_t at = 0; aci_state_next(initial, &at, &key, &value);) {
        if (aci_key_scope(key, NULL) != AGENTCHAT_SCOPE_SESSION)
            continue;
        if (!aci_state_put(replay->own, key, value) || !aci_load_revision_put(replay->revisions, key, 1))
            return false;
    }
    return true;
}

agentchat_status aci_replay_run(aci_replay *replay, const agentchat_env *env, const aci_session_data *data,
                                agentchat_report *report, agentchat_error *err)
{
    agentchat_status status;

    memset(replay, 0, sizeof *replay);
    replay->env = env;
    replay->arena = aci_arena_new(env, 0);
    replay->own = aci_state_new(env);
    replay->revisions = aci_state_new(env);
    replay->cap = data->event_count;
    if (replay->cap > 0)
        replay->events = aci_alloc_zero(env, replay->cap * sizeof(*replay->events));
    if (replay->arena == NULL || replay->own == NULL || replay->revisions == NULL ||
        (replay->cap > 0 && replay->events == NULL)) {
        if (replay->events == NULL)
            replay->cap = 0;
        return aci_fail_nomem(err);
    }
    status = copy_initial(replay, data->initial) ? AGENTCHAT_OK : aci_fail_nomem(err);
    if (status >= 0)
        status = add_all(replay, data, report, err);
    if (status >= 0 && data->sequence > (uint64_t)replay->sequence)
        replay->sequence = (int64_t)data->sequence; /* reading has checked that it is in range */
    return status;
}

void aci_replay_clear(aci_replay *replay)
{
    for (size_t i = 0; i < replay->count; i++)
        agentchat_event_unref(replay->events[i].event);
    if (replay->env != NULL)
        aci_free(replay->env, replay->events, replay->cap * sizeof(*replay->events));
    agentchat_state_free(replay->own);
    agentchat_state_free(replay->revisions);
    aci_arena_unref(replay->arena);
    memset(replay, 0, sizeof *replay);
}
