/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at a checkpoint: its messages, differences, a document, a web page. */
#include "cli/command/command.h"

#include "cli/diff/diff.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include "cli/thread/thread.h"
#include <stdlib.h>
#include <string.h>

/* ==== agentchat thread show: a checkpoint's chat, for a person or a program ====================================== */

/* The last messages of the newest checkpoint are read without the rest of it, so that they cost the same in a
   thread of any length. */

typedef struct show_job {
    cli_thread thread;
    const char *at, *channel; /* NULL: the newest one, the history */
    uint64_t last;            /* UINT64_MAX: all */
    bool wants_pending, full, no_pager, as_json;
} show_job;

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

static int show_print_json(show_job *j, const contents *c)
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

static bool put_on_screen(const show_job *j, const cli_pager *pager, const contents *c)
{
    uint64_t held = agentchat_messages_count(c->messages);

    if (c->channel != NULL)
        return show_chat_channel(pager, c->channel, j->last, j->full);
    if (c->info->messages > held) /* only the end of it was read */
        return show_message_tail(pager, c->messages, c->info->messages - held, j->full);
    return show_messages(pager, c->messages, c->first, j->full);
}

static int show_on_screen(show_job *j, const contents *c)
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
static int show_print(show_job *j, contents *c)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    cli_store *s = &j->thread.store;
    agentchat_status status = AGENTCHAT_OK;

    options.ns = c->info->ns;
    options.id = c->info->id;
    if (j->wants_pending)
        status = agentchat_checkpoint_pending(s->store, j->thread.id, &options, &c->pending, &s->err);
    int result = status < 0 ? cli_store_fail(s, status) : j->as_json ? show_print_json(j, c) : show_on_screen(j, c);
    agentchat_pending_list_free(c->pending);
    return result;
}

/* ---- the end of the newest one -------------------------------------------------------------------------------- */

/* newest: a page with the newest checkpoint; empty: there is none, which is said as of any that is not there. */
static int show_tail_of(show_job *j, const agentchat_checkpoint_list *newest)
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
    int result = status < 0 || c.info == NULL ? cli_store_fail(s, status) : show_print(j, &c);
    agentchat_messages_unref(messages);
    return result;
}

static int show_tail(show_job *j)
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

static int show_all_of(show_job *j, const agentchat_checkpoint *checkpoint)
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
    return show_print(j, &c);
}

static int show_checkpoint(show_job *j)
{
    agentchat_checkpoint *checkpoint = cli_thread_open(&j->thread, j->at);

    if (checkpoint == NULL)
        return CLI_ERROR;
    int status = show_all_of(j, checkpoint);
    agentchat_checkpoint_free(checkpoint);
    cli_store_close(&j->thread.store);
    return status;
}

static int show_run(int argc, char **argv)
{
    show_job j = {.thread = {.store = {.self = &cli_thread_show}}, .last = UINT64_MAX};
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
    .run = show_run,
};

/* ==== agentchat thread diff: where the chats of two checkpoints differ in meaning ================================ */

typedef struct diff_job {
    cli_thread thread;
    const char *left, *right;
    bool full, as_json, no_pager, as_page;
    cli_web_page page;
} diff_job;

static diff_side side_of(const agentchat_checkpoint *checkpoint)
{
    return (diff_side){agentchat_checkpoint_get_info(checkpoint)->id, agentchat_checkpoint_snapshot(checkpoint)};
}

static agentchat_status diff_print(const diff_job *j, const agentchat_checkpoint *left,
                                   const agentchat_checkpoint *right, bool *equal, bool *shown, agentchat_error *err)
{
    diff_side a = side_of(left), b = side_of(right);

    *shown = true;
    if (j->as_json)
        return diff_compare_json(a, b, equal, err);
    if (!j->as_page)
        return diff_compare_lines(a, b, j->full, !j->no_pager, equal, shown, err);
    *shown = cli_thread_page_write(&j->page, left, right);
    return agentchat_snapshot_diff(a.snapshot, b.snapshot, NULL, NULL, equal, err);
}

static int compare(const diff_job *j, const agentchat_checkpoint *left, const agentchat_checkpoint *right)
{
    agentchat_error err;
    bool equal = false, shown;

    agentchat_error_clear(&err);
    agentchat_status status = diff_print(j, left, right, &equal, &shown, &err);
    if (status < 0)
        cli_error_print(stderr, NULL, status, &err);
    return status < 0 || !shown ? CLI_ERROR : equal ? CLI_SUCCESS : CLI_NO;
}

