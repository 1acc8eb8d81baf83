/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of the store that --store names, where a file of a chat could stand. */
#ifndef CLI_IO_STORED_H
#define CLI_IO_STORED_H

#include "cli/io/store.h"

/* A session with all of its events, or why there is none. Released by cli_stored_close(). */
typedef struct cli_stored {
    char *names; /* APP, USER and ID, each with a NUL */
    cli_store store;
    agentchat_session *session;
    agentchat_error err; /* its message begins with the store's name where that is at fault */
} cli_stored;

/* Whether an operand names a session: --store was given, and it is not -. */
bool cli_stored_is(const char *name);
/* Gets the session that APP/USER/ID names, for reading; ~1 is a /, and ~0 a ~, in each of the three. */
agentchat_status cli_stored_open(cli_stored *stored, const char *name);
void cli_stored_close(cli_stored *stored);
/* Whether a file that is to be written is that of the store, or one that SQLite keeps beside it. */
bool cli_stored_lies_in(const char *file);

#endif
