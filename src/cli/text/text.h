/* SPDX-License-Identifier: Apache-2.0 */
/* Text: put safely, numbers, times, errors, memory. */
#ifndef CLI_TEXT_TEXT_H
#define CLI_TEXT_TEXT_H

#include <agentchat/base.h>
#include <stdbool.h>
#include <stdint.h>

/* ==== text that is safe to show ================================================================================== */

/* A chat is written by models and by people who may be hostile; an escape sequence in it could repaint or reprogram
   the reader's terminal, and a bidirectional control could make a line read as something else. So nothing from a
   file is printed raw: what is not plain text appears as a visible escape. */

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

/* ==== what went wrong, for people ================================================================================ */

/* `NAME:LINE:COLUMN: POINTER: message`, parts that are unset left out. NAME may be NULL. */
void cli_error_print(FILE *out, const char *name, agentchat_status status, const agentchat_error *err);

/* ==== text that is put together in memory, by what prints to a file ============================================== */

typedef struct cli_memory {
    FILE *out;  /* NULL: none to be had */
    char *text; /* from cli_memory_end() on, to be freed */
    size_t len;
} cli_memory;

/* false: out of memory, which cli_memory_end() says again. It must not be moved before that. */
bool cli_memory_begin(cli_memory *memory);
/* false: out of memory, and nothing is to be freed. */
bool cli_memory_end(cli_memory *memory);

/* ==== numbers that a user gives ================================================================================== */

/* An integer in plain digits. false: none, or beyond the type. */
bool cli_number_count(const char *text, uint64_t *out);
bool cli_number_integer(const char *text, int64_t *out);
/* A time span such as 90s, 15m, 12h, 30d or 2w, in microseconds. false: none, or beyond the type. */
bool cli_number_span_us(const char *text, int64_t *out);
/* Seconds, such as 5 or 0.5, as milliseconds, at least 1. false: no such number. */
bool cli_number_ms(const char *seconds, uint32_t *out);

/* ==== time ======================================================================================================= */

enum { CLI_TIME_LEN = 96 };
/* Microseconds since 1970 as `2026-11-21T10:02:00.000000Z`. */
const char *cli_time_text(int64_t time_us, char buffer[CLI_TIME_LEN]);

#endif
