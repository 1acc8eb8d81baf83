/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the --json outputs: one JSON object per line. A writer of a few lines instead of jansson, because values from
 * a chat go out exactly as they are spelled, numbers of any size and lone surrogates included, and because nothing here
 * can run out of memory. Characters that are unsafe on a terminal leave as \u escapes.
 */
#ifndef CLI_JSON_WRITER_H
#define CLI_JSON_WRITER_H

#include <agentchat/agentchat.h>

typedef struct cli_json {
    FILE *out;
    bool comma; /* something stands before, in the same object or array */
} cli_json;

/* `name` is the member's name, or NULL in an array and at the top. */
void cli_json_begin(cli_json *json, const char *name, char bracket);      /* '{' or '[' */
void cli_json_end(cli_json *json, char bracket);                          /* '}' or ']' */
void cli_json_text(cli_json *json, const char *name, agentchat_str text); /* absent: nothing is written */
void cli_json_cstr(cli_json *json, const char *name, const char *text);   /* NULL: nothing is written */
void cli_json_count(cli_json *json, const char *name, uint64_t value);
void cli_json_bool(cli_json *json, const char *name, bool value);
void cli_json_raw(cli_json *json, const char *name, agentchat_str value);    /* JSON text; absent: nothing is written */
void cli_json_base64(cli_json *json, const char *name, agentchat_str bytes); /* as of RFC 4648, padded */
/* A complete JSON text, which keeps its lines. */
void cli_json_lines(FILE *out, agentchat_str text);
/* Ends the line. */
void cli_json_line(cli_json *json);

/* Members "status", "message", "path", "offset", "line", "column" of a failure, those that are set. */
void cli_json_error(cli_json *json, agentchat_status status, const agentchat_error *err);
/* Member "report": the notes, repairs and losses of up to two reports. */
void cli_json_report(cli_json *json, const agentchat_report *first, const agentchat_report *second);
/* The same of any number of reports. */
void cli_json_reports(cli_json *json, const agentchat_report *const *reports, size_t count);

#endif
