/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing lists of messages, messages and items.
 *
 * Two lists lose what they have in common at both ends; what is left between is aligned by the messages' digests. In a
 * gap between two matches the messages of both sides are paired in order and compared member by member, and what one
 * side has more is reported as added or removed. Whatever the alignment, nothing that differs goes unreported.
 */
#include "snapshot/diff.h"

#include "base/checked.h"
#include "snapshot/align.h"
#include "snapshot/digest.h"
#include "json/value.h"
#include <string.h>

/* ---- items and messages --------------------------------------------------------------------------------------- */

/* A member of a message or item, as aci_diff_report() takes it. */
typedef struct node_member {
    const aci_node *node;
    const aci_member *member;
} node_member;

static void write_member(aci_canonical *c, const void *thing)
{
    const node_member *pair = thing;

    aci_canonical_value(c, pair->node, pair->member);
}

static void write_item(aci_canonical *c, const void *thing)
{
    aci_canonical_item(c, thing);
}

static void write_message(aci_canonical *c, const void *thing)
{
    aci_canonical_message(c, thing);
}

/* Whether both sides have the same canonical text. */
static bool equal_text(aci_diff *d, aci_diff_write_fn write, const void *a, const void *b)
{
    d->left.buf.len = 0;
    d->right.buf.len = 0;
    write(&d->left, a);
    write(&d->right, b);
    if (d->left.status < 0 || d->right.status < 0) {
        aci_diff_nomem(d);
        return false;
    }
    return agentchat_str_equal(aci_buf_str(&d->left.buf), aci_buf_str(&d->right.buf));
}

/* A member that both have, of a kind that is compared as a whole. */
static bool equal_values(aci_diff *d, const aci_node *a, const aci_node *b, const aci_member *member)
{
    node_member left = {a, member}, right = {b, member};

    if (member->kind == ACI_MEMBER_DATA)
        return aci_data_equal(aci_data_of(a->item), aci_data_of(b->item));
    if (member->kind == ACI_MEMBER_FIELD) {
        const aci_field *x = aci_field_find(a->fields, a->field_count, member->field);
        const aci_field *y = aci_field_find(b->fields, b->field_count, member->field);

        if (x == NULL || y == NULL) /* the JSON value of a result that stands in its content */
            return equal_text(d, write_member, &left, &right);
        if (x->len == y->len && memcmp(x->ptr, y->ptr, (size_t)x->len) == 0)
            return true;
        if (x->form == ACI_FORM_TEXT)
            return false;
    }
    return equal_text(d, write_member, &left, &right);
}

static void diff_items(aci_diff *d, const agentchat_message *a, const agentchat_message *b);
static void diff_message(aci_diff *d, const agentchat_message *a, const agentchat_message *b);

static void diff_nodes(aci_diff *d, const aci_node *a, const aci_node *b)
{
    for (size_t i = 0; i < ACI_MEMBER_COUNT && !d->stopped; i++) {
        const aci_member *member = &aci_canonical_members[i];
        node_member left = {a, member}, right = {b, member};
        bool has_a = aci_canonical_has(a, member), has_b = aci_canonical_has(b, member);
        size_t length;

        if (!has_a && !has_b)
            continue;
        length = aci_diff_enter(d, member->name);
        if (!has_a || !has_b)
            aci_diff_report(d, write_member, has_a ? &left : NULL, has_b ? &right : NULL);
        else if (member->kind == ACI_MEMBER_ITEMS)
            diff_items(d, a->message, b->message);
        else if (member->kind == ACI_MEMBER_CONTENT)
            diff_items(d, a->item->u.message, b->item->u.message);
        else if (member->kind == ACI_MEMBER_MESSAGE)
            diff_message(d, a->item->u.message, b->item->u.message);
        else if (!equal_values(d, a, b, member))
            aci_diff_report(d, write_member, &left, &right);
        aci_diff_leave(d, length);
    }
}

