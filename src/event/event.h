/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events in memory. Beside the live chat; knows no formats and no stores.
 *
 * An event, its texts, changes and unknown properties live in one arena; its content either lives there too or is a
 * message with an arena of its own, of which the event holds a reference. Changes stand in the order in which they are
 * written: SETs, then DELETEs, then ADDs; no key has two.
 */
#ifndef ACI_EVENT_EVENT_H
#define ACI_EVENT_EVENT_H

#include "base/buf.h"
#include "model/model.h"
#include <agentchat/event.h>
#include <string.h>

enum { ACI_EVENT_FIELDS = AGENTCHAT_EVENT_COMPACTION + 1 };

struct agentchat_event {
    atomic_size_t refs;
    const agentchat_env *env;
    aci_arena *arena;                       /* one reference */
    agentchat_str fields[ACI_EVENT_FIELDS]; /* by agentchat_event_field; absent, text or JSON text */
    agentchat_change *changes;
    size_t change_count;
    agentchat_message *content;         /* NULL: none; one reference unless it lives in arena */
    aci_extras *extras, *action_extras; /* NULL: none */
    int64_t time_ns;
    uint64_t sequence, app_revision, user_revision; /* 0: not from a store */
    agentchat_str undo;                             /* JSON text of what a store needs to undo it; absent: nothing */
};

/* Whether a field holds JSON text. */
static inline bool aci_event_field_is_json(agentchat_event_field field)
{
    return field == AGENTCHAT_EVENT_PARTIAL || field == AGENTCHAT_EVENT_LONG_RUNNING ||
           (field >= AGENTCHAT_EVENT_ESCALATE && field <= AGENTCHAT_EVENT_COMPACTION);
}
/* Whether an event says of itself that it is a piece of a stream. */
static inline bool aci_event_is_partial(const agentchat_event *event)
{
    return event->fields[AGENTCHAT_EVENT_PARTIAL].len == 4; /* "true" */
}

/* Assigns everything but the reference count, which others may be changing. */
static inline void aci_event_assign(agentchat_event *to, const agentchat_event *from)
{
    memcpy((char *)to + offsetof(agentchat_event, env), (const char *)from + offsetof(agentchat_event, env),
           sizeof *to - offsetof(agentchat_event, env));
}

/* A copy in an arena of fitting size with one reference; the content is shared where its environment is the same. NULL:
   out of memory. */
agentchat_event *aci_event_copy(const agentchat_env *env, const agentchat_event *event);

/* Sets what appending an event did, on an event that nobody else has yet. */
void aci_event_set_stored(agentchat_event *event, uint64_t sequence, uint64_t app_revision, uint64_t user_revision);
/* The sum that ADD number `index` of the changes came to. false: out of memory. */
bool aci_event_set_sum(agentchat_event *event, size_t index, int64_t sum);
/* Copies the undo text. false: out of memory. */
bool aci_event_set_undo(agentchat_event *event, agentchat_str undo);

#endif
