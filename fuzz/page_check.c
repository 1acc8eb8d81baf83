/* SPDX-License-Identifier: Apache-2.0 */
/* A page held against what a page may be. It knows nothing of how pages are written. */
#include "page_check.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include "view/assets.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 400, LONGEST_NAME = 24 }; /* browsers stop nesting elements at 512 */

/* What an element may stand in and hold. */
enum {
    BLOCK = 1,   /* not inside what holds PHRASES */
    PHRASES = 2, /* holds no BLOCK */
    VOID = 4,    /* has no end */
    EXACT = 8    /* holds bytes of the library's own */
};

static const struct element {
    const char *name, *attributes; /* with a space before and after each */
    unsigned what;
} elements[] = {
    {"html", " lang ", BLOCK},
    {"head", "", BLOCK},
    {"meta", " charset http-equiv content name ", BLOCK | VOID},
    {"title", "", BLOCK | PHRASES},
    {"style", "", BLOCK | EXACT},
    {"script", "", BLOCK | EXACT},
    {"body", " class ", BLOCK},
    {"header", "", BLOCK},
    {"h1", " dir ", BLOCK | PHRASES},
    {"h2", "", BLOCK | PHRASES},
    {"nav", " id aria-label ", BLOCK},
    {"section", " id aria-label ", BLOCK},
    {"template", " class data-sequence data-chat data-list data-owns ", BLOCK},
    {"main", " id class aria-label ", BLOCK},
    {"article", " class data-a data-k data-own id tabindex ", BLOCK},
    {"dl", " class ", BLOCK},
    {"dt", "", BLOCK | PHRASES},
    {"dd", "", BLOCK | PHRASES},
    {"div", " class dir id data-shown ", BLOCK},
    {"table", " class ", BLOCK},
    {"caption", "", BLOCK | PHRASES},
    {"thead", "", BLOCK},
    {"tbody", "", BLOCK},
    {"tr", " class ", BLOCK},
    {"th", " scope ", BLOCK | PHRASES},
    {"td", "", BLOCK},
    {"ul", " class ", BLOCK},
    {"ol", " class start ", BLOCK},
    {"li", " id ", BLOCK},
    {"p", " class id hidden ", BLOCK | PHRASES},
    {"pre", " class dir ", BLOCK | PHRASES},
    {"blockquote", "", BLOCK},
    {"hr", "", BLOCK | VOID},
    {"details", " class open ", BLOCK},
    {"summary", "", BLOCK | PHRASES},
    {"select", " id class ", 0},
    {"option", " value data-runs selected disabled ", PHRASES},
    {"label", " class ", PHRASES},
    {"input", " type id autocomplete spellcheck ", VOID},
    {"output", " id class for aria-live ", PHRASES},
    {"button", " type class hidden aria-pressed data-view data-runs ", PHRASES},
    {"a", " class href aria-label aria-current data-by ", PHRASES},
    {"span", " class ", PHRASES},
    {"b", " class ", PHRASES},
    {"bdi", " class data-c ", PHRASES},
    {"em", "", PHRASES},
    {"strong", "", PHRASES},
    {"code", " class ", PHRASES},
    {"ins", "", PHRASES},
    {"del", "", PHRASES},
    {"img", " alt loading decoding src ", VOID},
    {"audio", " controls preload aria-label src ", PHRASES},
};

/* What the values of attributes are made of; of those not named here: words. */
static const struct value {
    const char *attribute, *begin, *characters;
} values[] = {
    {"class", "", "abcdefghijklmnopqrstuvwxyz0123456789 -"},
    {"href", "#", "abcdefghijklmnopqrstuvwxyz0123456789-"},
    {"id", "", "abcdefghijklmnopqrstuvwxyz0123456789-"},
    {"src", "data:", NULL},
    {"data-c", "", "0123456789ABCDEF"},
    {"data-a", "", "0123456789"},
    {"data-own", "", "0123456789"},
    {"data-view", "", "0123456789"},
    {"data-shown", "", "0123456789"},
    {"data-sequence", "", "0123456789"},
    {"data-by", "", "-0123456789"},
    {"data-chat", "", "cm-0123456789"},
    {"data-list", "", "bpx0123456789"},
    {"data-owns", "", "ox0123456789"},
    {"data-runs", "", "dhlwnu0123456789"},
    {"start", "", "0123456789"},
    {"value", "", "abcdefghijklmnopqrstuvwxyz0123456789"},
    {"content", "", NULL},
};

enum { EXACTS = 2 };

/* The style and the script of each kind of page, in the order in which they stand. */
static const struct exact {
    const char *element;
    const unsigned char *bytes;
    const size_t *size;
} exacts[][EXACTS] = {
    [PAGE_OF_CHAT] = {{"style", aci_page_css, &aci_page_css_size}, {"script", aci_page_js, &aci_page_js_size}},
    [PAGE_OF_COMPARISON] = {{"style", aci_compare_css, &aci_compare_css_size},
                            {"script", aci_compare_js, &aci_compare_js_size}},
    [PAGE_OF_THREAD] = {{"style", aci_thread_css, &aci_thread_css_size},
                        {"script", aci_thread_js, &aci_thread_js_size}},
};

