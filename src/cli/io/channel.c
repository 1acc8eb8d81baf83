/* SPDX-License-Identifier: Apache-2.0 */
/* */
#include "cli/io/channel.h"
#include "cli/text/put.h"
#include <string.h>

/* *found is how many keys begin so; a key that is given completely is the only one. */
static const agentchat_channel_state *find(const agentchat_snapshot *snapshot, const char *key, size_t *found)
{
    const agentchat_channel_state *result = NULL;
    size_t len = strlen(key);

    *found = 0;
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);
        agentchat_str full_key = agentchat_channel_state_key(channel);

        if (full_key.len < len || memcmp(full_key.ptr, key, len) != 0)
            continue;
        if (full_key.len == len) {
            *found = 1;
            return channel;
        }
        result = channel;
        ++*found;
    }
    return result;
}

const agentchat_channel_state *cli_channel_find(const cli_command *self, const agentchat_snapshot *snapshot,
                                                const char *key, const char *lister, int *status)
{
    size_t found;
    const agentchat_channel_state *channel = find(snapshot, key, &found);

    if (found > 1) {
        *status = cli_command_usage(self->name, "%zu channels have keys that begin with \"%.60s\"; give more of it",
                                    found, key);
        return NULL;
    }
    if (channel == NULL) {
        (void)fprintf(stderr, "agentchat %s: no channel has the key \"", self->name);
        (void)cli_put(stderr, agentchat_str_from(key));
        (void)fprintf(stderr, "\" (%s lists them)\n", lister);
        *status = CLI_NO;
    }
    return channel;
}
