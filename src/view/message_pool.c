/* SPDX-License-Identifier: Apache-2.0 */
/* A message is known by the digest of its text and of what is shown with it: a page of many chats holds one of them at
   a time. */
#include "view/message_pool.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/sha256.h"
#include <string.h>

enum { DIGEST = 32 };
#define NONE SIZE_MAX

struct aci_pool_entry {
    unsigned char key[DIGEST];
    size_t next;   /* the number of the next one of the same kind, which a chat had twice; NONE: there is none */
    size_t serial; /* of the first of a kind: the list in which `last` was used */
    size_t last;
};

/* The last list of a path. */
struct aci_pool_list {
    char *path;
    size_t path_len;
    size_t *numbers;
    size_t count;
};

/* A list while it is numbered. */
typedef struct numbering {
    aci_message_pool *pool;
    aci_placed *list;
    size_t count;
    const agentchat_calls *calls;
    unsigned char (*digests)[DIGEST]; /* of the messages themselves */
    size_t *position;                 /* of each message of the history, in the list */
    size_t *ordinals;                 /* of each call or result, among those of its message */
    size_t next_call;
} numbering;

/* ---- what a message is known by ------------------------------------------------------------------------------- */

static agentchat_status digest_message(const agentchat_env *env, const agentchat_message *message,
                                       unsigned char digest[DIGEST], agentchat_error *err)
{
    agentchat_bytes text = {NULL, 0, 0, env};
    agentchat_status status = agentchat_message_write(message, &text, err);

    if (status >= 0 && !aci_sha256_of(text.ptr, text.len, digest))
        status = aci_fail_nomem(err);
    agentchat_bytes_clear(&text);
    return status;
}

static bool add_number(aci_buf *key, uint64_t number)
{
    return aci_buf_add(key, &number, sizeof number);
}

/* What is shown of another message with a call or a result: where it is, and what it says. */
static bool add_partner(const numbering *n, aci_buf *key, const agentchat_call *call)
{
    const agentchat_call *partner;

    if (call->partner == AGENTCHAT_NO_PARTNER)
        return add_number(key, 0);
    partner = agentchat_calls_at(n->calls, call->partner);
    return add_number(key, 1) && add_number(key, (uint64_t)partner->message - (uint64_t)call->message) &&
           add_number(key, n->ordinals[call->partner]) &&
           aci_buf_add(key, n->digests[n->position[partner->message]], DIGEST);
}

static bool make_key(numbering *n, size_t at, agentchat_str path, unsigned char key[DIGEST])
{
    const aci_placed *placed = &n->list[at];
    const agentchat_call *call = NULL;
    aci_buf text;
    bool ok;

    aci_buf_init(&text, n->pool->env, SIZE_MAX);
    ok = aci_buf_add(&text, n->digests[at], DIGEST) && add_number(&text, placed->own_of) &&
         add_number(&text, path.len) && aci_buf_add(&text, path.ptr, path.len);
    while (ok && placed->own_of == NONE && (call = agentchat_calls_at(n->calls, n->next_call)) != NULL &&
           call->message == placed->index) {
        ok = add_partner(n, &text, call);
        n->next_call++;
    }
    ok = ok && aci_sha256_of(text.ptr, text.len, key);
    aci_buf_clear(&text);
    return ok;
}

/* ---- numbers -------------------------------------------------------------------------------------------------- */

static aci_pool_entry *add_entry(aci_message_pool *pool, const unsigned char key[DIGEST])
{
    aci_pool_entry *entry;

    if (!aci_grow(pool->env, (void **)&pool->entries, &pool->cap, pool->count, sizeof *pool->entries) ||
        (entry = aci_alloc_zero(pool->env, sizeof *entry)) == NULL)
        return NULL;
    memcpy(entry->key, key, DIGEST);
    entry->next = NONE;
    pool->entries[pool->count++] = entry;
    return entry;
}

/* The first of a kind gets `number`; is used. */
static bool begin_kind(aci_message_pool *pool, aci_placed *placed, const unsigned char key[DIGEST])
{
    aci_pool_entry *first = add_entry(pool, key);

    if (first == NULL ||
        !aci_index_put(&pool->keys, pool->env, (agentchat_str){(const char *)first->key, DIGEST}, pool->count - 1))
        return false;
    first->serial = pool->serial;
    first->last = placed->number = pool->count - 1;
    placed->is_new = true;
    return true;
}

/* The next of a kind that the list has not used yet. */
static bool use_kind(aci_message_pool *pool, aci_placed *placed, size_t number)
{
    aci_pool_entry *first = pool->entries[number];

    if (first->serial != pool->serial) {
        first->serial = pool->serial;
        first->last = placed->number = number;
        return true;
    }
    if (pool->entries[first->last]->next == NONE) {
        if (add_entry(pool, first->key) == NULL)
            return false;
        pool->entries[first->last]->next = pool->count - 1;
        placed->is_new = true;
    }
    first->last = placed->number = pool->entries[first->last]->next;
    return true;
}

static bool number_all(numbering *n, agentchat_str path)
{
    unsigned char key[DIGEST];
    bool ok = true;

    n->pool->serial++;
    for (size_t i = 0; ok && i < n->count; i++) {
        aci_placed *placed = &n->list[i];
        size_t first;

        placed->is_new = false;
        if (!make_key(n, i, path, key))
            return false;
        first = aci_index_find(&n->pool->keys, (agentchat_str){(const char *)key, DIGEST});
        ok = first == ACI_INDEX_NONE ? begin_kind(n->pool, placed, key) : use_kind(n->pool, placed, first);
    }
    return ok;
}

static void *alloc_array(const agentchat_env *env, size_t count, size_t elem, size_t *size)
{
    return aci_mul(count + 1, elem, size) ? aci_alloc(env, *size) : NULL;
}

