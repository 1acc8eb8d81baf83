/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages, items and lists in memory. Plain data: no input or output.
 *
 * A message and everything it points to lives in one arena. Messages of a document share the document's arena; a built
 * message has its own. Message and item are a header and an array of fields, in the order of the field numbers; that
 * one shape serves building, reading, writing, comparing and digesting.
 */
#ifndef ACI_MODEL_MODEL_H
#define ACI_MODEL_MODEL_H

#include "base/arena.h"
#include "base/shared.h"
#include <agentchat/message.h>
#include <stdatomic.h>
#include <string.h>

typedef enum aci_form {
    ACI_FORM_TEXT = 1, /* WTF-8 */
    ACI_FORM_JSON = 2, /* validated raw JSON text */
    ACI_FORM_NULL = 3  /* an explicit null */
} aci_form;

typedef struct aci_field {
    const char *ptr;
    uint64_t len : 48;
    uint64_t id : 8; /* agentchat_field */
    uint64_t form : 8;
} aci_field;

/* Data of an image, audio or binary item. At least one of the two forms is there from the start; the other one is made
   on demand, attached to the arena and published by a release store. */
typedef struct aci_data {
    agentchat_str base64; /* absent: given as bytes */
    agentchat_str bytes;  /* absent: given as base64 */
    _Atomic(struct aci_data_made *) made;
} aci_data;

typedef struct aci_data_made { /* an attached block: the text follows the struct */
    aci_attached attached;
    size_t len;
    char text[];
} aci_data_made;

typedef struct aci_extras {
    size_t count;
    agentchat_extra list[];
} aci_extras;

struct agentchat_item {
    uint8_t kind; /* agentchat_item_kind */
    uint8_t field_count;
    uint8_t is_null; /* an item that is a null in its source: OPAQUE with RAW null */
    uint8_t reserved[5];
    union {
        aci_data *data;             /* IMAGE, AUDIO, BINARY; NULL: none */
        agentchat_message *message; /* MESSAGE; in the same arena. RESULT: its content, a message that has only items,
                                       or NULL */
        void *none;
    } u;
    aci_extras *extras; /* NULL: none */
    aci_arena *arena;   /* that of the message */
    aci_field fields[];
};

struct agentchat_message {
    aci_arena *arena;
    agentchat_item **items;
    aci_extras *extras; /* NULL: none */
    uint32_t item_count;
    uint8_t field_count;
    uint8_t flags; /* ACI_MESSAGE_… */
    uint16_t reserved;
    aci_field fields[];
};

enum {
    ACI_MESSAGE_ITEMS_ABSENT = 1, /* the source had no items property … */
    ACI_MESSAGE_ITEMS_NULL = 2,   /* … or a null there */
    ACI_MESSAGE_IS_NULL = 4       /* the message itself is a null in its source */
};

/* Containers of format 1 between a message and one nested in it (the items, the item, the message), and between it and
   the content of a result (without the message). */
enum { ACI_MESSAGE_LEVELS = 3, ACI_CONTENT_LEVELS = 2 };

/* What stands inside an item: a nested message, or the content of a result; NULL for none. */
static inline agentchat_message *aci_item_nested(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_MESSAGE || item->kind == AGENTCHAT_ITEM_RESULT ? item->u.message : NULL;
}

/* A bit for each field that is there, by its number: for who asks about many. */
static inline uint64_t aci_fields_present(const aci_field *fields, size_t count)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < count; i++)
        bits |= UINT64_C(1) << (fields[i].id & 63);
    return bits;
}

/* The bytes of a field as they are stored: an explicit null is not distinguished from an empty text. */
static inline agentchat_str aci_field_text(const aci_field *field)
{
    return (agentchat_str){field->ptr, (size_t)field->len};
}

/* Whether a field says something: it is not null, not a flag that is `false`, no form mark and no origin. */
bool aci_field_is_covered(const aci_field *field);
/* The text of a result's content that means the same as that string as JSON value: nothing but one text. Absent for any
   other content, and for none. */
agentchat_str aci_item_content_plain(const agentchat_item *item);

