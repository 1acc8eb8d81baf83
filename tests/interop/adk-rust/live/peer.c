/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our side of the exchange with ADK-Rust: writes events as `adk-rust`, a line each.
 * usage: peer CHATS < EVENTS: the messages of so many random chats, and what events in any format are on standard
 * input, a line each. Events that are refused are passed over: other tests say which.
 */
#include <agentchat/agentchat.h>
#include <agentchat/event.h>

#include "format/random_chat.h"
#include "support/test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const agentchat_event *event)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    if (agentchat_event_write(event, "adk-rust", &out, NULL, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.message);
        exit(3);
    }
    while (out.len > 0 && out.ptr[out.len - 1] == '\n')
        out.len--;
    (void)fwrite(out.ptr, 1, out.len, stdout);
    (void)putchar('\n');
    agentchat_bytes_clear(&out);
}

static size_t pick(void *user, size_t below)
{
    (void)user;
    return test_pick(below);
}

static void put_chat(uint32_t seed)
{
    const random_source random = {pick, NULL};
    agentchat_snapshot *chat;

    test_seed(seed);
    chat = random_chat(&random, NULL);
    if (chat == NULL)
        exit(3);
    for (size_t i = 0; i < agentchat_messages_count(agentchat_snapshot_history(chat)); i++) {
        agentchat_event *event;

        if (agentchat_event_from_message(NULL, agentchat_messages_at(agentchat_snapshot_history(chat), i), "i", &event,
                                         NULL) < 0)
            exit(3);
        put(event);
        agentchat_event_unref(event);
    }
    agentchat_snapshot_unref(chat);
}

int main(int argc, char **argv)
{
    unsigned long chats = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t size = 0;
    char *line = NULL;

    for (uint32_t seed = 1; seed <= chats; seed++)
        put_chat(seed);
    for (ssize_t len; (len = getline(&line, &size, stdin)) > 0;) {
        agentchat_event *event;

        if (agentchat_event_read(NULL, (agentchat_str){line, (size_t)len}, NULL, &event, NULL, NULL) < 0)
            continue;
        put(event);
        agentchat_event_unref(event);
    }
    free(line);
    return 0;
}
