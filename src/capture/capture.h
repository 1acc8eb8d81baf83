/* SPDX-License-Identifier: Apache-2.0 */
/* Capturing a chat, and the chats inside its channels. */
#ifndef ACI_CAPTURE_CAPTURE_H
#define ACI_CAPTURE_CAPTURE_H

#include "chat/chat.h"
#include "snapshot/report.h"
#include "snapshot/snapshot.h"

/* One capture, from the outermost chat to the innermost. */
typedef struct aci_capturing {
    agentchat_capture_options options;
    agentchat_report *report; /* NULL: not wanted */
    aci_buf path;             /* JSON Pointer of the chat that is being captured */
    uint32_t depth;           /* of that chat: 0 for the outermost */
    agentchat_error undelivered;
} aci_capturing;

/* Captures a chat whose flag is taken. */
agentchat_status aci_capture_chat(aci_capturing *capturing, agentchat_chat *chat, agentchat_snapshot **out,
                                  agentchat_error *err);

/* The same of an outermost chat, its report included; NULL: not wanted. */
agentchat_status aci_capture_outermost(agentchat_chat *chat, const agentchat_capture_options *options,
                                       agentchat_snapshot **out, agentchat_report **report, agentchat_error *err);

#endif
