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
#include "cli/show/pending.h"
#include "cli/terminal/pager.h"
#include "cli/text/number.h"
#include "cli/thread/checkpoint.h"
#include "cli/thread/thread.h"

typedef struct job {
    cli_thread thread;
    const char *at, *channel; /* NULL: the newest one, the history */
    uint64_t last;            /* UINT64_MAX: all */
    bool wants_pending, full, no_pager, as_json;
} job;

/* What is shown of a checkpoint. */
typedef struct contents {
    const agentchat_checkpoint_info *info;
    const agentchat_messages *messages;     /* the end of its history, or all of it */
    size_t first;                           /* of the list, that is shown */
    const agentchat_channel_state *channel; /* is shown instead; NULL: none */
    agentchat_pending_list *pending;        /* NULL: not wanted */
} contents;

/* ---- for a program -------------------------------------------------------------------------------------------- */

/* The messages in native format, from the first that is wanted on. */
static agentchat_status put_messages(cli_json *json, const contents *c, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    cli_json_begin(json, "history", '[');
    for (size_t i = c->first; status >= 0 && i < agentchat_messages_count(c->messages); i++) {
        agentchat_bytes text = AGENTCHAT_BYTES_INIT;

        status = agentchat_message_write(agentchat_messages_at(c->messages, i), &text, err);
        if (status >= 0)
            cli_json_raw(json, NULL, (agentchat_str){text.ptr, text.len});
        agentchat_bytes_clear(&text);
    }
    cli_json_end(json, ']');
    return status;
}

static void put_pending(cli_json *json, const agentchat_pending_list *list)
{
    cli_json_begin(json, "pending", '[');
    for (size_t i = 0; i < agentchat_pending_list_count(list); i++) {
        const agentchat_pending_write *write = agentchat_pending_list_at(list, i);
        char index[24];

        (void)snprintf(index, sizeof index, "%lld", (long long)write->index);
        cli_json_begin(json, NULL, '{');
        cli_json_cstr(json, "path", write->path);
        cli_json_cstr(json, "task", write->task);
        cli_json_raw(json, "index", agentchat_str_from(index));
        cli_json_cstr(json, "channel", write->channel);
        cli_json_text(json, "mediatype", write->media_type);
        if (write->media_type.ptr == NULL)
            cli_json_raw(json, "value", write->value);
        else
            cli_json_base64(json, "data", write->value);
        cli_json_end(json, '}');
    }
    cli_json_end(json, ']');
}

static int print_json(job *j, const contents *c)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "thread", j->thread.id);
    cli_thread_checkpoint_json(&json, c->info);
    agentchat_status status = put_messages(&json, c, &j->thread.store.err);
    if (c->pending != NULL)
        put_pending(&json, c->pending);
    cli_json_end(&json, '}');
    cli_json_line(&json);
    return status < 0 ? cli_store_fail(&j->thread.store, status) : CLI_SUCCESS;
}

/* ---- for a person --------------------------------------------------------------------------------------------- */

static bool put_on_screen(const job *j, const cli_pager *pager, const contents *c)
{
    uint64_t held = agentchat_messages_count(c->messages);

    if (c->channel != NULL)
        return show_chat_channel(pager, c->channel, j->last, j->full);
    if (c->info->messages > held) /* only the end of it was read */
        return show_message_tail(pager, c->messages, c->info->messages - held, j->full);
    return show_messages(pager, c->messages, c->first, j->full);
}

static int show_on_screen(job *j, const contents *c)
{
    cli_pager pager;

    cli_pager_open(&pager, !j->no_pager);
    bool complete = put_on_screen(j, &pager, c);
    if (c->pending != NULL && !show_pending(&pager, c->pending, j->full))
        complete = false;
    if (!cli_pager_close(&pager))
        return CLI_ERROR;
    if (!complete)
        (void)fputs("agentchat: out of memory\n", stderr);
    return complete ? CLI_SUCCESS : CLI_ERROR;
}

/* Shows them with the pending writes of the checkpoint, if these are wanted. */
static int print(job *j, contents *c)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    cli_store *s = &j->thread.store;
    agentchat_status status = AGENTCHAT_OK;

    options.ns = c->info->ns;
    options.id = c->info->id;
    if (j->wants_pending)
        status = agentchat_checkpoint_pending(s->store, j->thread.id, &options, &c->pending, &s->err);
    int result = status < 0 ? cli_store_fail(s, status) : j->as_json ? print_json(j, c) : show_on_screen(j, c);
    agentchat_pending_list_free(c->pending);
    return result;
}

/* ---- the end of the newest one -------------------------------------------------------------------------------- */

/* newest: a page with the newest checkpoint; empty: there is none, which is said as of any that is not there. */
static int show_tail_of(job *j, const agentchat_checkpoint_list *newest)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_messages *messages = NULL;
    cli_store *s = &j->thread.store;
    contents c = {.info = agentchat_checkpoint_list_at(newest, 0)};
    size_t count = j->last < SIZE_MAX ? (size_t)j->last : SIZE_MAX;

    options.ns = j->thread.ns;
    options.id = c.info != NULL ? c.info->id : NULL;
    agentchat_status status = agentchat_thread_tail(s->store, j->thread.id, count, &options, &messages, &s->err);
    c.messages = messages;
    int result = status < 0 || c.info == NULL ? cli_store_fail(s, status) : print(j, &c);
    agentchat_messages_unref(messages);
    return result;
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
    int result = status < 0 ? cli_store_fail(s, status) : show_tail_of(j, newest);
    agentchat_checkpoint_list_free(newest);
    cli_store_close(s);
    return result;
}

/* ---- any one -------------------------------------------------------------------------------------------------- */

static int show_all_of(job *j, const agentchat_checkpoint *checkpoint)
{
    const agentchat_snapshot *snapshot = agentchat_checkpoint_snapshot(checkpoint);
    contents c = {.info = agentchat_checkpoint_get_info(checkpoint), .messages = agentchat_snapshot_history(snapshot)};
    size_t count = agentchat_messages_count(c.messages);
    int status;

    c.first = count > j->last ? count - (size_t)j->last : 0;
    if (j->channel != NULL) {
        c.channel = cli_channel_find(j->thread.store.self, snapshot, j->channel, CLI_THREAD_CHANNELS, &status);
        if (c.channel == NULL)
            return status;
    }
    return print(j, &c);
}

static int show_checkpoint(job *j)
{
    agentchat_checkpoint *checkpoint = cli_thread_open(&j->thread, j->at);

    if (checkpoint == NULL)
        return CLI_ERROR;
    int status = show_all_of(j, checkpoint);
    agentchat_checkpoint_free(checkpoint);
    cli_store_close(&j->thread.store);
    return status;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_show}}, .last = UINT64_MAX};
    const char *last = NULL;
    const cli_switch switches[] = {{"at", NULL, &j.at},
                                   {"last", NULL, &last},
                                   {"channel", NULL, &j.channel},
                                   {"namespace", NULL, &j.thread.ns},
                                   {"pending", &j.wants_pending, NULL},
                                   {"full", &j.full, NULL},
                                   {"no-pager", &j.no_pager, NULL},
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
            "  --pending       its pending writes too: results of steps that did not complete\n"
            "  --namespace NS  a checkpoint of this namespace\n"
            "  --full          shorten nothing, leave nothing out, results where they are stored\n"
            "  --no-pager      on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-show)\n"
            "\n"
            "exit status: 0 success, 1 there is no such channel, 2 there is no such checkpoint, or error\n",
    .run = run,
};
