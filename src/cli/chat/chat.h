/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on files, and what they share. */
#ifndef CLI_CHAT_CHAT_H
#define CLI_CHAT_CHAT_H

#include "cli/command/command.h"
#include "cli/json/json.h"
#include "cli/terminal/terminal.h"
#include <agentchat/repair.h>
#include <stddef.h>

/* ==== the commands on files ====================================================================================== */

extern const cli_command cli_check, cli_show, cli_participants, cli_channels, cli_convert, cli_digest, cli_formats,
    cli_diff, cli_view, cli_tokens, cli_trim, cli_repair;

/* A profile by its name. NULL: that there is none was reported. */
const agentchat_repair_profile *cli_repair_profile(const cli_command *self, const char *name);
/* The format of a chat, where chats are written in it: a session is not. */
const char *cli_chat_format(const agentchat_snapshot *snapshot);

/* ==== what the commands have in common that list something of one file: a table or JSON ========================== */

typedef void cli_list_json_fn(cli_json *json, const agentchat_snapshot *snapshot);
typedef void cli_list_table_fn(cli_table *table, const agentchat_snapshot *snapshot);

/* ==== the JSON schemas of schemas/, built into the tool by embed_schemas.cmake =================================== */

typedef struct cli_schema {
    const char *name; /* the file's name without ".schema.json" */
    const unsigned char *text;
    size_t len;
} cli_schema;

extern const cli_schema cli_schemas[];
extern const size_t cli_schema_count;

#endif
