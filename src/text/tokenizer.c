/* SPDX-License-Identifier: Apache-2.0 */
/* Text as the words by which it is found. */
#include "text/tokenizer.h"

#include "base/utf8.h"
#include <string.h>

/* A character of a script without spaces, with its marks: two of them are a token. */
enum { MOST_CHARACTER = ACI_MOST_TOKEN / 2 };

void aci_tokenizer_begin(aci_tokenizer *tokenizer, agentchat_str text, bool singles)
{
    tokenizer->source = text;
    tokenizer->at = tokenizer->begin = 0;
    tokenizer->singles = singles;
    tokenizer->is_over = false;
    tokenizer->folded_count = tokenizer->folded_at = 0;
    tokenizer->kind = ACI_CHARACTER_SEPARATOR;
    tokenizer->now.len = 0;
    tokenizer->is_cut = tokenizer->has_before = tokenizer->is_first = false;
    tokenizer->ready_count = tokenizer->given = 0;
}

/* ---- tokens ---------------------------------------------------------------------------------------------------- */

static void give(aci_tokenizer *t, const aci_token_text *token)
{
    aci_token_text *out = &t->ready[t->ready_count++];

    memcpy(out->bytes, token->bytes, token->len);
    out->len = token->len;
    out->begin = token->begin;
    out->end = token->end;
}

static void give_both(aci_tokenizer *t)
{
    aci_token_text *out = &t->ready[t->ready_count];

    give(t, &t->before);
    memcpy(out->bytes + out->len, t->now.bytes, t->now.len);
    out->len += t->now.len;
    out->end = t->now.end;
}

/* What is being put together is complete. */
static void finish(aci_tokenizer *t)
{
    if (t->kind == ACI_CHARACTER_UNSPACED) {
        if (t->singles)
            give(t, &t->now);
        if (t->has_before)
            give_both(t);
        t->is_first = !t->has_before;
        t->has_before = true;
        t->before = t->now;
    } else if (t->kind != ACI_CHARACTER_SEPARATOR) {
        give(t, &t->now);
    }
    t->kind = ACI_CHARACTER_SEPARATOR;
}

/* No more characters without spaces between them follow. */
static void end_run(aci_tokenizer *t)
{
    if (t->has_before && t->is_first && !t->singles)
        give(t, &t->before);
    t->has_before = false;
}

/* ---- characters ------------------------------------------------------------------------------------------------ */

/* Where a mark goes: marks after the same letter stand in canonical order, so that texts that mean the same are the
   same. */
static size_t position_of_mark(const aci_token_text *now, uint32_t mark)
{
    unsigned own = aci_character_combining_class(mark), class;
    size_t at = now->len;

    while (own > 0 && at > 0) {
        size_t before = at - 1;
        uint32_t c = 0;

        while (before > 0 && ((unsigned char)now->bytes[before] & 0xC0u) == 0x80)
            before--;
        aci_utf8_decode((const unsigned char *)now->bytes + before, (const unsigned char *)now->bytes + at, false, &c);
        class = aci_character_combining_class(c);
        if (class <= own)
            break;
        at = before;
    }
    return at;
}

static void add(aci_tokenizer *t, uint32_t c, bool is_mark)
{
    size_t most = t->kind == ACI_CHARACTER_UNSPACED ? MOST_CHARACTER : ACI_MOST_TOKEN, at;
    char bytes[4];
    size_t len = aci_utf8_encode(c, bytes);

    t->is_cut = t->is_cut || len > most - t->now.len;
    if (t->is_cut)
        return;
    at = is_mark ? position_of_mark(&t->now, c) : t->now.len;
    memmove(t->now.bytes + at + len, t->now.bytes + at, t->now.len - at);
    memcpy(t->now.bytes + at, bytes, len);
    t->now.len += len;
}

static void start(aci_tokenizer *t, aci_character_kind kind, uint32_t c)
{
    t->kind = kind;
    t->now.len = 0;
    t->now.begin = t->begin;
    t->is_cut = false;
    add(t, c, false);
}

static void take(aci_tokenizer *t, uint32_t c)
{
    aci_character_kind kind = aci_character_kind_of(c);

    switch (kind) {
    case ACI_CHARACTER_IGNORED:
        break;
    case ACI_CHARACTER_MARK:
        if (t->kind == ACI_CHARACTER_WORD || t->kind == ACI_CHARACTER_UNSPACED)
            add(t, c, true);
        break;
    case ACI_CHARACTER_WORD:
        if (t->kind == ACI_CHARACTER_WORD) {
            add(t, c, false);
            break;
        }
        finish(t);
        end_run(t);
        start(t, kind, c);
        break;
    case ACI_CHARACTER_ALONE:
        finish(t);
        end_run(t);
        start(t, kind, c);
        break;
    case ACI_CHARACTER_UNSPACED:
        finish(t);
        start(t, kind, c);
        break;
    case ACI_CHARACTER_SEPARATOR:
        finish(t);
        end_run(t);
        break;
    }
    if (t->kind != ACI_CHARACTER_SEPARATOR)
        t->now.end = t->at;
}

/* ---- the text -------------------------------------------------------------------------------------------------- */

/* Lower case of the letters and digits of ASCII; 0: a separator. */
static unsigned char ascii_of(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned char)(c + ('a' - 'A'));
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : 0;
}

/* Most of most texts. */
static void take_ascii(aci_tokenizer *t)
{
    unsigned char c = ascii_of((unsigned char)t->source.ptr[t->at]);

    t->begin = t->at++;
    if (c == 0) {
        finish(t);
        end_run(t);
        return;
    }
    if (t->kind != ACI_CHARACTER_WORD) {
        finish(t);
        end_run(t);
        start(t, ACI_CHARACTER_WORD, c);
    } else {
        add(t, c, false);
    }
    t->now.end = t->at;
}

static void take_next(aci_tokenizer *t)
{
    const unsigned char *p = (const unsigned char *)t->source.ptr + t->at;
    uint32_t c = 0;
    size_t len;

    if (*p < 0x80) {
        take_ascii(t);
        return;
    }
    len = aci_utf8_decode(p, p + (t->source.len - t->at), false, &c);
    t->begin = t->at;
    t->at += len > 0 ? len : 1;
    if (len == 0) {
        finish(t);
        end_run(t);
        return;
    }
    t->folded_count = aci_character_fold(c, t->folded);
    t->folded_at = 0;
}

bool aci_tokenizer_next(aci_tokenizer *tokenizer, aci_token *out)
{
    aci_tokenizer *t = tokenizer;
    const aci_token_text *token;

    if (t->given == t->ready_count) {
        t->given = t->ready_count = 0;
        while (t->ready_count == 0 && !t->is_over) {
            if (t->folded_at < t->folded_count) {
                take(t, t->folded[t->folded_at++]);
            } else if (t->at < t->source.len) {
                take_next(t);
            } else {
                finish(t);
                end_run(t);
                t->is_over = true;
            }
        }
    }
    if (t->given == t->ready_count)
        return false;
    token = &t->ready[t->given++];
    *out = (aci_token){{token->bytes, token->len}, token->begin, token->end};
    return true;
}
