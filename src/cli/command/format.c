/* SPDX-License-Identifier: Apache-2.0 */
/* Formats as arguments: which names there are is what the library says. */
#include "cli/command/format.h"

#include <stdio.h>

static uint32_t does(const agentchat_format *format, bool writes)
{
    return writes ? format->writes : format->reads;
}

static bool can(const cli_command *self, const char *name, uint32_t documents, bool writes)
{
    const agentchat_format *format = agentchat_format_find(name);
    char names[256] = "";
    size_t len = 0;

    if (format != NULL && (does(format, writes) & documents) != 0)
        return true;
    for (size_t i = 0; i < agentchat_format_count() && len < sizeof names; i++) {
        format = agentchat_format_at(i);
        if ((does(format, writes) & documents) != 0)
            len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len > 0 ? ", " : "", format->name);
    }
    (void)cli_command_usage(self->name, "--%s needs a format that is %s here (%s), not \"%s\"", writes ? "to" : "from",
                            writes ? "written" : "read", names, name);
    return false;
}

bool cli_format_is_read(const cli_command *self, const char *name, uint32_t documents)
{
    return can(self, name, documents, false);
}

bool cli_format_is_written(const cli_command *self, const char *name, uint32_t documents)
{
    return can(self, name, documents, true);
}
