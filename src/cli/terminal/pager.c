/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pager that the reader leaves early is no failure: what is written to it after that goes nowhere, and the command
 * ends with the status that it would have had.
 */
#include "cli/terminal/terminal.h"

#include "cli/text/text.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MIN_COLUMNS = 40, CANNOT_RUN = 126, NOT_FOUND = 127 }; /* the latter two as a shell says it */

/* Colour passes; where the variable LESS says nothing else, what fits the screen is shown without waiting. */
static const char default_pager[] = "less -R";
static const char default_less[] = "FRX";

static size_t terminal_columns(void)
{
    const char *given = getenv("COLUMNS");
    struct winsize size = {0};
    uint64_t columns = 0;

    if (given == NULL || !cli_number_count(given, &columns))
        columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    return columns == 0 ? 0 : columns < MIN_COLUMNS ? MIN_COLUMNS : columns > SIZE_MAX ? SIZE_MAX : (size_t)columns;
}

/* ---- the pager's command ---------------------------------------------------------------------------------------- */

static const char *pager_of_user(void)
{
    const char *own = getenv("AGENTCHAT_PAGER");

    return own != NULL ? own : getenv("PAGER");
}

static const char *pager_text(void)
{
    const char *text = pager_of_user(), *term = getenv("TERM");

    if (text != NULL)
        return text;
    return term == NULL || strcmp(term, "dumb") == 0 ? "" : default_pager;
}

static bool is_none(const char *text)
{
    return text[strspn(text, " \t")] == '\0' || strcmp(text, "cat") == 0;
}

/* Plain words are run as they stand; anything that a shell would read otherwise is for the shell. */
static char **words_of(char *text)
{
    static char shell[] = "sh", option[] = "-c";
    size_t count = 0;
    char **words = calloc(strlen(text) / 2 + 4, sizeof *words); /* each has a character and a space */

    if (words == NULL)
        return NULL;
    if (text[strcspn(text, "|&;<>()$`\\\"'*?[]#~=%!{}\n")] != '\0') {
        words[0] = shell;
        words[1] = option;
        words[2] = text;
        return words;
    }
    for (char *at = text + strspn(text, " \t"); *at != '\0'; at += strspn(at, " \t")) {
        words[count++] = at;
        at += strcspn(at, " \t");
        if (*at != '\0')
            *at++ = '\0';
    }
    return words;
}

/* ---- running it ------------------------------------------------------------------------------------------------- */

/* The keys that interrupt are for the pager, and its end does not end the tool. */
static void leave_signals_to_pager(cli_pager *pager)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    (void)sigemptyset(&ignore.sa_mask);
    (void)sigaction(SIGPIPE, &ignore, &pager->pipe);
    (void)sigaction(SIGINT, &ignore, &pager->interrupt);
    (void)sigaction(SIGQUIT, &ignore, &pager->quit);
}

static void take_signals_back(const cli_pager *pager)
{
    (void)sigaction(SIGPIPE, &pager->pipe, NULL);
    (void)sigaction(SIGINT, &pager->interrupt, NULL);
    (void)sigaction(SIGQUIT, &pager->quit, NULL);
}

/* The pager finds the signals as the tool did. */
static void give_signals(posix_spawnattr_t *attributes, const cli_pager *pager)
{
    sigset_t usual;

    (void)sigemptyset(&usual);
    if (pager->pipe.sa_handler != SIG_IGN)
        (void)sigaddset(&usual, SIGPIPE);
    if (pager->interrupt.sa_handler != SIG_IGN)
        (void)sigaddset(&usual, SIGINT);
    if (pager->quit.sa_handler != SIG_IGN)
        (void)sigaddset(&usual, SIGQUIT);
    cli_signals_add_changed(&usual);
    (void)posix_spawnattr_setsigdefault(attributes, &usual);
    (void)posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
}

/* 0, or why not, as errno. The pager reads from `from`. */
static int spawn(cli_pager *pager, char *const *words, int from)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);

    if (reason != 0)
        return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        give_signals(&attributes, pager);
        reason = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
        if (reason == 0)
            reason = posix_spawnp(&pager->process, words[0], &actions, &attributes, words, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static int spawn_text(cli_pager *pager, const char *text, int from)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size), **words = NULL;
    int reason = ENOMEM;

    if (copy != NULL) {
        memcpy(copy, text, size);
        words = words_of(copy);
    }
    if (words != NULL)
        reason = spawn(pager, words, from);
    free(words);
    free(copy);
    return reason;
}

/* Gives the end of a pipe at whose other end the pager reads; NULL: it could not be run, and *reason is errno. */
static FILE *open_pager(cli_pager *pager, const char *text, int *reason)
{
    FILE *out = NULL;
    int ends[2];

    *reason = 0;
    if (pipe(ends) != 0) {
        *reason = errno;
        return NULL;
    }
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
        out = fdopen(ends[1], "w");
    if (out == NULL)
        *reason = errno;
    else
        *reason = spawn_text(pager, text, ends[0]);
    (void)close(ends[0]);
    if (*reason == 0)
        return out;
    if (out != NULL)
        (void)fclose(out);
    else
        (void)close(ends[1]);
    return NULL;
}

static void say_not_run(const char *text, const char *why)
{
    (void)fputs("agentchat: the pager could not be run: ", stderr);
    (void)cli_put(stderr, agentchat_str_from(text));
    (void)fprintf(stderr, "%s%s\n", why[0] != '\0' ? ": " : "", why);
}

static void start_pager(cli_pager *pager)
{
    const char *text = pager_text();
    int reason;

    if (is_none(text))
        return;
    (void)setenv("LESS", default_less, 0);
    leave_signals_to_pager(pager);
    FILE *out = open_pager(pager, text, &reason);
    if (out != NULL) {
        pager->out = out;
        return;
    }
    pager->process = 0;
    take_signals_back(pager);
    if (pager_of_user() != NULL)
        say_not_run(text, strerror(reason));
}

void cli_pager_open(cli_pager *pager, bool with_pager)
{
    bool is_terminal = isatty(STDOUT_FILENO);

    *pager = (cli_pager){.out = stdout, .style = cli_style_of(stdout)};
    if (is_terminal)
        pager->columns = terminal_columns();
    if (is_terminal && with_pager)
        start_pager(pager);
}

bool cli_pager_close(cli_pager *pager)
{
    int status = 0;
    pid_t ended;

    if (pager->process == 0)
        return true;
    (void)fclose(pager->out); /* what the reader did not want to see is no loss */
    pager->out = stdout;
    do {
        ended = waitpid(pager->process, &status, 0);
    } while (ended < 0 && errno == EINTR);
    pager->process = 0;
    take_signals_back(pager);
    if (ended < 0 || !WIFEXITED(status) || (WEXITSTATUS(status) != NOT_FOUND && WEXITSTATUS(status) != CANNOT_RUN))
        return true;
    say_not_run(pager_text(), "");
    return false;
}
