/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat memory log and undo: earlier values of documents. */
#include "cli/memory/memory.h"

#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <agentchat/memory.h>

/* ==== log ======================================================================================================== */

static void print_json(const agentchat_memory_steps *steps)
{
    cli_json json = {.out = stdout};
    char buffer[CLI_TIME_LEN];

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "steps", '[');
    for (size_t i = 0; i < agentchat_memory_steps_count(steps); i++) {
        const agentchat_memory_step *step = agentchat_memory_steps_at(steps, i);

        cli_json_begin(&json, NULL, '{');
        cli_memory_print_labels(&json, step->ns);
        cli_json_cstr(&json, "key", step->key);
        cli_json_count(&json, "revision", step->revision);
        cli_json_cstr(&json, "at", cli_time_text(step->at_us, buffer));
        cli_json_bool(&json, "undo", step->is_undo);
        if (step->before_revision != 0) {
            cli_json_begin(&json, "before", '{');
            cli_json_count(&json, "revision", step->before_revision);
            cli_json_raw(&json, "value", step->before);
            cli_json_end(&json, '}');
        }
        cli_json_end(&json, '}');
    }
    cli_json_end(&json, ']');
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static bool print_table(const agentchat_memory_steps *steps)
{
    static const char *const heads[] = {"TIME", "NAMESPACE", "KEY", "STEP", "REVISION", "BEFORE"};
    cli_table table = {.columns = 6};
    char buffer[CLI_TIME_LEN];

    if (agentchat_memory_steps_count(steps) == 0)
        return true;
    for (size_t i = 0; i < 6; i++)
        cli_table_addf(&table, "%s", heads[i]);
    for (size_t i = 0; i < agentchat_memory_steps_count(steps); i++) {
        const agentchat_memory_step *step = agentchat_memory_steps_at(steps, i);

        cli_table_addf(&table, "%s", cli_time_text(step->at_us, buffer));
        cli_table_add(&table, agentchat_str_from(step->ns));
        cli_table_add(&table, agentchat_str_from(step->key));
        cli_table_addf(&table, "%s", step->is_undo ? "undo" : step->revision != 0 ? "put" : "delete");
        if (step->revision != 0)
            cli_table_addf(&table, "%llu", (unsigned long long)step->revision);
        else
            cli_table_addf(&table, "-");
        cli_table_add(&table, step->before.ptr != NULL ? step->before : AGENTCHAT_STR("-"));
    }
    return cli_table_print(stdout, &table);
}

static int run_log(int argc, char **argv)
{
    const char *limit = NULL, *on = NULL;
    bool as_json = false, off = false;
    size_t most = 0, keep = 0;
    agentchat_memory_steps *steps = NULL;
    cli_store s = {.self = &cli_memory_log};
    const cli_switch switches[] = {
        {"on", NULL, &on}, {"off", &off, NULL}, {"limit", NULL, &limit}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE NAMESPACE [KEY]", switches, 4);
    bool sets = on != NULL || off;

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if ((on != NULL && off) || (sets && (argv[3] != NULL || limit != NULL || as_json)))
        return cli_command_usage(s.self->name, "--on N or --off, of a NAMESPACE, and nothing else");
    if (!cli_memory_limit(s.self, "on", on, false, &keep) || !cli_memory_limit(s.self, "limit", limit, false, &most))
        return CLI_ERROR;
    if (keep > UINT32_MAX)
        return cli_command_usage(s.self->name, "--on takes a number up to %u", (unsigned)UINT32_MAX);
    if (!cli_store_open(&s, on != NULL ? CLI_MAKE : off ? CLI_CHANGE : CLI_READ))
        return CLI_ERROR;
    agentchat_status done = sets ? agentchat_memory_log_keep(s.store, argv[2], (uint32_t)keep, &s.err)
                                 : agentchat_memory_log(s.store, argv[2], argv[3], most, &steps, &s.err);
    if (done >= 0 && as_json)
        print_json(steps);
    else if (done >= 0 && !print_table(steps))
        done = agentchat_error_set(&s.err, AGENTCHAT_E_NOMEM, "out of memory");
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    agentchat_memory_steps_free(steps);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_log = {
    .name = "memory log",
    .summary = "list earlier values of documents, or have them kept",
    .help =
        "usage: agentchat memory log [OPTION...] STORE NAMESPACE [KEY]\n"
        "       agentchat memory log STORE NAMESPACE --on N|--off\n"
        "\n"
        "Lists the steps of a document, or of all in and below a namespace, the newest first: what was put, deleted\n"
        "or undone, the revision that it made, and what was there before. They are kept where --on says so, and of\n"
        "instructions.\n"
        "\n"
        "  --on N     from now on, keep the newest N steps of each document in and below the namespace\n"
        "  --off      keep no more; those that are kept stay until they are purged\n"
        "  --limit N  at most so many (100)\n"
        "  --json     one JSON object (schema: agentchat check --schema cli-memory-log)\n"
        "\n"
        "exit status: 0 success, 2 error\n",
    .run = run_log,
};

/* ==== undo ======================================================================================================= */

static int run_undo(int argc, char **argv)
{
    const char *command = NULL;
    bool as_json = false;
    uint64_t revision = 0;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_embedder embedder;
    cli_store s = {.self = &cli_memory_undo};
    const cli_switch switches[] = {{"embedder", NULL, &command}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE NAMESPACE KEY", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    options.revision = &revision;
    options.embedder = cli_embedder(command, NULL, &embedder);
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_memory_undo(s.store, argv[2], argv[3], &options, &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0)
        cli_memory_print_number("revision", revision, as_json);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_undo = {
    .name = "memory undo",
    .summary = "undo the last step of a document",
    .help =
        "usage: agentchat memory undo [OPTION...] STORE NAMESPACE KEY\n"
        "\n"
        "Undoes the last step of a document, if the log has it, and prints the new revision; 0: it was deleted. A\n"
        "second undo has nothing to undo.\n"
        "\n"
        "  --embedder COMMAND  makes its vectors: it reads a JSON string a line and writes a JSON array of numbers\n"
        "                      for each ($AGENTCHAT_EMBEDDER)\n"
        "  --json              one JSON object (schema: agentchat check --schema cli-memory-undo)\n"
        "\n"
        "exit status: 0 success, 1 there is nothing to undo, 2 error\n",
    .run = run_undo,
};
