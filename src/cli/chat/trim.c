/* SPDX-License-Identifier: Apache-2.0 */
/* Counting tokens, and trimming a history to some. */
#include "cli/chat/chat.h"

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/text/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== counter ==================================================================================================== */

/* The counter of that name, NULL standing for approximate. NULL: there is none, and the usage was printed. */
static agentchat_token_counter_fn counter_find(const cli_command *self, const char *name)
{
    static const struct {
        const char *name;
        agentchat_token_counter_fn counter;
    } counters[] = {{"approximate", agentchat_count_approximately},
                    {"messages", agentchat_count_messages},
                    {"characters", agentchat_count_characters}};

    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (name == NULL || strcmp(name, counters[i].name) == 0)
            return counters[i].counter;
    (void)cli_command_usage(self->name, "--counter is approximate, messages or characters, not \"%s\"", name);
    return NULL;
}

/* ==== agentchat trim: a chat with a history that fits a number of tokens, its channels too ======================= */

enum { ROLES = 1024 }; /* characters of --start-on or --end-on together */

typedef struct job {
    const char *in, *out;
    const char *to; /* NULL: the format of IN */
    bool as_json;
    agentchat_trim_options options;
    char start_on[ROLES], end_on[ROLES];
    agentchat_list_edit *edit;
    agentchat_snapshot *trimmed;
    agentchat_report *read, *edited, *written;
    uint64_t tokens[2]; /* before and after */
} job;

/* ---- what was done ---------------------------------------------------------------------------------------------- */

static const char *name_of(agentchat_edit_kind kind)
{
    switch (kind) {
    case AGENTCHAT_EDIT_KEEP:
        return "keep";
    case AGENTCHAT_EDIT_REMOVE:
        return "remove";
    case AGENTCHAT_EDIT_REPLACE:
        return "replace";
    case AGENTCHAT_EDIT_INSERT:
    case AGENTCHAT_EDIT_MAX_:
        break;
    }
    return "insert";
}

static void print_lines(const job *j)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};

    while (agentchat_list_edit_next(j->edit, &step)) {
        (void)fprintf(stderr, "%s /history/%zu", name_of(step.kind), step.index);
        if (step.count > 1)
            (void)fprintf(stderr, " to /history/%zu", step.index + step.count - 1);
        (void)fputc('\n', stderr);
    }
    (void)fprintf(stderr, "%zu of %zu messages stay, %" PRIu64 " of %" PRIu64 " tokens\n",
                  agentchat_list_edit_result_length(j->edit), agentchat_list_edit_length(j->edit), j->tokens[1],
                  j->tokens[0]);
}

static void put_counts(cli_json *json, const char *name, uint64_t before, uint64_t after)
{
    cli_json_begin(json, name, '{');
    cli_json_count(json, "before", before);
    cli_json_count(json, "after", after);
    cli_json_end(json, '}');
}

static void put_edit(cli_json *json, const job *j)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};

    put_counts(json, "messages", agentchat_list_edit_length(j->edit), agentchat_list_edit_result_length(j->edit));
    put_counts(json, "tokens", j->tokens[0], j->tokens[1]);
    cli_json_begin(json, "edit", '{');
    cli_json_begin(json, "items", '[');
    while (agentchat_list_edit_next(j->edit, &step)) {
        cli_json_begin(json, NULL, '{');
        cli_json_cstr(json, "kind", name_of(step.kind));
        cli_json_count(json, "index", step.index);
        cli_json_count(json, "count", step.count);
        cli_json_end(json, '}');
    }
    cli_json_end(json, ']');
    cli_json_end(json, '}');
}

static void print_json(const job *j, agentchat_status status, const agentchat_error *err)
{
    const agentchat_report *const reports[] = {j->read, j->edited, j->written};
    cli_json json = {.out = stderr};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "in", j->in);
    cli_json_cstr(&json, "out", j->out);
    cli_json_cstr(&json, "to", j->to != NULL ? j->to : "agentchat");
    cli_json_bool(&json, "ok", status >= 0);
    if (status < 0)
        cli_json_error(&json, status, err);
    else
        put_edit(&json, j);
    cli_json_reports(&json, reports, sizeof reports / sizeof *reports);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* ---- trimming --------------------------------------------------------------------------------------------------- */

static agentchat_status count(const job *j, const agentchat_snapshot *snapshot, uint64_t *tokens, agentchat_error *err)
{
    return agentchat_messages_count_tokens(agentchat_snapshot_history(snapshot), j->options.counter, NULL, tokens, err);
}

