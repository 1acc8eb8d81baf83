/* SPDX-License-Identifier: Apache-2.0 */
/* Making messages of bodies. */
#include "thread/loading.h"

#include "base/error.h"
#include "format/native/message_json.h"
#include "thread/lists.h"

/* ---- messages ------------------------------------------------------------------------------------------------- */

/* All messages as one array, which is read in one piece. */
static agentchat_status join_messages(aci_loading *l, aci_buf *out, agentchat_error *err)
{
    agentchat_status status = aci_buf_add(out, "[", 1) ? AGENTCHAT_OK : aci_fail_nomem(err);

    for (size_t i = 0; i < l->messages.count && status >= 0; i++) {
        agentchat_str body = {NULL, 0};

        status = aci_loading_find(l, l->messages.list[i], &body, err);
        if (status >= 0)
            status = aci_large_data_split(&l->large, i, &body, err);
        if (status >= 0 && !((i == 0 || aci_buf_add(out, ",", 1)) && aci_buf_add_str(out, body)))
            status = aci_fail_nomem(err);
    }
    if (status >= 0 && !aci_buf_add(out, "]", 1))
        status = aci_fail_nomem(err);
    return status;
}

static agentchat_status parse_messages(aci_loading *l, agentchat_str text, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_message_json_read_list(l->env, text, NULL, &l->made, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored message cannot be read: %s", why.message);
    if (l->made.count == l->messages.count)
        return AGENTCHAT_OK;
    aci_list_clear(&l->made);
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "stored messages cannot be told apart");
}

agentchat_status aci_loading_messages(aci_loading *l, agentchat_error *err)
{
    agentchat_status status;
    aci_buf text;

    if (l->messages.count == 0 || l->lacks)
        return AGENTCHAT_OK;
    aci_buf_init(&text, l->env, SIZE_MAX);
    status = join_messages(l, &text, err);
    l->lacks = l->tx == NULL && l->large.count > 0;
    if (status >= 0 && !l->lacks && !l->leaves_data)
        status = aci_large_data_read(&l->large, l->tx, l->num, &l->bytes, err);
    if (status >= 0 && !l->lacks)
        status = parse_messages(l, aci_buf_str(&text), err);
    if (status >= 0 && !l->lacks && !l->leaves_data)
        status = aci_large_data_fill(&l->large, &l->made, err);
    aci_buf_clear(&text);
    return status;
}

/* What is held already, and then these. */
static bool join_list(const aci_loading *l, const aci_held_list *held, const agentchat_message *const *array,
                      size_t count, agentchat_messages *out)
{
    if (held->count == 0)
        return aci_list_from_array(out, l->env, array, count);
    if (!aci_list_slice(out, held->messages, held->first, held->count))
        return false;
    out->env = l->env; /* what is appended is not the other's */
    for (size_t i = 0; i < count; i++)
        if (!aci_list_append(out, array[i]))
            return false;
    return true;
}

agentchat_status aci_loading_list(aci_loading *l, const aci_held_list *held, const int64_t *numbers, size_t count,
                                  agentchat_messages *out, agentchat_error *err)
{
    const agentchat_message **array = NULL;
    aci_list_cursor cursor;
    bool ok;

    if (numbers == NULL)
        count = 0;
    if (count == 0)
        return held->count == 0 || join_list(l, held, array, 0, out) ? AGENTCHAT_OK : aci_fail_nomem(err);
    array = aci_arena_alloc(l->arena, count * sizeof *array);
    if (array == NULL)
        return aci_fail_nomem(err);
    aci_list_cursor_begin(&cursor, &l->made);
    for (size_t i = 0; i < count; i++) {
        size_t at = aci_numbers_find(&l->messages, numbers[i]);

        if (at == l->messages.count)
            return aci_loading_fail_missing(numbers[i], err);
        array[i] = aci_list_cursor_at(&cursor, at);
    }
    ok = join_list(l, held, array, count, out);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- lists of them by their numbers ----------------------------------------------------------------------------- */

static agentchat_status load_numbered(aci_loading *l, const int64_t *numbers, size_t count, agentchat_messages *out,
                                      agentchat_error *err)
{
    const aci_held_list none = {NULL, NULL, 0, 0};
    agentchat_status status =
        aci_numbers_add(&l->set, l->env, numbers, count) && aci_numbers_add(&l->messages, l->env, numbers, count)
            ? aci_loading_bodies(l, err)
            : aci_fail_nomem(err);

    if (status >= 0)
        status = aci_loading_messages(l, err);
    return status < 0 || l->lacks ? status : aci_loading_list(l, &none, numbers, count, out, err);
}

agentchat_status aci_load_ahead(const agentchat_env *env, const int64_t *numbers, size_t count,
                                const aci_body_ahead *ahead, size_t ahead_count, agentchat_messages *out,
                                bool *complete, agentchat_error *err)
{
    aci_loading l;
    agentchat_status status = aci_loading_begin(&l, NULL, env, 0) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_list_init(out, env);
    l.ahead = ahead;
    l.ahead_count = ahead_count;
    if (status >= 0)
        status = load_numbered(&l, numbers, count, out, err);
    *complete = !l.lacks;
    aci_loading_end(&l);
    return status;
}

agentchat_status aci_load_messages(aci_tx *tx, int64_t num, aci_range range, agentchat_messages *out,
                                   agentchat_error *err)
{
    aci_list_want want = {range, NULL};
    aci_loading l;
    agentchat_status status = aci_loading_begin(&l, tx, tx->store->env, num)
                                  ? aci_lists_read(tx, num, &want, 1, l.arena, NULL, err)
                                  : aci_fail_nomem(err);

    aci_list_init(out, tx->store->env);
    if (status >= 0)
        status = load_numbered(&l, want.numbers, (size_t)aci_range_length(range), out, err);
    aci_loading_end(&l);
    return status;
}

static agentchat_status load_some(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count, bool leaves_data,
                                  agentchat_messages *out, agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    aci_loading l;
    agentchat_status status = aci_loading_begin(&l, tx, env, num) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_list_init(out, env);
    l.leaves_data = leaves_data;
    if (status >= 0)
        status = load_numbered(&l, numbers, count, out, err);
    aci_loading_end(&l);
    return status;
}

agentchat_status aci_load_numbered(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                   agentchat_messages *out, agentchat_error *err)
{
    return load_some(tx, num, numbers, count, false, out, err);
}

agentchat_status aci_load_without_data(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                       agentchat_messages *out, agentchat_error *err)
{
    return load_some(tx, num, numbers, count, true, out, err);
}
