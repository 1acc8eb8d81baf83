/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves a running chat to another process over a pipe: the parent saves into it, the child restores from it and goes
 * on. A socket to another machine works the same way, since a stream is only bytes that come in order.
 */
#include <agentchat/agentchat.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    char text[64];

    (void)user;
    (void)snprintf(text, sizeof text, "messages I remember: %zu", agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

static int fail(const agentchat_error *err)
{
    agentchat_error_print(err, stderr);
    return 1;
}

static int parent(int to_child)
{
    agentchat_error err;
    agentchat_sink *sink = NULL;
    agentchat_chat *chat = NULL;
    int failed = agentchat_chat_new(NULL, &chat, &err) < 0 ||
                 agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Guide"), answer, NULL, &err) < 0 ||
                 agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Where are we?"), &err) < 0 ||
                 agentchat_chat_invoke(chat, AGENTCHAT_STR("Guide"), &err) < 0 ||
                 agentchat_sink_fd(NULL, to_child, &sink, &err) < 0 ||
                 agentchat_chat_save(chat, sink, NULL, NULL, &err) < 0;

    agentchat_sink_free(sink);
    agentchat_chat_free(chat);
    return failed ? fail(&err) : 0;
}

static int child(int from_parent)
{
    agentchat_error err;
    agentchat_source *source = NULL;
    agentchat_snapshot *saved = NULL;
    agentchat_chat *chat = NULL;
    int failed = agentchat_chat_new(NULL, &chat, &err) < 0 ||
                 agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Guide"), answer, NULL, &err) < 0 ||
                 agentchat_source_fd(NULL, from_parent, &source, &err) < 0 ||
                 agentchat_snapshot_read(NULL, source, NULL, &saved, NULL, &err) < 0 || /* to the end of the stream */
                 agentchat_chat_restore(chat, saved, NULL, NULL, &err) < 0 ||
                 agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("And now?"), &err) < 0 ||
                 agentchat_chat_invoke(chat, AGENTCHAT_STR("Guide"), &err) < 0;

    for (size_t i = agentchat_chat_message_count(chat); !failed && i-- > 0;) {
        agentchat_str text = agentchat_message_text(agentchat_chat_newest(chat, i));
        printf(AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(text));
    }
    agentchat_source_free(source);
    agentchat_snapshot_unref(saved);
    agentchat_chat_free(chat);
    return failed ? fail(&err) : 0;
}

int main(void)
{
    int ends[2], status = 1;
    pid_t pid;

    if (pipe(ends) != 0 || (pid = fork()) < 0) {
        perror("migrate_pipe");
        return 1;
    }
    if (pid == 0) {
        (void)close(ends[1]); /* or the child would never see the end of the stream */
        exit(child(ends[0]));
    }
    (void)close(ends[0]);
    int failed = parent(ends[1]);
    (void)close(ends[1]);
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return 1;
    return failed;
}
