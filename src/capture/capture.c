/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capturing: the state of a live chat as a snapshot.
 *
 * The cost is that of the channels, the participants and what their callbacks copy: lists of messages, named values and
 * kept states are shared, and so is what the chat was restored from, with a reference that the snapshot's arena holds.
 */
#include "capture/capture.h"

#include "base/error.h"
#include "capture/origin.h"
#include "chat/channel.h"
#include "chat/channel_state.h"

/* Keeps another snapshot alive for as long as an arena lives. */
typedef struct keep_alive {
    aci_attached attached;
    agentchat_snapshot *snapshot;
} keep_alive;

static void let_go(aci_attached *self)
{
    keep_alive *block = (keep_alive *)self;

    agentchat_snapshot_unref(block->snapshot);
}

static bool keep(aci_arena *owner, agentchat_snapshot *snapshot)
{
    keep_alive *block = aci_alloc(aci_arena_env(owner), sizeof *block);

    if (block == NULL)
        return false;
    *block = (keep_alive){.snapshot = agentchat_snapshot_ref(snapshot)};
    block->attached.size = sizeof *block;
    block->attached.destroy = let_go;
    aci_arena_attach(owner, &block->attached);
    return true;
}

/* ---- before the capture --------------------------------------------------------------------------------------- */

static agentchat_status create_channels(agentchat_chat *chat, agentchat_error *err)
{
    for (size_t i = 0; i < chat->agent_count; i++) {
        aci_channel *channel = NULL;
        agentchat_status status;

        if (aci_channel_of(chat, chat->agents[i]) != NULL)
            continue;
        status = aci_channel_open(chat, chat->agents[i], &channel, err);
        if (status < 0)
            return status;
    }
    return AGENTCHAT_OK;
}

/* What cannot be delivered is stored as pending; the report says so. */
static agentchat_status deliver(aci_capturing *capturing, agentchat_chat *chat, agentchat_error *err)
{
    size_t len = capturing->path.len;

    for (size_t i = 0; i < chat->channel_count; i++) {
        aci_channel *channel = chat->channels[i];
        bool ok;

        agentchat_error_clear(&capturing->undelivered);
        if (aci_channel_deliver(chat, channel, &capturing->undelivered) >= 0)
            continue;
        ok = aci_buf_printf(&capturing->path, "/channels/%zu/pending", i) &&
             aci_report_add(capturing->report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE,
                            aci_buf_str(&capturing->path), (agentchat_str){NULL, 0}, "%zu messages are pending: %s",
                            aci_queue_message_count(&channel->queue), capturing->undelivered.message);
        capturing->path.len = len;
        if (!ok)
            return aci_fail_nomem(err);
    }
    return AGENTCHAT_OK;
}

/* ---- channels ------------------------------------------------------------------------------------------------- */

/* What a channel that holds a chat saves it with. */
static agentchat_status capture_inner(const agentchat_channel_save *self, agentchat_chat *inner,
                                      agentchat_snapshot **out, agentchat_error *err)
{
    static const char step[] = "/channelstate";
    aci_capturing *capturing = self->context;
    size_t len = capturing->path.len;
    agentchat_status status;

    if (!aci_buf_add(&capturing->path, step, sizeof step - 1))
        return aci_fail_nomem(err);
    status = aci_chat_enter(inner, err);
    if (status >= 0) {
        capturing->depth++;
        status = aci_capture_chat(capturing, inner, out, err);
        capturing->depth--;
        aci_chat_leave(inner);
    }
    capturing->path.len = len;
    if (status < 0)
        aci_error_path_prepend(err, agentchat_str_from(step));
    return status;
}

static bool copy_pending(agentchat_channel_state *state, aci_arena *arena, const aci_queue *queue)
{
    size_t count = aci_queue_message_count(queue), at = 0;

    if (count == 0)
        return true;
    state->pending = aci_arena_alloc(arena, count * sizeof *state->pending); /* each is a message that exists */
    if (state->pending == NULL)
        return false;
    for (size_t i = 0; i < queue->count; i++)
        for (size_t k = 0; k < queue->list[i].count; k++)
            state->pending[at++] = queue->list[i].first + k;
    state->pending_count = count;
    return true;
}

static agentchat_status save(aci_capturing *capturing, const aci_channel *channel, aci_arena *arena,
                             agentchat_channel_state *state, agentchat_error *err)
{
    agentchat_channel_save save = {.arena = arena, .capture = capture_inner, .context = capturing};
    agentchat_error *cause = aci_chat_cause(channel->agent->chat);
    agentchat_status status;

    aci_list_init(&save.messages, aci_arena_env(arena));
    status = channel->agent->table.save(channel->self, &save, cause);
    if (status >= 0 && !save.is_set)
        status = agentchat_error_set(cause, AGENTCHAT_E_INVALID, "its save function set no state");
    if (status < 0) {
        aci_list_clear(&save.messages);
        agentchat_snapshot_unref(save.chat);
        return aci_agent_fail_channel(channel->agent, status, cause, "could not be saved", err);
    }
    state->kind = save.kind;
    state->data = save.data;
    state->messages = save.messages;
    state->chat = save.chat;
    return AGENTCHAT_OK;
}

