/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of pending writes. */
#include "thread/pending.h"

#include "base/error.h"
#include "format/native/message_json.h"
#include <string.h>

static void sum_row(aci_row_sum *sum, const aci_pending_row *row)
{
    const agentchat_str texts[] = {row->ns,      row->checkpoint, row->path,  row->task,
                                   row->channel, row->media,      row->value, row->consumed_by};

    aci_row_sum_begin(sum);
    aci_row_sum_integer(sum, row->num);
    aci_row_sum_integer(sum, row->index);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        aci_row_sum_text(sum, texts[i]);
}

static agentchat_status read_optional(const aci_sql_value *columns, size_t count, size_t index, agentchat_str *out,
                                      agentchat_error *err)
{
    *out = (agentchat_str){NULL, 0};
    if (index < count && columns[index].type == ACI_SQL_NULL)
        return AGENTCHAT_OK;
    return aci_transact_column_text(columns, count, index, out, err);
}

/* What no call writes is not from this library, whatever its checksum. */
static bool is_possible(const aci_pending_row *row)
{
    return (row->ns.len == 0 || aci_rows_is_name(row->ns)) && aci_rows_is_name(row->checkpoint) &&
           (row->path.len == 0 || aci_rows_is_name(row->path)) && aci_rows_is_name(row->task) &&
           aci_rows_is_name(row->channel) && (row->consumed_by.ptr == NULL || aci_rows_is_name(row->consumed_by));
}

agentchat_status aci_pending_read_row(aci_pending_row *row, const aci_sql_value *columns, size_t count,
                                      agentchat_error *err)
{
    agentchat_str *names[] = {&row->ns, &row->checkpoint, &row->path, &row->task};
    int64_t stored = 0;
    aci_row_sum sum;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &row->num, err);

    for (size_t i = 0; i < sizeof names / sizeof *names && status >= 0; i++)
        status = aci_transact_column_text(columns, count, 1 + i, names[i], err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 5, &row->index, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 6, &row->channel, err);
    if (status >= 0)
        status = read_optional(columns, count, 7, &row->media, err);
    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 8, &row->value, err);
    if (status >= 0)
        status = read_optional(columns, count, 9, &row->consumed_by, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 10, &stored, err);
    if (status < 0)
        return status;
    sum_row(&sum, row);
    status = aci_row_sum_check(&sum, stored, "pending write", err);
    if (status >= 0 && !is_possible(row))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored pending write has a name that none has");
    return status;
}

void aci_pending_copy_texts(aci_pending_row *row, aci_arena *arena, bool *ok)
{
    agentchat_str *texts[] = {&row->ns,      &row->checkpoint, &row->path,  &row->task,
                              &row->channel, &row->media,      &row->value, &row->consumed_by};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = aci_arena_copy(arena, *texts[i], ok);
}

agentchat_status aci_pending_put_row(aci_tx *tx, const aci_pending_row *row, agentchat_error *err)
{
    aci_row_sum sum;
    int64_t value;
    agentchat_status status;

    sum_row(&sum, row);
    status = aci_row_sum_end(&sum, &value, err);
    if (status < 0)
        return status;
    aci_thread_statement_add(tx, ACI_PENDING_PUT, NULL, NULL);
    aci_transact_integer(tx, row->num);
    aci_transact_text(tx, row->ns);
    aci_transact_text(tx, row->checkpoint);
    aci_transact_text(tx, row->path);
    aci_transact_text(tx, row->task);
    aci_transact_integer(tx, row->index);
    aci_transact_text(tx, row->channel);
    aci_transact_text(tx, row->media);
    aci_transact_bytes(tx, row->value.len > 0 ? row->value : AGENTCHAT_STR(""));
    aci_transact_text(tx, row->consumed_by);
    aci_transact_integer(tx, value);
    return AGENTCHAT_OK;
}

/* ---- messages of an answer ----------------------------------------------------------------------------------------
 */

agentchat_status aci_pending_write_message(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                           agentchat_error *err)
{
    return aci_message_json_write(env, message, out, err);
}

agentchat_status aci_pending_read_message(const agentchat_env *env, agentchat_str value, agentchat_message **out,
                                          agentchat_error *err)
{
    return aci_message_json_read(env, value, NULL, out, err);
}

/* ---- consuming ------------------------------------------------------------------------------------------------- */

struct aci_consumed {
    aci_pending_row key; /* without channel and value */
    int64_t sum;         /* of the whole row once it is consumed, or taken along */
    bool goes_along;
    struct aci_consumed *next;
};

static bool keep_key(struct aci_consumed *one, const aci_pending_row *row, aci_arena *arena)
{
    bool ok = true;

    one->key.num = row->num;
    one->key.index = row->index;
    one->key.ns = aci_arena_copy(arena, row->ns, &ok);
    one->key.checkpoint = aci_arena_copy(arena, row->checkpoint, &ok);
    one->key.path = aci_arena_copy(arena, row->path, &ok);
    one->key.task = aci_arena_copy(arena, row->task, &ok);
    return ok;
}

static bool has_answered(agentchat_str answered, agentchat_str agent)
{
    while (answered.len > 0) {
        size_t len = strlen(answered.ptr);

        if (agentchat_str_equal((agentchat_str){answered.ptr, len}, agent))
            return true;
        answered = (agentchat_str){answered.ptr + len + 1, answered.len - len - 1};
    }
    return false;
}

agentchat_status aci_pending_load_consumed(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_consumption *c = user;
    struct aci_consumed *one;
    aci_pending_row row;
    aci_row_sum sum;
    agentchat_status status = aci_pending_read_row(&row, columns, count, err);

    if (status < 0 || row.consumed_by.ptr != NULL)
        return status;
    one = aci_arena_alloc(c->arena, sizeof *one);
    if (one == NULL)
        return aci_fail_nomem(err);
    *one = (struct aci_consumed){.next = NULL};
    if (!keep_key(one, &row, c->arena))
        return aci_fail_nomem(err);
    one->goes_along = agentchat_str_equal(row.channel, ACI_PENDING_PARTIAL) && !has_answered(c->answered, row.path);
    *(one->goes_along ? &row.checkpoint : &row.consumed_by) = c->consumer;
    sum_row(&sum, &row);
    status = aci_row_sum_end(&sum, &one->sum, err);
    if (c->last != NULL)
        c->last->next = one;
    else
        c->first = one;
    c->last = one;
    return status;
}

void aci_pending_consume(const aci_consumption *consumption, aci_tx *tx, agentchat_str parent, bool continues)
{
    for (const struct aci_consumed *one = consumption->first; one != NULL; one = one->next) {
        if (!agentchat_str_equal(one->key.checkpoint, parent) || (one->goes_along && !continues))
            continue;
        aci_thread_statement_add(tx, one->goes_along ? ACI_PENDING_MOVE : ACI_PENDING_CONSUME, NULL, NULL);
        aci_transact_text(tx, consumption->consumer);
        aci_transact_integer(tx, one->sum);
        aci_transact_integer(tx, one->key.num);
        aci_transact_text(tx, one->key.ns);
        aci_transact_text(tx, one->key.checkpoint);
        aci_transact_text(tx, one->key.path);
        aci_transact_text(tx, one->key.task);
        aci_transact_integer(tx, one->key.index);
    }
}
