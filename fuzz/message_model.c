/* SPDX-License-Identifier: Apache-2.0 */
/* Building on the model: the rules of include/agentchat/message.h, one after the other. */
#include "message_model.h"

#include <string.h>

static const agentchat_str absent;

static bool given(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

static void fail(model_message *m, agentchat_status status, agentchat_status or_status)
{
    if (m->status < 0)
        return;
    m->status = status;
    m->or_status = or_status;
}

static bool is_json(int field)
{
    switch (field) {
    case AGENTCHAT_FIELD_METADATA:
    case AGENTCHAT_FIELD_ARGUMENTS:
    case AGENTCHAT_FIELD_EXCEPTION:
    case AGENTCHAT_FIELD_RESULT:
    case AGENTCHAT_FIELD_START_INDEX:
    case AGENTCHAT_FIELD_END_INDEX:
    case AGENTCHAT_FIELD_TOOLS:
    case AGENTCHAT_FIELD_RAW:
    case AGENTCHAT_FIELD_FAILED:
    case AGENTCHAT_FIELD_REDACTED:
    case AGENTCHAT_FIELD_REFUSAL:
    case AGENTCHAT_FIELD_FORM:
        return true;
    default:
        return false;
    }
}

static bool has_data(agentchat_item_kind kind)
{
    return kind == AGENTCHAT_ITEM_IMAGE || kind == AGENTCHAT_ITEM_AUDIO || kind == AGENTCHAT_ITEM_BINARY;
}

/* Which fields which kind has, as the comments of agentchat_field say it. */
static bool item_has(agentchat_item_kind kind, int field)
{
    switch (field) {
    case AGENTCHAT_FIELD_MODEL_ID:
    case AGENTCHAT_FIELD_MIME_TYPE:
    case AGENTCHAT_FIELD_METADATA:
        return true;
    case AGENTCHAT_FIELD_TEXT:
        return kind == AGENTCHAT_ITEM_TEXT || kind == AGENTCHAT_ITEM_REASONING || kind == AGENTCHAT_ITEM_ACTION;
    case AGENTCHAT_FIELD_URI:
        return has_data(kind);
    case AGENTCHAT_FIELD_CALL_ID:
    case AGENTCHAT_FIELD_PLUGIN:
    case AGENTCHAT_FIELD_FUNCTION:
        return kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT;
    case AGENTCHAT_FIELD_ARGUMENTS:
    case AGENTCHAT_FIELD_EXCEPTION:
        return kind == AGENTCHAT_ITEM_CALL;
    case AGENTCHAT_FIELD_RESULT:
        return kind == AGENTCHAT_ITEM_RESULT;
    case AGENTCHAT_FIELD_FILE_ID:
    case AGENTCHAT_FIELD_TOOLS:
        return kind == AGENTCHAT_ITEM_FILE;
    case AGENTCHAT_FIELD_SIGNATURE:
    case AGENTCHAT_FIELD_ISSUER:
    case AGENTCHAT_FIELD_FORM:
        return true;
    case AGENTCHAT_FIELD_FAILED:
        return kind == AGENTCHAT_ITEM_RESULT;
    case AGENTCHAT_FIELD_REDACTED:
        return kind == AGENTCHAT_ITEM_REASONING;
    case AGENTCHAT_FIELD_REFUSAL:
        return kind == AGENTCHAT_ITEM_TEXT;
    case AGENTCHAT_FIELD_TYPE:
    case AGENTCHAT_FIELD_RAW:
    case AGENTCHAT_FIELD_FROM:
        return kind == AGENTCHAT_ITEM_OPAQUE;
    default:
        return field >= AGENTCHAT_FIELD_KIND && field <= AGENTCHAT_FIELD_END_INDEX && kind == AGENTCHAT_ITEM_ANNOTATION;
    }
}

/* Checks a value that is there, and strips the whitespace around JSON. */
static bool accept(model_message *m, bool json, agentchat_str *value)
{
    if (!given(*value))
        return true;
    if (!json) {
        if (!naive_is_text(*value))
            fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
        return m->status >= 0;
    }
    switch (naive_json_check(*value, m->max_depth, value)) {
    case NAIVE_JSON_GOOD:
        return true;
    case NAIVE_JSON_BAD:
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
        break;
    case NAIVE_JSON_DEEP:
        fail(m, AGENTCHAT_E_LIMIT, AGENTCHAT_E_LIMIT);
        break;
    case NAIVE_JSON_BAD_AND_DEEP:
        fail(m, AGENTCHAT_E_LIMIT, AGENTCHAT_E_INVALID);
        break;
    }
    return false;
}

/* The name of a format, which is never null. */
static bool accept_tag(model_message *m, agentchat_str *value)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz", others[] = "0123456789-";

    if (!given(*value)) {
        *value = absent;
        return true;
    }
    for (size_t i = 0; i < value->len; i++)
        if (memchr(letters, value->ptr[i], 26) == NULL && (i == 0 || memchr(others, value->ptr[i], 11) == NULL))
            fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
    if (value->len == 0 || value->len > 64)
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
    return m->status >= 0;
}

