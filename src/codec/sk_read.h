/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reading half of the semantic-kernel format shares. Layer 4.
 * Nothing is decoded in place, so the span of every value stays comparable: that is how the copies which channels hold
 * of the history's messages are found and shared. All functions that return bool return false after a failure, which
 * then sticks in the JSON reader (out of memory included).
 */
#ifndef ACI_CODEC_SK_READ_H
#define ACI_CODEC_SK_READ_H

#include "codec/sk.h"

/* Messages of one list as they are read, and where each stood. */
typedef struct aci_sk_list {
    agentchat_message **messages;
    agentchat_str *spans;
    size_t count, cap, span_cap;
    uint32_t *index; /* hash table over the spans, made when it is first needed: position + 1, 0 is free */
    size_t index_size;
} aci_sk_list;

typedef struct aci_sk_reader {
    aci_read *in;
    const agentchat_env *env;
    aci_home *home;
    agentchat_report *report; /* NULL: nothing is noted */
    uint64_t messages;        /* met so far, copies included */
    uint64_t decoded;         /* bytes of documents inside strings */
    agentchat_item **items;   /* stack: items of the messages that are being read */
    size_t item_count, item_cap;
    agentchat_message *null_message; /* the one message that stands for every null */
    agentchat_str wrapping; /* raw: what our own property of the message read last says about the item around it */
    bool skip_type;         /* the object that is read next has a $type somewhere, which is known already */
} aci_sk_reader;

/* ---- properties (sk_props.c) ---- */

typedef struct aci_sk_other { /* a property read in another letter case, in case the exact one follows */
    agentchat_str key, raw;
    size_t extra; /* where the draft has the exact one's value as an extra, from 1; 0: nowhere */
} aci_sk_other;

typedef struct aci_sk_props {
    aci_sk_reader *s;
    aci_json_reader *r;
    const aci_sk_table *table;
    const aci_sk_path *path;
    aci_draft *draft; /* takes the extras */
    size_t expected;
    agentchat_str key;       /* of the property that is being read */
    int current;             /* its index */
    const char *other_begin; /* where its value stands if its name is spelled in another case; else NULL */
    bool skip_type;
    bool removed;          /* extras of the draft are marked as removed, without a name */
    uint32_t exact, other; /* bits of the properties seen */
    uint32_t old;          /* bits of the properties of older files, whose values wait in others */
    aci_sk_other *others;  /* by index; made when it is first needed */
} aci_sk_props;

enum { ACI_SK_END = -1 };
void aci_sk_props_begin(aci_sk_props *p, aci_sk_reader *s, aci_json_reader *r, const aci_sk_table *table,
                        const aci_sk_path *path, aci_draft *draft);
/* Index of the next property that the table knows; unknown ones are put into the draft's extras on the way. END at the
   end and on failure. */
int aci_sk_props_next(aci_sk_props *p);
/* Releases what the run holds. */
void aci_sk_props_end(aci_sk_props *p);
/* The next value is not of the type that its property should have: it becomes an extra of that name. */
bool aci_sk_props_misfit(aci_sk_props *p, const char *wanted);
/* Reads the value of the current property into a field of the draft: text, label or JSON. */
bool aci_sk_props_field(aci_sk_props *p, const aci_sk_prop *prop);
/* Sets the value of the current property aside, for what is settled at the object's end. */
bool aci_sk_props_keep(aci_sk_props *p);
/* What has been set aside under a property of the table; absent when it did not occur. */
agentchat_str aci_sk_props_kept(const aci_sk_props *p, const char *name);
/* It turned out not to be wanted: it becomes an extra. */
bool aci_sk_props_give_back(aci_sk_props *p, const char *name);
/* Whether the property has been seen, with a value of the right type or null. */
bool aci_sk_props_seen(const aci_sk_props *p, const char *name);

/* ---- tools (sk_read.c) ---- */

