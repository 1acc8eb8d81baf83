/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agentchat thread show: a checkpoint's chat, for a person or a program.
 *
 * The last messages of the newest checkpoint are read without the rest of it, so that they cost the same in a thread of
 * any length.
 */
#include "cli/command/arguments.h"
#include "cli/io/channel.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/show/chat.h"
#include "cli/show/message.h"
#include "cli/terminal/pager.h"
#include "cli/text/number.h"
#include "cli/thread/checkpoint.h"
#include "cli/thread/thread.h"

typedef struct job {
    cli_thread thread;
    const char *at, *channel; /* NULL: the newest one, the history */
    uint64_t last;            /* UINT64_MAX: all */
    bool full, no_pager, as_json;
} job;

/* The end of a checkpoint's history, or all of it. */
typedef struct tail {
    const agentchat_checkpoint_info *info;
    const agentchat_messages *messages;
    size_t first; /* of the list, that is shown */
} tail;

static int fail_nomem(void)
{
    (void)fputs("agentchat: out of memory\n", stderr);
    return CLI_ERROR;
}

/* ---- for a program -------------------------------------------------------------------------------------------- */

/* The messages in native format, from the first that is wanted on. */
static agentchat_status put_messages(cli_json *json, const tail *t, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = t->first; status >= 0 && i < agentchat_messages_count(t->messages); i++) {
        agentchat_bytes text = AGENTCHAT_BYTES_INIT;

        status = agentchat_message_write(agentchat_messages_at(t->messages, i), &text, err);
        if (status >= 0)
            cli_json_raw(json, NULL, (agentchat_str){text.ptr, text.len});
        agentchat_bytes_clear(&text);
    }
    return status;
}

static int print_json(job *j, const tail *t)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "thread", j->thread.id);
    cli_thread_checkpoint_json(&json, t->info);
    cli_json_begin(&json, "history", '[');
    agentchat_status status = put_messages(&json, t, &j->thread.store.err);
    cli_json_end(&json, ']');
    cli_json_end(&json, '}');
    cli_json_line(&json);
    return status < 0 ? cli_store_fail(&j->thread.store, status) : CLI_SUCCESS;
}

/* ---- the end of the newest one -------------------------------------------------------------------------------- */

static int print_tail(job *j, const tail *t)
{
    uint64_t held = agentchat_messages_count(t->messages);
    cli_pager pager;

    if (j->as_json)
        return print_json(j, t);
    cli_pager_open(&pager, !j->no_pager);
    bool complete =
        show_message_tail(&pager, t->messages, t->info->messages > held ? t->info->messages - held : 0, j->full);
    if (!cli_pager_close(&pager))
        return CLI_ERROR;
    return complete ? CLI_SUCCESS : fail_nomem();
}

/* newest: a page with the newest checkpoint; empty: there is none, which is said as of any that is not there. */
static int show_tail_of(job *j, const agentchat_checkpoint_list *newest)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *messages = NULL;
    cli_store *s = &j->thread.store;
    tail t = {.info = agentchat_checkpoint_list_at(newest, 0)};
    size_t count = j->last < SIZE_MAX ? (size_t)j->last : SIZE_MAX;

    options.ns = j->thread.ns;
    options.id = t.info != NULL ? t.info->id : NULL;
    agentchat_status status = agentchat_thread_tail(s->store, j->thread.id, count, &options, &messages, &s->err);
    t.messages = messages;
    int exit = status < 0 || t.info == NULL ? cli_store_fail(s, status) : print_tail(j, &t);
    agentchat_messages_unref(messages);
    return exit;
}

static int show_tail(job *j)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *newest = NULL;
    cli_store *s = &j->thread.store;

    if (!cli_store_open(s, CLI_READ))
        return CLI_ERROR;
    options.ns = j->thread.ns;
    options.limit = 1;
    agentchat_status status = agentchat_checkpoint_list_read(s->store, j->thread.id, &options, &newest, &s->err);
    int exit = status < 0 ? cli_store_fail(s, status) : show_tail_of(j, newest);
    agentchat_checkpoint_list_free(newest);
    cli_store_close(s);
    return exit;
}

/* ---- any one -------------------------------------------------------------------------------------------------- */

static int show_on_screen(const job *j, const agentchat_snapshot *snapshot)
{
    const agentchat_channel_state *channel = NULL;
    cli_pager pager;
    bool complete;
    int status;

    if (j->channel != NULL && (channel = cli_channel_find(j->thread.store.self, snapshot, j->channel, &status)) == NULL)
        return status;
    cli_pager_open(&pager, !j->no_pager);
    if (channel != NULL)
        complete = show_chat_channel(&pager, channel, j->last, j->full);
    else
        complete = show_chat_history(&pager, agentchat_snapshot_history(snapshot), j->last, j->full);
    if (!cli_pager_close(&pager))
        return CLI_ERROR;
    return complete ? CLI_SUCCESS : fail_nomem();
}

static int show_checkpoint(job *j)
{
    agentchat_checkpoint *checkpoint = cli_thread_open(&j->thread, j->at);
    const agentchat_snapshot *snapshot = agentchat_checkpoint_snapshot(checkpoint);
    int status;

    if (checkpoint == NULL)
        return CLI_ERROR;
    if (j->as_json) {
        tail t = {.info = agentchat_checkpoint_get_info(checkpoint), .messages = agentchat_snapshot_history(snapshot)};
        size_t count = agentchat_messages_count(t.messages);

        t.first = count > j->last ? count - (size_t)j->last : 0;
        status = print_json(j, &t);
    } else {
        status = show_on_screen(j, snapshot);
    }
    agentchat_checkpoint_free(checkpoint);
    cli_store_close(&j->thread.store);
    return status;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_show}}, .last = UINT64_MAX};
    const char *last = NULL;
    const cli_switch switches[] = {{"at", NULL, &j.at},           {"last", NULL, &last},
                                   {"channel", NULL, &j.channel}, {"namespace", NULL, &j.thread.ns},
                                   {"full", &j.full, NULL},       {"no-pager", &j.no_pager, NULL},
                                   {"json", &j.as_json, NULL}};
    int status =
        cli_arguments(j.thread.store.self, argc, argv, "STORE THREAD", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (last != NULL && !cli_number_count(last, &j.last))
        return cli_command_usage(j.thread.store.self->name, "--last needs a number of messages, not \"%s\"", last);
    if (j.as_json && j.channel != NULL)
        return cli_command_usage(j.thread.store.self->name, "--channel does not go with --json");
    cli_thread_take(&j.thread, argv);
    return last != NULL && j.at == NULL && j.channel == NULL ? show_tail(&j) : show_checkpoint(&j);
}

const cli_command cli_thread_show = {
    .name = "thread show",
    .summary = "show the chat of a checkpoint",
    .help = "usage: agentchat thread show [OPTION...] STORE THREAD\n"
            "\n"
            "Shows the messages of the newest checkpoint, oldest first, as agentchat show does. The last messages\n"
            "of a thread of any length cost no more than those of a short one.\n"
            "\n"
            "  --at ID         of this checkpoint\n"
            "  --last N        only the last N messages\n"
            "  --channel KEY   what the channel of that key holds; the beginning of the key is enough\n"
            "  --namespace NS  a checkpoint of this namespace\n"
            "  --full          shorten nothing, leave nothing out, results where they are stored\n"
            "  --no-pager      on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-show)\n"
            "\n"
            "exit status: 0 success, 1 there is no such channel, 2 there is no such checkpoint, or error\n",
    .run = run,
};
