/* SPDX-License-Identifier: Apache-2.0 */
/* The words by which a message is found: those of its texts, of names and JSON in calls, and of messages inside of it.
 */
#ifndef ACI_THREAD_MESSAGE_WORDS_H
#define ACI_THREAD_MESSAGE_WORDS_H

#include "base/buf.h"
#include "model/model.h"
#include "text/tokenizer.h"

typedef struct aci_message_words {
    /* Called for each word of a text, however often it comes. false: no more of this message. */
    bool (*take)(void *user, agentchat_str text, const aci_token *token);
    void *user;
    aci_buf decoded;
    bool stopped, failed;
} aci_message_words;

void aci_message_words_begin(aci_message_words *words, const agentchat_env *env,
                             bool (*take)(void *user, agentchat_str text, const aci_token *token), void *user);
void aci_message_words_clear(aci_message_words *words);
/* Goes over those of a message. false: out of memory. */
bool aci_message_words_each(aci_message_words *words, const agentchat_message *message);

#endif
