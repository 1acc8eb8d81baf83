/* SPDX-License-Identifier: Apache-2.0 */
/* Staging an edit: edited channels that nobody sees yet, queues, and kept states. */
#include "chat/edit_stage.h"

#include "base/error.h"
#include "chat/channel.h"
#include "chat/channel_edit.h"

typedef struct staged_channel {
    aci_channel *channel;
    bool is_edited; /* self takes the place of the channel's own; after the commit it is the old one */
    bool is_dropped;
    void *self;
    aci_queue queue;
    aci_edit_stage *inner; /* of the chat inside the channel; NULL: nothing changes there */
} staged_channel;

struct aci_edit_stage {
    agentchat_chat *chat;
    aci_edit_plan plan;
    agentchat_list_edit *derived; /* the edit, of a chat inside a channel; NULL for the outermost */
    bool is_taken;                /* the flag is the stage's to give back */
    bool is_committed;
    staged_channel *channels;
    size_t channel_count, channels_size;
    aci_kept *kept;
    agentchat_snapshot *kept_from; /* copies of the kept states, edited; NULL: none */
    size_t kept_count, kept_size;
};

/* ---- queues ----------------------------------------------------------------------------------------------------- */

/* The positions that wait for a channel. */
static bool list_pending(const agentchat_env *env, const aci_queue *queue, size_t **out, size_t *count, size_t *size)
{
    size_t at = 0;

    *count = aci_queue_message_count(queue);
    *out = aci_alloc_array(env, *count, sizeof **out, size);
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < queue->count; i++)
        for (size_t k = 0; k < queue->list[i].count; k++)
            (*out)[at++] = queue->list[i].first + k;
    return true;
}

/* Moves the batches that wait; one of which nothing is left goes. adds: what is added at the end waits, too. */
static bool move_queue(const aci_edit_plan *plan, const aci_queue *queue, bool adds, aci_queue *out)
{
    size_t length = plan->edit->length;

    for (size_t i = 0; i < queue->count; i++) {
        aci_range range = queue->list[i];
        aci_edit_span span = aci_edit_plan_span(plan, range.first, range.first + range.count);

        if (range.count > 0 && span.count == 0)
            continue;
        if (!aci_queue_reserve(out, plan->env))
            return false;
        aci_queue_push(out, (aci_range){span.first, span.count});
    }
    if (!adds)
        return true;
    if (!aci_queue_reserve(out, plan->env))
        return false;
    aci_queue_push(out, (aci_range){plan->starts[length], plan->after.count - plan->starts[length]});
    return true;
}

/* ---- a channel -------------------------------------------------------------------------------------------------- */

/* The chat inside a channel was given the messages of the outer one, and has more. */
static agentchat_status stage_inner(aci_editing *editing, aci_edit_plan *plan, const aci_edit_given *given,
                                    staged_channel *staged, agentchat_error *err)
{
    agentchat_chat *inner = staged->channel->agent->inner(staged->channel->self);
    agentchat_list_edit *edit = NULL;
    agentchat_status status = aci_chat_enter(inner, err);

    if (status < 0)
        return status;
    status = aci_edit_plan_derive(plan, given, &inner->history, NULL, NULL, &edit, err);
    if (status >= 0 && !agentchat_list_edit_is_empty(edit))
        status = aci_edit_stage_make(editing, inner, edit, &staged->inner, err);
    if (staged->inner == NULL) {
        agentchat_list_edit_free(edit);
        aci_chat_leave(inner);
        return status;
    }
    staged->inner->derived = edit;
    staged->inner->is_taken = true;
    return status;
}

/* Lets the channel take part by its own function. */
static agentchat_status stage_edited(aci_edit_plan *plan, const aci_edit_given *given, staged_channel *staged,
                                     agentchat_error *err)
{
    const agentchat_agent *agent = staged->channel->agent;
    agentchat_channel_edit in = {plan, *given};
    agentchat_error *cause = aci_chat_cause(agent->chat);
    agentchat_status status = agent->table.edit(staged->channel->self, agent->context, &in, &staged->self, cause);

    if (status < 0) {
        staged->self = NULL;
        return aci_agent_fail_channel(agent, status, cause, "could not be edited", err);
    }
    staged->is_dropped = status == AGENTCHAT_DONE;
    staged->is_edited = !staged->is_dropped && staged->self != NULL;
    return AGENTCHAT_OK;
}

