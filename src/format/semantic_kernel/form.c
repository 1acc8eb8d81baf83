/* SPDX-License-Identifier: Apache-2.0 */
/* Form marks of chats. */
#include "format/semantic_kernel/form.h"

#include "format/semantic_kernel/properties.h"

bool aci_sk_form_is(const agentchat_snapshot *snapshot, agentchat_str mark)
{
    agentchat_str name = ACI_TAG(aci_sk_name);
    agentchat_str value = aci_form_mark_value(snapshot->form, name);

    return value.ptr != NULL && agentchat_str_equal(value, aci_form_mark_value(mark, name));
}
