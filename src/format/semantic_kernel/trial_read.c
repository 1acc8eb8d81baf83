/* SPDX-License-Identifier: Apache-2.0 */
/* A trial reader's begin and end. */
#include "format/semantic_kernel/trial_read.h"
#include "format/semantic_kernel/read_message.h"

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
