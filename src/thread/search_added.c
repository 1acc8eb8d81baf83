/* SPDX-License-Identifier: Apache-2.0 */
/* What checkpoints add to the histories of their parents. */
#include "thread/search_added.h"

#include "base/error.h"
#include "thread/lists.h"
#include <stdlib.h>

enum { NUMBERS = 100000 }; /* of bodies, that are compared together */

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_added_list *c = user;
    aci_checkpoint_found found = {.arena = c->arena};
    agentchat_status status = aci_rows_load_checkpoint(&found, columns, count, err);

    if (status >= 0 &&
        (c->read > ACI_SEARCH_TOGETHER || (c->read > 0 && found.row.seq >= c->rows[c->read - 1].row.seq)))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored checkpoints of a thread are not in their order");
    if (status < 0)
        return status;
    c->rows[c->read++] = (aci_added){.row = found.row};
    return AGENTCHAT_OK;
}

static agentchat_status read_rows(aci_added_list *c, agentchat_error *err)
{
    const aci_search *s = c->search;
    agentchat_status status;

    aci_thread_statement_add(s->tx, ACI_CHECKPOINT_HEADERS, load_row, c);
    aci_transact_text(s->tx, s->at.thread);
    aci_transact_text(s->tx, s->at.ns);
    aci_transact_integer(s->tx, s->at.before > 0 && s->at.seq < INT64_MAX ? s->at.seq + 1 : s->at.seq);
    aci_transact_integer(s->tx, ACI_SEARCH_TOGETHER + 1);
    status = aci_transact_run(s->tx, false, err);
    c->count = c->read < ACI_SEARCH_TOGETHER ? c->read : ACI_SEARCH_TOGETHER;
    return status;
}

static const aci_checkpoint_row *find_row(const aci_added_list *c, int64_t seq)
{
    for (size_t i = 0; i < c->read; i++)
        if (c->rows[i].row.seq == seq)
            return &c->rows[i].row;
    return NULL;
}

/* A checkpoint that was replaced may follow a later one; that is none for it. */
static bool has_older_parent(const aci_added *one)
{
    return one->row.parent_seq > 0 && one->row.parent_seq < one->row.seq;
}

/* Parents that stand further away. */
static agentchat_status read_parents(aci_added_list *c, agentchat_error *err)
{
    const aci_search *s = c->search;

    for (size_t i = 0; i < c->count; i++) {
        aci_added *one = &c->rows[i];

        if (!has_older_parent(one) || find_row(c, one->row.parent_seq) != NULL)
            continue;
        one->parent.arena = c->arena;
        aci_thread_statement_add(s->tx, ACI_CHECKPOINT_BY_SEQ, aci_rows_load_checkpoint, &one->parent);
        aci_transact_text(s->tx, s->at.thread);
        aci_transact_text(s->tx, s->at.ns);
        aci_transact_integer(s->tx, one->row.parent_seq);
    }
    return s->tx->count > 0 ? aci_transact_run(s->tx, false, err) : AGENTCHAT_OK;
}

/* What a checkpoint is compared with; NULL: nothing. */
static const aci_checkpoint_row *parent_of(const aci_added_list *c, size_t index)
{
    const aci_added *one = &c->rows[index];
    const aci_checkpoint_row *row = has_older_parent(one) ? find_row(c, one->row.parent_seq) : NULL;

    if (row == NULL && one->parent.found)
        row = &one->parent.row;
    return row == NULL && index + 1 < c->read ? &c->rows[index + 1].row : row;
}

/* ---- what a checkpoint adds ------------------------------------------------------------------------------------- */

