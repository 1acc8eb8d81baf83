/* SPDX-License-Identifier: Apache-2.0 */
/* Indexing threads, and what removing checkpoints changes in the index. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include <string.h>

/* ==== whether the threads of a store are indexed: the row that says so, and how many of them are ================= */

/* ---- the store's row -------------------------------------------------------------------------------------------- */

static const agentchat_str index_name = {"words", 5};

agentchat_status aci_index_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_index_row *row = user;
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_table_read(&aci_index_table, 0, columns, count, row, &why);
    row->found = true;
    row->is_damaged = row->is_damaged || status == AGENTCHAT_E_CORRUPT || !agentchat_str_equal(row->name, index_name);
    row->name = (agentchat_str){NULL, 0};
    return status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}

/* Queues what makes the row be there, or not, whatever there was. */
static void index_set(aci_tx *tx, bool on)
{
    const aci_index_row row = {.name = index_name};

    aci_thread_statement_add(tx, ACI_INDEX_DELETE, NULL, NULL);
    if (on) {
        aci_thread_statement_add(tx, ACI_INDEX_INSERT, NULL, NULL);
        aci_table_bind(tx, &aci_index_table, &row);
    }
}

/* ---- the public call -------------------------------------------------------------------------------------------- */

typedef struct index_state {
    aci_index_row row;
    bool counts; /* threads, too */
    int64_t threads, indexed;
} index_state;

static agentchat_status load_counts(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    index_state *state = user;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &state->threads, err);

    return status < 0 ? status : aci_transact_column_integer(columns, count, 1, &state->indexed, err);
}

static agentchat_status read_state(aci_tx *tx, void *user, agentchat_error *err)
{
    index_state *state = user;
    agentchat_status status;

    state->row = (aci_index_row){.found = false};
    aci_thread_statement_add(tx, ACI_INDEX_ROW, aci_index_load, &state->row);
    if (state->counts)
        ACI_THREAD_ASK(tx, ACI_INDEX_COUNTS, load_counts, state, ACI_INT(ACI_INDEXED));
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && state->row.is_damaged)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, ACI_INDEX_DAMAGED);
    return status;
}

agentchat_status agentchat_thread_index_state(agentchat_store *store, bool *on, uint64_t *threads, uint64_t *indexed,
                                              agentchat_error *err)
{
    index_state state = {.counts = threads != NULL || indexed != NULL};
    agentchat_status status;

    agentchat_error_clear(err);
    if (on != NULL)
        *on = false;
    if (threads != NULL)
        *threads = 0;
    if (indexed != NULL)
        *indexed = 0;
    if (store == NULL || on == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "on");
    status = aci_transact(store, false, read_state, &state, err);
    if (status < 0)
        return status;
    *on = state.row.found;
    if (threads != NULL)
        *threads = (uint64_t)state.threads;
    if (indexed != NULL)
        *indexed = (uint64_t)state.indexed;
    return AGENTCHAT_OK;
}

/* ==== adding the words of checkpoints that are marked ============================================================ */

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
    aci_rows_ask_thread(tx, ACI_THREAD_ROW, s->thread, &found);
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    s->is_over = !aci_rows_has(&found, s->num) || !aci_terms_are_kept(&found.row);
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

    for (size_t i = 0; i < count; i++)
        aci_terms_insert(tx, &s->rows[s->next + i]);
    if (is_last(s, count))
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

    aci_rows_ask_thread(tx, ACI_THREAD_LOCK, s->thread, &found);
    if (status >= 0)
        status = aci_steps_lock(s->steps, tx, err);
    s->is_over = status >= 0 && (!aci_rows_has(&found, s->num) || !aci_terms_are_kept(&found.row));
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

static agentchat_status settle_thread(settling *s, agentchat_error *err)
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
    status = s->names != NULL ? settle_thread(s, err) : aci_fail_nomem(err);
    aci_arena_unref(s->arena);
    aci_arena_unref(s->names);
    aci_free(env, s->rows, s->cap * sizeof *s->rows);
    aci_free(env, s, sizeof *s);
    return status;
}

/* ==== giving the threads of a store an index of words, and taking it away: thread by thread, in steps ============ */

