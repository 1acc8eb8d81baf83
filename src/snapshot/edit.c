/* SPDX-License-Identifier: Apache-2.0 */
/* Editing a snapshot: its history, and every channel that holds messages of it, at every depth. */
#include "snapshot/edit.h"

#include "base/error.h"
#include "model/receive_filter.h"
#include "snapshot/builder.h"
#include "snapshot/report.h"

/* ---- where the edit is ------------------------------------------------------------------------------------------ */

void aci_edit_begin(aci_editing *editing, const agentchat_env *env, agentchat_report *report)
{
    *editing = (aci_editing){.env = env, .report = report};
    aci_buf_init(&editing->path, env, SIZE_MAX);
}

void aci_edit_end(aci_editing *editing)
{
    aci_buf_clear(&editing->path);
}

agentchat_status aci_edit_enter_chat(aci_editing *editing, agentchat_error *err)
{
    if (editing->depth >= editing->env->limits.max_depth)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "chats are nested more than %u deep",
                        (unsigned)editing->env->limits.max_depth);
    editing->depth++;
    return AGENTCHAT_OK;
}

void aci_edit_leave_chat(aci_editing *editing)
{
    editing->depth--;
}

bool aci_edit_push(aci_editing *editing, size_t channel, bool is_chat, size_t *before)
{
    *before = editing->path.len;
    return aci_buf_printf(&editing->path, "/channels/%zu%s", channel, is_chat ? "/channelstate" : "");
}

void aci_edit_pop(aci_editing *editing, size_t before, agentchat_status status, agentchat_error *err)
{
    agentchat_str path = aci_buf_str(&editing->path);

    if (status < 0)
        aci_error_path_prepend(err, (agentchat_str){path.ptr + before, path.len - before});
    editing->path.len = before;
}

bool aci_edit_report(const aci_editing *editing, agentchat_str key)
{
    return aci_report_add(editing->report, AGENTCHAT_REPORT_CHANNEL_UNEDITED, AGENTCHAT_MATCH_NONE,
                          aci_buf_str(&editing->path), key,
                          "the channel cannot follow the edit; what it was given stays with it");
}

/* ---- a channel -------------------------------------------------------------------------------------------------- */

static agentchat_status check_positions(const aci_edit_plan *plan, const agentchat_channel_state *state,
                                        agentchat_error *err)
{
    size_t count = plan->before->count;

    if (state->synced != AGENTCHAT_SYNCED_UNKNOWN && state->synced > count)
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the channel knows more messages than the history has");
    for (size_t i = 0; i < state->pending_count; i++)
        if (state->pending[i] >= count || (i > 0 && state->pending[i] <= state->pending[i - 1]))
            return aci_fail(err, AGENTCHAT_E_SCHEMA,
                            "the positions of pending messages are not in ascending order or beyond the history");
    return AGENTCHAT_OK;
}

/* A snapshot does not say what the channel's filter was: it is the usual one, unless the channel has what that keeps
   out. */
static bool has_filter(const agentchat_channel_state *state)
{
    aci_list_cursor cursor;

    if (!agentchat_str_equal(state->type, AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL)))
        return false;
    aci_list_cursor_begin(&cursor, &state->messages);
    for (size_t i = 0; i < state->messages.count; i++)
        if (!aci_receive_filter_takes(aci_list_cursor_at(&cursor, i), false))
            return false;
    return true;
}

static agentchat_status edit_messages(aci_edit_plan *plan, const aci_edit_given *given, agentchat_channel_state *state,
                                      agentchat_error *err)
{
    bool filter = !plan->passes && has_filter(state);
    agentchat_messages edited;
    agentchat_status status = aci_edit_plan_apply(plan, given, &state->messages, filter, false, &edited, err);

    if (status < 0)
        return status;
    aci_list_clear(&state->messages);
    state->messages = edited;
    return AGENTCHAT_OK;
}

static agentchat_status edit_chat(aci_editing *editing, const agentchat_snapshot *snapshot,
                                  const agentchat_list_edit *edit, agentchat_snapshot **out, agentchat_error *err);

/* The chat inside a channel was given the messages of the outer one, and has more. */
static agentchat_status edit_nested(aci_editing *editing, aci_edit_plan *plan, const aci_edit_given *given,
                                    agentchat_channel_state *state, agentchat_error *err)
{
    agentchat_list_edit *edit = NULL;
    agentchat_snapshot *edited = NULL;
    agentchat_status status;

    status = aci_edit_plan_derive(plan, given, &state->chat->history, NULL, NULL, &edit, err);
    if (status >= 0 && !agentchat_list_edit_is_empty(edit))
        status = edit_chat(editing, state->chat, edit, &edited, err);
    if (edited != NULL) {
        agentchat_snapshot_unref(state->chat);
        state->chat = edited;
    }
    agentchat_list_edit_free(edit);
    return status;
}

