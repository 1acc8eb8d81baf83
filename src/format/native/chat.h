/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the readers and writers of format 1 and of its encoded variant share (docs/formats/agentchat.md).
 *
 * Every object of the format has one table of its properties in the order in which they are written. The reader uses it
 * to predict the next property, the writer to walk through them.
 */
#ifndef ACI_FORMAT_NATIVE_CHAT_H
#define ACI_FORMAT_NATIVE_CHAT_H

#include "base/buf.h"
#include "base/index.h"
#include "format/kit/document.h"
#include "format/native/message_json.h"
#include "io/stream.h"
#include "json/reader.h"
#include "json/writer.h"
#include <string.h>

#define ACI_NATIVE_VERSION 1u
/* Unknown properties of one object that are kept; the rule that no two have the same name is checked one against all,
   and against the entries of `extras`. */
enum { ACI_NATIVE_MAX_UNKNOWN = 256 };

/* ---- names ---------------------------------------------------------------------------------------------------- */

/* The names of the format, and of its encoded variant. */
extern const char aci_native_name[10], aci_native_encoded_name[18];
/* Whether what has this `from` came from the format itself. */
static inline bool aci_native_is_own(agentchat_str tag)
{
    return aci_tag_is(tag, ACI_TAG(aci_native_name));
}

/* What a property holds: an agentchat_field, or one of these. */
enum {
    ACI_NATIVE_TYPE = 64, /* kind of an item */
    ACI_NATIVE_ITEMS,
    ACI_NATIVE_CONTENT, /* of a result */
    ACI_NATIVE_DATA,
    ACI_NATIVE_MESSAGE,
    ACI_NATIVE_FROM,
    ACI_NATIVE_EXTRAS,
    ACI_NATIVE_HEADER,
    ACI_NATIVE_HISTORY,
    ACI_NATIVE_PARTICIPANTS,
    ACI_NATIVE_CHANNELS,
    ACI_NATIVE_VALUES,
    ACI_NATIVE_TURN,
    ACI_NATIVE_COMPLETE,
    ACI_NATIVE_FORM, /* of a chat */
    ACI_NATIVE_ID,
    ACI_NATIVE_NAME,
    ACI_NATIVE_KEY,
    ACI_NATIVE_STATE_KIND,
    ACI_NATIVE_RAW,
    ACI_NATIVE_STATE,
    ACI_NATIVE_SYNCED,
    ACI_NATIVE_PENDING,
    ACI_NATIVE_MEDIA_TYPE,
    ACI_NATIVE_VALUE,
    ACI_NATIVE_BASE64,
    ACI_NATIVE_FORMAT,
    ACI_NATIVE_READER,
    ACI_NATIVE_ENCODING,
    ACI_NATIVE_SEQUENCE, /* of an event; its other properties are each an agentchat_event_field */
    ACI_NATIVE_ACTIONS,
    ACI_NATIVE_SETS,
    ACI_NATIVE_DELETES,
    ACI_NATIVE_ADDS
};

typedef struct aci_native_property {
    const char *quoted; /* "\"role\":" as aci_writer_fixed_key() takes it */
    uint8_t quoted_len; /* without a NUL */
    uint8_t what;       /* agentchat_field or ACI_NATIVE_… */
} aci_native_property;

typedef struct aci_native_object {
    const aci_native_property *list;
    uint32_t count; /* at most 32: readers keep a bit for each */
} aci_native_object;

extern const aci_native_object aci_native_header, aci_native_document, aci_native_message, aci_native_participant,
    aci_native_channel, aci_native_value, aci_native_extra;

/* Properties of an item of a kind; for OPAQUE those of an item that another format brought. */
const aci_native_object *aci_native_item(agentchat_item_kind kind);
/* Index of a property by name, looked for from `predicted` on and around; object->count when it has none of that name.
 */
