/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that a command works on, and those of its checkpoints that are named. */
#ifndef CLI_IO_THREAD_H
#define CLI_IO_THREAD_H

#include "cli/io/store.h"
#include <agentchat/thread.h>

typedef struct cli_thread {
    cli_store store;
    const char *id;
    const char *ns; /* the namespace whose checkpoints are meant; NULL: the usual one */
} cli_thread;

/* What lists the channels of a checkpoint, for cli_channel_find(). */
#define CLI_THREAD_CHANNELS "agentchat thread export STORE THREAD | agentchat channels -"

/* Takes the operands STORE THREAD. */
void cli_thread_take(cli_thread *t, char **argv);

/* Finds the checkpoint that a name means, in a store that is open: its id, or the beginning or the end of the id, when
   only one begins or ends so. false: the reason has been reported; where `missing` is given, that there is none is said
   there instead. */
bool cli_thread_find(cli_thread *t, const char *name, char id[AGENTCHAT_ID_SIZE], bool *missing);

/* Gets a checkpoint; name: as above, NULL for the newest. NULL: the reason has been reported. */
agentchat_checkpoint *cli_thread_get(cli_thread *t, const char *name);
/* The same of a store that is opened for reading before, and closed again when there is none. */
agentchat_checkpoint *cli_thread_open(cli_thread *t, const char *name);

#endif
