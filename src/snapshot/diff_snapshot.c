/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing snapshots: chats, participants and channels. */
#include "snapshot/diff.h"

#include "base/checked.h"
#include "base/error.h"
#include "snapshot/align.h"
#include "snapshot/key_order.h"

/* ---- matching by key ------------------------------------------------------------------------------------------ */

/* What is compared by key: participants or channels. */
typedef struct keyed_list {
    size_t left_count, right_count;
    const void *left, *right;
    size_t elem;
    agentchat_str (*key)(const void *element);
    aci_diff_write_fn write;
    void (*compare)(aci_diff *d, const void *left, const void *right);
} keyed_list;

static const void *element(const void *array, size_t elem, size_t index)
{
    return (const char *)array + index * elem;
}

static void fill_keys(aci_keyed *keys, const void *array, size_t count, const keyed_list *list)
{
    for (size_t i = 0; i < count; i++)
        keys[i] = (aci_keyed){list->key(element(array, list->elem, i)), i};
    aci_key_order_sort(keys, count);
}

/* Pairs the n-th of a key on the left with the n-th of that key on the right: match[i] is the partner on the right of
   element i of the left, match[left_count + j] is ACI_UNMATCHED if element j of the right has none. */
static void match_keys(const aci_keyed *left, size_t left_count, const aci_keyed *right, size_t right_count,
                       size_t *match)
{
    size_t i = 0, j = 0;

    for (size_t n = 0; n < left_count + right_count; n++)
        match[n] = ACI_UNMATCHED;
    while (i < left_count && j < right_count) {
        int order = aci_key_order_compare(left[i].key, right[j].key);

        if (order == 0) {
            match[left[i].index] = right[j].index;
            match[left_count + right[j].index] = left[i].index;
        }
        i += order <= 0;
        j += order >= 0;
    }
}

static void report_matched(aci_diff *d, const keyed_list *list, const size_t *match)
{
    for (size_t i = 0; i < list->left_count && !d->stopped; i++) {
        size_t length = aci_diff_enter_index(d, i);
        const void *left = element(list->left, list->elem, i);

        if (match[i] == ACI_UNMATCHED)
            aci_diff_report(d, list->write, left, NULL);
        else
            list->compare(d, left, element(list->right, list->elem, match[i]));
        aci_diff_leave(d, length);
    }
    for (size_t j = 0; j < list->right_count && !d->stopped; j++)
        if (match[list->left_count + j] == ACI_UNMATCHED) {
            size_t length = aci_diff_enter_index(d, j);

            aci_diff_report(d, list->write, NULL, element(list->right, list->elem, j));
            aci_diff_leave(d, length);
        }
}

static void diff_keyed(aci_diff *d, const keyed_list *list)
{
    size_t total = 0, keys_size = 0, match_size = 0;
    aci_keyed *keys = NULL;
    size_t *match = NULL;

    if (d->stopped || (list->left_count == 0 && list->right_count == 0))
        return;
    if (aci_add(list->left_count, list->right_count, &total) && aci_mul(total, sizeof *keys, &keys_size) &&
        aci_mul(total, sizeof *match, &match_size)) {
        keys = aci_alloc(d->env, keys_size);
        match = aci_alloc(d->env, match_size);
    }
    if (keys == NULL || match == NULL) {
        aci_diff_nomem(d);
    } else {
        fill_keys(keys, list->left, list->left_count, list);
        fill_keys(keys + list->left_count, list->right, list->right_count, list);
        match_keys(keys, list->left_count, keys + list->left_count, list->right_count, match);
        report_matched(d, list, match);
    }
    aci_free(d->env, keys, keys_size);
    aci_free(d->env, match, match_size);
}

/* ---- participants and channels -------------------------------------------------------------------------------- */

static void write_text(aci_canonical *c, const void *thing)
{
    aci_canonical_string(c, *(const agentchat_str *)thing);
}

static void diff_text(aci_diff *d, const char *member, agentchat_str a, agentchat_str b)
{
    bool has_a = a.ptr != NULL && !agentchat_str_is_null(a);
    bool has_b = b.ptr != NULL && !agentchat_str_is_null(b);
    size_t length;

    if (d->stopped || (!has_a && !has_b) || (has_a && has_b && agentchat_str_equal(a, b)))
        return;
    length = aci_diff_enter(d, member);
    aci_diff_report(d, write_text, has_a ? &a : NULL, has_b ? &b : NULL);
    aci_diff_leave(d, length);
}

static agentchat_str participant_key(const void *element)
{
    return ((const agentchat_participant *)element)->id;
}

static void write_participant(aci_canonical *c, const void *thing)
{
    aci_canonical_participant(c, thing);
}

