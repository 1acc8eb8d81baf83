/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the writing half of the semantic-kernel format shares. Layer 4.
 * Strict mode writes what .NET would write, and reports as lost what it has no place for. Default mode also repairs
 * what .NET would refuse, and puts what stood there before into an "agentchat" property, which .NET skips and our
 * reader applies. Failures stick in the JSON writer.
 */
#ifndef ACI_CODEC_SK_WRITE_H
#define ACI_CODEC_SK_WRITE_H

#include "base/index.h"
#include "codec/sk.h"
#include "snapshot/copies.h"
#include "json/writer.h"

/* System.Text.Json's limit on nested containers. */
#define ACI_SK_MAX_DEPTH 64u
/* An open-ended value deeper than this goes into our own property as text, so that it never adds to .NET's count. */
#define ACI_SK_DEEP_VALUE 16u

typedef struct aci_sk_writer {
    aci_json_writer w;
    const agentchat_env *env;
    agentchat_report *report; /* NULL: nothing is reported */
    agentchat_error *err;
    bool strict;
    bool own;     /* "agentchat" properties are written */
    bool quoted;  /* inside a document in a string */
    bool bare;    /* messages as in a bare ChatHistory */
    aci_buf text; /* room for a repaired text */
    aci_copies copies;
    uint64_t held;       /* bytes written of histories and of states as channels hold them: what is no copy */
    uint64_t copy_start; /* of the copy that is being written */
} aci_sk_writer;

void aci_sk_fail(aci_sk_writer *wr, agentchat_status status);
void aci_sk_loss(aci_sk_writer *wr, const aci_sk_path *path, const char *format, ...) AGENTCHAT_PRINTF(3, 4);
void aci_sk_repaired(aci_sk_writer *wr, const aci_sk_path *path, const char *format, ...) AGENTCHAT_PRINTF(3, 4);
/* Bytes made so far. */
static inline uint64_t aci_sk_made(const aci_sk_writer *wr)
{
    return wr->w.written + wr->w.used;
}
/* Around whatever repeats a history: whether it may begin, and that it ended. Copies do not stand in one another. */
static inline bool aci_sk_copy_begin(aci_sk_writer *wr)
{
    wr->copy_start = aci_sk_made(wr);
    return aci_copies_left(&wr->copies, wr->held);
}
static inline void aci_sk_copy_end(aci_sk_writer *wr)
{
    wr->copies.used += aci_sk_made(wr) - wr->copy_start;
}
/* Fails because a channel names too much of the history. */
void aci_sk_copies_fail(aci_sk_writer *wr, const aci_sk_path *path);
#define ACI_SK_PROP_KEY(wr, prop) aci_jw_fixed_key(&(wr)->w, (prop)->quoted, (size_t)(prop)->len + 3)

/* ---- what .NET would refuse (sk_repair.c, sk_uri.c) ---- */
/* Whether .NET is sure to take the text for an absolute URI. */
bool aci_sk_uri_is_absolute(agentchat_str uri);

typedef enum aci_sk_what {
    ACI_SK_KEEP,    /* as it is */
    ACI_SK_OMIT,    /* leave the property out */
    ACI_SK_NULL,    /* null */
    ACI_SK_REPLACE, /* another text, or another raw value for a JSON field */
    ACI_SK_SKIP     /* leave it out; nothing is repaired thereby */
} aci_sk_what;

typedef struct aci_sk_fix {
    aci_sk_what what;
    agentchat_str text; /* valid until the next fix */
    const char *why;    /* half a sentence for the report */
} aci_sk_fix;

/* What default mode does with a field (NULL: absent). kind: 0 for a message. */
aci_sk_fix aci_sk_fix_of(aci_sk_writer *wr, agentchat_item_kind kind, const aci_sk_prop *prop, const aci_field *field);
/* The same for the value of a JSON field. */
aci_sk_fix aci_sk_fix_json(aci_sk_writer *wr, agentchat_field id, agentchat_str raw);
/* The same for a text of the envelope: only lone surrogates matter there. */
aci_sk_fix aci_sk_fix_text(aci_sk_writer *wr, agentchat_str text);
/* Whether names of a raw object's members are the same to .NET, which ignores case there. */
bool aci_sk_names_collide(aci_sk_writer *wr, agentchat_str raw);
/* A readable text for an item of unknown kind, in wr->text. */
agentchat_str aci_sk_opaque_text(aci_sk_writer *wr, const aci_field *fields, size_t count);

/* ---- depth (sk_depth.c): levels of containers that default mode writes ---- */

uint32_t aci_sk_depth_of_messages(aci_sk_writer *wr, const agentchat_messages *messages);
uint32_t aci_sk_depth_of_chat(aci_sk_writer *wr, const agentchat_snapshot *chat);
uint32_t aci_sk_depth_of_state(aci_sk_writer *wr, const agentchat_channel_state *channel);

/* ---- messages ---- */

/* The elements of an array of messages, without those that are null in default mode. */
void aci_sk_write_messages(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_messages *messages);
/* The elements only: those from `first` on that a history channel keeps. Returns their number. */
size_t aci_sk_write_kept(aci_sk_writer *wr, const agentchat_messages *messages, size_t first);
/* item: the one that the message is held by, NULL for a message of a list. */
void aci_sk_write_message(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_message *message,
                          const aci_sk_table *table, const agentchat_item *item);
