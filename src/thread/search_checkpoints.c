/* SPDX-License-Identifier: Apache-2.0 */
/* Searching the checkpoints of a namespace, newest first: the messages that each of them adds. */
#include "thread/search_added.h"

#include "base/error.h"
#include "thread/load.h"
#include "thread/numbers.h"

enum {
    GROUP = 256,           /* messages that are read together, */
    GROUP_BYTES = 4 << 20, /* unless they have more bytes */
    WORK_OF_CHECKPOINT = 1024,
    WORK_OF_NUMBER = 4,
    BYTES_OF_MESSAGE = 64
};

typedef struct candidate { /* a message that may be found */
    const aci_added *checkpoint;
    int64_t position, number, length;
} candidate;

typedef struct chunk {
    aci_search *search;
    aci_added_list added;
    candidate group[GROUP];
    size_t group_count;
} chunk;

/* ---- messages --------------------------------------------------------------------------------------------------- */

static agentchat_status load_length(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    chunk *c = user;
    int64_t no = 0, length = 0;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &no, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &length, err);
    if (status >= 0 && length < 0)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body is shorter than any is");
    for (size_t i = 0; i < c->group_count && status >= 0; i++)
        if (c->group[i].number == no)
            c->group[i].length = length;
    return status;
}

static agentchat_status read_lengths(chunk *c, agentchat_error *err)
{
    const aci_search *s = c->search;
    aci_number_set set = {NULL, 0, 0};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < c->group_count && status >= 0; i++)
        if (!aci_numbers_add(&set, s->env, &c->group[i].number, 1))
            status = aci_fail_nomem(err);
    if (status >= 0) {
        aci_numbers_sort(&set);
        aci_numbers_ask(&set, s->tx, s->num, ACI_BODY_LENGTHS, load_length, c);
        status = aci_transact_run(s->tx, false, err);
    }
    aci_numbers_clear(&set, s->env);
    return status;
}

static agentchat_status add_hit(aci_search *s, const candidate *one, agentchat_error *err)
{
    agentchat_thread_hits *page = s->page;
    void *items = page->items, *numbers = page->numbers;
    agentchat_checkpoint_info *info;
    agentchat_thread_hit *hit;
    bool ok = true;

    if (!aci_grow(s->env, &items, &page->cap, page->count, sizeof *page->items))
        return aci_fail_nomem(err);
    page->items = items;
    if (!aci_grow(s->env, &numbers, &page->number_cap, page->count, sizeof *page->numbers))
        return aci_fail_nomem(err);
    page->numbers = numbers;
    page->numbers[page->count] = one->number;
    hit = &page->items[page->count];
    *hit = (agentchat_thread_hit){
        .position = (uint64_t)one->position, .match_begin = s->query.match_begin, .match_end = s->query.match_end};
    hit->thread = aci_rows_copy_name(page->arena, s->at.thread, &ok);
    hit->excerpt = aci_arena_copy(page->arena, (agentchat_str){s->query.excerpt, s->query.excerpt_len}, &ok);
    info = aci_arena_alloc(page->arena, sizeof *info);
    if (!ok || info == NULL || !aci_rows_checkpoint_info(&one->checkpoint->row, page->arena, info))
        return aci_fail_nomem(err);
    hit->checkpoint = info;
    page->count++;
    return AGENTCHAT_OK;
}

static agentchat_status look_at(aci_search *s, const candidate *one, const agentchat_message *message,
                                agentchat_error *err)
{
    bool matches = false;
    agentchat_status status = aci_query_match(&s->query, message, &matches, err);

    s->at.seq = one->checkpoint->row.seq;
    s->at.before = one->position;
    if (status >= 0 && matches)
        status = add_hit(s, one, err);
    s->stopped = s->page->count == s->limit; /* whether there is another one would take long to find out */
    return status;
}

