/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an object, sorted by its table. */
#include "format/kit/object_table.h"

#include "base/error.h"
#include "base/index.h"

/* Whether a name is another's in snake_case, from where the other has a capital. */
static bool is_snake(agentchat_str name, const char *camel, size_t at)
{
    for (camel += at; *camel != '\0'; camel++) {
        bool is_capital = *camel >= 'A' && *camel <= 'Z';

        if (is_capital && (at == name.len || name.ptr[at++] != '_'))
            return false;
        if (at == name.len || name.ptr[at++] != (is_capital ? (char)(*camel - 'A' + 'a') : *camel))
            return false;
    }
    return at == name.len;
}

/* Whether a name is this one, in either spelling. */
static bool is(agentchat_str name, const char *camel, bool *is_camel)
{
    size_t at = 0;

    while (at < name.len && camel[at] != '\0' && name.ptr[at] == camel[at])
        at++;
    *is_camel = at == name.len && camel[at] == '\0';
    return *is_camel || (at > 0 && camel[at] >= 'A' && camel[at] <= 'Z' && is_snake(name, camel, at));
}

uint32_t aci_object_table_find(const aci_object_table *table, agentchat_str name, bool *camel)
{
    for (uint32_t i = 0; i < table->count; i++) {
        bool is_camel;

        if (is(name, table->list[i].camel, &is_camel)) {
            if (camel != NULL)
                *camel = is_camel;
            return i;
        }
    }
    return table->count;
}

typedef struct members {
    aci_raw_reader *a;
    const aci_location *path;
    const aci_object_table *table;
    aci_table_value *values;
    uint64_t camel, snake; /* bits of the names seen */
    aci_index unknown;     /* of the other names */
} members;

/* A member that stands there in the other spelling already: that in camelCase counts, unless it is null. */
static bool add_again(members *m, uint32_t i, bool camel, aci_table_value value)
{
    aci_table_value *taken = &m->values[i], dropped = value;
    aci_location at = {m->path, {NULL, 0}, 0};
    bool same = agentchat_str_equal(taken->raw, value.raw);

    if (!aci_table_has(taken) || (camel && aci_table_has(&value))) {
        dropped = *taken;
        *taken = value;
    }
    at.name = dropped.name;
    return aci_raw_reader_note(m->a, same || !aci_table_has(&dropped) ? AGENTCHAT_REPORT_NOTE : AGENTCHAT_REPORT_LOSS,
                               &at, "the property is there as \"%.*s\" too, which was taken", (int)taken->name.len,
                               taken->name.ptr);
}

/* A member that stands there in the same spelling already: the last one counts, unless the other spelling does. */
static bool add_twice(members *m, uint32_t i, aci_table_value value)
{
    aci_location at = {m->path, value.name, 0};
    aci_table_value *taken = &m->values[i];
    agentchat_str dropped = value.raw;

    if (!m->a->is_lenient)
        return aci_raw_reader_fail(m->a, &at, value.raw, AGENTCHAT_E_SCHEMA, "the property occurs twice in its object");
    if (agentchat_str_equal(taken->name, value.name)) {
        dropped = taken->raw;
        *taken = value;
    }
    return *dropped.ptr == 'n' ||
           aci_raw_reader_note(m->a,
                               agentchat_str_equal(dropped, taken->raw) ? AGENTCHAT_REPORT_NOTE : AGENTCHAT_REPORT_LOSS,
                               &at, "the property occurs twice in its object: one of them was taken");
}

/* A member that the table knows as number `i`. */
static bool add_known(members *m, uint32_t i, bool camel, aci_table_value value)
{
    uint64_t bit = UINT64_C(1) << i, *seen = camel ? &m->camel : &m->snake;

    if ((*seen & bit) != 0)
        return add_twice(m, i, value);
    *seen |= bit;
    if ((m->camel & m->snake & bit) != 0)
        return add_again(m, i, camel, value);
    m->values[i] = value;
    return true;
}

static bool add_unknown(members *m, aci_table_value value, aci_draft *others)
{
    agentchat_extra extra = {value.name, value.raw, m->a->tag};
    aci_location at = {m->path, value.name, 0};
    size_t before = aci_index_find(&m->unknown, value.name);

    if (before != ACI_INDEX_NONE && !m->a->is_lenient)
        return aci_raw_reader_fail(m->a, &at, value.raw, AGENTCHAT_E_SCHEMA, "the property occurs twice in its object");
    if (before != ACI_INDEX_NONE) {
        others->extras[before].value = value.raw;
        return aci_raw_reader_note(m->a, AGENTCHAT_REPORT_LOSS, &at,
                                   "the property occurs twice in its object: the last one was taken");
    }
    if (m->a->is_lenient && !aci_table_has(&value))
        return true;
    return (aci_index_put(&m->unknown, m->a->env, value.name, others->extra_count) &&
            aci_draft_add_extra(others, m->a->env, extra)) ||
           aci_raw_reader_nomem(m->a);
}

