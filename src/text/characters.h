/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Characters as text search sees them: folded, and what each of them is to a word.
 *
 * Folding is Unicode's compatibility decomposition with full case folding, after which accents are dropped and what is
 * not seen is ignored: É, é, e with a combining acute, and ｅ́ in full width are all e.
 */
#ifndef ACI_TEXT_CHARACTERS_H
#define ACI_TEXT_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

typedef enum aci_character_kind {
    ACI_CHARACTER_SEPARATOR, /* whitespace, punctuation, symbols, controls */
    ACI_CHARACTER_WORD,      /* a letter or a digit */
    ACI_CHARACTER_UNSPACED,  /* a letter of a script that does not put spaces between words */
    ACI_CHARACTER_ALONE,     /* an emoji, a word by itself */
    ACI_CHARACTER_MARK,      /* a vowel sign and the like: part of the letter before it */
    ACI_CHARACTER_IGNORED    /* an accent, a soft hyphen, a joiner */
} aci_character_kind;

enum { ACI_MOST_FOLDED = 32 };

/* Folds a code point into as many as it becomes, at most ACI_MOST_FOLDED. */
size_t aci_character_fold(uint32_t code_point, uint32_t out[ACI_MOST_FOLDED]);
/* What a folded one is. */
aci_character_kind aci_character_kind_of(uint32_t folded);
/* The canonical combining class of a mark. */
unsigned aci_character_combining_class(uint32_t mark);

#endif
