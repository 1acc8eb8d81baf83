/* SPDX-License-Identifier: Apache-2.0 */
/* An agent whose memory is a thread of the remote service. */
#ifndef DEMO_ARCHIVIST_H
#define DEMO_ARCHIVIST_H

#include <agentchat/agentchat.h>

typedef struct archivist {
    const char *remote; /* directory of the service */
    /* The process is killed inside this answer of the Archivist, counted from 1, when the service has its part and the
       chat has not; 0: never. */
    size_t killed_in_answer;
    size_t answers;
} archivist;

/* Makes the agent and adds it; the archivist must outlive the chat. */
agentchat_status archivist_join(archivist *self, agentchat_chat *chat, agentchat_error *err);

#endif
