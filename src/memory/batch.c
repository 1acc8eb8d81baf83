/* SPDX-License-Identifier: Apache-2.0 */
/* Several calls in one transaction. */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include <string.h>

static const aci_memory_part *const parts[] = {
    [AGENTCHAT_MEMORY_OP_GET] = &aci_memory_get_part,
    [AGENTCHAT_MEMORY_OP_SEARCH] = &aci_memory_search_part,
    [AGENTCHAT_MEMORY_OP_NAMESPACES] = &aci_memory_namespaces_part,
    [AGENTCHAT_MEMORY_OP_PUT] = &aci_memory_put_part,
    [AGENTCHAT_MEMORY_OP_DELETE] = &aci_memory_delete_part,
};

typedef struct one {
    agentchat_memory_op op; /* as it was given */
    const aci_memory_part *part;
    void *state;
    bool is_replaced; /* by a later write of the same key */
} one;

typedef struct batch {
    agentchat_store *store;
    one *list;
    size_t count, at; /* at: the one that failed */
    aci_arena *arena; /* of the list and the states */
    aci_embedding texts;
    bool writes;
} batch;

/* ---- what is asked for ------------------------------------------------------------------------------------------ */

static bool has_expect(const one *write)
{
    return write->op.kind == AGENTCHAT_MEMORY_OP_PUT ? write->op.put != NULL && write->op.put->has_expect
                                                     : write->op.removing != NULL && write->op.removing->has_expect;
}

/* Of two writes of a key the last counts. */
static agentchat_status find_replaced(batch *b, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_index index = {.slots = NULL};
    aci_buf name;

    aci_buf_init(&name, b->store->env, SIZE_MAX);
    for (b->at = b->count; b->at-- > 0 && status >= 0;) {
        one *write = &b->list[b->at];
        agentchat_str text;
        size_t later;
        bool ok = true;

        if (!write->part->writes)
            continue;
        name.len = 0;
        if (!aci_buf_add_str(&name, agentchat_str_from(write->op.ns)) || !aci_buf_add(&name, "", 1) ||
            !aci_buf_add_str(&name, agentchat_str_from(write->op.key))) {
            status = aci_fail_nomem(err);
            break;
        }
        later = aci_index_find(&index, aci_buf_str(&name));
        write->is_replaced = later != ACI_INDEX_NONE;
        if (write->is_replaced && (has_expect(write) || has_expect(&b->list[later])))
            status = aci_fail(err, AGENTCHAT_E_INVALID, "a key with an expected revision is written once in a batch");
        text = aci_arena_copy(b->arena, aci_buf_str(&name), &ok);
        if (status >= 0 && (!ok || !aci_index_add(&index, b->store->env, text, b->at)))
            status = aci_fail_nomem(err);
        if (status < 0)
            break;
    }
    aci_index_clear(&index, b->store->env);
    aci_buf_clear(&name);
    return status;
}

static agentchat_status begin_one(batch *b, one *o, const void *given, agentchat_error *err)
{
    agentchat_status status = aci_env_struct_load(&o->op, sizeof o->op, given, "the operation", err);
    size_t kind = status >= 0 ? (size_t)o->op.kind : 0;

    if (status >= 0 && (kind >= sizeof parts / sizeof *parts || parts[kind] == NULL))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "%d is no kind of operation", (int)o->op.kind);
    if (status < 0)
        return status;
    o->state = aci_arena_alloc(b->arena, parts[kind]->size);
    if (o->state == NULL)
        return aci_fail_nomem(err);
    memset(o->state, 0, parts[kind]->size);
    o->part = parts[kind];
    b->writes = b->writes || o->part->writes || (kind == AGENTCHAT_MEMORY_OP_GET && o->op.refresh) ||
                (kind == AGENTCHAT_MEMORY_OP_SEARCH && o->op.query != NULL && o->op.query->refresh);
    return o->part->begin(o->state, b->store, &o->op, &b->texts, err);
}