static agentchat_status trim(job *j, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    agentchat_status status = count(j, snapshot, &j->tokens[0], err);

    if (status >= 0)
        status =
            agentchat_messages_trim(cli_input_env(), agentchat_snapshot_history(snapshot), &j->options, &j->edit, err);
    if (status >= 0)
        status = agentchat_snapshot_edit(cli_input_env(), snapshot, j->edit, &j->trimmed, &j->edited, err);
    return status >= 0 ? count(j, j->trimmed, &j->tokens[1], err) : status;
}

static agentchat_status write_out(job *j, agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = j->to;
    options.strict = true;
    return cli_output_chat(j->out, j->trimmed, &options, &j->written, err);
}

static int trim_file(job *j)
{
    const char *failed = j->in;
    cli_input file;
    bool ok = cli_input_read(&file, j->in);
    agentchat_status status = file.status;
    agentchat_error err = file.err;

    j->read = ok ? file.report : NULL;
    if (ok && j->to == NULL)
        j->to = cli_chat_format(file.snapshot);
    if (ok)
        status = trim(j, file.snapshot, &err);
    if (status >= 0) {
        failed = cli_output_name(j->out);
        status = write_out(j, &err);
    }
    if (j->as_json) {
        print_json(j, status, &err);
    } else if (status < 0) {
        cli_error_print(stderr, failed, status, &err);
    } else {
        print_lines(j);
        if (!cli_report_print(stderr, 0, j->read, j->written) || !cli_report_print(stderr, 0, j->edited, NULL))
            status = AGENTCHAT_E_NOMEM;
    }
    agentchat_report_free(j->edited);
    agentchat_report_free(j->written);
    agentchat_snapshot_unref(j->trimmed);
    agentchat_list_edit_free(j->edit);
    cli_input_close(&file);
    return status >= 0 ? CLI_SUCCESS : CLI_ERROR;
}

/* ---- options ---------------------------------------------------------------------------------------------------- */

/* Roles with commas between them, as the library takes them. */
static bool join_roles(const cli_repeated *list, char out[ROLES], const char **roles)
{
    size_t used = 0;

    for (size_t i = 0; i < list->count; i++) {
        size_t len = strlen(list->values[i]);

        if (len == 0 || len + 2 > ROLES - used) {
            (void)cli_command_usage(cli_trim.name, "--%s takes a role", list->name);
            return false;
        }
        if (used > 0)
            out[used++] = ',';
        memcpy(out + used, list->values[i], len + 1);
        used += len;
    }
    *roles = used > 0 ? out : NULL;
    return true;
}

static bool take_strategy(job *j, const char *name)
{
    bool is_first = name != NULL && strcmp(name, "first") == 0;

    j->options.strategy = is_first ? AGENTCHAT_TRIM_FIRST : AGENTCHAT_TRIM_LAST;
    if (name != NULL && !is_first && strcmp(name, "last") != 0)
        (void)cli_command_usage(cli_trim.name, "--strategy is first or last, not \"%s\"", name);
    else if (is_first && (j->options.start_on != NULL || j->options.include_system))
        (void)cli_command_usage(cli_trim.name, "--start-on and --include-system do not go with --strategy first");
    else
        return true;
    return false;
}

static bool take_max_tokens(job *j, const char *number)
{
    if (number == NULL)
        (void)cli_command_usage(cli_trim.name, "--max-tokens is missing: how many tokens may stay");
    else if (!cli_number_count(number, &j->options.max_tokens))
        (void)cli_command_usage(cli_trim.name, "--max-tokens takes a number, not \"%s\"", number);
    else
        return true;
    return false;
}