static int compare_checkpoints(diff_job *j)
{
    agentchat_checkpoint *left = NULL, *right = NULL;
    int status = CLI_ERROR;

    if (j->as_page && cli_thread_page_replaces(&j->page, &j->thread.store))
        return CLI_ERROR;
    left = cli_thread_open(&j->thread, j->left);
    if (left == NULL)
        return CLI_ERROR;
    right = cli_thread_get(&j->thread, j->right);
    if (right != NULL)
        status = compare(j, left, right);
    agentchat_checkpoint_free(right);
    agentchat_checkpoint_free(left);
    cli_store_close(&j->thread.store);
    return status;
}

static bool check(const diff_job *j)
{
    bool is_for_page = j->page.output != NULL || j->page.title != NULL || j->page.no_media;
    const char *name = j->thread.store.self->name;

    if (!j->as_page && is_for_page)
        (void)cli_command_usage(name, "--output, --title and --no-media are for --html");
    else if (j->as_page && (j->as_json || j->full))
        (void)cli_command_usage(name, "--html goes with neither --json nor --full");
    else
        return true;
    return false;
}

static int diff_run(int argc, char **argv)
{
    diff_job j = {.thread = {.store = {.self = &cli_thread_diff}}};
    const cli_switch switches[] = {{"html", &j.as_page, NULL},     {"output", NULL, &j.page.output},
                                   {"title", NULL, &j.page.title}, {"no-media", &j.page.no_media, NULL},
                                   {"full", &j.full, NULL},        {"no-pager", &j.no_pager, NULL},
                                   {"json", &j.as_json, NULL},     {"namespace", NULL, &j.thread.ns}};
    const cli_command *self = j.thread.store.self;
    int status = cli_arguments(self, argc, argv, "STORE THREAD A B", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (!check(&j))
        return CLI_ERROR;
    if (j.page.output == NULL)
        j.page.output = "-";
    if (j.as_page && !cli_web_page_check(self, &j.page))
        return CLI_ERROR;
    cli_thread_take(&j.thread, argv);
    j.left = argv[3];
    j.right = argv[4];
    return compare_checkpoints(&j);
}

const cli_command cli_thread_diff = {
    .name = "thread diff",
    .summary = "show where the chats of two checkpoints differ in meaning",
    .help = "usage: agentchat thread diff [OPTION...] STORE THREAD A B\n"
            "\n"
            "Prints one line per difference between the checkpoints A and B, as agentchat diff does: its path, and\n"
            "A → B, - what only A has, + what only B has.\n"
            "\n"
            "  --full          show all of it: the path, and below it - A and + B on lines of their own\n"
            "  --namespace NS  checkpoints of this namespace\n"
            "  --no-pager      on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --html          a web page instead, with both chats side by side; with --output PAGE, --title TITLE\n"
            "                  and --no-media, as of agentchat view\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-thread-diff)\n"
            "\n"
            "exit status: 0 the same, 1 different, 2 there is no such checkpoint, or error\n",
    .run = diff_run,
};

/* ==== agentchat thread export: a checkpoint's chat as a file, in any format ====================================== */

typedef struct export_job {
    cli_thread thread;
    const char *at;     /* NULL: the newest one */
    const char *output; /* "-" is standard output */
    const char *to;
    bool strict, fail_on_loss, as_json, lines;
    agentchat_report *report;
} export_job;

static void export_print_json(const export_job *j, const agentchat_checkpoint *checkpoint, agentchat_status status)
{
    cli_json json = {.out = stderr};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "id", agentchat_checkpoint_get_info(checkpoint)->id);
    cli_json_cstr(&json, "output", j->output);
    cli_json_cstr(&json, "to", j->to);
    cli_json_bool(&json, "ok", status >= 0);
    if (status < 0)
        cli_json_error(&json, status, &j->thread.store.err);
    cli_json_report(&json, j->report, NULL);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status write_out(export_job *j, const agentchat_snapshot *snapshot)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_error *err = &j->thread.store.err;
    cli_output output;
    agentchat_status status;

    if (strcmp(j->output, "-") != 0 && cli_store_lies_in(&j->thread.store, j->output))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the output is the store itself");
    options.format = j->to;
    options.strict = j->strict;
    options.fail_on_loss = j->fail_on_loss;
    options.lines = j->lines;
    status = cli_output_open(&output, j->output, err);
    if (status >= 0)
        status = agentchat_snapshot_write(snapshot, output.sink, &options, &j->report, err);
    cli_output_close(&output);
    if (status < 0 && status != AGENTCHAT_E_LOSS) { /* it is of a file that nobody has, and not why */
        agentchat_report_free(j->report);
        j->report = NULL;
    }
    return status;
}