typedef struct slice {
    const char *text;
    size_t len;
} slice;

typedef struct slices {
    slice *list;
    size_t count, cap;
} slices;

typedef struct checker {
    const char *begin, *p, *end;
    const struct element *open[DEEPEST];
    size_t depth;
    const struct exact *next, *last; /* of those that are still to come, and after them */
    slices ids, links;
    bool is_marked; /* inside a mark, where a character that would not be seen may stand */
    const char *fault;
} checker;

static bool fails(checker *c, const char *fault)
{
    c->fault = fault;
    return false;
}

static bool begins(const checker *c, const char *with)
{
    size_t len = strlen(with);

    return (size_t)(c->end - c->p) >= len && memcmp(c->p, with, len) == 0;
}

static void add(slices *to, const char *text, size_t len)
{
    if (to->count == to->cap) {
        to->cap = to->cap * 2 + 64;
        to->list = realloc(to->list, to->cap * sizeof *to->list);
        if (to->list == NULL)
            abort();
    }
    to->list[to->count++] = (slice){text, len};
}

static int by_text(const void *left, const void *right)
{
    const slice *a = left, *b = right;
    int bytes = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

    return bytes != 0 ? bytes : (a->len > b->len) - (a->len < b->len);
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

static bool read_reference(checker *c)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#13;"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (begins(c, known[i])) {
            c->p += strlen(known[i]);
            return true;
        }
    }
    return fails(c, "a character reference that is none of the library's");
}

static bool is_hidden(const checker *c, uint32_t point)
{
    return point != '\t' && point != '\n' && aci_is_invisible(point) &&
           !aci_invisible_is_joined((const unsigned char *)c->begin, (const unsigned char *)c->p,
                                    (const unsigned char *)c->end);
}

static bool read_character(checker *c)
{
    uint32_t point = 0;
    size_t len = aci_utf8_decode((const unsigned char *)c->p, (const unsigned char *)c->end, false, &point);

    if (*c->p == '&')
        return read_reference(c);
    if (*c->p == '>' || *c->p == '"')
        return fails(c, "a character that is written as a reference");
    if (len == 0)
        return fails(c, "no UTF-8");
    if (point == 0 || point == '\r' || (!c->is_marked && is_hidden(c, point)))
        return fails(c, "a character that would not be seen");
    c->p += len;
    return true;
}

/* ---- elements --------------------------------------------------------------------------------------------------- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static slice read_name(checker *c)
{
    slice name = {c->p, 0};

    while (c->p < c->end && is_name(*c->p))
        c->p++;
    name.len = (size_t)(c->p - name.text);
    return name;
}

static const struct element *element_of(slice name)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strlen(elements[i].name) == name.len && memcmp(elements[i].name, name.text, name.len) == 0)
            return &elements[i];
    return NULL;
}

static bool may_have(const struct element *e, slice attribute)
{
    char word[LONGEST_NAME + 3] = " ";

    if (attribute.len == 0 || attribute.len > LONGEST_NAME)
        return false;
    memcpy(word + 1, attribute.text, attribute.len);
    word[attribute.len + 1] = ' ';
    word[attribute.len + 2] = '\0';
    return strstr(e->attributes, word) != NULL;
}

static bool is_attribute(slice name, const char *of)
{
    return strlen(of) == name.len && memcmp(of, name.text, name.len) == 0;
}

static bool is_made_of(const char *text, size_t len, const char *characters)
{
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\0' || strchr(characters, text[i]) == NULL)
            return false;
    return true;
}

/* data:image/png;base64,AAAA */
static bool is_data(const char *text, size_t len)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=",
                      mark[] = ";base64,";
    size_t type = 5;

    while (type < len && text[type] != ';')
        type++;
    return (memcmp(text, "data:image/", 11) == 0 || memcmp(text, "data:audio/", 11) == 0) &&
           is_made_of(text + 5, type - 5, "abcdefghijklmnopqrstuvwxyz0123456789+/") && len - type >= sizeof mark - 1 &&
           memcmp(text + type, mark, sizeof mark - 1) == 0 &&
           is_made_of(text + type + sizeof mark - 1, len - type - (sizeof mark - 1), letters);
}

