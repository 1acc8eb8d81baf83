/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"
#include "path.h"
#include "remote.h"
#include "say.h"
#include "script.h"
#include "team.h"
#include "thread.h"
#include <stdlib.h>
#include <string.h>

static bool check(bool holds, const char *what)
{
    say("  %s %s", holds ? "ok:    " : "FAILED:", what);
    return holds;
}

static bool same_message(const agentchat_message *a, const agentchat_message *b)
{
    return a != NULL && b != NULL && agentchat_str_equal(agentchat_message_role(a), agentchat_message_role(b)) &&
           agentchat_str_equal(agentchat_message_name(a), agentchat_message_name(b)) &&
           agentchat_str_equal(agentchat_message_text(a), agentchat_message_text(b));
}

/* Question, answer, question, answer, …: each step once, in order, answered by the agent that was asked. */
static bool follows_script(const agentchat_snapshot *chat)
{
    if (agentchat_messages_count(agentchat_snapshot_history(chat)) != SCRIPT_MESSAGES)
        return false;
    for (size_t i = 0; i < SCRIPT_STEPS; i++) {
        agentchat_str question = agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(chat), 2 * i));
        agentchat_str author =
            agentchat_message_name(agentchat_messages_at(agentchat_snapshot_history(chat), 2 * i + 1));

        if (!agentchat_str_equal(question, agentchat_str_from(script_steps[i].question)) ||
            !agentchat_str_equal(author, agentchat_str_from(script_steps[i].who)))
            return false;
    }
    return true;
}

static bool begins_with(const agentchat_snapshot *chat, const agentchat_snapshot *before)
{
    for (size_t i = 0; i < agentchat_messages_count(agentchat_snapshot_history(before)); i++) {
        if (!same_message(agentchat_messages_at(agentchat_snapshot_history(chat), i),
                          agentchat_messages_at(agentchat_snapshot_history(before), i)))
            return false;
    }
    return agentchat_messages_count(agentchat_snapshot_history(before)) > 0;
}

/* The same conversation in one go, in this process, with a service of its own. */
static bool as_if_uninterrupted(const char *dir, const agentchat_snapshot *chat)
{
    path remote = path_join(dir, "uninterrupted-XXXXXX");
    archivist filing = {.remote = mkdtemp(remote.text)};
    buyer buying = {.remote = remote.text};
    char digest[2][AGENTCHAT_DIGEST_LEN + 1];
    agentchat_snapshot *complete = NULL;
    agentchat_error err;

    if (filing.remote == NULL)
        return false;
    agentchat_chat *live = team_chat(&filing, &buying, &err);
    bool ok = live != NULL;
    for (size_t step = 0; ok && step < SCRIPT_STEPS; step++)
        ok = script_run(live, step, &err) >= 0;
    ok = ok && agentchat_chat_capture(live, NULL, &complete, NULL, &err) >= 0 &&
         agentchat_snapshot_digest(complete, false, digest[0], &err) >= 0 &&
         agentchat_snapshot_digest(chat, false, digest[1], &err) >= 0;
    if (!ok)
        agentchat_error_print(&err, stderr);
    agentchat_snapshot_unref(complete);
    agentchat_chat_free(live);
    return ok && strcmp(digest[0], digest[1]) == 0;
}

/* The thread that the Archivist uses holds each message of the history once, in order. */
static bool remote_agrees(const char *dir, const agentchat_snapshot *chat)
{
    path remote = path_join(dir, "remote");
    size_t count = agentchat_messages_count(agentchat_snapshot_history(chat));

    for (size_t i = 0; i < agentchat_snapshot_channel_count(chat); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(chat, i);
        agentchat_str id = agentchat_channel_state_data(channel);

        if (!agentchat_str_equal(agentchat_channel_state_type(channel), AGENTCHAT_STR("demo.RemoteThread")))
            continue;
        if (agentchat_channel_state_synced(channel) != count || remote_length(remote.text, id) != count)
            return false;
        for (size_t k = 0; k < count; k++) {
            note expected = note_of(agentchat_messages_at(agentchat_snapshot_history(chat), k)), found;
            if (!remote_read(remote.text, id, k, &found) || strcmp(expected.text, found.text) != 0)
                return false;
        }
        return true;
    }
    return false;
}

bool verify(const char *dir)
{
    agentchat_snapshot *chat = NULL, *before = NULL;
    agentchat_error err;
    bool ok = false;

    if (agentchat_snapshot_read_file(NULL, path_join(dir, "chat.json").text, NULL, &chat, NULL, &err) < 0 ||
        agentchat_snapshot_read_file(NULL, path_join(dir, "at-the-kill.json").text, NULL, &before, NULL, &err) < 0) {
        agentchat_error_print(&err, stderr);
    } else {
        ok = check(follows_script(chat), "every step is in the transcript once, in order, by the right agent");
        ok = check(thread_is_complete(dir, SCRIPT_STEPS),
                   "every question and every answer was kept once, in order, by one process or the other") &&
             ok;
        ok = check(begins_with(chat, before), "what the killed process had saved is there, word for word") && ok;
        ok = check(as_if_uninterrupted(dir, chat), "the same conversation without a kill has the same digest") && ok;
        ok = check(remote_agrees(dir, chat), "the service's thread holds each message once, in order") && ok;
        ok = check(buyer_tool_runs(path_join(dir, "remote").text) == 1, "the tool has run once") && ok;
    }
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(before);
    return ok;
}
