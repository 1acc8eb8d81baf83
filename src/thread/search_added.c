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

static void ask_row(const aci_added_list *c, aci_thread_statement which, int64_t seq, aci_sql_row_fn row, void *user)
{
    aci_thread_statement_add(c->tx, which, row, user);
    aci_transact_text(c->tx, c->thread);
    aci_transact_text(c->tx, c->ns);
    aci_transact_integer(c->tx, seq);
}

static agentchat_status read_rows(aci_added_list *c, agentchat_error *err)
{
    agentchat_status status;

    if (c->only == NULL) {
        ask_row(c, ACI_CHECKPOINT_HEADERS, c->below, load_row, c);
        aci_transact_integer(c->tx, ACI_SEARCH_TOGETHER + 1);
    }
    for (size_t i = 0; i < c->only_count; i++)
        ask_row(c, ACI_CHECKPOINT_BY_SEQ, c->only[i], load_row, c);
    status = c->tx->count > 0 ? aci_transact_run(c->tx, false, err) : AGENTCHAT_OK;
    if (c->only == NULL)
        status = aci_rows_name_before(status, c->read > 0 ? c->rows[c->read - 1].row.seq : c->below, err);
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
    for (size_t i = 0; i < c->count; i++) {
        aci_added *one = &c->rows[i];

        if (!has_older_parent(one) || find_row(c, one->row.parent_seq) != NULL)
            continue;
        one->parent.arena = c->arena;
        ask_row(c, ACI_CHECKPOINT_BY_SEQ, one->row.parent_seq, aci_rows_load_checkpoint, &one->parent);
    }
    return c->tx->count > 0 ? aci_transact_run(c->tx, false, err) : AGENTCHAT_OK;
}

static const aci_checkpoint_row *find_parent(const aci_added_list *c, const aci_added *one)
{
    const aci_checkpoint_row *row = has_older_parent(one) ? find_row(c, one->row.parent_seq) : NULL;

    return row == NULL && one->parent.found ? &one->parent.row : row;
}

/* What comes before those whose parent is gone, where not all were read. */
static agentchat_status read_before(aci_added_list *c, agentchat_error *err)
{
    for (size_t i = 0; i < c->count && c->only != NULL; i++) {
        aci_added *one = &c->rows[i];

        if (find_parent(c, one) != NULL)
            continue;
        one->before.arena = c->arena;
        ask_row(c, ACI_CHECKPOINT_HEADERS, one->row.seq, aci_rows_load_checkpoint, &one->before);
        aci_transact_integer(c->tx, 1);
    }
    return c->tx->count > 0 ? aci_transact_run(c->tx, false, err) : AGENTCHAT_OK;
}

/* What a checkpoint is compared with; NULL: nothing. */
static const aci_checkpoint_row *compared_with(const aci_added_list *c, size_t index)
{
    const aci_added *one = &c->rows[index];
    const aci_checkpoint_row *row = find_parent(c, one);

    if (row == NULL && c->only != NULL)
        return one->before.found ? &one->before.row : NULL;
    return row == NULL && index + 1 < c->read ? &c->rows[index + 1].row : row;
}

/* ---- what a checkpoint adds ------------------------------------------------------------------------------------- */

static agentchat_status read_history(const aci_added_list *c, const aci_checkpoint_row *row, aci_range *out,
                                     agentchat_error *err)
{
    aci_contents *contents = NULL;
    agentchat_status status = aci_contents_read(c->env, row->contents, c->arena, &contents, err);

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
    uint64_t most = c->env->limits.max_messages, sum = 0;
    agentchat_status status = AGENTCHAT_OK;

    most = most < NUMBERS ? most : NUMBERS;
    for (size_t i = 0; i < c->count && status >= 0; i++) {
        aci_added *one = &c->rows[i];

        status = compare(c, one, compared_with(c, i), err);
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
        status = aci_lists_read(c->tx, c->num, wants, count, c->arena, NULL, err);
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
        status = read_before(list, err);
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
