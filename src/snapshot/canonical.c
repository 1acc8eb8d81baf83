/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical text, as docs/formats/digest.md specifies it. Recursion: nested messages and chats, which whoever
   made them bounded by a depth limit. */
#include "snapshot/canonical.h"

#include "base/b64.h"
#include "base/checked.h"
#include "base/error.h"
#include "snapshot/key_order.h"
#include "json/value.h"
#include <string.h>

enum {
    WINDOW = 32768, /* a buffer longer than this goes to the digest */
    PIECE = 3072    /* bytes encoded at a time: a multiple of three, so that there is no padding between pieces */
};

const aci_member aci_canonical_members[ACI_MEMBER_COUNT] = {
    {"role", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_ROLE},
    {"name", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_NAME},
    {"items", ACI_MEMBER_ITEMS, (agentchat_field)0},
    {"type", ACI_MEMBER_TYPE, (agentchat_field)0},
    {"text", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_TEXT},
    {"refusal", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_REFUSAL},
    {"redacted", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_REDACTED},
    {"uri", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_URI},
    {"id", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_CALL_ID},
    {"plugin", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_PLUGIN},
    {"function", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_FUNCTION},
    {"arguments", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_ARGUMENTS},
    {"exception", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_EXCEPTION},
    {"result", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_RESULT},
    {"content", ACI_MEMBER_CONTENT, (agentchat_field)0},
    {"failed", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_FAILED},
    {"kind", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_KIND},
    {"label", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_LABEL},
    {"reference", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_REFERENCE_ID},
    {"title", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_TITLE},
    {"start", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_START_INDEX},
    {"end", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_END_INDEX},
    {"file", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_FILE_ID},
    {"tools", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_TOOLS},
    {"kind", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_TYPE},
    {"raw", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_RAW},
    {"message", ACI_MEMBER_MESSAGE, (agentchat_field)0},
    {"model", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_MODEL_ID},
    {"mimetype", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_MIME_TYPE},
    {"metadata", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_METADATA},
    {"data", ACI_MEMBER_DATA, (agentchat_field)0},
    {"signature", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_SIGNATURE},
    {"issuer", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_ISSUER},
    {"id", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_ID},
    {"time", ACI_MEMBER_FIELD, AGENTCHAT_FIELD_TIME},
    {"extras", ACI_MEMBER_EXTRAS, (agentchat_field)0},
};

/* Indices of aci_canonical_members in the order of the names; of two with one name an object has at most one. */
static const unsigned char sorted_members[ACI_MEMBER_COUNT] = {
    11 /* arguments */, 14 /* content */, 30 /* data */,     21 /* end */,   12 /* exception */, 35 /* extras */,
    15 /* failed */,    22 /* file */,    10 /* function */, 8 /* id */,     33 /* id */,        32 /* issuer */,
    2 /* items */,      16 /* kind */,    24 /* kind */,     17 /* label */, 26 /* message */,   29 /* metadata */,
    28 /* mimetype */,  27 /* model */,   1 /* name */,      9 /* plugin */, 25 /* raw */,       6 /* redacted */,
    18 /* reference */, 5 /* refusal */,  13 /* result */,   0 /* role */,   31 /* signature */, 20 /* start */,
    4 /* text */,       34 /* time */,    19 /* title */,    23 /* tools */, 3 /* type */,       7 /* uri */,
};

void aci_canonical_begin(aci_canonical *c, const agentchat_env *env, aci_sha256 *sha, agentchat_error *err)
{
    c->env = env;
    aci_buf_init(&c->buf, env, SIZE_MAX);
    c->sha = sha;
    c->hashed = 0;
    c->copies = NULL;
    c->as_spelled = false;
    c->content = false;
    c->status = AGENTCHAT_OK;
    c->err = err;
}

void aci_canonical_clear(aci_canonical *c)
{
    aci_buf_clear(&c->buf);
}

/* Takes the outcome of adding to the buffer; a failed one sticks. */
static void added(aci_canonical *c, bool ok)
{
    if (!ok && c->status >= 0)
        c->status = aci_fail_nomem(c->err);
    if (c->sha != NULL && c->buf.len >= WINDOW)
        aci_canonical_flush(c);
}