void aci_sk_write_item(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_item *item);
/* Whether default mode leaves an element out. */
static inline bool aci_sk_drops_item(const aci_sk_writer *wr, const agentchat_item *item)
{
    return item->is_null
               ? !wr->strict
               : wr->strict && item->kind == AGENTCHAT_ITEM_OPAQUE && item->from != AGENTCHAT_FORMAT_SEMANTIC_KERNEL;
}
/* Whether strict mode has nothing to write, nor to report, for a property's field, by aci_fields_present(): asked
   first, since that is so for most properties. */
static inline bool aci_sk_stays_out(const aci_sk_writer *wr, const aci_sk_prop *prop, uint64_t present)
{
    return wr->strict && !prop->always && prop->field != 0 && (present >> prop->field & 1) == 0;
}
/* Writes a property of a table from its field; returns whether its name stands there now. *changed gets the property's
   bit when it was not written as it is. */
bool aci_sk_write_fields(aci_sk_writer *wr, const aci_sk_path *path, agentchat_item_kind kind,
                         const aci_sk_table *table, const aci_sk_prop *prop, const aci_field *field,
                         const aci_extras *extras, uint32_t *changed);

/* ---- our own property (sk_write_own.c) ---- */

/* Opened when there is something to say. */
typedef struct aci_sk_own_out {
    aci_sk_writer *wr;
    bool open;
} aci_sk_own_out;
void aci_sk_own_key(aci_sk_own_out *own, const char *name);
void aci_sk_own_end(aci_sk_own_out *own);
/* The fields of a message or an item whose bit is set in `changed`: their values, or that they are absent. */
void aci_sk_own_fields(aci_sk_own_out *own, const aci_sk_table *table, const aci_field *fields, size_t count,
                       uint32_t changed, bool no_items, bool no_data);
/* What an item that holds a message says itself: in .NET such an item and its message are one. */
void aci_sk_own_item(aci_sk_own_out *own, const aci_sk_path *path, const agentchat_item *item);
/* Positions of the messages that are null and were left out. */
void aci_sk_own_null_messages(aci_sk_own_out *own, const agentchat_messages *messages);
void aci_sk_own_text(aci_sk_own_out *own, const char *name, agentchat_str text);
/* "raw": the value, or "text": the same in a string when it is deep. */
void aci_sk_own_value(aci_sk_writer *wr, const char *name, agentchat_str raw);

/* ---- unknown properties (sk_write_extras.c) ---- */

/* The object that unknown properties are written into. */
typedef struct aci_sk_object {
    agentchat_item_kind kind; /* 0: no item */
    bool envelope;            /* the chat, a participant or a channel */
    bool in_item;             /* .NET refuses unknown names with '$' there: an item, or the message that it is */
    bool has_text;            /* a message with a text item */
    uint32_t written;         /* bits of the properties of the table that stand there already */
} aci_sk_object;
/* Those that can stand beside the properties of the table; the others are losses in strict mode. */
void aci_sk_write_extras(aci_sk_writer *wr, const aci_sk_path *path, const aci_sk_table *table,
                         const aci_extras *extras, const aci_sk_object *object);
/* Default mode: the others, in our own property (table NULL: none can stand outside). */
void aci_sk_own_extras(aci_sk_own_out *own, const aci_sk_path *path, const aci_sk_table *table,
                       const aci_extras *extras, bool in_item);
/* Whether an unknown property belongs into our own one. */
bool aci_sk_extra_is_moved(const aci_sk_table *table, const agentchat_extra *extra, bool in_item);
/* Strict mode: whether the source had something of the wrong type under a property's name, which goes back in its
   stead. */
bool aci_sk_stands_in(const aci_extras *extras, const aci_sk_prop *prop);

/* ---- what our own reader would make of it (sk_probe.c) ---- */

/* A property agentchat: whether it would be taken for ours. */
bool aci_sk_reads_as_own(aci_sk_writer *wr, agentchat_str raw, const aci_sk_object *object);
/* The raw text of an opaque item: whether it would be read as that item again. */
bool aci_sk_reads_as_opaque(aci_sk_writer *wr, const agentchat_item *item);
/* The text of a state: whether it would be read as messages or as a chat. */
bool aci_sk_reads_as_state(aci_sk_writer *wr, agentchat_str text, aci_sk_state kind);

/* ---- envelope ---- */

/* A chat as an object. level: containers around it, itself included. */
void aci_sk_write_chat(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat, uint32_t level);
void aci_sk_write_channel(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat,
                          const agentchat_channel_state *channel, uint32_t level);
/* The first channel of each key, for the next three, in default mode. */
void aci_sk_index_channels(aci_sk_writer *wr, const agentchat_snapshot *chat, aci_index *keys);
/* Whether .NET has no use for this channel: it has no key, or that of an earlier one. */
bool aci_sk_leaves_out(const aci_sk_writer *wr, const agentchat_snapshot *chat, const aci_index *keys, size_t index);
/* Channels for agents that have none yet, without which .NET restores nothing (sk_complete.c). */
void aci_sk_write_missing(aci_sk_writer *wr, const aci_sk_path *path, const agentchat_snapshot *chat,
                          const aci_index *keys, uint32_t level);
/* A state made from the history, for a channel whose own one .NET could not read; the caller began a copy. */
void aci_sk_write_made_state(aci_sk_writer *wr, const agentchat_snapshot *chat, aci_sk_state kind, uint32_t level);

#endif
