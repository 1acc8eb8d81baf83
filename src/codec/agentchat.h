/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the readers and writers of format 1 and of its encoded variant share (docs/formats/agentchat.md). Layer 4.
 *
 * Every object of the format has one table of its properties in the order in which they are written. The reader uses it
 * to predict the next property, the writer to walk through them.
 */
#ifndef ACI_CODEC_AGENTCHAT_H
#define ACI_CODEC_AGENTCHAT_H

#include "base/buf.h"
#include "base/index.h"
#include "codec/codec.h"
#include "io/stream.h"
#include "json/reader.h"
#include "json/writer.h"
#include <string.h>

#define ACI_F1_VERSION 1u
/* Unknown properties of one object that are kept; the rule that no two have the same name is checked one against all,
   and against the entries of `extras`. */
enum { ACI_F1_MAX_UNKNOWN = 256 };

/* ---- names ---------------------------------------------------------------------------------------------------- */

/* What a property holds: an agentchat_field, or one of these. */
enum {
    ACI_F1_TYPE = 64, /* kind of an item */
    ACI_F1_ITEMS,
    ACI_F1_DATA,
    ACI_F1_MESSAGE,
    ACI_F1_FROM,
    ACI_F1_EXTRAS,
    ACI_F1_HEADER,
    ACI_F1_HISTORY,
    ACI_F1_PARTICIPANTS,
    ACI_F1_CHANNELS,
    ACI_F1_VALUES,
    ACI_F1_TURN,
    ACI_F1_COMPLETE,
    ACI_F1_ID,
    ACI_F1_NAME,
    ACI_F1_KEY,
    ACI_F1_STATE_KIND,
    ACI_F1_RAW,
    ACI_F1_STATE,
    ACI_F1_SYNCED,
    ACI_F1_PENDING,
    ACI_F1_MEDIA_TYPE,
    ACI_F1_VALUE,
    ACI_F1_BASE64,
    ACI_F1_FORMAT,
    ACI_F1_READER,
    ACI_F1_ENCODING
};

typedef struct aci_f1_property {
    const char *quoted; /* "\"role\":" as aci_jw_fixed_key() takes it */
    uint8_t quoted_len; /* without a NUL */
    uint8_t what;       /* agentchat_field or ACI_F1_… */
} aci_f1_property;

typedef struct aci_f1_object {
    const aci_f1_property *list;
    uint32_t count; /* at most 32: readers keep a bit for each */
} aci_f1_object;

extern const aci_f1_object aci_f1_header, aci_f1_document, aci_f1_message, aci_f1_participant, aci_f1_channel,
    aci_f1_value, aci_f1_extra;

/* Properties of an item of a kind; for OPAQUE those of an item that another format brought. */
const aci_f1_object *aci_f1_item(agentchat_item_kind kind);
/* Index of a property by name, looked for from `predicted` on and around; object->count when it has none of that name.
 */
uint32_t aci_f1_find_from(const aci_f1_object *object, uint32_t predicted, agentchat_str name);
static inline uint32_t aci_f1_find(const aci_f1_object *object, uint32_t predicted, agentchat_str name)
{
    if (predicted < object->count) {
        const aci_f1_property *p = &object->list[predicted];

        if (name.len == p->quoted_len - 3u && memcmp(name.ptr, p->quoted + 1, name.len) == 0)
            return predicted;
    }
    return aci_f1_find_from(object, predicted, name);
}
/* The kind of a name as it stands in `type`; 0 when there is none. "opaque" gives OPAQUE. */
agentchat_item_kind aci_f1_kind(agentchat_str name);
const char *aci_f1_kind_name(agentchat_item_kind kind);
/* `"type":"text"` and so on: the first property of an item as it is written. */
agentchat_str aci_f1_kind_property(agentchat_item_kind kind);
/* The format of a name as it stands in `from`; NONE when there is none. */
agentchat_format aci_f1_format(agentchat_str name);
/* The kind of an item by its `type`, and for an opaque one its `from`, which may be absent; 0: it is kept whole. */
agentchat_item_kind aci_f1_item_kind(agentchat_str type, agentchat_str from);
agentchat_state_kind aci_f1_state_kind(agentchat_str name); /* 0 when there is none */
const char *aci_f1_state_kind_name(agentchat_state_kind kind);

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* One run of a reader. The arrays are stacks: who pushes takes away again. */
typedef struct aci_f1_reader {
    aci_read *in;
    agentchat_error *err;
    agentchat_message **messages;
    size_t message_count, message_cap;
    agentchat_item **items;
    size_t item_count, item_cap;
    uint64_t messages_left; /* of limits.max_messages, messages that stand in the input */
    uint64_t runs_left;     /* of the same limit, messages that channels name by runs */
    uint64_t
        references_left; /* of limits.max_copies, messages of the history that channels hold in lists of their own */
    uint64_t bytes_left; /* of limits.max_bytes, for what base64 decodes to */
} aci_f1_reader;

