/* SPDX-License-Identifier: Apache-2.0 */
#include "archivist.h"
#include "remote.h"
#include "say.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static agentchat_status create_thread(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    archivist *self = user;

    if (!remote_create(self->remote, out_id))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service made no thread");
    return AGENTCHAT_OK;
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    archivist *self = user;

    for (size_t i = 0; i < agentchat_messages_count(batch); i++) {
        note added = note_of(agentchat_messages_at(batch, i));
        if (!remote_add(self->remote, id, &added))
            return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service took no message");
    }
    return AGENTCHAT_OK;
}

static void end_this_process(void)
{
    say("The Archivist is in the middle of its answer: the service has it, the chat does not.\n"
        "Process %ld is killed now (SIGKILL).",
        (long)getpid());
    (void)raise(SIGKILL);
}

/* The service runs the agent on the thread and keeps the answer there; only then do we hear of it. */
static agentchat_status answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    archivist *self = user;
    size_t length = remote_length(self->remote, id);
    note first, newest, kept;
    char text[128];

    if (length == 0 || !remote_read(self->remote, id, 0, &first) || !remote_read(self->remote, id, length - 1, &newest))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service has lost the thread");
    (void)snprintf(text, sizeof text, "Filed. Of %zu notes the first begins \"%.24s\", the newest \"%.24s\"", length,
                   first.text, newest.text);
    (void)snprintf(kept.text, sizeof kept.text, "Archivist: %s", text);
    if (!remote_add(self->remote, id, &kept))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service kept no answer");
    if (++self->answers == self->killed_in_answer)
        end_this_process();
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

/* Asked when a chat is restored: is the thread where the chat believes it to be? */
static agentchat_status check(void *user, const agentchat_remote_info *info, agentchat_remote_decision *out,
                              agentchat_error *err)
{
    archivist *self = user;
    size_t length = remote_length(self->remote, info->id);

    (void)err;
    say("  The chat says: " AGENTCHAT_STR_FMT " was given %zu of the %zu messages. The service says: it holds %zu.",
        AGENTCHAT_STR_ARG(info->id), info->synced, info->history_count, length);
    *out = length == info->synced ? AGENTCHAT_REMOTE_KEEP : AGENTCHAT_REMOTE_RECREATE;
    if (*out == AGENTCHAT_REMOTE_KEEP)
        say("  They agree, so the thread goes on.");
    else if (length > info->synced)
        say("  The thread is ahead by %zu: it gave an answer that the chat never heard.\n"
            "  Decision: leave it, make a new thread and give that the whole history.",
            length - info->synced);
    else
        say("  The thread has lost something. Decision: make a new one and give it the whole history.");
    return AGENTCHAT_OK;
}

agentchat_status archivist_join(archivist *self, agentchat_chat *chat, agentchat_error *err)
{
    static const agentchat_remote_ops ops = {
        .struct_size = sizeof ops, .create = create_thread, .post = post, .answer = answer, .check = check};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_agent *agent = NULL;
    agentchat_status status;

    options.name = AGENTCHAT_STR("Archivist");
    options.type = "demo.Archivist";
    options.channel_type = "demo.RemoteThread";
    options.ops = &ops;
    options.user = self;
    status = agentchat_remote_agent_new(NULL, &options, &agent, err);
    return status < 0 ? status : agentchat_chat_add_agent(chat, agent, err);
}