static bool check_value(checker *c, slice attribute, const char *text, size_t len)
{
    static const char words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ,=-";

    if (is_attribute(attribute, "id"))
        add(&c->ids, text, len);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct value *v = &values[i];
        size_t begin = strlen(v->begin);

        if (!is_attribute(attribute, v->attribute))
            continue;
        if (len < begin || memcmp(text, v->begin, begin) != 0)
            return fails(c, "an address that is none of the library's");
        if (is_attribute(attribute, "href"))
            add(&c->links, text + 1, len - 1);
        if (is_attribute(attribute, "src"))
            return len > 16 && is_data(text, len) ? true : fails(c, "an address that is no data");
        if (v->characters == NULL) /* the security policy and the like, before anything of the chat */
            return c->depth <= 2 ? true : fails(c, "content outside of the head");
        return is_made_of(text + begin, len - begin, v->characters) ? true
                                                                    : fails(c, "a value that is none of the library's");
    }
    return is_made_of(text, len, words) ? true : fails(c, "a value that is none of the library's");
}

static bool read_attribute(checker *c, const struct element *e)
{
    slice name = read_name(c);
    const char *close;

    if (!may_have(e, name))
        return fails(c, "an attribute that is none of the library's");
    if (c->p == c->end || *c->p != '=')
        return true;
    if (!begins(c, "=\""))
        return fails(c, "a value without quotes");
    c->p += 2;
    close = memchr(c->p, '"', (size_t)(c->end - c->p));
    if (close == NULL || !check_value(c, name, c->p, (size_t)(close - c->p)))
        return c->fault != NULL ? false : fails(c, "a value without an end");
    c->p = close + 1;
    return true;
}

/* What a style or a script holds, up to its end tag. */
static bool read_exact(checker *c, const struct element *e)
{
    const struct exact *expected = c->next;

    if (expected == c->last || strcmp(e->name, expected->element) != 0 || (size_t)(c->end - c->p) < *expected->size ||
        memcmp(c->p, expected->bytes, *expected->size) != 0)
        return fails(c, "a style or script that is none of the library's");
    c->p += *expected->size;
    c->next++;
    return begins(c, "</") ? true : fails(c, "a style or script that goes on");
}

static bool open_element(checker *c)
{
    const struct element *e, *around = c->depth > 0 ? c->open[c->depth - 1] : NULL;
    bool is_mark = begins(c, "<bdi class=\"u\"");

    c->p++;
    e = element_of(read_name(c));
    if (e == NULL)
        return fails(c, "an element that is none of the library's");
    while (c->p < c->end && *c->p == ' ') {
        c->p++;
        if (!read_attribute(c, e))
            return false;
    }
    if (!begins(c, ">"))
        return fails(c, "a tag that does not end");
    c->p++;
    if ((e->what & BLOCK) != 0 && around != NULL && (around->what & PHRASES) != 0)
        return fails(c, "a block inside of what holds phrases");
    if ((e->what & VOID) != 0)
        return true;
    if (c->depth == DEEPEST)
        return fails(c, "elements too deep inside one another");
    c->open[c->depth++] = e;
    c->is_marked = is_mark;
    return (e->what & EXACT) == 0 || read_exact(c, e);
}

static bool close_element(checker *c)
{
    slice name;

    c->p += 2;
    name = read_name(c);
    if (c->depth == 0 || element_of(name) != c->open[c->depth - 1] || !begins(c, ">"))
        return fails(c, "an end of what is not open");
    c->p++;
    c->depth--;
    c->is_marked = false;
    return true;
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static bool check_links(checker *c)
{
    if (c->ids.count > 0)
        qsort(c->ids.list, c->ids.count, sizeof *c->ids.list, by_text);
    for (size_t i = 1; i < c->ids.count; i++) {
        if (by_text(&c->ids.list[i - 1], &c->ids.list[i]) == 0) {
            c->p = c->ids.list[i].text;
            return fails(c, "an id that is there twice");
        }
    }
    for (size_t i = 0; i < c->links.count; i++) {
        if (c->ids.count > 0 &&
            bsearch(&c->links.list[i], c->ids.list, c->ids.count, sizeof *c->ids.list, by_text) != NULL)
            continue;
        c->p = c->links.list[i].text;
        return fails(c, "a link that leads nowhere");
    }
    return true;
}

static bool check_page(checker *c)
{
    static const char type[] = "<!DOCTYPE html>\n";
    bool ok = begins(c, type) || fails(c, "no HTML");

    c->p += ok ? sizeof type - 1 : 0;
    while (ok && c->p < c->end) {
        if (*c->p != '<')
            ok = read_character(c);
        else
            ok = begins(c, "</") ? close_element(c) : open_element(c);
    }
    if (ok && (c->depth > 0 || c->next != c->last))
        ok = fails(c, "the page is not complete");
    return ok && check_links(c);
}

const char *page_fault(const char *html, size_t len, page_kind kind, size_t *at)
{
    checker c = {.begin = html, .p = html, .end = html + len, .next = exacts[kind], .last = exacts[kind] + EXACTS};

    (void)check_page(&c);
    *at = (size_t)(c.p - html);
    free(c.ids.list);
    free(c.links.list);
    return c.fault;
}