static agentchat_status stage_given(aci_editing *editing, aci_edit_plan *plan, const aci_edit_given *given,
                                    staged_channel *staged, agentchat_error *err)
{
    const aci_channel *channel = staged->channel;
    bool changes = aci_edit_plan_changes(plan, given), adds = aci_edit_plan_adds(plan, given);
    bool can_edit = channel->agent->inner != NULL || channel->agent->table.edit != NULL;
    agentchat_status status = AGENTCHAT_OK;

    if (can_edit && (changes || adds))
        status = channel->agent->inner != NULL ? stage_inner(editing, plan, given, staged, err)
                                               : stage_edited(plan, given, staged, err);
    else if (changes && !aci_edit_report(editing, (agentchat_str){channel->key, AGENTCHAT_KEY_LEN}))
        status = aci_fail_nomem(err);
    if (status >= 0 && !move_queue(plan, &channel->queue, adds && !can_edit, &staged->queue))
        status = aci_fail_nomem(err);
    return status;
}

static agentchat_status stage_channel(aci_editing *editing, aci_edit_plan *plan, aci_channel *channel,
                                      staged_channel *staged, agentchat_error *err)
{
    aci_edit_given given = {channel->synced, NULL, 0};
    size_t *pending, size;
    agentchat_status status;

    *staged = (staged_channel){.channel = channel};
    if (!list_pending(plan->env, &channel->queue, &pending, &given.pending_count, &size))
        return aci_fail_nomem(err);
    given.pending = pending;
    status = stage_given(editing, plan, &given, staged, err);
    aci_free(plan->env, pending, size);
    return status;
}

static agentchat_status stage_channels(aci_editing *editing, aci_edit_stage *stage, agentchat_error *err)
{
    const agentchat_chat *chat = stage->chat;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < chat->channel_count; i++) {
        aci_channel *channel = chat->channels[i];
        size_t before;

        if (aci_chat_is_interrupted(chat))
            return aci_chat_fail_interrupted(err);
        if (!aci_edit_push(editing, i, channel->agent->inner != NULL, &before))
            return aci_fail_nomem(err);
        status = stage_channel(editing, &stage->plan, channel, &stage->channels[stage->channel_count++], err);
        aci_edit_pop(editing, before, status, err);
    }
    return status;
}

/* ---- kept states ------------------------------------------------------------------------------------------------ */

static bool reserve_kept(aci_edit_stage *stage, size_t count)
{
    const agentchat_env *env = stage->chat->env;
    aci_arena *arena;

    stage->kept = aci_alloc_array(env, count, sizeof *stage->kept, &stage->kept_size);
    arena = stage->kept != NULL ? aci_arena_new(env, 0) : NULL;
    stage->kept_from = arena != NULL ? aci_snapshot_new(env, arena) : NULL;
    if (stage->kept_from == NULL)
        return false;
    stage->kept_from->channels = aci_arena_alloc(arena, count * sizeof *stage->kept_from->channels);
    return stage->kept_from->channels != NULL;
}

static agentchat_status stage_kept(aci_editing *editing, aci_edit_stage *stage, agentchat_error *err)
{
    const agentchat_chat *chat = stage->chat;
    agentchat_status status = AGENTCHAT_OK;

    if (chat->kept_count == 0)
        return AGENTCHAT_OK;
    if (!reserve_kept(stage, chat->kept_count))
        return aci_fail_nomem(err);
    for (size_t i = 0; status >= 0 && i < chat->kept_count; i++) {
        agentchat_channel_state *state = &stage->kept_from->channels[stage->kept_from->channel_count++];
        size_t before;

        if (!aci_snapshot_copy_channel(state, chat->kept[i].state, stage->kept_from->arena) ||
            !aci_edit_push(editing, chat->channel_count + i, state->kind == AGENTCHAT_CHANNEL_CHAT, &before))
            return aci_fail_nomem(err);
        state->synced = chat->kept[i].synced;
        status = aci_edit_state(editing, &stage->plan, state, stage->kept_from->arena, err);
        aci_edit_pop(editing, before, status, err);
        stage->kept[stage->kept_count++] = (aci_kept){state, state->synced, chat->kept[i].origin};
    }
    return status;
}

/* ---- a chat ----------------------------------------------------------------------------------------------------- */

