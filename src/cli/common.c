/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments, files and errors: what every command does in the same way. Layer: cli. */
#include "cli.h"
#include "terminal.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_option(int argc, char **argv, const struct option *options)
{
    return cli_option_of(argv[0], argc, argv, ":h", options);
}

/* Whether several options begin as the argument does; one that is exactly it is the only one, and no error. */
static bool is_ambiguous(const char *argument, const struct option *options)
{
    size_t len, count = 0;

    if (strncmp(argument, "--", 2) != 0)
        return false;
    len = strcspn(argument + 2, "=");
    for (; options->name != NULL; options++)
        count += strncmp(options->name, argument + 2, len) == 0;
    return count > 1;
}

int cli_option_of(const char *command, int argc, char **argv, const char *letters, const struct option *options)
{
    opterr = 0; /* its messages would print the argument raw */
    int option = getopt_long(argc, argv, letters, options, NULL);

    if (option == 'h')
        return CLI_OPT_HELP;
    if (option != '?' && option != ':')
        return option;
    bool is_long = optopt == 0 || optopt >= CLI_OPT_JSON;
    char letter[] = {'-', (char)optopt, '\0'};
    const char *given = is_long ? argv[optind - 1] : letter;

    (void)fprintf(stderr, "agentchat %s: ", command);
    if (option == ':')
        (void)fputs("this option needs a value: ", stderr);
    else if (is_long && optopt != 0)
        (void)fputs("this option takes no value: ", stderr);
    else if (is_ambiguous(given, options))
        (void)fputs("more than one option begins like this: ", stderr);
    else
        (void)fputs("no such option: ", stderr);
    (void)cli_put(stderr, agentchat_str_from(given));
    (void)fprintf(stderr, " (see agentchat %s --help)\n", command);
    return '?';
}

int cli_usage(const char *command, const char *format, ...)
{
    char message[512];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    (void)fprintf(stderr, "agentchat %s: ", command);
    (void)cli_put(stderr, agentchat_str_from(message));
    (void)fprintf(stderr, " (see agentchat %s --help)\n", command);
    return CLI_ERROR;
}

int cli_help(const cli_command *command)
{
    (void)fputs(command->help, stdout);
    return CLI_FINE;
}

int cli_worse(int a, int b)
{
    return a > b ? a : b;
}

/* The environment of the files that are read; NULL is the default one. */
static agentchat_env *file_env;

bool cli_max_copies(const cli_command *self, const char *number)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    char *end;
    unsigned long value = strtoul(number, &end, 10);

    if (number[0] < '1' || number[0] > '9' || *end != '\0' || value > UINT32_MAX) {
        (void)cli_usage(self->name, "--max-copies needs a number from 1 to %lu, not \"%.60s\"",
                        (unsigned long)UINT32_MAX, number);
        return false;
    }
    limits.max_copies = (uint32_t)value;
    options.limits = &limits;
    agentchat_env_free(file_env);
    file_env = agentchat_env_new(&options);
    if (file_env == NULL)
        (void)fprintf(stderr, "agentchat %s: out of memory\n", self->name);
    return file_env != NULL;
}

bool cli_file_read(cli_file *file, const char *name)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    *file = (cli_file){.name = name};
    options.report = &file->report;
    if (strcmp(name, "-") == 0) {
        agentchat_source *source = NULL;

        file->status = agentchat_source_fd(file_env, STDIN_FILENO, &source, &file->err);
        if (file->status >= 0)
            file->status = agentchat_snapshot_read(file_env, source, &options, &file->snapshot, &file->err);
        agentchat_source_free(source);
    } else {
        file->status = agentchat_snapshot_read_file(file_env, name, &options, &file->snapshot, &file->err);
    }
    return file->status >= 0;
}

bool cli_file_open(cli_file *file, const char *name)
{
    if (cli_file_read(file, name))
        return true;
    cli_print_error(stderr, name, file->status, &file->err);
    cli_file_close(file);
    return false;
}

void cli_file_close(cli_file *file)
{
    agentchat_snapshot_unref(file->snapshot);
    agentchat_report_free(file->report);
    file->snapshot = NULL;
    file->report = NULL;
}

bool cli_is_bad_content(agentchat_status status)
{
    return status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_SCHEMA || status == AGENTCHAT_E_VERSION ||
           status == AGENTCHAT_E_LIMIT || status == AGENTCHAT_E_LOSS || status == AGENTCHAT_E_CORRUPT;
}

void cli_print_error(FILE *out, const char *name, agentchat_status status, const agentchat_error *err)
{
    /* Not agentchat_error_print(): that knows only the last 63 bytes of a file's name. */
    if (name != NULL) {
        (void)cli_put(out, agentchat_str_from(name[0] != '\0' ? name : "\"\""));
        (void)fputc(':', out);
    }
    if (err->line != 0)
        (void)fprintf(out, "%lu:%lu:", (unsigned long)err->line, (unsigned long)err->column);
    if (name != NULL || err->line != 0)
        (void)fputc(' ', out);
    if (err->path[0] != '\0') {
        (void)cli_put(out, agentchat_str_from(err->path));
        (void)fputs(": ", out);
    }
    (void)cli_put(out, agentchat_str_from(err->message[0] != '\0' ? err->message : agentchat_status_text(status)));
    (void)fputc('\n', out);
}

void cli_print_count(FILE *out, size_t count, const char *one, const char *many)
{
    (void)fprintf(out, "%zu %s", count, count == 1 ? one : many);
}

agentchat_str cli_short_type(agentchat_str type)
{
    /* A generic or assembly-qualified name keeps its dots inside brackets and behind the comma. */
    size_t end = 0, start = 0;

    while (end < type.len && type.ptr[end] != '[' && type.ptr[end] != ',' && type.ptr[end] != '`')
        end++;
    for (size_t i = 0; i < end; i++) {
        if (type.ptr[i] == '.')
            start = i + 1;
    }
    if (start >= end)
        return type;
    return (agentchat_str){type.ptr + start, end - start};
}
