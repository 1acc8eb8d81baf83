/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions: a prompt that is revised from time to time by what was said about conversations. */
#include <agentchat/memory_kinds.h>

#include "base/buf.h"
#include "base/env.h"
#include "base/error.h"
#include "base/ids.h"
#include "memory/memory_internal.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <string.h>

enum { MOST_ATTEMPTS = 3 };

static const agentchat_str text_name = {"text", 4};

/* ==== documents ================================================================================================== */

agentchat_status aci_document_with_messages(const char *name, agentchat_str text, const agentchat_messages *messages,
                                            agentchat_bytes *out, agentchat_error *err)
{
    agentchat_bytes list = AGENTCHAT_BYTES_INIT; /* it takes the environment of the messages */
    const agentchat_str parts[] = {AGENTCHAT_STR("{\""), agentchat_str_from(name), AGENTCHAT_STR("\": ")};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < 3 && status >= 0; i++)
        status = agentchat_bytes_append(out, parts[i], err);
    if (status >= 0)
        status = agentchat_json_quote(out->env, text, out, err);
    if (status >= 0 && messages != NULL)
        status = agentchat_messages_write(messages, &list, err);
    if (status >= 0 && messages != NULL)
        status = agentchat_bytes_append(out, AGENTCHAT_STR(", \"messages\": "), err);
    if (status >= 0 && messages != NULL)
        status = agentchat_bytes_append(out, (agentchat_str){list.ptr, list.len}, err);
    agentchat_bytes_clear(&list);
    return status < 0 ? status : agentchat_bytes_append(out, AGENTCHAT_STR("}"), err);
}

/* The namespace of the feedback, as it is written. E_INVALID. */
static agentchat_status feedback_space(const char *ns, const char *key, aci_arena *arena, const char **out,
                                       agentchat_error *err)
{
    aci_space space;
    agentchat_str name;
    agentchat_status status = aci_document_name(ns, key, &space, &name, err);

    if (status < 0)
        return status;
    if (space.len == 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "instructions have a namespace, and \"/\" is none");
    if (space.len + name.len + 1 > ACI_MOST_SPACE)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the namespace and the key have more than %d bytes together",
                        ACI_MOST_SPACE);
    memcpy(space.bytes + space.len, name.ptr, name.len);
    space.len += name.len;
    space.bytes[space.len++] = '\0';
    *out = aci_space_print(aci_space_bytes(&space), arena);
    return *out != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status agentchat_instructions_get(agentchat_store *store, const char *ns, const char *key,
                                            agentchat_bytes *out, agentchat_error *err)
{
    agentchat_memory_results *page = NULL;
    agentchat_str text;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || out == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "out");
    status = agentchat_memory_get(store, ns, key, false, &page, err);
    if (status < 0)
        return status;
    text = agentchat_json_find(agentchat_memory_results_at(page, 0)->value, text_name);
    if (agentchat_json_kind_of(text) != AGENTCHAT_JSON_STRING)
        status = aci_fail(err, AGENTCHAT_E_NOTFOUND, "the document has no member \"text\", which instructions have");
    else
        status = agentchat_json_decode(store->env, text, out, err);
    agentchat_memory_results_free(page);
    return status;
}

agentchat_status agentchat_instructions_feedback(agentchat_store *store, const char *ns, const char *key,
                                                 const agentchat_messages *messages, agentchat_str text,
                                                 agentchat_error *err)
{
    agentchat_memory_put_options put = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_bytes document = AGENTCHAT_BYTES_INIT;
    char id[ACI_ID_LEN + 1];
    const char *space = NULL;
    aci_arena *arena;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    document.env = store->env;
    put.no_index = true;
    arena = aci_arena_new(store->env, 0);
    status = arena != NULL ? feedback_space(ns, key, arena, &space, err) : aci_fail_nomem(err);
    if (status >= 0)
        status = aci_id_new_ordered(store->env, id, err);
    if (status >= 0)
        status = aci_document_with_messages("feedback", text, messages, &document, err);
    if (status >= 0)
        status = agentchat_memory_put(store, space, id, (agentchat_str){document.ptr, document.len}, &put, err);
    agentchat_bytes_clear(&document);
    aci_arena_unref(arena);
    return status;
}

/* ==== revising =================================================================================================== */

typedef struct revising {
    agentchat_store *store;
    const char *ns, *key, *space; /* space: of the feedback */
    aci_all feedback;
} revising;

/* The document with the new text. */
static agentchat_status make_document(const revising *r, agentchat_str before, agentchat_str text, agentchat_bytes *out,
                                      agentchat_error *err)
{
    agentchat_bytes patch = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    patch.env = r->store->env;
    status = aci_document_with_messages("text", text, NULL, &patch, err);
    if (status >= 0)
        status = agentchat_json_merge_patch(r->store->env, before, (agentchat_str){patch.ptr, patch.len}, out, err);
    agentchat_bytes_clear(&patch);
    return status;
}

