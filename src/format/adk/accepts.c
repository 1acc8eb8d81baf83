/* SPDX-License-Identifier: Apache-2.0 */
/* What google-adk accepts as a value of each kind (docs/formats/adk.md), but scalars, and which members count. */
#include "format/adk/write.h"

#include "base/error.h"
#include "format/adk/media.h"
#include "format/adk/scalars.h"
#include "format/kit/look.h"
#include "json/walk.h"

/* ---- members ----------------------------------------------------------------------------------------------------- */

static bool step(aci_adk_writer *wr, const aci_adk_members *m, aci_adk_member *c)
{
    const agentchat_extra *extra;

    if (m->json.ptr != NULL) {
        if (!aci_walk_next(&c->walk))
            return false;
        c->name = aci_adk_decode(wr, c->walk.key);
        c->value = c->walk.value;
        return true;
    }
    if (m->extras == NULL || c->at == m->extras->count)
        return false;
    extra = &m->extras->list[c->at++];
    c->name = extra->name;
    c->value = extra->value;
    c->is_own = aci_adk_is_own(extra->from);
    return true;
}

void aci_adk_member_begin(const aci_adk_members *m, aci_adk_member *c)
{
    c->at = 0;
    c->is_own = true;
    aci_walk_begin(&c->walk, m->json);
}

bool aci_adk_member_next(aci_adk_writer *wr, const aci_adk_members *m, aci_adk_member *c)
{
    do {
        if (!step(wr, m, c))
            return false;
    } while (*c->value.ptr == 'n');
    c->row = aci_object_table_find(m->table, c->name, &c->is_camel);
    return wr->out.w.status >= 0;
}

