/* SPDX-License-Identifier: Apache-2.0 */
/* One append under way, for the calls that are one: of an event, or of a change of state. */
#ifndef ACI_SESSION_APPEND_H
#define ACI_SESSION_APPEND_H

#include "session/session.h"

typedef struct aci_old_value {
    aci_arena *arena; /* where value is copied to */
    agentchat_str key;
    agentchat_str value; /* absent: there was none */
    int64_t revision;
} aci_old_value;

typedef struct aci_shown { /* a change that a map of the handle shows already, so that it can be undone */
    bool is_shown;
    aci_state_value old; /* what it no longer shows; NULL: the key is new */
} aci_shown;

typedef struct aci_change_work {
    agentchat_change change; /* of the event as it was given */
    agentchat_str key;       /* its key */
    agentchat_scope scope;
    aci_old_value old;         /* in the store */
    aci_shown value, revision; /* in the handle's state and revisions */
    int64_t sum;               /* ADD */
    char digits[24];           /* the sum as text */
} aci_change_work;

typedef struct aci_append {
    agentchat_session *session;
    agentchat_event *event; /* as it is stored */
    unsigned made;          /* ACI_EVENT_MADE_… */
    agentchat_append_options options;
    bool must_be_there; /* every changed key, else E_NOTFOUND */
    aci_arena *arena;
    aci_change_work *changes; /* `temp:` among them only during an invocation */
    size_t count, cap;
    bool raises_app, raises_user;
    bool shows_temporary; /* the handle shows the changes of `temp:` keys already; they last when the append does */
    bool repeated;        /* an attempt whose answer was lost may have appended the event */
    /* ---- of one attempt ---- */
    aci_update stage;
    aci_event_array duplicates; /* the event of the same id, if there is one */
    aci_event_loader duplicate_loader;
    aci_old_value expected; /* of options.expect_key */
    aci_buf text, effect, undo;
    bool duplicate, conflict;
    bool is_known; /* it was appended, and all that the handle is to show was read */
    /* ---- the result ---- */
    uint64_t sequence;
} aci_append;

/* To be ended in any case. */
agentchat_status aci_append_begin(aci_append *a, agentchat_session *session, const agentchat_event *event,
                                  agentchat_error *err);
agentchat_status aci_append_run(aci_append *a, agentchat_error *err);
void aci_append_end(aci_append *a);

typedef struct aci_condition { /* on which an event is appended */
    bool must_be_there;        /* every changed key */
    bool has_sequence;
    uint64_t sequence; /* with has_sequence: the session's last */
} aci_condition;
/* Appends an event of one change, or of several; frees the builder. sum: of the first change, if it is one; it and
   sequence may be NULL. */
agentchat_status aci_append_built(agentchat_session *session, agentchat_event_builder *builder, aci_condition when,
                                  int64_t *sum, uint64_t *sequence, agentchat_error *err);

/* ---- parts of it ---------------------------------------------------------------------------------------------- */

/* Whether the event may be appended, by what the first batch has read, and what its sums are. a->duplicate: it is there
   already; a->conflict: E_CONFLICT. */
agentchat_status aci_append_decide(aci_append *a, agentchat_error *err);
/* The event's text, what is stored beside it, and the event as the handle will show it: it belongs to nobody else
   yet. */
agentchat_status aci_append_complete(aci_append *a, agentchat_error *err);
/* The revision that keys of a scope get, and the value that a key gets; absent: it goes. */
int64_t aci_append_revision(const aci_append *a, agentchat_scope scope);
agentchat_str aci_append_value(const aci_change_work *work);
/* Shows the changes of `temp:` keys, as far as that needs memory. E_NOMEM only. */
agentchat_status aci_append_show_temporary(aci_append *a, agentchat_error *err);
/* The same of the others, once they are committed. false: out of memory, and none is shown. */
bool aci_append_show(aci_append *a);
/* Undoes what is shown of them, or makes it permanent. */
void aci_append_unshow(aci_append *a, bool temporary);
void aci_append_settle(aci_append *a, bool temporary);

#endif
