/* SPDX-License-Identifier: Apache-2.0 */
/* Counting tokens. */
#include "list_edit/list_edit.h"

#include "base/b64.h"
#include "base/env.h"
#include "base/error.h"
#include "base/invisible.h"
#include "base/utf8.h"
#include "list_edit/list_edit_internal.h"
#include "json/bridge.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== python text ================================================================================================ */

/* Code points of text; a lone surrogate is one. */
static uint64_t python_text_code_points(agentchat_str text)
{
    uint64_t points = 0;

    for (size_t i = 0; i < text.len; i++)
        points += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return points;
}

/* ---- strings ---------------------------------------------------------------------------------------------------- */

/* What decides how a string is printed, gathered code point by code point. */
typedef struct printed {
    uint64_t points; /* without the quotes around */
    uint64_t single_quotes;
    bool has_double_quotes;
} printed;

/* Whether Python prints a code point as it is: what is not seen is escaped, and spaces but for the usual one; marks and
   letters without a shape are not. Code points that are not assigned are taken for seen. */
static bool is_printable(uint32_t point)
{
    static const uint32_t spaces[][2] = {{0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                                         {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
    static const uint32_t shapeless[][2] = {{0x034F, 0x034F}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
                                            {0x180B, 0x180D}, {0x180F, 0x180F}, {0x3164, 0x3164},
                                            {0xFE00, 0xFE0F}, {0xFFA0, 0xFFA0}, {0xE0100, 0xE01EF}};

    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (point >= spaces[i][0] && point <= spaces[i][1])
            return false;
    for (size_t i = 0; i < sizeof shapeless / sizeof *shapeless; i++)
        if (point >= shapeless[i][0] && point <= shapeless[i][1])
            return true;
    return !aci_is_invisible(point);
}

static void add_point(printed *p, uint32_t point)
{
    p->single_quotes += point == '\'';
    p->has_double_quotes = p->has_double_quotes || point == '"';
    if (point == '\\' || point == '\n' || point == '\r' || point == '\t')
        p->points += 2;
    else if (!is_printable(point)) /* as \xHH, \uHHHH or \UHHHHHHHH */
        p->points += point < 0x100 ? 4 : point < 0x10000 ? 6 : 10;
    else
        p->points += 1;
}

/* Python takes double quotes where there is a single one and no double one, else it escapes the single ones. */
static uint64_t with_quotes(const printed *p)
{
    return p->points + 2 + (p->has_double_quotes ? p->single_quotes : 0);
}

uint64_t aci_python_text_quoted(agentchat_str text)
{
    const unsigned char *bytes = (const unsigned char *)text.ptr;
    printed p = {0, 0, false};

    for (size_t at = 0; at < text.len;) {
        uint32_t point = bytes[at];
        size_t len = aci_utf8_decode(bytes + at, bytes + text.len, true, &point);

        add_point(&p, point);
        at += len > 0 ? len : 1;
    }
    return with_quotes(&p);
}

static uint32_t hex4(const char *digits)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++) {
        char c = digits[i];

        value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* The code point at *at of a raw string, which is moved. */
static uint32_t next_point(const char **at, const char *end)
{
    const char *p = *at;
    uint32_t point = (unsigned char)*p;

    if (point != '\\') {
        size_t len = aci_utf8_decode((const unsigned char *)p, (const unsigned char *)end, true, &point);

        *at = p + (len > 0 ? len : 1);
        return point;
    }
    *at = p + 2;
    switch (p[1]) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        break;
    default:
        return (unsigned char)p[1];
    }
    point = hex4(p + 2);
    *at = p + 6;
    if (point >= 0xD800 && point < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        uint32_t low = hex4(*at + 2);

        if (low >= 0xDC00 && low < 0xE000) {
            *at += 6;
            return 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return point;
}

/* The same of a raw JSON string, decoded, without quotes. */
static uint64_t python_text_string(agentchat_str raw)
{
    const char *at = raw.ptr + 1, *end = raw.ptr + raw.len - 1;
    uint64_t points = 0;

    for (; at < end; points++)
        (void)next_point(&at, end);
    return points;
}

static uint64_t string_points(agentchat_str raw)
{
    const char *at = raw.ptr + 1, *end = raw.ptr + raw.len - 1;
    printed p = {0, 0, false};

    while (at < end)
        add_point(&p, next_point(&at, end));
    return with_quotes(&p);
}

/* ---- other values ----------------------------------------------------------------------------------------------- */

/* A number with a point or an exponent: its digits without zeros at the ends, and where they stand. */
typedef struct real {
    bool is_negative;
    char digits[100]; /* as many as decide which double it is, but for the rarest ones */
    size_t count;
    int64_t exponent; /* of the first digit */
} real;

/* An exponent, or one that is as good: beyond what a double has. */
static int64_t exponent_of(agentchat_str raw)
{
    enum { BEYOND = 1000000 };
    bool is_negative = raw.len > 0 && *raw.ptr == '-';
    int64_t value = 0;

    for (size_t i = raw.len > 0 && (is_negative || *raw.ptr == '+'); i < raw.len; i++)
        value = value < BEYOND ? value * 10 + (raw.ptr[i] - '0') : value;
    return is_negative ? -value : value;
}

static void read_real(agentchat_str raw, real *out)
{
    bool in_fraction = false;
    size_t at = *raw.ptr == '-';

    *out = (real){.is_negative = at == 1, .exponent = -1};
    for (; at < raw.len && raw.ptr[at] != 'e' && raw.ptr[at] != 'E'; at++) {
        if (raw.ptr[at] == '.') {
            in_fraction = true;
            continue;
        }
        if (out->count == 0 && raw.ptr[at] == '0') {
            out->exponent -= in_fraction;
            continue;
        }
        out->exponent += !in_fraction;
        if (out->count < sizeof out->digits)
            out->digits[out->count++] = raw.ptr[at];
    }
    if (at < raw.len)
        out->exponent += exponent_of((agentchat_str){raw.ptr + at + 1, raw.len - at - 1});
    while (out->count > 0 && out->digits[out->count - 1] == '0')
        out->count--;
}

/* Makes a number the shortest one of its double; a double that is none or too small has no digits. Whatever point the
   locale has. */
static void shorten(real *number)
{
    char text[sizeof number->digits + 32], shortest[ACI_REAL_SIZE];
    double value;

    (void)snprintf(text, sizeof text, "%.*se%lld", (int)number->count, number->digits,
                   (long long)number->exponent - (long long)(number->count - 1));
    value = strtod(text, NULL);
    number->count = 0;
    if (value > 0 && value <= DBL_MAX)
        read_real((agentchat_str){shortest, aci_json_real_print(value, shortest)}, number);
}

/* A number with a point or an exponent, as repr() prints the double. */
static uint64_t real_points(agentchat_str raw)
{
    enum { SURE = 15, LARGEST = 308, SMALLEST = -307 }; /* so many digits are the shortest ones, between exponents */
    uint64_t digits, size;
    real number;
    bool is_negative;

    read_real(raw, &number);
    is_negative = number.is_negative;
    if (number.count > 0 && (number.count > SURE || number.exponent >= LARGEST || number.exponent < SMALLEST))
        shorten(&number);
    digits = number.count;
    if (digits == 0) /* 0.0 or inf */
        size = 3;
    else if (number.exponent >= 0 && number.exponent < 16)
        size = digits <= (uint64_t)number.exponent + 1 ? (uint64_t)number.exponent + 3 : digits + 1;
    else if (number.exponent < 0 && number.exponent >= -4)
        size = digits + 1 + (uint64_t)-number.exponent;
    else
        size = digits + (digits > 1) + (number.exponent > 99 || number.exponent < -99 ? 5 : 4);
    return is_negative + size;
}

/* Integers are printed as they are, but for a zero's sign. */
static uint64_t number_points(agentchat_str raw)
{
    bool is_real = memchr(raw.ptr, '.', raw.len) != NULL || memchr(raw.ptr, 'e', raw.len) != NULL ||
                   memchr(raw.ptr, 'E', raw.len) != NULL;

    return is_real ? real_points(raw) : agentchat_str_equal(raw, AGENTCHAT_STR("-0")) ? 1 : raw.len;
}

/* Of a string as json.dumps() writes it. */
static uint64_t ascii_points(agentchat_str raw)
{
    const char *at = raw.ptr + 1, *end = raw.ptr + raw.len - 1;
    uint64_t points = 2;

    while (at < end) {
        uint32_t point = next_point(&at, end);

        if (point == '"' || point == '\\' || (point >= '\b' && point <= '\r' && point != '\v'))
            points += 2;
        else if (point < 0x20 || point >= 0x7F)
            points += point < 0x10000 ? 6 : 12;
        else
            points += 1;
    }
    return points;
}

/* Of a value whose strings are as long as a function says. true, false and null have as many in both forms. */
static uint64_t value_points(agentchat_str raw, uint64_t (*string)(agentchat_str raw))
{
    agentchat_json_walk walk;
    uint64_t points = 0;
    bool first = true;

    if (raw.len == 0)
        return 0;
    agentchat_json_walk_begin(&walk, raw);
    for (agentchat_json_step step; (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END;) {
        if (step == AGENTCHAT_JSON_CLOSE) {
            points++;
            first = false;
            continue;
        }
        points += first ? 0 : 2; /* ", " */
        if (walk.key.ptr != NULL)
            points += string(walk.key) + 2; /* ": " */
        first = step == AGENTCHAT_JSON_OPEN;
        switch (*walk.value.ptr) {
        case '{':
        case '[':
            points++;
            break;
        case '"':
            points += string(walk.value);
            break;
        case 't':
        case 'n':
            points += 4;
            break;
        case 'f':
            points += 5;
            break;
        default:
            points += number_points(walk.value);
        }
    }
    return points;
}

static uint64_t python_text_repr(agentchat_str raw)
{
    return value_points(raw, string_points);
}

/* Of a validated raw JSON value as json.dumps() writes it: in ASCII. */
static uint64_t python_text_json(agentchat_str raw)
{
    return value_points(raw, ascii_points);
}

/* ==== counting tokens: approximately, as LangChain does; messages; characters ==================================== */

void agentchat_token_options_init(agentchat_token_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_str text_of(const agentchat_item *item, agentchat_field field)
{
    agentchat_str text = agentchat_item_get(item, field);

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

static agentchat_str text_of_message(const agentchat_message *message, agentchat_field field)
{
    agentchat_str text = agentchat_message_get(message, field);

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

/* ---- approximately ---------------------------------------------------------------------------------------------- */

/* What a message has in code points, and its media: no service bills the characters of their base64. */
typedef struct content {
    uint64_t chars, media;
    size_t parts; /* items that are no calls */
} content;

/* Whether a string of a value that nobody knows is a medium: long, and nothing but base64, as a data URI or bare. A
   shorter one costs little as text. */
static bool is_medium(agentchat_str raw)
{
    static const char scheme[] = "\"data:";
    enum { LONG = 1000 };
    const char *begin = raw.ptr, *end = raw.ptr + raw.len;

    if (raw.len <= LONG)
        return false;
    if (memcmp(begin, scheme, sizeof scheme - 1) == 0 && (begin = memchr(begin, ',', raw.len)) != NULL)
        begin++;
    while (begin != NULL && begin < end) {
        begin += aci_b64_alphabet_prefix(begin, (size_t)(end - begin));
        if (begin < end && strchr("\"=-_\\", *begin++) == NULL)
            return false;
    }
    return begin == end;
}

/* A raw value of which the media are counted apart; measure says how long all the rest is. */
static void add_value(content *c, agentchat_str raw, uint64_t (*measure)(agentchat_str raw))
{
    agentchat_json_walk walk;

    c->chars += measure(raw);
    if (raw.len == 0)
        return;
    agentchat_json_walk_begin(&walk, raw);
    while (agentchat_json_walk_step(&walk) != AGENTCHAT_JSON_END)
        if (*walk.value.ptr == '"' && is_medium(walk.value)) {
            c->media++;
            c->chars -= measure(walk.value);
        }
}

static void add_item(content *c, const agentchat_item *item);

/* A result: the text of its content, or its value. */
static void add_result(content *c, const agentchat_item *item)
{
    agentchat_str value = text_of(item, AGENTCHAT_FIELD_RESULT);

    c->chars += python_text_code_points(text_of(item, AGENTCHAT_FIELD_CALL_ID));
    for (size_t i = 0; i < agentchat_item_content_count(item); i++)
        add_item(c, agentchat_item_content(item, i));
    if (value.ptr != NULL && *value.ptr == '"' && agentchat_item_content_count(item) == 0)
        c->chars += python_text_string(value);
    else if (value.ptr != NULL && agentchat_item_content_count(item) == 0)
        add_value(c, value, python_text_code_points);
}

static void add_item(content *c, const agentchat_item *item)
{
    switch ((agentchat_item_kind)agentchat_item_get_kind(item)) {
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_ANNOTATION:
        break;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        c->media++;
        break;
    case AGENTCHAT_ITEM_RESULT:
        add_result(c, item);
        break;
    case AGENTCHAT_ITEM_OPAQUE:
        add_value(c, text_of(item, AGENTCHAT_FIELD_RAW), python_text_repr);
        break;
    case AGENTCHAT_ITEM_MESSAGE:
        for (size_t i = 0; i < agentchat_message_item_count(agentchat_item_message(item)); i++)
            add_item(c, agentchat_message_item(agentchat_item_message(item), i));
        break;
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_FILE:
    case AGENTCHAT_ITEM_REASONING:
    case AGENTCHAT_ITEM_ACTION:
    case AGENTCHAT_ITEM_MAX_:
        c->chars += python_text_code_points(text_of(item, AGENTCHAT_FIELD_TEXT)) +
                    python_text_code_points(text_of(item, AGENTCHAT_FIELD_FILE_ID));
        break;
    }
    c->parts += agentchat_item_get_kind(item) != AGENTCHAT_ITEM_CALL;
}

/* The calls of a message as Python prints their list, which is how LangChain counts them where the content is a text.
 */
static uint64_t points_of_calls(const agentchat_message *message)
{
    static const char name[] = "{'name': , 'args': , 'id': , 'type': 'tool_call'}";
    uint64_t points = 0;
    size_t calls = 0;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_str arguments = text_of(item, AGENTCHAT_FIELD_ARGUMENTS);
        agentchat_str id = text_of(item, AGENTCHAT_FIELD_CALL_ID);

        if (agentchat_item_get_kind(item) != AGENTCHAT_ITEM_CALL)
            continue;
        points += sizeof name - 1 + aci_python_text_quoted(text_of(item, AGENTCHAT_FIELD_FUNCTION)) +
                  python_text_repr(arguments.ptr != NULL ? arguments : AGENTCHAT_STR("{}")) +
                  (id.ptr != NULL ? aci_python_text_quoted(id) : sizeof "None" - 1);
        calls++;
    }
    return calls > 0 ? points + 2 * calls : 0; /* brackets, and a comma and a space between */
}

static uint64_t points_of_role(agentchat_str role)
{
    return agentchat_str_equal(role, AGENTCHAT_STR("human")) ? sizeof "user" - 1
           : agentchat_str_equal(role, AGENTCHAT_STR("ai"))  ? sizeof "assistant" - 1
                                                             : python_text_code_points(role);
}

/* From here on doubles are whole, and an integer need not hold them. */
#define ALL_WHOLE 9007199254740992.0

static double ceiling(double value)
{
    double whole = value < ALL_WHOLE ? (double)(uint64_t)value : value;

    return whole < value ? whole + 1 : whole;
}

static uint64_t to_integer(double whole)
{
    return whole < (double)UINT64_MAX ? (uint64_t)whole : UINT64_MAX;
}

static double tokens_of(const agentchat_message *message, const agentchat_token_options *figures)
{
    content c = {0, 0, 0};
    agentchat_str name = agentchat_message_name(message);

    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        add_item(&c, agentchat_message_item(message, i));
    if (c.parts <= 1) /* a text, or nothing */
        c.chars += points_of_calls(message);
    c.chars += points_of_role(agentchat_message_role(message));
    if (name.ptr != NULL && !agentchat_str_is_null(name) && !figures->skip_names)
        c.chars += python_text_code_points(name);
    return (double)c.media * (double)figures->tokens_per_image + ceiling((double)c.chars / figures->chars_per_token) +
           figures->extra_per_message;
}

/* ---- what services counted -------------------------------------------------------------------------------------- */

/* What corrects an estimate, gathered message by message. */
typedef struct usage {
    agentchat_str provider; /* of all assistants' messages so far, raw; absent: none has one */
    bool is_mixed;
    double counted, estimated; /* up to the last message that says how much was counted */
} usage;

static bool is_given(agentchat_str raw)
{
    agentchat_json_kind kind = agentchat_json_kind_of(raw);

    return kind != AGENTCHAT_JSON_NONE && kind != AGENTCHAT_JSON_NULL;
}

static void add_usage(usage *u, const agentchat_message *message, double estimated)
{
    agentchat_str metadata = text_of_message(message, AGENTCHAT_FIELD_METADATA);
    agentchat_str provider = agentchat_json_find(agentchat_json_find(metadata, AGENTCHAT_STR("response_metadata")),
                                                 AGENTCHAT_STR("model_provider"));
    agentchat_str total = agentchat_json_find(agentchat_json_find(metadata, AGENTCHAT_STR("usage_metadata")),
                                              AGENTCHAT_STR("total_tokens"));
    int64_t counted;

    if (!agentchat_str_equal(aci_roles_plain(agentchat_message_role(message)), AGENTCHAT_STR("assistant")))
        return;
    if (!is_given(u->provider))
        u->provider = provider;
    else if (!agentchat_str_equal(provider, u->provider))
        u->is_mixed = true;
    if (agentchat_json_kind_of(total) == AGENTCHAT_JSON_NUMBER && aci_json_integer(total, &counted)) {
        u->counted = (double)counted;
        u->estimated = estimated;
    }
}

static double scale_of(const usage *u, size_t count)
{
    double scale;

    if (count < 2 || u->is_mixed || !is_given(u->provider) || !(u->estimated > 0))
        return 1;
    scale = u->counted / u->estimated;
    return scale < 1 ? 1 : scale > 1.25 ? 1.25 : scale;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status load_figures(agentchat_token_options *figures, const void *user, agentchat_error *err)
{
    agentchat_status status = aci_env_options_load(figures, sizeof *figures, user, err);

    if (status < 0)
        return status;
    if (!(figures->chars_per_token >= 0))
        return aci_fail(err, AGENTCHAT_E_INVALID, "chars_per_token must be positive");
    if (figures->extra_per_message != figures->extra_per_message)
        return aci_fail(err, AGENTCHAT_E_INVALID, "extra_per_message must be a number");
    figures->chars_per_token = figures->chars_per_token > 0 ? figures->chars_per_token : 4;
    figures->extra_per_message = figures->extra_per_message == 0  ? 3
                                 : figures->extra_per_message < 0 ? 0
                                                                  : figures->extra_per_message;
    figures->tokens_per_image = figures->tokens_per_image > 0 ? figures->tokens_per_image : 85;
    return AGENTCHAT_OK;
}

static agentchat_status count_tools(const agentchat_token_options *figures, double *tokens, agentchat_error *err)
{
    uint64_t points = 0;
    agentchat_str tools;
    agentchat_json_walk walk;
    agentchat_status status;

    *tokens = 0;
    if (figures->tools == NULL)
        return AGENTCHAT_OK;
    status = agentchat_json_check(NULL, agentchat_str_from(figures->tools), &tools, err);
    if (status < 0)
        return status;
    if (agentchat_json_kind_of(tools) != AGENTCHAT_JSON_ARRAY)
        return aci_fail(err, AGENTCHAT_E_INVALID, "tools must be a JSON array");
    agentchat_json_walk_into(&walk, tools);
    while (agentchat_json_walk_next(&walk))
        points += python_text_json(walk.value);
    *tokens = ceiling((double)points / figures->chars_per_token);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_count_approximately(void *user, const agentchat_message *const *messages, size_t count,
                                               uint64_t *tokens, agentchat_error *err)
{
    agentchat_token_options figures;
    usage counted = {{NULL, 0}, false, 0, 0};
    agentchat_status status;
    double total;

    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = 0;
    if (messages == NULL && count > 0)
        return aci_fail_null(err, "messages");
    status = load_figures(&figures, user, err);
    if (status >= 0)
        status = count_tools(&figures, &total, err);
    if (status < 0)
        return status;
    for (size_t i = 0; i < count; i++) {
        total += tokens_of(messages[i], &figures);
        if (figures.scale_by_usage)
            add_usage(&counted, messages[i], total);
    }
    *tokens = to_integer(ceiling(total * scale_of(&counted, count)));
    return AGENTCHAT_OK;
}

/* ---- messages and characters ------------------------------------------------------------------------------------ */

agentchat_status agentchat_count_messages(void *user, const agentchat_message *const *messages, size_t count,
                                          uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)messages;
    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = count;
    return AGENTCHAT_OK;
}

static uint64_t characters_of(const agentchat_item *item)
{
    const agentchat_message *nested = agentchat_item_message(item);
    agentchat_str value = text_of(item, AGENTCHAT_FIELD_RESULT);
    uint64_t points = python_text_code_points(text_of(item, AGENTCHAT_FIELD_TEXT));

    for (size_t i = 0; i < agentchat_item_content_count(item); i++)
        points += characters_of(agentchat_item_content(item, i));
    for (size_t i = 0; i < agentchat_message_item_count(nested); i++)
        points += characters_of(agentchat_message_item(nested, i));
    if (value.ptr != NULL)
        points += *value.ptr == '"' ? python_text_string(value) : python_text_code_points(value);
    return points;
}

agentchat_status agentchat_count_characters(void *user, const agentchat_message *const *messages, size_t count,
                                            uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = 0;
    if (messages == NULL && count > 0)
        return aci_fail_null(err, "messages");
    for (size_t m = 0; m < count; m++)
        for (size_t i = 0; i < agentchat_message_item_count(messages[m]); i++)
            *tokens += characters_of(agentchat_message_item(messages[m], i));
    return AGENTCHAT_OK;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

agentchat_status agentchat_messages_count_tokens(const agentchat_messages *messages, agentchat_token_counter_fn counter,
                                                 void *user, uint64_t *tokens, agentchat_error *err)
{
    const agentchat_env *env = messages != NULL ? messages->env : aci_env(NULL);
    const agentchat_message **list;
    agentchat_status status;
    size_t bytes;

    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = 0;
    list = aci_alloc_array(env, agentchat_messages_count(messages) + 1, sizeof *list, &bytes);
    if (list == NULL)
        return aci_fail_nomem(err);
    if (messages != NULL)
        aci_list_flatten(messages, list);
    status = (counter != NULL ? counter : agentchat_count_approximately)(user, list, agentchat_messages_count(messages),
                                                                         tokens, err);
    aci_free(env, (void *)list, bytes);
    if (status < 0)
        *tokens = 0;
    return status;
}
