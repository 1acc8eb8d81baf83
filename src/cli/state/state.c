/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat state: the values that a session shows, those of its user and of the application among them. */
#include "cli/state/state.h"
#include "cli/command/group.h"

static const cli_command *const commands[] = {&cli_state_all, &cli_state_get, &cli_state_set, &cli_state_add,
                                              &cli_state_delete};

static int run(int argc, char **argv)
{
    static const cli_group group = {"state",
                                    "Keys of a session stand as they are; app: and user: in front of a key say that "
                                    "it is shared by all\nsessions of the application or of the user. Every change is "
                                    "an event of the session.\n" CLI_ABOUT_STORE,
                                    commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_state_group = {
    .name = "state",
    .summary = "look at and change the state that a session shows",
    .run = run,
};
