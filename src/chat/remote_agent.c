/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote agents: the conversation is kept elsewhere, the channel holds its id.
 *
 * There is no reset: the thread is left as it is and a new one is made at the next use.
 */
#include "chat/remote_agent.h"

#include "base/error.h"
#include "chat/channel_state.h"
#include "model/check.h"
#include <string.h>

typedef struct remote_context {
    const agentchat_env *env;
    void *user;
    agentchat_remote_ops ops;
} remote_context;

typedef struct remote_channel {
    const remote_context *context; /* of the agent for whom it was made; agents outlive channels */
    size_t len;
    char id[];
} remote_channel;

static agentchat_str id_of(const remote_channel *channel)
{
    return (agentchat_str){channel->id, channel->len};
}

static agentchat_status channel_new(const remote_context *context, agentchat_str id, void **out, agentchat_error *err)
{
    remote_channel *channel = aci_alloc(context->env, sizeof *channel + id.len);

    if (channel == NULL)
        return aci_fail_nomem(err);
    channel->context = context;
    channel->len = id.len;
    memcpy(channel->id, id.ptr, id.len);
    *out = channel;
    return AGENTCHAT_OK;
}

static agentchat_status create(void *agent, void **out_channel, agentchat_error *err)
{
    const remote_context *context = agent;
    agentchat_bytes id = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    id.env = context->env;
    status = context->ops.create(context->user, &id, err);
    if (status >= 0 && id.len == 0)
        status = agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the new thread has no id");
    else if (status >= 0 && aci_check_text((agentchat_str){id.ptr, id.len}, NULL) < 0)
        status = agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the id of the new thread is not UTF-8");
    else if (status >= 0)
        status = channel_new(context, (agentchat_str){id.ptr, id.len}, out_channel, err);
    agentchat_bytes_clear(&id);
    return status;
}

static agentchat_status receive(void *self, const agentchat_messages *batch, agentchat_error *err)
{
    remote_channel *channel = self;

    return channel->context->ops.post(channel->context->user, id_of(channel), batch, err);
}

static agentchat_status invoke(void *self, void *agent, agentchat_replies *out, agentchat_error *err)
{
    const remote_context *context = agent;

    return context->ops.answer(context->user, id_of(self), out, err);
}

static agentchat_status save(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    return agentchat_channel_save_text(out, id_of(self), err);
}

static agentchat_status load(void *agent, const agentchat_channel_load *in, void **out_channel, agentchat_error *err)
{
    const remote_context *context = agent;
    agentchat_remote_decision decision = AGENTCHAT_REMOTE_KEEP;
    agentchat_remote_info info = {agentchat_channel_load_data(in), agentchat_channel_load_synced(in),
                                  agentchat_channel_load_history_count(in)};

    /* An empty id is one: .NET saves whatever its agents call an id, and `check` may know better. */
    if (agentchat_channel_load_kind(in) != AGENTCHAT_CHANNEL_TEXT || info.id.ptr == NULL ||
        agentchat_str_is_null(info.id))
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the stored state is no id of a thread");
    if (context->ops.check != NULL) {
        agentchat_status status = context->ops.check(context->user, &info, &decision, err);

        if (status < 0)
            return status;
    }
    switch (decision) {
    case AGENTCHAT_REMOTE_KEEP:
        return channel_new(context, info.id, out_channel, err);
    case AGENTCHAT_REMOTE_RECREATE:
        return AGENTCHAT_DONE;
    case AGENTCHAT_REMOTE_MAX_:
        break;
    }
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the check of the stored thread gave no decision");
}

static void free_channel(void *self)
{
    remote_channel *channel = self;

    aci_free(channel->context->env, channel, sizeof *channel + channel->len);
}

static const agentchat_channel_type remote_type = {
    .struct_size = sizeof remote_type,
    .name = "remote", /* each agent brings its own */
    .create = create,
    .receive = receive,
    .invoke = invoke,
    .save = save,
    .load = load,
    .free = free_channel,
};

/* Copies the caller's functions: members that its struct is too short for are NULL. */
static agentchat_status load_ops(const agentchat_remote_agent_options *o, agentchat_remote_ops *ops,
                                 agentchat_error *err)
{
    const char *wrong = NULL;
    agentchat_status status;

    if (o->type == NULL && o->participant == NULL)
        wrong = "lack type";
    else if (o->channel_type == NULL)
        wrong = "lack channel_type";
    else if (o->ops == NULL)
        wrong = "lack ops";
    if (wrong != NULL)
        return aci_agent_fail_options(o->name, o->id, wrong, err);
    status = aci_env_struct_load(ops, sizeof *ops, o->ops, "ops", err);
    if (status < 0)
        return status;
    if (ops->create == NULL)
        wrong = "lack ops->create";
    else if (ops->post == NULL)
        wrong = "lack ops->post";
    else if (ops->answer == NULL)
        wrong = "lack ops->answer";
    return wrong == NULL ? AGENTCHAT_OK : aci_agent_fail_options(o->name, o->id, wrong, err);
}

agentchat_str aci_remote_agent_thread(const agentchat_agent *agent, const void *channel)
{
    return agent->table.create == create ? id_of(channel) : (agentchat_str){NULL, 0};
}

agentchat_status agentchat_remote_agent_new(const agentchat_env *env, const agentchat_remote_agent_options *options,
                                            agentchat_agent **out, agentchat_error *err)
{
    agentchat_remote_agent_options o;
    agentchat_remote_ops ops = {0};
    remote_context *context;
    aci_agent_spec spec;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status >= 0)
        status = load_ops(&o, &ops, err);
    spec = (aci_agent_spec){.name = o.name,
                            .id = o.id,
                            .type = o.type,
                            .participant = o.participant,
                            .table = &remote_type,
                            .channel_name = o.channel_type,
                            .key_rule = ACI_KEY_OF_THE_AGENT,
                            .keys = o.keys,
                            .key_count = o.keys != NULL ? o.key_count : 0,
                            .context_size = sizeof *context,
                            .user = o.user,
                            .free_user = o.free_user};
    status = aci_agent_make(env, &spec, status, out, err);
    if (status < 0)
        return status;
    context = (*out)->context;
    *context = (remote_context){aci_env(env), o.user, ops};
    return AGENTCHAT_OK;
}

void agentchat_remote_agent_options_init(agentchat_remote_agent_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

void agentchat_remote_ops_init(agentchat_remote_ops *ops, size_t size)
{
    aci_env_options_init(ops, size);
}
