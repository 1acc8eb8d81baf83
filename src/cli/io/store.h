/* SPDX-License-Identifier: Apache-2.0 */
/* The store and the session that a command works on. */
#ifndef CLI_IO_STORE_H
#define CLI_IO_STORE_H

#include "cli/command/command.h"
#include <agentchat/session.h>

typedef struct cli_store {
    const cli_command *self;
    const char *name;         /* as it was given */
    agentchat_session_id who; /* set by the command, as far as it names them */
    agentchat_store *store;
    agentchat_error err; /* of the last call */
} cli_store;

typedef enum cli_access {
    CLI_READ,   /* nothing is written, no file is made */
    CLI_CHANGE, /* changes what is there: a file that is not there, or empty, is an error */
    CLI_MAKE,   /* makes the store when it is not there */
} cli_access;

/* Takes the operands STORE APP USER ID. */
void cli_store_take(cli_store *s, char **argv);
/* Checks the names of a session that is to be made, before a store is made for it; NULL: to be found out later. false:
   what is wrong has been reported. */
bool cli_store_check_names(cli_store *s);
/* Opens what s->name names: a URL, or a file. false: the reason has been reported. */
bool cli_store_open(cli_store *s, cli_access access);
/* The same, saying nothing. */
agentchat_status cli_store_try(cli_store *s, cli_access access);
void cli_store_close(cli_store *s);

/* Whether the file is that of the store, or one that SQLite keeps beside it. */
bool cli_store_lies_in(const cli_store *s, const char *file);

/* Makes the tables of a store. */
agentchat_status cli_store_make(cli_store *s);

/* Opens the store and gets the session; options: NULL for all of its events. NULL: the reason has been reported. */
agentchat_session *cli_store_open_session(cli_store *s, cli_access access,
                                          const agentchat_session_get_options *options);
/* Options: no events. */
extern const agentchat_session_get_options cli_store_state_only;

/* What to call the store that is at fault with what s->err holds; NULL: it is not, or has no name that may be shown. */
const char *cli_store_label(const cli_store *s, agentchat_status status);
/* Prints what s->err holds. */
void cli_store_print(FILE *out, const cli_store *s, agentchat_status status);
/* Says what s->err holds and returns the exit status for it: CLI_NO when what was to be made is there already. */
int cli_store_fail(const cli_store *s, agentchat_status status);
/* The same for a call that names the session: its absence is reported with its full name. */
int cli_store_fail_session(const cli_store *s, agentchat_status status);

#endif
