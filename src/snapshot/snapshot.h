/* SPDX-License-Identifier: Apache-2.0 */
/* The snapshot in memory and how readers and captures put one together. */
#ifndef ACI_SNAPSHOT_SNAPSHOT_H
#define ACI_SNAPSHOT_SNAPSHOT_H

#include "base/index.h"
#include "base/shared.h"
#include "model/model.h"
#include "model/value_list.h"
#include <agentchat/snapshot.h>

/* How a text stood in its source, so that it can go back the same way. */
typedef enum aci_spelling {
    ACI_SPELLED_ANY = 0,   /* made here: the writer chooses */
    ACI_SPELLED_RAW = 1,   /* a JSON value */
    ACI_SPELLED_STRING = 2 /* a JSON string with the text in it */
} aci_spelling;

struct agentchat_participant {
    agentchat_str id, name, type; /* absent, null or present */
    aci_extras *extras;
};

struct agentchat_channel_state {
    agentchat_str key, type;
    agentchat_channel_kind kind;
    aci_spelling spelling;
    agentchat_str data;          /* TEXT, BYTES; absent or null as in the source */
    agentchat_messages messages; /* MESSAGES */
    agentchat_snapshot *chat;    /* CHAT; one reference */
    size_t synced;               /* or AGENTCHAT_SYNCED_UNKNOWN */
    size_t *pending;             /* ascending positions in the history */
    size_t pending_count;
    aci_extras *extras;
    bool named; /* a document names its messages from the history: spelling them out makes copies (snapshot/copies.h) */
};

typedef struct aci_value {
    agentchat_str name, media_type;
    agentchat_str value;  /* of a list: absent */
    aci_value_list *list; /* the elements of a JSON array; one reference; NULL: the value is a text, or bytes */
    aci_arena *arena;     /* where all of it lives; one reference; NULL: in the snapshot's */
} aci_value;

struct agentchat_snapshot {
    atomic_size_t refs;
    const agentchat_env *env;
    aci_arena *arena;   /* everything below but the lists' segments and nested snapshots lives here */
    const char *format; /* static; NULL: captured or built */
    agentchat_messages history;
    agentchat_participant *participants;
    size_t participant_count;
    agentchat_channel_state *channels;
    size_t channel_count;
    aci_value *values;
    size_t value_count;
    aci_index value_names; /* empty when there are few; of several of one name the first */
    aci_extras *extras;
    agentchat_str form;    /* the form mark, JSON text; absent: none */
    uint64_t next_turn;    /* at most ACI_HIGHEST_INTEGER */
    uint64_t source_bytes; /* of the document that it, or what it was made from, was read from; 0: of none */
    bool is_complete;
    agentchat_snapshot *next_dead; /* while snapshots are taken apart: nested ones wait in a list, not on the stack */
};

/* The highest integer that all readers of JSON agree on (RFC 8259, section 6); the formats know no higher one. */
#define ACI_HIGHEST_INTEGER ((UINT64_C(1) << 53) - 1)

/* An empty snapshot with one reference that takes ownership of one reference on arena. NULL (arena released): out of
   memory. */
agentchat_snapshot *aci_snapshot_new(const agentchat_env *env, aci_arena *arena);
/* Gives the snapshot its named values and what they have references on, on failure too; once. The array lives in its
   arena. false: out of memory. */
bool aci_snapshot_set_values(agentchat_snapshot *snapshot, aci_value *values, size_t count);
/* The text or bytes of a value; that of a list is made by the first who asks. false: out of memory. */
ACI_SHARED bool aci_snapshot_value_text(const aci_value *value, agentchat_str *out);

/* Copies into an arena. A channel's messages and chat are shared: the copy has references of its own, also when it
   fails (false, or *ok set false: out of memory). */
void aci_snapshot_copy_participant(agentchat_participant *to, const agentchat_participant *from, aci_arena *arena,
                                   bool *ok);
bool aci_snapshot_copy_channel(agentchat_channel_state *to, const agentchat_channel_state *from, aci_arena *arena);

/* "text", "bytes", "messages" or "chat": a kind of state in format 1; NULL for none of them. */
ACI_SHARED const char *aci_snapshot_state_kind_name(agentchat_channel_kind kind);

#endif
