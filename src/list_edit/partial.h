/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting the message at the border of a trimmed list. */
#ifndef ACI_LIST_EDIT_PARTIAL_H
#define ACI_LIST_EDIT_PARTIAL_H

#include <agentchat/list_edit.h>

typedef struct aci_partial {
    const agentchat_env *env;
    const agentchat_message **list;
    size_t from, to; /* the messages that stay, with the one that is cut */
    size_t index;    /* of that one: the first or the last of them */
    bool is_last;    /* the end of it stays */
    uint64_t budget;
    agentchat_token_counter_fn counter;
    void *user;
    agentchat_text_splitter_fn split; /* NULL: after each line feed */
    void *split_user;
    bool cuts_results;              /* a result is cut, too, where its message has nothing else */
    const agentchat_message *whole; /* for partial.c */
    agentchat_error *err;
} aci_partial;

/* Makes of a message what fits; NULL: nothing does. */
agentchat_status aci_partial_cut(const aci_partial *given, agentchat_message **out);

#endif
