/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pruning, copying and deleting in steps.
 *
 *     test_thread_steps sqlite|postgres
 *
 * THREAD_ROUNDS says how many random interleavings there are; THREAD_STRIDE, which calls of a server fail: each n-th.
 */
#include "steps.h"

typedef struct counting {
    size_t unused, problems;
} counting;

static agentchat_status look_at_part(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    counting *count = user;
    char text[600];

    (void)err;
    snprintf(text, sizeof text, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(part));
    count->unused += strstr(text, "unused") != NULL;
    count->problems += problem.ptr != NULL;
    if (problem.ptr != NULL)
        print_error("%s: " AGENTCHAT_STR_FMT "\n", text, AGENTCHAT_STR_ARG(problem));
    return AGENTCHAT_OK;
}

size_t count_unused_at(agentchat_store *store, const char *file, int line)
{
    counting count = {0, 0};
    agentchat_error err;

    test_ok_at(agentchat_store_check(store, look_at_part, &count, &err), &err, file, line);
    if (count.problems > 0)
        _fail(file, line);
    return count.unused;
}

int main(int argc, char **argv)
{
    if (!scene_program("thread.steps", argc, argv))
        return 2;
    scene_files_in_memory();
    return steps_interleaved() + steps_faults() > 0 ? 1 : 0;
}
