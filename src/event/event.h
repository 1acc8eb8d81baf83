/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events in memory, as text of our own form, and what a store makes of them. Layer 5: above the codecs, beside the live
 * chat; knows no stores.
 *
 * An event, its texts, changes and unknown properties live in one home; its content either lives there too or is a
 * message with a home of its own, of which the event holds a reference. Changes stand in the order in which they are
 * written: SETs, then DELETEs, then ADDs; no key has two.
 */
#ifndef ACI_EVENT_EVENT_H
#define ACI_EVENT_EVENT_H

#include "base/buf.h"
#include "model/model.h"
#include "snapshot/report.h"
#include <agentchat/event.h>
#include <string.h>

enum { ACI_EVENT_FIELDS = AGENTCHAT_EVENT_COMPACTION + 1 };

struct agentchat_event {
    atomic_size_t refs;
    const agentchat_env *env;
    aci_home *home;                         /* one reference */
    agentchat_str fields[ACI_EVENT_FIELDS]; /* by agentchat_event_field; absent, text or JSON text */
    agentchat_change *changes;              /* keys with a NUL behind */
    size_t change_count;
    agentchat_message *content;         /* NULL: none; one reference unless it lives in home */
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

/* Takes over everything but the reference count, which others may be changing. */
static inline void aci_event_assign(agentchat_event *to, const agentchat_event *from)
{
    memcpy((char *)to + offsetof(agentchat_event, env), (const char *)from + offsetof(agentchat_event, env),
           sizeof *to - offsetof(agentchat_event, env));
}

/* A copy in a home of fitting size with one reference; the content is shared where its environment is the same. NULL:
   out of memory. */
agentchat_event *aci_event_copy(const agentchat_env *env, const agentchat_event *event);

/* ---- for stores ------------------------------------------------------------------------------------------------- */

/* Which fields were filled in, so that a retry may differ in them, and whether something temporary was left out. */
enum { ACI_EVENT_MADE_ID = 1, ACI_EVENT_MADE_INVOCATION = 2, ACI_EVENT_MADE_TIME = 4, ACI_EVENT_TRIMMED = 8 };

/* What is stored of an event: a copy without changes of `temp:` keys and without members whose decoded name begins with
   `temp:`, at any depth, in unknown properties, artifacts and the compaction; the content stays as it is. Id,
   invocation (NULL: one is made) and time (that of the day, microseconds) are filled in where it has none; *made says
   what was done. */
agentchat_status aci_event_for_store(const agentchat_env *env, const agentchat_event *event, const char *invocation,
                                     unsigned *made, agentchat_event **out, agentchat_error *err);
/* The same event with the given id, invocation and time instead (absent: as it is), which are not checked: to compare a
   retry with what is stored. */
agentchat_status aci_event_with(const agentchat_event *event, agentchat_str id, agentchat_str invocation,
                                agentchat_str time, agentchat_event **out, agentchat_error *err);
/* Appends our own form, one line without a line end. The same event gives the same bytes. E_NOMEM only. */
agentchat_status aci_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err);
/* The same of an event that is to be stored: E_LIMIT when the text is deeper than the event's environment allows, so
   that it could not be read back. out is unchanged on failure. */
agentchat_status aci_event_stored_text(const agentchat_event *event, aci_buf *out, agentchat_error *err);
/* An event out of a store: what aci_event_text() wrote, and what appending it did:
       {"app":REVISION,"user":REVISION,"sums":{KEY:INTEGER,…},"undo":[[KEY,REVISION,VALUE?],…]}
   All members are optional, effect may be absent. E_CORRUPT with a sentence when one of the texts is not what it should
   be; E_LIMIT when the environment allows less than the store holds. */
agentchat_status aci_event_from_store(const agentchat_env *env, uint64_t sequence, agentchat_str json,
                                      agentchat_str effect, agentchat_event **out, agentchat_error *err);

/* What appending an event did, told to an event that nobody else has yet. */
void aci_event_set_stored(agentchat_event *event, uint64_t sequence, uint64_t app_revision, uint64_t user_revision);
/* The sum that ADD number `index` of the changes came to. false: out of memory. */
bool aci_event_set_sum(agentchat_event *event, size_t index, int64_t sum);
/* Copies the undo text. false: out of memory. */
bool aci_event_set_undo(agentchat_event *event, agentchat_str undo);

#endif
