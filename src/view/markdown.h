/* SPDX-License-Identifier: Apache-2.0 */
/* Text as Markdown, read by cmark (CommonMark) and shown by a fixed set of elements. */
#ifndef ACI_VIEW_MARKDOWN_H
#define ACI_VIEW_MARKDOWN_H

#include "view/html.h"

/* Whether Markdown would show the text otherwise than as it stands, and can read it: it has no NUL and no surrogates,
   is not longer than 1 MiB, nests no deeper than pages show, and costs cmark what it is long (view/markdown_cost.h). */
bool aci_markdown_is_needed(agentchat_str text);
/* Writes it, in a <div class="md">. HTML in the text stays text; links and images are shown with their target, which
   nothing opens. false: nothing is written, because cmark would take more memory than the text is worth, or its
   references repeat more than the text is long; or the writer has failed, with E_NOMEM when there is no memory. */
bool aci_markdown(aci_html *h, agentchat_str text);

#endif