void aci_adk_members_of(aci_adk_writer *wr, aci_adk_members *m, const aci_object_table *table, agentchat_str json,
                        const aci_extras *extras)
{
    uint64_t camel = 0;
    aci_adk_member c;

    m->table = table;
    m->json = json;
    m->extras = extras;
    m->instead = NULL;
    memset(m->found, 0, table->count * sizeof *m->found);
    if (json.ptr == NULL && extras == NULL)
        return;
    aci_adk_member_begin(m, &c);
    while (aci_adk_member_next(wr, m, &c)) {
        if (c.row == table->count || !c.is_own)
            continue;
        if (m->found[c.row].ptr != NULL && (json.ptr == NULL || (!c.is_camel && (camel >> c.row & 1) != 0)))
            continue;
        m->found[c.row] = c.value;
        camel |= (uint64_t)c.is_camel << c.row;
    }
    for (uint32_t i = 0; i < table->count; i++)
        if (m->found[i].ptr != NULL && !aci_adk_accepts(wr, &table->list[i], m->found[i]))
            m->found[i] = (agentchat_str){NULL, 0};
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

bool aci_adk_is_writable(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw)
{
    bool is_renamed = table == &aci_adk_usage || table == &aci_adk_citation_list; /* write_rust.c */
    aci_adk_members m;
    aci_adk_member c;

    if (*raw.ptr != '{')
        return false;
    aci_adk_members_of(wr, &m, table, raw, NULL);
    for (uint32_t i = 0; i < table->count; i++)
        if (m.found[i].ptr != NULL && (table->list[i].is_google || is_renamed))
            return true;
    aci_adk_member_begin(&m, &c);
    return !aci_adk_member_next(wr, &m, &c) || table->is_open;
}

/* Whether something of an object can be written, unless it may be empty, and it has what it must have. */
static bool is_model(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw, bool may_be_empty)
{
    aci_adk_members m;
    uint64_t there = 0;

    if (*raw.ptr != '{' || (!may_be_empty && !aci_adk_is_writable(wr, table, raw)))
        return false;
    if ((table->required | table->together) == 0)
        return true;
    aci_adk_members_of(wr, &m, table, raw, NULL);
    for (uint32_t i = 0; i < table->count; i++)
        there |= (uint64_t)(m.found[i].ptr != NULL) << i;
    return (there & table->required) == table->required &&
           ((there & table->together) == 0 || (there & table->together) == table->together);
}

/* An authorisation scheme is one of many, and any object with a text as its type. */
static bool is_auth_scheme(agentchat_str raw)
{
    agentchat_str type = {NULL, 0};
    bool is_alias = false;
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    while (*raw.ptr == '{' && aci_walk_next(&walk)) {
        bool is_type = aci_look_is_word(walk.key, "type");

        if (is_type || (!is_alias && aci_look_is_word(walk.key, "type_")))
            type = walk.value;
        is_alias = is_alias || is_type;
    }
    return type.ptr != NULL && *type.ptr == '"';
}

/* It needs a credential or permission to use the default one, and an audience for identity tokens. */
static bool is_service_account(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw)
{
    enum { CREDENTIAL, DEFAULT, ID_TOKEN, AUDIENCE };
    bool is_default = false, is_id_token = false;
    aci_adk_members m;

    if (*raw.ptr != '{')
        return false;
    aci_adk_members_of(wr, &m, table, raw, NULL);
    if (m.found[DEFAULT].ptr != NULL)
        (void)aci_adk_boolean(m.found[DEFAULT], &is_default);
    if (m.found[ID_TOKEN].ptr != NULL)
        (void)aci_adk_boolean(m.found[ID_TOKEN], &is_id_token);
    return (is_default || m.found[CREDENTIAL].ptr != NULL) && (!is_id_token || m.found[AUDIENCE].len > 2);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool fits_one(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw, bool is_element)
{
    bool ignored;

    switch ((aci_adk_value_kind)name->kind) {
    case ACI_ADK_STRING:
        return *raw.ptr == '"';
    case ACI_ADK_WORD:
        return aci_adk_is_word(raw, name->words);
    case ACI_ADK_BOOLEAN:
        return aci_adk_boolean(raw, &ignored);
    case ACI_ADK_INTEGER:
    case ACI_ADK_COUNT:
        return aci_adk_is_integer(raw, name->kind == ACI_ADK_INTEGER);
    case ACI_ADK_NUMBER:
        return aci_adk_is_number(raw);
    case ACI_ADK_BYTES:
        return *raw.ptr == '"' && aci_adk_is_base64(aci_adk_decode(wr, raw));
    case ACI_ADK_OBJECT:
        return *raw.ptr == '{';
    case ACI_ADK_MODEL:
        return is_model(wr, name->of, raw, is_element);
    case ACI_ADK_DATE:
        return *raw.ptr == '{' || aci_adk_is_date(raw);
    case ACI_ADK_ROUTE:
        return aci_adk_is_route(raw);
    case ACI_ADK_AUTH_CONFIG: /* it ignores what is no object */
        return *raw.ptr != '{' || is_model(wr, name->of, raw, is_element);
    case ACI_ADK_AUTH_SCHEME:
        return is_auth_scheme(raw);
    case ACI_ADK_SERVICE_ACCOUNT:
        return is_service_account(wr, name->of, raw);
    case ACI_ADK_ANY:
        break;
    }
    return true;
}

/* Whether a member of a map fits, or there is none: what does not is left out alone. */
static bool fits_map(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw)
{
    bool fits = false, is_empty = true;
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    for (; !fits && *raw.ptr == '{' && aci_walk_next(&walk); is_empty = false)
        fits = fits_one(wr, name, walk.value, true);
    return *raw.ptr == '{' && (fits || is_empty);
}

bool aci_adk_accepts(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw)
{
    bool fits = true, is_list = name->form == ACI_TABLE_LIST || (name->kind == ACI_ADK_ROUTE && *raw.ptr == '[');
    aci_walk walk;

    if (name->form == ACI_TABLE_MAP)
        return fits_map(wr, name, raw);
    if (!is_list)
        return fits_one(wr, name, raw, false);
    aci_walk_begin(&walk, raw);
    while (fits && *raw.ptr == '[' && aci_walk_next(&walk))
        fits = fits_one(wr, name, walk.value, true);
    return fits && *raw.ptr == '[';
}

bool aci_adk_accepts_in_map(aci_adk_writer *wr, const aci_table_row *name, agentchat_str raw)
{
    return fits_one(wr, name, raw, true);
}
