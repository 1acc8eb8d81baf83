/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values as google-adk accepts them: what it would refuse inside of them is left out and reported, and so is what it
 * would carry out (docs/formats/adk.md). Null stands for nothing in its objects, so it is left out and not reported.
 */
#include "format/adk/write.h"

#include "base/error.h"
#include "base/index.h"
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

/* ---- members ---------------------------------------------------------------------------------------------------- */

/* Whether google-adk carries an unknown property of an event out, as if the event were being made. */
static bool is_executed(agentchat_str name)
{
    static const char *const names[] = {"message", "node_path", "route", "state"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (agentchat_str_equal(name, agentchat_str_from(names[i])))
            return true;
    return false;
}

/* Why a member is left out; NULL: it is not. used: bits of the rows that something else has; names: the unknown ones
   that were written. */
static const char *why_not(const aci_adk_members *m, const aci_adk_member *c, uint64_t used, const aci_index *names)
{
    const aci_object_table *table = m->table;

    if (!c->is_own)
        return "it comes from no ADK";
    if (c->row == table->count)
        return !table->is_open                                    ? "adk-python refuses it"
               : aci_utf8_has_surrogates(c->name)                 ? "its name has a lone surrogate"
               : table == &aci_adk_event && is_executed(c->name)  ? "adk-python would carry it out"
               : aci_index_find(names, c->name) != ACI_INDEX_NONE ? "there is another of its name"
                                                                  : NULL;
    if ((used >> c->row & 1) != 0)
        return "the name stands for something else there";
    if (!table->list[c->row].is_google || m->found[c->row].ptr == NULL)
        return "adk-python refuses it";
    return m->found[c->row].ptr == c->value.ptr ? NULL : "there is another of its name";
}

static void put_member(aci_adk_writer *wr, const aci_location *path, const aci_adk_members *m, const aci_adk_member *c)
{
    bool is_known = c->row < m->table->count;
    const aci_location at = {path, is_known ? aci_table_camel(m->table, c->row) : c->name, 0};

    if (m->instead != NULL && m->instead(wr, &at, c->row, c->value))
        return;
    aci_writer_key(&wr->out.w, at.name);
    if (is_known)
        aci_adk_write_value(wr, &at, &m->table->list[c->row], c->value);
    else
        aci_adk_write_json(wr, &at, c->value);
}

void aci_adk_write_members(aci_adk_writer *wr, const aci_location *path, const aci_adk_members *m, uint64_t used,
                           uint64_t elsewhere)
{
    aci_index names = {NULL, 0, 0};
    aci_adk_member c;

    if (m->json.ptr == NULL && m->extras == NULL)
        return;
    aci_adk_member_begin(m, &c);
    while (aci_adk_member_next(wr, m, &c)) {
        bool is_known = c.row < m->table->count, is_raw = m->json.ptr != NULL;
        const aci_location at = {path, is_known && !is_raw ? aci_table_camel(m->table, c.row) : c.name, 0};
        const char *why;

        if (is_known && (elsewhere >> c.row & 1) != 0 && m->found[c.row].ptr == c.value.ptr)
            continue;
        why = why_not(m, &c, used, &names);
        if (why != NULL)
            aci_out_lost(&wr->out, &at, "the %sproperty was left out: %s",
                         is_raw || (is_known && c.is_own) ? "" : "unknown ", why);
        else if (!is_known && !aci_index_put(&names, wr->out.env, c.name, 0))
            aci_out_nomem(&wr->out);
        else
            put_member(wr, path, m, &c);
    }
    aci_index_clear(&names, wr->out.env);
}

/* ---- objects and lists ------------------------------------------------------------------------------------------ */

static void put_one(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw)
{
    if (name->of != NULL && *raw.ptr == '{') {
        aci_adk_members m;

        aci_adk_members_of(wr, &m, name->of, raw, NULL);
        aci_writer_object_begin(&wr->out.w);
        aci_adk_write_members(wr, path, &m, 0, 0);
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

    aci_writer_object_begin(&wr->out.w);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk) && wr->out.w.status >= 0) {
        const aci_location at = {path, aci_adk_decode(wr, walk.key), 0};

        if (aci_utf8_has_surrogates(at.name) || !aci_adk_accepts_in_map(wr, name, walk.value)) {
            aci_out_lost(&wr->out, &at, "the property was left out: adk-python refuses it");
            continue;
        }
        aci_writer_key(&wr->out.w, at.name);
        put_one(wr, &at, name, walk.value);
    }
    aci_writer_object_end(&wr->out.w);
}

static void put_list(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw)
{
    aci_location at = {path, {NULL, 0}, 0};
    aci_walk walk;

    aci_writer_array_begin(&wr->out.w);
    aci_walk_begin(&walk, raw);
    for (; aci_walk_next(&walk) && wr->out.w.status >= 0; at.index++)
        put_one(wr, &at, name, walk.value);
    aci_writer_array_end(&wr->out.w);
}

void aci_adk_write_value(aci_adk_writer *wr, const aci_location *path, const aci_table_row *name, agentchat_str raw)
{
    if (name->form == ACI_TABLE_MAP)
        put_map(wr, path, name, raw);
    else if (name->form == ACI_TABLE_LIST)
        put_list(wr, path, name, raw);
    else
        put_one(wr, path, name, raw);
}
