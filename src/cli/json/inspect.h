/* SPDX-License-Identifier: Apache-2.0 */
/* Looks into JSON text that the library has validated. */
#ifndef CLI_JSON_INSPECT_H
#define CLI_JSON_INSPECT_H

#include <agentchat/base.h>

/* Walks the members of an object. *at starts as 0. The name is what stands between its quotes. false: no more, or no
   object. */
bool cli_json_next_member(agentchat_str object, size_t *at, agentchat_str *name, agentchat_str *value);
/* The value of the member of that name; absent when there is none. */
agentchat_str cli_json_member(agentchat_str object, const char *name);
/* What stands between the quotes of a string; absent for any other value. */
agentchat_str cli_json_string(agentchat_str json);
/* The text of what stands between the quotes of a string, to be freed; NULL: out of memory. It is cut at U+0000. */
char *cli_json_decode(agentchat_str quoted);
/* Whether it is an object or an array with nothing in it. */
bool cli_json_is_empty(agentchat_str json);
/* Number of elements of an array; 0 for any other value. */
size_t cli_json_length(agentchat_str array);

/* Whether a character is whitespace between values. */
bool cli_json_is_space(char c);
/* Position of the first character from `at` on that is none. */
size_t cli_json_skip_space(agentchat_str json, size_t at);
/* Position after the string that begins at `at`. */
size_t cli_json_skip_string(agentchat_str json, size_t at);

#endif