static int export_checkpoint(export_job *j)
{
    agentchat_checkpoint *checkpoint = cli_thread_open(&j->thread, j->at);

    if (checkpoint == NULL)
        return CLI_ERROR;
    agentchat_status status = write_out(j, agentchat_checkpoint_snapshot(checkpoint));
    if (j->as_json) {
        export_print_json(j, checkpoint, status);
    } else {
        if (!cli_report_print(stderr, 0, j->report, NULL))
            status = agentchat_error_set(&j->thread.store.err, AGENTCHAT_E_NOMEM, "out of memory");
        if (status < 0)
            cli_error_print(stderr, cli_output_name(j->output), status, &j->thread.store.err);
    }
    agentchat_report_free(j->report);
    agentchat_checkpoint_free(checkpoint);
    cli_store_close(&j->thread.store);
    return status >= 0 ? CLI_SUCCESS : status == AGENTCHAT_E_LOSS ? CLI_NO : CLI_ERROR;
}

static int export_run(int argc, char **argv)
{
    export_job j = {.thread = {.store = {.self = &cli_thread_export}}, .output = "-", .to = "agentchat"};
    const cli_switch switches[] = {{"at", NULL, &j.at},
                                   {"to", NULL, &j.to},
                                   {"output", NULL, &j.output},
                                   {"strict", &j.strict, NULL},
                                   {"fail-on-loss", &j.fail_on_loss, NULL},
                                   {"lines", &j.lines, NULL},
                                   {"namespace", NULL, &j.thread.ns},
                                   {"json", &j.as_json, NULL}};
    const cli_command *self = j.thread.store.self;
    int status = cli_arguments(self, argc, argv, "STORE THREAD", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (!cli_format_is_written(self, j.to, AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY))
        return CLI_ERROR;
    if (j.strict && !agentchat_format_find(j.to)->has_strict)
        return cli_command_usage(self->name, "--strict is not for --to %s", j.to);
    cli_thread_take(&j.thread, argv);
    return export_checkpoint(&j);
}

const cli_command cli_thread_export = {
    .name = "thread export",
    .summary = "write the chat of a checkpoint to a file",
    .help = "usage: agentchat thread export [OPTION...] STORE THREAD\n"
            "\n"
            "Writes the chat of the newest checkpoint to standard output or a file. The file is replaced\n"
            "atomically, and only when all went well. What the format cannot hold is said on standard error:\n"
            "  1 loss: /history/4/items/2  what is lost\n"
            "\n"
            "  --at ID         of this checkpoint\n"
            "  --to FORMAT     agentchat, which loses nothing (the default), or another (agentchat formats lists\n"
            "                  them)\n"
            "  --output FILE   the file; without it, or with -, standard output\n"
            "  --strict        providers: as it stands, nothing repaired;\n"
            "                  semantic-kernel: exactly what .NET writes, nothing added, nothing repaired\n"
            "  --lines         JSON lines: the messages alone, each on a line of its own\n"
            "  --fail-on-loss  write nothing when something would be lost\n"
            "  --namespace NS  a checkpoint of this namespace\n"
            "  --json          the report as one JSON object on standard error\n"
            "                  (schema: agentchat check --schema cli-thread-export)\n"
            "\n"
            "exit status: 0 written, 1 not written because of --fail-on-loss, 2 error\n",
    .run = export_run,
};

/* ==== the page asks for one chat after the other, so that the thread is never held as a whole ==================== */

enum { LONGEST_SUMMARY = 240 }; /* bytes */

typedef struct view_page_job {
    cli_thread *thread;
    const agentchat_checkpoint *shown;
    agentchat_checkpoint_list *list; /* the newest ones */
    agentchat_html_checkpoint *checkpoints;
    char **summaries;
    agentchat_html_thread what;
    size_t done;
    cli_progress progress;
} view_page_job;

/* ---- the chats ------------------------------------------------------------------------------------------------- */

static agentchat_status get_snapshot(void *user, size_t index, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    view_page_job *j = user;

    cli_progress_count(&j->progress, j->done++, j->what.count, "checkpoints");
    if (index == j->what.shown) {
        *out = agentchat_snapshot_ref(agentchat_checkpoint_snapshot(j->shown));
        return AGENTCHAT_OK;
    }
    options.ns = j->thread->ns;
    options.id = j->checkpoints[index].info->id;
    agentchat_status status =
        agentchat_checkpoint_get(j->thread->store.store, j->thread->id, &options, &checkpoint, err);
    if (status >= 0)
        *out = agentchat_snapshot_ref(agentchat_checkpoint_snapshot(checkpoint));
    agentchat_checkpoint_free(checkpoint);
    return status;
}

/* ---- the checkpoints ------------------------------------------------------------------------------------------- */

/* Cuts between characters; the row ends there anyway. */
static void cut(char *text)
{
    size_t len = strlen(text);

    if (len <= LONGEST_SUMMARY)
        return;
    for (len = LONGEST_SUMMARY; len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80;)
        len--;
    text[len] = '\0';
}

static agentchat_status summarize(view_page_job *j, size_t index)
{
    cli_store *s = &j->thread->store;
    agentchat_status status = AGENTCHAT_OK;
    cli_memory text;

    if (cli_memory_begin(&text))
        status = cli_thread_last_message_put(j->thread, text.out, j->checkpoints[index].info);
    if (!cli_memory_end(&text))
        return agentchat_error_set(&s->err, AGENTCHAT_E_NOMEM, "out of memory");
    j->summaries[index] = text.text;
    cut(text.text);
    j->checkpoints[index].summary = agentchat_str_from(text.text);
    return status;
}

/* The shown one is among the newest, or stands after them. */
static agentchat_status take_checkpoints(view_page_job *j)
{
    const agentchat_checkpoint_info *shown = agentchat_checkpoint_get_info(j->shown);
    size_t count = agentchat_checkpoint_list_count(j->list), at = count;
    agentchat_status status = AGENTCHAT_OK;

    j->checkpoints = calloc(count + 1, sizeof *j->checkpoints);
    j->summaries = calloc(count + 1, sizeof *j->summaries);
    if (j->checkpoints == NULL || j->summaries == NULL)
        return agentchat_error_set(&j->thread->store.err, AGENTCHAT_E_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        j->checkpoints[i].info = agentchat_checkpoint_list_at(j->list, i);
        if (j->checkpoints[i].info->sequence == shown->sequence)
            at = i;
    }
    if (at == count)
        j->checkpoints[count++].info = shown;
    j->what.checkpoints = j->checkpoints;
    j->what.count = count;
    for (size_t i = 0; status >= 0 && i < count; i++)
        status = summarize(j, i);
    j->what.shown = at;
    j->what.has_more = agentchat_checkpoint_list_cursor(j->list) != NULL;
    return status;
}

static agentchat_status list_newest(view_page_job *j, uint64_t limit)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    cli_store *s = &j->thread->store;

    options.ns = j->thread->ns;
    options.limit = (size_t)limit;
    return agentchat_checkpoint_list_read(s->store, j->thread->id, &options, &j->list, &s->err);
}

