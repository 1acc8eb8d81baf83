/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event being put together, by the builder and by the readers of all formats.
 *
 * Texts are views into the draft's arena and live as long as it does; what checks they need they have had, but for the
 * rules that are the same for everybody: those are checked here, with a message but without a location.
 */
#ifndef ACI_EVENT_DRAFT_H
#define ACI_EVENT_DRAFT_H

#include "base/index.h"
#include "event/event.h"

typedef struct aci_event_draft {
    const agentchat_env *env;
    aci_arena *arena; /* one reference */
    agentchat_str fields[ACI_EVENT_FIELDS];
    agentchat_change *changes;
    size_t change_count, change_cap;
    aci_index keys;                   /* position of the change of a key */
    const agentchat_message *content; /* one reference unless it lives in arena */
    aci_draft extras, action_extras;  /* only their extras are used */
    bool is_native; /* read from the native format, so as it stood there it was not too deep; when it is written, an
                       unknown property may stand in `extras` and then is two levels deeper: aci_stored_event_text() */
} aci_event_draft;

/* Takes ownership of the reference on arena; NULL is allowed and means out of memory, which aci_event_draft_finish()
   reports. */
void aci_event_draft_begin(aci_event_draft *d, const agentchat_env *env, aci_arena *arena);
/* Gives back everything; after aci_event_draft_finish() too. */
void aci_event_draft_clear(aci_event_draft *d);

/* Checks text of a field that holds text. E_INVALID. */
agentchat_status aci_event_check_text(agentchat_event_field field, agentchat_str text, agentchat_error *err);
/* Name of a field in the native format: "id", "longrunning", … */
const char *aci_event_field_name(agentchat_event_field field);

/* Adds a change, whose own key is not looked at, or replaces that of the same key in place. The key is copied and
   NUL-terminated, the value is not copied. false: out of memory. */
bool aci_event_draft_change(aci_event_draft *d, agentchat_str key, agentchat_change change);
/* Whether a key has a change. */
bool aci_event_draft_has(const aci_event_draft *d, agentchat_str key);

/* The event in the draft's arena, of which it takes ownership. E_NOMEM; E_LIMIT when its text in the native format
   would be deeper than the environment allows, with the location in err; E_INVALID when it has no author. */
agentchat_status aci_event_draft_finish(aci_event_draft *d, agentchat_event **out, agentchat_error *err);

#endif
