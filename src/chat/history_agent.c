/* SPDX-License-Identifier: Apache-2.0 */
/*
 * History agents: the channel is a list of messages in memory, shared by all of a chat.
 *
 * The list differs from the chat's history on purpose (filter, reducer), so it is kept, saved and restored by itself.
 */
#include "chat/replies.h"

#include "base/error.h"
#include "chat/channel_edit.h"
#include "chat/channel_state.h"
#include "model/receive_filter.h"

typedef struct history_context {
    const agentchat_env *env;
    void *user;
    agentchat_answer_fn answer;
    agentchat_status (*reduce)(void *user, const agentchat_messages *seen, agentchat_messages **out,
                               agentchat_error *err);
    bool keep_all;
} history_context;

typedef struct history_channel {
    const agentchat_env *env;
    bool keep_all; /* as the agent says for whom it was made */
    agentchat_messages list;
} history_channel;

static void free_channel(void *self)
{
    history_channel *channel = self;

    aci_list_clear(&channel->list);
    aci_free(channel->env, channel, sizeof *channel);
}

static agentchat_status create(void *agent, void **out_channel, agentchat_error *err)
{
    const history_context *context = agent;
    history_channel *channel = aci_alloc_zero(context->env, sizeof *channel);

    if (channel == NULL)
        return aci_fail_nomem(err);
    channel->env = context->env;
    channel->keep_all = context->keep_all;
    aci_list_init(&channel->list, context->env);
    *out_channel = channel;
    return AGENTCHAT_OK;
}

static agentchat_status receive(void *self, const agentchat_messages *batch, agentchat_error *err)
{
    history_channel *channel = self;
    agentchat_messages grown;
    aci_list_cursor cursor;

    aci_list_copy(&grown, &channel->list);
    aci_list_cursor_begin(&cursor, batch);
    for (size_t i = 0; i < batch->count; i++) {
        const agentchat_message *message = aci_list_cursor_at(&cursor, i);

        if (aci_receive_filter_takes(message, channel->keep_all) && !aci_list_append(&grown, message)) {
            aci_list_clear(&grown);
            return aci_fail_nomem(err);
        }
    }
    aci_list_clear(&channel->list);
    channel->list = grown;
    return AGENTCHAT_OK;
}

static agentchat_status reduce(history_channel *channel, const history_context *context, agentchat_error *err)
{
    agentchat_messages *reduced = NULL;
    agentchat_status status = context->reduce(context->user, &channel->list, &reduced, err);

    if (status >= 0 && reduced != NULL) {
        aci_list_clear(&channel->list);
        aci_list_copy(&channel->list, reduced);
        channel->list.env = channel->env;
    }
    agentchat_messages_unref(reduced);
    return status;
}

/* What the agent says from here on joins the channel's list at once. */
static agentchat_status begin(void *self, void *agent, agentchat_replies *out, agentchat_error *err)
{
    history_channel *channel = self;
    const history_context *context = agent;
    agentchat_status status = context->reduce != NULL ? reduce(channel, context, err) : AGENTCHAT_OK;

    if (status >= 0)
        out->own = &channel->list;
    return status;
}

static const aci_turn_table turns = {begin, NULL};

static agentchat_status invoke(void *self, void *agent, agentchat_replies *out, agentchat_error *err)
{
    history_channel *channel = self;
    const history_context *context = agent;
    agentchat_messages seen;
    agentchat_status status;

    if (context->answer == NULL)
        return aci_fail(err, AGENTCHAT_E_UNSUPPORTED,
                        "it has no function that answers; agentchat_turn_begin begins a turn");
    status = begin(self, agent, out, err);
    if (status < 0)
        return status;
    aci_list_copy(&seen, &channel->list); /* stays as it is while the agent's own messages come in */
    status = context->answer(context->user, &seen, out, err);
    out->own = NULL;
    aci_list_clear(&seen);
    return status;
}

