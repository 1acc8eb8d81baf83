/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session: makes, fills, shows and removes the sessions of a store. */
#include "cli/session/session.h"
#include "cli/command/group.h"

static const cli_command *const commands[] = {
    &cli_session_create,      &cli_session_append, &cli_session_show, &cli_session_list,   &cli_session_delete,
    &cli_session_delete_user, &cli_session_rewind, &cli_session_copy, &cli_session_export, &cli_session_import,
};

static int run(int argc, char **argv)
{
    static const cli_group group = {"session",
                                    "A session belongs to a user of an application, so three names say which is meant: "
                                    "APP, USER and ID.\n" CLI_ABOUT_STORE,
                                    commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_session_group = {
    .name = "session",
    .summary = "make, fill, show, move and remove sessions of a store",
    .run = run,
};
