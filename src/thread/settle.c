/* SPDX-License-Identifier: Apache-2.0 */
/* Adding the words of checkpoints that are marked. */
#include "thread/settle.h"

#include "base/error.h"
#include "thread/added_messages.h"
#include "thread/namespaces.h"
#include "thread/terms.h"
#include <string.h>

enum { MOST_PASSES = 16 }; /* where others change what was looked at again and again; then the marks stay */

typedef struct settling {
    aci_steps *steps;
    const agentchat_env *env;
    agentchat_str thread, ns; /* the namespace that is looked at */
    int64_t num;
    aci_arena *names; /* of namespaces */
    int64_t below;    /* sequence number before which marks are looked for */
    bool is_over;     /* nothing is left, or the thread is gone */
    bool is_left;     /* a mark that was looked at */
    /* ---- one look ---- */
    aci_arena *arena;
    int64_t seqs[ACI_SEARCH_TOGETHER]; /* of marked checkpoints */
    size_t count;
    aci_added_list added;
    aci_term_row *rows; /* that are to be written */
    size_t row_count, cap;
    const aci_added *current; /* whose words are being gathered */
    aci_term_set words;
    size_t next;      /* row that was not written yet */
    bool is_unmarked; /* all are written, and the marks taken away */
} settling;

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static agentchat_status load_mark(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    settling *s = user;
    aci_term_row row;
    agentchat_status status = aci_terms_read(&row, columns, count, err);

    if (status >= 0 &&
        (s->count == ACI_SEARCH_TOGETHER || row.seq >= (s->count > 0 ? s->seqs[s->count - 1] : s->below)))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored terms of a thread are not in their order");
    if (status >= 0)
        s->seqs[s->count++] = row.seq;
    return status;
}

static agentchat_status read_marks(settling *s, aci_tx *tx, agentchat_error *err)
{
    aci_term_row before = {s->num, s->below, s->ns, AGENTCHAT_STR("")};

    s->count = 0;
    aci_terms_ask(tx, &before, ACI_SEARCH_TOGETHER, load_mark, s);
    return aci_transact_run(tx, false, err);
}

/* The marks of the namespace, or of the next one that has any. */
static agentchat_status find_marks(settling *s, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status = read_marks(s, tx, err);

    while (status >= 0 && s->count == 0 && !s->is_over) {
        bool more = false;

        status = aci_namespaces_next(tx, s->num, s->names, &s->ns, &more, err);
        s->is_over = !more;
        s->below = INT64_MAX;
        if (status >= 0 && more)
            status = read_marks(s, tx, err);
    }
    return status;
}

static agentchat_status read_added(const settling *s, aci_tx *tx, aci_arena *arena, aci_added_list *out,
                                   agentchat_error *err)
{
    memset(out, 0, sizeof *out);
    out->env = s->env;
    out->tx = tx;
    out->num = s->num;
    out->thread = s->thread;
    out->ns = s->ns;
    out->arena = arena;
    out->only = s->seqs;
    out->only_count = s->count;
    return aci_search_added_read(out, err);
}