/* A snapshot being put together: that of the document, or of a chat inside a channel. */
typedef struct aci_f1_chat {
    agentchat_snapshot *snapshot;
    size_t history_base; /* the history on the reader's stack */
    size_t history_count;
    agentchat_participant *participants;
    size_t participant_count, participant_cap;
    agentchat_channel_state *channels;
    size_t channel_count, channel_cap;
    aci_value *values;
    size_t value_count, value_cap;
    aci_draft draft; /* only its extras are used */
} aci_f1_chat;

/* Which extras of a draft stood in `extras`, all zero until they were read; the others are unknown properties. */
typedef struct aci_f1_entries {
    size_t first, end;
} aci_f1_entries;

/* How the four parts of a document are read: directly or out of base64. */
typedef bool (*aci_f1_part)(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat);
typedef struct aci_f1_parts {
    aci_f1_part history, participants, channels, values;
    bool encoded;
} aci_f1_parts;

/* Reads a document with its header; the whole of both readers. */
agentchat_status aci_f1_read(aci_read *in, const aci_f1_parts *parts, agentchat_snapshot **out, agentchat_error *err);

bool aci_f1_read_history(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat);
bool aci_f1_read_participant(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat);
bool aci_f1_read_channels(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat);
/* The properties of a channel object that comes next, and its state. */
bool aci_f1_read_channel(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat, agentchat_channel_state *channel);
/* An empty channel behind the others, owned by the chat from the start; NULL after a failure. */
agentchat_channel_state *aci_f1_new_channel(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat);
bool aci_f1_read_value(aci_f1_reader *f, aci_json_reader *r, aci_f1_chat *chat);
/* The next message, or NULL after a failure. */
agentchat_message *aci_f1_read_message(aci_f1_reader *f, aci_json_reader *r);
/* A chat without a header, as a channel's state; NULL after a failure. */
agentchat_snapshot *aci_f1_read_chat(aci_f1_reader *f, aci_json_reader *r);

/* Whether member number `index` of an object is the first of its name; fails otherwise. Sets its bit in *seen. */
bool aci_f1_twice(aci_json_reader *r);
static inline bool aci_f1_once(aci_json_reader *r, uint32_t *seen, uint32_t index)
{
    uint32_t bit = UINT32_C(1) << index;

    if ((*seen & bit) != 0)
        return aci_f1_twice(r);
    *seen |= bit;
    return true;
}
/* Whether `quoted` stands at p: a comparison that is worth no call, since names are short. Two overlapping words cover
   names of up to 16 bytes; none has fewer than four, quotes and colon included. */
static inline bool aci_f1_begins(const char *p, const char *quoted, size_t len)
{
    if (len >= 8 && len <= 16) {
        uint64_t first, last, wanted_first, wanted_last;

        memcpy(&first, p, 8);
        memcpy(&wanted_first, quoted, 8);
        memcpy(&last, p + len - 8, 8);
        memcpy(&wanted_last, quoted + len - 8, 8);
        return ((first ^ wanted_first) | (last ^ wanted_last)) == 0;
    }
    if (len >= 4 && len < 8) {
        uint32_t first, last, wanted_first, wanted_last;

        memcpy(&first, p, 4);
        memcpy(&wanted_first, quoted, 4);
        memcpy(&last, p + len - 4, 4);
        memcpy(&wanted_last, quoted + len - 4, 4);
        return ((first ^ wanted_first) | (last ^ wanted_last)) == 0;
    }
    return memcmp(p, quoted, len) == 0;
}
/* The next member of an open object, false at its end or after a failure. *index: in, that of the property that is
   likely to come; out, that of the member's property, or known->count for an unknown one. Messages are read with it. */
static inline bool aci_f1_member(aci_json_reader *r, const aci_f1_object *known, uint32_t *index, agentchat_str *key)
{
    const char *at = aci_json_name_ahead(r);
    size_t left = at != NULL ? (size_t)(r->end - at) : 0;

    for (uint32_t i = *index; left > 0 && i < known->count; i++) {
        const aci_f1_property *p = &known->list[i];

        if (p->quoted_len < left && aci_f1_begins(at, p->quoted, p->quoted_len)) {
            aci_json_take_name(r, at, p->quoted, p->quoted_len);
            *index = i;
            return true;
        }
    }
    if (!aci_json_member(r, key))
        return false;
    *index = aci_f1_find(known, *index, *key);
    return true;
}
/* Walks through the object that comes next for a member that must be a string and may stand there only once; *out is
   absent when there is none. Other members may be anything. */
bool aci_f1_find_string(aci_json_reader *r, agentchat_str name, agentchat_str *out);
/* A string or null. */
bool aci_f1_read_text(aci_json_reader *r, agentchat_str *out);
/* Keeps an unknown property whose name was just read. */
bool aci_f1_read_unknown(aci_f1_reader *f, aci_json_reader *r, aci_draft *draft, const aci_f1_entries *entries,
                         agentchat_str name);
