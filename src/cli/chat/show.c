/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at documents: messages, participants, channels, differences, a web page. */
#include "cli/chat/chat.h"

#include "cli/command/command.h"
#include "cli/diff/diff.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/show/show.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <string.h>

/* ==== agentchat show: the conversation, or what one channel holds, for a person to read ========================== */

typedef struct show_request {
    const char *channel; /* NULL: the history */
    uint64_t last;       /* UINT64_MAX: all */
    bool full, no_pager, markdown, data;
} show_request;

static int show_markdown(const show_request *r, const cli_input *file)
{
    agentchat_markdown_options options = AGENTCHAT_MARKDOWN_OPTIONS_INIT;
    cli_output output;
    agentchat_error err;
    agentchat_status status = cli_output_open(&output, "-", &err);

    options.title = agentchat_str_from(file->name);
    options.data = r->data;
    if (status >= 0)
        status = agentchat_snapshot_write_markdown(file->snapshot, output.sink, &options, &err);
    cli_output_close(&output);
    if (status < 0)
        cli_error_print(stderr, file->name, status, &err);
    return status >= 0 ? CLI_SUCCESS : CLI_ERROR;
}

static int show_file(const show_request *r, const agentchat_snapshot *snapshot)
{
    const agentchat_channel_state *channel = NULL;
    cli_pager pager;
    bool is_complete;
    int status;

    if (r->channel != NULL &&
        (channel = cli_channel_find(&cli_show, snapshot, r->channel, "agentchat channels FILE", &status)) == NULL)
        return status;
    cli_pager_open(&pager, !r->no_pager);
    if (channel != NULL)
        is_complete = show_chat_channel(&pager, channel, r->last, r->full);
    else
        is_complete = show_chat_history(&pager, agentchat_snapshot_history(snapshot), r->last, r->full);
    if (!cli_pager_close(&pager))
        return CLI_ERROR;
    if (!is_complete)
        (void)fputs("agentchat: out of memory\n", stderr);
    return is_complete ? CLI_SUCCESS : CLI_ERROR;
}

static int show_run(int argc, char **argv)
{
    show_request r = {.last = UINT64_MAX};
    const char *last = NULL;
    const cli_switch switches[] = {{"last", NULL, &last},           {"channel", NULL, &r.channel},
                                   {"full", &r.full, NULL},         {"no-pager", &r.no_pager, NULL},
                                   {"markdown", &r.markdown, NULL}, {"data", &r.data, NULL}};
    int status = cli_arguments(&cli_show, argc, argv, "FILE", switches, sizeof switches / sizeof switches[0]);
    cli_input file;

    if (status != CLI_GO_ON)
        return status;
    if (last != NULL && !cli_number_count(last, &r.last))
        return cli_command_usage(cli_show.name, "--last needs a number of messages, not \"%s\"", last);
    if (r.data && !r.markdown)
        return cli_command_usage(cli_show.name, "--data goes with --markdown");
    if (r.markdown && (last != NULL || r.channel != NULL || r.full))
        return cli_command_usage(cli_show.name,
                                 "--markdown shows all of the conversation: no --last, --channel or --full");
    if (!cli_input_open(&file, argv[1]))
        return CLI_ERROR;
    status = r.markdown ? show_markdown(&r, &file) : show_file(&r, file.snapshot);
    cli_input_close(&file);
    return status;
}

const cli_command cli_show = {
    .name = "show",
    .summary = "show the conversation, or what one channel holds",
    .help = "usage: agentchat show [OPTION...] FILE\n"
            "\n"
            "Shows the messages, oldest first: number, role, author, time, model, and below that the items. A\n"
            "function call is a line → Plugin.function(arguments), and its result stands below it as ← value,\n"
            "with the id of the call at the right. Attachments are shown as kind, type and size. Control\n"
            "characters and the like are shown as escapes, so a file cannot do anything to your terminal. Of a\n"
            "session the chat of its events is shown.\n"
            "\n"
            "  --last N       only the last N messages\n"
            "  --channel KEY  what the channel of that key holds; the beginning of the key is enough\n"
            "  --full         shorten nothing, leave nothing out, results where they are stored\n"
            "  --markdown     write it as Markdown, for an issue or a document: texts stay texts, whatever is in them\n"
            "  --data         with --markdown: images stand in the text instead of being named\n"
            "  --no-pager     on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "\n"
            "exit status: 0 success, 1 there is no such channel, 2 the file is no chat or cannot be read\n",
    .run = show_run,
};

/* ==== agentchat view: a chat as one web page ===================================================================== */