static agentchat_status read_history(const aci_added_list *c, const aci_checkpoint_row *row, aci_range *out,
                                     agentchat_error *err)
{
    aci_contents *contents = NULL;
    agentchat_status status = aci_contents_read(c->search->env, row->contents, c->arena, &contents, err);

    if (status >= 0)
        *out = contents->history;
    return status;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Of a history that goes on where that of the parent ends, the end of it, and what was cut off at the beginning. Any
   others are compared in full. */
static agentchat_status compare(const aci_added_list *c, aci_added *one, const aci_checkpoint_row *parent,
                                agentchat_error *err)
{
    aci_range old = {0, 0, 0};
    agentchat_status status = read_history(c, &one->row, &one->history, err);

    if (status >= 0 && parent != NULL)
        status = read_history(c, parent, &old, err);
    if (status < 0)
        return status;
    one->added = one->history;
    one->gone = old;
    if (old.seg == 0 || old.seg != one->added.seg || one->added.from < old.from)
        return AGENTCHAT_OK;
    one->gone.to = smaller(old.to, one->added.from);
    one->added.from = smaller(larger(one->added.from, old.to), one->added.to);
    return AGENTCHAT_OK;
}

static bool is_empty(aci_range range)
{
    return range.seg == 0 || range.from >= range.to;
}

/* Compares as many as have not too many numbers together. */
static agentchat_status compare_all(aci_added_list *c, agentchat_error *err)
{
    uint64_t most = c->search->env->limits.max_messages, sum = 0;
    agentchat_status status = AGENTCHAT_OK;

    most = most < NUMBERS ? most : NUMBERS;
    for (size_t i = 0; i < c->count && status >= 0; i++) {
        aci_added *one = &c->rows[i];

        status = compare(c, one, parent_of(c, i), err);
        if (status < 0 || is_empty(one->added))
            continue;
        sum += (uint64_t)larger(aci_range_length(one->added), aci_range_length(one->gone));
        if (sum > most && i > 0)
            c->count = i;
    }
    return status;
}

/* The numbers of what was added, or of what is gone where something was added. */
static agentchat_status read_numbers(aci_added_list *c, bool added, agentchat_error *err)
{
    aci_list_want wants[ACI_SEARCH_TOGETHER];
    size_t count = 0;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < c->count; i++) {
        const aci_added *one = &c->rows[i];

        if (!is_empty(one->added) && !is_empty(added ? one->added : one->gone))
            wants[count++] = (aci_list_want){added ? one->added : one->gone, NULL};
    }
    if (count > 0)
        status = aci_lists_read(c->search->tx, c->search->num, wants, count, c->arena, err);
    count = 0;
    for (size_t i = 0; i < c->count && status >= 0; i++) {
        aci_added *one = &c->rows[i];

        if (is_empty(one->added) || is_empty(added ? one->added : one->gone))
            continue;
        *(added ? &one->added_numbers : &one->gone_numbers) = wants[count++].numbers;
    }
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* Of equal messages the last ones are those that were added. */
static agentchat_status strike_out(aci_added_list *c, aci_added *one, agentchat_error *err)
{
    size_t added = (size_t)aci_range_length(one->added), gone = (size_t)aci_range_length(one->gone);
    uint32_t *used; /* of the equal ones that begin there */

    if (one->added_numbers == NULL || one->gone_numbers == NULL)
        return AGENTCHAT_OK;
    used = aci_arena_alloc(c->arena, gone * sizeof *used);
    if (used == NULL)
        return aci_fail_nomem(err);
    memset(used, 0, gone * sizeof *used);
    qsort(one->gone_numbers, gone, sizeof *one->gone_numbers, compare_numbers);
    for (size_t i = 0; i < added; i++) {
        size_t low = 0, high = gone;

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (one->gone_numbers[middle] < one->added_numbers[i])
                low = middle + 1;
            else
                high = middle;
        }
        if (low == gone || low + used[low] >= gone || one->gone_numbers[low + used[low]] != one->added_numbers[i])
            continue;
        used[low]++;
        one->added_numbers[i] = 0;
    }
    return AGENTCHAT_OK;
}

agentchat_status aci_search_added_read(aci_added_list *list, agentchat_error *err)
{
    agentchat_status status = read_rows(list, err);

    if (status >= 0)
        status = read_parents(list, err);
    if (status >= 0)
        status = compare_all(list, err);
    if (status >= 0)
        status = read_numbers(list, true, err);
    if (status >= 0)
        status = read_numbers(list, false, err);
    for (size_t i = 0; i < list->count && status >= 0; i++)
        status = strike_out(list, &list->rows[i], err);
    return status;
}
