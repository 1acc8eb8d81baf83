/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what a store holds outside of events: times, values of state, texts made of them. Layer: cli. */
#ifndef CLI_VALUES_OUT_H
#define CLI_VALUES_OUT_H

#include <agentchat/agentchat.h>

enum { CLI_TIME_LEN = 96 };
/* Microseconds since 1970 as `2026-11-21T10:02:00.000000Z`. */
const char *cli_time_text(int64_t time_us, char buffer[CLI_TIME_LEN]);

/* JSON text and a line end, for a program: as it is spelled. On a terminal unsafe characters become escapes. */
void cli_put_value(FILE *out, agentchat_str value);
/* Any text and a line end, for a program: byte for byte. On a terminal unsafe characters become escapes. */
void cli_put_text(FILE *out, agentchat_str text);

/* What a command that made a session says: its id, or its whole name as one JSON object. */
void cli_print_session(const char *app, const char *user, const char *id, bool as_json);

#endif
