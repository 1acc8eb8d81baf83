/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEMO_NOTE_H
#define DEMO_NOTE_H

#include <agentchat/agentchat.h>

/* A message as one line, `AUTHOR: TEXT`: how the remote service keeps it, and what an agent quotes. */
typedef struct note {
    char text[256];
} note;

note note_of(const agentchat_message *message);

#endif
