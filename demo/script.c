/* SPDX-License-Identifier: Apache-2.0 */
/* The conversation: seven steps, each a question and the answer of one agent, saved when both are there. */
#include "demo.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

const demo_step demo_steps[] = {
    {"We want to open a bakery for night owls. What comes first?", "Planner"},
    {"What could go wrong?", "Critic"},
    {"Please file what we have.", "Archivist"},
    {"What does the panel think?", "Panel"},
    {"Please file the panel's opinion too.", "Archivist"},
    {"Is that the opinion of the whole panel?", "Panel"},
    {"Then what is the plan now?", "Planner"},
};
const size_t demo_step_count = sizeof demo_steps / sizeof demo_steps[0];

size_t demo_steps_done(agentchat_str value)
{
    char digits[8];

    (void)snprintf(digits, sizeof digits, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(value));
    return (size_t)strtoul(digits, NULL, 10);
}

/* A line of our own for the verification: this step is done and saved. */
static bool note_completed(const char *dir, size_t step, size_t messages)
{
    int fd = open(demo_join(dir, "completed.txt").text, O_WRONLY | O_CREAT | O_APPEND, 0600);
    bool ok = fd >= 0 && dprintf(fd, "%zu %zu\n", step + 1, messages) > 0 && fsync(fd) == 0;

    if (fd >= 0)
        (void)close(fd);
    return ok;
}

static agentchat_status run_step(agentchat_chat *chat, size_t step, const char *dir, agentchat_error *err)
{
    char done[8];
    agentchat_status status;

    (void)snprintf(done, sizeof done, "%u", (unsigned)(step + 1));
    (void)((status = agentchat_chat_add_text(chat, "user", agentchat_str_from(demo_steps[step].question), err)) < 0 ||
           (status = agentchat_chat_invoke(chat, demo_steps[step].who, err)) < 0 ||
           /* A value of our own travels with the chat: where the conversation stands. */
           (status = agentchat_chat_set_value(chat, DEMO_STEPS_DONE, (agentchat_str){NULL, 0}, agentchat_str_from(done),
                                              err)) < 0 ||
           (status = agentchat_chat_save_file(chat, demo_join(dir, "chat.json").text, NULL, err)));
    if (status >= 0 && !note_completed(dir, step, agentchat_chat_message_count(chat)))
        status = agentchat_error_set(err, AGENTCHAT_E_IO, "completed.txt could not be written");
    return status;
}

agentchat_status demo_run(agentchat_chat *chat, size_t first, const char *dir, void (*before)(void *user, size_t step),
                          void *user, agentchat_error *err)
{
    for (size_t step = first; step < demo_step_count; step++) {
        if (before != NULL)
            before(user, step);
        agentchat_status status = run_step(chat, step, dir, err);
        if (status < 0)
            return status;
    }
    return AGENTCHAT_OK;
}
