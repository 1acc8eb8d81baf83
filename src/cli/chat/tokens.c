/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat tokens: how long the histories of chats are for a model. */
#include "cli/chat/chat.h"
#include "cli/chat/counter.h"
#include "cli/command/arguments.h"
#include "cli/io/input.h"
#include "cli/json/writer.h"
#include "cli/text/error.h"
#include "cli/text/put.h"
#include <inttypes.h>

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

static int run(int argc, char **argv)
{
    request r = {.counter_name = NULL, .json = {.out = stdout}};
    const cli_switch switches[] = {{"counter", NULL, &r.counter_name}, {"json", &r.as_json, NULL}};
    int status = cli_arguments(&cli_tokens, argc, argv, "FILE...", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    r.counter = cli_counter_find(&cli_tokens, r.counter_name);
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
    .run = run,
};
