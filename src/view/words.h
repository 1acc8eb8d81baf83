/* SPDX-License-Identifier: Apache-2.0 */
/* Two texts compared word by word. */
#ifndef ACI_VIEW_WORDS_H
#define ACI_VIEW_WORDS_H

#include "view/html.h"

/* Which words of two texts have a partner in the other. */
typedef struct aci_words {
    const agentchat_env *env;
    agentchat_str text[2];
    size_t *ends[2]; /* of each word, in its text */
    bool *kept[2];   /* whether it is in the other text too */
    size_t count[2], cap[2];
} aci_words;

/* Words are runs of letters and digits, runs of whitespace, and every other character by itself. false: out of
   memory. */
bool aci_words_compare(aci_words *words, const agentchat_env *env, agentchat_str left, agentchat_str right);
void aci_words_clear(aci_words *words);
/* Writes one side; what the other has not stands in <del> (side 0) or <ins> (side 1). */
void aci_words_put(aci_html *h, const aci_words *words, int side);

#endif
