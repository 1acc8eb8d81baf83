/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text that the library has validated, for a person to read. */
#ifndef CLI_JSON_PRINT_H
#define CLI_JSON_PRINT_H

#include <agentchat/base.h>

/* Writes JSON text for a person, on one line: a space follows a comma or colon that has whitespace on either side, and
   stands nowhere else outside strings; escapes of letters become the letters. */
void cli_json_one_line(FILE *out, agentchat_str json);
/* The same on lines: each member of an object and each element of an array on one of its own, indented by its depth (up
   to a bound), without a line end after the last. */
void cli_json_indented(FILE *out, agentchat_str json);

#endif