uint32_t aci_native_find_from(const aci_native_object *object, uint32_t predicted, agentchat_str name);
static inline uint32_t aci_native_find(const aci_native_object *object, uint32_t predicted, agentchat_str name)
{
    if (predicted < object->count) {
        const aci_native_property *p = &object->list[predicted];

        if (name.len == p->quoted_len - 3u && memcmp(name.ptr, p->quoted + 1, name.len) == 0)
            return predicted;
    }
    return aci_native_find_from(object, predicted, name);
}
/* The kind of a name as it stands in `type`; 0 when there is none. "opaque" gives OPAQUE. */
agentchat_item_kind aci_native_kind(agentchat_str name);
/* `"type":"text"` and so on: the first property of an item as it is written. */
agentchat_str aci_native_kind_property(agentchat_item_kind kind);
/* The kind of an item by its `type`, and for an opaque one its `from`, which may be absent; 0: it is kept as raw
   text. So is an opaque one with a `from` in which a name repeats. */
agentchat_item_kind aci_native_item_kind(agentchat_str type, agentchat_str from);
agentchat_channel_kind aci_native_state_kind(agentchat_str name); /* 0 when there is none */
const char *aci_native_state_kind_name(agentchat_channel_kind kind);

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* One run of a reader. The arrays are stacks: whoever pushes also pops. */
typedef struct aci_native_reader {
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
    /* Reads a chat without a header, as a channel's state; NULL after a failure. Where there are no channels: not set.
     */
    agentchat_snapshot *(*read_chat)(struct aci_native_reader *f, aci_json_reader *r);
} aci_native_reader;

/* A snapshot being put together: that of the document, or of a chat inside a channel. */
typedef struct aci_native_chat {
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
} aci_native_chat;

/* How the history of a document and the elements of its other parts are read: directly or out of base64. */
typedef bool aci_native_part(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat);
typedef struct aci_native_parts {
    aci_native_part *history, *participant, *channel, *value;
    bool encoded;
} aci_native_parts;

/* Reads a document with its header; all of what both readers do. */
agentchat_status aci_native_read(aci_read *in, const aci_native_parts *parts, agentchat_snapshot **out,
                                 agentchat_error *err);

aci_native_part aci_native_read_history, aci_native_read_participant, aci_native_read_channel, aci_native_read_value;
/* The properties of a channel object that comes next, and its state. */
bool aci_native_read_channel_members(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat,
                                     agentchat_channel_state *channel);
/* An empty channel after the others, owned by the chat from the start; NULL after a failure. */
agentchat_channel_state *aci_native_new_channel(aci_native_reader *f, aci_json_reader *r, aci_native_chat *chat);
/* The messages of the array that comes next, onto the reader's stack. */
bool aci_native_read_messages(aci_native_reader *f, aci_json_reader *r);
/* The next message, or NULL after a failure. */
agentchat_message *aci_native_read_message(aci_native_reader *f, aci_json_reader *r);

/* Whether member number `index` of an object is the first of its name; fails otherwise. Sets its bit in *seen. */
bool aci_native_twice(aci_json_reader *r);
static inline bool aci_native_once(aci_json_reader *r, uint32_t *seen, uint32_t index)
{
    uint32_t bit = UINT32_C(1) << index;

    if ((*seen & bit) != 0)
        return aci_native_twice(r);
    *seen |= bit;
    return true;
}
/* Whether `quoted` stands at p: a comparison that is worth no call, since names are short. Two overlapping words cover
   names of up to 16 bytes; none has fewer than four, quotes and colon included. */
static inline bool aci_native_begins(const char *p, const char *quoted, size_t len)
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
static inline bool aci_native_member(aci_json_reader *r, const aci_native_object *known, uint32_t *index,
                                     agentchat_str *key)
{
    const char *at = aci_json_name_ahead(r);
    size_t left = at != NULL ? (size_t)(r->end - at) : 0;

    for (uint32_t i = *index; left > 0 && i < known->count; i++) {
        const aci_native_property *p = &known->list[i];

        if (p->quoted_len < left && aci_native_begins(at, p->quoted, p->quoted_len)) {
            aci_json_take_name(r, at, p->quoted, p->quoted_len);
            *index = i;
            return true;
        }
    }
    if (!aci_json_member(r, key))
        return false;
    *index = aci_native_find(known, *index, *key);
    return true;
}
/* The properties of an object that is being read. Start it with `known` and what becomes of unknown properties. */
typedef struct aci_native_members {
    const aci_native_object *known;
    aci_draft *draft; /* what keeps unknown properties and `extras`; NULL: unknown ones are left out, */
    agentchat_report_kind left_out_kind; /* which the report says in this way */
    aci_index left_out;                  /* their names; to be cleared */
    size_t first_entry, end_entry;       /* the draft's extras that stood in `extras`: zero until they were read */
    uint32_t next, seen;
} aci_native_members;