/* A flag is true, false or null. */
static void check_flag(model_message *m, int field, agentchat_str value)
{
    bool is_flag =
        field == AGENTCHAT_FIELD_FAILED || field == AGENTCHAT_FIELD_REDACTED || field == AGENTCHAT_FIELD_REFUSAL;

    if (is_flag && given(value) && strchr("tfn", *value.ptr) == NULL)
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
}

static void set(model_message *m, model_part *part, int field, agentchat_str value)
{
    if (!accept(m, is_json(field), &value) || (field == AGENTCHAT_FIELD_FROM && !accept_tag(m, &value)))
        return;
    check_flag(m, field, value);
    if (m->status < 0)
        return;
    /* A JSON null is the null; but the complete item of an unknown kind is text, that of a null too. */
    if (field == AGENTCHAT_FIELD_RAW && agentchat_str_is_null(value))
        value = AGENTCHAT_STR("null");
    else if (is_json(field) && field != AGENTCHAT_FIELD_RAW && agentchat_str_equal(value, AGENTCHAT_STR("null")))
        value = agentchat_str_null();
    part->fields[field] = value;
}

static model_item *selected(model_message *m)
{
    if (m->status >= 0 && m->selected == AGENTCHAT_NO_ITEM)
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
    return m->status >= 0 ? &m->items[m->selected] : NULL;
}

/* What extras go to. */
static model_part *selected_part(model_message *m)
{
    return m->selected != AGENTCHAT_NO_ITEM ? &m->items[m->selected].part : &m->part;
}

static void need_role(model_message *m)
{
    if (m->part.fields[AGENTCHAT_FIELD_ROLE].len == 0)
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
}

static void append(model_message *m, const model_item *item)
{
    m->selected = m->item_count;
    m->items[m->item_count++] = *item;
}

void model_message_begin(model_message *m, size_t max_depth, agentchat_str role, agentchat_str name)
{
    memset(m, 0, sizeof *m);
    m->max_depth = max_depth;
    m->selected = AGENTCHAT_NO_ITEM;
    model_message_set(m, AGENTCHAT_FIELD_ROLE, role);
    model_message_set(m, AGENTCHAT_FIELD_NAME, name);
    need_role(m);
}

void model_message_from(model_message *m, const model_message *other)
{
    *m = *other;
    m->selected = AGENTCHAT_NO_ITEM;
}

void model_message_set(model_message *m, int field, agentchat_str value)
{
    if (m->status < 0)
        return;
    if (field >= AGENTCHAT_FIELD_ROLE && field <= AGENTCHAT_FIELD_METADATA)
        set(m, &m->part, field, value);
    else
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
}

void model_message_add_item(model_message *m, int kind)
{
    if (m->status < 0)
        return;
    if (kind < AGENTCHAT_ITEM_TEXT || kind > AGENTCHAT_ITEM_OPAQUE || kind == AGENTCHAT_ITEM_MESSAGE)
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
    else
        append(m, &(model_item){.kind = (agentchat_item_kind)kind});
}

