/* SPDX-License-Identifier: Apache-2.0 */
/* What the tool asks of JSON text besides what agentchat/json_text.h has. */
#ifndef CLI_JSON_INSPECT_H
#define CLI_JSON_INSPECT_H

#include <agentchat/json_text.h>

/* What stands between the quotes of a string; absent for any other value. */
agentchat_str cli_json_string(agentchat_str json);
/* Whether it is an object or an array with nothing in it. */
bool cli_json_is_empty(agentchat_str json);
/* Number of elements of an array or members of an object; 0 for any other value. */
size_t cli_json_length(agentchat_str array);

#endif