/* Reads an unknown property, whose name was just read, or `extras`, as `members` has it. */
bool aci_native_read_other(aci_native_reader *f, aci_json_reader *r, aci_native_members *members, agentchat_str name);
/* Goes to the next property of an open object that its reader must take: each comes once, and those that are unknown
   and `extras` are dealt with on the way. false at the end or after a failure. */
static inline bool aci_native_next(aci_native_reader *f, aci_json_reader *r, aci_native_members *members, uint8_t *what)
{
    const aci_native_object *known = members->known;
    agentchat_str key = {NULL, 0};

    for (; aci_native_member(r, known, &members->next, &key); members->next++) {
        if (members->next < known->count) {
            *what = known->list[members->next].what;
            if (!aci_native_once(r, &members->seen, members->next))
                return false;
            if (*what != ACI_NATIVE_EXTRAS) {
                members->next++;
                return true;
            }
        }
        if (!aci_native_read_other(f, r, members, key))
            return false;
    }
    return false;
}
/* Walks through the object that comes next for a member that must be a string and may stand there only once; *out is
   absent when there is none. Other members may be anything. */
bool aci_native_find_string(aci_json_reader *r, agentchat_str name, agentchat_str *out);
/* A JSON value that the field may have. */
bool aci_native_read_json(aci_json_reader *r, agentchat_field field, agentchat_str *out);
/* Walks through the object that comes next: whether two of its members have one name. false after a failure. */
bool aci_native_find_repeat(aci_json_reader *r, const agentchat_env *env, bool *repeats);
/* A string or null. */
bool aci_native_read_text(aci_json_reader *r, agentchat_str *out);
/* The name of a format, known or not. */
bool aci_native_read_from(aci_json_reader *r, agentchat_str *out);
/* Moves a draft's extras into the arena and releases the draft's room; *out is NULL when there are none. */
bool aci_native_take_extras(aci_native_reader *f, aci_json_reader *r, aci_draft *draft, aci_extras **out);
bool aci_native_push_message(aci_native_reader *f, aci_json_reader *r, agentchat_message *message);
bool aci_native_nomem(aci_json_reader *r); /* fails with E_NOMEM */
/* Bytes of canonical base64, decoded into the arena with ACI_READ_PADDING zero bytes after them. */
bool aci_native_decode(aci_native_reader *f, aci_json_reader *r, agentchat_str base64, agentchat_str *out);

/* A value that was skipped because something that follows it had to be known first, or that is text in base64, and a
   second reader over it. Rare, and too large for the stack of a recursion: in env's memory. */
typedef struct aci_native_deferred {
    aci_json_reader reader;
    agentchat_str span;
    uint64_t offset;
    uint32_t line, column, depth;
    bool decoded; /* span is no part of the input: positions in it mean nothing outside */
    size_t pointer_len;
    char pointer[256]; /* of the value */
} aci_native_deferred;

/* Skips the next value and remembers it. NULL after a failure. */
aci_native_deferred *aci_native_skip(aci_native_reader *f, aci_json_reader *r);
/* Takes a string of base64 and remembers the text in it instead. NULL after a failure. */
aci_native_deferred *aci_native_open_text(aci_native_reader *f, aci_json_reader *r);
/* Starts reading what was remembered. in_place: for good, the value cannot be read again; else it is only looked at. */
aci_json_reader *aci_native_deferred_begin(aci_native_reader *f, aci_native_deferred *deferred, bool in_place);
/* Ends it: the value must have been read to its end. A failure is handed to the outer reader. */
bool aci_native_deferred_end(aci_native_reader *f, aci_native_deferred *deferred, aci_json_reader *outer);
void aci_native_deferred_free(aci_native_reader *f, aci_native_deferred *deferred); /* NULL is allowed */

