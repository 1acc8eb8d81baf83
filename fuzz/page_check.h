/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A page held against what a page may be: elements and attributes of the library's own set, closed in the order in
 * which they were opened and nested as HTML asks for; attributes with values of the library's own making; no address
 * but data of images and sounds, and links into the page that lead somewhere; text without a character that would be
 * markup or would not be seen; the library's own style and script, and no other.
 */
#ifndef AGENTCHAT_PAGE_CHECK_H
#define AGENTCHAT_PAGE_CHECK_H

#include <stddef.h>

typedef enum page_kind { PAGE_OF_CHAT, PAGE_OF_COMPARISON, PAGE_OF_THREAD } page_kind;

/* What is wrong with a page, a sentence, and where; NULL: nothing. */
const char *page_fault(const char *html, size_t len, page_kind kind, size_t *at);

#endif
