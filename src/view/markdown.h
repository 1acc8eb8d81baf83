/* SPDX-License-Identifier: Apache-2.0 */
/* Text as Markdown, read by cmark (CommonMark) and shown by elements of our own choice. Layer 5. */
#ifndef ACI_VIEW_MARKDOWN_H
#define ACI_VIEW_MARKDOWN_H

#include "view/html.h"

/* Whether Markdown would show the text otherwise than as it stands, and can read it: it has no NUL and no surrogates,
   is not longer than 1 MiB, and has no more brackets, and no more lists inside one another, than cmark reads in a time
   that grows with the text alone. */
bool aci_markdown_is_needed(agentchat_str text);
/* Writes it. HTML in the text stays text; links and images are shown with their target, which nothing opens. E_NOMEM
   when there is no memory for it. */
void aci_markdown(aci_html *h, agentchat_str text);

#endif
