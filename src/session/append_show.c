/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How an append changes what the handle shows, once it is committed: in steps that can be undone, then in one that
 * cannot fail. Keys with `temp:` are nowhere else, so what they need of memory is had before the commit.
 */
#include "session/append.h"

#include "base/error.h"
#include <string.h>

int64_t aci_append_revision(const aci_append *a, agentchat_scope scope)
{
    return aci_scope_revision_of(scope, a->stage.app_revision, a->stage.user_revision, a->stage.now.row.seq + 1);
}

agentchat_str aci_append_value(const aci_change_work *work)
{
    if (work->change.kind == AGENTCHAT_CHANGE_DELETE)
        return (agentchat_str){NULL, 0};
    return work->change.kind == AGENTCHAT_CHANGE_ADD ? agentchat_str_from(work->digits) : work->change.value;
}

/* Puts a value into a map so that it can be undone. */
static bool show(const agentchat_env *env, agentchat_state *map, agentchat_str key, agentchat_str value,
                 aci_shown *shown)
{
    if (aci_state_find(map, key).ptr == NULL)
        return shown->is_shown = aci_state_put(map, key, value);
    shown->old = (aci_state_value){aci_alloc(env, value.len), value.len};
    if (shown->old.ptr == NULL)
        return false;
    memcpy(shown->old.ptr, value.ptr, value.len);
    return shown->is_shown = aci_state_swap(map, key, &shown->old);
}

/* Undoes it, which needs no memory. */
static void unshow(const agentchat_env *env, agentchat_state *map, agentchat_str key, aci_shown *shown)
{
    if (shown->is_shown && shown->old.ptr != NULL)
        (void)aci_state_swap(map, key, &shown->old);
    else if (shown->is_shown)
        (void)aci_state_remove(map, key);
    aci_free(env, shown->old.ptr, shown->old.len);
    *shown = (aci_shown){false, {NULL, 0}};
}

static bool is_temporary(const aci_change_work *work)
{
    return work->scope == AGENTCHAT_SCOPE_TEMP;
}

/* The changes of `temp:` keys, as far as they need memory. They are shown before the first attempt to write and stay
   shown through all of them: which attempt succeeds may be known from its event alone. */
agentchat_status aci_append_show_temporary(aci_append *a, agentchat_error *err)
{
    const agentchat_session *session = a->session;
    bool ok = true;

    for (size_t i = 0; i < a->count && ok && !a->shows_temporary; i++) {
        aci_change_work *work = &a->changes[i];

        if (is_temporary(work) && work->change.kind != AGENTCHAT_CHANGE_DELETE)
            ok = show(session->env, session->view.state, work->key, aci_append_value(work), &work->value);
    }
    a->shows_temporary = true; /* those that are */
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Undoes what the handle's state shows of the changes: those of `temp:` keys, or the others. */
void aci_append_unshow(aci_append *a, bool temporary)
{
    agentchat_session *session = a->session;

    for (size_t i = a->count; i > 0; i--) {
        aci_change_work *work = &a->changes[i - 1];

        if (is_temporary(work) != temporary)
            continue;
        unshow(session->env, session->view.state, work->key, &work->value);
        unshow(session->env, session->view.revisions, work->key, &work->revision);
    }
}

/* Carries out the other changes, as far as they need memory: in the new state, or in the handle's own one. */
bool aci_append_show(aci_append *a)
{
    bool own = a->stage.state == NULL, ok = true;
    agentchat_state *state = own ? a->session->view.state : a->stage.state;
    agentchat_state *revisions = own ? a->session->view.revisions : a->stage.revisions;
    const agentchat_env *env = a->session->env;

    for (size_t i = 0; i < a->count && ok; i++) {
        aci_change_work *work = &a->changes[i];
        char digits[24];
        size_t len;

        if (is_temporary(work) || work->change.kind == AGENTCHAT_CHANGE_DELETE)
            continue;
        len = aci_load_print_integer(aci_append_revision(a, work->scope), digits);
        ok = show(env, state, work->key, aci_append_value(work), &work->value) &&
             show(env, revisions, work->key, (agentchat_str){digits, len}, &work->revision);
    }
    if (!ok && own)
        aci_append_unshow(a, false);
    return ok;
}

/* Once all is committed: what was replaced is not needed any more, and what is deleted goes, which needs no memory. */
void aci_append_settle(aci_append *a, bool temporary)
{
    agentchat_session *session = a->session;

    for (size_t i = 0; i < a->count; i++) {
        aci_change_work *work = &a->changes[i];

        if (is_temporary(work) != temporary)
            continue;
        work->value.is_shown = work->revision.is_shown = false;
        unshow(session->env, session->view.state, work->key, &work->value);
        unshow(session->env, session->view.revisions, work->key, &work->revision);
        if (work->change.kind == AGENTCHAT_CHANGE_DELETE) {
            (void)aci_state_remove(session->view.state, work->key);
            (void)aci_state_remove(session->view.revisions, work->key);
        }
    }
}