static agentchat_status fill(numbering *n, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < n->count; i++) {
        status = digest_message(n->pool->env, n->list[i].message, n->digests[i], err);
        if (n->list[i].own_of == NONE)
            n->position[n->list[i].index] = i;
    }
    for (size_t i = 0; i < agentchat_calls_count(n->calls); i++) {
        bool goes_on =
            i > 0 && agentchat_calls_at(n->calls, i)->message == agentchat_calls_at(n->calls, i - 1)->message;

        n->ordinals[i] = goes_on ? n->ordinals[i - 1] + 1 : 0;
    }
    return status;
}

static agentchat_status give_numbers(numbering *n, agentchat_str path, agentchat_error *err)
{
    const agentchat_env *env = n->pool->env;
    size_t digests_size = 0, position_size = 0, ordinals_size = 0;
    agentchat_status status;

    n->digests = alloc_array(env, n->count, DIGEST, &digests_size);
    n->position = alloc_array(env, n->count, sizeof *n->position, &position_size);
    n->ordinals = alloc_array(env, agentchat_calls_count(n->calls), sizeof *n->ordinals, &ordinals_size);
    if (n->digests == NULL || n->position == NULL || n->ordinals == NULL)
        status = aci_fail_nomem(err);
    else if ((status = fill(n, err)) >= 0 && !number_all(n, path))
        status = aci_fail_nomem(err);
    aci_free(env, n->digests, digests_size);
    aci_free(env, n->position, position_size);
    aci_free(env, n->ordinals, ordinals_size);
    return status;
}

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static aci_pool_list *list_of(aci_message_pool *pool, agentchat_str path)
{
    size_t found = aci_index_find(&pool->paths, path);
    aci_pool_list *list;

    if (found != ACI_INDEX_NONE)
        return pool->lists[found];
    if (!aci_grow(pool->env, (void **)&pool->lists, &pool->list_cap, pool->list_count, sizeof *pool->lists) ||
        (list = aci_alloc_zero(pool->env, sizeof *list)) == NULL)
        return NULL;
    pool->lists[pool->list_count++] = list;
    list->path = aci_alloc(pool->env, path.len + 1);
    if (list->path == NULL)
        return NULL;
    memcpy(list->path, path.ptr, path.len);
    list->path_len = path.len;
    return aci_index_put(&pool->paths, pool->env, (agentchat_str){list->path, path.len}, pool->list_count - 1) ? list
                                                                                                               : NULL;
}

/* Runs of a list: of consecutive messages of the one before, or of consecutive numbers. */
static bool write_runs(const aci_pool_list *before, const size_t *where, const aci_placed *list, size_t count,
                       aci_buf *out)
{
    bool ok = true;

    for (size_t i = 0, run; ok && i < count; i += run) {
        size_t number = list[i].number, at = where[number];
        bool is_before = at < before->count && before->numbers[at] == number;

        for (run = 1; i + run < count; run++) {
            size_t next = list[i + run].number;

            if (is_before ? at + run >= before->count || before->numbers[at + run] != next : next != number + run)
                break;
        }
        ok = is_before ? aci_buf_printf(out, "b%zux%zu", at, run) : aci_buf_printf(out, "p%zux%zu", number, run);
    }
    return ok;
}

static bool describe(aci_message_pool *pool, aci_pool_list *before, const aci_placed *list, size_t count, aci_buf *out)
{
    size_t where_size = 0, size = 0;
    size_t *where = alloc_array(pool->env, pool->count, sizeof *where, &where_size);
    size_t *numbers = alloc_array(pool->env, count, sizeof *numbers, &size);
    bool ok = where != NULL && numbers != NULL;

    if (ok) {
        memset(where, 0xFF, where_size);
        for (size_t i = 0; i < before->count; i++)
            where[before->numbers[i]] = i;
        ok = write_runs(before, where, list, count, out);
    }
    aci_free(pool->env, where, where_size);
    if (!ok) {
        aci_free(pool->env, numbers, size);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        numbers[i] = list[i].number;
    aci_free(pool->env, before->numbers, (before->count + 1) * sizeof *numbers);
    before->numbers = numbers;
    before->count = count;
    return true;
}

agentchat_status aci_message_pool_number(aci_message_pool *pool, agentchat_str path, aci_placed *list, size_t count,
                                         const agentchat_calls *calls, aci_buf *out, agentchat_error *err)
{
    numbering n = {.pool = pool, .list = list, .count = count, .calls = calls};
    aci_pool_list *before = list_of(pool, path);
    agentchat_status status;

    if (before == NULL)
        return aci_fail_nomem(err);
    status = give_numbers(&n, path, err);
    if (status >= 0 && !describe(pool, before, list, count, out))
        status = aci_fail_nomem(err);
    return status;
}

void aci_message_pool_clear(aci_message_pool *pool)
{
    aci_index_clear(&pool->keys, pool->env);
    aci_index_clear(&pool->paths, pool->env);
    for (size_t i = 0; i < pool->count; i++)
        aci_free(pool->env, pool->entries[i], sizeof *pool->entries[i]);
    for (size_t i = 0; i < pool->list_count; i++) {
        aci_pool_list *list = pool->lists[i];

        aci_free(pool->env, list->path, list->path_len + 1);
        aci_free(pool->env, list->numbers, (list->count + 1) * sizeof *list->numbers);
        aci_free(pool->env, list, sizeof *list);
    }
    aci_free(pool->env, pool->entries, pool->cap * sizeof *pool->entries);
    aci_free(pool->env, pool->lists, pool->list_cap * sizeof *pool->lists);
    *pool = (aci_message_pool){.env = pool->env};
}