/* wanted: the key of the channel with which the page opens, or its beginning; NULL: none. */
static int write_page(cli_web_page *page, const cli_input *file, const char *wanted)
{
    int status = CLI_ERROR;

    if (wanted != NULL) {
        const agentchat_channel_state *channel =
            cli_channel_find(&cli_view, file->snapshot, wanted, "agentchat channels FILE", &status);

        if (channel == NULL)
            return status;
        page->channel = agentchat_channel_state_key(channel);
    }
    return cli_web_page_write(page, file, NULL) ? CLI_SUCCESS : CLI_ERROR;
}

static int view(cli_web_page *page, const char *name, const char *wanted)
{
    cli_input file;
    int status;

    if (cli_web_page_replaces(page, name) || !cli_input_open(&file, name))
        return CLI_ERROR;
    status = write_page(page, &file, wanted);
    cli_input_close(&file);
    return status;
}

static int view_run(int argc, char **argv)
{
    cli_web_page page = {.output = "-"};
    const char *channel = NULL;
    const cli_switch switches[] = {{"output", NULL, &page.output},
                                   {"title", NULL, &page.title},
                                   {"channel", NULL, &channel},
                                   {"no-media", &page.no_media, NULL},
                                   {"report", &page.with_report, NULL}};
    int status = cli_arguments(&cli_view, argc, argv, "FILE", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    return cli_web_page_check(&cli_view, &page) ? view(&page, argv[1], channel) : CLI_ERROR;
}

const cli_command cli_view = {
    .name = "view",
    .summary = "write a chat as a web page to look at",
    .help =
        "usage: agentchat view [OPTION...] FILE\n"
        "\n"
        "Writes the chat as one web page that loads nothing, for any browser: the conversation, each call with\n"
        "its result, participants and channels, and what each channel had been given; with search and filters. Of a\n"
        "session the chat of its events is shown.\n"
        "\n"
        "  --output PAGE   the file to write, which is replaced atomically, and only when all went well;\n"
        "                  without it, or with -, standard output, when that is no terminal\n"
        "  --title TITLE   of the page; without it, or when it is empty or whitespace-only, the file's name\n"
        "  --channel KEY   open the page as the channel of that key sees the chat; the beginning of the key is\n"
        "                  enough\n"
        "  --no-media      name images and sounds instead of putting them into the page\n"
        "  --report        show on the page what reading the file noted, repaired and lost\n"
        "\n"
        "exit status: 0 written, 1 there is no such channel, 2 error\n",
    .run = view_run,
};

/* ==== list ======================================================================================================= */

/* A command's run(): `print_json` writes the members of the object besides the file's name. */
static int cli_list(const cli_command *self, int argc, char **argv, size_t columns, cli_list_table_fn *fill,
                    cli_list_json_fn *print_json)
{
    bool as_json = false, ok = true;
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(self, argc, argv, "FILE", switches, 1);
    cli_input file;

    if (status != CLI_GO_ON)
        return status;
    if (!cli_input_open(&file, argv[1]))
        return CLI_ERROR;
    if (as_json) {
        cli_json json = {.out = stdout};

        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "file", file.name);
        print_json(&json, file.snapshot);
        cli_json_end(&json, '}');
        cli_json_line(&json);
    } else {
        cli_table table = {.columns = columns};

        fill(&table, file.snapshot);
        ok = cli_table_print(stdout, &table);
        if (!ok)
            (void)fputs("agentchat: out of memory\n", stderr);
    }
    cli_input_close(&file);
    return ok ? CLI_SUCCESS : CLI_ERROR;
}

/* ==== agentchat channels: what each channel holds ================================================================ */

static const char *kind_name(agentchat_channel_kind kind)
{
    switch (kind) {
    case AGENTCHAT_CHANNEL_TEXT:
        return "text";
    case AGENTCHAT_CHANNEL_BYTES:
        return "bytes";
    case AGENTCHAT_CHANNEL_MESSAGES:
        return "messages";
    case AGENTCHAT_CHANNEL_CHAT:
        return "chat";
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return "unknown";
}

/* Messages of the state, or its bytes. */
static size_t size_of(const agentchat_channel_state *channel)
{
    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        return agentchat_messages_count(agentchat_channel_state_messages(channel));
    case AGENTCHAT_CHANNEL_CHAT:
        return agentchat_messages_count(agentchat_snapshot_history(agentchat_channel_state_chat(channel)));
    case AGENTCHAT_CHANNEL_TEXT:
    case AGENTCHAT_CHANNEL_BYTES:
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    return agentchat_channel_state_data(channel).len;
}

static void add_state(cli_table *table, const agentchat_channel_state *channel)
{
    size_t size = size_of(channel);
    const char *plural = size == 1 ? "" : "s";

    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        cli_table_addf(table, "%zu message%s", size, plural);
        break;
    case AGENTCHAT_CHANNEL_CHAT:
        cli_table_addf(table, "chat, %zu message%s", size, plural);
        break;
    case AGENTCHAT_CHANNEL_TEXT:
        cli_table_addf(table, "text, %zu byte%s", size, plural);
        break;
    case AGENTCHAT_CHANNEL_BYTES:
    case AGENTCHAT_CHANNEL_MAX_:
        cli_table_addf(table, "%zu byte%s", size, plural);
        break;
    }
}

