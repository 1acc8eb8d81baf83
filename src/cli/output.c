/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal gets the text when it is complete: only then is it known to be JSON. Layer: cli. */
#include "output.h"
#include "json_out.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

agentchat_status cli_output_open(cli_output *output, const char *name, agentchat_error *err)
{
    *output = (cli_output){.shown = AGENTCHAT_BYTES_INIT};
    if (strcmp(name, "-") != 0)
        return agentchat_sink_path(NULL, name, &output->sink, err);
    if (isatty(STDOUT_FILENO))
        return agentchat_sink_memory(NULL, &output->shown, &output->sink, err);
    return agentchat_sink_fd(NULL, STDOUT_FILENO, &output->sink, err);
}

void cli_output_close(cli_output *output)
{
    agentchat_sink_free(output->sink); /* takes back what was not committed */
    cli_json_lines(stdout, (agentchat_str){output->shown.ptr, output->shown.len});
    agentchat_bytes_clear(&output->shown);
}

static bool look_at(const char *name, int standard, struct stat *info)
{
    return (strcmp(name, "-") == 0 ? fstat(standard, info) : stat(name, info)) == 0 && S_ISREG(info->st_mode);
}

bool cli_output_is_input(const char *output, const char *input)
{
    struct stat in, out;

    return look_at(input, STDIN_FILENO, &in) && look_at(output, STDOUT_FILENO, &out) && in.st_dev == out.st_dev &&
           in.st_ino == out.st_ino;
}
