/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values as google-adk takes them: what it would refuse inside of them is left out and reported, and so is what it
 * would carry out (docs/formats/adk.md). Layer 5. Null stands for nothing in its objects, so it is left out and not
 * reported.
 */
#include "event/adk.h"

#include "base/error.h"
#include "base/utf8.h"

/* ---- dates ------------------------------------------------------------------------------------------------------ */

/* The numbers of YYYY, YYYY-MM or YYYY-MM-DD; how many there are, 0: it is something else. */
static int date_parts(agentchat_str raw, int parts[3])
{
    int count = 0;
    size_t at = 1, end = raw.len - 1;

    if (*raw.ptr != '"')
        return 0;
    while (at < end && count < 3) {
        size_t digits = count == 0 ? 4 : 2;

        if (end - at < digits)
            return 0;
        parts[count] = 0;
        for (size_t i = 0; i < digits; i++, at++) {
            if (raw.ptr[at] < '0' || raw.ptr[at] > '9')
                return 0;
            parts[count] = parts[count] * 10 + (raw.ptr[at] - '0');
        }
        count++;
        if (at < end && (raw.ptr[at++] != '-' || at == end))
            return 0;
    }
    return at == end ? count : 0;
}

bool aci_adk_is_date(agentchat_str raw)
{
    static const int most[3] = {9999, 12, 31};
    int parts[3], count = date_parts(raw, parts);

    for (int i = 0; i < count; i++)
        if (parts[i] < 1 || parts[i] > most[i])
            return false;
    return count > 0;
}

static void put_date(aci_adk_writer *wr, const aci_adk_path *path, agentchat_str raw)
{
    static const char *const names[3] = {"year", "month", "day"};
    int parts[3], count = date_parts(raw, parts);

    aci_adk_told(wr, AGENTCHAT_REPORT_REPAIR, path, "the date was written as an object");
    aci_jw_object_begin(&wr->w);
    for (int i = 0; i < count; i++) {
        aci_jw_key(&wr->w, agentchat_str_from(names[i]));
        aci_jw_u64(&wr->w, (uint64_t)parts[i]);
    }
    aci_jw_object_end(&wr->w);
}

/* ---- objects and lists ------------------------------------------------------------------------------------------ */

typedef struct member {
    agentchat_str name, value; /* the name as it is spelled, in the writer's scratch buffer */
    uint32_t index;
} member;

/* Why a member of an object with a table is left out; NULL: it is not. taken: the members that count and fit. */
static const char *why_not(const aci_adk_table *table, const member *m, const agentchat_str *taken, uint32_t from)
{
    if (m->index == table->count)
        return table->is_open ? NULL : "adk-python refuses it";
    if (m->index < from)
        return "the name stands for something else there";
    if (!table->list[m->index].is_google || taken[m->index].ptr == NULL)
        return "adk-python refuses it";
    return taken[m->index].ptr == m->value.ptr ? NULL : "there is another of its name";
}

static void put_member(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_table *table, const member *m)
{
    agentchat_str name = m->index < table->count ? aci_adk_camel(table, m->index) : m->name;
    const aci_adk_path at = {path, name, 0};

    aci_jw_key(&wr->w, name);
    if (m->index < table->count)
        aci_adk_put_value(wr, &at, &table->list[m->index], m->value);
    else
        aci_adk_put_json(wr, &at, m->value);
}

void aci_adk_put_members(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_table *table, agentchat_str raw,
                         uint64_t elsewhere, uint32_t from)
{
    agentchat_str taken[ACI_ADK_NAMES];
    aci_buf name;
    aci_walk walk;

    if (!aci_adk_taken(wr, table, raw, taken))
        return;
    aci_buf_init(&name, wr->env, SIZE_MAX);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk) && wr->w.status >= 0) {
        aci_adk_path at = {path, {NULL, 0}, 0};
        member m = {{NULL, 0}, walk.value, 0};
        const char *why;

        if (*walk.value.ptr == 'n')
            continue;
        name.len = 0;
        if (!aci_json_unquote(walk.key, &name)) {
            aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
            break;
        }
        m.name = at.name = aci_buf_str(&name);
        m.index = aci_adk_find(table, m.name, NULL);
        if (m.index < table->count && (elsewhere >> m.index & 1) != 0 && taken[m.index].ptr == walk.value.ptr)
            continue;
        why = aci_has_surrogates(m.name) ? "its name has a lone surrogate" : why_not(table, &m, taken, from);
        if (why != NULL)
            aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, &at, "the property was left out: %s", why);
        else
            put_member(wr, path, table, &m);
    }
    aci_buf_clear(&name);
}

bool aci_adk_is_writable(aci_adk_writer *wr, const aci_adk_table *table, agentchat_str raw)
{
    bool is_renamed = table == &aci_adk_usage || table == &aci_adk_citation_list; /* adk_write_rust.c */
    agentchat_str taken[ACI_ADK_NAMES];
    bool is_empty = true;
    aci_walk walk;

    if (*raw.ptr != '{' || !aci_adk_taken(wr, table, raw, taken))
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        if (taken[i].ptr != NULL && (table->list[i].is_google || is_renamed))
            return true;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk))
        is_empty = is_empty && *walk.value.ptr == 'n';
    return is_empty || table->is_open;
}

static void put_one(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_name *name, agentchat_str raw)
{
    if (name->of != NULL && *raw.ptr == '{') {
        aci_jw_object_begin(&wr->w);
        aci_adk_put_members(wr, path, name->of, raw, 0, 0);
        aci_jw_object_end(&wr->w);
    } else if (name->kind == ACI_ADK_DATE) {
        put_date(wr, path, raw);
    } else {
        aci_adk_put_json(wr, path, raw);
    }
}

/* An object with any names: what does not fit is left out. */
static void put_map(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_name *name, agentchat_str raw)
{
    aci_walk walk;
    aci_buf key;

    aci_buf_init(&key, wr->env, SIZE_MAX);
    aci_jw_object_begin(&wr->w);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk) && wr->w.status >= 0) {
        aci_adk_path at = {path, {NULL, 0}, 0};

        key.len = 0;
        if (!aci_json_unquote(walk.key, &key)) {
            aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
            break;
        }
        at.name = aci_buf_str(&key);
        if (aci_has_surrogates(at.name) || !aci_adk_fits_in_map(wr, name, walk.value)) {
            aci_adk_told(wr, AGENTCHAT_REPORT_LOSS, &at, "the property was left out: adk-python refuses it");
            continue;
        }
        aci_jw_key(&wr->w, at.name);
        put_one(wr, &at, name, walk.value);
    }
    aci_jw_object_end(&wr->w);
    aci_buf_clear(&key);
}

static void put_list(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_name *name, agentchat_str raw)
{
    aci_walk walk;
    size_t index = 0;

    aci_jw_array_begin(&wr->w);
    aci_walk_begin(&walk, raw);
    for (; aci_walk_next(&walk) && wr->w.status >= 0; index++) {
        const aci_adk_path at = {path, {NULL, 0}, index};

        put_one(wr, &at, name, walk.value);
    }
    aci_jw_array_end(&wr->w);
}

void aci_adk_put_value(aci_adk_writer *wr, const aci_adk_path *path, const aci_adk_name *name, agentchat_str raw)
{
    if (name->form == ACI_ADK_MAP)
        put_map(wr, path, name, raw);
    else if (name->form == ACI_ADK_LIST)
        put_list(wr, path, name, raw);
    else
        put_one(wr, path, name, raw);
}
