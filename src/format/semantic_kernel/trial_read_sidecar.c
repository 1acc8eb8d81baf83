/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a property agentchat would be read as a sidecar. */
#include "format/semantic_kernel/read_sidecar.h"
#include "format/semantic_kernel/trial_read.h"

#include "json/value.h"

bool aci_sk_reads_as_sidecar(aci_sk_writer *wr, agentchat_str raw, const aci_sk_object *object)
{
    agentchat_str texts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    aci_sk_sidecar sidecar;
    aci_draft draft;
    aci_sk_beside beside = {NULL, object->kind, &draft, object->envelope ? texts : NULL, NULL};
    bool foreign;
    aci_sk_trial *p;

    if (aci_json_kind_of(raw) != ACI_JSON_OBJECT)
        return false;
    p = aci_sk_trial_begin(wr, raw);
    if (p == NULL)
        return true;
    aci_draft_begin(&draft);
    /* What is somebody else's becomes an unknown property, unchanged. */
    foreign = aci_sk_read_sidecar(&p->s, &p->r, raw, NULL, &beside, &sidecar) && draft.extra_count == 1 &&
              draft.extras[0].value.ptr == raw.ptr;
    aci_draft_clear(&draft, wr->env);
    aci_sk_trial_end(wr, p);
    return !foreign;
}
