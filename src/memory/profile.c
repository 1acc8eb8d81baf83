/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: one document that is read, changed by a function of the caller's, checked, and written if nobody was
 * faster. */
#include <agentchat/memory_kinds.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/env.h"
#include "base/error.h"
#include "base/index.h"
#include "memory/memory.h"
#include "json/value.h"
#include <agentchat/json_text.h>

enum { USUAL_ATTEMPTS = 3 };

typedef struct updating {
    agentchat_store *store;
    const char *ns, *key;
    agentchat_profile_options options;
    agentchat_memory_put_options put;
    agentchat_bytes made; /* the new document */
} updating;

static agentchat_str bytes_of(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->len > 0 ? bytes->ptr : "", bytes->len};
}

/* ---- members that get lost ------------------------------------------------------------------------------------ */

/* The names of an object, decoded. false: out of memory. */
static bool index_names(agentchat_str object, aci_index *out, aci_arena *arena, aci_buf *name)
{
    agentchat_json_walk walk;
    bool ok = true;

    (void)agentchat_json_walk_into(&walk, object);
    while (ok && agentchat_json_walk_next(&walk)) {
        name->len = 0;
        ok = aci_json_unquote(walk.key, name);
        ok = ok && aci_index_add(out, aci_arena_env(arena), aci_arena_copy(arena, aci_buf_str(name), &ok), 0) && ok;
    }
    return ok;
}

/* Adds the members of an object that have none of some names: their names, and the members. false: out of memory. */
static bool add_lost(agentchat_str before, const aci_index *made, aci_buf *name, aci_buf *names, aci_buf *members)
{
    agentchat_json_walk walk;

    (void)agentchat_json_walk_into(&walk, before);
    while (agentchat_json_walk_next(&walk)) {
        const char *comma = names->len > 0 ? ", " : "";

        name->len = 0;
        if (!aci_json_unquote(walk.key, name))
            return false;
        if (aci_index_find(made, aci_buf_str(name)) != ACI_INDEX_NONE)
            continue;
        if (!aci_buf_printf(names, "%s%.*s", comma, (int)walk.key.len, walk.key.ptr) ||
            !aci_buf_printf(members, "%s%.*s: ", comma, (int)walk.key.len, walk.key.ptr) ||
            !aci_buf_add_str(members, walk.value))
            return false;
    }
    return true;
}

/* The new document with those members at its end. false: out of memory. */
static bool append_members(updating *u, agentchat_str members, aci_buf *out)
{
    agentchat_json_walk walk;
    agentchat_str made = bytes_of(&u->made);
    bool is_empty = agentchat_json_walk_into(&walk, made) && !agentchat_json_walk_next(&walk);

    return aci_buf_add(out, made.ptr, made.len - 1) &&
           aci_buf_add_str(out, is_empty ? AGENTCHAT_STR("") : AGENTCHAT_STR(", ")) && aci_buf_add_str(out, members) &&
           aci_buf_add_str(out, AGENTCHAT_STR("}"));
}

static agentchat_status look_for_lost(updating *u, agentchat_str before, agentchat_error *err)
{
    const agentchat_env *env = u->store->env;
    aci_buf buffers[4]; /* a name, names, members, the document with them */
    aci_arena *arena = aci_arena_new(env, 0);
    aci_index made = {NULL, 0, 0};
    bool ok;
    agentchat_status status = AGENTCHAT_OK;

    for (int i = 0; i < 4; i++)
        aci_buf_init(&buffers[i], env, SIZE_MAX);
    ok = arena != NULL && index_names(bytes_of(&u->made), &made, arena, &buffers[0]) &&
         add_lost(before, &made, &buffers[0], &buffers[1], &buffers[2]);
    aci_index_clear(&made, env);
    aci_arena_unref(arena);
    if (ok && u->options.lost != NULL && buffers[1].len > 0) {
        ok = aci_buf_printf(&buffers[3], "[%.*s]", (int)buffers[1].len, buffers[1].ptr);
        if (ok)
            status = aci_buf_append_bytes(u->options.lost, env, aci_buf_str(&buffers[3]), err);
        buffers[3].len = 0;
    }
    if (ok && status >= 0 && u->options.keep_members && buffers[2].len > 0) {
        ok = append_members(u, aci_buf_str(&buffers[2]), &buffers[3]);
        u->made.len = 0;
        if (ok)
            status = aci_buf_append_bytes(&u->made, env, aci_buf_str(&buffers[3]), err);
    }
    if (!ok)
        status = aci_fail_nomem(err);
    for (int i = 0; i < 4; i++)
        aci_buf_clear(&buffers[i]);
    return status;
}

/* ---- an attempt ----------------------------------------------------------------------------------------------- */

