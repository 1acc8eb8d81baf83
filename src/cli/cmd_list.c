/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat participants, agentchat channels: who took part, and what each channel holds. Layer: cli. */
#include "cli.h"
#include "json_out.h"
#include "table.h"

typedef void print_json_fn(cli_json *json, const agentchat_snapshot *snapshot);
typedef void fill_table_fn(cli_table *table, const agentchat_snapshot *snapshot);

/* What the two commands have in common: one file, a table or JSON. */
static int list(const cli_command *self, int argc, char **argv, size_t columns, fill_table_fn *fill,
                print_json_fn *print_json)
{
    static const struct option options[] = {CLI_OPTION_HELP, CLI_OPTION_JSON, {NULL, 0, NULL, 0}};
    bool as_json = false, ok = true;
    cli_file file;

    for (int option; (option = cli_option(argc, argv, options)) != -1;) {
        if (option == CLI_OPT_HELP)
            return cli_help(self);
        if (option != CLI_OPT_JSON)
            return CLI_ERROR;
        as_json = true;
    }
    if (argc - optind != 1)
        return cli_usage(self->name, "give one file");
    if (!cli_file_open(&file, argv[optind]))
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
    cli_file_close(&file);
    return ok ? CLI_FINE : CLI_ERROR;
}

/* ---- participants ---- */

static void participants_table(cli_table *table, const agentchat_snapshot *snapshot)
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

static void participants_json(cli_json *json, const agentchat_snapshot *snapshot)
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

static int run_participants(int argc, char **argv)
{
    return list(&cli_participants, argc, argv, 3, participants_table, participants_json);
}

const cli_command cli_participants = {
    .name = "participants",
    .summary = "list who took part",
    .help = "usage: agentchat participants [--json] FILE\n"
            "\n"
            "Lists the participants: name, type as the file spells it, id.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-participants)\n"
            "\n"
            "exit status: 0 fine, 2 the file is no chat or cannot be read\n",
    .run = run_participants,
};

/* ---- channels ---- */

static const char *kind_name(agentchat_state_kind kind)
{
    switch (kind) {
    case AGENTCHAT_STATE_TEXT:
        return "text";
    case AGENTCHAT_STATE_BYTES:
        return "bytes";
    case AGENTCHAT_STATE_MESSAGES:
        return "messages";
    case AGENTCHAT_STATE_CHAT:
        return "chat";
    case AGENTCHAT_STATE_MAX_:
        break;
    }
    return "unknown";
}

/* Messages of the state, or its bytes. */
static size_t size_of(const agentchat_channel_state *channel)
{
    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_STATE_MESSAGES:
        return agentchat_messages_count(agentchat_channel_state_messages(channel));
    case AGENTCHAT_STATE_CHAT:
        return agentchat_snapshot_message_count(agentchat_channel_state_chat(channel));
    case AGENTCHAT_STATE_TEXT:
    case AGENTCHAT_STATE_BYTES:
    case AGENTCHAT_STATE_MAX_:
        break;
    }
    return agentchat_channel_state_data(channel).len;
}

static void add_state(cli_table *table, const agentchat_channel_state *channel)
{
    size_t size = size_of(channel);
    const char *plural = size == 1 ? "" : "s";

    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_STATE_MESSAGES:
        cli_table_addf(table, "%zu message%s", size, plural);
        break;
    case AGENTCHAT_STATE_CHAT:
        cli_table_addf(table, "chat, %zu message%s", size, plural);
        break;
    case AGENTCHAT_STATE_TEXT:
        cli_table_addf(table, "text, %zu byte%s", size, plural);
        break;
    case AGENTCHAT_STATE_BYTES:
    case AGENTCHAT_STATE_MAX_:
        cli_table_addf(table, "%zu byte%s", size, plural);
        break;
    }
}

static void channels_table(cli_table *table, const agentchat_snapshot *snapshot)
{
    size_t history = agentchat_snapshot_message_count(snapshot);

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

static void channels_json(cli_json *json, const agentchat_snapshot *snapshot)
{
    cli_json_count(json, "messages", agentchat_snapshot_message_count(snapshot));
    cli_json_begin(json, "channels", '[');
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);
        agentchat_state_kind kind = agentchat_channel_state_kind(channel);
        bool counted = kind == AGENTCHAT_STATE_MESSAGES || kind == AGENTCHAT_STATE_CHAT;

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

static int run_channels(int argc, char **argv)
{
    return list(&cli_channels, argc, argv, 5, channels_table, channels_json);
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
            "exit status: 0 fine, 2 the file is no chat or cannot be read\n",
    .run = run_channels,
};