/* The operations stand one after the other, as large as the caller knows them. */
static agentchat_status begin(batch *b, const agentchat_memory_op *ops, const agentchat_memory_embedder *embedder,
                              agentchat_error *err)
{
    agentchat_memory_embedder loaded;
    agentchat_status status = aci_embedding_begin(&b->texts, b->store->env, err);

    b->texts.embedder = embedder;
    if (status >= 0 && embedder != NULL)
        status = aci_embedder_load(&loaded, embedder, err);
    b->arena = aci_arena_new(b->store->env, 0);
    b->list = b->arena != NULL ? aci_arena_alloc(b->arena, b->count * sizeof *b->list) : NULL;
    if (b->list != NULL)
        memset(b->list, 0, b->count * sizeof *b->list);
    else if (status >= 0)
        status = aci_fail_nomem(err);
    if (status < 0)
        return status;
    for (b->at = 0; b->at < b->count && status >= 0; b->at += status >= 0)
        status = begin_one(b, &b->list[b->at], (const char *)ops + b->at * ops->struct_size, err);
    if (status >= 0)
        status = find_replaced(b, err);
    if (status >= 0 && b->texts.count > 0)
        status = aci_embedding_run(&b->texts, &loaded, err);
    for (size_t i = 0; i < b->count && status >= 0; i++)
        if (b->list[i].part->take != NULL)
            status = b->list[i].part->take(b->list[i].state, &b->texts, err);
    return status;
}

/* ---- doing it --------------------------------------------------------------------------------------------------- */

/* Reads see the state before the batch. */
static agentchat_status run(aci_tx *tx, void *user, agentchat_error *err)
{
    batch *b = user;
    agentchat_status status = AGENTCHAT_OK;

    tx->is_shared = true;
    for (int writes = 0; writes < 2 && status >= 0; writes++) {
        for (b->at = 0; b->at < b->count && status >= 0; b->at += status >= 0) {
            const one *o = &b->list[b->at];

            if (o->part->writes == (writes == 1) && !o->is_replaced)
                status = o->part->run(tx, o->state, err);
        }
    }
    tx->is_shared = false;
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

void agentchat_memory_op_init(agentchat_memory_op *op, size_t size)
{
    aci_env_options_init(op, size);
}

agentchat_status agentchat_memory_batch(agentchat_store *store, agentchat_memory_op *ops, size_t count,
                                        const agentchat_memory_embedder *embedder, agentchat_error *err)
{
    batch b = {.store = store, .count = count};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || (ops == NULL && count > 0))
        return aci_fail_null(err, store == NULL ? "store" : "ops");
    if (count == 0)
        return AGENTCHAT_OK;
    if (ops->struct_size < sizeof *ops)
        return aci_fail(err, AGENTCHAT_E_INVALID, "struct_size of the operations is not set");
    for (size_t i = 0; i < count; i++) {
        agentchat_memory_op *op = (agentchat_memory_op *)((char *)ops + i * ops->struct_size);

        op->results = NULL;
        op->namespaces = NULL;
    }
    b.at = count;
    status = begin(&b, ops, embedder, err);
    if (status >= 0)
        status = aci_transact(store, b.writes, run, &b, err);
    if (status < 0 && b.at < count)
        aci_error_prefix(err, "operation %zu", b.at);
    for (size_t i = 0; b.list != NULL && i < count; i++) {
        agentchat_memory_op *op = (agentchat_memory_op *)((char *)ops + i * ops->struct_size);

        b.list[i].op.results = NULL;
        b.list[i].op.namespaces = NULL;
        if (b.list[i].part != NULL)
            b.list[i].part->end(b.list[i].state, &b.list[i].op, status);
        op->results = b.list[i].op.results;
        op->namespaces = b.list[i].op.namespaces;
    }
    aci_embedding_end(&b.texts);
    aci_arena_unref(b.arena);
    return status;
}
