/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Aggregators: agents that are themselves a chat.
 *
 * The channel owns the inner chat. It has no reset function: it is freed and made anew, with a fresh inner chat.
 */
#include "chat/replies.h"

#include "base/error.h"
#include "chat/channel_state.h"

typedef struct aggregator_context {
    const agentchat_env *env;
    void *user;
    agentchat_aggregator_mode mode;
    agentchat_status (*make)(void *user, agentchat_chat **out, agentchat_error *err);
    agentchat_status (*run)(void *user, agentchat_chat *inner, agentchat_error *err);
} aggregator_context;

typedef struct aggregator_channel {
    const agentchat_env *env;
    agentchat_chat *inner;
} aggregator_channel;

static void free_channel(void *self)
{
    aggregator_channel *channel = self;

    agentchat_chat_free(channel->inner);
    aci_free(channel->env, channel, sizeof *channel);
}

static agentchat_status create(void *agent, void **out_channel, agentchat_error *err)
{
    const aggregator_context *context = agent;
    agentchat_chat *inner = NULL;
    aggregator_channel *channel;
    agentchat_status status = context->make(context->user, &inner, err);

    if (status < 0)
        return status;
    if (inner == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "make gave no chat");
    if (inner->is_owned || atomic_load(&inner->activity) != ACI_CHAT_IDLE)
        return agentchat_error_set(err, AGENTCHAT_E_IN_USE,
                                   "the inner chat is in use elsewhere; make a new one each time");
    channel = aci_alloc(context->env, sizeof *channel);
    if (channel == NULL) {
        agentchat_chat_free(inner);
        return aci_fail_nomem(err);
    }
    inner->is_owned = true;
    *channel = (aggregator_channel){context->env, inner};
    *out_channel = channel;
    return AGENTCHAT_OK;
}

static agentchat_status receive(void *self, const agentchat_messages *batch, agentchat_error *err)
{
    const aggregator_channel *channel = self;
    const agentchat_message **flat = NULL;
    size_t size = batch->count * sizeof *flat; /* cannot wrap: the list holds as many pointers */
    agentchat_status status;

    if (batch->count > 0) {
        flat = aci_alloc(channel->env, size);
        if (flat == NULL)
            return aci_fail_nomem(err);
        aci_list_flatten(batch, flat);
    }
    status = aci_chat_enter(channel->inner, err);
    if (status >= 0) {
        status = aci_chat_add(channel->inner, flat, batch->count, err);
        /* Failing now would have the outer chat deliver them again: what its observer cannot do has no effect here. */
        if (status >= 0)
            (void)aci_chat_observe_input(channel->inner, NULL);
        aci_chat_leave(channel->inner);
    }
    aci_free(channel->env, flat, size);
    return status;
}

/* Says the message again as the aggregator: role, items, model and metadata are the original's. */
static agentchat_status say_as(const agentchat_message *message, agentchat_replies *out, agentchat_error *err)
{
    static const agentchat_field kept[] = {AGENTCHAT_FIELD_ROLE, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_FIELD_METADATA};
    aci_arena *arena = aci_arena_new(out->chat->env, aci_message_copy_size(message) + 256);
    agentchat_message *copy, *said = NULL;
    agentchat_status status = AGENTCHAT_OK;
    bool ok = true;
    aci_draft draft;

    if (arena == NULL)
        return aci_fail_nomem(err);
    copy = aci_message_copy(message, arena);
    if (copy != NULL) {
        aci_draft_begin(&draft);
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            const aci_field *field = aci_field_find(copy->fields, copy->field_count, kept[i]);

            if (field != NULL)
                aci_draft_set(&draft, kept[i], (aci_form)field->form, aci_field_text(field));
        }
        aci_draft_set(&draft, AGENTCHAT_FIELD_NAME, ACI_FORM_TEXT, aci_arena_copy(arena, out->agent->name, &ok));
        if (ok)
            said = aci_draft_message(&draft, arena, copy->items, copy->item_count, copy->flags);
    }
    status = said != NULL ? agentchat_replies_add(out, said, err) : aci_fail_nomem(err);
    aci_arena_unref(arena);
    return status;
}

static agentchat_status run(const aggregator_context *context, agentchat_chat *inner, agentchat_error *err)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;

    if (context->run != NULL)
        return context->run(context->user, inner, err);
    options.max_turns = 1;
    return agentchat_chat_run(inner, &options, err);
}

/* Flat: both chats take a message at once or neither does, so that the outer one misses nothing, whatever fails then.
 */
