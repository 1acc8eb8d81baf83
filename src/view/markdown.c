/* SPDX-License-Identifier: Apache-2.0 */
/* Markdown. Only the elements named here are written, without any attribute whose value comes from the text.
 */
#include "view/markdown.h"

#include "base/error.h"
#include "base/utf8.h"
#include "view/cmark_memory.h"
#include "view/markdown_cost.h"
#include <string.h>

enum {
    LONGEST = 1 << 20,
    DEEPEST = 48,            /* elements inside one another; browsers stop to nest at some hundreds */
    MEMORY = 32,             /* bytes that cmark may take for a byte of a text, and */
    LITTLE_MEMORY = 1 << 20, /* for any text */
    MOST_TARGETS = 4         /* times a text's length that targets of its links may come to: references repeat them */
};

/* ---- whether it is needed ------------------------------------------------------------------------------------- */

static bool begins_block(const char *p, const char *end)
{
    if (*p == '#' || *p == '>' || *p == '-' || *p == '+' || *p == '=' || *p == '~' || *p == ' ' || *p == '\t')
        return true;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p < end && (*p == '.' || *p == ')');
}

/* Line ends, and what Markdown may take for more than itself wherever it stands. */
static bool is_looked_at(unsigned char c)
{
    static const uint64_t set[2] = {
        UINT64_C(1) << '\n' | UINT64_C(1) << '\r' | UINT64_C(1) << '*' | UINT64_C(1) << '<' | UINT64_C(1) << '&',
        UINT64_C(1) << ('_' - 64) | UINT64_C(1) << ('`' - 64) | UINT64_C(1) << ('[' - 64) | UINT64_C(1) << ('\\' - 64)};

    return c < 0x80 && (set[c >> 6] >> (c & 63) & 1) != 0;
}

static bool has_marks(agentchat_str text)
{
    const char *p = text.ptr, *end = p + text.len;

    if (p < end && begins_block(p, end))
        return true;
    for (; p < end; p++) {
        if (!is_looked_at((unsigned char)*p))
            continue;
        if (*p != '\n' && *p != '\r')
            return true;
        if (p + 1 < end && begins_block(p + 1, end))
            return true;
    }
    return false;
}

bool aci_markdown_is_needed(agentchat_str text)
{
    return text.len > 0 && text.len <= LONGEST && has_marks(text) && memchr(text.ptr, '\0', text.len) == NULL &&
           !aci_utf8_has_surrogates(text) && aci_markdown_cost_is_low(text);
}

/* ---- elements ------------------------------------------------------------------------------------------------- */

typedef struct element {
    const char *open, *close;
} element;

static element heading(cmark_node *node)
{
    static const element levels[] = {{"<p class=\"h1\">", "</p>"}, {"<p class=\"h2\">", "</p>"},
                                     {"<p class=\"h3\">", "</p>"}, {"<p class=\"h4\">", "</p>"},
                                     {"<p class=\"h5\">", "</p>"}, {"<p class=\"h6\">", "</p>"}};
    int level = cmark_node_get_heading_level(node);

    return levels[level < 1 || level > 6 ? 5 : level - 1];
}

/* What has children; {NULL, NULL} for the others, and for what shows its children alone. */
static element element_of(cmark_node *node)
{
    static const element none = {NULL, NULL}, quote = {"<blockquote>", "</blockquote>"}, item = {"<li>", "</li>"};
    static const element bullets = {"<ul>", "</ul>"}, tight_bullets = {"<ul class=\"tight\">", "</ul>"};
    static const element numbers = {"<ol", "</ol>"}, paragraph = {"<p>", "</p>"}, emphasis = {"<em>", "</em>"};
    static const element strong = {"<strong>", "</strong>"}, link = {"<span class=\"link\">", "</span>"};
    static const element image = {"<span class=\"link image\">", "</span>"};
    cmark_node_type type = cmark_node_get_type(node);

    if (type == CMARK_NODE_BLOCK_QUOTE)
        return quote;
    if (type == CMARK_NODE_LIST && cmark_node_get_list_type(node) == CMARK_ORDERED_LIST)
        return numbers;
    if (type == CMARK_NODE_LIST)
        return cmark_node_get_list_tight(node) ? tight_bullets : bullets;
    if (type == CMARK_NODE_ITEM)
        return item;
    if (type == CMARK_NODE_PARAGRAPH)
        return paragraph;
    if (type == CMARK_NODE_HEADING)
        return heading(node);
    if (type == CMARK_NODE_EMPH)
        return emphasis;
    if (type == CMARK_NODE_STRONG)
        return strong;
    if (type == CMARK_NODE_LINK)
        return link;
    return type == CMARK_NODE_IMAGE ? image : none;
}

static void put_c(aci_html *h, const char *text)
{
    aci_html_text(h, agentchat_str_from(text != NULL ? text : ""));
}

static void put_literal(aci_html *h, const char *open, cmark_node *node, const char *close)
{
    aci_html_raw(h, open, strlen(open));
    put_c(h, cmark_node_get_literal(node));
    aci_html_raw(h, close, strlen(close));
}

static void put_code_block(aci_html *h, cmark_node *node)
{
    const char *language = cmark_node_get_fence_info(node);

    if (language != NULL && *language != '\0') {
        ACI_HTML(h, "<p class=\"language\">");
        put_c(h, language);
        ACI_HTML(h, "</p>");
    }
    put_literal(h, "<pre class=\"code\">\n", node, "</pre>");
}

