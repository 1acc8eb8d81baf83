/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of providers have in common: a document that is a history. */
#ifndef ACI_FORMAT_KIT_HISTORY_H
#define ACI_FORMAT_KIT_HISTORY_H

#include "format/kit/out.h"

/* A document being read. */
typedef struct aci_history_in {
    aci_raw_reader a;
    uint64_t most; /* messages */
    agentchat_message **messages;
    size_t count, cap;
    aci_extras *extras; /* of the chat */
    agentchat_str form; /* the chat's form mark */
} aci_history_in;

/* Reads the document's value; false after a failure. */
typedef bool aci_history_reader(aci_history_in *h, agentchat_str raw);
agentchat_status aci_history_read(const aci_read *in, const char *name, aci_history_reader *read,
                                  agentchat_snapshot **out, agentchat_error *err);
bool aci_history_add(aci_history_in *h, agentchat_message *message); /* message NULL: false */
/* Reads the elements of an array, each as a message. */
typedef agentchat_message *aci_message_reader(aci_raw_reader *a, const aci_location *path, agentchat_str raw);
bool aci_history_add_all(aci_history_in *h, const aci_location *path, agentchat_str raw, aci_message_reader *read);

/* Reports what a history cannot hold: participants, channels, values and what else belongs to a chat. extras: of
   the snapshot, too. */
void aci_history_only(aci_out *out, const agentchat_snapshot *snapshot, bool extras);

#endif
