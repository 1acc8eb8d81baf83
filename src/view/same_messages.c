/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a list in a history: by address, then by digest; a longest ascending run of those that occur once, and
   what repeats between them. Layer 5. */
#include "view/same_messages.h"

#include "base/checked.h"
#include "base/error.h"
#include "snapshot/canon.h"

struct aci_occurrence {
    size_t first;       /* place of the first equal message; that of itself for the first one */
    size_t next;        /* place of the next equal one; ACI_NOT_IN_HISTORY */
    size_t last;        /* of the first one: the last equal one so far */
    size_t cursor;      /* of the first one: where the search goes on */
    uint32_t cursor_of; /* the list that the cursor belongs to */
};

static void *array_of(const agentchat_env *env, size_t count, size_t elem, size_t *size)
{
    *size = 0;
    return aci_mul(count > 0 ? count : 1, elem, size) ? aci_alloc_zero(env, *size) : NULL;
}

static agentchat_str pointer_text(const agentchat_message *const *slot)
{
    return (agentchat_str){(const char *)slot, sizeof *slot};
}

static agentchat_str digest_text(const aci_hash *hash)
{
    return (agentchat_str){(const char *)hash->bytes, sizeof hash->bytes};
}

/* Chains the messages of the history that are equal. */
static bool chain(aci_history_index *x, aci_index *kinds, size_t place, agentchat_str text)
{
    aci_occurrence *all = x->occurrences;
    size_t first = aci_index_find(kinds, text);

    all[place].next = ACI_NOT_IN_HISTORY;
    all[place].last = place;
    if (first == ACI_INDEX_NONE) {
        all[place].first = place;
        return aci_index_put(kinds, x->env, text, place);
    }
    all[place].first = first;
    all[all[first].last].next = place;
    all[first].last = place;
    return true;
}

agentchat_status aci_history_index_make(aci_history_index *x, const agentchat_env *env,
                                        const agentchat_messages *history, agentchat_error *err)
{
    size_t size, count = agentchat_messages_count(history);
    bool ok;

    *x = (aci_history_index){.env = env, .history = history, .count = count};
    x->pointers = array_of(env, count, sizeof *x->pointers, &size);
    x->occurrences = array_of(env, count, sizeof *x->occurrences, &size);
    ok = x->pointers != NULL && x->occurrences != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        x->pointers[i] = agentchat_messages_at(history, i);
        ok = chain(x, &x->by_pointer, i, pointer_text(&x->pointers[i]));
    }
    if (ok)
        return AGENTCHAT_OK;
    aci_history_index_clear(x);
    return aci_fail_nomem(err);
}

void aci_history_index_clear(aci_history_index *x)
{
    size_t room = x->count > 0 ? x->count : 1;

    aci_index_clear(&x->by_pointer, x->env);
    aci_index_clear(&x->by_digest, x->env);
    aci_free(x->env, x->pointers, room * sizeof *x->pointers);
    aci_free(x->env, x->occurrences, room * sizeof *x->occurrences);
    aci_free(x->env, x->digests, room * sizeof *x->digests);
    *x = (aci_history_index){.env = x->env};
}

/* ---- digests, once a list has a message that is not the history's own ------------------------------------------ */

static agentchat_status take_digests(aci_history_index *x, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t size;

    if (x->digests != NULL)
        return AGENTCHAT_OK;
    x->digests = array_of(x->env, x->count, sizeof *x->digests, &size);
    if (x->digests == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; status >= 0 && i < x->count; i++) {
        status = aci_message_digest(x->env, x->pointers[i], x->digests[i].bytes, err);
        if (status >= 0 && !chain(x, &x->by_digest, i, digest_text(&x->digests[i])))
            status = aci_fail_nomem(err);
    }
    return status;
}

agentchat_status aci_history_find(aci_history_index *x, const agentchat_message *message, size_t *first,
                                  agentchat_error *err)
{
    size_t place = aci_index_find(&x->by_pointer, pointer_text(&message));
    agentchat_status status;
    aci_hash hash;

    *first = ACI_NOT_IN_HISTORY;
    if (place != ACI_INDEX_NONE) {
        *first = x->occurrences[place].first;
        return AGENTCHAT_OK;
    }
    if (x->count == 0)
        return AGENTCHAT_OK;
    status = take_digests(x, err);
    if (status >= 0)
        status = aci_message_digest(x->env, message, hash.bytes, err);
    if (status < 0)
        return status;
    place = aci_index_find(&x->by_digest, digest_text(&hash));
    if (place != ACI_INDEX_NONE)
        *first = place;
    return AGENTCHAT_OK;
}

