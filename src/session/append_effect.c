/* SPDX-License-Identifier: Apache-2.0 */
/* An event that is appended as it is stored, and what is stored beside it: what it raised, added up to and replaced.
 */
#include "session/append.h"

#include "base/error.h"
#include "session/stored_event.h"

static bool list_effects(const aci_append *a, aci_buf *sums, aci_buf *undo)
{
    for (size_t i = 0; i < a->count; i++) {
        const aci_change_work *work = &a->changes[i];

        if (work->scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        if (work->change.kind == AGENTCHAT_CHANGE_ADD &&
            !aci_effect_sum_add(sums, work->key, agentchat_str_from(work->digits)))
            return false;
        if (work->scope == AGENTCHAT_SCOPE_SESSION &&
            !aci_effect_undo_add(undo, undo->len == 1, work->key, work->old.revision, work->old.value))
            return false;
    }
    return true;
}

/* Puts together a->effect, and what the event replaced. false: out of memory. */
static bool write_effect(aci_append *a)
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

agentchat_status aci_append_complete(aci_append *a, agentchat_error *err)
{
    bool ok = write_effect(a);

    for (size_t i = 0, stored = 0; i < a->count && ok; i++) {
        if (a->changes[i].scope == AGENTCHAT_SCOPE_TEMP)
            continue;
        if (a->changes[i].change.kind == AGENTCHAT_CHANGE_ADD)
            ok = aci_event_set_sum(a->event, stored, a->changes[i].sum);
        stored++;
    }
    if (!ok)
        return aci_fail_nomem(err);
    aci_event_set_stored(a->event, (uint64_t)a->stage.now.row.seq,
                         a->stage.raises_app ? (uint64_t)a->stage.app_revision : 0,
                         a->stage.raises_user ? (uint64_t)a->stage.user_revision : 0);
    a->text.len = 0;
    return aci_stored_event_text(a->event, &a->text, err);
}
