/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as the languages of the ADK dialects print them.
 *
 * Python has integers of any length and doubles; Rust's JSON values have 64-bit integers, and doubles for everything
 * else. Both print the fewest digits that read back as the same double, and put the point where the other does, but for
 * very small numbers; only exponents look different.
 */
#include "state/template.h"

#include "json/bridge.h"
#include "json/value.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INTEGER_DIGITS = 16 }; /* before the point; beyond: an exponent */

static bool is_integer(agentchat_str number)
{
    for (size_t i = 0; i < number.len; i++)
        if (number.ptr[i] == '.' || number.ptr[i] == 'e' || number.ptr[i] == 'E')
            return false;
    return true;
}

/* Whether Rust keeps an integer as one: unsigned or signed, of 64 bits. Its -0 is a double. */
static bool fits_rust(agentchat_str number)
{
    bool negative = number.ptr[0] == '-';
    uint64_t value = 0;

    for (size_t i = negative ? 1 : 0; i < number.len; i++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(number.ptr[i] - '0'), &value))
            return false;
    return !negative || (value > 0 && value <= (uint64_t)1 << 63);
}

/* The shortest digits of a double that is not negative, and where the point stands: 0.DIGITS times ten to *point. */
static size_t shortest_digits(double value, char digits[ACI_REAL_SIZE], int *point)
{
    char spelled[ACI_REAL_SIZE];
    const char *p = spelled;
    size_t count = 0;
    bool after_point = false;

    (void)aci_json_real_print(value, spelled);
    *point = 0;
    for (; *p != '\0' && *p != 'e'; p++) {
        if (*p == '.') {
            after_point = true;
        } else if (count > 0 || *p != '0') {
            digits[count++] = *p;
            *point += !after_point;
        } else {
            *point -= after_point; /* a zero between the point and the digits */
        }
    }
    if (*p == 'e')
        *point += (int)strtol(p + 1, NULL, 10);
    while (count > 0 && digits[count - 1] == '0')
        count--;
    return count;
}

static bool add_zeros(aci_buf *out, int count)
{
    bool ok = true;

    while (ok && count-- > 0)
        ok = aci_buf_add(out, "0", 1);
    return ok;
}

static bool add_plain(aci_buf *out, const char *digits, size_t count, int point)
{
    size_t integer = point <= 0 ? 0 : (size_t)point < count ? (size_t)point : count;

    return (integer > 0 ? aci_buf_add(out, digits, integer) : aci_buf_add(out, "0", 1)) &&
           add_zeros(out, point - (int)count) && aci_buf_add(out, ".", 1) && add_zeros(out, -point) &&
           (integer < count ? aci_buf_add(out, digits + integer, count - integer) : aci_buf_add(out, "0", 1));
}

static bool add_exponent(agentchat_template_dialect dialect, aci_buf *out, const char *digits, size_t count, int point)
{
    return aci_buf_add(out, digits, 1) &&
           (count == 1 || (aci_buf_add(out, ".", 1) && aci_buf_add(out, digits + 1, count - 1))) &&
           aci_buf_printf(out, dialect == AGENTCHAT_TEMPLATE_ADK_PYTHON ? "e%+03d" : "e%+d", point - 1);
}

static bool add_double(agentchat_template_dialect dialect, double value, aci_buf *out)
{
    int lowest = dialect == AGENTCHAT_TEMPLATE_ADK_PYTHON ? -3 : -4, point;
    char digits[ACI_REAL_SIZE];
    size_t count;

    if (signbit(value) && !aci_buf_add(out, "-", 1))
        return false;
    count = shortest_digits(fabs(value), digits, &point);
    if (count == 0)
        return aci_buf_add(out, "0.0", 3);
    if (point < lowest || point > MOST_INTEGER_DIGITS)
        return add_exponent(dialect, out, digits, count, point);
    return add_plain(out, digits, count, point);
}

bool aci_template_number(agentchat_template_dialect dialect, agentchat_str number, aci_buf *out)
{
    bool python = dialect == AGENTCHAT_TEMPLATE_ADK_PYTHON;
    double value;

    if (is_integer(number) && (python || fits_rust(number))) {
        if (number.len == 2 && memcmp(number.ptr, "-0", 2) == 0)
            return aci_buf_add(out, "0", 1);
        return aci_buf_add_str(out, number);
    }
    if (!aci_json_nearest(number, out->env, &value))
        return false;
    if (isfinite(value))
        return add_double(dialect, value, out);
    /* Python reads it as infinite; Rust does not read it at all, so that it stays as it is. */
    return python ? aci_buf_add_str(out, value < 0 ? AGENTCHAT_STR("-inf") : AGENTCHAT_STR("inf"))
                  : aci_buf_add_str(out, number);
}