static agentchat_status search_messages(chunk *c, const candidate *first, size_t count, agentchat_error *err)
{
    aci_search *s = c->search;
    int64_t numbers[GROUP] = {0};
    agentchat_messages list;
    aci_list_cursor cursor;
    agentchat_status status;

    for (size_t i = 0; i < count; i++)
        numbers[i] = first[i].number;
    status = aci_load_without_data(s->tx, s->num, numbers, count, &list, err);
    aci_list_cursor_begin(&cursor, &list);
    for (size_t i = 0; i < count && status >= 0 && !s->stopped; i++)
        status = look_at(s, &first[i], aci_list_cursor_at(&cursor, i), err);
    aci_list_clear(&list);
    return status;
}

/* The group, in parts that are not too long. */
static agentchat_status search_group(chunk *c, agentchat_error *err)
{
    aci_search *s = c->search;
    size_t done = 0;
    agentchat_status status = c->group_count > 0 ? read_lengths(c, err) : AGENTCHAT_OK;

    while (done < c->group_count && status >= 0 && !s->stopped) {
        size_t count = 0;
        uint64_t sum = 0;

        do
            sum += (uint64_t)c->group[done + count++].length + BYTES_OF_MESSAGE;
        while (done + count < c->group_count && sum + (uint64_t)c->group[done + count].length <= GROUP_BYTES);
        status = search_messages(c, &c->group[done], count, err);
        done += count;
        s->bytes = sum < s->bytes ? s->bytes - (size_t)sum : 0;
        s->stopped = s->stopped || s->bytes == 0;
    }
    c->group_count = 0;
    return status;
}

static agentchat_status search_checkpoint(chunk *c, const aci_added *one, int64_t before, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (int64_t i = one->added_numbers != NULL ? aci_range_length(one->added) : 0;
         i-- > 0 && status >= 0 && !c->search->stopped;) {
        int64_t position = one->added.from - one->history.from + i;

        if (one->added_numbers[i] == 0 || position >= before)
            continue;
        c->group[c->group_count++] = (candidate){one, position, one->added_numbers[i], 0};
        if (c->group_count == GROUP)
            status = search_group(c, err);
    }
    return status;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static size_t work_of(const aci_added_list *added)
{
    size_t work = 0;

    for (size_t i = 0; i < added->count; i++) {
        work += WORK_OF_CHECKPOINT;
        if (added->rows[i].gone_numbers != NULL)
            work += (size_t)aci_range_length(added->rows[i].gone) * WORK_OF_NUMBER;
    }
    return work;
}

static agentchat_status search_all(chunk *c, agentchat_error *err)
{
    aci_search *s = c->search;
    const aci_added_list *added = &c->added;
    aci_search_position from = s->at;
    agentchat_status status = AGENTCHAT_OK;
    size_t work = work_of(added);

    for (size_t i = 0; i < added->count && status >= 0 && !s->stopped; i++)
        status =
            search_checkpoint(c, &added->rows[i], added->rows[i].row.seq == from.seq ? from.before : INT64_MAX, err);
    if (status >= 0 && !s->stopped)
        status = search_group(c, err);
    if (status < 0 || s->stopped)
        return status;
    if (added->count > 0) {
        s->at.seq = added->rows[added->count - 1].row.seq;
        s->at.before = 0;
    }
    s->work = work < s->work ? s->work - work : 0;
    s->stopped = s->work == 0;
    return status;
}

agentchat_status aci_search_checkpoints(aci_search *search, agentchat_error *err)
{
    const agentchat_env *env = search->env;
    chunk *c = aci_alloc(env, sizeof *c);
    agentchat_status status = c != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    bool more = true;

    while (status >= 0 && more && !search->stopped) {
        aci_added_list *added = &c->added;

        c->search = search;
        c->group_count = 0;
        added->search = search;
        added->read = added->count = 0;
        added->arena = aci_arena_new(env, 0);
        status = added->arena != NULL ? aci_search_added_read(added, err) : aci_fail_nomem(err);
        if (status >= 0)
            status = search_all(c, err);
        more = added->count < added->read;
        aci_arena_unref(added->arena);
    }
    aci_free(env, c, sizeof *c);
    return status;
}
