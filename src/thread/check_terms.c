/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing the index of a thread with its messages. */
#include "thread/check_parts.h"

#include "base/error.h"
#include "thread/added_messages.h"
#include "thread/namespaces.h"
#include "thread/scan.h"
#include "thread/terms.h"
#include <inttypes.h>

typedef struct comparing {
    aci_store_check *all;
    const char *part;
    const agentchat_env *env;
    aci_tx *tx;
    agentchat_str thread, ns;
    int64_t num;
    aci_arena *names;
    aci_added_list added;
    /* ---- one checkpoint ---- */
    aci_term_set words;
    aci_arena *arena;
    aci_index stored;
    bool is_marked;
} comparing;

static agentchat_status look_at_row(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    (void)user;
    (void)row;
    (void)arena;
    (void)err;
    return AGENTCHAT_OK; /* its checksum is right */
}

static agentchat_status take_message(void *user, const aci_added_message *one, const agentchat_message *message,
                                     agentchat_error *err)
{
    comparing *c = user;

    (void)one;
    return aci_term_set_add(&c->words, message) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status take_term(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    comparing *c = user;
    aci_term_row row;
    bool ok = true;
    agentchat_status status = aci_terms_read(&row, columns, count, err);

    if (status < 0)
        return status;
    c->is_marked = c->is_marked || row.term.len == 0;
    row.term = aci_arena_copy(c->arena, row.term, &ok);
    return ok && aci_index_add(&c->stored, c->env, row.term, 0) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status read_stored(comparing *c, int64_t seq, agentchat_error *err)
{
    aci_thread_statement_add(c->tx, ACI_TERMS_OF_CHECKPOINT, take_term, c);
    aci_transact_integer(c->tx, c->num);
    aci_transact_text(c->tx, c->ns);
    aci_transact_integer(c->tx, seq);
    return aci_transact_run(c->tx, false, err);
}

static agentchat_status read_words(comparing *c, const aci_added *one, agentchat_error *err)
{
    bool stopped = false;
    size_t bytes = SIZE_MAX;
    aci_added_messages *m = aci_arena_alloc(c->arena, sizeof *m);
    agentchat_status status;

    if (m == NULL)
        return aci_fail_nomem(err);
    m->added = &c->added;
    m->each = take_message;
    m->user = c;
    m->stopped = &stopped;
    m->bytes = &bytes;
    m->count = 0;
    status = aci_added_messages_of(m, one, INT64_MAX, err);
    return status < 0 ? status : aci_added_messages_end(m, err);
}

static agentchat_status report_missing(const comparing *c, int64_t seq, agentchat_error *err)
{
    size_t missing = 0;

    for (size_t i = 0; i < c->words.count && !c->is_marked; i++)
        missing += aci_index_find(&c->stored, c->words.list[i]) == ACI_INDEX_NONE;
    if (missing == 0)
        return AGENTCHAT_OK;
    return aci_check_problem(c->all, c->part, err,
                             "checkpoint number %" PRId64 ": the index lacks %zu of its words; switch it off and on",
                             seq, missing);
}

static agentchat_status compare_one(comparing *c, const aci_added *one, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    c->is_marked = false;
    c->arena = aci_arena_new(c->env, 0);
    if (!aci_term_set_begin(&c->words, c->env) || c->arena == NULL)
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = read_stored(c, one->row.seq, err);
    if (status >= 0)
        status = read_words(c, one, err);
    if (status >= 0)
        status = report_missing(c, one->row.seq, err);
    aci_index_clear(&c->stored, c->env);
    aci_term_set_clear(&c->words);
    aci_arena_unref(c->arena);
    return status;
}

/* Some checkpoints of the namespace, before a sequence number, which becomes that of the last one. */
static agentchat_status compare_some(comparing *c, int64_t *below, agentchat_error *err)
{
    agentchat_status status;

    c->added = (aci_added_list){.env = c->env, .tx = c->tx, .num = c->num, .thread = c->thread, .ns = c->ns};
    c->added.below = *below;
    c->added.arena = aci_arena_new(c->env, 0);
    status = c->added.arena != NULL ? aci_search_added_read(&c->added, err) : aci_fail_nomem(err);
    for (size_t i = 0; i < c->added.count && status >= 0; i++) {
        if (c->added.rows[i].row.seq >= *below)
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored checkpoints of a thread are not in their order");
        else
            status = compare_one(c, &c->added.rows[i], err);
        *below = c->added.rows[i].row.seq;
    }
    aci_arena_unref(c->added.arena);
    return status;
}

static agentchat_status compare_all(comparing *c, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    bool more = true;

    do {
        int64_t below = INT64_MAX;

        do
            status = compare_some(c, &below, err);
        while (status >= 0 && c->added.count < c->added.read);
        if (status >= 0)
            status = aci_namespaces_next(c->tx, c->num, c->names, &c->ns, &more, err);
    } while (status >= 0 && more);
    return status;
}

agentchat_status aci_check_terms(aci_store_check *all, const char *part, aci_tx *tx, agentchat_str thread,
                                 agentchat_error *err)
{
    aci_thread_found now = {.id = thread};
    comparing *c;
    agentchat_status status;

    aci_thread_statement_add(tx, ACI_THREAD_ROW, aci_rows_load_thread, &now);
    aci_transact_text(tx, thread);
    status = aci_transact_run(tx, false, err);
    if (status < 0 || !now.found || now.row.indexed == ACI_INDEXED_NOT) /* deleted meanwhile, or not indexed */
        return status;
    status = aci_scan(tx, now.row.num, ACI_SCAN_OF_TERMS, look_at_row, NULL, err);
    if (status < 0 || now.row.indexed < ACI_INDEXED_MARKED || now.row.indexed > ACI_INDEXED)
        return status;
    c = aci_alloc_zero(all->env, sizeof *c);
    if (c == NULL)
        return aci_fail_nomem(err);
    c->all = all;
    c->part = part;
    c->env = all->env;
    c->tx = tx;
    c->thread = thread;
    c->ns = AGENTCHAT_STR("");
    c->num = now.row.num;
    c->names = aci_arena_new(c->env, 0);
    status = c->names != NULL ? compare_all(c, err) : aci_fail_nomem(err);
    aci_arena_unref(c->names);
    aci_free(all->env, c, sizeof *c);
    return status;
}
