/* SPDX-License-Identifier: Apache-2.0 */
/* Characters as text search sees them. */
#include "text/characters.h"

#include <stdbool.h>
#include <utf8proc.h>

typedef struct range {
    uint32_t first, last;
} range;

/* Marks without which a word is still the same to who looks for it. The others, as the vowel signs of Indic scripts and
   the voicing marks of kana, are as much a part of it as letters are. */
static const range accents[] = {
    {0x0300, 0x036F}, /* Latin, Greek and all others */
    {0x0483, 0x0489}, /* Cyrillic */
    {0x0591, 0x05C7}, /* Hebrew points */
    {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06ED}, {0x08CA, 0x08FF}, /* Arabic */
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x302A, 0x302F}, {0xFE20, 0xFE2F},
};

/* Letters of scripts that are written without spaces between words. */
static const range unspaced[] = {
    {0x0E00, 0x0EFF},                                     /* Thai, Lao */
    {0x1000, 0x109F},                                     /* Myanmar */
    {0x1780, 0x17FF},                                     /* Khmer */
    {0x2E80, 0x2FDF},                                     /* radicals */
    {0x3005, 0x3007},                                     /* iteration mark, closing mark, zero */
    {0x3021, 0x3029},                                     /* Hangzhou numerals */
    {0x3031, 0x3035}, {0x3038, 0x303C}, {0x3041, 0x312F}, /* kana, bopomofo */
    {0x31A0, 0x31FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0x1AFF0, 0x1B16F}, {0x20000, 0x3FFFD},
};

static bool is_in(uint32_t c, const range *ranges, size_t count)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= ranges[low].first;
}

size_t aci_character_fold(uint32_t code_point, uint32_t out[ACI_MOST_FOLDED])
{
    utf8proc_int32_t folded[ACI_MOST_FOLDED];
    int last_class = UTF8PROC_BOUNDCLASS_START;
    utf8proc_ssize_t count =
        utf8proc_decompose_char((utf8proc_int32_t)code_point, folded, ACI_MOST_FOLDED,
                                UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD, &last_class);

    if (count < 0 || count > ACI_MOST_FOLDED) { /* no code point, or longer than any is in Unicode */
        out[0] = code_point;
        return 1;
    }
    for (utf8proc_ssize_t i = 0; i < count; i++)
        out[i] = (uint32_t)folded[i];
    return (size_t)count;
}

/* Lines where a word may end, and tatweel, which makes it longer to the eye. */
enum { ZERO_WIDTH_SPACE = 0x200B, TATWEEL = 0x0640 };

static aci_character_kind kind_of_mark(uint32_t c)
{
    return is_in(c, accents, sizeof accents / sizeof *accents) ? ACI_CHARACTER_IGNORED : ACI_CHARACTER_MARK;
}

static aci_character_kind kind_of_symbol(const utf8proc_property_t *property)
{
    return property->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC ||
                   property->boundclass == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR
               ? ACI_CHARACTER_ALONE
               : ACI_CHARACTER_SEPARATOR;
}

aci_character_kind aci_character_kind_of(uint32_t folded)
{
    const utf8proc_property_t *property = utf8proc_get_property((utf8proc_int32_t)folded);

    if (folded == ZERO_WIDTH_SPACE)
        return ACI_CHARACTER_SEPARATOR;
    if (property->ignorable || folded == TATWEEL)
        return ACI_CHARACTER_IGNORED;
    switch (property->category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return is_in(folded, unspaced, sizeof unspaced / sizeof *unspaced) ? ACI_CHARACTER_UNSPACED
                                                                           : ACI_CHARACTER_WORD;
    case UTF8PROC_CATEGORY_ND:
        return ACI_CHARACTER_WORD;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return kind_of_mark(folded);
    case UTF8PROC_CATEGORY_SO:
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_PO:
        return kind_of_symbol(property);
    default:
        return ACI_CHARACTER_SEPARATOR;
    }
}

unsigned aci_character_combining_class(uint32_t mark)
{
    return (unsigned)utf8proc_get_property((utf8proc_int32_t)mark)->combining_class;
}