/* Adds to the digest directly what need not go through the buffer. */
static void add_past_buffer(aci_canonical *c, agentchat_str text)
{
    if (c->sha == NULL || c->status < 0) {
        added(c, c->status < 0 || aci_buf_add_str(&c->buf, text));
        return;
    }
    aci_canonical_flush(c);
    if (!aci_sha256_add(c->sha, text.ptr, text.len) && c->status >= 0)
        c->status = aci_fail_nomem(c->err);
    c->hashed += text.len;
}

void aci_canonical_flush(aci_canonical *c)
{
    if (c->sha == NULL || c->status < 0)
        return;
    if (c->buf.len > 0 && !aci_sha256_add(c->sha, c->buf.ptr, c->buf.len))
        c->status = aci_fail_nomem(c->err);
    c->hashed += c->buf.len;
    c->buf.len = 0;
}

static void put(aci_canonical *c, const char *text)
{
    if (c->status >= 0)
        added(c, aci_buf_add(&c->buf, text, strlen(text)));
}

/* The name of a member, with the comma before it unless it is the first. */
static void put_name(aci_canonical *c, bool *first, const char *name)
{
    put(c, *first ? "\"" : ",\"");
    put(c, name);
    put(c, "\":");
    *first = false;
}

void aci_canonical_text(aci_canonical *c, const char *text)
{
    put(c, text);
}

void aci_canonical_name(aci_canonical *c, bool *first, const char *name)
{
    put_name(c, first, name);
}

void aci_canonical_string(aci_canonical *c, agentchat_str text)
{
    if (c->status >= 0)
        added(c, aci_json_canonical_string(text, &c->buf));
}

void aci_canonical_json(aci_canonical *c, agentchat_str raw)
{
    if (c->status < 0)
        return;
    if (c->as_spelled) {
        added(c, aci_json_compact(raw, &c->buf));
        return;
    }
    c->status = aci_json_canonical(raw, &c->buf, c->env, c->err);
    added(c, true);
}

void aci_canonical_bytes(aci_canonical *c, agentchat_str bytes)
{
    char piece[PIECE / 3 * 4];

    put(c, "\"");
    for (size_t done = 0; done < bytes.len && c->status >= 0; done += PIECE) {
        size_t len = bytes.len - done < PIECE ? bytes.len - done : PIECE;

        aci_b64_encode(bytes.ptr + done, len, piece);
        added(c, aci_buf_add(&c->buf, piece, aci_b64_encoded_size(len)));
    }
    put(c, "\"");
}

static void put_data(aci_canonical *c, const aci_data *data)
{
    if (data->base64.ptr == NULL) {
        aci_canonical_bytes(c, data->bytes);
        return;
    }
    put(c, "\""); /* canonical base64 has one spelling for each value */
    add_past_buffer(c, data->base64);
    put(c, "\"");
}

/* Keys with their positions, sorted; to be freed as count of them. NULL: out of memory, which c then knows. */
static aci_keyed *keyed_alloc(aci_canonical *c, size_t count)
{
    aci_keyed *keys = NULL;
    size_t size;

    if (c->status < 0)
        return NULL;
    if (aci_mul(count, sizeof *keys, &size))
        keys = aci_alloc(c->env, size);
    if (keys == NULL)
        c->status = aci_fail_nomem(c->err);
    return keys;
}

static void put_extra(aci_canonical *c, const agentchat_extra *extra)
{
    put(c, c->as_spelled ? "{\"name\":" : "[");
    aci_canonical_string(c, extra->name);
    put(c, c->as_spelled ? ",\"value\":" : ",");
    aci_canonical_json(c, extra->value);
    put(c, c->as_spelled ? "}" : "]");
}

void aci_canonical_extras(aci_canonical *c, const aci_extras *extras)
{
    aci_keyed *keys = keyed_alloc(c, extras->count);

    if (keys == NULL)
        return;
    for (size_t i = 0; i < extras->count; i++)
        keys[i] = (aci_keyed){extras->list[i].name, i};
    aci_key_order_sort(keys, extras->count);
    put(c, "[");
    for (size_t i = 0; i < extras->count; i++) {
        if (i > 0)
            put(c, ",");
        put_extra(c, &extras->list[keys[i].index]);
    }
    put(c, "]");
    aci_free(c->env, keys, extras->count * sizeof *keys);
}

aci_node aci_canonical_message_node(const agentchat_message *message)
{
    return (aci_node){message, NULL, message->fields, message->field_count, message->extras};
}

aci_node aci_canonical_item_node(const agentchat_item *item)
{
    return (aci_node){NULL, item, item->fields, item->field_count, item->extras};
}

