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

static void copy(aci_token_text *out, const aci_token_text *token)
{
    memcpy(out->bytes, token->bytes, token->len);
    out->len = token->len;
    out->begin = token->begin;
    out->end = token->end;
}

static void give(aci_tokenizer *t, const aci_token_text *token)
{
    copy(&t->ready[t->ready_count++], token);
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
        copy(&t->before, &t->now);
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
    if (at < t->now.len)
        memmove(t->now.bytes + at + len, t->now.bytes + at, t->now.len - at);
    memcpy(t->now.bytes + at, bytes, len);
    t->now.len += len;
}

static void begin_token(aci_tokenizer *t, aci_character_kind kind)
{
    t->kind = kind;
    t->now.len = 0;
    t->now.begin = t->begin;
    t->is_cut = false;
}

static void start(aci_tokenizer *t, aci_character_kind kind, uint32_t c)
{
    begin_token(t, kind);
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
static const char ascii[128] = {
    ['0'] = '0', ['1'] = '1', ['2'] = '2', ['3'] = '3', ['4'] = '4', ['5'] = '5', ['6'] = '6', ['7'] = '7', ['8'] = '8',
    ['9'] = '9', ['A'] = 'a', ['B'] = 'b', ['C'] = 'c', ['D'] = 'd', ['E'] = 'e', ['F'] = 'f', ['G'] = 'g', ['H'] = 'h',
    ['I'] = 'i', ['J'] = 'j', ['K'] = 'k', ['L'] = 'l', ['M'] = 'm', ['N'] = 'n', ['O'] = 'o', ['P'] = 'p', ['Q'] = 'q',
    ['R'] = 'r', ['S'] = 's', ['T'] = 't', ['U'] = 'u', ['V'] = 'v', ['W'] = 'w', ['X'] = 'x', ['Y'] = 'y', ['Z'] = 'z',
    ['a'] = 'a', ['b'] = 'b', ['c'] = 'c', ['d'] = 'd', ['e'] = 'e', ['f'] = 'f', ['g'] = 'g', ['h'] = 'h', ['i'] = 'i',
    ['j'] = 'j', ['k'] = 'k', ['l'] = 'l', ['m'] = 'm', ['n'] = 'n', ['o'] = 'o', ['p'] = 'p', ['q'] = 'q', ['r'] = 'r',
    ['s'] = 's', ['t'] = 't', ['u'] = 'u', ['v'] = 'v', ['w'] = 'w', ['x'] = 'x', ['y'] = 'y', ['z'] = 'z',
};

/* The character at `at`, 0 when it is none of ASCII's letters and digits. */
static char ascii_at(const aci_tokenizer *t)
{
    unsigned char c = (unsigned char)t->source.ptr[t->at];

    return c < 0x80 ? ascii[c] : 0;
}

/* Most of most texts: letters and digits, or what separates them, as many as there are. */
static void take_ascii(aci_tokenizer *t)
{
    aci_token_text *now = &t->now;
    char c = ascii_at(t);

    t->begin = t->at;
    if (t->kind != ACI_CHARACTER_WORD || c == 0) {
        finish(t);
        end_run(t);
        if (c == 0) {
            while (++t->at < t->source.len && (unsigned char)t->source.ptr[t->at] < 0x80 && ascii_at(t) == 0)
                ;
            return;
        }
        begin_token(t, ACI_CHARACTER_WORD);
    }
    while (c != 0) {
        t->is_cut = t->is_cut || now->len == ACI_MOST_TOKEN;
        if (!t->is_cut)
            now->bytes[now->len++] = c;
        t->at++;
        c = (char)(t->at < t->source.len ? ascii_at(t) : 0);
    }
    now->end = t->at;
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
