/* SPDX-License-Identifier: Apache-2.0 */
/* Times as text. */
#include "event/time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 9 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- RFC 3339 --------------------------------------------------------------------------------------------------- */

/* Takes `count` digits and, if `separator` is not 0, that character. */
static bool take(const char **p, const char *end, int count, char separator, int *out)
{
    *out = 0;
    if (end - *p < count + (separator != 0))
        return false;
    for (; count > 0; count--, (*p)++) {
        if (!is_digit(**p))
            return false;
        *out = *out * 10 + (**p - '0');
    }
    return separator == 0 || *(*p)++ == separator;
}

static bool take_offset(const char *p, const char *end, aci_time *out)
{
    int hours, minutes, sign;

    if (end - p == 1 && (*p == 'Z' || *p == 'z'))
        return true;
    if (p == end || (*p != '+' && *p != '-'))
        return false;
    sign = *p++ == '+' ? 1 : -1;
    if (!take(&p, end, 2, ':', &hours) || !take(&p, end, 2, 0, &minutes) || p != end || hours > 23 || minutes > 59)
        return false;
    out->seconds -= sign * (hours * 3600 + minutes * 60);
    out->is_utc = hours == 0 && minutes == 0;
    return true;
}

bool aci_time_parse(agentchat_str text, aci_time *out)
{
    const char *p = text.len > 0 ? text.ptr : "", *end = p + text.len;
    int year, month, day, hour, minute, second;

    if (!take(&p, end, 4, '-', &year) || !take(&p, end, 2, '-', &month) || !take(&p, end, 2, 0, &day) || p == end ||
        (*p != 'T' && *p != 't'))
        return false;
    p++;
    if (!take(&p, end, 2, ':', &hour) || !take(&p, end, 2, ':', &minute) || !take(&p, end, 2, 0, &second))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > aci_calendar_month(year, month) || hour > 23 || minute > 59 ||
        second > 60)
        return false;
    out->fraction = (agentchat_str){"", 0};
    if (p < end && *p == '.') {
        out->fraction.ptr = ++p;
        while (p < end && is_digit(*p))
            p++;
        out->fraction.len = (size_t)(p - out->fraction.ptr);
        if (out->fraction.len == 0)
            return false;
    }
    out->is_utc = true;
    out->is_leap = second == 60;
    out->seconds = aci_calendar_days(year, month, day) * ACI_CALENDAR_DAY + hour * 3600 + minute * 60 + second;
    return take_offset(p, end, out);
}

/* The first nine digits after the point as an integer number of nanoseconds. */
static int64_t nanoseconds(agentchat_str fraction)
{
    int64_t value = 0;

    for (size_t i = 0; i < DIGITS; i++)
        value = value * 10 + (i < fraction.len ? fraction.ptr[i] - '0' : 0);
    return value;
}

int64_t aci_time_ns(const aci_time *time)
{
    /* The fraction is added to the end of the range that is nearer to 0, so that the sum never goes beyond it. */
    int64_t seconds = time->seconds < 0 ? time->seconds + 1 : time->seconds, ns;
    int64_t rest = nanoseconds(time->fraction) - (time->seconds < 0 ? INT64_C(1000000000) : 0);

    if (__builtin_mul_overflow(seconds, INT64_C(1000000000), &ns) || __builtin_add_overflow(ns, rest, &ns))
        return time->seconds < 0 ? INT64_MIN : INT64_MAX;
    return ns;
}

/* Prints a time of these years with `count` digits after the point, which are given. */
static size_t print(int64_t seconds, const char *digits, size_t count, char out[ACI_TIME_SIZE])
{
    char *end = out + ACI_CALENDAR_SIZE - 1;

    (void)aci_calendar_print(seconds, out);
    if (count > 0) {
        *end++ = '.';
        memcpy(end, digits, count);
        end += count;
    }
    *end++ = 'Z';
    *end = '\0';
    return (size_t)(end - out);
}

size_t aci_time_print_us(int64_t us, char out[ACI_TIME_SIZE])
{
    int64_t seconds = us / 1000000 - (us % 1000000 < 0);
    char digits[8];

    if (seconds < ACI_CALENDAR_FIRST || seconds > ACI_CALENDAR_LAST) {
        us = seconds < 0 ? 0 : 999999;
        seconds = seconds < 0 ? ACI_CALENDAR_FIRST : ACI_CALENDAR_LAST;
    } else {
        us -= seconds * 1000000;
    }
    (void)snprintf(digits, sizeof digits, "%06d", (int)us);
    return print(seconds, digits, 6, out);
}

/* ---- numbers of seconds ----------------------------------------------------------------------------------------- */

/* A number as its digits, without leading zeros, and how many of them stand before the point: may be below 0, or above
   their count. */
typedef struct decimal {
    agentchat_str integer, fraction; /* as they are spelled, around the point */
    size_t zeros;                    /* leading ones of both together, which do not count */
    size_t count;                    /* digits that count */
    int64_t point;
    bool negative;
} decimal;

static char digit_at(const decimal *d, size_t i)
{
    i += d->zeros;
    return i < d->integer.len ? d->integer.ptr[i] : d->fraction.ptr[i - d->integer.len];
}