/* A field that canonical text has. */
static const aci_field *field_of(const aci_node *node, agentchat_field id)
{
    const aci_field *field = aci_field_find(node->fields, node->field_count, id);

    return field != NULL && aci_field_is_covered(field) ? field : NULL;
}

/* The string that a result's content is as JSON value: only where it has no JSON value of its own. */
static agentchat_str content_as_result(const aci_node *node)
{
    if (node->item == NULL || field_of(node, AGENTCHAT_FIELD_RESULT) != NULL)
        return (agentchat_str){NULL, 0};
    return aci_item_content_plain(node->item);
}

bool aci_canonical_has(const aci_node *node, const aci_member *member)
{
    switch (member->kind) {
    case ACI_MEMBER_FIELD:
        return field_of(node, member->field) != NULL ||
               (member->field == AGENTCHAT_FIELD_RESULT && content_as_result(node).ptr != NULL);
    case ACI_MEMBER_CONTENT:
        return agentchat_item_has_content(node->item) && content_as_result(node).ptr == NULL;
    case ACI_MEMBER_TYPE:
        return node->item != NULL;
    case ACI_MEMBER_ITEMS:
        return node->message != NULL;
    case ACI_MEMBER_DATA:
        return aci_data_of(node->item) != NULL;
    case ACI_MEMBER_MESSAGE:
        return agentchat_item_message(node->item) != NULL;
    case ACI_MEMBER_EXTRAS:
        break;
    }
    return node->extras != NULL && node->extras->count > 0;
}

static void put_items(aci_canonical *c, const agentchat_message *message)
{
    put(c, "[");
    for (size_t i = 0; i < message->item_count; i++) {
        if (i > 0)
            put(c, ",");
        aci_canonical_item(c, message->items[i]);
    }
    put(c, "]");
}

void aci_canonical_value(aci_canonical *c, const aci_node *node, const aci_member *member)
{
    const aci_field *field;

    switch (member->kind) {
    case ACI_MEMBER_FIELD:
        field = field_of(node, member->field);
        if (field == NULL)
            aci_canonical_string(c, content_as_result(node));
        else if (field->form == ACI_FORM_JSON)
            aci_canonical_json(c, aci_field_view(field));
        else
            aci_canonical_string(c, aci_field_view(field));
        return;
    case ACI_MEMBER_TYPE:
        put(c, "\"");
        put(c, node->item->kind == AGENTCHAT_ITEM_OPAQUE ? "opaque"
                                                         : aci_item_kind_name((agentchat_item_kind)node->item->kind));
        put(c, "\"");
        return;
    case ACI_MEMBER_ITEMS:
        put_items(c, node->message);
        return;
    case ACI_MEMBER_CONTENT:
        put_items(c, node->item->u.message);
        return;
    case ACI_MEMBER_DATA:
        put_data(c, aci_data_of(node->item));
        return;
    case ACI_MEMBER_MESSAGE:
        aci_canonical_message(c, node->item->u.message);
        return;
    case ACI_MEMBER_EXTRAS:
        aci_canonical_extras(c, node->extras);
        return;
    }
}

/* A member that says something about a message or an item and is no part of what was said. */
static bool is_about(const aci_member *member)
{
    if (member->kind != ACI_MEMBER_FIELD)
        return member->kind == ACI_MEMBER_EXTRAS;
    return member->field == AGENTCHAT_FIELD_METADATA || member->field == AGENTCHAT_FIELD_ID ||
           member->field == AGENTCHAT_FIELD_TIME || member->field == AGENTCHAT_FIELD_MODEL_ID;
}

static void put_node(aci_canonical *c, const aci_node *node)
{
    bool first = true;

    put(c, "{");
    for (size_t i = 0; i < ACI_MEMBER_COUNT; i++) {
        const aci_member *member = &aci_canonical_members[sorted_members[i]];

        if (aci_canonical_has(node, member) && !(c->content && is_about(member))) {
            put_name(c, &first, member->name);
            aci_canonical_value(c, node, member);
        }
    }
    put(c, "}");
}

void aci_canonical_item(aci_canonical *c, const agentchat_item *item)
{
    aci_node node = aci_canonical_item_node(item);

    if (item->is_null)
        put(c, "null");
    else
        put_node(c, &node);
}

void aci_canonical_message(aci_canonical *c, const agentchat_message *message)
{
    aci_node node = aci_canonical_message_node(message);

    if ((message->flags & ACI_MESSAGE_IS_NULL) != 0)
        put(c, "null");
    else
        put_node(c, &node);
}

