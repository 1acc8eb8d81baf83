/* SPDX-License-Identifier: Apache-2.0 */
/* A chat restored with stand-in agents, which never speak, and captured again. */
#include "verify/verdict.h"

#include "base/error.h"
#include <agentchat/chat.h>
#include <string.h>

static bool is_type(agentchat_str type, const char *tail)
{
    size_t len = strlen(tail);

    return type.len >= len && memcmp(type.ptr + type.len - len, tail, len) == 0;
}

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
                                   agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < agentchat_snapshot_participant_count(snapshot); i++) {
        const agentchat_participant *who = agentchat_snapshot_participant(snapshot, i);
        agentchat_agent *agent = NULL;

        status = is_type(agentchat_participant_type(who), "ChatCompletionAgent") ? history_agent(env, who, &agent, err)
                                                                                 : other_agent(env, who, &agent, err);
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
