/* SPDX-License-Identifier: Apache-2.0 */
/* The words that checkpoints add, and their rows in the index. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include "json/lex.h"
#include "json/value.h"
#include <stdlib.h>
#include <string.h>

/* ==== the words of a message ===================================================================================== */

/* The tokenizer would be a part of each level of messages in messages. */
static ACI_NOINLINE void look_at_text(aci_message_words *words, agentchat_str text)
{
    aci_tokenizer tokenizer;
    aci_token token;

    aci_tokenizer_begin(&tokenizer, text, true);
    while (!words->stopped && aci_tokenizer_next(&tokenizer, &token))
        words->stopped = !words->take(words->user, text, &token);
}

/* A string with its quotes. */
static void look_at_string(aci_message_words *words, agentchat_str raw)
{
    if (memchr(raw.ptr, '\\', raw.len) == NULL) {
        look_at_text(words, (agentchat_str){raw.ptr + 1, raw.len - 2});
        return;
    }
    words->decoded.len = 0;
    if (aci_json_unquote(raw, &words->decoded))
        look_at_text(words, aci_buf_str(&words->decoded));
    else
        words->stopped = words->failed = true;
}

/* Strings, names of members and numbers, wherever they stand in a validated value. */
static void look_at_json(aci_message_words *words, agentchat_str json)
{
    const char *p = json.ptr, *end = json.ptr + json.len, *begin, *bad;

    while (p < end && !words->stopped) {
        begin = p;
        if (*p == '"') {
            p = aci_lex_string(p + 1, end, &bad);
            if (p == NULL)
                return;
            look_at_string(words, (agentchat_str){begin, (size_t)(++p - begin)});
        } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
            p = aci_lex_number(p, end, &bad);
            if (p == NULL)
                return;
            look_at_text(words, (agentchat_str){begin, (size_t)(p - begin)});
        } else {
            p++;
        }
    }
}

static bool is_looked_at(unsigned field)
{
    const uint64_t fields = UINT64_C(1) << AGENTCHAT_FIELD_TEXT | UINT64_C(1) << AGENTCHAT_FIELD_PLUGIN |
                            UINT64_C(1) << AGENTCHAT_FIELD_FUNCTION | UINT64_C(1) << AGENTCHAT_FIELD_ARGUMENTS |
                            UINT64_C(1) << AGENTCHAT_FIELD_EXCEPTION | UINT64_C(1) << AGENTCHAT_FIELD_RESULT |
                            UINT64_C(1) << AGENTCHAT_FIELD_LABEL | UINT64_C(1) << AGENTCHAT_FIELD_TITLE;

    return (fields >> (field & 63) & 1) != 0;
}

static void look_at_message(aci_message_words *words, const agentchat_message *message)
{
    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];

        for (size_t k = 0; k < item->field_count; k++) {
            const aci_field *field = &item->fields[k];

            if (!is_looked_at(field->id))
                continue;
            if (field->form == ACI_FORM_TEXT)
                look_at_text(words, aci_field_text(field));
            else if (field->form == ACI_FORM_JSON)
                look_at_json(words, aci_field_text(field));
        }
        if (aci_item_nested(item) != NULL) /* as deep as the reader of the message allowed */
            look_at_message(words, aci_item_nested(item));
    }
}

static void message_words_begin(aci_message_words *words, const agentchat_env *env,
                                bool (*take)(void *user, agentchat_str text, const aci_token *token), void *user)
{
    *words = (aci_message_words){.take = take, .user = user};
    aci_buf_init(&words->decoded, env, SIZE_MAX);
}

static void message_words_clear(aci_message_words *words)
{
    aci_buf_clear(&words->decoded);
}

/* Goes over those of a message. false: out of memory. */
static bool message_words_each(aci_message_words *words, const agentchat_message *message)
{
    words->stopped = words->failed = false;
    look_at_message(words, message);
    return !words->failed;
}

/* ==== the messages that checkpoints add ========================================================================== */

enum {
    GROUP_BYTES = 4 << 20, /* of a group, unless one message has more */
    BYTES_OF_MESSAGE = 64
};

/* ---- messages --------------------------------------------------------------------------------------------------- */

static agentchat_status load_length(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_added_messages *m = user;
    int64_t no = 0, length = 0;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &no, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &length, err);
    if (status >= 0 && length < 0)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body is shorter than any is");
    for (size_t i = 0; i < m->count && status >= 0; i++)
        if (m->group[i].number == no)
            m->group[i].length = length;
    return status;
}

