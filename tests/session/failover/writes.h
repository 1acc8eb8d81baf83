/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of every kind, each with a user of its own, so that none holds up another. */
#ifndef FAILOVER_WRITES_H
#define FAILOVER_WRITES_H

#include "support/test_support.h"

#include <agentchat/session.h>

typedef struct kind {
    const char *name;
    /* Done before by somebody who did not wait for the standby, as one whose connection was lost; NULL: nothing was. */
    agentchat_status (*before)(agentchat_store *store, const char *user, agentchat_error *err);
    /* The write. */
    agentchat_status (*act)(agentchat_store *store, const char *user, agentchat_error *err);
    /* What it is answered when it was done before; OK in any other case. */
    agentchat_status found;
    /* Whether a store holds what it was to do. */
    bool (*is_done)(agentchat_store *store, const char *user);
} kind;

extern const kind kinds[];
extern const size_t kind_count;

/* The session `s` of a user with an event `e1`, which most of them begin with. */
void writes_prepare(agentchat_store *store, const char *user);

#endif
