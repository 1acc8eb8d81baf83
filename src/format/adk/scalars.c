/* SPDX-License-Identifier: Apache-2.0 */
/* What google-adk accepts as a scalar of each kind. */
#include "format/adk/scalars.h"

#include "base/utf8.h"
#include "json/value.h"
#include <string.h>

enum { MOST_DIGITS = 4300, MOST_REAL_DIGITS = 300 }; /* of an integer: Python's limit, and what a double holds */

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

        if (any_case ? aci_utf8_equal_ignore_case(text, word) : agentchat_str_equal(text, word))
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
static size_t integer_digits(agentchat_str text)
{
    size_t sign = text.len > 0 && *text.ptr == '-', count = digits_at(text, sign);

    return sign + count == text.len ? count : 0;
}

/* A number as text: a sign, digits, perhaps a point and digits. */
static bool is_decimal(agentchat_str text)
{
    size_t sign = text.len > 0 && *text.ptr == '-', integer = digits_at(text, sign), at = sign + integer;

    if (integer == 0 || integer > MOST_REAL_DIGITS)
        return false;
    return at == text.len ||
           (text.ptr[at] == '.' && digits_at(text, at + 1) > 0 && at + 1 + digits_at(text, at + 1) == text.len);
}

/* Whether a number of at most `most` digits before its point has nothing but zeros after it. */
static bool is_integral(agentchat_str number, size_t most)
{
    size_t sign = *number.ptr == '-', at = sign + digits_at(number, sign);

    if (at == sign || at - sign > most || at == number.len || number.ptr[at] != '.')
        return at > sign && at - sign <= most && at == number.len;
    while (++at < number.len && number.ptr[at] == '0')
        ;
    return at == number.len;
}

bool aci_adk_is_integer(agentchat_str raw, bool may_be_negative)
{
    enum { MOST_EXACT_DIGITS = 15 }; /* before a point: every such number is a double */
    agentchat_str text = plain_text(raw), number = text.ptr != NULL ? text : raw;
    size_t digits = integer_digits(number);

    if (*raw.ptr == 't' || *raw.ptr == 'f')
        return true;
    if (!may_be_negative && number.len > 0 && *number.ptr == '-')
        return false;
    if (text.ptr != NULL)
        return digits > 0 && digits <= MOST_REAL_DIGITS;
    return digits > 0 ? digits <= MOST_DIGITS
                      : aci_json_kind_of(raw) == ACI_JSON_NUMBER && is_integral(raw, MOST_EXACT_DIGITS);
}

bool aci_adk_is_number(agentchat_str raw)
{
    agentchat_str text = plain_text(raw);

    if (*raw.ptr == 't' || *raw.ptr == 'f')
        return true;
    if (text.ptr != NULL)
        return is_decimal(text);
    return aci_json_kind_of(raw) == ACI_JSON_NUMBER && integer_digits(raw) <= MOST_REAL_DIGITS;
}

bool aci_adk_is_word(agentchat_str raw, const char *words)
{
    agentchat_str text = plain_text(raw);

    return text.ptr != NULL && is_word(text, words, false);
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
    return (*raw.ptr == '0' || *raw.ptr == '1') && is_integral(raw, 1);
}

bool aci_adk_is_route(agentchat_str raw)
{
    char c = *raw.ptr;
    size_t digits = integer_digits(raw);

    return c == 't' || c == 'f' || c == '"' || (digits > 0 && digits <= MOST_DIGITS);
}

/* ---- dates ------------------------------------------------------------------------------------------------------- */

int aci_adk_date_parts(agentchat_str raw, int parts[3])
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
    int parts[3] = {0}, count = aci_adk_date_parts(raw, parts);

    for (int i = 0; i < count; i++)
        if (parts[i] < 1 || parts[i] > most[i])
            return false;
    return count > 0;
}