/* What the channel was restored from and does not know itself. A text that the channel has changed is a new one, whose
   spelling the writer chooses. */
static void add_origin(agentchat_channel_state *state, const agentchat_channel_state *origin)
{
    if (origin == NULL)
        return;
    state->extras = origin->extras;
    if (state->kind == AGENTCHAT_CHANNEL_TEXT && agentchat_str_equal(state->data, origin->data))
        state->spelling = origin->spelling;
}

/* The state is counted into the snapshot by the caller at once, so that it is released with it on any failure. */
static agentchat_status capture_channel(aci_capturing *capturing, const aci_channel *channel, aci_arena *arena,
                                        agentchat_channel_state *state, agentchat_error *err)
{
    agentchat_status status;
    bool ok = true;

    *state = (agentchat_channel_state){.kind = AGENTCHAT_CHANNEL_TEXT, .synced = channel->synced};
    aci_list_init(&state->messages, aci_arena_env(arena));
    state->key = aci_arena_copy(arena, (agentchat_str){channel->key, AGENTCHAT_KEY_LEN}, &ok);
    state->type = aci_arena_copy(arena, agentchat_str_from(channel->agent->table.name), &ok);
    if (!ok || !copy_pending(state, arena, &channel->queue))
        return aci_fail_nomem(err);
    status = save(capturing, channel, arena, state, err);
    if (status >= 0)
        add_origin(state, channel->origin);
    return status;
}

static agentchat_status capture_channels(aci_capturing *capturing, const agentchat_chat *chat,
                                         agentchat_snapshot *snapshot, agentchat_error *err)
{
    for (size_t i = 0; i < chat->channel_count; i++) {
        size_t len = capturing->path.len;
        agentchat_status status;
        char step[40];

        snprintf(step, sizeof step, "/channels/%zu", i);
        if (!aci_buf_add_str(&capturing->path, agentchat_str_from(step)))
            return aci_fail_nomem(err);
        status = capture_channel(capturing, chat->channels[i], snapshot->arena,
                                 &snapshot->channels[snapshot->channel_count++], err);
        capturing->path.len = len;
        if (status < 0) {
            aci_error_path_prepend(err, agentchat_str_from(step));
            return status;
        }
    }
    return AGENTCHAT_OK;
}

static void add_kept(const agentchat_chat *chat, agentchat_snapshot *snapshot)
{
    for (size_t i = 0; i < chat->kept_count; i++) {
        const agentchat_channel_state *kept = chat->kept[i].state;
        agentchat_channel_state *state = &snapshot->channels[snapshot->channel_count++];

        *state = *kept;
        state->synced = chat->kept[i].synced;
        aci_list_copy(&state->messages, &kept->messages);
        state->chat = agentchat_snapshot_ref(kept->chat);
    }
}

/* ---- the rest ------------------------------------------------------------------------------------------------- */

/* The agents, so that the position of the round robin is one of the list, and then who is missing. */
static bool add_participants(const agentchat_chat *chat, agentchat_snapshot *snapshot, const bool *kept, size_t stored)
{
    size_t count = chat->agent_count;
    bool ok = true;

    for (size_t i = 0; i < stored; i++)
        count += kept[i];
    if (count == 0)
        return true;
    snapshot->participants = aci_arena_alloc(snapshot->arena, count * sizeof *snapshot->participants);
    if (snapshot->participants == NULL)
        return false;

    for (size_t i = 0; i < chat->agent_count; i++) {
        const agentchat_participant *origin = chat->agents[i]->origin;
        agentchat_participant *participant = &snapshot->participants[snapshot->participant_count++];

        *participant = (agentchat_participant){.extras = origin != NULL ? origin->extras : NULL};
        participant->id = aci_arena_copy(snapshot->arena, chat->agents[i]->id, &ok);
        participant->name = aci_arena_copy(snapshot->arena, chat->agents[i]->name, &ok);
        participant->type = aci_arena_copy(snapshot->arena, chat->agents[i]->type, &ok);
    }
    for (size_t i = 0; i < stored; i++)
        if (kept[i])
            snapshot->participants[snapshot->participant_count++] = chat->origin->participants[i];
    return ok;
}

