/* SPDX-License-Identifier: Apache-2.0 */
/* The page's style and script, page.css and page.js, as the build puts them into the library. Layer 5. */
#ifndef ACI_VIEW_ASSETS_H
#define ACI_VIEW_ASSETS_H

#include <stddef.h>

extern const unsigned char aci_page_css[], aci_page_js[];
extern const size_t aci_page_css_size, aci_page_js_size;

#endif