static void channels_fill_table(cli_table *table, const agentchat_snapshot *snapshot)
{
    size_t history = agentchat_messages_count(agentchat_snapshot_history(snapshot));

    cli_table_addf(table, "KEY");
    cli_table_addf(table, "STATE");
    cli_table_addf(table, "GIVEN");
    cli_table_addf(table, "PENDING");
    cli_table_addf(table, "TYPE");
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);
        size_t synced = agentchat_channel_state_synced(channel);

        cli_table_add(table, agentchat_channel_state_key(channel));
        add_state(table, channel);
        if (synced == AGENTCHAT_SYNCED_UNKNOWN)
            cli_table_addf(table, "unknown");
        else
            cli_table_addf(table, "%zu of %zu", synced, history);
        cli_table_addf(table, "%zu", agentchat_channel_state_pending_count(channel));
        cli_table_add(table, agentchat_channel_state_type(channel));
    }
}

static void channels_print_json(cli_json *json, const agentchat_snapshot *snapshot)
{
    cli_json_count(json, "messages", agentchat_messages_count(agentchat_snapshot_history(snapshot)));
    cli_json_begin(json, "channels", '[');
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);
        agentchat_channel_kind kind = agentchat_channel_state_kind(channel);
        bool counted = kind == AGENTCHAT_CHANNEL_MESSAGES || kind == AGENTCHAT_CHANNEL_CHAT;

        cli_json_begin(json, NULL, '{');
        cli_json_text(json, "key", agentchat_channel_state_key(channel));
        cli_json_text(json, "type", agentchat_channel_state_type(channel));
        cli_json_cstr(json, "state", kind_name(kind));
        cli_json_count(json, counted ? "messages" : "bytes", size_of(channel));
        if (agentchat_channel_state_synced(channel) != AGENTCHAT_SYNCED_UNKNOWN)
            cli_json_count(json, "synced", agentchat_channel_state_synced(channel));
        cli_json_begin(json, "pending", '[');
        for (size_t k = 0; k < agentchat_channel_state_pending_count(channel); k++)
            cli_json_count(json, NULL, agentchat_channel_state_pending(channel, k));
        cli_json_end(json, ']');
        cli_json_end(json, '}');
    }
    cli_json_end(json, ']');
}

static int channels_run(int argc, char **argv)
{
    return cli_list(&cli_channels, argc, argv, 5, channels_fill_table, channels_print_json);
}

const cli_command cli_channels = {
    .name = "channels",
    .summary = "list the channels and what they hold",
    .help = "usage: agentchat channels [--json] FILE\n"
            "\n"
            "Lists the channels: key, what the state is, how far into the history the channel had been given\n"
            "messages, how many wait to be delivered, type as the file spells it.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-channels)\n"
            "\n"
            "exit status: 0 success, 2 the file is no chat or cannot be read\n",
    .run = channels_run,
};

/* ==== agentchat participants: who took part ====================================================================== */

static void participants_fill_table(cli_table *table, const agentchat_snapshot *snapshot)
{
    cli_table_addf(table, "NAME");
    cli_table_addf(table, "TYPE");
    cli_table_addf(table, "ID");
    for (size_t i = 0; i < agentchat_snapshot_participant_count(snapshot); i++) {
        const agentchat_participant *who = agentchat_snapshot_participant(snapshot, i);

        cli_table_add(table, agentchat_participant_name(who));
        cli_table_add(table, agentchat_participant_type(who));
        cli_table_add(table, agentchat_participant_id(who));
    }
}

static void participants_print_json(cli_json *json, const agentchat_snapshot *snapshot)
{
    cli_json_begin(json, "participants", '[');
    for (size_t i = 0; i < agentchat_snapshot_participant_count(snapshot); i++) {
        const agentchat_participant *who = agentchat_snapshot_participant(snapshot, i);

        cli_json_begin(json, NULL, '{');
        cli_json_text(json, "id", agentchat_participant_id(who));
        cli_json_text(json, "name", agentchat_participant_name(who));
        cli_json_text(json, "type", agentchat_participant_type(who));
        cli_json_end(json, '}');
    }
    cli_json_end(json, ']');
}

static int participants_run(int argc, char **argv)
{
    return cli_list(&cli_participants, argc, argv, 3, participants_fill_table, participants_print_json);
}

const cli_command cli_participants = {
    .name = "participants",
    .summary = "list who took part",
    .help = "usage: agentchat participants [--json] FILE\n"
            "\n"
            "Lists the participants: name, type as the file spells it, id; of a session the authors of its messages\n"
            "but the user.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-participants)\n"
            "\n"
            "exit status: 0 success, 2 the file is no chat or cannot be read\n",
    .run = participants_run,
};

