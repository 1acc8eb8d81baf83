/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat work: what is to be done with threads in the background. */
#include "cli/memory/memory.h"

#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <agentchat/work.h>
#include <string.h>

static const cli_command queue_command, list_command, retry_command;

static const char *const states[] = {"any", "queued", "leased", "failed", "done"};

/* ==== queue and retry ============================================================================================ */

static int run_queue(int argc, char **argv)
{
    const char *body = NULL, *delay = NULL;
    agentchat_work_request request = {NULL, 0, {NULL, 0}};
    cli_store s = {.self = &queue_command};
    const cli_switch switches[] = {{"body", NULL, &body}, {"in", NULL, &delay}};
    int status = cli_arguments(s.self, argc, argv, "STORE THREAD KIND", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    request.kind = argv[3];
    request.body = agentchat_str_from(body);
    if (!cli_memory_span(s.self, "in", delay, &request.delay_us) || !cli_store_open(&s, CLI_MAKE))
        return CLI_ERROR;
    agentchat_status done = agentchat_work_queue(s.store, argv[2], &request, &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    cli_store_close(&s);
    return status;
}

static const cli_command queue_command = {
    .name = "work queue",
    .summary = "queue work of a thread",
    .help = "usage: agentchat work queue [OPTION...] STORE THREAD KIND\n"
            "\n"
            "Queues work of a thread, or moves the time of what is queued already. Whoever does work of this kind\n"
            "claims it when it is due.\n"
            "\n"
            "  --in TIME    due in 90s, 12h, 30d (at once)\n"
            "  --body TEXT  what whoever does it needs to know\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_queue,
};

static int run_retry(int argc, char **argv)
{
    cli_store s = {.self = &retry_command};
    int status = cli_arguments(s.self, argc, argv, "STORE THREAD KIND", NULL, 0);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_work_retry(s.store, argv[2], argv[3], &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    cli_store_close(&s);
    return status;
}

static const cli_command retry_command = {
    .name = "work retry",
    .summary = "make work due that has failed or waits",
    .help = "usage: agentchat work retry STORE THREAD KIND\n"
            "\n"
            "Makes work due at once that has failed, or that waits. Its attempts begin anew.\n"
            "\n"
            "exit status: 0 success, 1 somebody has claimed it, or there is nothing to do, 2 error\n",
    .run = run_retry,
};

/* ==== list ======================================================================================================= */

static void print_json(const agentchat_work_item_list *page)
{
    cli_json json = {.out = stdout};
    char buffer[CLI_TIME_LEN];

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_work_item_list_count(page); i++) {
        const agentchat_work_item *item = agentchat_work_item_list_at(page, i);

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "thread", item->thread);
        cli_json_cstr(&json, "kind", item->kind);
        cli_json_cstr(&json, "state", states[item->state]);
        if (item->due_us != 0)
            cli_json_cstr(&json, "due", cli_time_text(item->due_us, buffer));
        if (item->lease_us != 0)
            cli_json_cstr(&json, "leased", cli_time_text(item->lease_us, buffer));
        cli_json_count(&json, "attempts", item->attempts);
        if (item->body.ptr != NULL)
            cli_json_text(&json, "body", item->body);
        if (item->mark != NULL)
            cli_json_cstr(&json, "mark", item->mark);
        if (item->error != NULL)
            cli_json_cstr(&json, "error", item->error);
        cli_json_end(&json, '}');
    }
    cli_memory_end_items(&json, agentchat_work_item_list_cursor(page));
}

static bool print_table(const agentchat_work_item_list *page)
{
    static const char *const heads[] = {"THREAD", "KIND", "STATE", "DUE", "ATTEMPTS", "ERROR"};
    cli_table table = {.columns = 6};
    char buffer[CLI_TIME_LEN];

    if (agentchat_work_item_list_count(page) == 0)
        return true;
    for (size_t i = 0; i < 6; i++)
        cli_table_addf(&table, "%s", heads[i]);
    for (size_t i = 0; i < agentchat_work_item_list_count(page); i++) {
        const agentchat_work_item *item = agentchat_work_item_list_at(page, i);

        cli_table_add(&table, agentchat_str_from(item->thread));
        cli_table_add(&table, agentchat_str_from(item->kind));
        cli_table_addf(&table, "%s", states[item->state]);
        cli_table_addf(&table, "%s", item->due_us != 0 ? cli_time_text(item->due_us, buffer) : "-");
        cli_table_addf(&table, "%u", (unsigned)item->attempts);
        cli_table_add(&table, agentchat_str_from(item->error != NULL ? item->error : "-"));
    }
    if (!cli_table_print(stdout, &table))
        return false;
    cli_memory_print_cursor(agentchat_work_item_list_cursor(page));
    return true;
}

static bool take_state(const char *text, agentchat_work_state *out)
{
    for (size_t i = 1; text != NULL && i < sizeof states / sizeof *states; i++) {
        if (strcmp(text, states[i]) != 0)
            continue;
        *out = (agentchat_work_state)i;
        return true;
    }
    if (text != NULL)
        (void)cli_command_usage(list_command.name, "--state takes queued, leased, failed or done, not \"%s\"", text);
    return text == NULL;
}

static int run_list(int argc, char **argv)
{
    const char *limit = NULL, *state = NULL;
    bool as_json = false;
    agentchat_work_list_options options = AGENTCHAT_WORK_LIST_OPTIONS_INIT;
    agentchat_work_item_list *page = NULL;
    cli_store s = {.self = &list_command};
    const cli_switch switches[] = {{"kind", NULL, &options.kind},
                                   {"state", NULL, &state},
                                   {"limit", NULL, &limit},
                                   {"cursor", NULL, &options.cursor},
                                   {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE [THREAD]", switches, 5);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    options.thread = argv[2];
    if (!cli_memory_limit(s.self, "limit", limit, false, &options.limit) || !take_state(state, &options.state) ||
        !cli_store_open(&s, CLI_READ))
        return CLI_ERROR;
    agentchat_status done = agentchat_work_list(s.store, &options, &page, &s.err);
    if (done >= 0 && as_json)
        print_json(page);
    else if (done >= 0 && !print_table(page))
        done = agentchat_error_set(&s.err, AGENTCHAT_E_NOMEM, "out of memory");
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    agentchat_work_item_list_free(page);
    cli_store_close(&s);
    return status;
}

static const cli_command list_command = {
    .name = "work list",
    .summary = "list work, and how it stands",
    .help =
        "usage: agentchat work list [OPTION...] STORE [THREAD]\n"
        "\n"
        "Lists the work of a thread, or of all: whether it is queued, leased to somebody who does it, failed after\n"
        "five attempts, or done.\n"
        "\n"
        "  --kind KIND    only of this kind\n"
        "  --state STATE  only what is queued, leased, failed or done\n"
        "  --limit N      at most so many (100)\n"
        "  --cursor C     the page after one that has printed C\n"
        "  --json         one JSON object (schema: agentchat check --schema cli-work-list)\n"
        "\n"
        "exit status: 0 success, 2 error\n",
    .run = run_list,
};

/* ==== work ======================================================================================================= */

static int work_run(int argc, char **argv)
{
    static const cli_command *const commands[] = {&queue_command, &list_command, &retry_command};
    static const cli_group group = {"work",
                                    "Work that is done with threads in the background, such as making memories of "
                                    "them.\n" CLI_ABOUT_STORE,
                                    commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_work_group = {
    .name = "work",
    .summary = "what is to be done with threads in the background",
    .run = work_run,
};
