/* SPDX-License-Identifier: Apache-2.0 */
/* Text that comes out of a file: checking it, and showing foreign text in messages. Backend of SQLite. */
#include "store/sqlite/driver.h"

#include <string.h>

/* Bytes of the character of several bytes at p; 0 when it is not valid UTF-8. */
static size_t wide_char(const unsigned char *p, size_t left)
{
    unsigned char lead = p[0];
    unsigned char lowest = 0x80, highest = 0xBF; /* of the second byte */
    size_t size;

    if (lead >= 0xC2 && lead <= 0xDF)
        size = 2;
    else if (lead >= 0xE0 && lead <= 0xEF)
        size = 3;
    else if (lead >= 0xF0 && lead <= 0xF4)
        size = 4;
    else
        return 0;
    if (lead == 0xE0)
        lowest = 0xA0; /* shorter forms exist */
    else if (lead == 0xED)
        highest = 0x9F; /* surrogates */
    else if (lead == 0xF0)
        lowest = 0x90;
    else if (lead == 0xF4)
        highest = 0x8F; /* beyond U+10FFFF */
    if (left < size || p[1] < lowest || p[1] > highest)
        return 0;
    for (size_t i = 2; i < size; i++) {
        if (p[i] < 0x80 || p[i] > 0xBF)
            return 0;
    }
    return size;
}

/* Whether eight bytes are ASCII without NUL: no highest bit is set, and subtracting 1 from each sets none either. */
static bool is_plain(const unsigned char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return ((word | (word - UINT64_C(0x0101010101010101))) & UINT64_C(0x8080808080808080)) == 0;
}

bool aci_sqlite_is_text(const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t at = 0;

    while (at < len) {
        size_t size = 1;

        if (len - at >= sizeof(uint64_t) && is_plain(p + at))
            size = sizeof(uint64_t);
        else if (p[at] == '\0')
            return false;
        else if (p[at] >= 0x80)
            size = wide_char(p + at, len - at);
        if (size == 0)
            return false;
        at += size;
    }
    return true;
}

void aci_sqlite_printable(const char *text, char *buffer, size_t size)
{
    size_t at = 0;

    for (; text[at] != '\0' && at + 1 < size; at++)
        buffer[at] = (text[at] >= ' ' && text[at] <= '~') ? text[at] : '?';
    buffer[at] = '\0';
}