/* A field, or NULL. */
const aci_field *aci_field_find(const aci_field *fields, size_t count, agentchat_field id);
/* The field's value as a public view: absent for NULL, null, or the text. */
ACI_SHARED agentchat_str aci_field_view(const aci_field *field);
/* The id of a message; absent when it has none. */
static inline agentchat_str aci_message_id(const agentchat_message *message)
{
    agentchat_str id = aci_field_view(aci_field_find(message->fields, message->field_count, AGENTCHAT_FIELD_ID));

    return agentchat_str_is_null(id) ? (agentchat_str){NULL, 0} : id;
}
/* A copy with a field of text: one reference. */
agentchat_status aci_model_with(const agentchat_env *env, const agentchat_message *message, agentchat_field field,
                                agentchat_str value, const agentchat_message **out, agentchat_error *err);
/* The message, or a copy with a random id where it has none: one reference. */
agentchat_status aci_model_with_id(const agentchat_env *env, const agentchat_message *message,
                                   const agentchat_message **out, agentchat_error *err);

/*
 * The name of a format as the origin of an extra or of an opaque item. Each format has an array with its own name, of
 * which readers store a view; so addresses are compared before text.
 */
enum { ACI_TAG_LONGEST = 64 };
#define ACI_TAG(array) ((agentchat_str){(array), sizeof(array) - 1})
static inline bool aci_tag_is(agentchat_str tag, agentchat_str name)
{
    return tag.len == name.len && (tag.ptr == name.ptr || memcmp(tag.ptr, name.ptr, name.len) == 0);
}
/* Whether a text may be the name of a format, known or not: 1 to 64 of a-z, 0-9 and "-", of which the first is a
   letter. */
bool aci_tag_is_valid(agentchat_str tag);
/* The same of what a caller gives: absent or null, which becomes absent, is good too. */
bool aci_tag_check(agentchat_str *tag);
/* For error messages: what a text must be. */
extern const char aci_tag_rule[];
/* What FROM of an item says; absent when it says nothing. */
static inline agentchat_str aci_tag_of_item(const agentchat_item *item)
{
    return aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_FROM));
}
/* What a field holds: TEXT or JSON. */
aci_form aci_field_form(agentchat_field id);
ACI_SHARED const char *aci_field_name(agentchat_field id); /* in format 1: "role", "model", "mimetype", … */
ACI_SHARED const char *aci_item_kind_name(
    agentchat_item_kind kind); /* in format 1: "text", "call", …; NULL for OPAQUE */
/* What is wrong with a validated JSON value of a field: NULL when nothing is, else what it must be. */
const char *aci_field_mismatch(agentchat_field id, agentchat_str json);
bool aci_field_of_message(agentchat_field id);
bool aci_field_of_item(agentchat_item_kind kind, agentchat_field id);

/* A message or item being put together by a reader: fields in any order, no checks beyond the ids (the reader has
   checked the values). Fixed room; nothing is allocated before aci_draft_message()/aci_draft_item(). */
enum { ACI_MAX_FIELDS = 12 };
typedef struct aci_draft {
    aci_field fields[ACI_MAX_FIELDS];
    size_t field_count;
    agentchat_extra *extras; /* grown in env's memory */
    size_t extra_count, extra_cap;
} aci_draft;

void aci_draft_begin(aci_draft *d);
void aci_draft_set(aci_draft *d, agentchat_field id, aci_form form, agentchat_str value); /* replaces */
void aci_draft_unset(aci_draft *d, agentchat_field id);
bool aci_draft_add_extra(aci_draft *d, const agentchat_env *env,
                         agentchat_extra extra);              /* views are kept, not copied */
void aci_draft_clear(aci_draft *d, const agentchat_env *env); /* frees the extras' room */
/* Make the immutable thing in arena; text is not copied: views must live as long as arena does. NULL: out of memory. */
agentchat_item *aci_draft_item(const aci_draft *d, aci_arena *arena, agentchat_item_kind kind);
agentchat_message *aci_draft_message(const aci_draft *d, aci_arena *arena, agentchat_item *const *items,
                                     size_t item_count, uint8_t flags);
aci_data *aci_data_new(aci_arena *arena, agentchat_str base64, agentchat_str bytes);
/* Extras in arena; the list is copied, its text is not. NULL: out of memory. */
aci_extras *aci_extras_new(aci_arena *arena, const agentchat_extra *list, size_t count);

size_t aci_extras_count(const aci_extras *extras);                            /* NULL gives 0 */
const agentchat_extra *aci_extras_at(const aci_extras *extras, size_t index); /* NULL beyond the count */