static agentchat_status begin(void *self, void *agent, agentchat_replies *out, agentchat_error *err)
{
    const aggregator_context *context = agent;
    agentchat_chat *inner = ((aggregator_channel *)self)->inner;

    (void)err;
    out->inner_count = inner->history.count;
    inner->outer = out->chat;
    inner->says_outside = context->mode == AGENTCHAT_AGGREGATOR_FLAT;
    return AGENTCHAT_OK;
}

/* Nested: the outer chat gets the last message; a failure has no result. */
static agentchat_status end(void *self, agentchat_replies *out, agentchat_status status, agentchat_error *err)
{
    agentchat_chat *inner = ((aggregator_channel *)self)->inner;
    const agentchat_messages *history = &inner->history;
    bool flat = inner->says_outside;

    inner->outer = NULL;
    inner->says_outside = false;
    if (!flat && status >= 0 && history->count > out->inner_count)
        status = say_as(agentchat_messages_at(history, history->count - 1), out, err);
    return status;
}

static const aci_turn_table turns = {begin, end};

static agentchat_status invoke(void *self, void *agent, agentchat_replies *out, agentchat_error *err)
{
    const aggregator_context *context = agent;
    const aggregator_channel *channel = self;
    agentchat_status status = begin(self, agent, out, err);

    status = status < 0 ? status : run(context, channel->inner, err);
    status = end(self, out, status, err);
    return status < 0 ? status : AGENTCHAT_OK;
}

static agentchat_status save(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    const aggregator_channel *channel = self;

    return aci_channel_state_set_chat(out, channel->inner, err);
}

static agentchat_status load(void *agent, const agentchat_channel_load *in, void **out_channel, agentchat_error *err)
{
    void *made = NULL;
    aggregator_channel *channel;
    agentchat_status status;

    if (agentchat_channel_load_chat(in) == NULL)
        return aci_fail(err, AGENTCHAT_E_SCHEMA, "the stored state is no chat");
    status = create(agent, &made, err);
    if (status < 0)
        return status;
    channel = made;
    status = aci_channel_state_restore_chat(in, channel->inner, err);
    if (status < 0) {
        free_channel(channel);
        return status;
    }
    *out_channel = channel;
    return AGENTCHAT_OK;
}

static agentchat_status history(void *self, const agentchat_messages **out, agentchat_error *err)
{
    const aggregator_channel *channel = self;

    (void)err;
    *out = &channel->inner->history;
    return AGENTCHAT_OK;
}

static agentchat_chat *inner_of(void *self)
{
    const aggregator_channel *channel = self;

    return channel->inner;
}

static const agentchat_channel_type aggregator_type = {
    .struct_size = sizeof aggregator_type,
    .name = AGENTCHAT_TYPE_AGGREGATOR_CHANNEL,
    .create = create,
    .receive = receive,
    .invoke = invoke,
    .save = save,
    .load = load,
    .history = history,
    .free = free_channel,
};

static agentchat_status check(const agentchat_aggregator_options *o, agentchat_error *err)
{
    if (o->make == NULL)
        return aci_agent_fail_options(o->name, o->id, "lack make", err);
    if (o->mode != AGENTCHAT_AGGREGATOR_FLAT && o->mode != AGENTCHAT_AGGREGATOR_NESTED)
        return aci_agent_fail_options(o->name, o->id, "have a mode that there is not", err);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_aggregator_new(const agentchat_env *env, const agentchat_aggregator_options *options,
                                          agentchat_agent **out, agentchat_error *err)
{
    agentchat_aggregator_options o;
    aggregator_context *context;
    aci_agent_spec spec;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status >= 0)
        status = check(&o, err);
    spec = (aci_agent_spec){.name = o.name,
                            .id = o.id,
                            .type_default = AGENTCHAT_TYPE_AGGREGATOR,
                            .participant = o.participant,
                            .table = &aggregator_type,
                            .key_rule = ACI_KEY_OF_THE_AGENT,
                            .context_size = sizeof *context,
                            .user = o.user,
                            .free_user = o.free_user,
                            .inner = inner_of,
                            .turns = &turns};
    status = aci_agent_make(env, &spec, status, out, err);
    if (status < 0)
        return status;
    context = (*out)->context;
    *context = (aggregator_context){aci_env(env), o.user, o.mode, o.make, o.run};
    return AGENTCHAT_OK;
}

void agentchat_aggregator_options_init(agentchat_aggregator_options *options, size_t size)
{
    aci_env_options_init(options, size);
}
