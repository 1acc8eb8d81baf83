/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The team: Planner and Critic keep their history in the chat, the Archivist keeps it in a remote service, and the
 * Panel is a chat of its own with an Optimist and a Pessimist. Nobody asks a model: each answer is made from what the
 * agent remembers, so a memory that was lost, doubled or out of order would be seen in the words.
 */
#include "demo.h"
#include <string.h>

/* ---- agents that remember in the chat: Planner, Critic, Optimist, Pessimist ---- */

static agentchat_status from_memory(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                    agentchat_error *err)
{
    const char *opinion = user;
    size_t count = agentchat_messages_count(seen);
    demo_note newest = demo_note_of(agentchat_messages_at(seen, count - 1));
    char text[512];

    (void)snprintf(text, sizeof text, "%s (I remember %zu messages, the newest begins \"%.24s\")", opinion, count,
                   newest.text);
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

static char plan[] = "First an oven, then a baker, then the night.";
static char objection[] = "Ovens are loud and neighbours sleep.";
static char hope[] = "People are hungry at two in the morning.";
static char fear[] = "People are asleep at two in the morning.";

/* ---- the Archivist, whose memory is a thread of the service ---- */

static demo_note text_of(agentchat_str text)
{
    demo_note out;

    (void)snprintf(out.text, sizeof out.text, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(text));
    return out;
}

static agentchat_status thread_create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    demo_team *team = user;

    if (!remote_create(team->remote, &team->thread))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service made no thread");
    return agentchat_bytes_append(out_id, agentchat_str_from(team->thread.text), err);
}

static agentchat_status thread_post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    demo_team *team = user;

    team->thread = text_of(id);
    for (size_t i = 0; i < agentchat_messages_count(batch); i++) {
        demo_note note = demo_note_of(agentchat_messages_at(batch, i));
        if (!remote_add(team->remote, team->thread.text, &note))
            return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service took no message");
    }
    return AGENTCHAT_OK;
}

/* The service runs the agent on the thread and keeps the answer there; only then do we hear of it. */
static agentchat_status thread_answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    demo_team *team = user;
    demo_note first, newest, note;
    char text[128];

    team->thread = text_of(id);
    size_t length = remote_length(team->remote, team->thread.text);
    if (length == 0 || !remote_read(team->remote, team->thread.text, 0, &first) ||
        !remote_read(team->remote, team->thread.text, length - 1, &newest))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service has lost the thread");
    (void)snprintf(text, sizeof text, "Filed. Of %zu notes the first begins \"%.24s\", the newest \"%.24s\"", length,
                   first.text, newest.text);
    (void)snprintf(note.text, sizeof note.text, "Archivist: %s", text);
    if (!remote_add(team->remote, team->thread.text, &note))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the service kept no answer");
    if (team->inside_answer != NULL)
        team->inside_answer(team->user);
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

/* Asked when a chat is restored: is the thread where the file believes it to be? */
static agentchat_status thread_check(void *user, const agentchat_thread_info *info, agentchat_thread_decision *out,
                                     agentchat_error *err)
{
    demo_team *team = user;
    size_t length;

    (void)err;
    team->thread = text_of(info->id);
    length = remote_length(team->remote, team->thread.text);
    demo_say("  The file says: %s was given %zu of the %zu messages. The service says: it holds %zu.",
             team->thread.text, info->synced, info->history_count, length);
    *out = length == info->synced ? AGENTCHAT_THREAD_KEEP : AGENTCHAT_THREAD_RECREATE;
    if (*out == AGENTCHAT_THREAD_KEEP)
        demo_say("  They agree, so the thread goes on.");
    else if (length > info->synced)
        demo_say(
            "  The thread is ahead by %zu: it heard a question, and gave an answer, of a turn that the chat never\n"
            "  finished. Decision: leave it, make a new thread and give that the whole history.",
            length - info->synced);
    else
        demo_say("  The thread has lost something. Decision: make a new one and give it the whole history.");
    return AGENTCHAT_OK;
}

static const agentchat_thread_ops thread_ops = {
    .struct_size = sizeof thread_ops,
    .create = thread_create,
    .post = thread_post,
    .answer = thread_answer,
    .check = thread_check,
};

static agentchat_agent *archivist_new(demo_team *team)
{
    agentchat_thread_agent_options options = AGENTCHAT_THREAD_AGENT_OPTIONS_INIT;

    options.name = "Archivist";
    options.type = "demo.Archivist";
    options.channel_type = "demo.RemoteThread";
    options.ops = &thread_ops;
    options.user = team;
    return agentchat_thread_agent_new(NULL, &options);
}

/* ---- the Panel, a chat inside the chat ---- */

static agentchat_status panel_make(void *user, agentchat_chat **out, agentchat_error *err)
{
    agentchat_chat *inner = agentchat_chat_new(NULL);
    agentchat_status status;

    (void)user;
    (void)((status = agentchat_chat_add_agent(inner, agentchat_history_agent_new(NULL, "Optimist", from_memory, hope),
                                              err)) < 0 ||
           (status = agentchat_chat_add_agent(inner, agentchat_history_agent_new(NULL, "Pessimist", from_memory, fear),
                                              err)));
    if (status < 0) {
        agentchat_chat_free(inner);
        inner = NULL;
    }
    *out = inner;
    return status;
}

static agentchat_agent *panel_new(void)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = "Panel";
    options.mode = AGENTCHAT_AGGREGATOR_NESTED; /* outside, only its last word is heard, as the Panel's */
    options.make = panel_make;
    return agentchat_aggregator_new(NULL, &options);
}

agentchat_chat *demo_chat_new(demo_team *team, agentchat_error *err)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);

    if (agentchat_chat_add_agent(chat, agentchat_history_agent_new(NULL, "Planner", from_memory, plan), err) == 0 &&
        agentchat_chat_add_agent(chat, agentchat_history_agent_new(NULL, "Critic", from_memory, objection), err) == 0 &&
        agentchat_chat_add_agent(chat, archivist_new(team), err) == 0 &&
        agentchat_chat_add_agent(chat, panel_new(), err) == 0)
        return chat;
    agentchat_chat_free(chat);
    return NULL;
}
