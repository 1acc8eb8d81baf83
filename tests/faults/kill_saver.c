/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that lives to be killed: it adds a message, saves, acknowledges, again and again.
 *
 *     kill_saver PATH FORMAT SEED
 *
 * It restores PATH if that is there, and then writes lines to standard output, each with one write():
 *
 *     restored DIGEST    what was there; "-" when nothing was
 *     saving DIGEST      what the next save will make of the file
 *     saved DIGEST       the save has returned success
 *
 * Chats grow to some hundred KiB and begin anew then. Exit status 1 and a line on standard error when something fails.
 */
#include <agentchat/agentchat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HIGHEST_TEXT 40000u
#define HIGHEST_CHAT 400000u

static uint32_t random_state;
static agentchat_error err;

static uint32_t below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % limit;
}

static void need(agentchat_status status, const char *what)
{
    if (status < 0) {
        fprintf(stderr, "kill_saver: cannot %s\n", what);
        agentchat_error_print(&err, stderr);
        exit(1);
    }
}

static void say(const char *word, const char *digest)
{
    char line[AGENTCHAT_DIGEST_LEN + 32];
    int len = snprintf(line, sizeof line, "%s %s\n", word, digest);

    if (write(STDOUT_FILENO, line, (size_t)len) != len)
        exit(1);
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out,
                               agentchat_error *error)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("noted"), error);
}

static agentchat_chat *new_chat(void)
{
    agentchat_chat *chat = NULL;
    agentchat_agent *agent = NULL;
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.name = AGENTCHAT_STR("Clerk");
    options.id = AGENTCHAT_STR("clerk-1");
    options.answer = answer;
    need(agentchat_chat_new(NULL, &chat, &err), "make a chat");
    need(agentchat_history_agent_new(NULL, &options, &agent, &err), "make an agent");
    need(agentchat_chat_add_agent(chat, agent, &err), "add an agent");
    return chat;
}

static size_t restore(agentchat_chat *chat, const char *path)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err);

    if (status == AGENTCHAT_E_NOTFOUND) {
        say("restored", "-");
        return 0;
    }
    need(status, "read");
    need(agentchat_snapshot_digest(snapshot, true, digest, &err), "compute a digest");
    need(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), "restore");
    agentchat_snapshot_unref(snapshot);
    say("restored", digest);
    return 1;
}

/* The digest of what a reader finds: the format may add what a live chat need not say. */
static void digest_of_document(agentchat_chat *chat, const agentchat_write_options *options, char *digest)
{
    agentchat_bytes document = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot;

    need(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), "capture");
    need(agentchat_snapshot_write_memory(snapshot, options, &document, NULL, &err), "write to memory");
    agentchat_snapshot_unref(snapshot);
    need(agentchat_snapshot_read_memory(NULL, (agentchat_str){document.ptr, document.len}, NULL, &snapshot, NULL, &err),
         "read from memory");
    need(agentchat_snapshot_digest(snapshot, true, digest, &err), "compute a digest");
    agentchat_snapshot_unref(snapshot);
    agentchat_bytes_clear(&document);
}

static void add_message(agentchat_chat *chat, char *text, size_t *total)
{
    /* Most are short, as in life; some are more than one buffer. */
    size_t len = 1 + below(below(4) == 0 ? HIGHEST_TEXT : 200);

    if (*total + len > HIGHEST_CHAT) {
        need(agentchat_chat_reset(chat, &err), "empty the chat");
        *total = 0;
    }
    for (size_t i = 0; i < len; i++)
        text[i] = (char)(' ' + below(95));
    need(agentchat_chat_add_text(chat, "user", (agentchat_str){text, len}, &err), "add a message");
    *total += len;
    if (below(5) == 0)
        need(agentchat_chat_invoke(chat, AGENTCHAT_STR("Clerk"), &err), "invoke");
}

int main(int argc, char **argv)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    static char text[HIGHEST_TEXT + 1];
    agentchat_chat *chat;
    size_t total;

    if (argc != 4) {
        fprintf(stderr, "usage: kill_saver PATH FORMAT SEED\n");
        return 2;
    }
    options.format = argv[2];
    random_state = (uint32_t)strtoul(argv[3], NULL, 10);
    chat = new_chat();
    total = restore(chat, argv[1]) * below(HIGHEST_CHAT);
    for (;;) {
        add_message(chat, text, &total);
        digest_of_document(chat, &options, digest);
        say("saving", digest);
        need(agentchat_chat_save_file(chat, argv[1], &options, NULL, &err), "save");
        say("saved", digest);
    }
}