/* Data of an image, audio or binary item; NULL when there is none or the item is of another kind. */
ACI_SHARED const aci_data *aci_data_of(const agentchat_item *item);
/* Whether both are absent or hold the same bytes, in whatever form. Nothing is converted or kept. */
bool aci_data_equal(const aci_data *a, const aci_data *b);
/* About the number of bytes that aci_message_copy() takes from an arena; never less. */
size_t aci_message_copy_size(const agentchat_message *message);
/* Copies extras into another arena; NULL gives NULL. *ok is set false when out of memory. */
aci_extras *aci_extras_copy(const aci_extras *extras, aci_arena *arena, bool *ok);

/* Copies a message (nested ones too) into another arena; base64 and bytes in the form they are in. */
agentchat_message *aci_message_copy(const agentchat_message *message, aci_arena *arena);
/* Same meaning: every field, item, extra equal in value as stored (JSON by text, data by bytes). */
bool aci_message_equal(const agentchat_message *a, const agentchat_message *b);

/*
 * A persistent list of messages. A value of this type is immutable; appending gives a new value that shares everything,
 * in amortised constant time as long as nobody else has appended to the same value before. Segments are counted and
 * may be shared between threads.
 *
 *     list ──► segment (base 6) ──► segment (base 2) ──► segment (base 0)
 *     count 9   [6][7][8][ ]…        [2][3][4][5]         [0][1]
 */
typedef struct aci_segment aci_segment;
struct agentchat_messages {
    aci_segment *tail; /* NULL when empty; one reference */
    size_t count;
    const agentchat_env *env;
};

void aci_list_init(agentchat_messages *list, const agentchat_env *env);     /* empty */
void aci_list_copy(agentchat_messages *to, const agentchat_messages *from); /* shares; cannot fail */
void aci_list_clear(agentchat_messages *list);                              /* gives the references back */
/* Appends in place; the message's reference is counted (arena). false: out of memory, list unchanged. */
bool aci_list_append(agentchat_messages *list, const agentchat_message *message);
/* A list of messages that all live in `arena`: one reference on the arena serves all. array is copied. */
bool aci_list_from_arena(agentchat_messages *list, const agentchat_env *env, aci_arena *arena,
                         agentchat_message *const *array, size_t count);
/* The same of any messages; each one's reference is counted unless they share an arena. */
bool aci_list_from_array(agentchat_messages *list, const agentchat_env *env, const agentchat_message *const *array,
                         size_t count);
/* The first count messages of a list: shares. */
void aci_list_prefix(agentchat_messages *to, const agentchat_messages *from, size_t count);
/* Messages [first, first + count): shares where it can, else copies references. */
bool aci_list_slice(agentchat_messages *to, const agentchat_messages *from, size_t first, size_t count);
/* Walk oldest first without the cost of indexing: fills out with the pointers of all messages. */
void aci_list_flatten(const agentchat_messages *list, const agentchat_message **out);
/* Whether b begins with the same message objects as a. Cheap when they share segments. */
ACI_SHARED bool aci_list_is_prefix(const agentchat_messages *a, const agentchat_messages *b);
/* Appends messages [first, first + count) of another list. false: out of memory, list unchanged. */
bool aci_list_append_range(agentchat_messages *list, const agentchat_messages *from, size_t first, size_t count);

/* Reads a list in order at the cost of an array, without memory: remembers the segment it is in. */
typedef struct aci_list_cursor {
    const agentchat_messages *list;
    const aci_segment *segment;
    size_t begin, end;
} aci_list_cursor;

void aci_list_cursor_begin(aci_list_cursor *cursor,
                           const agentchat_messages *list); /* the list must outlive the cursor */
const agentchat_message *aci_list_cursor_at(aci_list_cursor *cursor, size_t index); /* NULL beyond the end */

/* Whether the JSON of a message has at most so many levels of containers, so that a reader with that limit takes it. An
   extra that could be a plain property is counted as an entry of `extras`, two levels deeper. */
bool aci_message_depth_fits(const agentchat_message *message, uint32_t levels);

/* Whether the messages nested in this one fit into so many levels of containers. */
bool aci_message_depth_fits_nested(const agentchat_message *message, uint32_t levels);

#endif