/* What has no children. */
static void put_leaf(aci_html *h, cmark_node *node)
{
    cmark_node_type type = cmark_node_get_type(node);

    if (type == CMARK_NODE_TEXT)
        put_c(h, cmark_node_get_literal(node));
    else if (type == CMARK_NODE_CODE || type == CMARK_NODE_HTML_INLINE)
        put_literal(h, "<code>", node, "</code>");
    else if (type == CMARK_NODE_CODE_BLOCK)
        put_code_block(h, node);
    else if (type == CMARK_NODE_HTML_BLOCK)
        put_literal(h, "<pre class=\"code\">\n", node, "</pre>");
    else if (type == CMARK_NODE_THEMATIC_BREAK)
        ACI_HTML(h, "<hr>");
    else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
        ACI_HTML(h, "\n"); /* a person who breaks a line means it */
}

/* Whether a link says nothing but its target. */
static bool is_bare(cmark_node *node)
{
    cmark_node *child = cmark_node_first_child(node);
    const char *target = cmark_node_get_url(node), *text;

    if (child == NULL || cmark_node_next(child) != NULL || cmark_node_get_type(child) != CMARK_NODE_TEXT)
        return false;
    text = cmark_node_get_literal(child);
    return target != NULL && text != NULL && strcmp(target, text) == 0;
}

static void put_target(aci_html *h, cmark_node *node)
{
    cmark_node_type type = cmark_node_get_type(node);

    if ((type != CMARK_NODE_LINK && type != CMARK_NODE_IMAGE) || is_bare(node))
        return;
    ACI_HTML(h, " <code class=\"target\">");
    put_c(h, cmark_node_get_url(node));
    ACI_HTML(h, "</code>");
}

static void put_number(aci_html *h, cmark_node *node)
{
    int start = cmark_node_get_list_start(node);

    if (cmark_node_get_list_tight(node))
        ACI_HTML(h, " class=\"tight\"");
    if (start != 1 && start >= 0) {
        ACI_HTML(h, " start=\"");
        aci_html_u64(h, (uint64_t)start);
        ACI_HTML(h, "\"");
    }
    ACI_HTML(h, ">");
}

static void put_enter(aci_html *h, cmark_node *node, size_t depth)
{
    element e = element_of(node);

    if (e.open != NULL && depth < DEEPEST) {
        aci_html_raw(h, e.open, strlen(e.open));
        if (strcmp(e.open, "<ol") == 0)
            put_number(h, node);
    }
}

static void put_exit(aci_html *h, cmark_node *node, size_t depth)
{
    element e = element_of(node);

    put_target(h, node);
    if (e.close != NULL && depth < DEEPEST)
        aci_html_raw(h, e.close, strlen(e.close));
}

/* ---- the walk ------------------------------------------------------------------------------------------------- */

typedef struct writing {
    aci_html *h;
    agentchat_str text;
    bool is_written;
} writing;

static bool has_children(cmark_node_type type)
{
    return type == CMARK_NODE_DOCUMENT || type == CMARK_NODE_BLOCK_QUOTE || type == CMARK_NODE_LIST ||
           type == CMARK_NODE_ITEM || type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING ||
           type == CMARK_NODE_EMPH || type == CMARK_NODE_STRONG || type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE;
}

static void put_nodes(aci_html *h, cmark_iter *iter)
{
    cmark_event_type event;
    size_t depth = 0;

    while (h->status >= 0 && (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);

        if (!has_children(cmark_node_get_type(node)))
            put_leaf(h, node);
        else if (event == CMARK_EVENT_ENTER)
            put_enter(h, node, depth++);
        else
            put_exit(h, node, --depth);
    }
}

/* Bytes of all targets that would be shown. */
static size_t targets(cmark_iter *iter)
{
    size_t bytes = 0;

    while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
        const char *target = cmark_node_get_url(cmark_iter_get_node(iter));

        bytes += target != NULL ? strlen(target) : 0;
    }
    return bytes / 2; /* each was met twice */
}

static void convert(cmark_mem *mem, void *user)
{
    writing *w = user;
    cmark_parser *parser = cmark_parser_new_with_mem(CMARK_OPT_DEFAULT, mem);
    cmark_node *document;
    cmark_iter *iter;

    cmark_parser_feed(parser, w->text.ptr, w->text.len);
    document = cmark_parser_finish(parser);
    iter = cmark_iter_new(document);
    if (targets(iter) > MOST_TARGETS * w->text.len)
        return;
    cmark_iter_reset(iter, document, CMARK_EVENT_ENTER);
    w->is_written = true;
    ACI_HTML(w->h, "<div class=\"md\" dir=\"auto\">");
    put_nodes(w->h, iter);
    ACI_HTML(w->h, "</div>");
}

bool aci_markdown(aci_html *h, agentchat_str text)
{
    writing w = {h, text, false};
    aci_cmark_end end;

    if (h->status < 0)
        return false;
    end = aci_cmark_memory_run(h->env, text.len * MEMORY + LITTLE_MEMORY, convert, &w);
    if (end == ACI_CMARK_NOMEM && h->status >= 0)
        h->status = aci_fail_nomem(h->err);
    return w.is_written;
}
