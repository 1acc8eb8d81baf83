/* SPDX-License-Identifier: Apache-2.0 */
/* Styles and scripts of pages, as the build puts them into the library: those of a chat's page, of a
   comparison, and of a thread. */
#ifndef ACI_VIEW_ASSETS_H
#define ACI_VIEW_ASSETS_H

#include <stddef.h>

extern const unsigned char aci_page_css[], aci_page_js[], aci_compare_css[], aci_compare_js[], aci_thread_css[],
    aci_thread_js[];
extern const size_t aci_page_css_size, aci_page_js_size, aci_compare_css_size, aci_compare_js_size, aci_thread_css_size,
    aci_thread_js_size;

#endif
