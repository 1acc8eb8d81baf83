/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the index of a thread, and the words that become rows. */
#include "thread/terms.h"

#include "base/error.h"
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void sum_term(aci_row_sum *sum, const aci_term_row *row)
{
    aci_row_sum_begin(sum);
    aci_row_sum_integer(sum, row->num);
    aci_row_sum_integer(sum, row->seq);
    aci_row_sum_text(sum, row->ns);
    aci_row_sum_text(sum, row->term);
}

agentchat_status aci_terms_read(aci_term_row *row, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    int64_t stored = 0;
    aci_row_sum sum;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &row->num, err);

    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &row->ns, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 2, &row->term, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 3, &row->seq, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 4, &stored, err);
    if (status < 0)
        return status;
    sum_term(&sum, row);
    status = aci_row_sum_check(&sum, stored, "term", err);
    if (status >= 0 && (row->seq < 1 || row->seq > ACI_THREAD_HIGHEST))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored term is of a checkpoint that no thread has");
    return status;
}

static void add_key(aci_tx *tx, const aci_term_row *row, int64_t seq)
{
    aci_transact_integer(tx, row->num);
    aci_transact_text(tx, row->ns);
    aci_transact_text(tx, row->term);
    aci_transact_integer(tx, seq);
}

agentchat_status aci_terms_insert(aci_tx *tx, const aci_term_row *row, agentchat_error *err)
{
    int64_t value = 0;
    aci_row_sum sum;
    agentchat_status status;

    sum_term(&sum, row);
    status = aci_row_sum_end(&sum, &value, err);
    if (status < 0)
        return status;
    aci_thread_statement_add(tx, ACI_TERM_INSERT, NULL, NULL);
    add_key(tx, row, row->seq);
    aci_transact_integer(tx, value);
    return AGENTCHAT_OK;
}

agentchat_status aci_terms_mark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq, agentchat_error *err)
{
    aci_term_row row = {num, seq, ns, AGENTCHAT_STR("")};

    return aci_terms_insert(tx, &row, err);
}

void aci_terms_unmark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq)
{
    const aci_term_row row = {num, seq, ns, AGENTCHAT_STR("")};

    aci_thread_statement_add(tx, ACI_TERM_DELETE, NULL, NULL);
    add_key(tx, &row, seq);
}

void aci_terms_delete(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq)
{
    aci_thread_statement_add(tx, ACI_TERMS_DELETE, NULL, NULL);
    aci_transact_integer(tx, num);
    aci_transact_text(tx, ns);
    aci_transact_integer(tx, seq);
}

void aci_terms_ask(aci_tx *tx, const aci_term_row *before, int64_t limit, aci_sql_row_fn row, void *user)
{
    aci_thread_statement_add(tx, ACI_TERM_CHECKPOINTS, row, user);
    add_key(tx, before, before->seq);
    aci_transact_integer(tx, limit);
}

/* Intact, it has nothing to say. */
static agentchat_status load_beside(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_term_row row;

    (void)user;
    return aci_terms_read(&row, columns, count, err);
}

void aci_terms_ask_beside(aci_tx *tx, const aci_term_row *before, int64_t oldest)
{
    const struct {
        aci_thread_statement which;
        int64_t seq;
    } sides[] = {{ACI_TERM_BEFORE, oldest}, {ACI_TERM_AFTER, before->seq}};

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        aci_thread_statement_add(tx, sides[i].which, load_beside, NULL);
        add_key(tx, before, sides[i].seq);
    }
}

/* ---- checkpoints that add more ---------------------------------------------------------------------------------- */

agentchat_status aci_terms_load_key(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_term_keys *keys = user;
    aci_term_key *key = aci_arena_alloc(keys->arena, sizeof *key);
    bool ok = true;
    agentchat_status status;

    if (key == NULL)
        return aci_fail_nomem(err);
    *key = (aci_term_key){.next = NULL};
    status = aci_transact_column_text(columns, count, 0, &key->ns, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &key->seq, err);
    if (status < 0)
        return status;
    key->ns = aci_arena_copy(keys->arena, key->ns, &ok);
    if (keys->last == NULL)
        keys->last = &keys->first;
    *keys->last = key;
    keys->last = &key->next;
    keys->count++;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_terms_ask_followers(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq, aci_term_keys *out)
{
    static const aci_thread_statement statements[] = {ACI_CHECKPOINT_AFTER, ACI_CHECKPOINT_BRANCHES};

    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        aci_thread_statement_add(tx, statements[i], aci_terms_load_key, out);
        aci_transact_integer(tx, num);
        aci_transact_text(tx, ns);
        aci_transact_integer(tx, seq);
    }
}

agentchat_status aci_terms_mark_keys(aci_tx *tx, int64_t num, const aci_term_keys *keys, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (const aci_term_key *key = keys->first; key != NULL && status >= 0; key = key->next)
        status = aci_terms_mark(tx, num, key->ns, key->seq, err);
    return status;
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static bool take_word(void *user, agentchat_str text, const aci_token *token)
{
    aci_term_set *set = user;
    void *list = set->list;
    agentchat_str copy;

    (void)text;
    if (aci_index_find(&set->by_text, token->text) != ACI_INDEX_NONE)
        return true;
    copy = aci_arena_copy(set->arena, token->text, &set->ok);
    set->ok = set->ok && aci_grow(set->env, &list, &set->cap, set->count, sizeof *set->list);
    if (!set->ok)
        return false;
    set->list = list;
    set->ok = aci_index_put(&set->by_text, set->env, copy, set->count);
    if (set->ok)
        set->list[set->count++] = copy;
    return set->ok;
}

bool aci_term_set_begin(aci_term_set *set, const agentchat_env *env)
{
    *set = (aci_term_set){.env = env, .ok = true};
    aci_message_words_begin(&set->words, env, take_word, set);
    set->arena = aci_arena_new(env, 0);
    return set->arena != NULL;
}

void aci_term_set_clear(aci_term_set *set)
{
    if (set->env == NULL)
        return;
    aci_message_words_clear(&set->words);
    aci_index_clear(&set->by_text, set->env);
    aci_free(set->env, set->list, set->cap * sizeof *set->list);
    aci_arena_unref(set->arena);
    memset(set, 0, sizeof *set);
}

bool aci_term_set_add(aci_term_set *set, const agentchat_message *message)
{
    return aci_message_words_each(&set->words, message) && set->ok;
}