/* ==== agentchat diff: where two chats differ in meaning ========================================================== */

typedef struct diff_request {
    const char *left, *right;
    bool full, as_json, no_pager, as_page;
    cli_web_page page;
} diff_request;

static agentchat_status print(const diff_request *r, const cli_input *left, const cli_input *right, bool *equal,
                              bool *shown, agentchat_error *err)
{
    diff_side a = {r->left, left->snapshot}, b = {r->right, right->snapshot};

    *shown = true;
    if (r->as_json)
        return diff_compare_json(a, b, equal, err);
    if (!r->as_page)
        return diff_compare_lines(a, b, r->full, !r->no_pager, equal, shown, err);
    *shown = cli_web_page_write(&r->page, left, right);
    return agentchat_snapshot_diff(left->snapshot, right->snapshot, NULL, NULL, equal, err);
}

static int compare(const diff_request *r, const cli_input *left, const cli_input *right)
{
    agentchat_error err = {.offset = AGENTCHAT_NO_OFFSET};
    bool equal = false, shown;
    agentchat_status status = print(r, left, right, &equal, &shown, &err);

    if (status < 0)
        cli_error_print(stderr, NULL, status, &err);
    return status < 0 || !shown ? CLI_ERROR : equal ? CLI_SUCCESS : CLI_NO;
}

static int compare_files(const diff_request *r)
{
    cli_input left, right;
    int status = CLI_ERROR;

    if (r->as_page && (cli_web_page_replaces(&r->page, r->left) || cli_web_page_replaces(&r->page, r->right)))
        return CLI_ERROR;
    if (!cli_input_open(&left, r->left))
        return CLI_ERROR;
    if (cli_input_open(&right, r->right)) {
        status = compare(r, &left, &right);
        cli_input_close(&right);
    }
    cli_input_close(&left);
    return status;
}

static bool check(const diff_request *r)
{
    bool is_for_page = r->page.output != NULL || r->page.title != NULL || r->page.no_media;

    if (!r->as_page && is_for_page)
        (void)cli_command_usage(cli_diff.name, "--output, --title and --no-media are for --html");
    else if (r->as_page && (r->as_json || r->full))
        (void)cli_command_usage(cli_diff.name, "--html goes with neither --json nor --full");
    else
        return true;
    return false;
}

static int diff_run(int argc, char **argv)
{
    diff_request r = {.full = false};
    const char *copies = NULL;
    const cli_switch switches[] = {{"html", &r.as_page, NULL},     {"output", NULL, &r.page.output},
                                   {"title", NULL, &r.page.title}, {"no-media", &r.page.no_media, NULL},
                                   {"full", &r.full, NULL},        {"no-pager", &r.no_pager, NULL},
                                   {"json", &r.as_json, NULL},     {"max-copies", NULL, &copies}};
    int status = cli_arguments(&cli_diff, argc, argv, "A B", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (!check(&r) || (copies != NULL && !cli_input_max_copies(&cli_diff, copies)))
        return CLI_ERROR;
    if (r.page.output == NULL)
        r.page.output = "-";
    if (r.as_page && !cli_web_page_check(&cli_diff, &r.page))
        return CLI_ERROR;
    r.left = argv[1];
    r.right = argv[2];
    if (strcmp(r.left, "-") == 0 && strcmp(r.right, "-") == 0)
        return cli_command_usage(cli_diff.name, "only one of A and B can be standard input");
    return compare_files(&r);
}

const cli_command cli_diff = {
    .name = "diff",
    .summary = "show where two chats differ in meaning",
    .help = "usage: agentchat diff [OPTION...] A B\n"
            "\n"
            "Prints one line per difference: its path, and A → B, - what only A has, + what only B has. The\n"
            "formats of the files do not matter; only the meaning is compared, as agentchat digest --all does. Of\n"
            "sessions the chats of their events are compared.\n"
            "An entire message, item, participant or channel is summarized, and long values are shortened around\n"
            "what has changed; on a terminal that is coloured.\n"
            "\n"
            "  --full      show all of it: the path, and below it - A and + B on lines of their own\n"
            "  --no-pager  on a terminal, show it there and not in AGENTCHAT_PAGER, PAGER or less\n"
            "  --html      a web page instead, with both chats side by side; with --output PAGE, --title TITLE\n"
            "              and --no-media, as of agentchat view\n"
            "  --json      one JSON object (schema: agentchat check --schema cli-diff)\n"
            "  --max-copies N  let channels repeat the history up to N times the size of A and B, not 16\n"
            "\n"
            "exit status: 0 the same, 1 different, 2 a file is no chat or cannot be read\n",
    .run = diff_run,
};
