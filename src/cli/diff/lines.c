/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `PATH   A → B` on one line, shortened around what has changed; with full, the path, and below it `- A` and `+ B`. On
 * a terminal the words that have changed are coloured.
 */
#include "cli/diff/lines.h"
#include "cli/diff/summary.h"
#include "cli/json/print.h"
#include "cli/text/memory.h"
#include "cli/text/put.h"
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PATH_COLUMNS = 44,
    MAX_VALUE_COLUMNS = 60,
    MIN_VALUE_COLUMNS = 16,
    GAP = 3, /* between the columns, and what " → " takes */
    LONGEST_WORD = 24,
};

/* A value as it is shown, and which bytes of it have changed. */
typedef struct shown {
    char *text;
    size_t len;
    size_t start, end;
} shown;

/* ---- what has changed ------------------------------------------------------------------------------------------- */

static bool shown_make(shown *s, const diff_lines *l, agentchat_str path, agentchat_str value)
{
    cli_memory memory;
    bool ok = cli_memory_begin(&memory);

    if (ok && l->full)
        cli_json_indented(memory.out, value);
    else if (ok)
        diff_summary_put(memory.out, path, value);
    ok = cli_memory_end(&memory);
    *s = (shown){.text = memory.text, .len = memory.len, .end = memory.len};
    return ok;
}

static bool is_in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\\';
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The beginning of the word before `at`, unless that is longer than words are; of the character in any case. */
static size_t word_start(const char *text, size_t at)
{
    size_t start;

    while (at > 0 && is_continuation(text[at]))
        at--;
    start = at;
    while (start > 0 && at - start < LONGEST_WORD && is_in_word(text[start - 1]))
        start--;
    return at - start < LONGEST_WORD ? start : at;
}

static size_t word_end(const char *text, size_t len, size_t at)
{
    size_t end;

    while (at < len && is_continuation(text[at]))
        at++;
    end = at;
    while (end < len && end - at < LONGEST_WORD && is_in_word(text[end]))
        end++;
    return end - at < LONGEST_WORD ? end : at;
}

/* What is not the same at both ends, not cutting words. */
static void find_change(shown *a, shown *b)
{
    size_t shorter = a->len < b->len ? a->len : b->len, head = 0, tail = 0;

    while (head < shorter && a->text[head] == b->text[head])
        head++;
    while (tail < shorter - head && a->text[a->len - tail - 1] == b->text[b->len - tail - 1])
        tail++;
    a->start = b->start = word_start(a->text, head);
    a->end = word_end(a->text, a->len, a->len - tail);
    b->end = word_end(b->text, b->len, b->len - tail);
}

/* ---- output ----------------------------------------------------------------------------------------------------- */

static void put_piece(const diff_lines *l, const shown *s, size_t from, size_t to)
{
    if (from < to)
        (void)cli_put(l->out, (agentchat_str){s->text + from, to - from});
}

static size_t within(size_t at, size_t from, size_t to)
{
    return at < from ? from : at > to ? to : at;
}

/* The bytes from `from` to `to`, and the changed ones among them in colour. */
static void put_part(const diff_lines *l, const shown *s, size_t from, size_t to, const char *colour)
{
    size_t start = within(s->start, from, to), end = within(s->end, from, to);

    put_piece(l, s, from, start);
    if (start < end) {
        (void)fputs(colour, l->out);
        put_piece(l, s, start, end);
        (void)fputs(l->style.off, l->out);
    }
    put_piece(l, s, end, to);
}

static size_t one_back(const shown *s, size_t at)
{
    do {
        at--;
    } while (at > 0 && is_continuation(s->text[at]));
    return at;
}

/* Where to begin, so that the change is seen, with a little of what stands before it, or more when there is room. */
static size_t beginning_of(const shown *s, size_t columns)
{
    size_t at = s->start;

    if (cli_put_width((agentchat_str){s->text, s->start}) <= columns / 2)
        return 0;
    for (size_t i = 0; i < columns / 4 && at > 0; i++)
        at = one_back(s, at);
    while (at > 0) {
        size_t before = one_back(s, at);

        if (cli_put_fitting((agentchat_str){s->text + before, s->len - before}, columns - 1) < s->len - before)
            break;
        at = before;
    }
    return at;
}

static void put_short(const diff_lines *l, const shown *s, size_t columns, const char *colour)
{
    size_t from = 0, to = s->len;

    if (cli_put_fitting((agentchat_str){s->text, s->len}, columns) < s->len) {
        from = beginning_of(s, columns);
        columns -= from > 0 ? 1 : 0;
        if (cli_put_fitting((agentchat_str){s->text + from, s->len - from}, columns) < s->len - from)
            to = from + cli_put_fitting((agentchat_str){s->text + from, s->len - from}, columns - 1);
    }
    (void)fputs(from > 0 ? "…" : "", l->out);
    put_part(l, s, from, to, colour);
    (void)fputs(to < s->len ? "…" : "", l->out);
}