static int trim_run(int argc, char **argv)
{
    job j = {.options = AGENTCHAT_TRIM_OPTIONS_INIT};
    const char *number = NULL, *counter = NULL, *strategy = NULL, *copies = NULL;
    cli_repeated roles[] = {{.name = "start-on"}, {.name = "end-on"}};
    const cli_switch switches[] = {{"max-tokens", NULL, &number},
                                   {"counter", NULL, &counter},
                                   {"strategy", NULL, &strategy},
                                   {"include-system", &j.options.include_system, NULL},
                                   {"partial", &j.options.allow_partial, NULL},
                                   {"split-calls", &j.options.split_calls, NULL},
                                   {"to", NULL, &j.to},
                                   {"max-copies", NULL, &copies},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments_with_lists(&cli_trim, argc, argv, "IN OUT", switches,
                                          sizeof switches / sizeof switches[0], roles, 2);

    if (status != CLI_GO_ON)
        return status;
    if (!take_max_tokens(&j, number) || !join_roles(&roles[0], j.start_on, &j.options.start_on) ||
        !join_roles(&roles[1], j.end_on, &j.options.end_on) || !take_strategy(&j, strategy) ||
        (j.to != NULL && !cli_format_is_written(&cli_trim, j.to, AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY)) ||
        (copies != NULL && !cli_input_max_copies(&cli_trim, copies)))
        return CLI_ERROR;
    j.options.counter = counter_find(&cli_trim, counter);
    if (j.options.counter == NULL)
        return CLI_ERROR;
    j.in = argv[1];
    j.out = argv[2];
    return trim_file(&j);
}

const cli_command cli_trim = {
    .name = "trim",
    .summary = "drop messages until a history fits a number of tokens",
    .help = "usage: agentchat trim --max-tokens N [OPTION...] IN OUT\n"
            "\n"
            "Reads the chat IN and writes OUT without the oldest messages, so that at most N tokens stay, in the\n"
            "history and in every channel. A call and its results stay or go together. OUT is replaced atomically;\n"
            "- is standard output. What stays and what goes is said on standard error, by positions in IN:\n"
            "  remove /history/0 to /history/3\n"
            "\n"
            "  --counter NAME    approximate (a token is four characters; the default), messages or characters\n"
            "  --strategy NAME   which end stays: last (the default) or first\n"
            "  --start-on ROLE   what stays begins with a message of this role; may be given several times\n"
            "  --end-on ROLE     what stays ends with one of this role; may be given several times\n"
            "  --include-system  a system message at the beginning stays in any case\n"
            "  --partial         the message at the border may be cut\n"
            "  --split-calls     a call may stay without its results, and results without their call\n"
            "  --to FORMAT       what to write (the format of IN; agentchat for a session)\n"
            "  --max-copies N    let channels repeat the history up to N times IN's size, not 16\n"
            "  --json            what was done as one JSON object on standard error\n"
            "                    (schema: agentchat check --schema cli-trim)\n"
            "\n"
            "exit status: 0 written, 2 error\n",
    .run = trim_run,
};

/* ==== agentchat tokens: how long the histories of chats are for a model ========================================== */

typedef struct request {
    const char *counter_name;
    agentchat_token_counter_fn counter;
    bool as_json;
    cli_json json;
} request;

static void print_count(request *r, const char *name, uint64_t tokens, size_t messages)
{
    if (!r->as_json) {
        (void)printf("%8" PRIu64 "  ", tokens);
        (void)cli_put(stdout, agentchat_str_from(name));
        (void)fputc('\n', stdout);
        return;
    }
    cli_json_begin(&r->json, NULL, '{');
    cli_json_cstr(&r->json, "file", name);
    cli_json_count(&r->json, "tokens", tokens);
    cli_json_count(&r->json, "messages", messages);
    cli_json_cstr(&r->json, "counter", r->counter_name);
    cli_json_end(&r->json, '}');
}

static int count_file(request *r, const char *name)
{
    const agentchat_messages *history;
    agentchat_status status;
    uint64_t tokens = 0;
    agentchat_error err;
    cli_input file;

    if (!cli_input_open(&file, name))
        return CLI_ERROR;
    history = agentchat_snapshot_history(file.snapshot);
    status = agentchat_messages_count_tokens(history, r->counter, NULL, &tokens, &err);
    if (status < 0)
        cli_error_print(stderr, name, status, &err);
    else
        print_count(r, name, tokens, agentchat_messages_count(history));
    cli_input_close(&file);
    return status < 0 ? CLI_ERROR : CLI_SUCCESS;
}

static int tokens_run(int argc, char **argv)
{
    request r = {.counter_name = NULL, .json = {.out = stdout}};
    const cli_switch switches[] = {{"counter", NULL, &r.counter_name}, {"json", &r.as_json, NULL}};
    int status = cli_arguments(&cli_tokens, argc, argv, "FILE...", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    r.counter = counter_find(&cli_tokens, r.counter_name);
    if (r.counter == NULL)
        return CLI_ERROR;
    if (r.counter_name == NULL)
        r.counter_name = "approximate";
    if (r.as_json) {
        cli_json_begin(&r.json, NULL, '{');
        cli_json_begin(&r.json, "items", '[');
    }
    for (status = CLI_SUCCESS; *++argv != NULL;)
        status = cli_command_worse(status, count_file(&r, *argv));
    if (r.as_json) {
        cli_json_end(&r.json, ']');
        cli_json_end(&r.json, '}');
        cli_json_line(&r.json);
    }
    return status;
}

const cli_command cli_tokens = {
    .name = "tokens",
    .summary = "count the tokens of histories",
    .help = "usage: agentchat tokens [OPTION...] FILE...\n"
            "\n"
            "Prints TOKENS  FILE for each FILE: about how many tokens a model takes its history for.\n"
            "\n"
            "  --counter NAME  approximate (a token is four characters; the default), messages or characters\n"
            "  --json          one JSON object for all files (schema: agentchat check --schema cli-tokens)\n"
            "\n"
            "exit status: 0 success, 2 a file is no chat or cannot be read\n",
    .run = tokens_run,
};
