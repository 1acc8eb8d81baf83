/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of messages, and recognizing in a channel what stands in the history.
 * A channel's state is nearly always a part of the history in the same order and the same spelling, so the next message
 * is first compared with the one expected; only where that fails some further ones and then a hash table are tried.
 */
#include "format/semantic_kernel/read_message.h"

#include "base/buf.h"

enum { AHEAD = 4, PROBES = 16, TAIL = 64 };

void aci_sk_list_clear(aci_sk_list *list, const agentchat_env *env)
{
    aci_free(env, list->messages, list->cap * sizeof *list->messages);
    aci_free(env, list->spans, list->span_cap * sizeof *list->spans);
    aci_free(env, list->index, list->index_size * sizeof *list->index);
    *list = (aci_sk_list){0};
}

bool aci_sk_list_add(aci_sk_reader *s, aci_json_reader *r, aci_sk_list *list, agentchat_message *message,
                     agentchat_str span)
{
    void *messages = list->messages, *spans = list->spans;

    if (++s->messages > s->in->limits.max_messages) {
        (void)aci_json_fail(r, AGENTCHAT_E_LIMIT, "more than %llu messages",
                            (unsigned long long)s->in->limits.max_messages);
        return false;
    }
    if (!aci_grow(s->env, &messages, &list->cap, list->count, sizeof *list->messages))
        return aci_sk_nomem(r);
    list->messages = messages;
    if (!aci_grow(s->env, &spans, &list->span_cap, list->count, sizeof *list->spans))
        return aci_sk_nomem(r);
    list->spans = spans;
    list->messages[list->count] = message;
    list->spans[list->count++] = span;
    return true;
}

/* FNV-1a over length and tail: messages differ near their end, their beginnings are alike. */
static uint64_t hash_of(agentchat_str span)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ span.len;
    size_t first = span.len > TAIL ? span.len - TAIL : 0;

    for (size_t i = first; i < span.len; i++)
        hash = (hash ^ (unsigned char)span.ptr[i]) * UINT64_C(1099511628211);
    return hash ^ (hash >> 29);
}

static bool make_index(aci_sk_list *list, const agentchat_env *env)
{
    size_t size = 64;

    while (size < list->count * 2)
        size *= 2;
    list->index = aci_alloc_zero(env, size * sizeof *list->index);
    if (list->index == NULL)
        return false;
    list->index_size = size;
    for (size_t i = 0; i < list->count && i < UINT32_MAX; i++) {
        size_t at = (size_t)hash_of(list->spans[i]) & (size - 1);

        for (size_t probe = 0; probe < PROBES; probe++, at = (at + 1) & (size - 1)) {
            if (list->index[at] != 0)
                continue;
            list->index[at] = (uint32_t)i + 1;
            break;
        }
    }
    return true;
}

bool aci_sk_list_find(aci_sk_list *list, const agentchat_env *env, agentchat_str span, size_t *position)
{
    size_t at;

    *position = SIZE_MAX;
    if (list->count == 0)
        return true;
    if (list->index == NULL && !make_index(list, env))
        return false;
    at = (size_t)hash_of(span) & (list->index_size - 1);
    for (size_t probe = 0; probe < PROBES && list->index[at] != 0; probe++, at = (at + 1) & (list->index_size - 1)) {
        size_t found = list->index[at] - 1;

        if (agentchat_str_equal(list->spans[found], span)) {
            *position = found;
            return true;
        }
    }
    return true;
}

/* Tries the messages of `known` from *next on. *found: it was one of them, and has been skipped. */
static bool share(aci_sk_reader *s, aci_json_reader *r, aci_sk_list *known, size_t *next, aci_sk_list *out, bool *found)
{
    for (size_t i = *next; i < known->count && i - *next <= AHEAD; i++) {
        if (!aci_json_match(r, known->spans[i]))
            continue;
        *found = true;
        *next = i + 1;
        return aci_sk_list_add(s, r, out, known->messages[i], known->spans[i]);
    }
    return !aci_json_failed(r);
}

/* A message that is not the expected one: looked up by its span, else read. */
static bool find_or_read(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *known,
                         size_t *next, aci_sk_list *out)
{
    aci_json_reader *sub;
    agentchat_message *message;
    agentchat_str span;
    size_t position;

    if (!aci_json_raw(r, &span))
        return false;
    if (!aci_sk_list_find(known, s->env, span, &position))
        return aci_sk_nomem(r);
    if (position != SIZE_MAX) {
        *next = position + 1;
        return aci_sk_list_add(s, r, out, known->messages[position], span);
    }
    sub = aci_sk_sub_new(s, r, span);
    if (sub == NULL)
        return false;
    message = aci_sk_read_message(s, sub, path);
    return aci_sk_sub_free(s, r, sub, span, NULL) && aci_sk_list_add(s, r, out, message, span);
}

static bool read_one(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *out)
{
    const char *begin = r->begin + aci_json_offset(r);
    agentchat_message *message = aci_sk_read_message(s, r, path);

    return message != NULL && aci_sk_list_add(s, r, out, message, (agentchat_str){begin, (size_t)(r->cursor - begin)});
}

bool aci_sk_read_messages(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *known,
                          aci_sk_list *out)
{
    aci_location location = {path, {NULL, 0}, 0};
    size_t next = 0;

    if (!aci_json_array(r))
        return false;
    while (aci_json_element(r)) {
        bool found = false;

        location.index = out->count;
        if (known == NULL || known->count == 0) {
            if (!read_one(s, r, &location, out))
                return false;
            continue;
        }
        if (!share(s, r, known, &next, out, &found) || (!found && !find_or_read(s, r, &location, known, &next, out)))
            return false;
    }
    return !aci_json_failed(r);
}
