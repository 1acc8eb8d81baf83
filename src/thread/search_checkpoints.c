/* SPDX-License-Identifier: Apache-2.0 */
/* Searching the checkpoints of a namespace, newest first: the messages that each of them adds. */
#include "thread/added_messages.h"
#include "thread/search_terms.h"

#include "base/error.h"

enum { WORK_OF_CHECKPOINT = 1024, WORK_OF_NUMBER = 4 };

typedef struct chunk {
    aci_search *search;
    aci_added_list added;
    aci_added_messages messages;
    aci_term_candidates candidates; /* which checkpoints are looked at, where the thread is indexed */
} chunk;

/* ---- messages --------------------------------------------------------------------------------------------------- */

static agentchat_status add_hit(aci_search *s, const aci_added_message *one, agentchat_error *err)
{
    aci_result_page *page = &s->hits->page;
    void *numbers = s->hits->numbers;
    agentchat_checkpoint_info *info = aci_arena_alloc(page->arena, sizeof *info);
    agentchat_thread_hit *hit = aci_result_page_room(page);
    bool ok = true;

    if (info == NULL || hit == NULL ||
        !aci_grow(s->env, &numbers, &s->hits->number_cap, page->count, sizeof *s->hits->numbers))
        return aci_fail_nomem(err);
    s->hits->numbers = numbers;
    s->hits->numbers[page->count] = one->number;
    *hit = (agentchat_thread_hit){.checkpoint = info,
                                  .position = (uint64_t)one->position,
                                  .match_begin = s->query.match_begin,
                                  .match_end = s->query.match_end};
    hit->thread = aci_arena_cstr(page->arena, s->at.thread, &ok);
    hit->excerpt = aci_arena_copy(page->arena, (agentchat_str){s->query.excerpt, s->query.excerpt_len}, &ok);
    if (!ok || !aci_rows_checkpoint_info(&one->checkpoint->row, page->arena, info))
        return aci_fail_nomem(err);
    page->count++;
    return AGENTCHAT_OK;
}

static agentchat_status look_at(void *user, const aci_added_message *one, const agentchat_message *message,
                                agentchat_error *err)
{
    aci_search *s = user;
    bool matches = false;
    agentchat_status status = aci_query_match(&s->query, message, &matches, err);

    s->at.seq = one->checkpoint->row.seq;
    s->at.before = one->position;
    if (status >= 0 && matches)
        status = add_hit(s, one, err);
    s->stopped = s->hits->page.count == s->limit; /* whether there is another one would take long to find out */
    return status;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

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

/* Beyond the checkpoints that were looked at, or those that the index has passed over. */
static void go_on_after(chunk *c)
{
    aci_search *s = c->search;
    const aci_added_list *added = &c->added;

    if (s->indexed && added->count == added->read)
        s->at.seq = c->candidates.reached;
    else if (added->count > 0)
        s->at.seq = added->rows[added->count - 1].row.seq;
    else
        return;
    s->at.before = 0;
}

static agentchat_status search_all(chunk *c, agentchat_error *err)
{
    aci_search *s = c->search;
    const aci_added_list *added = &c->added;
    aci_search_position from = s->at;
    agentchat_status status = AGENTCHAT_OK;
    size_t work = work_of(added) + c->candidates.work;

    for (size_t i = 0; i < added->count && status >= 0 && !s->stopped; i++)
        status = aci_added_messages_of(&c->messages, &added->rows[i],
                                       added->rows[i].row.seq == from.seq ? from.before : INT64_MAX, err);
    if (status >= 0 && !s->stopped)
        status = aci_added_messages_end(&c->messages, err);
    if (status < 0 || s->stopped)
        return status;
    go_on_after(c);
    s->work = work < s->work ? s->work - work : 0;
    s->stopped = s->work == 0;
    return status;
}

/* Those that come next: of all checkpoints, or of those that the index names. */
static agentchat_status read_next(chunk *c, agentchat_error *err)
{
    aci_search *s = c->search;
    aci_added_list *added = &c->added;
    agentchat_status status = AGENTCHAT_OK;

    *added = (aci_added_list){.env = s->env, .tx = s->tx, .num = s->num, .thread = s->at.thread, .ns = s->at.ns};
    added->below = s->at.before > 0 && s->at.seq < INT64_MAX ? s->at.seq + 1 : s->at.seq;
    added->arena = aci_arena_new(s->env, 0);
    if (added->arena == NULL)
        return aci_fail_nomem(err);
    if (s->indexed) {
        status = aci_search_terms(s, added->below, &c->candidates, err);
        added->only = c->candidates.seqs;
        added->only_count = c->candidates.count;
    }
    return status < 0 ? status : aci_search_added_read(added, err);
}

static bool has_more(const chunk *c)
{
    return c->added.count < c->added.read || (c->search->indexed && c->candidates.reached > 0);
}

agentchat_status aci_search_checkpoints(aci_search *search, agentchat_error *err)
{
    const agentchat_env *env = search->env;
    chunk *c = aci_alloc_zero(env, sizeof *c);
    agentchat_status status = c != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
    bool more = true;

    while (status >= 0 && more && !search->stopped) {
        c->search = search;
        c->messages.added = &c->added;
        c->messages.each = look_at;
        c->messages.user = search;
        c->messages.stopped = &search->stopped;
        c->messages.bytes = &search->bytes;
        c->messages.count = 0;
        status = read_next(c, err);
        if (status >= 0)
            status = search_all(c, err);
        more = has_more(c);
        aci_arena_unref(c->added.arena);
    }
    aci_free(env, c, sizeof *c);
    return status;
}
