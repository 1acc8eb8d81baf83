/* SPDX-License-Identifier: Apache-2.0 */
/* Documents and lines that are read, and what is written. */
#include "cli/command/command.h"

#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/text/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== A terminal gets the text when it is complete: only then is it known to be JSON ============================= */

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

agentchat_status cli_output_chat(const char *name, const agentchat_snapshot *snapshot,
                                 const agentchat_write_options *options, agentchat_report **report,
                                 agentchat_error *err)
{
    cli_output output;
    agentchat_status status;

    if (cli_stored_lies_in(name))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the output is the store itself");
    status = cli_output_open(&output, name, err);
    if (status >= 0)
        status = agentchat_snapshot_write(snapshot, output.sink, options, report, err);
    cli_output_close(&output);
    return status;
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

/* Whether the output is the file that is read; "-" is standard input, or standard output. */
static bool output_is_input(const char *output, const char *input)
{
    struct stat in, out;

    return look_at(input, STDIN_FILENO, &in) && look_at(output, STDOUT_FILENO, &out) && in.st_dev == out.st_dev &&
           in.st_ino == out.st_ino;
}

/* ==== input ====================================================================================================== */

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
    return !cli_stored_is(name) && output_is_input(output, name);
}

void cli_input_close(cli_input *file)
{
    agentchat_snapshot_unref(file->snapshot);
    agentchat_report_free(file->report);
    file->snapshot = NULL;
    file->report = NULL;
}

/* ==== document =================================================================================================== */

agentchat_status cli_document_source(const char *name, agentchat_source **out, agentchat_error *err)
{
    return strcmp(name, "-") == 0 ? agentchat_source_fd(cli_input_env(), STDIN_FILENO, out, err)
                                  : agentchat_source_path(cli_input_env(), name, out, err);
}

bool cli_document_read(cli_document *file, const char *name)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_source *source = NULL;

    options.format = cli_arguments_from();
    *file = (cli_document){.name = name};
    file->status = cli_document_source(name, &source, &file->err);
    if (file->status >= 0)
        file->status =
            agentchat_document_read(cli_input_env(), source, &options, &file->document, &file->report, &file->err);
    agentchat_source_free(source);
    return file->status >= 0;
}

void cli_document_close(cli_document *file)
{
    agentchat_document_free(file->document);
    agentchat_report_free(file->report);
    file->document = NULL;
    file->report = NULL;
}

bool cli_document_is_bad(agentchat_status status)
{
    return status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_SCHEMA || status == AGENTCHAT_E_VERSION ||
           status == AGENTCHAT_E_LIMIT || status == AGENTCHAT_E_LOSS || status == AGENTCHAT_E_CORRUPT;
}

/* ==== the buffer doubles, and each byte is searched for a line end once, so a long line costs its length ========= */

enum { FIRST_SIZE = 64 * 1024, LONGEST_LINE = 1 << 30 }; /* the library's limit for one input */

agentchat_status cli_line_reader_open(cli_line_reader *lines, const char *name, agentchat_error *err)
{
    *lines = (cli_line_reader){.fd = STDIN_FILENO};
    if (strcmp(name, "-") == 0)
        return AGENTCHAT_OK;
    lines->fd = open(name, O_RDONLY | O_CLOEXEC);
    if (lines->fd < 0)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "cannot open the file: %s", strerror(errno));
    return AGENTCHAT_OK;
}

void cli_line_reader_close(cli_line_reader *lines)
{
    if (lines->fd > STDIN_FILENO)
        (void)close(lines->fd);
    free(lines->buffer);
    lines->buffer = NULL;
}

/* Makes room after what has been read: moves it to the front, and grows the buffer when that is not enough. */
static agentchat_status make_room(cli_line_reader *lines, agentchat_error *err)
{
    size_t kept = lines->end - lines->start;

    if (lines->start > 0)
        memmove(lines->buffer, lines->buffer + lines->start, kept);
    lines->start = 0;
    lines->end = kept;
    if (kept < lines->cap)
        return AGENTCHAT_OK;
    if (kept > LONGEST_LINE)
        return agentchat_error_set(err, AGENTCHAT_E_LIMIT, "the line is longer than %d bytes, the limit for one event",
                                   LONGEST_LINE);
    size_t cap = lines->cap < LONGEST_LINE / 2 ? lines->cap * 2 : LONGEST_LINE;
    cap += FIRST_SIZE;
    char *bigger = realloc(lines->buffer, cap);
    if (bigger == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    lines->buffer = bigger;
    lines->cap = cap;
    return AGENTCHAT_OK;
}

static agentchat_status read_more(cli_line_reader *lines, agentchat_error *err)
{
    agentchat_status status = make_room(lines, err);
    ssize_t got;

    if (status < 0)
        return status;
    do {
        got = read(lines->fd, lines->buffer + lines->end, lines->cap - lines->end);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "cannot read the file: %s", strerror(errno));
    lines->ended = got == 0;
    lines->end += (size_t)got;
    return AGENTCHAT_OK;
}

agentchat_status cli_line_reader_next(cli_line_reader *lines, agentchat_str *line, agentchat_error *err)
{
    size_t searched = 0;

    agentchat_error_clear(err);
    for (;;) {
        size_t left = lines->end - lines->start;
        char *at = lines->buffer != NULL ? lines->buffer + lines->start : NULL;
        char *stop = left > searched ? memchr(at + searched, '\n', left - searched) : NULL;

        if (stop != NULL || (lines->ended && left > 0)) {
            *line = (agentchat_str){at, stop != NULL ? (size_t)(stop - at) : left};
            lines->start += line->len + (stop != NULL ? 1 : 0);
            lines->number++;
            return AGENTCHAT_OK;
        }
        if (lines->ended)
            return AGENTCHAT_DONE;
        searched = left;
        agentchat_status status = read_more(lines, err);
        if (status == AGENTCHAT_E_LIMIT)
            lines->number++; /* it is this line's fault */
        if (status < 0)
            return status;
    }
}

/* ==== channel ==================================================================================================== */

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