void aci_canonical_messages(aci_canonical *c, const agentchat_messages *list)
{
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, list);
    put(c, "[");
    for (size_t i = 0; i < list->count && c->status >= 0; i++) {
        if (i > 0)
            put(c, ",");
        aci_canonical_message(c, aci_list_cursor_at(&cursor, i));
    }
    put(c, "]");
}

/* A member with text, left out when it is absent or null. */
static void put_text_member(aci_canonical *c, bool *first, const char *name, agentchat_str text)
{
    if (text.ptr == NULL || agentchat_str_is_null(text))
        return;
    put_name(c, first, name);
    aci_canonical_string(c, text);
}

void aci_canonical_participant(aci_canonical *c, const agentchat_participant *participant)
{
    bool first = true;

    put(c, "{");
    put_text_member(c, &first, "id", participant->id);
    put_text_member(c, &first, "name", participant->name);
    put_text_member(c, &first, "type", participant->type);
    put(c, "}");
}

bool aci_canonical_has_state(const agentchat_channel_state *channel)
{
    if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
        return true;
    if (channel->kind == AGENTCHAT_CHANNEL_CHAT)
        return channel->chat != NULL;
    return channel->data.ptr != NULL && !agentchat_str_is_null(channel->data);
}

/* Messages that the document names from the history are a copy, which begins only while the budget lasts. */
static void put_named(aci_canonical *c, const agentchat_messages *messages)
{
    uint64_t start = c->hashed + c->buf.len;

    if (c->status < 0)
        return;
    if (!aci_copies_left(c->copies, c->sha != NULL ? start - c->copies->used : 0)) {
        c->status = aci_copies_fail(c->copies, c->err);
        return;
    }
    aci_canonical_messages(c, messages);
    c->copies->used += c->hashed + c->buf.len - start;
}

void aci_canonical_state(aci_canonical *c, const agentchat_channel_state *channel)
{
    if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES && channel->named && c->copies != NULL)
        put_named(c, &channel->messages);
    else if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
        aci_canonical_messages(c, &channel->messages);
    else if (channel->kind == AGENTCHAT_CHANNEL_CHAT)
        aci_canonical_snapshot(c, channel->chat);
    else if (channel->kind == AGENTCHAT_CHANNEL_BYTES)
        aci_canonical_bytes(c, channel->data);
    else
        aci_canonical_string(c, channel->data);
}

void aci_canonical_channel(aci_canonical *c, const agentchat_channel_state *channel)
{
    bool first = true;

    put(c, "{");
    put_text_member(c, &first, "channelkey", channel->key);
    if (aci_canonical_has_state(channel)) {
        put_name(c, &first, "channelstate");
        aci_canonical_state(c, channel);
    }
    put_text_member(c, &first, "channeltype", channel->type);
    put_text_member(c, &first, "statekind", agentchat_str_from(aci_snapshot_state_kind_name(channel->kind)));
    put(c, "}");
}

static void put_channels(aci_canonical *c, const agentchat_snapshot *snapshot)
{
    size_t count = snapshot->channel_count;
    aci_keyed *keys = count > 0 ? keyed_alloc(c, count) : NULL;

    if (keys == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        keys[i] = (aci_keyed){snapshot->channels[i].key, i};
    aci_key_order_sort(keys, count);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            put(c, ",");
        aci_canonical_channel(c, &snapshot->channels[keys[i].index]);
    }
    aci_free(c->env, keys, count * sizeof *keys);
}

static void put_participants(aci_canonical *c, const agentchat_snapshot *snapshot)
{
    size_t count = snapshot->participant_count;
    aci_keyed *keys = count > 0 ? keyed_alloc(c, count) : NULL;

    if (keys == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        keys[i] = (aci_keyed){snapshot->participants[i].id, i};
    aci_key_order_sort(keys, count);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            put(c, ",");
        aci_canonical_participant(c, &snapshot->participants[keys[i].index]);
    }
    aci_free(c->env, keys, count * sizeof *keys);
}

void aci_canonical_snapshot(aci_canonical *c, const agentchat_snapshot *snapshot)
{
    put(c, "{\"channels\":[");
    put_channels(c, snapshot);
    put(c, "],\"history\":");
    aci_canonical_messages(c, &snapshot->history);
    put(c, ",\"participants\":[");
    put_participants(c, snapshot);
    put(c, "]}");
}
