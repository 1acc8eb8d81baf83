/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/text/number.h"
#include <errno.h>
#include <stdlib.h>

bool cli_number_count(const char *text, uint64_t *out)
{
    char *end = NULL;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return false;
    *out = value;
    return true;
}

bool cli_number_integer(const char *text, int64_t *out)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    char *end = NULL;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (digits[0] < '0' || digits[0] > '9' || *end != '\0' || errno != 0)
        return false;
    *out = value;
    return true;
}

bool cli_number_span_us(const char *text, int64_t *out)
{
    static const struct {
        char letter;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    char *end = NULL;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0 || end[0] == '\0' || end[1] != '\0')
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (units[i].letter != *end)
            continue;
        if (value > INT64_MAX / (units[i].seconds * 1000000))
            return false;
        *out = value * units[i].seconds * 1000000;
        return true;
    }
    return false;
}

bool cli_number_ms(const char *seconds, uint32_t *out)
{
    uint64_t ms = 0;
    const char *at = seconds;

    for (; *at >= '0' && *at <= '9' && ms <= UINT32_MAX; at++)
        ms = ms * 10 + (uint64_t)(*at - '0');
    if (at == seconds)
        return false;
    ms = ms <= UINT32_MAX ? ms * 1000 : ms;
    if (*at == '.') {
        uint64_t unit = 100;

        for (at++; *at >= '0' && *at <= '9'; at++, unit /= 10)
            ms += unit * (uint64_t)(*at - '0');
    }
    if (*at != '\0' || at[-1] == '.' || ms > UINT32_MAX)
        return false;
    *out = ms > 0 ? (uint32_t)ms : 1;
    return true;
}
