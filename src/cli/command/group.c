/* SPDX-License-Identifier: Apache-2.0 */
/* */
#include "cli/command/group.h"
#include "cli/text/put.h"
#include <string.h>

/* "create" of "session create". */
static const char *own_name(const cli_group *group, const cli_command *command)
{
    return command->name + strlen(group->name) + 1;
}

static void print_help(FILE *out, const cli_group *group)
{
    (void)fprintf(out, "usage: agentchat %s COMMAND ARGUMENT...\n\n", group->name);
    for (size_t i = 0; i < group->count; i++)
        (void)fprintf(out, "  %-13s%s\n", own_name(group, group->commands[i]), group->commands[i]->summary);
    (void)fprintf(out, "\n%sagentchat %s COMMAND --help explains a command.\n", group->about, group->name);
}

int cli_group_run(const cli_group *group, int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr, group);
        return CLI_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout, group);
        return CLI_SUCCESS;
    }
    for (size_t i = 0; i < group->count; i++) {
        if (strcmp(argv[1], own_name(group, group->commands[i])) == 0)
            return group->commands[i]->run(argc - 1, argv + 1);
    }
    (void)fprintf(stderr, "agentchat %s: there is no command \"", group->name);
    (void)cli_put(stderr, agentchat_str_from(argv[1]));
    (void)fprintf(stderr, "\" (agentchat %s --help lists them)\n", group->name);
    return CLI_ERROR;
}
