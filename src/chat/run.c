/* SPDX-License-Identifier: Apache-2.0 */
/* A chat that runs by itself: who speaks next, for how long, until when. */
#include "chat/chat.h"

#include "base/error.h"

enum { DEFAULT_TURNS = 99 };

/* Passes on what a function of the run options reported. */
static agentchat_status fail_from(agentchat_error *err, agentchat_status status, const agentchat_error *cause,
                                  const char *what)
{
    if (err == NULL || err->code != 0)
        return status;
    if (cause->code == 0 || cause->message[0] == '\0')
        return aci_fail(err, status, "%s failed: %s", what, agentchat_status_text(status));
    *err = *cause;
    err->code = status;
    return status;
}

/* OK with *out, DONE for nobody. */
static agentchat_status next_agent(agentchat_chat *chat, const agentchat_run_options *o, agentchat_agent **out,
                                   agentchat_error *err)
{
    const agentchat_agent *chosen = NULL;
    agentchat_error *cause;
    agentchat_status status;

    *out = NULL;
    if (o->select == NULL) {
        *out = aci_chat_next_agent(chat);
        return AGENTCHAT_OK;
    }
    cause = aci_chat_cause(chat);
    status = o->select(o->user, chat, &chosen, cause);
    if (status < 0)
        return fail_from(err, status, cause, "the selection of the next agent");
    if (status == AGENTCHAT_DONE)
        return AGENTCHAT_DONE;
    for (size_t i = 0; i < chat->agent_count; i++)
        if (chat->agents[i] == chosen)
            *out = chat->agents[i];
    if (*out == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the selection gave an agent that is not in the chat");
    return AGENTCHAT_OK;
}

/* Whether the chat is complete now; an agent's function may have set the mark, too. */
static agentchat_status check_completion(agentchat_chat *chat, const agentchat_run_options *o,
                                         const agentchat_agent *spoke, agentchat_error *err)
{
    agentchat_error *cause = aci_chat_cause(chat);
    bool complete = false;
    agentchat_status status =
        o->is_complete != NULL ? o->is_complete(o->user, chat, spoke, &complete, cause) : AGENTCHAT_OK;

    if (status < 0)
        return fail_from(err, status, cause, "the check for completion");
    chat->is_complete = chat->is_complete || complete;
    return AGENTCHAT_OK;
}

/* One turn: OK, or DONE when nobody is to speak, or when the chat is complete by then. */
static agentchat_status turn(agentchat_chat *chat, const agentchat_run_options *o, agentchat_error *err)
{
    agentchat_agent *agent = NULL;
    agentchat_status status = aci_chat_keeper_before(chat, err), observed;

    if (status < 0)
        return status;
    status = next_agent(chat, o, &agent, err);
    if (status != AGENTCHAT_OK)
        return status;
    status = aci_chat_keeper_turn(chat, agent, err);
    if (status < 0)
        return status;
    status = aci_chat_invoke(chat, agent, err);
    if (status < 0)
        return status;
    if (o->select == NULL)
        chat->next_turn++; /* only now, so that a failed turn can be had again */
    status = check_completion(chat, o, agent, err);
    /* Kept and observed is also an answer that could not be checked. */
    observed = aci_chat_keeper_after(chat, ACI_KEEP_ANSWER, status < 0 ? NULL : err);
    if (observed >= 0)
        observed = aci_chat_observe_answer(chat, agent, status < 0 ? NULL : err);
    if (status >= 0)
        status = observed;
    if (status < 0)
        return status;
    return chat->is_complete ? AGENTCHAT_DONE : AGENTCHAT_OK;
}

static agentchat_status run(agentchat_chat *chat, const agentchat_run_options *o, agentchat_error *err)
{
    uint32_t turns = o->max_turns != 0 ? o->max_turns : DEFAULT_TURNS;
    agentchat_status status = AGENTCHAT_OK;

    if (chat->agent_count == 0)
        return aci_fail(err, AGENTCHAT_E_NO_AGENTS, "the chat has no agents; add some and run it again");
    if (chat->is_complete && !o->reset_complete)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the chat is complete; set reset_complete to run it all the same");
    chat->is_complete = false;
    for (uint32_t i = 0; i < turns && status == AGENTCHAT_OK; i++)
        status = aci_chat_is_interrupted(chat) ? aci_chat_fail_interrupted(err) : turn(chat, o, err);
    if (status < 0)
        return status;
    return chat->is_complete ? AGENTCHAT_DONE : AGENTCHAT_OK;
}

agentchat_status agentchat_chat_run(agentchat_chat *chat, const agentchat_run_options *options, agentchat_error *err)
{
    agentchat_run_options o;
    agentchat_status status;

    agentchat_error_clear(err);
    if (chat == NULL)
        return aci_fail_null(err, "chat");
    status = aci_env_options_load(&o, sizeof o, options, err);
    if (status < 0)
        return status;
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = aci_chat_keeper_end(chat, run(chat, &o, err), err);
    aci_chat_leave(chat);
    return status;
}

void agentchat_run_options_init(agentchat_run_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_chat_invoke_next(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;

    options.max_turns = 1;
    return agentchat_chat_run(chat, &options, err);
}
