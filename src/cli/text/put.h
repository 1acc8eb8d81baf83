/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that is safe to show. A chat is written by models and by people who may be hostile; an escape sequence in it
 * could repaint or reprogram the reader's terminal, and a bidirectional control could make a line read as something
 * else. So nothing from a file is printed raw: what is not plain text appears as a visible escape.
 */
#ifndef CLI_TEXT_PUT_H
#define CLI_TEXT_PUT_H

#include <agentchat/base.h>

/* Prints text on one line, line ends and tabs as \n and \t. Returns the columns it takes. */
size_t cli_put(FILE *out, agentchat_str text);
/* The same for at most `columns` columns (0: all), "…" at the end when something is left out. */
size_t cli_put_cut(FILE *out, agentchat_str text, size_t columns);
/* How text is printed as lines. 0: no bound. */
typedef struct cli_block {
    unsigned indent;
    size_t max_lines, max_columns; /* of the text; what is left out is said */
    size_t screen;                 /* columns of the terminal: longer lines are broken, at a space where there is one */
} cli_block;
/* Prints text as lines, tabs as they are. */
void cli_put_block(FILE *out, agentchat_str text, cli_block block);
/* Length of the longest beginning that takes at most so many columns. */
size_t cli_put_fitting(agentchat_str text, size_t columns);
/* Columns that cli_put() would take. */
size_t cli_put_width(agentchat_str text);
void cli_put_spaces(FILE *out, size_t spaces);
/* "1 message", "2 messages". */
void cli_put_count(FILE *out, size_t count, const char *one, const char *many);

#endif
