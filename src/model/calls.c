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

/* One that has an id, or a function's name and no id; and its position in the list. */
typedef struct keyed {
    agentchat_str id, plugin;
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

    order = order != 0 ? order : aci_str_compare(a->plugin, b->plugin);
    if (order != 0)
        return order;
    return a->position < b->position ? -1 : a->position > b->position;
}

static agentchat_str text_of(const agentchat_call *call, agentchat_field field)
{
    agentchat_str text = agentchat_item_get(call->item, field);

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

/* Those that have an id; those that have none, by their function. */
static size_t key(const agentchat_calls *calls, keyed *keys, bool by_function)
{
    size_t count = 0;

    for (size_t i = 0; i < calls->count; i++) {
        const agentchat_call *call = &calls->list[i];
        agentchat_str id = text_of(call, AGENTCHAT_FIELD_CALL_ID), name = text_of(call, AGENTCHAT_FIELD_FUNCTION);

        if (id.ptr != NULL && !by_function)
            keys[count++] = (keyed){id, {NULL, 0}, i};
        else if (id.ptr == NULL && by_function && name.len > 0)
            keys[count++] = (keyed){name, text_of(call, AGENTCHAT_FIELD_PLUGIN), i};
    }
    if (count > 0)
        qsort(keys, count, sizeof *keys, by_id);
    return count;
}

static void tie(agentchat_call *list, size_t call, size_t result)
{
    list[call].partner = result;
    list[result].partner = call;
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
            tie(list, call->position, keys[i].position);
            call = NULL;
        }
    }
}

/* Without ids: the results of a function belong to its calls in the newest message that has some, in their order. */
static void pair_by_function(agentchat_call *list, const keyed *keys, size_t count)
{
    size_t open = 0, end = 0; /* of the keys: calls of that message */

    for (size_t i = 0; i < count; i++) {
        const agentchat_call *one = &list[keys[i].position];
        bool is_other = end == 0 || !agentchat_str_equal(keys[end - 1].id, keys[i].id) ||
                        !agentchat_str_equal(keys[end - 1].plugin, keys[i].plugin);

        if (one->item->kind == AGENTCHAT_ITEM_CALL) {
            open = is_other || list[keys[end - 1].position].message != one->message ? i : open;
            end = i + 1;
        } else if (!is_other) {
            while (open < end && list[keys[open].position].item->kind != AGENTCHAT_ITEM_CALL)
                open++;
            if (open < end)
                tie(list, keys[open++].position, keys[i].position);
        }
    }
}

/* Results that do not even name a function belong to the calls without an id in the newest message that has some. */
static void pair_in_order(agentchat_calls *calls)
{
    size_t open = 0, end = 0;

    for (size_t i = 0; i < calls->count; i++) {
        const agentchat_call *one = &calls->list[i];

        if (text_of(one, AGENTCHAT_FIELD_CALL_ID).ptr != NULL)
            continue;
        if (one->item->kind == AGENTCHAT_ITEM_CALL) {
            open = end == 0 || calls->list[end - 1].message != one->message ? i : open;
            end = i + 1;
        } else if (text_of(one, AGENTCHAT_FIELD_FUNCTION).len == 0) {
            while (open < end && (calls->list[open].item->kind != AGENTCHAT_ITEM_CALL ||
                                  calls->list[open].partner != AGENTCHAT_NO_PARTNER ||
                                  text_of(&calls->list[open], AGENTCHAT_FIELD_CALL_ID).ptr != NULL))
                open++;
            if (open < end)
                tie(calls->list, open++, i);
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
        pair(calls->list, keys, key(calls, keys, false));
        pair_by_function(calls->list, keys, key(calls, keys, true));
        pair_in_order(calls);
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
