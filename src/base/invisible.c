/* SPDX-License-Identifier: Apache-2.0 */
/* Looks characters up in ranges. */
#include "base/invisible.h"

#include "base/ranges.h"
#include "base/utf8.h"

static const aci_range invisible[] = {
#include "base/invisible_table.inc"
};

/* Letters of the scripts between Arabic and Vedic Sanskrit, then Indic, Javanese, Cham and Meetei ones further on,
   Arabic presentation forms, the scripts that came from Brahmi, Adlam; and emoji. */
static const aci_range joined[] = {
    {0x0620, 0x1CFF},   {0x203C, 0x203C},   {0x2049, 0x2049},   {0x2122, 0x2122},   {0x2139, 0x2139}, {0x2190, 0x2BFF},
    {0xA840, 0xA8FF},   {0xA930, 0xAAFF},   {0xABC0, 0xABFF},   {0xFB50, 0xFDCF},   {0xFDF0, 0xFDFF}, {0xFE70, 0xFEFC},
    {0x10A00, 0x10A5F}, {0x11000, 0x11FFF}, {0x1E900, 0x1E95F}, {0x1F000, 0x1FAFF},
};

/* Symbols that are shown as text or as emoji. */
static const aci_range selected[] = {
    {0x00A9, 0x00A9}, {0x00AE, 0x00AE}, {0x203C, 0x203C}, {0x2049, 0x2049}, {0x2122, 0x2122}, {0x2139, 0x2139},
    {0x2190, 0x2BFF}, {0x3030, 0x3030}, {0x303D, 0x303D}, {0x3297, 0x3297}, {0x3299, 0x3299}, {0x1F000, 0x1FAFF},
};

bool aci_is_invisible(uint32_t code_point)
{
    if (code_point >= 0x20u && code_point < 0x7Fu)
        return false;
    return code_point > 0x10FFFFu || ACI_IN_RANGES(invisible, code_point);
}

/* The character that ends at p; U+0000, which joins nothing, when there is none. *out: where it begins. */
static uint32_t before(const unsigned char *begin, const unsigned char *p, const unsigned char **out)
{
    const unsigned char *at = p;
    uint32_t c = 0;

    for (int i = 0; i < 4 && at > begin; i++) {
        at--;
        if ((*at & 0xC0u) != 0x80u)
            break;
    }
    *out = at;
    return at < p && aci_utf8_decode(at, p, true, &c) == (size_t)(p - at) ? c : 0;
}

static bool is_selector(uint32_t c)
{
    return c == 0xFE0Eu || c == 0xFE0Fu;
}

/* A selector at p, which ends at `after`. The digits, # and * of keys stand before U+20E3. */
static bool is_selecting(const unsigned char *begin, const unsigned char *p, const unsigned char *after,
                         const unsigned char *end)
{
    const unsigned char *from;
    uint32_t base = before(begin, p, &from), next = 0;

    if ((base >= '0' && base <= '9') || base == '#' || base == '*')
        return aci_utf8_decode(after, end, true, &next) > 0 && next == 0x20E3u;
    return ACI_IN_RANGES(selected, base);
}

bool aci_invisible_is_joined(const unsigned char *begin, const unsigned char *p, const unsigned char *end)
{
    const unsigned char *from;
    uint32_t c = 0, base;
    size_t len = aci_utf8_decode(p, end, true, &c);

    if (is_selector(c))
        return is_selecting(begin, p, p + len, end);
    if (c != 0x200Cu && c != 0x200Du)
        return false;
    base = before(begin, p, &from);
    if (is_selector(base) && is_selecting(begin, from, p, end))
        base = before(begin, from, &from);
    return ACI_IN_RANGES(joined, base) && !aci_is_invisible(base);
}
