/* SPDX-License-Identifier: Apache-2.0 */
/* Looks into JSON text that the library has validated. Layer: cli. */
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include <agentchat/base.h>

/* Writes JSON text for a person, on one line: each run of white space outside strings becomes one space, and none after
   the opening of an indented object or array; escapes of letters become the letters. */
void cli_json_one_line(FILE *out, agentchat_str json);
/* The same on lines: each member of an object and each element of an array on one of its own, indented by its depth
   (up to a bound), without a line end behind the last. */
void cli_json_indented(FILE *out, agentchat_str json);
/* Walks the members of an object. *at starts as 0. The name is what stands between its quotes. false: no more, or no
   object. */
bool cli_json_next_member(agentchat_str object, size_t *at, agentchat_str *name, agentchat_str *value);
/* The value of the member of that name; absent when there is none. */
agentchat_str cli_json_member(agentchat_str object, const char *name);
/* What stands between the quotes of a string; absent for any other value. */
agentchat_str cli_json_string(agentchat_str json);
/* Whether it is an object or an array with nothing in it. */
bool cli_json_is_empty(agentchat_str json);
/* Number of elements of an array; 0 for any other value. */
size_t cli_json_length(agentchat_str array);

#endif