/* Reading a text that is no document: the reader over a copy of it, in an arena of its own with zero bytes after it. */
typedef struct aci_native_input {
    aci_read in;
    aci_native_reader f; /* for messages, extras and deferred values */
    aci_json_reader r;
    agentchat_error detail;
} aci_native_input;

/* who_has: "the event has", for the message about a text that is too long. options: those that env and the arena do not
   decide. E_NOMEM, E_LIMIT. On success to be ended with aci_native_input_end(). */
agentchat_status aci_native_input_begin(aci_native_input *input, const agentchat_env *env, agentchat_str text,
                                        const char *who_has, const aci_json_options *options, agentchat_report *report,
                                        agentchat_error *err);
/* Releases what reading needed, not the arena. Returns the reader's status, which `detail` explains. */
agentchat_status aci_native_input_end(aci_native_input *input);

/* ---- writing -------------------------------------------------------------------------------------------------- */

/* One run of a writer. */
typedef struct aci_native_writer {
    aci_write *out;
    aci_json_writer w;
    uint64_t messages;   /* written, nested ones included */
    uint64_t in_runs;    /* written as runs */
    uint64_t references; /* of these, such as readers must hold one by one */
    uint32_t deepest;    /* level of a container, besides what w counts */
    uint32_t outside;    /* levels around the part in base64 that is being written */
    bool encoded;
    const aci_message_apart *apart; /* decides which data stands elsewhere; NULL: none does */
} aci_native_writer;

/* Where the messages of channels stand in the history of their document. */
typedef struct aci_native_runs {
    const agentchat_env *env;
    aci_list_cursor cursor; /* over the history */
    size_t count;           /* of its messages */
    uint32_t *slots;        /* position + 1 of a message by the hash of its address; made when first needed */
    size_t slot_count;
} aci_native_runs;

void aci_native_runs_init(aci_native_runs *runs, const agentchat_env *env, const agentchat_messages *history);
void aci_native_runs_clear(aci_native_runs *runs);
/* A position from `from` on where this very message stands in the history; SIZE_MAX when none was found. false: out of
   memory. */
bool aci_native_runs_find(aci_native_runs *runs, const agentchat_message *message, size_t from, size_t *out);

/* Writes a document, without committing it. */
agentchat_status aci_native_write(aci_write *out, const agentchat_snapshot *snapshot, bool encoded,
                                  agentchat_error *err);

/* Appends to out what `write` writes of `what`. out is unchanged on failure; E_NOMEM only. */
agentchat_status aci_native_write_text_of(const agentchat_env *env,
                                          void (*write)(aci_native_writer *, const void *what), const void *what,
                                          aci_buf *out, agentchat_error *err);
void aci_native_write_message(aci_native_writer *f, const agentchat_message *message);
/* Members of a channel but its key. */
void aci_native_write_channel_rest(aci_native_writer *f, const agentchat_channel_state *channel, aci_native_runs *runs);
/* A chat as a channel's state. */
void aci_native_write_chat(aci_native_writer *f, const agentchat_snapshot *snapshot);
/* `extras` and unknown properties. lines: each on a line of its own. */
void aci_native_write_extras(aci_native_writer *f, const aci_extras *extras, const aci_native_object *known,
                             bool lines);
/* A property that may be absent or null. */
void aci_native_write_text(aci_native_writer *f, const aci_native_property *property, agentchat_str text);
void aci_native_write_raw(aci_native_writer *f, agentchat_str json);
void aci_native_write_failed(aci_native_writer *f,
                             agentchat_status status); /* sticks as a failure of the writer does */
static inline void aci_native_write_key(aci_native_writer *f, const aci_native_property *property)
{
    aci_writer_fixed_key(&f->w, property->quoted, property->quoted_len);
}

/* Reads a document; *out gets a snapshot that holds a reference on in->arena. */
agentchat_status aci_native_chat_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err);
agentchat_status aci_native_encoded_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err);

#endif
