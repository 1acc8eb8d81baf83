/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of HTML. */
#include "view/html.h"

#include "base/error.h"
#include "base/invisible.h"
#include "base/utf8.h"
#include "io/stream.h"
#include <stdio.h>
#include <string.h>

enum { WINDOW = 65536 };

agentchat_status aci_html_begin(aci_html *h, const agentchat_env *env, agentchat_sink *sink, agentchat_error *err)
{
    *h = (aci_html){.sink = sink, .window = aci_alloc(env, WINDOW), .status = AGENTCHAT_OK, .err = err, .env = env};
    if (h->window == NULL)
        h->status = aci_fail_nomem(err);
    return h->status;
}

static void flush(aci_html *h)
{
    if (h->status >= 0 && h->used > 0)
        h->status = aci_sink_write(h->sink, h->window, h->used, h->err);
    h->used = 0;
}

agentchat_status aci_html_end(aci_html *h)
{
    flush(h);
    aci_free(h->env, h->window, WINDOW);
    h->window = NULL;
    return h->status;
}

void aci_html_fail(aci_html *h, agentchat_status status, const char *message)
{
    if (h->status >= 0)
        h->status = aci_fail(h->err, status, "%s", message);
}

void aci_html_raw(aci_html *h, const char *bytes, size_t len)
{
    if (h->status < 0)
        return;
    if (len > WINDOW - h->used)
        flush(h);
    if (h->status < 0)
        return;
    if (len >= WINDOW) {
        h->status = aci_sink_write(h->sink, bytes, len, h->err);
        return;
    }
    memcpy(h->window + h->used, bytes, len);
    h->used += len;
}

void aci_html_u64(aci_html *h, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;

    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    aci_html_raw(h, digits + at, sizeof digits - at);
}

/* ---- text ----------------------------------------------------------------------------------------------------- */

/* Whether a byte may begin something that does not stand in HTML as it is: markup, a control character, or one of the
   characters beyond ASCII that are marked, whose first bytes are C2, CD, D8, E1 to E3, ED, EF, and F0 to F4. */
static bool is_special(unsigned char c)
{
    static const uint64_t set[4] = {UINT64_C(0xFFFFF9FF) | UINT64_C(1) << '"' | UINT64_C(1) << '&' |
                                        UINT64_C(1) << '<' | UINT64_C(1) << '>',
                                    UINT64_C(1) << 63, 0,
                                    UINT64_C(1) << 0x02 | UINT64_C(1) << 0x0D | UINT64_C(1) << 0x18 |
                                        UINT64_C(7) << 0x21 | UINT64_C(1) << 0x2D | UINT64_C(0xFFFF800000000000)};

    return (set[c >> 6] >> (c & 63) & 1) != 0;
}

/* Length of what stands in HTML as it is, from p on in a text that begins before. */
static size_t plain_prefix(const char *begin, const char *from, const char *to)
{
    const unsigned char *p = (const unsigned char *)from, *end = (const unsigned char *)to;

    while (p < end) {
        uint32_t c = 0;
        size_t n = 1;

        if (is_special(*p)) {
            n = *p >= 0x80 ? aci_utf8_decode(p, end, true, &c) : 0;
            if (n == 0 || (aci_is_invisible(c) && !aci_invisible_is_joined((const unsigned char *)begin, p, end)))
                break;
        }
        p += n;
    }
    return (size_t)(p - (const unsigned char *)from);
}

static void put_markup_character(aci_html *h, char c)
{
    switch (c) {
    case '&':
        ACI_HTML(h, "&amp;");
        break;
    case '<':
        ACI_HTML(h, "&lt;");
        break;
    case '>':
        ACI_HTML(h, "&gt;");
        break;
    default:
        ACI_HTML(h, "&quot;");
        break;
    }
}

static bool is_markup(char c)
{
    return c == '&' || c == '<' || c == '>' || c == '"';
}

static void put_marked(aci_html *h, uint32_t c, const char *bytes, size_t len)
{
    char number[16];
    int digits = snprintf(number, sizeof number, "%04X", (unsigned)c);

    ACI_HTML(h, "<bdi class=\"u\" data-c=\"");
    aci_html_raw(h, number, (size_t)digits);
    ACI_HTML(h, "\">");
    if (c == '\r')
        ACI_HTML(h, "&#13;"); /* as it is, it would be taken for a line end */
    else if (c != 0 && (c < 0xD800 || c > 0xDFFF))
        aci_html_raw(h, bytes, len);
    ACI_HTML(h, "</bdi>");
}

/* Puts the character c at p that does not stand in HTML as it is. len: its bytes, 0 when it is none (no chat holds such
   text). Returns the bytes that are done with. */
typedef size_t special_fn(aci_html *h, uint32_t c, const char *p, size_t len, const char *end);

static void put_escaped(aci_html *h, agentchat_str wtf8, special_fn *put_special)
{
    const char *p = wtf8.ptr, *end = wtf8.len > 0 ? p + wtf8.len : p;

    while (h->status >= 0 && p < end) {
        size_t plain = plain_prefix(wtf8.ptr, p, end), len;
        uint32_t c = 0;

        aci_html_raw(h, p, plain);
        p += plain;
        if (p == end)
            break;
        len = aci_utf8_decode((const unsigned char *)p, (const unsigned char *)end, true, &c);
        p += put_special(h, c, p, len, end);
    }
}

static size_t put_special_text(aci_html *h, uint32_t c, const char *p, size_t len, const char *end)
{
    if (is_markup(*p)) {
        put_markup_character(h, *p);
    } else if (c == '\r' && p + 1 < end && p[1] == '\n') {
        ACI_HTML(h, "&#13;");
    } else if (len > 0) {
        put_marked(h, c, p, len);
    }
    return len > 0 ? len : 1;
}

void aci_html_text(aci_html *h, agentchat_str wtf8)
{
    if (h->is_text)
        aci_html_raw(h, wtf8.ptr, wtf8.len);
    else
        put_escaped(h, wtf8, put_special_text);
}

static size_t put_special_value(aci_html *h, uint32_t c, const char *p, size_t len, const char *end)
{
    (void)c;
    (void)end;
    if (is_markup(*p))
        put_markup_character(h, *p);
    else
        ACI_HTML(h, "\xEF\xBF\xBD");
    return len > 0 ? len : 1;
}

void aci_html_value(aci_html *h, agentchat_str wtf8)
{
    put_escaped(h, wtf8, put_special_value);
}
