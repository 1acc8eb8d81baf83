/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the bodies in the lists of a checkpoint. */
#include "thread/numbers.h"

#include "base/error.h"
#include "thread/body_row.h"
#include "thread/lists.h"
#include <stdlib.h>
#include <string.h>

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static size_t count_lists(const aci_contents *contents)
{
    size_t count = 1;

    for (size_t i = 0; i < contents->channel_count; i++)
        count += contents->channels[i].kind == ACI_PART_CHAT ? count_lists(contents->channels[i].chat)
                                                             : contents->channels[i].kind == ACI_PART_LIST;
    for (size_t i = 0; i < contents->value_count; i++)
        count += contents->values[i].kind == ACI_PART_LIST;
    return count;
}

static void collect_parts(aci_part *parts, size_t part_count, aci_number_list *list, size_t *count);

static void collect_chat(aci_contents *contents, aci_number_list *list, size_t *count)
{
    list[(*count)++] = (aci_number_list){contents->history, &contents->numbers};
    collect_parts(contents->channels, contents->channel_count, list, count);
    collect_parts(contents->values, contents->value_count, list, count);
}

static void collect_parts(aci_part *parts, size_t part_count, aci_number_list *list, size_t *count)
{
    for (size_t i = 0; i < part_count; i++) {
        if (parts[i].kind == ACI_PART_LIST)
            list[(*count)++] = (aci_number_list){parts[i].list, &parts[i].numbers};
        else if (parts[i].kind == ACI_PART_CHAT)
            collect_chat(parts[i].chat, list, count);
    }
}

agentchat_status aci_numbers_collect(const aci_contents *contents, aci_arena *arena, aci_number_list **out,
                                     size_t *count, agentchat_error *err)
{
    *out = aci_arena_alloc(arena, count_lists(contents) * sizeof **out);
    if (*out == NULL)
        return aci_fail_nomem(err);
    *count = 0;
    collect_chat((aci_contents *)(uintptr_t)contents, *out, count); /* their numbers are the caller's to set */
    return AGENTCHAT_OK;
}

agentchat_status aci_numbers_read_lists(aci_tx *tx, int64_t num, aci_contents *contents, aci_arena *arena,
                                        uint64_t *stored, agentchat_error *err)
{
    aci_number_list *lists;
    aci_list_want *wants;
    size_t count = 0;
    agentchat_status status = aci_numbers_collect(contents, arena, &lists, &count, err);

    if (status < 0)
        return status;
    wants = aci_arena_alloc(arena, count * sizeof *wants);
    if (wants == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        wants[i] = (aci_list_want){lists[i].range, NULL};
    status = aci_lists_read(tx, num, wants, count, arena, stored, err);
    for (size_t i = 0; i < count && status >= 0; i++)
        *lists[i].numbers = wants[i].numbers;
    return status;
}

/* ---- sets of numbers -------------------------------------------------------------------------------------------- */

bool aci_numbers_add(aci_number_set *set, const agentchat_env *env, const int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *list = set->list;

        if (set->count > 0 && set->list[set->count - 1] == numbers[i])
            continue;
        if (!aci_grow(env, &list, &set->cap, set->count, sizeof *set->list))
            return false;
        set->list = list;
        set->list[set->count++] = numbers[i];
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

void aci_numbers_sort(aci_number_set *set)
{
    size_t kept = 0;

    if (set->count == 0)
        return;
    qsort(set->list, set->count, sizeof *set->list, compare);
    for (size_t i = 1; i < set->count; i++)
        if (set->list[i] != set->list[kept])
            set->list[++kept] = set->list[i];
    set->count = kept + 1;
}

size_t aci_numbers_find(const aci_number_set *set, int64_t number)
{
    size_t low = 0, high = set->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (set->list[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->list[low] == number ? low : set->count;
}

void aci_numbers_clear(aci_number_set *set, const agentchat_env *env)
{
    aci_free(env, set->list, set->cap * sizeof *set->list);
    *set = (aci_number_set){NULL, 0, 0};
}

void aci_numbers_ask(const aci_number_set *set, aci_tx *tx, int64_t num, aci_thread_statement which, aci_sql_row_fn row,
                     void *user)
{
    enum { CLOSE = 4 }; /* reading a few rows too many is cheaper than another statement */

    for (size_t first = 0, last; first < set->count; first = last + 1) {
        last = first;
        while (last + 1 < set->count && set->list[last + 1] - set->list[last] <= CLOSE)
            last++;
        aci_thread_statement_add(tx, which, row, user);
        aci_transact_integer(tx, num);
        aci_transact_integer(tx, set->list[first]);
        aci_transact_integer(tx, set->list[last]);
    }
}

/* ---- bodies that are there -------------------------------------------------------------------------------------- */

typedef struct matching {
    aci_bodies *bodies;
    int64_t num; /* of the thread */
} matching;

static agentchat_status load_digest(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    const matching *m = user;
    agentchat_str digest = {NULL, 0};
    int64_t no = 0;
    size_t at;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &no, err);

    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 1, &digest, err);
    if (status >= 0)
        status = aci_body_row_check_sum(m->num, no, digest, columns, count, 2, err);
    if (status < 0)
        return status;
    at = aci_index_find(&m->bodies->by_digest, digest);
    if (at != ACI_INDEX_NONE)
        m->bodies->list[at].no = no;
    return AGENTCHAT_OK;
}

agentchat_status aci_numbers_match(aci_tx *tx, int64_t num, const aci_contents *contents, aci_bodies *bodies,
                                   agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    aci_number_set set = {NULL, 0, 0};
    matching m = {bodies, num};
    aci_number_list *lists;
    size_t count = 0;
    agentchat_status status = aci_numbers_collect(contents, bodies->arena, &lists, &count, err);

    for (size_t i = 0; i < count && status >= 0; i++)
        if (*lists[i].numbers != NULL &&
            !aci_numbers_add(&set, env, *lists[i].numbers, (size_t)aci_range_length(lists[i].range)))
            status = aci_fail_nomem(err);
    aci_numbers_sort(&set);
    if (status >= 0 && set.count > 0) {
        aci_numbers_ask(&set, tx, num, ACI_BODY_DIGESTS, load_digest, &m);
        status = aci_transact_run(tx, false, err);
    }
    aci_numbers_clear(&set, env);
    return status;
}