void model_message_set_item(model_message *m, int field, agentchat_str value)
{
    model_item *item = selected(m);

    if (item == NULL)
        return;
    if (item_has(item->kind, field))
        set(m, &item->part, field, value);
    else
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
}

void model_message_set_data(model_message *m, agentchat_str data, bool is_base64)
{
    model_item *item = selected(m);
    bool good = true;

    if (item == NULL)
        return;
    if (is_base64 && data.len > 0) {
        char *room = malloc(data.len);
        size_t len;

        FUZZ_CHECK(room != NULL);
        good = naive_base64_decode(data, room, &len);
        free(room);
    }
    if (!has_data(item->kind) || !good) {
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
        return;
    }
    item->has_data = given(data);
    item->is_base64 = is_base64;
    item->data = data;
}

void model_message_add_message(model_message *m, const model_message *nested)
{
    if (m->status < 0)
        return;
    /* The array of items, the item and the message in it are three containers more. */
    if (nested->levels + 3 > m->max_depth) {
        fail(m, AGENTCHAT_E_LIMIT, AGENTCHAT_E_LIMIT);
        return;
    }
    append(m, &(model_item){.kind = AGENTCHAT_ITEM_MESSAGE, .nested = nested});
}

void model_message_add_extra(model_message *m, agentchat_extra extra)
{
    model_part *part = selected_part(m);

    if (m->status < 0)
        return;
    if (agentchat_str_is_null(extra.value))
        extra.value = AGENTCHAT_STR("null");
    if (!given(extra.name) || !naive_is_text(extra.name) || extra.value.ptr == NULL)
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
    else if (accept(m, true, &extra.value))
        part->extras[part->extra_count++] = extra;
}

void model_message_add_item_copy(model_message *m, const model_item *item)
{
    if (m->status >= 0)
        append(m, item);
}

void model_message_select(model_message *m, size_t index)
{
    if (index != AGENTCHAT_NO_ITEM && index >= m->item_count)
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
    else if (m->status >= 0)
        m->selected = index;
}

void model_message_remove_items(model_message *m, size_t first, size_t count)
{
    size_t kept = 0;

    if (m->status < 0)
        return;
    if (first > m->item_count || count > m->item_count - first) {
        fail(m, AGENTCHAT_E_INVALID, AGENTCHAT_E_INVALID);
        return;
    }
    for (size_t i = 0; i < m->item_count; i++)
        if (i < first || i >= first + count)
            m->items[kept++] = m->items[i];
    m->item_count = kept;
    m->selected = AGENTCHAT_NO_ITEM;
}

void model_message_remove_extra(model_message *m, agentchat_str name)
{
    model_part *part = selected_part(m);
    size_t kept = 0;

    for (size_t i = 0; i < part->extra_count; i++)
        if (!agentchat_str_equal(part->extras[i].name, name))
            part->extras[kept++] = part->extras[i];
    part->extra_count = kept;
}

void model_message_finish(model_message *m)
{
    need_role(m);
    m->levels = 1;
    for (size_t i = 0; i < m->item_count; i++)
        if (m->items[i].nested != NULL && m->items[i].nested->levels + 3 > m->levels)
            m->levels = m->items[i].nested->levels + 3;
}

bool model_message_has_room(const model_message *m)
{
    const model_part *part = m->selected != AGENTCHAT_NO_ITEM ? &m->items[m->selected].part : &m->part;

    return m->item_count < MODEL_ITEMS && part->extra_count < MODEL_EXTRAS;
}

/* ---- what the getters say ------------------------------------------------------------------------------------- */

static bool is_extra(const agentchat_extra *left, const agentchat_extra *right)
{
    return right != NULL && agentchat_str_equal(left->name, right->name) &&
           agentchat_str_equal(left->value, right->value) && agentchat_str_equal(left->from, right->from);
}

typedef const agentchat_extra *extra_at(const void *object, size_t index);

static const agentchat_extra *extra_of_message(const void *object, size_t index)
{
    return agentchat_message_extra(object, index);
}

static const agentchat_extra *extra_of_item(const void *object, size_t index)
{
    return agentchat_item_extra(object, index);
}

