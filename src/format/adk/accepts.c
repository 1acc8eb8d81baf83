/* SPDX-License-Identifier: Apache-2.0 */
/* What google-adk accepts as a value of each kind (docs/formats/adk.md), but scalars. */
#include "format/adk/write.h"

#include "base/error.h"
#include "format/adk/bytes.h"
#include "format/adk/scalars.h"
#include "json/walk.h"

static bool is_base64(aci_adk_writer *wr, agentchat_str raw)
{
    aci_buf text;
    bool is;

    if (*raw.ptr != '"')
        return false;
    aci_buf_init(&text, wr->out.env, SIZE_MAX);
    is = aci_json_unquote(raw, &text);
    if (!is)
        aci_out_nomem(&wr->out);
    is = is && aci_adk_is_base64(aci_buf_str(&text));
    aci_buf_clear(&text);
    return is;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

/* The member of an object that counts under a name of a table, of several the last one in camelCase; absent: there is
   none, or it is null. false: out of memory. */
static bool find_members(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw,
                         agentchat_str found[ACI_TABLE_ROWS])
{
    uint64_t camel = 0;
    aci_walk walk;

    memset(found, 0, ACI_TABLE_ROWS * sizeof *found);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        bool is_camel = false;
        uint32_t i;

        if (*walk.value.ptr == 'n')
            continue;
        wr->scratch.len = 0;
        if (!aci_json_unquote(walk.key, &wr->scratch)) {
            aci_out_nomem(&wr->out);
            return false;
        }
        i = aci_object_table_find(table, aci_buf_str(&wr->scratch), &is_camel);
        if (i == table->count || (!is_camel && (camel >> i & 1) != 0))
            continue;
        found[i] = walk.value;
        camel |= (uint64_t)is_camel << i;
    }
    return true;
}

bool aci_adk_accepted_members(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw,
                              agentchat_str taken[ACI_TABLE_ROWS])
{
    if (!find_members(wr, table, raw, taken))
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        if (taken[i].ptr != NULL && !aci_adk_accepts(wr, &table->list[i], taken[i]))
            taken[i] = (agentchat_str){NULL, 0};
    return wr->out.w.status >= 0;
}

bool aci_adk_is_writable(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw)
{
    bool is_renamed = table == &aci_adk_usage || table == &aci_adk_citation_list; /* write_rust.c */
    agentchat_str taken[ACI_TABLE_ROWS];
    bool is_empty = true;
    aci_walk walk;

    if (*raw.ptr != '{' || !aci_adk_accepted_members(wr, table, raw, taken))
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        if (taken[i].ptr != NULL && (table->list[i].is_google || is_renamed))
            return true;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk))
        is_empty = is_empty && *walk.value.ptr == 'n';
    return is_empty || table->is_open;
}

/* Whether something of an object can be written, unless it may be empty, and it has what it must have. */
static bool is_model(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw, bool may_be_empty)
{
    agentchat_str taken[ACI_TABLE_ROWS];
    uint64_t there = 0;

    if (*raw.ptr != '{' || (!may_be_empty && !aci_adk_is_writable(wr, table, raw)))
        return false;
    if ((table->required | table->together) == 0)
        return true;
    if (!aci_adk_accepted_members(wr, table, raw, taken))
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        there |= (uint64_t)(taken[i].ptr != NULL) << i;
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
        bool is_type = agentchat_str_equal(walk.key, AGENTCHAT_STR("\"type\""));

        if (is_type || (!is_alias && agentchat_str_equal(walk.key, AGENTCHAT_STR("\"type_\""))))
            type = walk.value;
        is_alias = is_alias || is_type;
    }
    return type.ptr != NULL && *type.ptr == '"';
}

/* It needs a credential or permission to use the default one, and an audience for identity tokens. */
static bool is_service_account(aci_adk_writer *wr, const aci_object_table *table, agentchat_str raw)
{
    enum { CREDENTIAL, DEFAULT, ID_TOKEN, AUDIENCE };
    agentchat_str taken[ACI_TABLE_ROWS];
    bool is_default = false, is_id_token = false;

    if (*raw.ptr != '{' || !aci_adk_accepted_members(wr, table, raw, taken))
        return false;
    if (taken[DEFAULT].ptr != NULL)
        (void)aci_adk_boolean(taken[DEFAULT], &is_default);
    if (taken[ID_TOKEN].ptr != NULL)
        (void)aci_adk_boolean(taken[ID_TOKEN], &is_id_token);
    return (is_default || taken[CREDENTIAL].ptr != NULL) &&
           (!is_id_token || (taken[AUDIENCE].ptr != NULL && taken[AUDIENCE].len > 2));
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
        return is_base64(wr, raw);
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
    bool fits = true, is_list = name->form == ACI_ADK_LIST || (name->kind == ACI_ADK_ROUTE && *raw.ptr == '[');
    aci_walk walk;

    if (name->form == ACI_ADK_MAP)
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
