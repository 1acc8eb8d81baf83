/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and results: their ids sorted, so that those of one id stand together in their order. */
#include <agentchat/calls.h>

#include "base/buf.h"
#include "base/checked.h"
#include "base/error.h"
#include "model/model.h"
#include <stdlib.h>
#include <string.h>

struct agentchat_calls {
    const agentchat_env *env;
    agentchat_call *list;
    size_t count;
};

/* One that has an id, and its position in the list. */
typedef struct keyed {
    agentchat_str id;
    size_t position;
} keyed;

static bool is_call_or_result(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT;
}

/* list: NULL to count them only. */
static size_t collect(agentchat_call *list, const agentchat_messages *messages)
{
    size_t count = 0, all = agentchat_messages_count(messages);

    for (size_t m = 0; m < all; m++) {
        const agentchat_message *message = agentchat_messages_at(messages, m);

        for (size_t i = 0; i < message->item_count; i++) {
            if (!is_call_or_result(message->items[i]))
                continue;
            if (list != NULL)
                list[count] = (agentchat_call){message->items[i], m, AGENTCHAT_NO_PARTNER};
            count++;
        }
    }
    return count;
}

static int by_id(const void *left, const void *right)
{
    const keyed *a = left, *b = right;
    int order = aci_str_compare(a->id, b->id);

    if (order != 0)
        return order;
    return a->position < b->position ? -1 : a->position > b->position;
}

static size_t key(const agentchat_calls *calls, keyed *keys)
{
    size_t count = 0;

    for (size_t i = 0; i < calls->count; i++) {
        agentchat_str id = agentchat_item_get(calls->list[i].item, AGENTCHAT_FIELD_CALL_ID);

        if (id.ptr != NULL && !agentchat_str_is_null(id))
            keys[count++] = (keyed){id, i};
    }
    qsort(keys, count, sizeof *keys, by_id);
    return count;
}

static void pair(agentchat_call *list, const keyed *keys, size_t count)
{
    const keyed *call = NULL; /* the last one of this id, without a result */

    for (size_t i = 0; i < count; i++) {
        if (call != NULL && !agentchat_str_equal(call->id, keys[i].id))
            call = NULL;
        if (list[keys[i].position].item->kind == AGENTCHAT_ITEM_CALL) {
            call = &keys[i];
        } else if (call != NULL) {
            list[call->position].partner = keys[i].position;
            list[keys[i].position].partner = call->position;
            call = NULL;
        }
    }
}

static bool fill(agentchat_calls *calls, const agentchat_messages *messages)
{
    size_t size = 0, keys_size = 0;
    keyed *keys;

    if (calls->count == 0)
        return true;
    if (!aci_mul(calls->count, sizeof *calls->list, &size) || !aci_mul(calls->count, sizeof *keys, &keys_size))
        return false;
    calls->list = aci_alloc(calls->env, size);
    keys = aci_alloc(calls->env, keys_size);
    if (calls->list != NULL && keys != NULL) {
        (void)collect(calls->list, messages);
        pair(calls->list, keys, key(calls, keys));
    }
    aci_free(calls->env, keys, keys_size);
    return calls->list != NULL && keys != NULL;
}

agentchat_status agentchat_calls_find(const agentchat_env *env, const agentchat_messages *messages,
                                      agentchat_calls **out, agentchat_error *err)
{
    agentchat_calls *calls;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    env = aci_env(env);
    calls = aci_alloc(env, sizeof *calls);
    if (calls == NULL)
        return aci_fail_nomem(err);
    *calls = (agentchat_calls){env, NULL, collect(NULL, messages)};
    if (!fill(calls, messages)) {
        agentchat_calls_free(calls);
        return aci_fail_nomem(err);
    }
    *out = calls;
    return AGENTCHAT_OK;
}

size_t agentchat_calls_count(const agentchat_calls *calls)
{
    return calls != NULL ? calls->count : 0;
}

const agentchat_call *agentchat_calls_at(const agentchat_calls *calls, size_t index)
{
    return index < agentchat_calls_count(calls) ? &calls->list[index] : NULL;
}

void agentchat_calls_free(agentchat_calls *calls)
{
    if (calls == NULL)
        return;
    aci_free(calls->env, calls->list, calls->count * sizeof *calls->list);
    aci_free(calls->env, calls, sizeof *calls);
}
