/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning and the end of a page. Its security policy names its own style and script by their digests and allows
   nothing else: not what a text might smuggle in, and no address. */
#include "view/page.h"

#include "base/b64.h"
#include "base/sha256.h"
#include "view/assets.h"

static void put_digest(aci_html *h, const unsigned char *bytes, size_t size)
{
    unsigned char digest[32];
    char text[48];

    if (!aci_sha256_of(bytes, size, digest)) {
        aci_html_fail(h, AGENTCHAT_E_NOMEM, "out of memory");
        return;
    }
    aci_b64_encode(digest, sizeof digest, text);
    ACI_HTML(h, "'sha256-");
    aci_html_raw(h, text, aci_b64_encoded_size(sizeof digest));
    ACI_HTML(h, "'");
}

/* The style and the script of a page. */
typedef struct assets {
    const unsigned char *style, *script;
    size_t style_size, script_size;
} assets;

static assets assets_of(aci_page_kind kind)
{
    switch (kind) {
    case ACI_PAGE_OF_COMPARISON:
        return (assets){aci_compare_css, aci_compare_js, aci_compare_css_size, aci_compare_js_size};
    case ACI_PAGE_OF_THREAD:
        return (assets){aci_thread_css, aci_thread_js, aci_thread_css_size, aci_thread_js_size};
    case ACI_PAGE_OF_CHAT:
        break;
    }
    return (assets){aci_page_css, aci_page_js, aci_page_css_size, aci_page_js_size};
}

static void put_policy(aci_html *h, const assets *a)
{
    ACI_HTML(h, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
                "form-action 'none'; img-src data:; media-src data:; style-src ");
    put_digest(h, a->style, a->style_size);
    ACI_HTML(h, "; script-src ");
    put_digest(h, a->script, a->script_size);
    ACI_HTML(h, "\">\n");
}

void aci_page_begin(aci_page *page, agentchat_str title, aci_page_kind kind)
{
    assets a = assets_of(kind);
    aci_html *h = &page->html;

    ACI_HTML(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    put_policy(h, &a);
    ACI_HTML(h, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"referrer\" content=\"no-referrer\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta name=\"generator\" content=\"agentchat\">\n<title>");
    aci_html_value(h, title);
    ACI_HTML(h, "</title>\n<style>");
    aci_html_raw(h, (const char *)a.style, a.style_size);
    ACI_HTML(h, "</style>\n</head>\n<body");
    if (kind == ACI_PAGE_OF_THREAD)
        ACI_HTML(h, " class=\"thread\"");
    ACI_HTML(h, ">\n<script>");
    aci_html_raw(h, (const char *)a.script, a.script_size);
    ACI_HTML(h, "</script>\n<a class=\"skip\" href=\"#conversation\">to the conversation</a>\n");
}

void aci_page_end(aci_page *page)
{
    ACI_HTML(&page->html, "</body>\n</html>\n");
}
