/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What google-adk takes as a value of each kind (docs/formats/adk.md). Layer 5. It is lenient: numbers may be text, 0
 * and 1 may stand for false and true. What it was not seen to take counts as refused.
 */
#include "event/adk.h"

#include "base/error.h"
#include "base/utf8.h"

enum { MOST_DIGITS = 4300, MOST_REAL_DIGITS = 300 }; /* of a whole number: Python's limit, and what a double holds */

/* ---- scalars ---------------------------------------------------------------------------------------------------- */

/* The inside of a raw string that has no escapes; absent: it is none. */
static agentchat_str plain_text(agentchat_str raw)
{
    if (*raw.ptr != '"' || memchr(raw.ptr, '\\', raw.len) != NULL)
        return (agentchat_str){NULL, 0};
    return (agentchat_str){raw.ptr + 1, raw.len - 2};
}

/* Whether a word stands in a list with a space before and after each. */
static bool is_word(agentchat_str text, const char *words, bool any_case)
{
    while (text.len > 0 && words[1] != '\0') {
        const agentchat_str word = {words + 1, strcspn(words + 1, " ")};

        if (any_case ? aci_equal_ignore_case(text, word) : agentchat_str_equal(text, word))
            return true;
        words += word.len + 1;
    }
    return false;
}

static size_t digits_at(agentchat_str text, size_t from)
{
    size_t at = from;

    while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
        at++;
    return at - from;
}

/* Digits, perhaps with a sign: how many; 0 when it is something else. */
static size_t whole_digits(agentchat_str text)
{
    size_t sign = text.len > 0 && *text.ptr == '-', count = digits_at(text, sign);

    return sign + count == text.len ? count : 0;
}

/* A number as text: a sign, digits, perhaps a point and digits. */
static bool is_decimal(agentchat_str text)
{
    size_t sign = text.len > 0 && *text.ptr == '-', whole = digits_at(text, sign), at = sign + whole;

    if (whole == 0 || whole > MOST_REAL_DIGITS)
        return false;
    return at == text.len ||
           (text.ptr[at] == '.' && digits_at(text, at + 1) > 0 && at + 1 + digits_at(text, at + 1) == text.len);
}

/* Whether a number of at most `most` digits before its point has nothing but zeros after it. */
static bool is_whole(agentchat_str number, size_t most)
{
    size_t sign = *number.ptr == '-', at = sign + digits_at(number, sign);

    if (at == sign || at - sign > most || at == number.len || number.ptr[at] != '.')
        return at > sign && at - sign <= most && at == number.len;
    while (++at < number.len && number.ptr[at] == '0')
        ;
    return at == number.len;
}

static bool is_integer(agentchat_str raw, bool may_be_negative)
{
    enum { MOST_EXACT_DIGITS = 15 }; /* before a point: every such number is a double */
    agentchat_str text = plain_text(raw), number = text.ptr != NULL ? text : raw;
    size_t digits = whole_digits(number);

    if (*raw.ptr == 't' || *raw.ptr == 'f')
        return true;
    if (!may_be_negative && number.len > 0 && *number.ptr == '-')
        return false;
    if (text.ptr != NULL)
        return digits > 0 && digits <= MOST_REAL_DIGITS;
    return digits > 0 ? digits <= MOST_DIGITS
                      : aci_json_kind_of(raw) == ACI_JSON_NUMBER && is_whole(raw, MOST_EXACT_DIGITS);
}

static bool is_number(agentchat_str raw)
{
    agentchat_str text = plain_text(raw);

    if (*raw.ptr == 't' || *raw.ptr == 'f')
        return true;
    if (text.ptr != NULL)
        return is_decimal(text);
    return aci_json_kind_of(raw) == ACI_JSON_NUMBER && whole_digits(raw) <= MOST_REAL_DIGITS;
}

bool aci_adk_boolean(agentchat_str raw, bool *value)
{
    agentchat_str text = plain_text(raw);

    *value = *raw.ptr == 't';
    if (*raw.ptr == 't' || *raw.ptr == 'f')
        return true;
    if (text.ptr != NULL) {
        *value = is_word(text, " 1 t y yes on true ", true);
        return *value || is_word(text, " 0 f n no off false ", true);
    }
    *value = *raw.ptr == '1';
    return (*raw.ptr == '0' || *raw.ptr == '1') && is_whole(raw, 1);
}

static bool is_base64(aci_adk_writer *wr, agentchat_str raw)
{
    aci_buf text;
    bool is;

    if (*raw.ptr != '"')
        return false;
    aci_buf_init(&text, wr->env, SIZE_MAX);
    is = aci_json_unquote(raw, &text);
    if (!is)
        aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
    is = is && aci_adk_is_base64(aci_buf_str(&text));
    aci_buf_clear(&text);
    return is;
}

static bool is_route(agentchat_str raw)
{
    char c = *raw.ptr;
    size_t digits = whole_digits(raw);

    return c == 't' || c == 'f' || c == '"' || (digits > 0 && digits <= MOST_DIGITS);
}