/* In the order in which they were added; a document has those that can be properties after the others. */
static void check_extras(const model_part *part, const void *object, extra_at *at, bool in_order)
{
    bool taken[MODEL_EXTRAS] = {false};

    for (size_t i = 0; i < part->extra_count; i++) {
        size_t k = in_order ? i : 0;

        while (!in_order && k < part->extra_count && (taken[k] || !is_extra(&part->extras[i], at(object, k))))
            k++;
        FUZZ_CHECK(k < part->extra_count && is_extra(&part->extras[i], at(object, k)));
        taken[k] = true;
    }
    FUZZ_CHECK(at(object, part->extra_count) == NULL);
}

static void check_data(const model_item *item, const agentchat_item *made)
{
    char *room = malloc(item->data.len / 3 * 4 + 8);
    agentchat_str bytes, base64, other = absent;

    FUZZ_CHECK(room != NULL);
    FUZZ_CHECK(agentchat_item_has_data(made) == item->has_data);
    FUZZ_CHECK(agentchat_item_base64(made, &base64, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_item_bytes(made, &bytes, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_item_data_size(made) == bytes.len);
    if (item->has_data && item->is_base64) {
        FUZZ_CHECK(naive_base64_decode(item->data, room, &other.len));
        other.ptr = room;
        FUZZ_CHECK(agentchat_str_equal(base64, item->data) && agentchat_str_equal(bytes, other));
    } else if (item->has_data) {
        other = (agentchat_str){room, naive_base64_encode(item->data, room)};
        FUZZ_CHECK(agentchat_str_equal(bytes, item->data) && agentchat_str_equal(base64, other));
    } else {
        FUZZ_CHECK(bytes.ptr == NULL && base64.ptr == NULL);
    }
    free(room);
}

static void check_item(const model_item *item, const agentchat_item *made, bool in_order)
{
    FUZZ_CHECK(made != NULL && agentchat_item_get_kind(made) == item->kind);
    for (int field = 0; field < MODEL_FIELDS + 3; field++)
        FUZZ_CHECK(agentchat_str_equal(agentchat_item_get(made, (agentchat_field)field),
                                       field < MODEL_FIELDS ? item->part.fields[field] : absent));
    FUZZ_CHECK(agentchat_item_extra_count(made) == item->part.extra_count);
    check_extras(&item->part, made, extra_of_item, in_order);
    check_data(item, made);
    FUZZ_CHECK((agentchat_item_message(made) != NULL) == (item->nested != NULL));
    if (item->nested != NULL)
        model_message_check(item->nested, agentchat_item_message(made), in_order);
}

static agentchat_str first_text(const model_message *m)
{
    for (size_t i = 0; i < m->item_count; i++)
        if (m->items[i].kind == AGENTCHAT_ITEM_TEXT)
            return m->items[i].part.fields[AGENTCHAT_FIELD_TEXT];
    return absent;
}

void model_message_check(const model_message *m, const agentchat_message *message, bool in_order)
{
    for (int field = 0; field < MODEL_FIELDS + 3; field++)
        FUZZ_CHECK(agentchat_str_equal(agentchat_message_get(message, (agentchat_field)field),
                                       field < MODEL_FIELDS ? m->part.fields[field] : absent));
    FUZZ_CHECK(agentchat_str_equal(agentchat_message_role(message), m->part.fields[AGENTCHAT_FIELD_ROLE]));
    FUZZ_CHECK(agentchat_str_equal(agentchat_message_name(message), m->part.fields[AGENTCHAT_FIELD_NAME]));
    FUZZ_CHECK(agentchat_str_equal(agentchat_message_text(message), first_text(m)));
    FUZZ_CHECK(agentchat_message_extra_count(message) == m->part.extra_count);
    check_extras(&m->part, message, extra_of_message, in_order);
    FUZZ_CHECK(agentchat_message_item_count(message) == m->item_count);
    for (size_t i = 0; i < m->item_count; i++)
        check_item(&m->items[i], agentchat_message_item(message, i), in_order);
    FUZZ_CHECK(agentchat_message_item(message, m->item_count) == NULL);
}
