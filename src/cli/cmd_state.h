/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the group `agentchat state`, and what they share. Layer: cli. */
#ifndef CLI_CMD_STATE_H
#define CLI_CMD_STATE_H

#include "store.h"

extern const cli_command cli_state_all, cli_state_get, cli_state_set, cli_state_add, cli_state_delete;

/* A key that breaks the rules is nobody's: not even the store is opened for it. false: it has been said. */
bool cli_state_check_key(const cli_store *s, const char *key);
/* Says that the key is not there and returns the exit status. */
int cli_state_no_key(const cli_store *s, const char *key);
/* `{"key": …, "value": …, "revision": …}` of a key as the handle shows it. */
void cli_state_print(const agentchat_session *session, const char *key);

#endif
