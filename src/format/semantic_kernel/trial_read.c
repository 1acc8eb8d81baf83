/* SPDX-License-Identifier: Apache-2.0 */
/* What our reader would make of a value (trial_read.h). */
#include "format/semantic_kernel/trial_read.h"
#include "format/semantic_kernel/read_item.h"
#include "format/semantic_kernel/read_message.h"
#include "format/semantic_kernel/read_sidecar.h"

#include "json/value.h"

aci_sk_trial *aci_sk_trial_begin(aci_sk_writer *wr, agentchat_str raw)
{
    aci_sk_trial *p = aci_alloc_zero(wr->env, sizeof *p);
    aci_json_options options = {0};

    if (p != NULL)
        p->in.arena = aci_arena_new(wr->env, 0);
    if (p == NULL || p->in.arena == NULL) {
        aci_free(wr->env, p, sizeof *p);
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
        return NULL;
    }
    p->in.env = wr->env;
    p->in.len = raw.len;
    p->in.limits = wr->env->limits;
    p->s.in = &p->in;
    p->s.env = wr->env;
    p->s.arena = p->in.arena;
    p->s.read_content = aci_sk_read_content;
    options.env = wr->env;
    options.arena = p->in.arena;
    options.max_depth = p->in.limits.max_depth;
    aci_json_begin(&p->r, &options, (char *)(uintptr_t)raw.ptr, raw.len, NULL);
    return p;
}

void aci_sk_trial_end(aci_sk_writer *wr, aci_sk_trial *p)
{
    if (aci_json_close(&p->r) == AGENTCHAT_E_NOMEM)
        aci_sk_fail(wr, AGENTCHAT_E_NOMEM);
    aci_free(wr->env, p->s.items, p->s.item_cap * sizeof *p->s.items);
    aci_arena_unref(p->in.arena);
    aci_free(wr->env, p, sizeof *p);
}

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

bool aci_sk_reads_as_opaque(aci_sk_writer *wr, const agentchat_item *item)
{
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
    agentchat_str given = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TYPE)), type;
    bool has_type = given.ptr != NULL && !agentchat_str_is_null(given), same;
    aci_sk_trial *p;

    if (raw.len == 0 || aci_json_kind_of(raw) == ACI_JSON_NULL)
        return item->is_null != 0;
    if (aci_json_kind_of(raw) != ACI_JSON_OBJECT)
        return !has_type;
    p = aci_sk_trial_begin(wr, raw);
    if (p == NULL)
        return true;
    same = aci_sk_find_type(&p->s, &p->r, raw, &type) &&
           (type.ptr == NULL ? aci_sk_guess_kind(raw) : aci_sk_item_kind_of(type)) == 0 &&
           (has_type ? agentchat_str_equal(given, type) : type.ptr == NULL || agentchat_str_is_null(type));
    aci_sk_trial_end(wr, p);
    return same;
}
