/* SPDX-License-Identifier: Apache-2.0 */
/* The messages that checkpoints add, newest first, read in groups that are not too large. */
#ifndef ACI_THREAD_SEARCH_MESSAGES_H
#define ACI_THREAD_SEARCH_MESSAGES_H

#include "thread/search_added.h"

typedef struct aci_added_message {
    const aci_added *checkpoint;
    int64_t position, number; /* in its history; of its body */
    int64_t length;
} aci_added_message;

enum { ACI_ADDED_GROUP = 256 }; /* messages that are read together */

typedef struct aci_added_messages {
    const aci_added_list *added;
    /* Called for each, without its large data. */
    agentchat_status (*each)(void *user, const aci_added_message *one, const agentchat_message *message,
                             agentchat_error *err);
    void *user;
    bool *stopped; /* set by `each`, and when nothing more may be looked at: */
    size_t *bytes; /* that may still be */
    aci_added_message group[ACI_ADDED_GROUP];
    size_t count;
} aci_added_messages;

/* Goes over those of a checkpoint before a position; the last ones may wait in the group. */
agentchat_status aci_added_messages_of(aci_added_messages *m, const aci_added *one, int64_t before,
                                       agentchat_error *err);
/* Goes over those that wait. */
agentchat_status aci_added_messages_end(aci_added_messages *m, agentchat_error *err);

#endif
