/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread list: the threads of a store, a page at a time. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/terminal/table.h"
#include "cli/text/number.h"
#include "cli/text/time.h"
#include "cli/thread/checkpoint.h"
#include "cli/thread/thread.h"
#include <agentchat/thread.h>
#include <stdlib.h>

static bool print_table(const agentchat_thread_list *list)
{
    cli_table table = {.columns = 5};
    char buffer[CLI_TIME_LEN];

    cli_table_addf(&table, "THREAD");
    cli_table_addf(&table, "MESSAGES");
    cli_table_addf(&table, "BYTES");
    cli_table_addf(&table, "CREATED");
    cli_table_addf(&table, "WRITTEN TO");
    for (size_t i = 0; i < agentchat_thread_list_count(list); i++) {
        const agentchat_thread_info *info = agentchat_thread_list_at(list, i);

        cli_table_add(&table, agentchat_str_from(info->id));
        cli_table_addf(&table, "%llu", (unsigned long long)info->messages);
        cli_table_addf(&table, "%llu", (unsigned long long)info->bytes);
        cli_table_addf(&table, "%s", cli_time_text(info->created_us, buffer));
        cli_table_addf(&table, "%s", cli_time_text(info->updated_us, buffer));
    }
    if (!cli_table_print(stdout, &table))
        return false;
    if (agentchat_thread_list_cursor(list) != NULL)
        (void)printf("there are more: --cursor %s\n", agentchat_thread_list_cursor(list));
    return true;
}

static void print_json(const agentchat_thread_list *list)
{
    cli_json json = {.out = stdout};
    const char *cursor = agentchat_thread_list_cursor(list);
    char buffer[CLI_TIME_LEN];

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_thread_list_count(list); i++) {
        const agentchat_thread_info *info = agentchat_thread_list_at(list, i);

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "id", info->id);
        cli_json_count(&json, "sequence", info->sequence);
        cli_json_count(&json, "messages", info->messages);
        cli_json_count(&json, "bytes", info->bytes);
        cli_json_cstr(&json, "created", cli_time_text(info->created_us, buffer));
        cli_json_cstr(&json, "updated", cli_time_text(info->updated_us, buffer));
        cli_json_end(&json, '}');
    }
    cli_json_end(&json, ']');
    cli_json_text(&json, "cursor", cursor != NULL ? agentchat_str_from(cursor) : agentchat_str_null());
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int list_page(cli_store *s, const agentchat_thread_list_options *options, bool as_json)
{
    agentchat_thread_list *list = NULL;

    if (!cli_store_open(s, CLI_READ))
        return CLI_ERROR;
    agentchat_status status = agentchat_thread_list_read(s->store, options, &list, &s->err);
    if (status >= 0 && as_json)
        print_json(list);
    else if (status >= 0 && !print_table(list))
        status = agentchat_error_set(&s->err, AGENTCHAT_E_NOMEM, "out of memory");
    agentchat_thread_list_free(list);
    cli_store_close(s);
    return status < 0 ? cli_store_fail(s, status) : CLI_SUCCESS;
}

static int run(int argc, char **argv)
{
    const char *limit = NULL, *filter = NULL, *source = NULL, *step = NULL, *run = NULL;
    bool as_json = false;
    int64_t number;
    uint64_t count = 0;
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    cli_store s = {.self = &cli_thread_list};
    const cli_switch switches[] = {
        {"filter", NULL, &filter}, {"source", NULL, &source},         {"step", NULL, &step},   {"run", NULL, &run},
        {"limit", NULL, &limit},   {"cursor", NULL, &options.cursor}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (limit != NULL && (!cli_number_count(limit, &count) || count == 0 || count > SIZE_MAX))
        return cli_command_usage(s.self->name, "--limit needs a number of threads from 1, not \"%s\"", limit);
    if (step != NULL && !cli_number_integer(step, &number))
        return cli_command_usage(s.self->name, "--step needs an integer, not \"%s\"", step);
    char *text = NULL;
    if (filter != NULL || source != NULL || step != NULL || run != NULL) {
        text = cli_thread_filter(source, step, run, filter);
        if (text == NULL) {
            (void)fputs("agentchat: out of memory\n", stderr);
            return CLI_ERROR;
        }
        options.filter = agentchat_str_from(text);
    }
    s.name = argv[1];
    options.limit = (size_t)count;
    status = list_page(&s, &options, as_json);
    free(text);
    return status;
}

const cli_command cli_thread_list = {
    .name = "thread list",
    .summary = "list the threads of a store",
    .help = "usage: agentchat thread list [OPTION...] STORE\n"
            "\n"
            "Lists the threads, those written to last first: id, messages in the checkpoint that was put last,\n"
            "bytes of all messages, states and values that the thread stores, when it was made and when it was\n"
            "last written to.\n"
            "\n"
            "  --filter JSON  an object: only those whose newest checkpoint (of the usual namespace) has metadata\n"
            "                 with all its members, with equal values; source, step and run are looked for in the\n"
            "                 checkpoint itself, too\n"
            "  --source WORD  only those whose newest checkpoint this made: input, loop, update, fork, …\n"
            "  --step N       only those whose newest checkpoint is of this step\n"
            "  --run RUN      only those whose newest checkpoint is of this run\n"
            "  --limit N      at most N of them; without it 100\n"
            "  --cursor C     go on where the page ended that gave this cursor\n"
            "  --json         one JSON object (schema: agentchat check --schema cli-thread-list)\n"
            "\n"
            "exit status: 0 success, 2 the store cannot be read, or cursor or filter is none\n",
    .run = run,
};
