/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values as google-adk accepts them: what it would refuse inside of them is left out and reported, and so is what it
 * would carry out (docs/formats/adk.md). Null stands for nothing in its objects, so it is left out and not reported.
 */
#include "format/adk/write.h"

#include "base/error.h"
#include "base/utf8.h"
#include "format/adk/scalars.h"
#include "json/walk.h"

static void put_date(aci_adk_writer *wr, const aci_location *path, agentchat_str raw)
{
    static const char *const names[3] = {"year", "month", "day"};
    int parts[3] = {0}, count = aci_adk_date_parts(raw, parts);

    aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, path, "the date was written as an object");
    aci_writer_object_begin(&wr->out.w);
    for (int i = 0; i < count; i++) {
        aci_writer_key(&wr->out.w, agentchat_str_from(names[i]));
        aci_writer_u64(&wr->out.w, (uint64_t)parts[i]);
    }
    aci_writer_object_end(&wr->out.w);
}

/* ---- objects and lists ------------------------------------------------------------------------------------------ */

typedef struct member {
    agentchat_str name, value; /* the name as it is spelled, in the writer's scratch buffer */
    uint32_t index;
} member;

/* Why a member of an object with a table is left out; NULL: it is not. taken: the members that count and fit. */
static const char *why_not(const aci_object_table *table, const member *m, const agentchat_str *taken, uint32_t from)
{
    if (m->index == table->count)
        return table->is_open ? NULL : "adk-python refuses it";
    if (m->index < from)
        return "the name stands for something else there";
    if (!table->list[m->index].is_google || taken[m->index].ptr == NULL)
        return "adk-python refuses it";
    return taken[m->index].ptr == m->value.ptr ? NULL : "there is another of its name";
}

static void put_member(aci_adk_writer *wr, const aci_location *path, const aci_object_table *table, const member *m)
{
    agentchat_str name = m->index < table->count ? aci_table_camel(table, m->index) : m->name;
    const aci_location at = {path, name, 0};

    aci_writer_key(&wr->out.w, name);
    if (m->index < table->count)
        aci_adk_write_value(wr, &at, &table->list[m->index], m->value);
    else
        aci_adk_write_json(wr, &at, m->value);
}

void aci_adk_write_members(aci_adk_writer *wr, const aci_location *path, const aci_object_table *table,
                           agentchat_str raw, uint64_t elsewhere, uint32_t from)
{
    agentchat_str taken[ACI_TABLE_ROWS];
    aci_buf name;
    aci_walk walk;

    if (!aci_adk_accepted_members(wr, table, raw, taken))
        return;
    aci_buf_init(&name, wr->out.env, SIZE_MAX);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk) && wr->out.w.status >= 0) {
        aci_location at = {path, {NULL, 0}, 0};
        member m = {{NULL, 0}, walk.value, 0};
        const char *why;

        if (*walk.value.ptr == 'n')
            continue;
        name.len = 0;
        if (!aci_json_unquote(walk.key, &name)) {
            aci_out_nomem(&wr->out);
            break;
        }
        m.name = at.name = aci_buf_str(&name);
        m.index = aci_object_table_find(table, m.name, NULL);
        if (m.index < table->count && (elsewhere >> m.index & 1) != 0 && taken[m.index].ptr == walk.value.ptr)
            continue;
        why = aci_utf8_has_surrogates(m.name) ? "its name has a lone surrogate" : why_not(table, &m, taken, from);
        if (why != NULL)
            aci_out_lost(&wr->out, &at, "the property was left out: %s", why);
        else
            put_member(wr, path, table, &m);
    }
    aci_buf_clear(&name);
}

static void put_one(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw)
{
    if (name->of != NULL && *raw.ptr == '{') {
        aci_writer_object_begin(&wr->out.w);
        aci_adk_write_members(wr, path, name->of, raw, 0, 0);
        aci_writer_object_end(&wr->out.w);
    } else if (name->kind == ACI_ADK_DATE) {
        put_date(wr, path, raw);
    } else {
        aci_adk_write_json(wr, path, raw);
    }
}

/* An object with any names: what does not fit is left out. */
static void put_map(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw)
{
    aci_walk walk;
    aci_buf key;

    aci_buf_init(&key, wr->out.env, SIZE_MAX);
    aci_writer_object_begin(&wr->out.w);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk) && wr->out.w.status >= 0) {
        aci_location at = {path, {NULL, 0}, 0};

        key.len = 0;
        if (!aci_json_unquote(walk.key, &key)) {
            aci_out_nomem(&wr->out);
            break;
        }
        at.name = aci_buf_str(&key);
        if (aci_utf8_has_surrogates(at.name) || !aci_adk_accepts_in_map(wr, name, walk.value)) {
            aci_out_lost(&wr->out, &at, "the property was left out: adk-python refuses it");
            continue;
        }
        aci_writer_key(&wr->out.w, at.name);
        put_one(wr, &at, name, walk.value);
    }
    aci_writer_object_end(&wr->out.w);
    aci_buf_clear(&key);
}

static void put_list(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw)
{
    aci_walk walk;
    size_t index = 0;

    aci_writer_array_begin(&wr->out.w);
    aci_walk_begin(&walk, raw);
    for (; aci_walk_next(&walk) && wr->out.w.status >= 0; index++) {
        const aci_location at = {path, {NULL, 0}, index};

        put_one(wr, &at, name, walk.value);
    }
    aci_writer_array_end(&wr->out.w);
}

void aci_adk_write_value(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw)
{
    if (name->form == ACI_ADK_MAP)
        put_map(wr, path, name, raw);
    else if (name->form == ACI_ADK_LIST)
        put_list(wr, path, name, raw);
    else
        put_one(wr, path, name, raw);
}
