/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the text of a state would be read as messages or as a chat: apart from what writes messages, which reading a
   chat calls. */
#include "format/semantic_kernel/read_chat.h"
#include "format/semantic_kernel/trial_read.h"

bool aci_sk_reads_as_state(aci_sk_writer *wr, agentchat_str text, aci_sk_state kind)
{
    agentchat_snapshot *chat = NULL;
    aci_sk_list list = {0};
    bool is_state;
    aci_sk_trial *p;

    if (kind == ACI_SK_STATE_OTHER || text.len == 0)
        return false;
    p = aci_sk_trial_begin(wr, text);
    if (p == NULL)
        return true;
    is_state = (kind == ACI_SK_STATE_CHAT ? aci_sk_read_chat(&p->s, &p->r, NULL, NULL, &chat)
                                          : aci_sk_read_messages(&p->s, &p->r, NULL, NULL, &list)) &&
               aci_json_end(&p->r);
    agentchat_snapshot_unref(chat);
    aci_sk_list_clear(&list, wr->env);
    aci_sk_trial_end(wr, p);
    return is_state;
}
