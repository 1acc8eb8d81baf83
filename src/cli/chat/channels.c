/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat channels: what each channel holds. */
#include "cli/chat/chat.h"
#include "cli/chat/list.h"
#include "cli/json/writer.h"
#include "cli/terminal/table.h"

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

static void fill_table(cli_table *table, const agentchat_snapshot *snapshot)
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

static void print_json(cli_json *json, const agentchat_snapshot *snapshot)
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

static int run(int argc, char **argv)
{
    return cli_list(&cli_channels, argc, argv, 5, fill_table, print_json);
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
    .run = run,
};
