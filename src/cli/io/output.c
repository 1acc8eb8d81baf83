/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal gets the text when it is complete: only then is it known to be JSON. */
#include "cli/io/output.h"
#include "cli/json/writer.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_standard(const char *name)
{
    return strcmp(name, "-") == 0;
}

/* NULL: it is none. /dev/stdout and /dev/tty are names of terminals. To be closed with close_terminal(). */
static FILE *open_terminal(const char *name)
{
    struct stat info;
    FILE *terminal;
    int fd;

    if (is_standard(name))
        return isatty(STDOUT_FILENO) ? stdout : NULL;
    if (stat(name, &info) != 0 || !S_ISCHR(info.st_mode))
        return NULL;
    fd = open(name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    terminal = isatty(fd) ? fdopen(fd, "w") : NULL;
    if (terminal == NULL)
        (void)close(fd);
    return terminal;
}

static void close_terminal(FILE *terminal)
{
    if (terminal != NULL && terminal != stdout)
        (void)fclose(terminal);
}

/* Whether writing to it makes a file beside it, and never waits for a reader. */
static bool is_replaced(const char *name)
{
    struct stat info;

    return stat(name, &info) != 0 || S_ISREG(info.st_mode);
}

agentchat_status cli_output_open(cli_output *output, const char *name, agentchat_error *err)
{
    agentchat_sink_path_options options = AGENTCHAT_SINK_PATH_OPTIONS_INIT;

    *output = (cli_output){.terminal = open_terminal(name), .shown = AGENTCHAT_BYTES_INIT};
    if (output->terminal != NULL)
        return agentchat_sink_memory(NULL, &output->shown, &output->sink, err);
    if (is_standard(name))
        return agentchat_sink_fd(NULL, STDOUT_FILENO, &output->sink, err);
    if (is_replaced(name)) {
        cli_signals_hold(&output->signals);
        options.go_on = cli_signals_go_on;
        options.user = &output->signals;
    }
    return agentchat_sink_path(NULL, name, &options, &output->sink, err);
}

void cli_output_close(cli_output *output)
{
    agentchat_sink_free(output->sink); /* takes back what was not committed */
    cli_signals_let_go(&output->signals);
    if (output->terminal != NULL)
        cli_json_lines(output->terminal, (agentchat_str){output->shown.ptr, output->shown.len});
    close_terminal(output->terminal);
    agentchat_bytes_clear(&output->shown);
}

bool cli_output_is_terminal(const char *name)
{
    FILE *terminal = open_terminal(name);

    close_terminal(terminal);
    return terminal != NULL;
}

const char *cli_output_name(const char *name)
{
    return is_standard(name) ? "standard output" : name;
}

static bool look_at(const char *name, int standard, struct stat *info)
{
    return (is_standard(name) ? fstat(standard, info) : stat(name, info)) == 0 && S_ISREG(info->st_mode);
}

bool cli_output_is_input(const char *output, const char *input)
{
    struct stat in, out;

    return look_at(input, STDIN_FILENO, &in) && look_at(output, STDOUT_FILENO, &out) && in.st_dev == out.st_dev &&
           in.st_ino == out.st_ino;
}