static void diff_item(aci_diff *d, const agentchat_item *a, const agentchat_item *b)
{
    aci_node left = aci_canonical_item_node(a), right = aci_canonical_item_node(b);

    if (a->is_null && b->is_null)
        return;
    if (a->is_null || b->is_null || a->kind != b->kind)
        aci_diff_report(d, write_item, a, b);
    else
        diff_nodes(d, &left, &right);
}

static void report_item(aci_diff *d, size_t index, const agentchat_item *a, const agentchat_item *b)
{
    size_t length = aci_diff_enter_index(d, index);

    if (a != NULL && b != NULL)
        diff_item(d, a, b);
    else
        aci_diff_report(d, write_item, a, b);
    aci_diff_leave(d, length);
}

/* Items are few: common ends are dropped, and what is between is paired in order. */
static void diff_items(aci_diff *d, const agentchat_message *a, const agentchat_message *b)
{
    size_t begin = 0, a_end = a->item_count, b_end = b->item_count;

    while (begin < a_end && begin < b_end && equal_text(d, write_item, a->items[begin], b->items[begin]))
        begin++;
    while (a_end > begin && b_end > begin && equal_text(d, write_item, a->items[a_end - 1], b->items[b_end - 1])) {
        a_end--;
        b_end--;
    }
    for (size_t i = begin; (i < a_end || i < b_end) && !d->stopped; i++)
        report_item(d, i, i < a_end ? a->items[i] : NULL, i < b_end ? b->items[i] : NULL);
}

