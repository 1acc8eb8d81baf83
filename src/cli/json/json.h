/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: writing it, printing it for a person, values of the command line. */
#ifndef CLI_JSON_JSON_H
#define CLI_JSON_JSON_H

#include <agentchat/agentchat.h>
#include <agentchat/base.h>
#include <agentchat/json_text.h>

/* ==== what the tool asks of JSON text besides what agentchat/json_text.h has ===================================== */

/* What stands between the quotes of a string; absent for any other value. */
agentchat_str cli_json_string(agentchat_str json);
/* Whether it is an object or an array with nothing in it. */
bool cli_json_is_empty(agentchat_str json);
/* Number of elements of an array or members of an object; 0 for any other value. */
size_t cli_json_length(agentchat_str array);

/* ==== JSON text that the library has validated, for a person to read ============================================= */

/* Writes JSON text for a person, on one line: a space follows a comma or colon that has whitespace on either side, and
   stands nowhere else outside strings; escapes of letters become the letters. */
void cli_json_one_line(FILE *out, agentchat_str json);
/* The same on lines: each member of an object and each element of an array on one of its own, indented by its depth (up
   to a bound), without a line end after the last. */
void cli_json_indented(FILE *out, agentchat_str json);

/* ==== writes the --json outputs: one JSON object per line ======================================================== */

/* A writer of a few lines instead of jansson, because values from a chat go out exactly as they are spelled,
   numbers of any size and lone surrogates included, and because nothing here can run out of memory. Characters that
   are unsafe on a terminal leave as \u escapes. */

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

/* ==== prints what a store holds outside of events: times, values of state, texts made of them ==================== */

/* JSON text and a line end, for a program: as it is spelled. On a terminal unsafe characters become escapes. */
void cli_value_put(FILE *out, agentchat_str value);
/* Any text and a line end, for a program: byte for byte. On a terminal unsafe characters become escapes. */
void cli_value_put_text(FILE *out, agentchat_str text);

#endif
