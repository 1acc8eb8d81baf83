/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A streaming writer of HTML through a fixed window. The first failure sticks; later calls do nothing.
 *
 * Markup comes from the library's own literals alone. Everything that a chat says goes through aci_html_text() or
 * aci_html_value(), so that no text of it can become markup.
 */
#ifndef ACI_VIEW_HTML_H
#define ACI_VIEW_HTML_H

#include "base/env.h"
#include <agentchat/stream.h>

typedef struct aci_html {
    agentchat_sink *sink;
    char *window;
    size_t used;
    bool is_text; /* what is written is plain text: nothing is escaped or marked */
    agentchat_status status;
    agentchat_error *err;
    const agentchat_env *env;
} aci_html;

agentchat_status aci_html_begin(aci_html *h, const agentchat_env *env, agentchat_sink *sink, agentchat_error *err);
/* Hands the rest of the window to the sink (no commit) and releases the window. */
agentchat_status aci_html_end(aci_html *h);
/* Makes the writer fail, if it has not yet. */
void aci_html_fail(aci_html *h, agentchat_status status, const char *message);

/* Bytes as they are: markup of ours, base64. */
void aci_html_raw(aci_html *h, const char *bytes, size_t len);
#define ACI_HTML(h, literal) aci_html_raw((h), "" literal, sizeof(literal) - 1)
void aci_html_u64(aci_html *h, uint64_t number);
/* Text between tags, so that textContent gives it back. A character that would not be seen, or would change how others
   are (base/invisible.h; but tab and line ends), stands in an element <bdi class="u" data-c="202E"> that shows its
   number and ends what it does. What HTML cannot hold, NUL and surrogates, is shown by that number alone. */
void aci_html_text(aci_html *h, agentchat_str wtf8);
/* Text inside a quoted attribute; what aci_html_text() marks becomes U+FFFD. */
void aci_html_value(aci_html *h, agentchat_str wtf8);

#endif