static agentchat_status save(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    const history_channel *channel = self;

    return agentchat_channel_save_messages(out, &channel->list, err);
}

static agentchat_status load(void *agent, const agentchat_channel_load *in, void **out_channel, agentchat_error *err)
{
    const agentchat_messages *messages = agentchat_channel_load_messages(in);
    history_channel *channel;
    void *made = NULL;
    agentchat_status status;

    if (messages == NULL)
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the stored state is no list of messages");
    status = create(agent, &made, err);
    if (status < 0)
        return status;
    channel = made;
    aci_list_copy(&channel->list, messages); /* not filtered: it was when it came in */
    channel->list.env = channel->env;        /* what it appends is its own */
    *out_channel = channel;
    return AGENTCHAT_OK;
}

static agentchat_status edit(void *self, void *agent, const agentchat_channel_edit *in, void **out_channel,
                             agentchat_error *err)
{
    const history_channel *channel = self;
    history_channel *edited;
    agentchat_messages list;
    void *made = NULL;
    agentchat_status status = create(agent, &made, err);

    if (status < 0)
        return status;
    edited = made;
    edited->keep_all = channel->keep_all;
    status = aci_channel_edit_apply(in, &channel->list, channel->keep_all, &list, err);
    if (status < 0) {
        free_channel(edited);
        return status;
    }
    edited->list = list;
    edited->list.env = edited->env;
    *out_channel = edited;
    return AGENTCHAT_OK;
}

static agentchat_status history(void *self, const agentchat_messages **out, agentchat_error *err)
{
    history_channel *channel = self;

    (void)err;
    *out = &channel->list;
    return AGENTCHAT_OK;
}

static agentchat_status reset(void *self, agentchat_error *err)
{
    history_channel *channel = self;

    (void)err;
    aci_list_clear(&channel->list);
    return AGENTCHAT_OK;
}

static const agentchat_channel_type history_type = {
    .struct_size = sizeof history_type,
    .name = AGENTCHAT_TYPE_HISTORY_CHANNEL,
    .create = create,
    .receive = receive,
    .invoke = invoke,
    .save = save,
    .load = load,
    .history = history,
    .reset = reset,
    .free = free_channel,
    .edit = edit,
};

agentchat_status agentchat_history_agent_new(const agentchat_env *env, const agentchat_history_agent_options *options,
                                             agentchat_agent **out, agentchat_error *err)
{
    agentchat_history_agent_options o;
    history_context *context;
    aci_agent_spec spec;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_env_options_load(&o, sizeof o, options, err);
    spec = (aci_agent_spec){.name = o.name,
                            .id = o.id,
                            .type = o.type,
                            .type_default = AGENTCHAT_TYPE_HISTORY_AGENT,
                            .participant = o.participant,
                            .table = &history_type,
                            .key_rule = ACI_KEY_AFTER_TYPE,
                            .keys = o.keys,
                            .key_count = o.keys != NULL ? o.key_count : 0,
                            .context_size = sizeof *context,
                            .user = o.user,
                            .free_user = o.free_user,
                            .turns = &turns};
    status = aci_agent_make(env, &spec, status, out, err);
    if (status < 0)
        return status;
    context = (*out)->context;
    *context = (history_context){aci_env(env), o.user, o.answer, o.reduce, o.keep_all};
    return AGENTCHAT_OK;
}

void agentchat_history_agent_options_init(agentchat_history_agent_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_chat_add_history_agent(agentchat_chat *chat, agentchat_str name, agentchat_answer_fn answer,
                                                  void *user, agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_agent *agent = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (chat == NULL)
        return aci_fail_null(err, "chat");
    options.name = name;
    options.answer = answer;
    options.user = user;
    status = agentchat_history_agent_new(chat->env, &options, &agent, err);
    return status < 0 ? status : agentchat_chat_add_agent(chat, agent, err);
}
