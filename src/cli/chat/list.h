/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands have in common that list something of one file: a table or JSON. */
#ifndef CLI_CHAT_LIST_H
#define CLI_CHAT_LIST_H

#include "cli/command/command.h"
#include "cli/json/writer.h"
#include "cli/terminal/table.h"

typedef void cli_list_json_fn(cli_json *json, const agentchat_snapshot *snapshot);
typedef void cli_list_table_fn(cli_table *table, const agentchat_snapshot *snapshot);

/* A command's run(): `print_json` writes the members of the object besides the file's name. */
int cli_list(const cli_command *self, int argc, char **argv, size_t columns, cli_list_table_fn *fill,
             cli_list_json_fn *print_json);

#endif