size_t aci_history_next(const aci_history_index *x, size_t place)
{
    return x->occurrences[place].next;
}

/* ---- those that occur once ------------------------------------------------------------------------------------- */

typedef struct ascent {
    size_t *ends;   /* ends[n]: the element of the list that ends the best run of n + 1 elements so far */
    size_t *before; /* for each element of the list: the one before it in its run */
    size_t length;
} ascent;

/* Number of runs that end before a place. */
static size_t runs_below(const ascent *a, const size_t *places, size_t place)
{
    size_t low = 0, high = a->length;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (places[a->ends[middle]] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_single(const aci_history_index *x, size_t first)
{
    return first != ACI_NOT_IN_HISTORY && x->occurrences[first].next == ACI_NOT_IN_HISTORY;
}

/* Keeps in match the longest ascending run of the places in firsts that are single; all others are unmatched. */
static void keep_ascending(const aci_history_index *x, ascent *a, const size_t *firsts, size_t count, size_t *match)
{
    size_t at;

    for (size_t i = 0; i < count; i++) {
        match[i] = ACI_NOT_IN_HISTORY;
        if (!is_single(x, firsts[i]))
            continue;
        at = runs_below(a, firsts, firsts[i]);
        a->before[i] = at > 0 ? a->ends[at - 1] : ACI_NOT_IN_HISTORY;
        a->ends[at] = i;
        a->length += at == a->length;
    }
    if (a->length == 0)
        return;
    for (at = a->ends[a->length - 1]; at != ACI_NOT_IN_HISTORY; at = a->before[at])
        match[at] = firsts[at];
}

/* ---- those that repeat ----------------------------------------------------------------------------------------- */

/* The first equal message at a place or behind it. Cursors only go on: places ascend within a list. */
static size_t next_occurrence(aci_history_index *x, size_t first, size_t from)
{
    aci_occurrence *kind = &x->occurrences[first];

    if (kind->cursor_of != x->lists) {
        kind->cursor_of = x->lists;
        kind->cursor = first;
    }
    while (kind->cursor != ACI_NOT_IN_HISTORY && kind->cursor < from)
        kind->cursor = x->occurrences[kind->cursor].next;
    return kind->cursor;
}

static void fill_between(aci_history_index *x, const size_t *firsts, size_t count, size_t *match)
{
    size_t from = 0, limit = 0, next_match = 0;

    for (size_t i = 0; i < count; i++) {
        if (match[i] == ACI_NOT_IN_HISTORY && firsts[i] != ACI_NOT_IN_HISTORY && !is_single(x, firsts[i])) {
            size_t place = next_occurrence(x, firsts[i], from);

            for (next_match = next_match > i ? next_match : i; next_match < count; next_match++)
                if (match[next_match] != ACI_NOT_IN_HISTORY)
                    break;
            limit = next_match < count ? match[next_match] : x->count;
            if (place != ACI_NOT_IN_HISTORY && place < limit)
                match[i] = place;
        }
        if (match[i] != ACI_NOT_IN_HISTORY)
            from = match[i] + 1;
    }
}

agentchat_status aci_same_messages(aci_history_index *x, const agentchat_messages *list, size_t *match,
                                   agentchat_error *err)
{
    size_t count = agentchat_messages_count(list), size, same;
    size_t *firsts = array_of(x->env, count, sizeof *firsts, &size);
    ascent a = {array_of(x->env, count, sizeof *a.ends, &same), array_of(x->env, count, sizeof *a.before, &same), 0};
    agentchat_status status = AGENTCHAT_OK;

    if (firsts == NULL || a.ends == NULL || a.before == NULL)
        status = aci_fail_nomem(err);
    for (size_t i = 0; status >= 0 && i < count; i++)
        status = aci_history_find(x, agentchat_messages_at(list, i), &firsts[i], err);
    if (status >= 0) {
        x->lists++;
        keep_ascending(x, &a, firsts, count, match);
        fill_between(x, firsts, count, match);
    }
    aci_free(x->env, firsts, size);
    aci_free(x->env, a.ends, size);
    aci_free(x->env, a.before, size);
    return status;
}
