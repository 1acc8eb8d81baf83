/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cmark would take to read a text.
 *
 * All that cmark does for a text is in proportion to its bytes, but for three walks along lists of its own:
 *
 *     for each emphasis and link       up through the blocks that it stands in
 *     for each line that says nothing  down through the blocks that go on over it
 *     for each link                    back through the images that have begun and not ended
 *
 * So three numbers are counted, each at least as high as what cmark will see: how deep blocks nest, the marks and empty
 * lines, and per paragraph the beginnings of images and the ends of links.
 */
#include "view/markdown_cost.h"

#include <string.h>

enum {
    DEEPEST = 48, /* blocks inside one another; a page shows no more */
    STEPS = 16    /* of such walks for each byte */
};

typedef struct cost {
    size_t deepest;         /* blocks inside one another, so far */
    size_t empty, marks;    /* lines that say nothing; characters that can end an emphasis or a link */
    uint64_t images, links; /* of this paragraph */
    uint64_t back;          /* steps back through images, so far */
} cost;

static bool is_line_end(const char *p, const char *end)
{
    return p == end || *p == '\n' || *p == '\r';
}

/* Whether a list item's mark ends here: as cmark, with C's whitespace after it. */
static bool is_marker(const char *p, const char *end)
{
    return memchr("-+*.)", *p, 5) != NULL && (p + 1 == end || memchr(" \t\n\v\f\r", p[1], 6) != NULL);
}

/* What stands before a line's own text. A quote or a new item takes a mark, an item that goes on two columns; and only
   what has begun goes on. */
static void count_blocks(cost *c, const char *p, const char *end)
{
    const char *begin = p;
    size_t columns = 0, opened = 0, quotes = 0, spaces = 0, deepest;

    for (; !is_line_end(p, end); p++) {
        if (*p == ' ' || *p == '\t') {
            columns += *p == ' ' ? 1 : 4;
            spaces++;
        } else if (*p == '>') {
            quotes++;
        } else if (is_marker(p, end)) {
            opened++;
        } else if (*p < '0' || *p > '9') {
            break;
        }
    }
    if (is_line_end(p, end) && spaces + quotes == (size_t)(p - begin))
        c->empty++;
    deepest = (columns / 2 < c->deepest ? columns / 2 : c->deepest) + opened + quotes;
    if (opened + quotes > 0 && deepest > c->deepest)
        c->deepest = deepest;
}

static void end_paragraph(cost *c)
{
    c->back += c->images * c->links;
    c->images = c->links = 0;
}

/* The line from p on; returns where the next one begins. */
static const char *count_line(cost *c, const char *p, const char *end)
{
    bool is_empty = true;

    for (; !is_line_end(p, end); p++) {
        is_empty = is_empty && (*p == ' ' || *p == '\t');
        c->marks += *p == '*' || *p == '_' || *p == ']';
        c->links += *p == ']';
        c->images += *p == '!' && p + 1 < end && p[1] == '[';
    }
    if (is_empty)
        end_paragraph(c);
    return p + (p < end) + (p + 1 < end && p[0] == '\r' && p[1] == '\n');
}

bool aci_markdown_cost_is_low(agentchat_str text)
{
    const char *p = text.ptr, *end = p + text.len;
    uint64_t allowed = (uint64_t)text.len * STEPS;
    cost c = {0};

    if (text.len >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) /* cmark skips it */
        p += 3;
    while (p < end) {
        count_blocks(&c, p, end);
        p = count_line(&c, p, end);
    }
    end_paragraph(&c);
    return c.deepest <= DEEPEST && (uint64_t)c.deepest * (c.empty + c.marks) <= allowed && c.back <= allowed;
}
