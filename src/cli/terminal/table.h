/* SPDX-License-Identifier: Apache-2.0 */
/* A small table whose columns are aligned when it is printed. */
#ifndef CLI_TERMINAL_TABLE_H
#define CLI_TERMINAL_TABLE_H

#include <agentchat/base.h>

enum { CLI_MAX_COLUMNS = 6 };

typedef struct cli_table {
    size_t columns; /* at most CLI_MAX_COLUMNS */
    size_t cells, cap;
    char **cell; /* row after row, each cell as it is shown; NULL is an empty one */
    bool failed; /* out of memory */
} cli_table;

/* Adds the next cell: text from outside, or text of the tool's own. */
void cli_table_add(cli_table *table, agentchat_str text);
void cli_table_addf(cli_table *table, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
/* Prints the table, its first row as a heading; empties it. false: out of memory. */
bool cli_table_print(FILE *out, cli_table *table);

#endif
