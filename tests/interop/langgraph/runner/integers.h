/* SPDX-License-Identifier: Apache-2.0 */
/* JSON with integers that jansson does not hold: each becomes a string that begins with INTEGERS_MARK. */
#ifndef RUNNER_INTEGERS_H
#define RUNNER_INTEGERS_H

#include <agentchat/base.h>
#include <jansson.h>

#define INTEGERS_MARK "$integer:"

/* NULL: it is no JSON. */
json_t *integers_load(agentchat_str text);
/* Appends a value with its integers as they were spelled. */
void integers_dump(const json_t *value, agentchat_bytes *out);

#endif
