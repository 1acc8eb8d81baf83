/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what a store holds outside of events: times, values of state, texts made of them. */
#ifndef CLI_IO_VALUE_H
#define CLI_IO_VALUE_H

#include <agentchat/agentchat.h>

/* JSON text and a line end, for a program: as it is spelled. On a terminal unsafe characters become escapes. */
void cli_value_put(FILE *out, agentchat_str value);
/* Any text and a line end, for a program: byte for byte. On a terminal unsafe characters become escapes. */
void cli_value_put_text(FILE *out, agentchat_str text);

#endif