/* The words of the checkpoint become rows. */
static agentchat_status take_words(settling *s, agentchat_error *err)
{
    bool ok = true;

    for (size_t i = 0; i < s->words.count && ok; i++) {
        void *rows = s->rows;

        ok = aci_grow(s->env, &rows, &s->cap, s->row_count, sizeof *s->rows);
        if (!ok)
            break;
        s->rows = rows;
        s->rows[s->row_count++] =
            (aci_term_row){s->num, s->current->row.seq, s->ns, aci_arena_copy(s->arena, s->words.list[i], &ok)};
    }
    aci_term_set_clear(&s->words);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status take_message(void *user, const aci_added_message *one, const agentchat_message *message,
                                     agentchat_error *err)
{
    settling *s = user;
    agentchat_status status = AGENTCHAT_OK;

    if (one->checkpoint != s->current) {
        status = take_words(s, err);
        s->current = one->checkpoint;
        if (status >= 0 && !aci_term_set_begin(&s->words, s->env))
            status = aci_fail_nomem(err);
    }
    return status < 0 || aci_term_set_add(&s->words, message) ? status : aci_fail_nomem(err);
}

static agentchat_status gather_words(settling *s, agentchat_error *err)
{
    bool stopped = false;
    size_t bytes = SIZE_MAX;
    aci_added_messages *m = aci_alloc_zero(s->env, sizeof *m);
    agentchat_status status = m != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    s->current = NULL;
    if (m != NULL) {
        m->added = &s->added;
        m->each = take_message;
        m->user = s;
        m->stopped = &stopped;
        m->bytes = &bytes;
    }
    for (size_t i = 0; i < s->added.count && status >= 0; i++)
        status = aci_added_messages_of(m, &s->added.rows[i], INT64_MAX, err);
    if (status >= 0)
        status = aci_added_messages_end(m, err);
    if (status >= 0)
        status = take_words(s, err);
    aci_term_set_clear(&s->words);
    aci_free(s->env, m, sizeof *m);
    return status;
}

static agentchat_status look(aci_tx *tx, void *user, agentchat_error *err)
{
    settling *s = user;
    aci_thread_found found;
    agentchat_status status;

    aci_arena_unref(s->arena);
    s->arena = aci_arena_new(s->env, 0);
    s->count = s->row_count = s->next = 0;
    s->is_unmarked = false;
    if (s->arena == NULL)
        return aci_fail_nomem(err);
    aci_steps_ask_thread(tx, ACI_THREAD_ROW, s->thread, &found);
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    s->is_over = !aci_steps_has(&found, s->num) || !aci_terms_are_kept(&found.row);
    if (!s->is_over)
        status = find_marks(s, tx, err);
    if (status < 0 || s->is_over)
        return status;
    status = read_added(s, tx, s->arena, &s->added, err);
    return status < 0 ? status : gather_words(s, err);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static const aci_added *find_added(const aci_added_list *list, size_t count, int64_t seq)
{
    for (size_t i = 0; i < count; i++)
        if (list->rows[i].row.seq == seq)
            return &list->rows[i];
    return NULL;
}

/* Whether a checkpoint adds the same messages as before. */
static bool adds_the_same(const aci_added *a, const aci_added *b)
{
    int64_t length = a->added_numbers != NULL ? aci_range_length(a->added) : 0;

    if (length != (b->added_numbers != NULL ? aci_range_length(b->added) : 0))
        return false;
    return length == 0 || memcmp(a->added_numbers, b->added_numbers, (size_t)length * sizeof *a->added_numbers) == 0;
}

/* Takes away the marks of those that are as they were, and all rows of those that are gone. */
static agentchat_status unmark(settling *s, aci_tx *tx, aci_arena *arena, agentchat_error *err)
{
    aci_added_list *now = aci_arena_alloc(arena, sizeof *now);
    agentchat_status status;

    if (now == NULL)
        return aci_fail_nomem(err);
    status = read_added(s, tx, arena, now, err);
    for (size_t i = 0; i < s->count && status >= 0; i++) {
        const aci_added *was = find_added(&s->added, s->added.count, s->seqs[i]);
        const aci_added *is = find_added(now, now->count, s->seqs[i]);

        if (find_added(now, now->read, s->seqs[i]) == NULL)
            aci_terms_delete(tx, s->num, s->ns, s->seqs[i]);
        else if (was != NULL && is != NULL && adds_the_same(was, is))
            aci_terms_unmark(tx, s->num, s->ns, s->seqs[i]);
        else if (s->added.count == s->added.read || s->seqs[i] >= s->added.rows[s->added.count - 1].row.seq)
            s->is_left = true; /* those after the last one that was looked at come next */
    }
    return status;
}

/* Looking once more takes its time, too: a step that writes many rows leaves that to another one. */
static bool is_last(const settling *s, size_t count)
{
    return s->next + count == s->row_count && count <= s->steps->rows / 2;
}

static agentchat_status write_rows(settling *s, aci_tx *tx, size_t count, aci_arena *arena, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < count && status >= 0; i++)
        status = aci_terms_insert(tx, &s->rows[s->next + i], err);
    if (status >= 0 && is_last(s, count))
        status = unmark(s, tx, arena, err);
    if (status >= 0)
        status = aci_steps_write(s->steps, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

static agentchat_status write_some(aci_tx *tx, void *user, agentchat_error *err)
{
    settling *s = user;
    size_t left = s->row_count - s->next, count = left < s->steps->rows ? left : s->steps->rows;
    aci_arena *arena = aci_arena_new(s->env, 0);
    aci_thread_found found;
    agentchat_status status = arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_steps_ask_thread(tx, ACI_THREAD_LOCK, s->thread, &found);
    if (status >= 0)
        status = aci_steps_lock(s->steps, tx, err);
    s->is_over = status >= 0 && (!aci_steps_has(&found, s->num) || !aci_terms_are_kept(&found.row));
    if (status >= 0 && !s->is_over)
        status = write_rows(s, tx, count, arena, err);
    if (status >= 0) {
        s->is_unmarked = is_last(s, count);
        s->next += count;
    }
    aci_arena_unref(arena);
    return status;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* Beyond those that were looked at. */
static void go_on(settling *s)
{
    const aci_added_list *added = &s->added;

    if (added->count < added->read)
        s->below = added->rows[added->count - 1].row.seq;
    else
        s->below = s->seqs[s->count - 1];
}

/* All marks that are there. */
static agentchat_status settle_once(settling *s, agentchat_error *err)
{
    agentchat_status status;

    s->ns = AGENTCHAT_STR("");
    s->below = INT64_MAX;
    s->is_left = false;
    status = aci_steps_look(s->steps, look, s, err);
    while (status >= 0 && !s->is_over) {
        do
            status = aci_steps_run(s->steps, write_some, s, err);
        while (status >= 0 && !s->is_over && !s->is_unmarked);
        go_on(s);
        if (status >= 0 && !s->is_over)
            status = aci_steps_look(s->steps, look, s, err);
    }
    return status;
}

static agentchat_status settle(settling *s, agentchat_error *err)
{
    agentchat_status status;
    unsigned passes = 0;

    do
        status = settle_once(s, err);
    while (status >= 0 && s->is_left && ++passes < MOST_PASSES);
    return status;
}

agentchat_status aci_settle(aci_steps *steps, agentchat_str thread, int64_t num, agentchat_error *err)
{
    const agentchat_env *env = steps->store->env;
    settling *s = aci_alloc_zero(env, sizeof *s);
    agentchat_status status;

    if (s == NULL)
        return aci_fail_nomem(err);
    s->steps = steps;
    s->env = env;
    s->thread = thread;
    s->num = num;
    s->names = aci_arena_new(env, 0);
    status = s->names != NULL ? settle(s, err) : aci_fail_nomem(err);
    aci_arena_unref(s->arena);
    aci_arena_unref(s->names);
    aci_free(env, s->rows, s->cap * sizeof *s->rows);
    aci_free(env, s, sizeof *s);
    return status;
}
