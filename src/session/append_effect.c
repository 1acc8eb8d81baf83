/* SPDX-License-Identifier: Apache-2.0 */
/* What is stored beside an event that is appended: what it raised, added up to and replaced. Layer 5. */
#include "session/append.h"

static bool list_effects(const aci_append *a, aci_buf *sums, aci_buf *undo)
{
    for (size_t i = 0; i < a->count; i++) {
        const aci_change_work *work = &a->changes[i];

        if (work->scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        if (work->change.kind == AGENTCHAT_CHANGE_ADD &&
            !aci_sum_add(sums, work->change.key, agentchat_str_from(work->digits)))
            return false;
        if (work->scope == AGENTCHAT_SCOPE_SESSION &&
            !aci_undo_add(undo, undo->len == 1, work->change.key, work->old.revision, work->old.value))
            return false;
    }
    return true;
}

bool aci_append_write_effect(aci_append *a)
{
    agentchat_str entries = {NULL, 0};
    aci_buf sums;
    bool ok;

    a->undo.len = 0;
    aci_buf_init(&sums, a->session->env, SIZE_MAX);
    ok = aci_buf_add(&a->undo, "[", 1) && list_effects(a, &sums, &a->undo) && aci_buf_add(&a->undo, "]", 1);
    if (ok && a->undo.len > 2)
        entries = (agentchat_str){a->undo.ptr + 1, a->undo.len - 2};
    ok = ok &&
         aci_effect_write(&a->effect, a->stage.raises_app ? a->stage.app_revision : 0,
                          a->stage.raises_user ? a->stage.user_revision : 0, aci_buf_str(&sums), entries) &&
         (entries.len == 0 || aci_event_set_undo(a->event, aci_buf_str(&a->undo)));
    aci_buf_clear(&sums);
    return ok;
}