static size_t room_for(const diff_lines *l, size_t used, size_t values)
{
    size_t taken = used + (values == 2 ? GAP : 2); /* the arrow, or the sign */

    if (l->columns == 0)
        return MAX_VALUE_COLUMNS;
    return l->columns > taken + values * MIN_VALUE_COLUMNS ? (l->columns - taken) / values : MIN_VALUE_COLUMNS;
}

static void put_on_one_line(const diff_lines *l, size_t used, const shown *left, const shown *right)
{
    size_t gap = (used < l->width ? l->width - used : 0) + GAP;
    const char *colour = left == NULL ? l->style.green : l->style.red;

    cli_put_spaces(l->out, gap);
    if (left != NULL && right != NULL) {
        put_short(l, left, room_for(l, used + gap, 2), l->style.red);
        (void)fputs(" → ", l->out);
        put_short(l, right, room_for(l, used + gap, 2), l->style.green);
    } else {
        (void)fprintf(l->out, "%s%s%s", colour, left == NULL ? "+ " : "- ", l->style.off);
        put_short(l, left == NULL ? right : left, room_for(l, used + gap, 1), colour);
    }
    (void)fputc('\n', l->out);
}

static void put_lines(const diff_lines *l, const shown *s, const char *sign, const char *colour)
{
    for (size_t at = 0; s != NULL && at < s->len;) {
        const char *line_end = memchr(s->text + at, '\n', s->len - at);
        size_t end = line_end != NULL ? (size_t)(line_end - s->text) : s->len;

        (void)fprintf(l->out, "  %s%s%s ", colour, sign, l->style.off);
        put_part(l, s, at, end, colour);
        (void)fputc('\n', l->out);
        at = end + 1;
    }
}

static void put_difference(diff_lines *l, agentchat_str path, agentchat_str left, agentchat_str right)
{
    shown a = {.text = NULL}, b = {.text = NULL};
    bool has_a = left.ptr != NULL, has_b = right.ptr != NULL;
    bool ok = (!has_a || shown_make(&a, l, path, left)) && (!has_b || shown_make(&b, l, path, right));

    if (!ok) {
        l->failed = true;
    } else {
        if (has_a && has_b)
            find_change(&a, &b);
        size_t used = cli_put(l->out, path.len == 0 ? AGENTCHAT_STR("/") : path);
        if (l->full) {
            (void)fputc('\n', l->out);
            put_lines(l, has_a ? &a : NULL, "-", l->style.red);
            put_lines(l, has_b ? &b : NULL, "+", l->style.green);
        } else {
            put_on_one_line(l, used, has_a ? &a : NULL, has_b ? &b : NULL);
        }
    }
    free(a.text);
    free(b.text);
}

/* ---- holding back ----------------------------------------------------------------------------------------------- */

static void flush_held(diff_lines *l)
{
    size_t most = l->columns != 0 && l->columns / 2 < MAX_PATH_COLUMNS ? l->columns / 2 : MAX_PATH_COLUMNS;

    for (size_t i = 0; i < l->count; i++) {
        size_t columns = cli_put_width(l->held[i].path);
        if (columns > l->width && columns <= most)
            l->width = columns;
    }
    for (size_t i = 0; i < l->count; i++) {
        difference *d = &l->held[i];

        put_difference(l, d->path, d->left, d->right);
        free(d->text);
    }
    l->count = 0;
    l->streaming = true;
}

static agentchat_str keep(char **at, agentchat_str text)
{
    agentchat_str kept = {text.ptr == NULL ? NULL : *at, text.len};

    if (text.len > 0)
        memcpy(*at, text.ptr, text.len);
    *at += text.len;
    return kept;
}

void diff_lines_begin(diff_lines *l, const cli_pager *pager, bool full)
{
    l->out = pager->out;
    l->style = pager->style;
    l->columns = pager->columns;
    l->full = full;
    l->failed = l->streaming = false;
    l->width = l->count = 0;
}

bool diff_lines_add(diff_lines *l, agentchat_str path, agentchat_str left, agentchat_str right)
{
    if (!l->streaming && l->count == HOLD_BACK)
        flush_held(l);
    if (l->streaming) {
        put_difference(l, path, left, right);
        return !l->failed;
    }
    char *text = malloc(path.len + left.len + right.len + 1), *at = text;
    if (text == NULL)
        return false;
    agentchat_str kept_path = keep(&at, path), kept_left = keep(&at, left);
    l->held[l->count++] = (difference){text, kept_path, kept_left, keep(&at, right)};
    return true;
}

bool diff_lines_end(diff_lines *l)
{
    flush_held(l);
    return !l->failed;
}