static agentchat_status read_lengths(aci_added_messages *m, agentchat_error *err)
{
    const aci_added_list *s = m->added;
    aci_number_set set = {NULL, 0, 0};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < m->count && status >= 0; i++)
        if (!aci_numbers_add(&set, s->env, &m->group[i].number, 1))
            status = aci_fail_nomem(err);
    if (status >= 0) {
        aci_numbers_sort(&set);
        aci_numbers_ask(&set, s->tx, s->num, ACI_BODY_LENGTHS, load_length, m);
        status = aci_transact_run(s->tx, false, err);
    }
    aci_numbers_clear(&set, s->env);
    return status;
}

static agentchat_status search_messages(aci_added_messages *m, const aci_added_message *first, size_t count,
                                        agentchat_error *err)
{
    const aci_added_list *s = m->added;
    int64_t numbers[ACI_ADDED_GROUP] = {0};
    agentchat_messages list;
    aci_list_cursor cursor;
    agentchat_status status;

    for (size_t i = 0; i < count; i++)
        numbers[i] = first[i].number;
    status = aci_load_without_data(s->tx, s->num, numbers, count, &list, err);
    aci_list_cursor_begin(&cursor, &list);
    for (size_t i = 0; i < count && status >= 0 && !*m->stopped; i++)
        status = m->each(m->user, &first[i], aci_list_cursor_at(&cursor, i), err);
    aci_list_clear(&list);
    return status;
}

/* The group, in parts that are not too long. */
agentchat_status aci_added_messages_end(aci_added_messages *m, agentchat_error *err)
{
    size_t done = 0;
    agentchat_status status = m->count > 0 ? read_lengths(m, err) : AGENTCHAT_OK;

    while (done < m->count && status >= 0 && !*m->stopped) {
        size_t count = 0;
        uint64_t sum = 0;

        do
            sum += (uint64_t)m->group[done + count++].length + BYTES_OF_MESSAGE;
        while (done + count < m->count && sum + (uint64_t)m->group[done + count].length <= GROUP_BYTES);
        status = search_messages(m, &m->group[done], count, err);
        done += count;
        *m->bytes = sum < *m->bytes ? *m->bytes - (size_t)sum : 0;
        *m->stopped = *m->stopped || *m->bytes == 0;
    }
    m->count = 0;
    return status;
}

agentchat_status aci_added_messages_of(aci_added_messages *m, const aci_added *one, int64_t before,
                                       agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (int64_t i = one->added_numbers != NULL ? aci_range_length(one->added) : 0;
         i-- > 0 && status >= 0 && !*m->stopped;) {
        int64_t position = one->added.from - one->history.from + i;

        if (one->added_numbers[i] == 0 || position >= before)
            continue;
        m->group[m->count++] = (aci_added_message){one, position, one->added_numbers[i], 0};
        if (m->count == ACI_ADDED_GROUP)
            status = aci_added_messages_end(m, err);
    }
    return status;
}

/* ==== what checkpoints add to the histories of their parents ===================================================== */

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
    ACI_THREAD_ASK(c->tx, which, row, user, ACI_TEXT(c->thread), ACI_TEXT(c->ns), ACI_INT(seq));
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

/* ==== rows of the index of a thread, and the words that become rows ============================================== */

/* ---- rows ------------------------------------------------------------------------------------------------------- */

agentchat_status aci_terms_read(aci_term_row *row, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    agentchat_status status = aci_table_read(&aci_term_table, 0, columns, count, row, err);

    if (status >= 0 && (row->seq < 1 || row->seq > ACI_THREAD_HIGHEST))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored term is of a checkpoint that no thread has");
    return status;
}

static void add_key(aci_tx *tx, const aci_term_row *row, int64_t seq)
{
    ACI_BIND(tx, ACI_INT(row->num), ACI_TEXT(row->ns), ACI_TEXT(row->term), ACI_INT(seq));
}

void aci_terms_insert(aci_tx *tx, const aci_term_row *row)
{
    aci_thread_statement_add(tx, ACI_TERM_INSERT, NULL, NULL);
    aci_table_bind(tx, &aci_term_table, row);
}

void aci_terms_mark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq)
{
    const aci_term_row row = {num, seq, ns, AGENTCHAT_STR("")};

    aci_terms_insert(tx, &row);
}

void aci_terms_unmark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq)
{
    const aci_term_row row = {num, seq, ns, AGENTCHAT_STR("")};

    aci_thread_statement_add(tx, ACI_TERM_DELETE, NULL, NULL);
    add_key(tx, &row, seq);
}

void aci_terms_delete(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq)
{
    ACI_THREAD_ASK(tx, ACI_TERMS_DELETE, NULL, NULL, ACI_INT(num), ACI_TEXT(ns), ACI_INT(seq));
}

void aci_terms_ask(aci_tx *tx, const aci_term_row *before, int64_t limit, aci_sql_row_fn row, void *user)
{
    aci_thread_statement_add(tx, ACI_TERM_CHECKPOINTS, row, user);
    add_key(tx, before, before->seq);
    aci_transact_integer(tx, limit);
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

    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        ACI_THREAD_ASK(tx, statements[i], aci_terms_load_key, out, ACI_INT(num), ACI_TEXT(ns), ACI_INT(seq));
}