/* Moves what is pending. adds: what is added at the end of the history is pending, too. */
static bool move_pending(const aci_edit_plan *plan, agentchat_channel_state *state, bool adds, aci_arena *arena)
{
    size_t length = plan->edit->length, count = adds ? plan->after.count - plan->starts[length] : 0, at = 0;
    size_t *pending, old_count = state->pending_count;

    for (size_t i = 0; i < state->pending_count; i++)
        count += aci_edit_plan_span(plan, state->pending[i], state->pending[i] + 1).count;
    state->pending_count = 0;
    if (count == 0)
        return true;
    pending = aci_arena_alloc(arena, count * sizeof *pending); /* each is a message that exists */
    if (pending == NULL)
        return false;
    for (size_t i = 0; i < old_count; i++) {
        aci_edit_span span = aci_edit_plan_span(plan, state->pending[i], state->pending[i] + 1);

        for (size_t k = 0; k < span.count; k++)
            pending[at++] = span.first + k;
    }
    for (size_t k = plan->starts[length]; at < count; k++)
        pending[at++] = k;
    state->pending = pending;
    state->pending_count = count;
    return true;
}

agentchat_status aci_edit_state(aci_editing *editing, aci_edit_plan *plan, agentchat_channel_state *state,
                                aci_arena *arena, agentchat_error *err)
{
    agentchat_status status = check_positions(plan, state, err);
    aci_edit_given given = {state->synced, state->pending, state->pending_count};
    bool changes, adds, is_opaque;

    if (status < 0)
        return status;
    if (given.end == AGENTCHAT_SYNCED_UNKNOWN) {
        given.end = plan->before->count;
        if (state->kind == AGENTCHAT_CHANNEL_MESSAGES)
            status = aci_edit_plan_find_end(plan, &state->messages, &given.end, err);
        if (status < 0)
            return status;
    }
    changes = aci_edit_plan_changes(plan, &given);
    adds = aci_edit_plan_adds(plan, &given);
    is_opaque =
        state->kind != AGENTCHAT_CHANNEL_MESSAGES && (state->kind != AGENTCHAT_CHANNEL_CHAT || state->chat == NULL);
    if (is_opaque && changes && !aci_edit_report(editing, state->key))
        return aci_fail_nomem(err);
    if (!is_opaque && (changes || adds))
        status = state->kind == AGENTCHAT_CHANNEL_MESSAGES ? edit_messages(plan, &given, state, err)
                                                           : edit_nested(editing, plan, &given, state, err);
    if (status < 0)
        return status;
    if (!move_pending(plan, state, is_opaque && adds, arena))
        return aci_fail_nomem(err);
    if (state->synced != AGENTCHAT_SYNCED_UNKNOWN)
        state->synced = aci_edit_plan_end(plan, state->synced);
    return AGENTCHAT_OK;
}

/* ---- a chat ----------------------------------------------------------------------------------------------------- */

/* Edits what a builder started with. */
static agentchat_status edit_channels(aci_editing *editing, aci_edit_plan *plan, agentchat_snapshot_builder *builder,
                                      agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < builder->channel_count; i++) {
        agentchat_channel_state *state = &builder->channels[i];
        size_t before;

        if (!aci_edit_push(editing, i, state->kind == AGENTCHAT_CHANNEL_CHAT, &before))
            return aci_fail_nomem(err);
        status = aci_edit_state(editing, plan, state, builder->arena, err);
        aci_edit_pop(editing, before, status, err);
    }
    return status;
}

static agentchat_status edit_entered(aci_editing *editing, aci_edit_plan *plan, const agentchat_snapshot *snapshot,
                                     const agentchat_list_edit *edit, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_snapshot_builder *builder = NULL;
    agentchat_status status = aci_edit_plan_make(plan, editing->env, &snapshot->history, edit, err);

    if (status >= 0)
        status = agentchat_snapshot_builder_new(editing->env, snapshot, &builder, err);
    if (status >= 0) {
        aci_list_clear(&builder->history);
        aci_list_copy(&builder->history, &plan->after);
        status = edit_channels(editing, plan, builder, err);
    }
    if (status >= 0)
        return agentchat_snapshot_builder_finish(builder, out, err);
    agentchat_snapshot_builder_free(builder);
    return status;
}

/* The plan is not on the stack, since chats nest. */
static agentchat_status edit_chat(aci_editing *editing, const agentchat_snapshot *snapshot,
                                  const agentchat_list_edit *edit, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_status status = aci_edit_enter_chat(editing, err);
    aci_edit_plan *plan;

    if (status < 0)
        return status;
    plan = aci_alloc_zero(editing->env, sizeof *plan);
    if (plan == NULL) {
        aci_edit_leave_chat(editing);
        return aci_fail_nomem(err);
    }
    status = edit_entered(editing, plan, snapshot, edit, out, err);
    aci_edit_leave_chat(editing);
    aci_edit_plan_clear(plan);
    aci_free(editing->env, plan, sizeof *plan);
    return status;
}

agentchat_status agentchat_snapshot_edit(const agentchat_env *env, const agentchat_snapshot *snapshot,
                                         const agentchat_list_edit *edit, agentchat_snapshot **out,
                                         agentchat_report **report, agentchat_error *err)
{
    agentchat_report *filled = NULL;
    aci_editing editing;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (snapshot == NULL || edit == NULL)
        return aci_fail_null(err, snapshot == NULL ? "snapshot" : "edit");
    env = aci_env(env);
    if (report != NULL) {
        filled = *report = aci_report_new(env);
        if (filled == NULL)
            return aci_fail_nomem(err);
    }
    aci_edit_begin(&editing, env, filled);
    status = edit_chat(&editing, snapshot, edit, out, err);
    aci_edit_end(&editing);
    return status;
}