static agentchat_str digits_from(const char *p, const char *end)
{
    agentchat_str digits = {p, 0};

    while (p + digits.len < end && is_digit(p[digits.len]))
        digits.len++;
    return digits;
}

/* number is a JSON number. Exponents are held at a bound far beyond any time. */
static void split(agentchat_str number, decimal *d)
{
    const char *p = number.ptr, *end = p + number.len;
    const int64_t bound = INT64_C(1) << 60;
    int64_t exponent = 0;
    bool shrinks = false;

    d->negative = p < end && *p == '-';
    d->integer = digits_from(p + d->negative, end);
    p = d->integer.ptr + d->integer.len;
    d->fraction = digits_from(p < end && *p == '.' ? p + 1 : p, p < end && *p == '.' ? end : p);
    p = d->fraction.ptr + d->fraction.len;
    if (p < end) { /* e or E */
        shrinks = p + 1 < end && p[1] == '-';
        for (p += p + 1 < end && !is_digit(p[1]) ? 2 : 1; p < end; p++)
            exponent = exponent > bound / 16 ? bound : exponent * 10 + (*p - '0');
    }
    d->zeros = 0;
    d->count = d->integer.len + d->fraction.len;
    while (d->count > 0 && digit_at(d, 0) == '0') {
        d->zeros++;
        d->count--;
    }
    d->point = (int64_t)d->integer.len - (int64_t)d->zeros + (shrinks ? -exponent : exponent);
}

/* The digits before the point as a number; -1 when there are more than any time has. */
static int64_t integer_of(const decimal *d)
{
    int64_t value = 0;

    if (d->count == 0 || d->point <= 0)
        return 0;
    if (d->point > 15)
        return -1;
    for (int64_t i = 0; i < d->point; i++)
        value = value * 10 + ((size_t)i < d->count ? digit_at(d, (size_t)i) - '0' : 0);
    return value;
}

/* The digits after the point, at most nine. Returns how many; *cut: whether others were not all zero. */
static size_t fraction_of(const decimal *d, char out[DIGITS], bool *cut)
{
    int64_t wanted = (int64_t)d->count - d->point; /* how many there are */
    size_t len = 0;

    *cut = false;
    if (d->count == 0) { /* all zero: as many as stood there */
        len = d->fraction.len < DIGITS ? d->fraction.len : DIGITS;
        memset(out, '0', len);
        return len;
    }
    for (int64_t i = 0; i < wanted && len < DIGITS; i++) {
        int64_t at = d->point + i;

        out[len++] = at >= 0 ? digit_at(d, (size_t)at) : '0';
    }
    for (int64_t at = d->point > -DIGITS ? d->point + DIGITS : 0; at < (int64_t)d->count && !*cut; at++)
        *cut = at >= 0 && digit_at(d, (size_t)at) != '0';
    return len;
}

static bool any_digit(const char *digits, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (digits[i] != '0')
            return true;
    return false;
}

/* 1 - 0.digits, in as many digits. Not all are zero. */
static void complement(char *digits, size_t len)
{
    while (digits[len - 1] == '0')
        len--;
    digits[len - 1] = (char)('0' + 10 - (digits[len - 1] - '0'));
    for (size_t i = 0; i + 1 < len; i++)
        digits[i] = (char)('0' + 9 - (digits[i] - '0'));
}

size_t aci_time_from_number(agentchat_str number, char out[ACI_TIME_SIZE], unsigned *flags)
{
    const int64_t highest = ACI_TIME_HIGHEST_SECONDS;
    char digits[DIGITS];
    size_t len;
    int64_t seconds;
    decimal d;
    bool cut;

    *flags = 0;
    split(number, &d);
    seconds = integer_of(&d);
    len = fraction_of(&d, digits, &cut);
    if (seconds < 0 || seconds > highest || (seconds == highest && (cut || any_digit(digits, len)))) {
        *flags |= ACI_TIME_MILLISECONDS;
        d.point -= 3;
        seconds = integer_of(&d);
        len = fraction_of(&d, digits, &cut);
    }
    if (seconds < 0)
        return 0;
    if (cut)
        *flags |= ACI_TIME_CUT;
    if (d.negative) {
        seconds = -seconds;
        if (any_digit(digits, len)) {
            seconds--;
            complement(digits, len);
        }
    }
    return seconds >= ACI_CALENDAR_FIRST && seconds <= ACI_CALENDAR_LAST ? print(seconds, digits, len, out) : 0;
}

size_t aci_time_print_seconds(const aci_time *time, char out[ACI_TIME_SIZE], bool *cut)
{
    size_t count = time->fraction.len < DIGITS ? time->fraction.len : DIGITS, len;
    int64_t seconds = time->seconds;
    bool negative = seconds < 0;
    char digits[DIGITS];

    memcpy(digits, time->fraction.ptr, count);
    *cut = any_digit(time->fraction.ptr + count, time->fraction.len - count);
    if (negative && any_digit(digits, count)) {
        seconds++;
        complement(digits, count);
    }
    len = (size_t)snprintf(out, ACI_TIME_SIZE, "%s%" PRId64, negative ? "-" : "", negative ? -seconds : seconds);
    if (count > 0) {
        out[len++] = '.';
        memcpy(out + len, digits, count);
        len += count;
    }
    out[len] = '\0';
    return len;
}