static void release(view_page_job *j)
{
    for (size_t i = 0; j->summaries != NULL && i < j->what.count; i++)
        free(j->summaries[i]);
    free(j->summaries);
    free(j->checkpoints);
    agentchat_checkpoint_list_free(j->list);
}

/* Writes a page of the newest checkpoints of t's namespace, at most so many (0: 100), and of `shown`, with which it
   opens. false: not written, and the reason has been reported. */
static bool thread_view_page_write(cli_thread *t, const cli_web_page *page, const agentchat_checkpoint *shown,
                                   uint64_t limit)
{
    view_page_job j = {.thread = t, .shown = shown, .what = AGENTCHAT_HTML_THREAD_INIT};
    agentchat_error err;

    j.what.snapshot = get_snapshot;
    j.what.user = &j;
    cli_progress_begin(&j.progress, 1);
    agentchat_status status = list_newest(&j, limit);
    if (status >= 0)
        status = take_checkpoints(&j);
    if (status < 0) {
        (void)cli_store_fail(&t->store, status);
    } else {
        status = cli_web_page_write_thread(page, t->id, &j.what, &err);
        cli_progress_hide(&j.progress);
        if (status < 0)
            cli_error_print(stderr, cli_output_name(page->output), status, &err);
    }
    release(&j);
    return status >= 0;
}

