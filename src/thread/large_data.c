/* SPDX-License-Identifier: Apache-2.0 */
/* Large data of messages on their way back into the messages. */
#include "thread/large_data.h"

#include "base/error.h"
#include "json/index.h"
#include "json/value.h"

bool aci_large_data_begin(aci_large_data_set *set, const agentchat_env *env, aci_arena *arena)
{
    *set = (aci_large_data_set){.env = env, .arena = arena};
    return true;
}

void aci_large_data_clear(aci_large_data_set *set)
{
    if (set->env == NULL)
        return;
    aci_free(set->env, set->uses, set->use_cap * sizeof *set->uses);
    aci_free(set->env, set->list, set->cap * sizeof *set->list);
    aci_index_clear(&set->by_digest, set->env);
}

/* ---- references ------------------------------------------------------------------------------------------------- */

static agentchat_status fail_reference(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored message does not say where its data is");
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The digest that a JSON string has as digits. */
static bool read_digest(agentchat_str string, unsigned char out[ACI_DIGEST_SIZE])
{
    if (string.len != 2 * ACI_DIGEST_SIZE + 2)
        return false;
    for (size_t i = 0; i < ACI_DIGEST_SIZE; i++) {
        int high = hex_value(string.ptr[1 + 2 * i]), low = hex_value(string.ptr[2 + 2 * i]);

        if (high < 0 || low < 0)
            return false;
        out[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

/* The position of the data with a digest. */
static agentchat_status find_data(aci_large_data_set *set, const unsigned char *digest, size_t *out,
                                  agentchat_error *err)
{
    agentchat_str key = {(const char *)digest, ACI_DIGEST_SIZE};
    void *list = set->list;
    bool ok = true;

    *out = aci_index_find(&set->by_digest, key);
    if (*out != ACI_INDEX_NONE)
        return AGENTCHAT_OK;
    key = aci_arena_copy(set->arena, key, &ok);
    if (!ok || !aci_grow(set->env, &list, &set->cap, set->count, sizeof *set->list))
        return aci_fail_nomem(err);
    set->list = list;
    *out = set->count;
    set->list[set->count] = (aci_large_bytes){.digest = key};
    return aci_index_put(&set->by_digest, set->env, key, set->count++) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status add_use(aci_large_data_set *set, const aci_json_index *index, uint32_t pair, size_t message,
                                agentchat_error *err)
{
    uint32_t number = aci_json_index_kind(index, pair) == ACI_JSON_ARRAY ? aci_json_index_first(index, pair) : 0;
    uint32_t text = number != 0 ? aci_json_index_next(index, pair, number) : 0;
    unsigned char digest[ACI_DIGEST_SIZE];
    aci_large_use use = {.message = message};
    void *uses = set->uses;
    int64_t value;
    agentchat_status status;

    if (text == 0 || aci_json_index_kind(index, number) != ACI_JSON_NUMBER ||
        aci_json_index_kind(index, text) != ACI_JSON_STRING ||
        !aci_json_integer(aci_json_index_raw(index, number), &value) || value < 0 || (uint64_t)value > SIZE_MAX ||
        !read_digest(aci_json_index_raw(index, text), digest))
        return fail_reference(err);
    use.number = (size_t)value;
    status = find_data(set, digest, &use.data, err);
    if (status < 0)
        return status;
    if (!aci_grow(set->env, &uses, &set->use_cap, set->use_count, sizeof *set->uses))
        return aci_fail_nomem(err);
    set->uses = uses;
    set->uses[set->use_count++] = use;
    return AGENTCHAT_OK;
}

static agentchat_status split(aci_large_data_set *set, const aci_json_index *index, size_t message, agentchat_str *body,
                              agentchat_error *err)
{
    uint32_t first = aci_json_index_first(index, 0);
    uint32_t list = first != 0 ? aci_json_index_next(index, 0, first) : 0;
    agentchat_status status = AGENTCHAT_OK;

    if (list == 0 || aci_json_index_kind(index, list) != ACI_JSON_ARRAY)
        return fail_reference(err);
    *body = aci_json_index_raw(index, first);
    for (uint32_t at = aci_json_index_first(index, list); at != 0 && status >= 0;
         at = aci_json_index_next(index, list, at))
        status = add_use(set, index, at, message, err);
    return status;
}

agentchat_status aci_large_data_split(aci_large_data_set *set, size_t message, agentchat_str *body,
                                      agentchat_error *err)
{
    aci_json_index index;
    agentchat_status status;
    agentchat_error why;

    if (body->len == 0 || body->ptr[0] != '[')
        return AGENTCHAT_OK;
    agentchat_error_clear(&why);
    aci_json_index_init(&index, set->env);
    status = aci_json_index_text(&index, *body, 0, 0, &why);
    if (status >= 0)
        status = split(set, &index, message, body, err);
    else if (status != AGENTCHAT_E_NOMEM && status != AGENTCHAT_E_LIMIT)
        status = fail_reference(err);
    else
        (void)aci_fail(err, status, "%s", why.message);
    aci_json_index_clear(&index);
    return status;
}

/* ---- data ------------------------------------------------------------------------------------------------------- */

static agentchat_status load_data(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_large_data_set *set = user;
    aci_body_row row;
    size_t at;
    bool ok = true;
    agentchat_status status = aci_body_row_read(&row, columns, count, err);

    if (status >= 0)
        status = aci_body_row_check(&row, set->num, columns, count, err);
    if (status < 0)
        return status;
    *set->total += row.bytes.len;
    if (*set->total > set->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the checkpoint has more than %llu bytes",
                        (unsigned long long)set->env->limits.max_bytes);
    at = aci_index_find(&set->by_digest, row.digest);
    if (at != ACI_INDEX_NONE)
        set->list[at].bytes = aci_arena_copy(set->arena, row.bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_large_data_read(aci_large_data_set *set, aci_tx *tx, int64_t num, uint64_t *total,
                                     agentchat_error *err)
{
    agentchat_status status;

    if (set->count == 0)
        return AGENTCHAT_OK;
    set->total = total;
    set->num = num;
    for (size_t i = 0; i < set->count; i++) {
        aci_thread_statement_add(tx, ACI_BODY_BY_DIGEST, load_data, set);
        aci_transact_integer(tx, num);
        aci_transact_bytes(tx, set->list[i].digest);
    }
    status = aci_transact_run(tx, false, err);
    for (size_t i = 0; i < set->count && status >= 0; i++)
        if (set->list[i].bytes.ptr == NULL)
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "data of a stored message is missing");
    return status;
}

typedef struct filling {
    aci_large_data_set *set;
    size_t next;    /* of the uses, which stand in the order of the messages and of the data in each */
    size_t message; /* the one that is filled */
    size_t seen;    /* data of it */
    agentchat_error *err;
} filling;

/* A copy that the messages share, which all live in one arena. */
static agentchat_status put_data(filling *f, agentchat_item *item)
{
    aci_large_bytes *large = &f->set->list[f->set->uses[f->next].data];
    aci_data *data;
    bool ok = true;

    if (large->kept.ptr == NULL)
        large->kept = aci_arena_copy(item->arena, large->bytes, &ok);
    data = ok ? aci_data_new(item->arena, (agentchat_str){NULL, 0}, large->kept) : NULL;
    if (data == NULL)
        return aci_fail_nomem(f->err);
    item->u.data = data;
    f->next++;
    return AGENTCHAT_OK;
}

static bool is_next(const filling *f)
{
    const aci_large_use *use = f->next < f->set->use_count ? &f->set->uses[f->next] : NULL;

    return use != NULL && use->message == f->message && use->number == f->seen;
}

static agentchat_status fill_message(filling *f, const agentchat_message *message)
{
    agentchat_status status = AGENTCHAT_OK;

    for (uint32_t i = 0; i < message->item_count && status >= 0; i++) {
        agentchat_item *item = message->items[i];
        const agentchat_message *nested = aci_item_nested(item);

        if (nested != NULL)
            status = fill_message(f, nested);
        if (aci_data_of(item) == NULL)
            continue;
        if (is_next(f))
            status = put_data(f, item);
        f->seen++;
    }
    return status;
}

agentchat_status aci_large_data_fill(aci_large_data_set *set, const agentchat_messages *messages, agentchat_error *err)
{
    filling f = {.set = set, .err = err};
    agentchat_status status = AGENTCHAT_OK;
    aci_list_cursor cursor;

    aci_list_cursor_begin(&cursor, messages);
    while (f.next < set->use_count && status >= 0) {
        size_t before = f.next;

        f.message = set->uses[f.next].message;
        f.seen = 0;
        status = fill_message(&f, aci_list_cursor_at(&cursor, f.message));
        if (status >= 0 && (f.next == before || (f.next < set->use_count && set->uses[f.next].message == f.message)))
            status = fail_reference(err);
    }
    return status;
}