static bool capture_participants(const agentchat_chat *chat, agentchat_snapshot *snapshot)
{
    size_t stored = chat->origin != NULL ? chat->origin->participant_count : 0;
    bool *kept = NULL;
    bool ok = aci_origin_kept(chat, &kept) && add_participants(chat, snapshot, kept, stored);

    aci_free(chat->env, kept, stored * sizeof *kept);
    return ok;
}

static bool add_values(const agentchat_chat *chat, agentchat_snapshot *snapshot)
{
    for (size_t i = 0; i < chat->value_count; i++) {
        const aci_value *value = &chat->values[i];

        snapshot->values[i] = *value;
        aci_value_list_ref(value->list);
        aci_arena_ref(value->arena);
    }
    return aci_snapshot_set_values(snapshot, snapshot->values, chat->value_count);
}

static bool allocate(const agentchat_chat *chat, agentchat_snapshot *snapshot)
{
    size_t channels = chat->channel_count + chat->kept_count;

    if (channels > 0)
        snapshot->channels = aci_arena_alloc(snapshot->arena, channels * sizeof *snapshot->channels);
    if (chat->value_count > 0)
        snapshot->values = aci_arena_alloc(snapshot->arena, chat->value_count * sizeof *snapshot->values);
    return (channels == 0 || snapshot->channels != NULL) && (chat->value_count == 0 || snapshot->values != NULL);
}

static agentchat_status fill(aci_capturing *capturing, agentchat_chat *chat, agentchat_snapshot *snapshot,
                             agentchat_error *err)
{
    agentchat_status status;

    aci_list_clear(&snapshot->history);
    aci_list_copy(&snapshot->history, &chat->history);
    snapshot->next_turn = chat->next_turn < chat->agent_count ? chat->next_turn : 0;
    snapshot->is_complete = chat->is_complete;
    aci_origin_adopt(chat);
    if (chat->origin != NULL) {
        if (!keep(snapshot->arena, chat->origin))
            return aci_fail_nomem(err);
        snapshot->extras = chat->origin->extras;
        snapshot->form = chat->origin->form;
        snapshot->source_bytes = chat->origin->source_bytes;
    }
    if (!allocate(chat, snapshot) || !capture_participants(chat, snapshot) || !add_values(chat, snapshot))
        return aci_fail_nomem(err);
    if (chat->kept_count > 0 && !keep(snapshot->arena, chat->kept_from))
        return aci_fail_nomem(err);
    status = capture_channels(capturing, chat, snapshot, err);
    if (status >= 0)
        add_kept(chat, snapshot);
    return status;
}

agentchat_status aci_capture_chat(aci_capturing *capturing, agentchat_chat *chat, agentchat_snapshot **out,
                                  agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_snapshot *snapshot;
    aci_arena *arena;

    *out = NULL;
    if (capturing->depth >= chat->env->limits.max_depth)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "chats are nested more than %u deep",
                        (unsigned)chat->env->limits.max_depth);
    if (capturing->options.all_channels)
        status = create_channels(chat, err);
    if (status >= 0 && !capturing->options.no_delivery)
        status = deliver(capturing, chat, err);
    if (status < 0)
        return status;
    arena = aci_arena_new(chat->env, 0);
    snapshot = arena != NULL ? aci_snapshot_new(chat->env, arena) : NULL;
    if (snapshot == NULL)
        return aci_fail_nomem(err);
    status = fill(capturing, chat, snapshot, err);
    if (status < 0) {
        agentchat_snapshot_unref(snapshot);
        return status;
    }
    *out = snapshot;
    return AGENTCHAT_OK;
}

agentchat_status aci_capture_outermost(agentchat_chat *chat, const agentchat_capture_options *options,
                                       agentchat_snapshot **out, agentchat_report **report, agentchat_error *err)
{
    aci_capturing capturing = {.options = *options};
    agentchat_status status;

    if (report != NULL) {
        capturing.report = *report = aci_report_new(chat->env);
        if (*report == NULL)
            return aci_fail_nomem(err);
    }
    aci_buf_init(&capturing.path, chat->env, SIZE_MAX);
    status = aci_capture_chat(&capturing, chat, out, err);
    aci_buf_clear(&capturing.path);
    return status;
}

void agentchat_capture_options_init(agentchat_capture_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_chat_capture(agentchat_chat *chat, const agentchat_capture_options *options,
                                        agentchat_snapshot **out, agentchat_report **report, agentchat_error *err)
{
    agentchat_capture_options o;
    aci_activity before;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (chat == NULL)
        return aci_fail_null(err, "chat");
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status < 0)
        return status;
    status = aci_chat_enter_reading(chat, &before, err);
    if (status < 0)
        return status;
    status = aci_capture_outermost(chat, &o, out, report, err);
    aci_chat_leave_reading(chat, before);
    return status;
}
