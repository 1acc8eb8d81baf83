/* SPDX-License-Identifier: Apache-2.0 */
/* Two texts word by word: words are aligned like messages are, by digests. */
#include "view/words.h"

#include "base/buf.h"
#include "base/checked.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "snapshot/align.h"
#include <string.h>

static bool is_whitespace(char c)
{
    return c == ' ' || c == '\t';
}

/* Everything beyond ASCII counts as a letter: words of most scripts, and whole sentences of those that put no spaces
   between words. */
static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* Scripts without spaces between words are cut into their characters. */
static size_t word_len(const char *p, const char *end)
{
    size_t len = aci_utf8_char((const unsigned char *)p, (const unsigned char *)end, true);
    bool is_wide = (unsigned char)*p >= 0xE3; /* from U+3000 on */

    if (len == 0)
        return 1;
    if (is_wide || (!is_letter(*p) && !is_whitespace(*p)))
        return len;
    for (bool letters = is_letter(*p); p + len < end; len++)
        if ((letters ? !is_letter(p[len]) : !is_whitespace(p[len])) || (unsigned char)p[len] >= 0xE3)
            break;
    return len;
}

static bool split(aci_words *w, int side)
{
    const char *begin = w->text[side].ptr, *p = begin, *end = begin + w->text[side].len;

    while (p < end) {
        p += word_len(p, end);
        if (!aci_grow(w->env, (void **)&w->ends[side], &w->cap[side], w->count[side], sizeof *w->ends[side]))
            return false;
        w->ends[side][w->count[side]++] = (size_t)(p - begin);
    }
    return true;
}

static agentchat_str word_at(const aci_words *w, int side, size_t index)
{
    size_t begin = index > 0 ? w->ends[side][index - 1] : 0;

    return (agentchat_str){w->text[side].ptr + begin, w->ends[side][index] - begin};
}

/* A short word is its own digest, followed by its length. */
static bool hash_of(agentchat_str word, aci_hash *out)
{
    if (word.len >= sizeof out->bytes)
        return aci_sha256_of(word.ptr, word.len, out->bytes);
    memset(out, 0, sizeof *out);
    memcpy(out->bytes, word.ptr, word.len);
    out->bytes[sizeof out->bytes - 1] = (unsigned char)word.len;
    return true;
}

static bool hash_all(const aci_words *w, int side, aci_hash *out)
{
    for (size_t i = 0; i < w->count[side]; i++)
        if (!hash_of(word_at(w, side, i), &out[i]))
            return false;
    return true;
}

static bool align(aci_words *w)
{
    size_t all = w->count[0] + w->count[1] + 1, hashes_size = 0, match_size = 0;
    aci_hash *hashes = aci_mul(all, sizeof *hashes, &hashes_size) ? aci_alloc(w->env, hashes_size) : NULL;
    size_t *match = aci_mul(all, sizeof *match, &match_size) ? aci_alloc(w->env, match_size) : NULL;
    bool ok = hashes != NULL && match != NULL && hash_all(w, 0, hashes) && hash_all(w, 1, hashes + w->count[0]) &&
              aci_align(w->env, hashes, w->count[0], hashes + w->count[0], w->count[1], match);

    for (size_t i = 0; ok && i < w->count[0]; i++) {
        if (match[i] != ACI_UNMATCHED)
            w->kept[0][i] = w->kept[1][match[i]] = true;
    }
    aci_free(w->env, hashes, hashes_size);
    aci_free(w->env, match, match_size);
    return ok;
}

bool aci_words_compare(aci_words *words, const agentchat_env *env, agentchat_str left, agentchat_str right)
{
    bool ok;

    *words = (aci_words){.env = env, .text = {left, right}};
    ok = split(words, 0) && split(words, 1);
    for (int side = 0; ok && side < 2; side++) {
        words->kept[side] = aci_alloc_zero(env, words->count[side] + 1);
        ok = words->kept[side] != NULL;
    }
    ok = ok && align(words);
    if (!ok)
        aci_words_clear(words);
    return ok;
}

void aci_words_clear(aci_words *words)
{
    for (int side = 0; side < 2; side++) {
        aci_free(words->env, words->kept[side], words->count[side] + 1);
        aci_free(words->env, words->ends[side], words->cap[side] * sizeof *words->ends[side]);
    }
    *words = (aci_words){.env = words->env};
}

void aci_words_put(aci_html *h, const aci_words *words, int side)
{
    size_t i = 0;

    while (h->status >= 0 && i < words->count[side]) {
        bool kept = words->kept[side][i];
        agentchat_str run = word_at(words, side, i);

        for (i++; i < words->count[side] && words->kept[side][i] == kept; i++)
            run.len += word_at(words, side, i).len;
        if (kept) {
            aci_html_text(h, run);
        } else if (side == 0) {
            ACI_HTML(h, "<del>");
            aci_html_text(h, run);
            ACI_HTML(h, "</del>");
        } else {
            ACI_HTML(h, "<ins>");
            aci_html_text(h, run);
            ACI_HTML(h, "</ins>");
        }
    }
}
