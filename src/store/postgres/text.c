/* SPDX-License-Identifier: Apache-2.0 */
/* Text from outside, made fit for the one line of an error. */
#include "driver.h"

#include <locale.h>
#include <string.h>

bool aci_postgres_system_text(int number, char *out, size_t room)
{
    locale_t english = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *text = english != (locale_t)0 ? strerror_l(number, english) : NULL;
    bool is_there = text != NULL && strlen(text) < room;

    if (is_there)
        memcpy(out, text, strlen(text) + 1);
    if (english != (locale_t)0)
        freelocale(english);
    return is_there;
}

/* Length of the character at p; 0 when it is none of UTF-8. */
static size_t char_len(const unsigned char *p, size_t left, uint32_t *out)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = p[0] < 0x80 ? 1 : p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : p[0] >= 0xC0 ? 2 : 0;
    uint32_t code = len == 1 ? p[0] : len == 2 ? p[0] & 0x1Fu : len == 3 ? p[0] & 0x0Fu : p[0] & 0x07u;

    if (len == 0 || len > left || p[0] > 0xF4)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0u) != 0x80u)
            return 0;
        code = code << 6 | (p[i] & 0x3Fu);
    }
    *out = code;
    return code >= smallest[len] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF) ? len : 0;
}

/* Characters that change what stands around them: controls, and those that turn the direction of writing. */
static bool is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void aci_postgres_one_line(char *out, size_t room, const char *text, size_t len)
{
    size_t at = 0;

    while (len > 0 && at + 5 < room) {
        uint32_t code = 0;
        size_t taken = char_len((const unsigned char *)text, len, &code);

        if (taken != 0 && (code == ' ' || (code >= '\t' && code <= '\r'))) {
            if (at > 0 && out[at - 1] != ' ')
                out[at++] = ' ';
        } else if (taken == 0 || is_harmful(code)) {
            out[at++] = '?';
        } else {
            memcpy(out + at, text, taken);
            at += taken;
        }
        taken += taken == 0;
        text += taken;
        len -= taken;
    }
    while (at > 0 && out[at - 1] == ' ')
        at--;
    out[at] = '\0';
}