void aci_terms_mark_keys(aci_tx *tx, int64_t num, const aci_term_keys *keys)
{
    for (const aci_term_key *key = keys->first; key != NULL; key = key->next)
        aci_terms_mark(tx, num, key->ns, key->seq);
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static bool terms_take_word(void *user, agentchat_str text, const aci_token *token)
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
    message_words_begin(&set->words, env, terms_take_word, set);
    set->arena = aci_arena_new(env, 0);
    return set->arena != NULL;
}

void aci_term_set_clear(aci_term_set *set)
{
    if (set->env == NULL)
        return;
    message_words_clear(&set->words);
    aci_index_clear(&set->by_text, set->env);
    aci_free(set->env, set->list, set->cap * sizeof *set->list);
    aci_arena_unref(set->arena);
    memset(set, 0, sizeof *set);
}

bool aci_term_set_add(aci_term_set *set, const agentchat_message *message)
{
    return message_words_each(&set->words, message) && set->ok;
}

/* ==== which messages have all words of a query =================================================================== */

/* ---- texts ----------------------------------------------------------------------------------------------------- */

static bool continues_character(agentchat_str text, size_t at)
{
    return at < text.len && ((unsigned char)text.ptr[at] & 0xC0u) == 0x80;
}

/* A third of it before the word, whole characters. */
static void keep_excerpt(aci_query *query, agentchat_str text, const aci_token *token)
{
    size_t begin = token->begin > ACI_MOST_EXCERPT / 3 ? token->begin - ACI_MOST_EXCERPT / 3 : 0;
    size_t end = text.len - begin > ACI_MOST_EXCERPT ? begin + ACI_MOST_EXCERPT : text.len;

    while (begin > 0 && begin < token->begin && continues_character(text, begin))
        begin++;
    while (end < text.len && continues_character(text, end))
        end--;
    query->excerpt_len = end - begin;
    memcpy(query->excerpt, text.ptr + begin, end - begin);
    query->match_begin = token->begin - begin;
    query->match_end = (token->end < end ? token->end : end) - begin;
}

static bool query_take_word(void *user, agentchat_str text, const aci_token *token)
{
    aci_query *query = user;
    size_t word = aci_index_find(&query->by_word, token->text);

    if (word == ACI_INDEX_NONE || query->seen[word] == query->message)
        return true;
    query->seen[word] = query->message;
    if (query->found++ == 0)
        keep_excerpt(query, text, token);
    return query->found < query->count;
}

/* ---- the query ------------------------------------------------------------------------------------------------- */

static bool add_word(aci_query *query, agentchat_str text)
{
    bool ok = true;
    agentchat_str word;

    if (aci_index_find(&query->by_word, text) != ACI_INDEX_NONE)
        return true;
    word = aci_arena_copy(query->arena, text, &ok);
    if (!ok || !aci_index_put(&query->by_word, query->env, word, query->count))
        return false;
    if (query->count < ACI_QUERY_WORDS)
        query->first[query->count] = word;
    query->count++;
    return true;
}

agentchat_status aci_query_begin(aci_query *query, const agentchat_env *env, agentchat_str text, agentchat_error *err)
{
    aci_tokenizer tokenizer;
    aci_token token;
    bool ok;

    memset(query, 0, sizeof *query);
    query->env = env;
    message_words_begin(&query->words, env, query_take_word, query);
    query->arena = aci_arena_new(env, 0);
    ok = query->arena != NULL;
    aci_tokenizer_begin(&tokenizer, text, false);
    while (ok && aci_tokenizer_next(&tokenizer, &token))
        ok = add_word(query, token.text);
    if (ok && query->count == 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the query has no word to search for");
    if (ok)
        query->seen = aci_arena_alloc(query->arena, query->count * sizeof *query->seen);
    if (query->seen == NULL)
        return aci_fail_nomem(err);
    memset(query->seen, 0, query->count * sizeof *query->seen);
    return AGENTCHAT_OK;
}

void aci_query_clear(aci_query *query)
{
    if (query->env == NULL)
        return;
    aci_index_clear(&query->by_word, query->env);
    message_words_clear(&query->words);
    aci_arena_unref(query->arena);
    memset(query, 0, sizeof *query);
}

agentchat_status aci_query_match(aci_query *query, const agentchat_message *message, bool *matches,
                                 agentchat_error *err)
{
    query->message++;
    query->found = 0;
    if (!message_words_each(&query->words, message))
        return aci_fail_nomem(err);
    *matches = query->found == query->count;
    return AGENTCHAT_OK;
}
