/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/input.h"
#include "cli/command/arguments.h"
#include "cli/io/output.h"
#include "cli/io/stored.h"
#include "cli/text/error.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The environment of the files that are read; NULL is the default one. */
static agentchat_env *file_env;

bool cli_input_max_copies(const cli_command *self, const char *number)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_error err;
    char *end;
    unsigned long value = strtoul(number, &end, 10);

    if (number[0] < '1' || number[0] > '9' || *end != '\0' || value > UINT32_MAX) {
        (void)cli_command_usage(self->name, "--max-copies needs a number from 1 to %lu, not \"%.60s\"",
                                (unsigned long)UINT32_MAX, number);
        return false;
    }
    limits.max_copies = (uint32_t)value;
    options.limits = &limits;
    agentchat_env_free(file_env);
    if (agentchat_env_new(&options, &file_env, &err) >= 0)
        return true;
    (void)fprintf(stderr, "agentchat %s: ", self->name);
    agentchat_error_print(&err, stderr);
    return false;
}

const agentchat_env *cli_input_env(void)
{
    return file_env;
}

/* The chat of a session of the store. */
static bool read_stored(cli_input *file)
{
    cli_stored stored;

    file->status = cli_stored_open(&stored, file->name);
    file->err = stored.err;
    if (file->status >= 0)
        file->status = agentchat_session_snapshot(stored.session, AGENTCHAT_STR("state"), &file->snapshot,
                                                  &file->report, &file->err);
    cli_stored_close(&stored);
    return file->status >= 0;
}

bool cli_input_read(cli_input *file, const char *name)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    *file = (cli_input){.name = name};
    if (cli_stored_is(name))
        return read_stored(file);
    options.format = cli_arguments_from();
    options.sessions = true;
    if (strcmp(name, "-") == 0) {
        agentchat_source *source = NULL;

        file->status = agentchat_source_fd(file_env, STDIN_FILENO, &source, &file->err);
        if (file->status >= 0)
            file->status =
                agentchat_snapshot_read(file_env, source, &options, &file->snapshot, &file->report, &file->err);
        agentchat_source_free(source);
    } else {
        file->status =
            agentchat_snapshot_read_file(file_env, name, &options, &file->snapshot, &file->report, &file->err);
    }
    return file->status >= 0;
}

bool cli_input_open(cli_input *file, const char *name)
{
    if (cli_input_read(file, name))
        return true;
    cli_error_print(stderr, name, file->status, &file->err);
    cli_input_close(file);
    return false;
}

bool cli_input_is(const char *output, const char *name)
{
    return !cli_stored_is(name) && cli_output_is_input(output, name);
}

void cli_input_close(cli_input *file)
{
    agentchat_snapshot_unref(file->snapshot);
    agentchat_report_free(file->report);
    file->snapshot = NULL;
    file->report = NULL;
}