/* The document that follows from a draft. E_INVALID refuses it. */
static agentchat_status apply(updating *u, const agentchat_profile_draft *draft, agentchat_error *err)
{
    const agentchat_env *env = u->store->env;
    agentchat_str before = draft->current.ptr != NULL ? draft->current : AGENTCHAT_STR("{}");
    agentchat_str text = bytes_of(&draft->text);
    agentchat_status status;

    if (draft->change == AGENTCHAT_PROFILE_PATCH)
        status = agentchat_json_patch(env, before, text, &u->made, err);
    else if (draft->change == AGENTCHAT_PROFILE_MERGE_PATCH)
        status = agentchat_json_merge_patch(env, before, text, &u->made, err);
    else if (draft->change == AGENTCHAT_PROFILE_REPLACE)
        status = agentchat_json_check(env, text, &text, err);
    else
        return aci_fail(err, AGENTCHAT_E_INVALID, "a draft replaces, patches, or keeps the profile");
    if (status >= 0 && draft->change == AGENTCHAT_PROFILE_REPLACE)
        status = aci_buf_append_bytes(&u->made, env, text, err);
    if (status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_NOTFOUND || status == AGENTCHAT_E_CONFLICT)
        return AGENTCHAT_E_INVALID;
    if (status >= 0 && agentchat_json_kind_of(bytes_of(&u->made)) != AGENTCHAT_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a profile is a JSON object");
    if (status >= 0 && draft->change == AGENTCHAT_PROFILE_REPLACE)
        status = look_for_lost(u, before, err);
    if (status >= 0 && u->options.validate != NULL)
        status = u->options.validate(u->options.user, bytes_of(&u->made), err);
    return status;
}

/* *again: it was refused, or somebody was faster; err says why. */
static agentchat_status attempt(updating *u, agentchat_profile_draft *draft, agentchat_profile_make_fn make, void *user,
                                bool *again, agentchat_error *err)
{
    agentchat_memory_results *page = NULL;
    agentchat_status status = agentchat_memory_get(u->store, u->ns, u->key, false, &page, err);

    if (status < 0 && status != AGENTCHAT_E_NOTFOUND)
        return status;
    draft->current = (agentchat_str){NULL, 0};
    if (status >= 0) {
        draft->current = agentchat_memory_results_at(page, 0)->value;
        u->put.expect = agentchat_memory_results_at(page, 0)->revision;
    } else {
        u->put.expect = 0;
    }
    draft->change = AGENTCHAT_PROFILE_KEEP;
    agentchat_error_clear(err);
    status = make(user, draft, err);
    if (status >= 0 && draft->change != AGENTCHAT_PROFILE_KEEP) {
        status = apply(u, draft, err);
        *again = status == AGENTCHAT_E_INVALID;
        if (status >= 0) {
            status = agentchat_memory_put(u->store, u->ns, u->key, bytes_of(&u->made), &u->put, err);
            *again = status == AGENTCHAT_E_CONFLICT;
        }
    }
    agentchat_memory_results_free(page);
    return status;
}

/* ---- the call ------------------------------------------------------------------------------------------------- */

void agentchat_profile_options_init(agentchat_profile_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status update(updating *u, agentchat_profile_make_fn make, void *user, agentchat_error *err)
{
    uint32_t attempts = u->options.attempts > 0 ? u->options.attempts : USUAL_ATTEMPTS;
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error why, before; /* of this attempt, and of the one before it */
    bool again = true;

    agentchat_error_clear(&before);
    for (uint32_t i = 1; i <= attempts && again; i++) {
        agentchat_profile_draft draft = {.attempt = i, .refusal = i > 1 ? before.message : NULL};

        draft.text.env = u->store->env;
        again = false;
        agentchat_error_clear(&why);
        u->made.len = 0;
        if (u->options.lost != NULL)
            agentchat_bytes_clear(u->options.lost);
        status = attempt(u, &draft, make, user, &again, &why);
        agentchat_bytes_clear(&draft.text);
        before = why;
    }
    if (status < 0 && err != NULL) {
        *err = why;
        err->code = (int32_t)status;
    }
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status agentchat_profile_update(agentchat_store *store, const char *ns, const char *key,
                                          agentchat_profile_make_fn make, void *user,
                                          const agentchat_profile_options *options, agentchat_error *err)
{
    updating u = {.store = store, .ns = ns, .key = key};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (make == NULL)
        return aci_fail_null(err, "make");
    status = aci_env_options_load(&u.options, sizeof u.options, options, err);
    if (status >= 0)
        status = aci_env_options_load(&u.put, sizeof u.put, u.options.put, err);
    if (status < 0)
        return status;
    u.put.has_expect = true;
    u.put.keep_expiry = !u.put.has_ttl;
    status = update(&u, make, user, err);
    agentchat_bytes_clear(&u.made);
    return status;
}