/* ---- objects ---------------------------------------------------------------------------------------------------- */

/* The member of an object that counts under a name of a table, of several the last one in camelCase; absent: there is
   none, or it is null. false: out of memory. */
static bool find_members(aci_adk_writer *wr, const aci_adk_table *table, agentchat_str raw,
                         agentchat_str found[ACI_ADK_NAMES])
{
    uint64_t camel = 0;
    aci_walk walk;

    memset(found, 0, ACI_ADK_NAMES * sizeof *found);
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        bool is_camel = false;
        uint32_t i;

        if (*walk.value.ptr == 'n')
            continue;
        wr->scratch.len = 0;
        if (!aci_json_unquote(walk.key, &wr->scratch)) {
            aci_adk_failed(wr, AGENTCHAT_E_NOMEM);
            return false;
        }
        i = aci_adk_find(table, aci_buf_str(&wr->scratch), &is_camel);
        if (i == table->count || (!is_camel && (camel >> i & 1) != 0))
            continue;
        found[i] = walk.value;
        camel |= (uint64_t)is_camel << i;
    }
    return true;
}

bool aci_adk_taken(aci_adk_writer *wr, const aci_adk_table *table, agentchat_str raw,
                   agentchat_str taken[ACI_ADK_NAMES])
{
    if (!find_members(wr, table, raw, taken))
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        if (taken[i].ptr != NULL && !aci_adk_fits(wr, &table->list[i], taken[i]))
            taken[i] = (agentchat_str){NULL, 0};
    return wr->w.status >= 0;
}

/* Whether something of an object can be written, unless it may be empty, and it has what it must have. */
static bool is_model(aci_adk_writer *wr, const aci_adk_table *table, agentchat_str raw, bool may_be_empty)
{
    agentchat_str taken[ACI_ADK_NAMES];
    uint64_t there = 0;

    if (*raw.ptr != '{' || (!may_be_empty && !aci_adk_is_writable(wr, table, raw)))
        return false;
    if ((table->required | table->together) == 0)
        return true;
    if (!aci_adk_taken(wr, table, raw, taken))
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

/* It needs a credential or leave to use the default one, and an audience for tokens of identity. */
static bool is_service_account(aci_adk_writer *wr, const aci_adk_table *table, agentchat_str raw)
{
    enum { CREDENTIAL, DEFAULT, ID_TOKEN, AUDIENCE };
    agentchat_str taken[ACI_ADK_NAMES];
    bool is_default = false, is_id_token = false;

    if (*raw.ptr != '{' || !aci_adk_taken(wr, table, raw, taken))
        return false;
    if (taken[DEFAULT].ptr != NULL)
        (void)aci_adk_boolean(taken[DEFAULT], &is_default);
    if (taken[ID_TOKEN].ptr != NULL)
        (void)aci_adk_boolean(taken[ID_TOKEN], &is_id_token);
    return (is_default || taken[CREDENTIAL].ptr != NULL) &&
           (!is_id_token || (taken[AUDIENCE].ptr != NULL && taken[AUDIENCE].len > 2));
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static bool fits_one(aci_adk_writer *wr, const aci_adk_name *name, agentchat_str raw, bool is_element)
{
    agentchat_str text;
    bool ignored;

    switch ((aci_adk_value_kind)name->kind) {
    case ACI_ADK_STRING:
        return *raw.ptr == '"';
    case ACI_ADK_WORD:
        text = plain_text(raw);
        return text.ptr != NULL && is_word(text, name->words, false);
    case ACI_ADK_BOOLEAN:
        return aci_adk_boolean(raw, &ignored);
    case ACI_ADK_INTEGER:
    case ACI_ADK_COUNT:
        return is_integer(raw, name->kind == ACI_ADK_INTEGER);
    case ACI_ADK_NUMBER:
        return is_number(raw);
    case ACI_ADK_BYTES:
        return is_base64(wr, raw);
    case ACI_ADK_OBJECT:
        return *raw.ptr == '{';
    case ACI_ADK_MODEL:
        return is_model(wr, name->of, raw, is_element);
    case ACI_ADK_DATE:
        return *raw.ptr == '{' || aci_adk_is_date(raw);
    case ACI_ADK_ROUTE:
        return is_route(raw);
    case ACI_ADK_AUTH_CONFIG: /* it passes over what is no object */
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
static bool fits_map(aci_adk_writer *wr, const aci_adk_name *name, agentchat_str raw)
{
    bool fits = false, is_empty = true;
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    for (; !fits && *raw.ptr == '{' && aci_walk_next(&walk); is_empty = false)
        fits = fits_one(wr, name, walk.value, true);
    return *raw.ptr == '{' && (fits || is_empty);
}

bool aci_adk_fits(aci_adk_writer *wr, const aci_adk_name *name, agentchat_str raw)
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

bool aci_adk_fits_in_map(aci_adk_writer *wr, const aci_adk_name *name, agentchat_str raw)
{
    return fits_one(wr, name, raw, true);
}
