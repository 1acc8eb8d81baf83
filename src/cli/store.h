/* SPDX-License-Identifier: Apache-2.0 */
/* The store and the session that a command works on. Layer: cli. */
#ifndef CLI_STORE_H
#define CLI_STORE_H

#include "cli.h"
#include <agentchat/session.h>

typedef struct cli_store {
    const cli_command *self;
    const char *name;            /* as it was given */
    const char *app, *user, *id; /* set by the command, where it works on one session */
    agentchat_store *store;
    agentchat_error err; /* of the last call */
} cli_store;

typedef enum cli_access {
    CLI_READ,   /* nothing is written, no file is made */
    CLI_CHANGE, /* changes what is there: a file that is not there, or empty, is an error */
    CLI_MAKE,   /* makes the store when it is not there */
} cli_access;

/* How long every store that is opened from now on waits, in seconds as the option --wait has them. false: that is no
   such number. */
bool cli_store_set_wait(const char *seconds);
/* Takes the operands STORE APP USER ID. */
void cli_store_take(cli_store *s, char **argv);
/* Checks the names of a session that is to be made, before a store is made for it; NULL: to be found out later. false:
   it has been said what is wrong. */
bool cli_store_check_names(cli_store *s);
/* Opens what s->name names: a URL, or a file. false: it has been said why not. */
bool cli_store_open(cli_store *s, cli_access access);
/* The same, saying nothing. */
agentchat_status cli_store_try(cli_store *s, cli_access access);
void cli_store_close(cli_store *s);

/* Whether the file is that of the store, or one that SQLite keeps beside it. */
bool cli_store_lies_in(const cli_store *s, const char *file);

/* Makes the tables of a store. */
agentchat_status cli_store_init(cli_store *s);

/* Opens the store and gets the session with its last so many events. NULL: it has been said why not. */
agentchat_session *cli_session_open(cli_store *s, cli_access access, size_t last);

/* Prints what s->err holds. */
void cli_store_print(FILE *out, const cli_store *s, agentchat_status status);
/* Says what s->err holds and returns the exit status for it: CLI_NO when what was to be made is there already. */
int cli_store_fail(const cli_store *s, agentchat_status status);
/* The same for a call that names the session: that it is not there is said with its whole name. */
int cli_session_fail(const cli_store *s, agentchat_status status);

#endif
