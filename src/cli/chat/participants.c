/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat participants: who took part. */
#include "cli/chat/chat.h"
#include "cli/chat/list.h"
#include "cli/json/writer.h"
#include "cli/terminal/table.h"

static void fill_table(cli_table *table, const agentchat_snapshot *snapshot)
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

static void print_json(cli_json *json, const agentchat_snapshot *snapshot)
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

static int run(int argc, char **argv)
{
    return cli_list(&cli_participants, argc, argv, 3, fill_table, print_json);
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
    .run = run,
};
