/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capturing: the state of a live chat as a snapshot. Layer 5.
 *
 * The cost is that of the channels, the participants and what their callbacks copy: lists of messages, named values and
 * kept states are shared, and so is what the chat was restored from, with a reference that the snapshot's home holds.
 */
#include "restore/capture.h"

#include "base/error.h"
#include "chat/channel.h"
#include "chat/state.h"
#include "restore/cause.h"
#include "restore/origin.h"

/* Keeps another home or snapshot alive for as long as a home lives. */
typedef struct keep_alive {
    aci_attached attached;
    aci_home *home;
    agentchat_snapshot *snapshot;
} keep_alive;

static void let_go(aci_attached *self)
{
    keep_alive *block = (keep_alive *)self;

    aci_home_unref(block->home);
    agentchat_snapshot_unref(block->snapshot);
}

static bool keep(aci_home *owner, aci_home *home, agentchat_snapshot *snapshot)
{
    keep_alive *block = aci_alloc(aci_home_env(owner), sizeof *block);

    if (block == NULL)
        return false;
    *block = (keep_alive){.home = aci_home_ref(home), .snapshot = agentchat_snapshot_ref(snapshot)};
    block->attached.size = sizeof *block;
    block->attached.destroy = let_go;
    aci_home_attach(owner, &block->attached);
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
ACI_NOINLINE static agentchat_status deliver(aci_capturing *capturing, agentchat_chat *chat, agentchat_error *err)
{
    size_t len = capturing->path.len;

    for (size_t i = 0; i < chat->channel_count; i++) {
        aci_channel *channel = chat->channels[i];
        agentchat_error cause;
        bool ok;

        agentchat_error_clear(&cause);
        if (aci_channel_deliver(chat, channel, &cause) >= 0)
            continue;
        ok = aci_buf_printf(&capturing->path, "/channels/%zu/pending", i) &&
             aci_report_add(capturing->report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE,
                            aci_buf_str(&capturing->path), (agentchat_str){NULL, 0}, "%zu messages are pending: %s",
                            aci_queue_message_count(&channel->queue), cause.message);
        capturing->path.len = len;
        if (!ok)
            return aci_fail_nomem(err);
    }
    return AGENTCHAT_OK;
}

/* ---- channels ------------------------------------------------------------------------------------------------- */

/* The operation that a sink hands to a channel which holds a chat. */
static agentchat_status capture_inner(const agentchat_state_sink *self, agentchat_chat *inner, agentchat_snapshot **out,
                                      agentchat_error *err)
{
    static const char step[] = "/channelstate";
    aci_capturing *capturing = self->context;
    const agentchat_env *env = capturing->path.env;
    size_t len = capturing->path.len;
    agentchat_error *cause;
    agentchat_status status;

    if (!aci_buf_add(&capturing->path, step, sizeof step - 1))
        return aci_fail_nomem(err);
    cause = aci_cause_new(env, err);
    status = cause != NULL ? aci_chat_enter(inner, cause) : AGENTCHAT_E_NOMEM;
    if (status >= 0) {
        capturing->depth++;
        status = aci_capture_chat(capturing, inner, out, cause);
        capturing->depth--;
        aci_chat_leave(inner);
    }
    capturing->path.len = len;
    if (status < 0 && cause != NULL)
        aci_cause_tell(cause, step, err);
    aci_cause_free(env, cause);
    return status;
}

static bool copy_pending(agentchat_channel_state *state, aci_home *home, const aci_queue *queue)
{
    size_t count = aci_queue_message_count(queue), at = 0;

    if (count == 0)
        return true;
    state->pending = aci_home_alloc(home, count * sizeof *state->pending); /* each is a message that exists */
    if (state->pending == NULL)
        return false;
    for (size_t i = 0; i < queue->count; i++)
        for (size_t k = 0; k < queue->list[i].count; k++)
            state->pending[at++] = queue->list[i].first + k;
    state->pending_count = count;
    return true;
}

static agentchat_status save(aci_capturing *capturing, const aci_channel *channel, aci_home *home,
                             agentchat_channel_state *state, agentchat_error *err)
{
    const agentchat_env *env = aci_home_env(home);
    agentchat_state_sink sink = {.home = home, .capture = capture_inner, .context = capturing};
    agentchat_error *cause = aci_cause_new(env, err);
    agentchat_status status;

    if (cause == NULL)
        return AGENTCHAT_E_NOMEM;
    aci_list_init(&sink.messages, env);
    status = channel->agent->table.save(channel->self, &sink, cause);
    if (status >= 0 && !sink.is_set)
        status = agentchat_error_set(cause, AGENTCHAT_E_INVALID, "its save function set no state");
    if (status < 0) {
        aci_list_clear(&sink.messages);
        agentchat_snapshot_unref(sink.chat);
        (void)aci_channel_fail(channel->agent, status, cause, "could not be saved", err);
    }
    aci_cause_free(env, cause);
    if (status < 0)
        return status;
    state->kind = sink.kind;
    state->data = sink.data;
    state->messages = sink.messages;
    state->chat = sink.chat;
    return AGENTCHAT_OK;
}

/* What the channel was restored from and does not know itself. A text that the channel has changed is a new one, whose
   spelling the writer chooses. */
static void add_origin(agentchat_channel_state *state, const agentchat_channel_state *origin)
{
    if (origin == NULL)
        return;
    state->extras = origin->extras;
    if (state->kind == AGENTCHAT_STATE_TEXT && agentchat_str_equal(state->data, origin->data))
        state->spelling = origin->spelling;
}

/* The state is counted into the snapshot by the caller at once, so that it is released with it on any failure. */
static agentchat_status capture_channel(aci_capturing *capturing, const aci_channel *channel, aci_home *home,
                                        agentchat_channel_state *state, agentchat_error *err)
{
    agentchat_status status;
    bool ok = true;

    *state = (agentchat_channel_state){.kind = AGENTCHAT_STATE_TEXT, .synced = channel->synced};
    aci_list_init(&state->messages, aci_home_env(home));
    state->key = aci_home_copy(home, (agentchat_str){channel->key, AGENTCHAT_KEY_LEN}, &ok);
    state->type = aci_home_copy(home, agentchat_str_from(channel->agent->table.name), &ok);
    if (!ok || !copy_pending(state, home, &channel->queue))
        return aci_fail_nomem(err);
    status = save(capturing, channel, home, state, err);
    if (status >= 0)
        add_origin(state, channel->origin);
    return status;
}

static agentchat_status capture_channels(aci_capturing *capturing, const agentchat_chat *chat,
                                         agentchat_snapshot *snapshot, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error *cause = NULL;

    for (size_t i = 0; status >= 0 && i < chat->channel_count; i++) {
        size_t len = capturing->path.len;
        char step[40];

        if (cause == NULL)
            cause = aci_cause_new(chat->env, err);
        snprintf(step, sizeof step, "/channels/%zu", i);
        if (cause == NULL || !aci_buf_add_str(&capturing->path, agentchat_str_from(step))) {
            status = aci_fail_nomem(err);
            break;
        }
        status = capture_channel(capturing, chat->channels[i], snapshot->home,
                                 &snapshot->channels[snapshot->channel_count++], cause);
        capturing->path.len = len;
        if (status < 0)
            aci_cause_tell(cause, step, err);
    }
    aci_cause_free(chat->env, cause);
    return status;
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
    snapshot->participants = aci_home_alloc(snapshot->home, count * sizeof *snapshot->participants);
    if (snapshot->participants == NULL)
        return false;

    for (size_t i = 0; i < chat->agent_count; i++) {
        const agentchat_participant *origin = chat->agents[i]->origin;
        agentchat_participant *participant = &snapshot->participants[snapshot->participant_count++];

        *participant = (agentchat_participant){.extras = origin != NULL ? origin->extras : NULL};
        participant->id = aci_home_copy(snapshot->home, chat->agents[i]->id, &ok);
        participant->name = aci_home_copy(snapshot->home, chat->agents[i]->name, &ok);
        participant->type = aci_home_copy(snapshot->home, chat->agents[i]->type, &ok);
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
        const aci_chat_value *value = &chat->values[i];

        if (!keep(snapshot->home, value->home, NULL))
            return false;
        snapshot->values[i] = (aci_value){value->name, value->media_type, value->value};
    }
    return aci_snapshot_set_values(snapshot, snapshot->values, chat->value_count);
}

static bool allocate(const agentchat_chat *chat, agentchat_snapshot *snapshot)
{
    size_t channels = chat->channel_count + chat->kept_count;

    if (channels > 0)
        snapshot->channels = aci_home_alloc(snapshot->home, channels * sizeof *snapshot->channels);
    if (chat->value_count > 0)
        snapshot->values = aci_home_alloc(snapshot->home, chat->value_count * sizeof *snapshot->values);
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
        if (!keep(snapshot->home, NULL, chat->origin))
            return aci_fail_nomem(err);
        snapshot->extras = chat->origin->extras;
        snapshot->history_spelling = chat->origin->history_spelling;
        snapshot->source_bytes = chat->origin->source_bytes;
    }
    if (!allocate(chat, snapshot) || !capture_participants(chat, snapshot) || !add_values(chat, snapshot))
        return aci_fail_nomem(err);
    if (chat->kept_count > 0 && !keep(snapshot->home, NULL, chat->kept_from))
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
    aci_home *home;

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
    home = aci_home_new(chat->env, 0);
    snapshot = home != NULL ? aci_snapshot_new(chat->env, home) : NULL;
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

static agentchat_status capture_outermost(agentchat_chat *chat, const agentchat_capture_options *options,
                                          agentchat_snapshot **out, agentchat_error *err)
{
    aci_capturing capturing = {.options = *options};
    agentchat_status status;

    if (options->report != NULL) {
        capturing.report = aci_report_new(chat->env);
        if (capturing.report == NULL)
            return aci_fail_nomem(err);
    }
    aci_buf_init(&capturing.path, chat->env, SIZE_MAX);
    status = aci_capture_chat(&capturing, chat, out, err);
    aci_buf_clear(&capturing.path);
    if (status >= 0 && options->report != NULL)
        *options->report = capturing.report;
    else
        agentchat_report_free(capturing.report);
    return status;
}

agentchat_status agentchat_chat_capture(agentchat_chat *chat, const agentchat_capture_options *options,
                                        agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_capture_options o;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "there is no place for the snapshot");
    *out = NULL;
    if (chat == NULL)
        return aci_fail_nomem(err); /* its constructor failed */
    status = aci_options_load(&o, sizeof o, options, err);
    if (status < 0)
        return status;
    if (o.report != NULL)
        *o.report = NULL;
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = capture_outermost(chat, &o, out, err);
    aci_chat_leave(chat);
    return status;
}
