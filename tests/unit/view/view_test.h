/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of pages share: chats, writing into memory, and reading text back out of HTML as a browser would. */
#ifndef VIEW_TEST_H
#define VIEW_TEST_H

#include "support/test_support.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include "io/stream.h"
#include "view/html.h"
#include <stdio.h>

/* ---- chats ------------------------------------------------------------------------------------------------------ */

/* Text that must be right. */
static inline agentchat_snapshot *read_text(const char *text)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* What a test writes with a writer of HTML. */
typedef void (*view_put)(aci_html *h, const void *what);

/* Writes into bytes, which keep what they held when it fails. */
static inline agentchat_status view_write(const agentchat_env *env, view_put put, const void *what,
                                          agentchat_bytes *bytes, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_memory(env, bytes, &sink, err), written;
    aci_html h;

    if (status < 0)
        return status;
    status = aci_html_begin(&h, aci_env(env), sink, err);
    if (status >= 0) {
        put(&h, what);
        written = aci_html_end(&h);
        status = written < 0 ? written : aci_sink_commit(sink, err);
    }
    agentchat_sink_free(sink);
    return status;
}

/* The same as a text, to be released with free(). */
static inline char *view_html(view_put put, const void *what, size_t *len)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    char *text;

    test_ok(view_write(NULL, put, what, &bytes, &err), &err);
    text = calloc(1, bytes.len + 1);
    assert_non_null(text);
    if (bytes.len > 0)
        memcpy(text, bytes.ptr, bytes.len);
    if (len != NULL)
        *len = bytes.len;
    agentchat_bytes_clear(&bytes);
    return text;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static inline bool view_begins(const char *p, const char *end, const char *with)
{
    size_t len = strlen(with);

    return (size_t)(end - p) >= len && memcmp(p, with, len) == 0;
}

/* A character reference at p. Fails the test when it is none that the library writes. */
static inline const char *view_reference(const char *p, const char *end, char *out)
{
    static const struct {
        const char *name;
        char c;
    } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#13;", '\r'}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (view_begins(p, end, known[i].name)) {
            *out = known[i].c;
            return p + strlen(known[i].name);
        }
    }
    fail_msg("not a reference of ours: %.12s", p);
    return NULL;
}

/* What a mark stands for that HTML cannot hold: NUL or a surrogate, by its number. Returns its length. */
static inline size_t view_marked(const char *tag, const char *end, char *out)
{
    static const char start[] = "<bdi class=\"u\" data-c=\"";
    unsigned long c;

    if (!view_begins(tag, end, start))
        return 0;
    c = strtoul(tag + sizeof start - 1, NULL, 16);
    if (c == 0) {
        *out = '\0';
        return 1;
    }
    if (c < 0xD800 || c > 0xDFFF)
        return 0;
    out[0] = (char)(0xE0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3F));
    out[2] = (char)(0x80 | (c & 0x3F));
    return 3;
}

/* The text between the tags: what textContent is in a browser, with what marks stand for. out has room for len bytes.
   Returns the length. */
static inline size_t view_text(const char *html, size_t len, char *out)
{
    const char *p = html, *end = html + len;
    size_t used = 0;

    while (p < end) {
        if (*p == '&') {
            p = view_reference(p, end, &out[used++]);
        } else if (*p == '<') {
            const char *close = memchr(p, '>', (size_t)(end - p));

            assert_non_null(close);
            used += view_marked(p, end, out + used);
            if (view_begins(p, end, "<pre") && close + 1 < end && close[1] == '\n')
                close++; /* a line end that begins a <pre> is not part of it */
            p = close + 1;
        } else {
            if (*p == '>' || *p == '\0')
                fail_msg("no text of ours: %.12s", p);
            out[used++] = *p++;
        }
    }
    return used;
}

#endif
