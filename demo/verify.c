/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proves that nothing was lost, doubled or moved: the final file against the script, against the file of the killed
 * process, against a conversation that nobody interrupted, and against what the remote service holds.
 */
#include "demo.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool check(bool holds, const char *what)
{
    demo_say("  %s %s", holds ? "ok:    " : "FAILED:", what);
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
    if (agentchat_snapshot_message_count(chat) != 2 * demo_step_count)
        return false;
    for (size_t i = 0; i < demo_step_count; i++) {
        agentchat_str question = agentchat_message_text(agentchat_snapshot_message(chat, 2 * i));
        agentchat_str author = agentchat_message_name(agentchat_snapshot_message(chat, 2 * i + 1));

        if (!agentchat_str_equal(question, agentchat_str_from(demo_steps[i].question)) ||
            !agentchat_str_equal(author, agentchat_str_from(demo_steps[i].who)))
            return false;
    }
    return true;
}

/* completed.txt: lines `STEP MESSAGES`, written after each save by whichever process made it. */
static bool journal_is_complete(const char *dir)
{
    FILE *file = fopen(demo_join(dir, "completed.txt").text, "r");
    size_t step, messages, expected = 0;
    bool ok = file != NULL;

    while (ok && fscanf(file, "%zu %zu", &step, &messages) == 2) {
        expected++;
        ok = step == expected && messages == 2 * expected;
    }
    if (file != NULL)
        (void)fclose(file);
    return ok && expected == demo_step_count;
}

static bool begins_with(const agentchat_snapshot *chat, const agentchat_snapshot *before)
{
    for (size_t i = 0; i < agentchat_snapshot_message_count(before); i++) {
        if (!same_message(agentchat_snapshot_message(chat, i), agentchat_snapshot_message(before, i)))
            return false;
    }
    return agentchat_snapshot_message_count(before) > 0;
}

/* The same conversation in one go, in this process, with a service of its own. */
static bool as_if_uninterrupted(const char *dir, const agentchat_snapshot *chat)
{
    demo_path reference = demo_join(dir, "uninterrupted-XXXXXX");
    demo_path remote = mkdtemp(reference.text) != NULL ? demo_join(reference.text, "remote") : reference;
    char digest[2][AGENTCHAT_DIGEST_LEN + 1];
    agentchat_snapshot *whole = NULL;
    agentchat_error err;
    demo_team team = {.remote = remote.text};

    if (mkdir(remote.text, 0700) != 0)
        return false;
    agentchat_chat *live = demo_chat_new(&team, &err);
    bool ok = live != NULL && demo_run(live, 0, reference.text, NULL, NULL, &err) >= 0 &&
              agentchat_chat_capture(live, NULL, &whole, &err) >= 0 &&
              agentchat_snapshot_digest(whole, false, digest[0], &err) >= 0 &&
              agentchat_snapshot_digest(chat, false, digest[1], &err) >= 0;
    if (!ok)
        agentchat_error_print(&err, stderr);
    agentchat_snapshot_unref(whole);
    agentchat_chat_free(live);
    return ok && strcmp(digest[0], digest[1]) == 0;
}

/* The thread that the Archivist uses holds each message of the history once, in order. */
static bool remote_agrees(const char *dir, const agentchat_snapshot *chat)
{
    demo_path remote = demo_join(dir, "remote");
    size_t count = agentchat_snapshot_message_count(chat);

    for (size_t i = 0; i < agentchat_snapshot_channel_count(chat); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(chat, i);
        char id[64];

        if (!agentchat_str_equal(agentchat_channel_state_type(channel), AGENTCHAT_STR("demo.RemoteThread")))
            continue;
        (void)snprintf(id, sizeof id, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(agentchat_channel_state_data(channel)));
        if (agentchat_channel_state_synced(channel) != count || remote_length(remote.text, id) != count)
            return false;
        for (size_t k = 0; k < count; k++) {
            demo_note expected = demo_note_of(agentchat_snapshot_message(chat, k)), found;
            if (!remote_read(remote.text, id, k, &found) || strcmp(expected.text, found.text) != 0)
                return false;
        }
        return true;
    }
    return false;
}

bool demo_verify(const char *dir)
{
    agentchat_snapshot *chat = NULL, *before = NULL;
    agentchat_error err;
    bool ok = false;

    if (agentchat_snapshot_read_file(NULL, demo_join(dir, "chat.json").text, NULL, &chat, &err) < 0 ||
        agentchat_snapshot_read_file(NULL, demo_join(dir, "at-the-kill.json").text, NULL, &before, &err) < 0) {
        agentchat_error_print(&err, stderr);
    } else {
        ok = check(follows_script(chat), "every step is in the transcript once, in order, by the right agent");
        ok = check(journal_is_complete(dir), "every step was saved once, in order, by one process or the other") && ok;
        ok = check(begins_with(chat, before), "what the killed process had saved is there, word for word") && ok;
        ok = check(as_if_uninterrupted(dir, chat), "the same conversation without a kill has the same digest") && ok;
        ok = check(remote_agrees(dir, chat), "the service's thread holds each message once, in order") && ok;
    }
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(before);
    return ok;
}