/* ==== agentchat thread view: a thread as one web page, its tree, and any checkpoint as a chat ==================== */

typedef struct view_job {
    cli_thread thread;
    const char *at;      /* NULL: the newest one */
    const char *channel; /* as of cli_channel_find(); NULL: none */
    uint64_t limit;
    cli_web_page page;
} view_job;

static int write_page(view_job *j, const agentchat_checkpoint *checkpoint)
{
    int status = CLI_ERROR;

    if (j->channel != NULL) {
        const agentchat_channel_state *channel = cli_channel_find(
            j->thread.store.self, agentchat_checkpoint_snapshot(checkpoint), j->channel, CLI_THREAD_CHANNELS, &status);

        if (channel == NULL)
            return status;
        j->page.channel = agentchat_channel_state_key(channel);
    }
    return thread_view_page_write(&j->thread, &j->page, checkpoint, j->limit) ? CLI_SUCCESS : CLI_ERROR;
}

static int view(view_job *j)
{
    agentchat_checkpoint *checkpoint;
    int status;

    if (cli_thread_page_replaces(&j->page, &j->thread.store))
        return CLI_ERROR;
    checkpoint = cli_thread_open(&j->thread, j->at);
    if (checkpoint == NULL)
        return CLI_ERROR;
    status = write_page(j, checkpoint);
    agentchat_checkpoint_free(checkpoint);
    cli_store_close(&j->thread.store);
    return status;
}

static int view_run(int argc, char **argv)
{
    view_job j = {.thread = {.store = {.self = &cli_thread_view}}, .page = {.output = "-"}};
    const char *limit = NULL;
    const cli_switch switches[] = {{"at", NULL, &j.at},
                                   {"limit", NULL, &limit},
                                   {"output", NULL, &j.page.output},
                                   {"title", NULL, &j.page.title},
                                   {"channel", NULL, &j.channel},
                                   {"no-media", &j.page.no_media, NULL},
                                   {"namespace", NULL, &j.thread.ns}};
    const cli_command *self = j.thread.store.self;
    int status = cli_arguments(self, argc, argv, "STORE THREAD", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (limit != NULL && (!cli_number_count(limit, &j.limit) || j.limit == 0 || j.limit > SIZE_MAX))
        return cli_command_usage(self->name, "--limit needs a number of checkpoints from 1, not \"%s\"", limit);
    if (!cli_web_page_check(self, &j.page))
        return CLI_ERROR;
    cli_thread_take(&j.thread, argv);
    return view(&j);
}

const cli_command cli_thread_view = {
    .name = "thread view",
    .summary = "write a thread as a web page to look at",
    .help = "usage: agentchat thread view [OPTION...] STORE THREAD\n"
            "\n"
            "Writes a thread as one web page: its checkpoints as a tree, as thread log draws it, and the chat of\n"
            "the newest one, as agentchat view shows it. The chats of the others are in the page too, to choose\n"
            "from; each message is there once.\n"
            "\n"
            "  --at ID         open the page with this checkpoint\n"
            "  --limit N       the newest N checkpoints, and that of --at; without it 100\n"
            "  --output PAGE   the file to write, which is replaced atomically, and only when all went well;\n"
            "                  without it, or with -, standard output, when that is no terminal\n"
            "  --title TITLE   of the page; without it, or when it is empty or whitespace-only, the thread's id\n"
            "  --channel KEY   open the page as the channel of that key sees the chat; the beginning of the key is\n"
            "                  enough\n"
            "  --no-media      name images and sounds instead of putting them into the page\n"
            "  --namespace NS  the checkpoints of this namespace\n"
            "\n"
            "exit status: 0 written, 1 there is no such channel, 2 error\n",
    .run = view_run,
};