/* How far a thread has come stands in its row, which every step and every put locks. So a put knows for certain
   whether it has to keep the index of its thread, and a call that was killed is gone on with where it was. */

enum { MOST_TURNS = 32 }; /* of a thread, where another call wants the contrary */

typedef struct indexing {
    const agentchat_env *env;
    aci_steps steps;
    bool on;
    /* ---- the thread ---- */
    aci_arena *arena;
    agentchat_str id;
    aci_thread_row row;
    bool found;
    aci_indexed next; /* that it is to become */
    /* ---- marking ---- */
    agentchat_str ns; /* of the last checkpoint that was marked */
    int64_t seq;
    aci_arena *page;
} indexing;

/* ---- the store's row -------------------------------------------------------------------------------------------- */

static agentchat_status switch_store(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    aci_index_row row = {.found = false};
    agentchat_status status;

    aci_thread_statement_add(tx, ACI_INDEX_ROW, aci_index_load, &row);
    status = aci_steps_lock(&x->steps, tx, err);
    if (status < 0 || (row.found == x->on && !row.is_damaged))
        return status;
    index_set(tx, x->on);
    return aci_transact_run(tx, true, err);
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

/* Locks the thread. found: it is still in the state in which it was. */
static agentchat_status lock_thread(indexing *x, aci_tx *tx, bool *found, agentchat_error *err)
{
    aci_thread_found now;
    agentchat_status status;

    aci_rows_ask_thread(tx, ACI_THREAD_LOCK, x->id, &now);
    status = aci_steps_lock(&x->steps, tx, err);
    x->found = status >= 0 && aci_rows_has(&now, x->row.num);
    *found = x->found && now.row.indexed == x->row.indexed;
    if (x->found)
        x->row = now.row;
    return status;
}

/* Writes what is queued, and the state where it changes. */
static agentchat_status end_step(indexing *x, aci_tx *tx, bool changes, agentchat_error *err)
{
    aci_thread_row row = x->row;
    agentchat_status status;

    row.indexed = changes ? (int64_t)x->next : row.indexed;
    if (changes)
        aci_rows_advance_thread(tx, x->id, &row);
    status = aci_steps_write(&x->steps, tx, err);
    if (status >= 0)
        status = aci_transact_run(tx, true, err);
    if (status >= 0)
        x->row = row;
    return status;
}

static agentchat_status change_step(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    bool found = false;
    agentchat_status status = lock_thread(x, tx, &found, err);

    return status < 0 || !found ? status : end_step(x, tx, true, err);
}

static agentchat_status clear_step(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    bool found = false;
    agentchat_status status = lock_thread(x, tx, &found, err);

    if (status < 0 || !found)
        return status;
    ACI_THREAD_ASK(tx, ACI_CLEAR_TERMS, NULL, NULL, ACI_INT(x->row.num), ACI_INT((int64_t)x->steps.rows));
    status = aci_transact_run(tx, false, err);
    return status < 0 ? status : end_step(x, tx, aci_transact_changed(tx, 0) < x->steps.rows, err);
}

/* Damaged pages may give the same checkpoints again and again. */
static agentchat_status check_order(const indexing *x, const aci_term_keys *keys, agentchat_error *err)
{
    agentchat_str ns = x->ns;
    int64_t seq = x->seq;

    for (const aci_term_key *key = keys->first; key != NULL; key = key->next) {
        int order = aci_str_compare(key->ns, ns);

        if (order < 0 || (order == 0 && key->seq <= seq))
            return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored checkpoints of a thread are not in their order");
        ns = key->ns;
        seq = key->seq;
    }
    return AGENTCHAT_OK;
}

static agentchat_status mark_page(indexing *x, aci_tx *tx, aci_term_keys *keys, agentchat_error *err)
{
    int64_t limit = (int64_t)x->steps.rows;
    agentchat_status status;

    ACI_THREAD_ASK(tx, ACI_CHECKPOINT_KEYS, aci_terms_load_key, keys, ACI_INT(x->row.num), ACI_TEXT(x->ns),
                   ACI_INT(x->seq), ACI_INT(limit));
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = check_order(x, keys, err);
    if (status < 0)
        return status;
    aci_terms_mark_keys(tx, x->row.num, keys);
    return end_step(x, tx, (int64_t)keys->count < limit, err);
}

static agentchat_status mark_step(aci_tx *tx, void *user, agentchat_error *err)
{
    indexing *x = user;
    aci_term_keys keys = {.arena = aci_arena_new(x->env, 0)};
    bool found = false;
    agentchat_status status = keys.arena != NULL ? lock_thread(x, tx, &found, err) : aci_fail_nomem(err);

    if (status >= 0 && found)
        status = mark_page(x, tx, &keys, err);
    if (status < 0 || keys.count == 0) {
        aci_arena_unref(keys.arena);
        return status;
    }
    for (const aci_term_key *key = keys.first; key != NULL; key = key->next) {
        x->ns = key->ns;
        x->seq = key->seq;
    }
    aci_arena_unref(x->page); /* the namespace before was in it */
    x->page = keys.arena;
    return status;
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

/* Steps of a kind, as long as the thread stays in its state. */
static agentchat_status run_steps(indexing *x, aci_work work, aci_indexed next, agentchat_error *err)
{
    int64_t state = x->row.indexed;
    agentchat_status status;

    x->next = next;
    x->ns = AGENTCHAT_STR("");
    x->seq = 0;
    do
        status = aci_steps_run(&x->steps, work, x, err);
    while (status >= 0 && x->found && x->row.indexed == state);
    return status;
}

static agentchat_status index_settle(indexing *x, agentchat_error *err)
{
    agentchat_status status = aci_settle(&x->steps, x->id, x->row.num, err);

    return status < 0 || x->row.indexed == ACI_INDEXED ? status : run_steps(x, change_step, ACI_INDEXED, err);
}

/* One turn towards what it is to become. */
static agentchat_status turn(indexing *x, agentchat_error *err)
{
    switch ((aci_indexed)x->row.indexed) {
    case ACI_INDEXED_LEAVING:
        return run_steps(x, clear_step, ACI_INDEXED_NOT, err);
    case ACI_INDEXED_NOT:
        return x->on ? run_steps(x, change_step, ACI_INDEXED_MARKING, err) : AGENTCHAT_OK;
    case ACI_INDEXED_MARKING:
        return x->on ? run_steps(x, mark_step, ACI_INDEXED_MARKED, err)
                     : run_steps(x, change_step, ACI_INDEXED_LEAVING, err);
    case ACI_INDEXED_MARKED:
    case ACI_INDEXED:
        return x->on ? index_settle(x, err) : run_steps(x, change_step, ACI_INDEXED_LEAVING, err);
    }
    return AGENTCHAT_OK;
}

static agentchat_status index_thread(indexing *x, agentchat_error *err)
{
    const int64_t end = x->on ? ACI_INDEXED : ACI_INDEXED_NOT;
    agentchat_status status = AGENTCHAT_OK;
    unsigned turns = 0;

    do
        status = turn(x, err);
    while (status >= 0 && x->found && x->row.indexed != end && ++turns < MOST_TURNS);
    return status;
}

static agentchat_status index_all(indexing *x, agentchat_error *err)
{
    agentchat_status status = aci_steps_run(&x->steps, switch_store, x, err);
    bool more = true;

    while (status >= 0 && more) {
        aci_thread_next next = {.after = x->id, .arena = aci_arena_new(x->env, 0)};

        status = next.arena != NULL ? aci_steps_look(&x->steps, aci_rows_next_thread, &next, err) : aci_fail_nomem(err);
        if (status >= 0 && next.sound < 0)
            status = aci_fail(err, next.sound, "%s", next.why.message);
        aci_arena_unref(x->arena);
        x->arena = next.arena;
        x->id = next.id;
        x->row = next.row;
        more = x->found = status >= 0 && next.found;
        if (more)
            status = index_thread(x, err);
    }
    aci_arena_unref(x->arena);
    aci_arena_unref(x->page);
    return status;
}

agentchat_status agentchat_thread_index(agentchat_store *store, bool on, agentchat_error *err)
{
    indexing x = {.on = on, .id = AGENTCHAT_STR("")};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    x.env = store->env;
    aci_steps_begin(&x.steps, store);
    status = index_all(&x, err);
    return status < 0 ? status : AGENTCHAT_OK;
}
