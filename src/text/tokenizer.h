/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text as the words by which it is found.
 *
 * A token is a run of letters and digits, folded (characters.h): "Naïve, 3.14 don't" gives naive, 3, 14, don, t. An
 * emoji is a token by itself. Of scripts without spaces between words (Han, kana, bopomofo, Thai, Lao, Khmer, Myanmar)
 * each two neighbouring characters are a token, and one that has no neighbour is one alone: 東京都 gives 東京, 京都.
 * Hangul has spaces, and its words are words. What is no UTF-8, a lone surrogate too, separates.
 *
 * The tokens of a token's text are that token. Memory is the struct, time is linear in the text.
 */
#ifndef ACI_TEXT_TOKENIZER_H
#define ACI_TEXT_TOKENIZER_H

#include "text/characters.h"
#include <agentchat/base.h>

/* Bytes of a token. A longer word is cut, after a whole character, and so is found by any that begins the same. */
enum { ACI_MOST_TOKEN = 128 };

typedef struct aci_token {
    agentchat_str text; /* folded; lives until the next call */
    size_t begin, end;  /* the bytes of the source that it is of */
} aci_token;

typedef struct aci_token_text {
    char bytes[ACI_MOST_TOKEN];
    size_t len;
    size_t begin, end;
} aci_token_text;

typedef struct aci_tokenizer {
    agentchat_str source;
    size_t at;
    bool singles, is_over;
    /* ---- what the character at `begin` becomes ---- */
    uint32_t folded[ACI_MOST_FOLDED];
    size_t folded_count, folded_at;
    size_t begin;
    /* ---- what is being put together ---- */
    aci_character_kind kind; /* SEPARATOR: nothing is */
    aci_token_text now;
    bool is_cut;           /* what follows of it goes nowhere */
    aci_token_text before; /* the character before, in a script without spaces; */
    bool has_before;       /* it is there, */
    bool is_first;         /* and the first of its run */
    /* ---- tokens to be given ---- */
    aci_token_text ready[2];
    size_t ready_count, given;
} aci_tokenizer;

/* Begins with a text, which must live as long. singles: of scripts without spaces each character is a token as well, so
   that who looks for one finds it wherever it stands; for texts that are searched, not for queries. */
void aci_tokenizer_begin(aci_tokenizer *tokenizer, agentchat_str text, bool singles);
/* The next token, in the order in which they end. false: there is none. */
bool aci_tokenizer_next(aci_tokenizer *tokenizer, aci_token *out);

#endif