/* Puts the document and deletes the feedback that it is made of: in one transaction. */
static agentchat_status write_revision(const revising *r, agentchat_str document, uint64_t expect, agentchat_error *err)
{
    const agentchat_env *env = r->store->env;
    agentchat_memory_put_options put = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    size_t count = r->feedback.count + 1;
    agentchat_memory_op *ops = aci_alloc_zero(env, count * sizeof *ops);
    agentchat_status status;

    if (ops == NULL)
        return aci_fail_nomem(err);
    put.has_expect = put.keep_expiry = put.log = true;
    put.expect = expect;
    for (size_t i = 0; i < count; i++) {
        agentchat_memory_op_init(&ops[i], sizeof *ops);
        ops[i].kind = i < r->feedback.count ? AGENTCHAT_MEMORY_OP_DELETE : AGENTCHAT_MEMORY_OP_PUT;
        ops[i].ns = i < r->feedback.count ? r->space : r->ns;
        ops[i].key = i < r->feedback.count ? r->feedback.items[i]->key : r->key;
    }
    ops[r->feedback.count].json = document;
    ops[r->feedback.count].put = &put;
    status = agentchat_memory_batch(r->store, ops, count, NULL, err);
    aci_free(env, ops, count * sizeof *ops);
    return status;
}

static agentchat_status attempt(revising *r, agentchat_instructions_draft *draft, agentchat_instructions_make_fn make,
                                void *user, agentchat_error *err)
{
    const agentchat_env *env = r->store->env;
    agentchat_memory_results *page = NULL;
    agentchat_bytes current = AGENTCHAT_BYTES_INIT, document = AGENTCHAT_BYTES_INIT;
    agentchat_str before = AGENTCHAT_STR("{}"), text;
    uint64_t expect = 0;
    agentchat_status status = agentchat_memory_get(r->store, r->ns, r->key, false, &page, err);

    current.env = document.env = env;
    if (status >= 0) {
        before = agentchat_memory_results_at(page, 0)->value;
        expect = agentchat_memory_results_at(page, 0)->revision;
    }
    text = agentchat_json_find(before, text_name);
    if (status == AGENTCHAT_E_NOTFOUND)
        status = AGENTCHAT_OK;
    if (status >= 0 && agentchat_json_kind_of(text) == AGENTCHAT_JSON_STRING) {
        status = agentchat_json_decode(env, text, &current, err);
        draft->current = (agentchat_str){current.len > 0 ? current.ptr : "", current.len};
    }
    if (status >= 0)
        status = aci_all_read(&r->feedback, r->store, r->space, true, err);
    draft->feedback = r->feedback.items;
    draft->feedback_count = r->feedback.count;
    if (status >= 0 && r->feedback.count == 0)
        status = AGENTCHAT_DONE;
    agentchat_error_clear(status >= 0 ? err : NULL);
    if (status == AGENTCHAT_OK)
        status = make(user, draft, err);
    if (status >= 0 && r->feedback.count > 0 && !draft->keep) {
        text = (agentchat_str){draft->text.len > 0 ? draft->text.ptr : "", draft->text.len};
        status = make_document(r, before, text, &document, err);
        if (status >= 0)
            status = write_revision(r, (agentchat_str){document.ptr, document.len}, expect, err);
        draft->keep = status != AGENTCHAT_E_CONFLICT; /* it is not tried again */
    } else {
        draft->keep = true;
    }
    aci_all_drop(&r->feedback);
    agentchat_bytes_clear(&current);
    agentchat_bytes_clear(&document);
    agentchat_memory_results_free(page);
    return status;
}

agentchat_status agentchat_instructions_revise(agentchat_store *store, const char *ns, const char *key,
                                               agentchat_instructions_make_fn make, void *user, agentchat_error *err)
{
    revising r = {.store = store, .ns = ns, .key = key};
    bool again = true;
    aci_arena *arena;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || make == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "make");
    arena = aci_arena_new(store->env, 0);
    status = arena != NULL ? feedback_space(ns, key, arena, &r.space, err) : aci_fail_nomem(err);
    for (uint32_t i = 1; i <= MOST_ATTEMPTS && again && (i > 1 || status >= 0); i++) {
        agentchat_instructions_draft draft = {.attempt = i};

        draft.text.env = store->env;
        agentchat_error_clear(err);
        status = attempt(&r, &draft, make, user, err);
        agentchat_bytes_clear(&draft.text);
        again = !draft.keep;
    }
    aci_arena_unref(arena);
    return status;
}
