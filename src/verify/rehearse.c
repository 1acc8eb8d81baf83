/* SPDX-License-Identifier: Apache-2.0 */
/* A chat restored with stand-in agents, which never speak, and captured again. */
#include "verify/verdict.h"

#include "base/error.h"
#include <agentchat/chat.h>
#include <string.h>

static agentchat_status say_nothing(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                    agentchat_error *err)
{
    (void)user;
    (void)seen;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status history_agent(const agentchat_env *env, const agentchat_participant *who, agentchat_agent **out,
                                      agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.participant = who;
    options.answer = say_nothing;
    return agentchat_history_agent_new(env, &options, out, err);
}

static agentchat_status make_thread(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread"), err);
}

static agentchat_status take_nothing(void *user, agentchat_str id, const agentchat_messages *batch,
                                     agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)batch;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status answer_nothing(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

/* An agent of another type: the state of its channel stays with the chat, as in a program that does not know it. */
static agentchat_status other_agent(const agentchat_env *env, const agentchat_participant *who, agentchat_agent **out,
                                    agentchat_error *err)
{
    static const agentchat_remote_ops ops = {sizeof ops, make_thread, take_nothing, answer_nothing, NULL};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.participant = who;
    options.channel_type = "agentchat.StandInChannel";
    options.ops = &ops;
    return agentchat_remote_agent_new(env, &options, out, err);
}

static agentchat_status add_agents(agentchat_chat *chat, const agentchat_env *env, const agentchat_snapshot *snapshot,
                                   agentchat_error *err);

/* ---- aggregators ---------------------------------------------------------------------------------------------- */

/* The chat inside an aggregator as it was saved; NULL: it was never used. */
typedef struct inner_chat {
    const agentchat_env *env;
    const agentchat_snapshot *saved;
} inner_chat;

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    const inner_chat *inner = user;
    agentchat_chat *chat = NULL;
    agentchat_status status = agentchat_chat_new(inner->env, &chat, err);

    if (status >= 0 && inner->saved != NULL)
        status = add_agents(chat, inner->env, inner->saved, err);
    if (status < 0) {
        agentchat_chat_free(chat);
        chat = NULL;
    }
    *out = chat;
    return status < 0 ? status : AGENTCHAT_OK;
}

static void free_inner(void *user)
{
    inner_chat *inner = user;

    aci_free(inner->env, inner, sizeof *inner);
}

static const agentchat_snapshot *saved_inner(const agentchat_snapshot *snapshot, agentchat_str key)
{
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);

        if (agentchat_str_equal(agentchat_channel_state_key(channel), key))
            return agentchat_channel_state_chat(channel);
    }
    return NULL;
}

static agentchat_status aggregator(const agentchat_env *env, const agentchat_participant *who,
                                   const agentchat_snapshot *snapshot, agentchat_agent **out, agentchat_error *err)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    inner_chat *inner = aci_alloc_zero(env, sizeof *inner);
    agentchat_status status;

    if (inner == NULL)
        return aci_fail_nomem(err);
    inner->env = env;
    options.participant = who;
    options.make = make_inner;
    options.user = inner;
    options.free_user = free_inner;
    status = agentchat_aggregator_new(env, &options, out, err);
    if (status >= 0)
        inner->saved = saved_inner(snapshot, agentchat_agent_channel_key(*out));
    return status;
}

/* ---- the chat ------------------------------------------------------------------------------------------------- */

static agentchat_status stand_in(const agentchat_env *env, const agentchat_participant *who,
                                 const agentchat_snapshot *snapshot, agentchat_agent **out, agentchat_error *err)
{
    agentchat_str type = agentchat_participant_type(who);

    if (agentchat_str_equal(type, AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_AGENT)))
        return history_agent(env, who, out, err);
    if (agentchat_str_equal(type, AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR)))
        return aggregator(env, who, snapshot, out, err);
    return other_agent(env, who, out, err);
}

static agentchat_status add_agents(agentchat_chat *chat, const agentchat_env *env, const agentchat_snapshot *snapshot,
                                   agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < agentchat_snapshot_participant_count(snapshot); i++) {
        agentchat_agent *agent = NULL;

        status = stand_in(env, agentchat_snapshot_participant(snapshot, i), snapshot, &agent, err);
        if (status >= 0)
            status = agentchat_chat_add_agent(chat, agent, err);
        if (status == AGENTCHAT_E_EXISTS) /* of two with one id the first one is restored */
            status = AGENTCHAT_OK;
    }
    return status;
}

static agentchat_status rehearse(aci_verdict *v, agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                 agentchat_error *err)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    char before[AGENTCHAT_DIGEST_LEN + 1] = "", after[AGENTCHAT_DIGEST_LEN + 1] = "";
    agentchat_snapshot *captured = NULL;
    agentchat_status status = add_agents(chat, v->env, snapshot, err);

    options.no_delivery = true;
    if (status >= 0)
        status = agentchat_chat_restore(chat, snapshot, NULL, NULL, err);
    if (status >= 0)
        status = agentchat_chat_capture(chat, &options, &captured, NULL, err);
    if (status >= 0)
        status = agentchat_snapshot_digest(snapshot, true, before, err);
    if (status >= 0)
        status = agentchat_snapshot_digest(captured, true, after, err);
    if (status >= 0 && strcmp(before, after) != 0)
        aci_verdict_fail(v, "restore", (agentchat_str){NULL, 0}, "restored and captured again, it differs");
    agentchat_snapshot_unref(captured);
    return status;
}

agentchat_status aci_verdict_restore(aci_verdict *v, const agentchat_document *document)
{
    agentchat_chat *chat = NULL;
    agentchat_error detail;
    agentchat_status status;

    if (document->kind != AGENTCHAT_DOCUMENT_CHAT || agentchat_snapshot_participant_count(document->snapshot) == 0)
        return AGENTCHAT_OK;
    status = agentchat_chat_new(v->env, &chat, v->err);
    if (status < 0)
        return status;
    status = rehearse(v, chat, document->snapshot, &detail);
    agentchat_chat_free(chat);
    if (status < 0 && status != AGENTCHAT_E_NOMEM) {
        aci_verdict_fail(v, "restore", agentchat_str_from(detail.path), "%s: %s", agentchat_status_name(status),
                         detail.message);
        return AGENTCHAT_OK;
    }
    return status < 0 ? aci_fail_nomem(v->err) : AGENTCHAT_OK;
}