static agentchat_status stage_chat(aci_editing *editing, aci_edit_stage *stage, const agentchat_list_edit *edit,
                                   agentchat_error *err)
{
    const agentchat_chat *chat = stage->chat;
    agentchat_status status;

    stage->channels = aci_alloc_array(chat->env, chat->channel_count, sizeof *stage->channels, &stage->channels_size);
    if (stage->channels == NULL)
        return aci_fail_nomem(err);
    status = aci_edit_plan_make(&stage->plan, chat->env, &chat->history, edit, err);
    if (status >= 0)
        status = stage_channels(editing, stage, err);
    return status < 0 ? status : stage_kept(editing, stage, err);
}

agentchat_status aci_edit_stage_make(aci_editing *editing, agentchat_chat *chat, const agentchat_list_edit *edit,
                                     aci_edit_stage **out, agentchat_error *err)
{
    agentchat_status status = aci_edit_enter_chat(editing, err);

    *out = NULL;
    if (status < 0)
        return status;
    *out = aci_alloc_zero(chat->env, sizeof **out);
    if (*out == NULL) {
        status = aci_fail_nomem(err);
    } else {
        (*out)->chat = chat;
        status = stage_chat(editing, *out, edit, err);
    }
    aci_edit_leave_chat(editing);
    return status;
}

static void commit_channel(staged_channel *staged, size_t synced)
{
    aci_channel *channel = staged->channel;
    aci_queue queue = channel->queue;
    void *self = channel->self;

    channel->synced = synced;
    channel->queue = staged->queue;
    staged->queue = queue;
    if (staged->is_edited) {
        channel->self = staged->self;
        staged->self = self;
    }
    if (staged->is_edited || staged->inner != NULL)
        channel->is_fresh = false;
    if (staged->inner != NULL)
        aci_edit_stage_commit(staged->inner);
}

/* Takes the channels out that are to be made anew; the stage frees them. */
static void drop_channels(aci_edit_stage *stage)
{
    agentchat_chat *chat = stage->chat;
    size_t left = 0;

    for (size_t i = 0; i < stage->channel_count; i++)
        if (!stage->channels[i].is_dropped)
            chat->channels[left++] = chat->channels[i];
    chat->channel_count = left;
}

void aci_edit_stage_commit(aci_edit_stage *stage)
{
    agentchat_chat *chat = stage->chat;
    agentchat_messages history = chat->history;

    for (size_t i = 0; i < stage->channel_count; i++)
        commit_channel(&stage->channels[i], aci_edit_plan_end(&stage->plan, stage->channels[i].channel->synced));
    chat->history = stage->plan.after;
    stage->plan.after = history;
    drop_channels(stage);
    for (size_t i = 0; i < stage->kept_count; i++)
        chat->kept[i] = stage->kept[i];
    if (stage->kept_from != NULL) {
        agentchat_snapshot *kept_from = chat->kept_from;

        chat->kept_from = stage->kept_from;
        stage->kept_from = kept_from;
    }
    stage->is_committed = true;
}

void aci_edit_stage_leave(aci_edit_stage *stage)
{
    for (size_t i = 0; i < stage->channel_count; i++)
        if (stage->channels[i].inner != NULL)
            aci_edit_stage_leave(stage->channels[i].inner);
    if (!stage->is_taken)
        return;
    /* The edit is done, in the outer chat too: what this observer cannot do has no effect. */
    if (stage->is_committed)
        (void)aci_chat_observe_edit(stage->chat, stage->derived, NULL);
    aci_chat_leave(stage->chat);
}

static void free_channel(const agentchat_env *env, staged_channel *staged)
{
    aci_edit_stage_free(staged->inner);
    aci_queue_clear(&staged->queue, env);
    if (staged->is_edited && staged->channel->agent->table.free != NULL)
        staged->channel->agent->table.free(staged->self);
}

void aci_edit_stage_free(aci_edit_stage *stage)
{
    const agentchat_env *env;

    if (stage == NULL)
        return;
    env = stage->chat->env;
    for (size_t i = 0; i < stage->channel_count; i++) {
        free_channel(env, &stage->channels[i]);
        if (stage->is_committed && stage->channels[i].is_dropped)
            aci_channel_free(env, stage->channels[i].channel);
    }
    aci_free(env, stage->channels, stage->channels_size);
    aci_free(env, stage->kept, stage->kept_size);
    agentchat_snapshot_unref(stage->kept_from);
    aci_edit_plan_clear(&stage->plan);
    agentchat_list_edit_free(stage->derived);
    aci_free(env, stage, sizeof *stage);
}