/* Leaves it out and says so. left_out: what was left out of this object before; who has it clears it. */
bool aci_f1_drop_unknown(aci_f1_reader *f, aci_json_reader *r, aci_index *left_out, agentchat_str name,
                         agentchat_report_kind kind);
bool aci_f1_read_extras(aci_f1_reader *f, aci_json_reader *r, aci_draft *draft, aci_f1_entries *entries);
/* Moves a draft's extras into the home and releases the draft's room; *out is NULL when there are none. */
bool aci_f1_take_extras(aci_f1_reader *f, aci_json_reader *r, aci_draft *draft, aci_extras **out);
bool aci_f1_push_message(aci_f1_reader *f, aci_json_reader *r, agentchat_message *message);
bool aci_f1_nomem(aci_json_reader *r); /* fails with E_NOMEM */
/* Bytes of canonical base64, decoded into the home with ACI_READ_PADDING zero bytes behind. */
bool aci_f1_decode(aci_f1_reader *f, aci_json_reader *r, agentchat_str base64, agentchat_str *out);

/* A value that was skipped because something that stands behind it had to be known first, or that is text in base64,
   and a second reader over it. Rare, and too large for the stack of a recursion: in env's memory. */
typedef struct aci_f1_aside {
    aci_json_reader reader;
    agentchat_str span;
    uint64_t offset;
    uint32_t line, column, depth;
    bool decoded; /* span is no part of the input: positions in it mean nothing outside */
    size_t pointer_len;
    char pointer[256]; /* of the value */
} aci_f1_aside;

/* Skips the next value and remembers it. NULL after a failure. */
aci_f1_aside *aci_f1_skip(aci_f1_reader *f, aci_json_reader *r);
/* Takes a string of base64 and remembers the text in it instead. NULL after a failure. */
aci_f1_aside *aci_f1_open_text(aci_f1_reader *f, aci_json_reader *r);
/* Starts reading what was remembered. in_place: for good, the value cannot be read again; else it is only looked at. */
aci_json_reader *aci_f1_aside_begin(aci_f1_reader *f, aci_f1_aside *aside, bool in_place);
/* Ends it: the value must have been read whole. A failure is handed to the outer reader. */
bool aci_f1_aside_end(aci_f1_reader *f, aci_f1_aside *aside, aci_json_reader *outer);
void aci_f1_aside_free(aci_f1_reader *f, aci_f1_aside *aside); /* NULL is allowed */

/* ---- writing -------------------------------------------------------------------------------------------------- */

/* One run of a writer. */
typedef struct aci_f1_writer {
    aci_write *out;
    aci_json_writer w;
    uint64_t messages;   /* written, nested ones included */
    uint64_t in_runs;    /* written as runs */
    uint64_t references; /* of these, such as readers must hold one by one */
    uint32_t deepest;    /* level of a container, besides what w counts */
    uint32_t outside;    /* levels around the part in base64 that is being written */
    bool encoded;
} aci_f1_writer;

/* Where the messages of channels stand in the history of their document. */
typedef struct aci_f1_runs {
    const agentchat_env *env;
    aci_cursor cursor; /* over the history */
    size_t count;      /* of its messages */
    uint32_t *slots;   /* position + 1 of a message by the hash of its address; made when first needed */
    size_t slot_count;
} aci_f1_runs;

void aci_f1_runs_init(aci_f1_runs *runs, const agentchat_env *env, const agentchat_messages *history);
void aci_f1_runs_clear(aci_f1_runs *runs);
/* A position from `from` on where this very message stands in the history; SIZE_MAX when none was found. false: out of
   memory. */
bool aci_f1_runs_find(aci_f1_runs *runs, const agentchat_message *message, size_t from, size_t *out);

/* The whole of both writers. */
agentchat_status aci_f1_write(aci_write *out, const agentchat_snapshot *snapshot, bool encoded, agentchat_error *err);

void aci_f1_write_message(aci_f1_writer *f, const agentchat_message *message);
/* Members of a channel but its key. */
void aci_f1_write_channel_rest(aci_f1_writer *f, const agentchat_channel_state *channel, aci_f1_runs *runs);
/* A chat as a channel's state. */
void aci_f1_write_chat(aci_f1_writer *f, const agentchat_snapshot *snapshot);
/* `extras` and unknown properties. lines: each on a line of its own. */
void aci_f1_write_extras(aci_f1_writer *f, const aci_extras *extras, const aci_f1_object *known, bool lines);
/* A property that may be absent or null. */
void aci_f1_write_text(aci_f1_writer *f, const aci_f1_property *property, agentchat_str text);
void aci_f1_write_raw(aci_f1_writer *f, agentchat_str json);
void aci_f1_write_failed(aci_f1_writer *f, agentchat_status status); /* sticks as a failure of the writer does */
static inline void aci_f1_write_key(aci_f1_writer *f, const aci_f1_property *property)
{
    aci_jw_fixed_key(&f->w, property->quoted, property->quoted_len);
}

#endif
