/* SPDX-License-Identifier: Apache-2.0 */
/* Who speaks in a chat: a number for each, participants first, for colours and filters. */
#ifndef ACI_VIEW_AUTHORS_H
#define ACI_VIEW_AUTHORS_H

#include "base/index.h"
#include "snapshot/snapshot.h"

/* The first of so many authors have a colour that no other one has; style/authors.css. */
enum { ACI_AUTHOR_COLOURS = 12 };

typedef struct aci_authors {
    const agentchat_env *env;
    agentchat_str *names;
    size_t count, cap;
    aci_index numbers;
    bool copies; /* the names outlive the chats that they come from */
} aci_authors;

/* Adds those of a chat's participants, history and channels, and of the chats inside. false: out of memory. */
bool aci_authors_add(aci_authors *authors, const agentchat_snapshot *snapshot);
void aci_authors_clear(aci_authors *authors);
/* What a message goes under: its author's name, else its role. */
agentchat_str aci_author_of(const agentchat_message *message);
/* A name's number, or ACI_INDEX_NONE. */
size_t aci_author_number(const aci_authors *authors, agentchat_str name);

#endif