static void diff_participant(aci_diff *d, const void *left, const void *right)
{
    const agentchat_participant *a = left, *b = right;

    diff_text(d, "name", a->name, b->name);
    diff_text(d, "type", a->type, b->type);
}

static agentchat_str channel_key(const void *element)
{
    return ((const agentchat_channel_state *)element)->key;
}

static void write_channel(aci_canonical *c, const void *thing)
{
    aci_canonical_channel(c, thing);
}

static void write_state(aci_canonical *c, const void *thing)
{
    aci_canonical_state(c, thing);
}

/* Lists that begin where their histories do are equal as far as these are, which is known at no cost. */
static void diff_lists(aci_diff *d, const agentchat_channel_state *a, const agentchat_channel_state *b)
{
    size_t same = 0;

    d->named = a->named || b->named;
    if (d->named && d->common > 0 && aci_list_is_prefix(&a->messages, d->left_history) &&
        aci_list_is_prefix(&b->messages, d->right_history)) {
        same = a->messages.count < b->messages.count ? a->messages.count : b->messages.count;
        same = same < d->common ? same : d->common;
    }
    (void)aci_diff_messages(d, &a->messages, &b->messages, same);
    d->named = false;
}

static void diff_snapshots(aci_diff *d, const agentchat_snapshot *a, const agentchat_snapshot *b);

static void diff_state(aci_diff *d, const agentchat_channel_state *a, const agentchat_channel_state *b)
{
    bool has_a = aci_canonical_has_state(a), has_b = aci_canonical_has_state(b);

    if (!has_a || !has_b || a->kind != b->kind) {
        if (has_a || has_b)
            aci_diff_report(d, write_state, has_a ? a : NULL, has_b ? b : NULL);
    } else if (a->kind == AGENTCHAT_CHANNEL_MESSAGES) {
        diff_lists(d, a, b);
    } else if (a->kind == AGENTCHAT_CHANNEL_CHAT) {
        diff_snapshots(d, a->chat, b->chat);
    } else if (!agentchat_str_equal(a->data, b->data)) {
        aci_diff_report(d, write_state, a, b);
    }
}

static void diff_channel(aci_diff *d, const void *left, const void *right)
{
    const agentchat_channel_state *a = left, *b = right;
    size_t length;

    diff_text(d, "channeltype", a->type, b->type);
    diff_text(d, "statekind", agentchat_str_from(aci_snapshot_state_kind_name(a->kind)),
              agentchat_str_from(aci_snapshot_state_kind_name(b->kind)));
    if (d->stopped)
        return;
    length = aci_diff_enter(d, "channelstate");
    diff_state(d, a, b);
    aci_diff_leave(d, length);
}

static void diff_snapshots(aci_diff *d, const agentchat_snapshot *a, const agentchat_snapshot *b)
{
    keyed_list participants = {a->participant_count,    b->participant_count, a->participants,   b->participants,
                               sizeof *a->participants, participant_key,      write_participant, diff_participant};
    keyed_list channels = {a->channel_count,    b->channel_count, a->channels,   b->channels,
                           sizeof *a->channels, channel_key,      write_channel, diff_channel};
    const agentchat_messages *left_history = d->left_history, *right_history = d->right_history;
    size_t length, common = d->common;

    if (a == b || d->stopped)
        return;
    length = aci_diff_enter(d, "history");
    d->common = aci_diff_messages(d, &a->history, &b->history, 0);
    d->left_history = &a->history;
    d->right_history = &b->history;
    aci_diff_leave(d, length);
    length = aci_diff_enter(d, "participants");
    diff_keyed(d, &participants);
    aci_diff_leave(d, length);
    length = aci_diff_enter(d, "channels");
    diff_keyed(d, &channels);
    aci_diff_leave(d, length);
    d->left_history = left_history;
    d->right_history = right_history;
    d->common = common;
}

agentchat_status agentchat_snapshot_diff(const agentchat_snapshot *left, const agentchat_snapshot *right,
                                         agentchat_diff_fn each, void *user, bool *equal, agentchat_error *err)
{
    aci_diff d;
    agentchat_status status;

    agentchat_error_clear(err);
    if (equal == NULL)
        return aci_fail_null(err, "equal");
    *equal = false;
    if (left == NULL || right == NULL)
        return aci_fail_null(err, left == NULL ? "left" : "right");
    aci_diff_begin(&d, left->env, each, user, err);
    d.copies.most = aci_env(left->env)->limits.max_copies;
    d.copies.source = left->source_bytes + right->source_bytes;
    d.left.copies = d.right.copies = &d.copies;
    diff_snapshots(&d, left, right);
    status = aci_diff_end(&d);
    *equal = status >= 0 && !d.found;
    return status;
}