bool aci_object_table_members(aci_raw_reader *a, const aci_location *path, agentchat_str raw,
                              const aci_object_table *table, aci_table_value values[ACI_TABLE_ROWS], aci_draft *others)
{
    members m = {a, path, table, values, 0, 0, {NULL, 0, 0}};
    bool ok = aci_raw_reader_kind(a, path, raw, ACI_JSON_OBJECT, "an object");
    aci_walk walk;

    memset(values, 0, table->count * sizeof *values);
    aci_raw_reader_walk(a, &walk, raw);
    while (ok && aci_walk_next(&walk)) {
        aci_table_value value = {{NULL, 0}, walk.value};
        bool camel = false;
        uint32_t i;

        ok = aci_raw_reader_decode(a, walk.key, &value.name);
        if (!ok)
            break;
        i = aci_object_table_find(table, value.name, &camel);
        ok = i < table->count ? add_known(&m, i, camel, value) : add_unknown(&m, value, others);
    }
    aci_index_clear(&m.unknown, a->env);
    return ok;
}

/* ---- names inside values ---------------------------------------------------------------------------------------- */

static bool spell_value(aci_raw_reader *a, const aci_table_row *row, agentchat_str raw, aci_buf *out);

/* Rows whose names in a raw object stay as they are, as bits: it has them in camelCase, or ADK-Rust alone knows them.
 */
static bool find_kept(aci_raw_reader *a, const aci_object_table *table, agentchat_str raw, uint64_t *rows)
{
    agentchat_str name;
    aci_walk walk;

    *rows = 0;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        bool is_camel = false;
        uint32_t row;

        if (!aci_raw_reader_decode(a, walk.key, &name))
            return false;
        row = aci_object_table_find(table, name, &is_camel);
        *rows |= row < table->count && (is_camel || !table->list[row].is_google) ? UINT64_C(1) << row : 0;
    }
    return true;
}

static bool spell(aci_raw_reader *a, const aci_object_table *table, agentchat_str raw, aci_buf *out)
{
    bool ok = true, is_first = true;
    agentchat_str name;
    uint64_t rows;
    aci_walk walk;

    if (*raw.ptr != '{')
        return aci_buf_add_str(out, raw) || aci_raw_reader_nomem(a);
    if (!find_kept(a, table, raw, &rows))
        return false;
    aci_walk_begin(&walk, raw);
    for (; ok && aci_walk_next(&walk); is_first = false) {
        uint32_t row;

        if (!aci_raw_reader_decode(a, walk.key, &name))
            return false;
        row = aci_object_table_find(table, name, NULL);
        ok = aci_buf_add(out, is_first ? "{" : ",", 1) &&
             (row < table->count && (rows >> row & 1) == 0 ? aci_buf_printf(out, "\"%s\"", table->list[row].camel)
                                                           : aci_buf_add_str(out, walk.key)) &&
             aci_buf_add(out, ":", 1);
        if (ok && row < table->count && !spell_value(a, &table->list[row], walk.value, out))
            return false;
        ok = ok && (row < table->count || aci_buf_add_str(out, walk.value));
    }
    return (ok && aci_buf_add(out, is_first ? "{}" : "}", is_first ? 2 : 1)) || aci_raw_reader_nomem(a);
}

static bool spell_value(aci_raw_reader *a, const aci_table_row *row, agentchat_str raw, aci_buf *out)
{
    const char *ends = row->form == ACI_TABLE_LIST ? "[]" : "{}";
    bool ok = true, is_first = true;
    aci_walk walk;

    if (row->of != NULL && row->form == ACI_TABLE_ONE)
        return spell(a, row->of, raw, out);
    if (row->of == NULL || *raw.ptr != *ends)
        return aci_buf_add_str(out, raw) || aci_raw_reader_nomem(a);
    aci_walk_begin(&walk, raw);
    for (; ok && aci_walk_next(&walk); is_first = false) {
        ok = aci_buf_add(out, is_first ? ends : ",", 1) &&
             (walk.key.ptr == NULL || (aci_buf_add_str(out, walk.key) && aci_buf_add(out, ":", 1)));
        if (ok && !spell(a, row->of, walk.value, out))
            return false;
    }
    return (ok && (!is_first || aci_buf_add(out, ends, 1)) && aci_buf_add(out, ends + 1, 1)) || aci_raw_reader_nomem(a);
}

bool aci_object_table_spell_value(aci_raw_reader *a, const aci_table_row *row, agentchat_str *raw)
{
    bool ok;
    aci_buf text;

    if (row->of == NULL ||
        (memchr(raw->ptr, '_', raw->len) == NULL && memchr(raw->ptr, '\\', raw->len) == NULL)) /* it may be escaped */
        return true;
    aci_buf_init(&text, a->env, SIZE_MAX);
    ok = spell_value(a, row, *raw, &text);
    if (ok) {
        *raw = aci_arena_copy(a->arena, aci_buf_str(&text), &ok);
        ok = ok || aci_raw_reader_nomem(a);
    }
    aci_buf_clear(&text);
    return ok;
}

bool aci_object_table_spell(aci_raw_reader *a, const aci_object_table *table, agentchat_str *raw)
{
    const aci_table_row row = {.of = table};

    return aci_object_table_spell_value(a, &row, raw);
}

bool aci_object_table_keep(aci_raw_reader *a, const aci_object_table *table, const aci_table_value *values,
                           uint32_t from, aci_draft *others)
{
    for (uint32_t i = from; i < table->count; i++) {
        agentchat_extra extra = {aci_table_camel(table, i), values[i].raw, a->tag};

        if (!aci_table_has(&values[i]))
            continue;
        if (!aci_object_table_spell_value(a, &table->list[i], &extra.value))
            return false;
        if (!aci_draft_add_extra(others, a->env, extra))
            return aci_raw_reader_nomem(a);
    }
    return true;
}
