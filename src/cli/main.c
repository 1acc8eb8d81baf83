/* SPDX-License-Identifier: Apache-2.0 */
/* Entry point: finds the command, runs it, and makes sure that what it printed has really been written. */
#include "cli/chat/chat.h"
#include "cli/command/command.h"
#include "cli/memory/memory.h"
#include "cli/session/session.h"
#include "cli/state/state.h"
#include "cli/store/store.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include "cli/thread/thread.h"
#include "cli/verify/verify.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const cli_command *const commands[] = {
    &cli_check,       &cli_show,         &cli_view,         &cli_participants, &cli_channels,
    &cli_convert,     &cli_formats,      &cli_digest,       &cli_diff,         &cli_tokens,
    &cli_trim,        &cli_repair,       &cli_verify,       &cli_store_group,  &cli_session_group,
    &cli_state_group, &cli_thread_group, &cli_memory_group, &cli_work_group,   &cli_template};

static void print_help(FILE *out)
{
    (void)fputs("agentchat looks at saved chats of agents, compares and converts them, checks the files of chats,\n"
                "sessions and events, and works on stores of sessions, threads and memory.\n"
                "\n"
                "usage: agentchat COMMAND [OPTION...] FILE...\n"
                "       agentchat store|session|state|thread|memory|work COMMAND [OPTION...] STORE ...\n"
                "\n",
                out);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        (void)fprintf(out, "  %-14s%s\n", commands[i]->name, commands[i]->summary);
    (void)fputs(
        "\n"
        "agentchat COMMAND --help explains a command; agentchat --version prints the version.\n"
        "FILE may be - for standard input. Which format it has is detected, or said by --from (agentchat\n"
        "formats lists them). A session counts as the chat of its events: its file, or with --store STORE one\n"
        "that is named APP/USER/ID. STORE is sqlite:FILE, a plain file name, which means the same, or\n"
        "postgresql://...\n"
        "\n"
        "exit status: 0 success, 1 a check failed, the inputs differ, a loss or a conflict was refused, 2 error\n",
        out);
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return CLI_SUCCESS;
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("agentchat %s\n", agentchat_version());
        return CLI_SUCCESS;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->run(argc - 1, argv + 1);
    }
    (void)fputs("agentchat: there is no command \"", stderr);
    (void)cli_put(stderr, agentchat_str_from(argv[1]));
    (void)fputs("\" (agentchat --help lists them)\n", stderr);
    return CLI_ERROR;
}

/* A standard descriptor that was closed would be that of the next file or connection, which would then get the output.
   It is replaced by something that fails in the same way: input that may not be read, output that may not be
   written. */
static bool hold_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    }
    return true;
}

/* Why standard output took no more some time ago: errno has been set by other calls since. One more byte, after what is
   incomplete in any case, fails for the same reason; 0 when it does not. */
static int reason_of_earlier_failure(void)
{
    clearerr(stdout);
    errno = 0;
    return fputc('\n', stdout) == EOF || fflush(stdout) != 0 ? errno : 0;
}

int main(int argc, char **argv)
{
    int status, reason;

    if (!hold_standard_descriptors())
        return CLI_ERROR; /* and nowhere to say it */
    cli_signals_begin();
    status = run(argc, argv);
    if (fflush(stdout) != 0)
        reason = errno;
    else if (ferror(stdout))
        reason = reason_of_earlier_failure();
    else
        return status;
    (void)fprintf(stderr, "agentchat: cannot write to standard output%s%s\n", reason != 0 ? ": " : "",
                  reason != 0 ? strerror(reason) : "");
    return CLI_ERROR;
}
