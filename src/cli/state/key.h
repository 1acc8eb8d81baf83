/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands on one key of a state share. */
#ifndef CLI_STATE_KEY_H
#define CLI_STATE_KEY_H

#include "cli/io/store.h"

/* A key that breaks the rules is nobody's: not even the store is opened for it. false: it has been reported. */
bool cli_key_check(const cli_store *s, const char *key);
/* Says that the key is not there and returns the exit status. */
int cli_key_missing(const cli_store *s, const char *key);
/* `{"key": …, "value": …, "revision": …}` of a key as the handle shows it. */
void cli_key_print(const agentchat_session *session, const char *key);

#endif