static void diff_message(aci_diff *d, const agentchat_message *a, const agentchat_message *b)
{
    aci_node left = aci_canonical_message_node(a), right = aci_canonical_message_node(b);
    bool a_null = (a->flags & ACI_MESSAGE_IS_NULL) != 0, b_null = (b->flags & ACI_MESSAGE_IS_NULL) != 0;

    if (a == b || d->stopped || (a_null && b_null))
        return;
    if (a_null || b_null)
        aci_diff_report(d, write_message, a, b);
    else
        diff_nodes(d, &left, &right);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static uint64_t size_of(const agentchat_message *message);

static uint64_t size_of_fields(const aci_field *fields, size_t count, const aci_extras *extras)
{
    uint64_t size = 0;

    for (size_t i = 0; i < count; i++)
        size += fields[i].len;
    for (size_t i = 0; extras != NULL && i < extras->count; i++)
        size += extras->list[i].name.len + extras->list[i].value.len;
    return size;
}

static uint64_t size_of_item(const agentchat_item *item)
{
    const aci_data *data = aci_data_of(item);
    uint64_t size = size_of_fields(item->fields, item->field_count, item->extras);

    if (data != NULL)
        size += data->base64.ptr != NULL ? data->base64.len : data->bytes.len;
    return aci_item_nested(item) != NULL ? size + size_of(item->u.message) : size;
}

/* About what a message takes as text, for the budget. */
static uint64_t size_of(const agentchat_message *message)
{
    enum { SYNTAX = 64 }; /* also what comparing and digesting costs whatever the length */
    uint64_t size = SYNTAX + size_of_fields(message->fields, message->field_count, message->extras);

    for (size_t i = 0; i < message->item_count; i++)
        size += SYNTAX + size_of_item(message->items[i]);
    return size;
}

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static bool digest(aci_diff *d, const agentchat_message *message, aci_hash *out)
{
    if (d->stopped || (d->named && !aci_diff_charge(d, size_of(message))))
        return false;
    if (aci_digest_message(d->env, message, out->bytes, d->err) >= 0)
        return true;
    aci_diff_nomem(d);
    return false;
}

static bool same_meaning(aci_diff *d, const agentchat_message *a, const agentchat_message *b)
{
    aci_hash x, y;

    if (d->named && !aci_diff_charge(d, size_of(a)))
        return false;
    if (aci_message_equal(a, b))
        return true;
    return digest(d, a, &x) && digest(d, b, &y) && memcmp(x.bytes, y.bytes, sizeof x.bytes) == 0;
}

/* The part of two lists that has to be aligned: a range of each. */
typedef struct middle {
    aci_list_cursor a, b;
    size_t begin, a_end, b_end;
} middle;

/* Reports messages [i, i_end) of the left and [j, j_end) of the right, which stand for each other as a whole. */
static void report_gap(aci_diff *d, middle *m, size_t i, size_t i_end, size_t j, size_t j_end)
{
    while ((i < i_end || j < j_end) && !d->stopped) {
        const agentchat_message *left = i < i_end ? aci_list_cursor_at(&m->a, i) : NULL;
        const agentchat_message *right = j < j_end ? aci_list_cursor_at(&m->b, j) : NULL;
        size_t length = aci_diff_enter_index(d, left != NULL ? i : j);

        if (left != NULL && right != NULL)
            diff_message(d, left, right);
        else
            aci_diff_report(d, write_message, left, right);
        aci_diff_leave(d, length);
        i += left != NULL;
        j += right != NULL;
    }
}

/* Where each message of the left's middle is found again; NULL when memory ran out. To be freed by the caller. */
static size_t *align_middle(aci_diff *d, middle *m)
{
    size_t a_count = m->a_end - m->begin, b_count = m->b_end - m->begin;
    size_t total, size = 0;
    aci_hash *hashes = NULL;
    size_t *match = aci_alloc(d->env, a_count * sizeof *match); /* no larger than the list itself */
    bool ok = match != NULL;

    if (aci_add(a_count, b_count, &total) && aci_mul(total, sizeof *hashes, &size) && ok)
        hashes = aci_alloc(d->env, size);
    ok = ok && hashes != NULL;
    for (size_t i = 0; ok && i < a_count; i++)
        ok = digest(d, aci_list_cursor_at(&m->a, m->begin + i), &hashes[i]);
    for (size_t j = 0; ok && j < b_count; j++)
        ok = digest(d, aci_list_cursor_at(&m->b, m->begin + j), &hashes[a_count + j]);
    ok = ok && aci_align(d->env, hashes, a_count, hashes + a_count, b_count, match);
    aci_free(d->env, hashes, size);
    if (ok)
        return match;
    aci_free(d->env, match, a_count * sizeof *match);
    if (!d->stopped)
        aci_diff_nomem(d);
    return NULL;
}

static void diff_middle(aci_diff *d, middle *m)
{
    size_t a_count = m->a_end - m->begin, j = m->begin, i = m->begin;
    size_t *match;

    if (a_count == 0 || m->b_end == m->begin) {
        report_gap(d, m, i, m->a_end, j, m->b_end);
        return;
    }
    match = align_middle(d, m);
    if (match == NULL)
        return;
    for (size_t n = 0; n < a_count && !d->stopped; n++)
        if (match[n] != ACI_UNMATCHED) {
            report_gap(d, m, i, m->begin + n, j, m->begin + match[n]);
            i = m->begin + n + 1;
            j = m->begin + match[n] + 1;
        }
    report_gap(d, m, i, m->a_end, j, m->b_end);
    aci_free(d->env, match, a_count * sizeof *match);
}

size_t aci_diff_messages(aci_diff *d, const agentchat_messages *a, const agentchat_messages *b, size_t same)
{
    middle m = {.begin = same, .a_end = a->count, .b_end = b->count};
    size_t equal;

    if (d->stopped)
        return 0;
    aci_list_cursor_begin(&m.a, a);
    aci_list_cursor_begin(&m.b, b);
    while (m.begin < m.a_end && m.begin < m.b_end &&
           same_meaning(d, aci_list_cursor_at(&m.a, m.begin), aci_list_cursor_at(&m.b, m.begin)))
        m.begin++;
    equal = m.begin;
    while (m.a_end > m.begin && m.b_end > m.begin &&
           same_meaning(d, aci_list_cursor_at(&m.a, m.a_end - 1), aci_list_cursor_at(&m.b, m.b_end - 1))) {
        m.a_end--;
        m.b_end--;
    }
    if (!d->stopped && (m.begin < m.a_end || m.begin < m.b_end))
        diff_middle(d, &m);
    return equal;
}
