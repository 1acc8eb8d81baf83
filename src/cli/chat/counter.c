/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chat/counter.h"

#include <string.h>

agentchat_token_counter_fn cli_counter_find(const cli_command *self, const char *name)
{
    static const struct {
        const char *name;
        agentchat_token_counter_fn counter;
    } counters[] = {{"approximate", agentchat_count_approximately},
                    {"messages", agentchat_count_messages},
                    {"characters", agentchat_count_characters}};

    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (name == NULL || strcmp(name, counters[i].name) == 0)
            return counters[i].counter;
    (void)cli_command_usage(self->name, "--counter is approximate, messages or characters, not \"%s\"", name);
    return NULL;
}
