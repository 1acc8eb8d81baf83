/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that describe themselves, and the checksums of their rows. */
#include "store/core/sql.h"

#include "base/buf.h"
#include "base/error.h"
#include <stdio.h>

void aci_table_sum_begin(aci_table_sum *sum)
{
    sum->ok = aci_sha256_begin(&sum->sha);
}

static void add(aci_table_sum *sum, const void *bytes, size_t len)
{
    sum->ok = sum->ok && aci_sha256_add(&sum->sha, bytes, len);
}

void aci_table_sum_integer(aci_table_sum *sum, int64_t value)
{
    unsigned char bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)value >> (8 * i));
    add(sum, bytes, sizeof bytes);
}

void aci_table_sum_text(aci_table_sum *sum, agentchat_str text)
{
    aci_table_sum_integer(sum, text.ptr == NULL ? -1 : (int64_t)text.len);
    if (text.len > 0)
        add(sum, text.ptr, text.len);
}

agentchat_status aci_table_sum_end(aci_table_sum *sum, int64_t *out, agentchat_error *err)
{
    unsigned char digest[32] = {0};
    uint64_t value = 0;

    *out = 0;
    if (sum->sha.context == NULL)
        return aci_fail_nomem(err);
    sum->ok = aci_sha256_end(&sum->sha, sum->ok ? digest : NULL) && sum->ok;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)digest[i] << (8 * i);
    *out = (int64_t)value;
    return sum->ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* ---- rows of tables ------------------------------------------------------------------------------------------- */

static agentchat_str *text_of(const aci_column *c, const void *row)
{
    return (agentchat_str *)(void *)((char *)(uintptr_t)row + c->offset);
}

static int64_t *integer_of(const aci_column *c, const void *row)
{
    return (int64_t *)(void *)((char *)(uintptr_t)row + c->offset);
}

/* Whether an integer is there; a text says so itself. */
static bool *has_of(const aci_column *c, const void *row)
{
    return c->has > 0 ? (bool *)(void *)((char *)(uintptr_t)row + c->has) : NULL;
}

agentchat_status aci_table_sum_row(const aci_table *table, const void *row, int64_t *out, agentchat_error *err)
{
    aci_table_sum sum;

    aci_table_sum_begin(&sum);
    if (table->salt > 0)
        aci_table_sum_integer(&sum, *(const int64_t *)(const void *)((const char *)row + table->salt));
    for (size_t i = table->owner; i < table->count; i++) {
        const aci_column *c = &table->columns[i];
        const bool *has = has_of(c, row);

        if (has != NULL)
            aci_table_sum_integer(&sum, *has);
        if (c->type != ACI_SQL_INTEGER)
            aci_table_sum_text(&sum, *text_of(c, row));
        else
            aci_table_sum_integer(&sum, has == NULL || *has ? *integer_of(c, row) : 0);
    }
    return aci_table_sum_end(&sum, out, err);
}

void aci_table_bind_sum(aci_tx *tx, const aci_table *table, const void *row)
{
    int64_t sum;

    if (aci_table_sum_row(table, row, &sum, NULL) < 0)
        tx->failed = true;
    aci_transact_integer(tx, sum);
}

void aci_table_bind(aci_tx *tx, const aci_table *table, const void *row)
{
    for (size_t i = 0; i < table->count; i++) {
        const aci_column *c = &table->columns[i];
        const bool *has = has_of(c, row);

        if (c->type == ACI_SQL_INTEGER && (has == NULL || *has))
            aci_transact_integer(tx, *integer_of(c, row));
        else if (c->type == ACI_SQL_BYTES)
            aci_transact_bytes(tx, *text_of(c, row));
        else
            aci_transact_text(tx, c->type == ACI_SQL_TEXT ? *text_of(c, row) : (agentchat_str){NULL, 0});
    }
    aci_table_bind_sum(tx, table, row);
}

void aci_table_bind_key(aci_tx *tx, const aci_table *table, const void *row)
{
    for (size_t i = table->owner; i < table->owner + table->keys; i++) {
        const aci_column *c = &table->columns[i];
        agentchat_str text = row != NULL ? *text_of(c, row) : AGENTCHAT_STR("");

        if (c->type == ACI_SQL_INTEGER)
            aci_transact_integer(tx, row != NULL ? *integer_of(c, row) : INT64_MIN);
        else
            aci_transact_bind(tx, &(aci_sql_value){c->type, 0, text}, 1);
    }
}

int aci_table_compare(const aci_table *table, const void *row, const void *other)
{
    int order = 0;

    for (size_t i = table->owner; i < table->owner + table->keys && order == 0; i++) {
        const aci_column *c = &table->columns[i];

        if (c->type == ACI_SQL_INTEGER)
            order = (*integer_of(c, row) > *integer_of(c, other)) - (*integer_of(c, row) < *integer_of(c, other));
        else
            order = aci_str_compare(*text_of(c, row), *text_of(c, other));
    }
    return order;
}

void aci_table_keep(const aci_table *table, void *row, aci_arena *arena, bool *ok)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->columns[i].type != ACI_SQL_INTEGER)
            *text_of(&table->columns[i], row) = aci_arena_copy(arena, *text_of(&table->columns[i], row), ok);
}

static agentchat_status read_column(const aci_column *c, const aci_sql_value *value, void *row)
{
    bool is_there = value->type == c->type;
    bool *has = has_of(c, row);

    if (has != NULL)
        *has = is_there;
    if (c->type == ACI_SQL_INTEGER)
        *integer_of(c, row) = is_there ? value->integer : 0;
    else
        *text_of(c, row) = is_there ? value->text : (agentchat_str){NULL, 0};
    return is_there || (value->type == ACI_SQL_NULL && c->may_be_null) ? AGENTCHAT_OK : AGENTCHAT_E_CORRUPT;
}

/* "event 5", "key topic"; "its row" where no owner's columns say what it is. */
static const char *name_row(const aci_table *table, const void *row, char buffer[200])
{
    const aci_column *c = &table->columns[table->owner];
    aci_excerpt excerpt;

    if (table->owner == 0)
        return table->row;
    if (c->type == ACI_SQL_INTEGER)
        (void)snprintf(buffer, 200, "%s %lld", table->row, (long long)*integer_of(c, row));
    else
        (void)snprintf(buffer, 200, "%s %s", table->row, aci_error_excerpt(*text_of(c, row), &excerpt));
    return buffer;
}

agentchat_status aci_table_read(const aci_table *table, size_t from, const aci_sql_value *columns, size_t count,
                                void *row, agentchat_error *err)
{
    static const aci_sql_value none = {ACI_SQL_NULL, 0, {NULL, 0}};
    size_t wanted = table->count - from;
    agentchat_status status = count > wanted ? AGENTCHAT_OK : AGENTCHAT_E_CORRUPT;
    int64_t stored = 0, computed = 0;
    char name[200];

    for (size_t i = 0; i < wanted; i++) { /* all of them, so that the struct is filled whatever is wrong */
        agentchat_status one = read_column(&table->columns[from + i], i < count ? &columns[i] : &none, row);

        status = status < 0 ? status : one;
    }
    if (status < 0)
        return aci_fail(err, status, "%s is damaged: a column is of another type", name_row(table, row, name));
    status = aci_transact_column_integer(columns, count, wanted, &stored, err);
    if (status >= 0)
        status = aci_table_sum_row(table, row, &computed, err);
    if (status >= 0 && computed != stored)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "%s is damaged: its checksum is not that of its columns",
                          name_row(table, row, name));
    return status;
}