bool aci_sk_nomem(aci_json_reader *r);
/* Notes that something was read in another way than it stands. */
bool aci_sk_note(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
/* A reader over a span of outer's document, whose errors go to err. */
void aci_sk_sub_begin(aci_sk_reader *s, const aci_json_reader *outer, aci_json_reader *sub, agentchat_str span,
                      agentchat_error *err);
/* Ends it; a failure becomes one of the outer reader, with the place in the outer document. name: the property that was
   read, when the outer reader stands behind its object; else NULL. */
bool aci_sk_sub_end(aci_json_reader *outer, aci_json_reader *sub, agentchat_str span, const char *name);
/* The same in env's memory, for a value that may nest: a reader is too large for the stack of a recursion. NULL after a
   failure, which outer has; aci_sk_sub_free() ends and releases it. */
aci_json_reader *aci_sk_sub_new(aci_sk_reader *s, aci_json_reader *outer, agentchat_str span);
bool aci_sk_sub_free(aci_sk_reader *s, aci_json_reader *outer, aci_json_reader *sub, agentchat_str span,
                     const char *name);
/* A copy of a decoded string as a document of its own. */
bool aci_sk_decoded(aci_sk_reader *s, aci_json_reader *r, agentchat_str *text);

/* ---- messages and items ---- */

/* Reads an array of messages; those that stand in `known` in the same spelling are shared. */
bool aci_sk_read_messages(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, aci_sk_list *known,
                          aci_sk_list *out);
agentchat_message *aci_sk_read_message(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path);
/* The members of a message object that has been opened already. */
agentchat_message *aci_sk_read_message_members(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path,
                                               const aci_sk_table *table);
bool aci_sk_read_items(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path);
bool aci_sk_push_item(aci_sk_reader *s, aci_json_reader *r, size_t at, agentchat_item *item);
/* The $type of an item whose span is known; absent when it has none, null when it is no string. */
bool aci_sk_find_type(aci_sk_reader *s, aci_json_reader *r, agentchat_str span, agentchat_str *type);
/* An item that is a null in its source. */
agentchat_item *aci_sk_null_item(aci_sk_reader *s, aci_json_reader *r);
agentchat_message *aci_sk_null_message(aci_sk_reader *s, aci_json_reader *r);
/* Reads base64 into *out; absent for null and for what is no string (*misfit). */
bool aci_sk_read_base64(aci_sk_props *p, agentchat_str *out, bool *misfit);
void aci_sk_list_clear(aci_sk_list *list, const agentchat_env *env);
bool aci_sk_list_add(aci_sk_reader *s, aci_json_reader *r, aci_sk_list *list, agentchat_message *message,
                     agentchat_str span);
/* Position in `list` of a message of the same spelling, SIZE_MAX for none. false: out of memory. */
bool aci_sk_list_find(aci_sk_list *list, const agentchat_env *env, agentchat_str span, size_t *position);

/* ---- older forms (sk_read_legacy.c) ---- */

/* What kind an item without $type is, from its properties; 0 when nothing fits. */
agentchat_item_kind aci_sk_guess_kind(agentchat_str raw_item);
/* Puts what older files spell otherwise into its field or its data; data URIs become data. */
bool aci_sk_settle_legacy(aci_sk_props *p, agentchat_item_kind kind, aci_data **data);

/* ---- our own property (sk_read_own.c) ---- */

typedef struct aci_sk_own {
    bool items_null, items_absent, data_absent;
    size_t *nulls; /* in the home */
    size_t null_count;
    agentchat_str item; /* raw: what the item says that holds the message; absent for nothing */
    bool is_null;       /* the message was null */
    bool opaque;        /* the draft holds TYPE and RAW of an opaque item … */
    uint8_t opaque_from;
    /* root and channel */
    size_t synced, appended;
    uint64_t next_turn;
    size_t *pending;
    size_t pending_count;
    bool complete, quoted, added, bytes;
    bool has_state; /* the channel's state was another text */
    uint8_t holds;  /* an aci_sk_state: what the state is, where neither key nor type says so; else OTHER */
    aci_spelling state_spelling;
    agentchat_str state;
    agentchat_str channels; /* raw: channels that were left out */
    aci_value *values;
    size_t value_count;
} aci_sk_own;

/* What stands beside our own property, and takes what it says. */
typedef struct aci_sk_beside {
    const aci_sk_table
        *table; /* NULL: the property of an item that holds a message, which the message's own one holds */
    agentchat_item_kind kind; /* 0: no item */
    aci_draft *draft;
    agentchat_str *texts; /* of the envelope's objects id or key, name, and type; else NULL */
    const aci_data *data; /* of an item */
} aci_sk_beside;

/* Reads the "agentchat" property and applies what it says about fields and extras to the draft. */
bool aci_sk_read_own(aci_sk_reader *s, aci_json_reader *r, agentchat_str raw, const aci_sk_path *path,
                     const aci_sk_beside *beside, aci_sk_own *own);

/* ---- envelope ---- */

bool aci_sk_read_chat(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, aci_sk_list *known,
                      agentchat_snapshot **out);
/* Reads one channel; known: the history's messages. own: what our own property says about it, of which nothing has been
   applied yet that depends on the history: added, appended, nulls, and the state of a history channel or aggregator. */
bool aci_sk_read_channel(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, aci_sk_list *known,
                         agentchat_channel_state *channel, aci_sk_own *own);
/* Reads a text property of an envelope object into a view; null and absent are kept apart. */
bool aci_sk_props_text(aci_sk_props *p, agentchat_str *out);
bool aci_sk_take_extras(aci_sk_props *p, aci_extras **out);
void aci_sk_channel_clear(agentchat_channel_state *channel);

/* ---- what waits for the history (sk_read_claim.c) ---- */

typedef struct aci_sk_claim {
    size_t channel; /* its position */
    aci_sk_own own;
} aci_sk_claim;

typedef struct aci_sk_claims {
    aci_sk_claim *list; /* in env's memory */
    size_t count, cap;
} aci_sk_claims;

/* Whether our own property says something that waits. */
static inline bool aci_sk_is_claim(const aci_sk_own *own)
{
    return own->added || own->has_state || own->appended > 0 || own->null_count > 0;
}
/* Applies the claims that are true, notes the others, and empties the list: what .NET was given is taken back only
   where it is what our writer makes from this history. nulls: positions of the history's null messages, which it does
   not hold yet. Channels that were only added for .NET are taken out. */
bool aci_sk_settle_claims(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, aci_sk_claims *claims,
                          const aci_sk_list *history, const size_t *nulls, size_t null_count,
                          agentchat_channel_state *channels, size_t *channel_count);
/* A channel's state is the text of our own property, or bytes in base64. */
bool aci_sk_take_state(aci_sk_reader *s, aci_json_reader *r, agentchat_channel_state *channel, const aci_sk_own *own);
bool aci_sk_take_bytes(aci_sk_reader *s, aci_json_reader *r, agentchat_channel_state *channel);

#endif
