/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of a list in a history: by address, else by digest; a longest ascending run of those that occur once, and
   what repeats: next to them, else between them. */
#include "snapshot/history_index.h"

#include "base/error.h"
#include "snapshot/digest.h"
#include "snapshot/longest_run.h"

/* ---- kinds of messages ----------------------------------------------------------------------------------------- */

/* What makes messages one kind; absent: a message is of none. */
typedef agentchat_str (*text_of_position)(const aci_history_index *x, size_t position);

static agentchat_str pointer_text(const agentchat_message *const *slot)
{
    return (agentchat_str){(const char *)slot, sizeof *slot};
}

static agentchat_str digest_text(const aci_hash *hash)
{
    return (agentchat_str){(const char *)hash->bytes, sizeof hash->bytes};
}

static agentchat_str pointer_of_position(const aci_history_index *x, size_t position)
{
    return pointer_text(&x->pointers[position]);
}

static agentchat_str digest_of_position(const aci_history_index *x, size_t position)
{
    return digest_text(&x->digests[position]);
}

static agentchat_str id_of_position(const aci_history_index *x, size_t position)
{
    agentchat_str id = agentchat_message_get(x->pointers[position], AGENTCHAT_FIELD_ID);

    return id.len > 0 ? id : (agentchat_str){NULL, 0};
}

static agentchat_str digest_without_id(const aci_history_index *x, size_t position)
{
    return id_of_position(x, position).ptr == NULL ? digest_of_position(x, position) : (agentchat_str){NULL, 0};
}

/* Numbers the kinds, with the number of messages of kind k in starts[k + 1]. */
static bool count_kinds(aci_history_index *x, aci_kinds *kinds, text_of_position text_of, size_t *kind_of)
{
    bool ok = true;

    for (size_t i = 0; ok && i < x->count; i++) {
        agentchat_str text = text_of(x, i);

        kind_of[i] = text.ptr != NULL ? aci_index_find(&kinds->numbers, text) : ACI_INDEX_NONE;
        if (text.ptr == NULL)
            continue;
        if (kind_of[i] == ACI_INDEX_NONE) {
            kind_of[i] = kinds->count++;
            ok = aci_index_put(&kinds->numbers, x->env, text, kind_of[i]);
        }
        kinds->starts[kind_of[i] + 1]++;
    }
    return ok;
}

/* From how many there are of each kind to where each begins, with its positions. */
static void fill_kinds(aci_kinds *kinds, const size_t *kind_of, size_t count)
{
    size_t end;

    for (size_t k = 0; k < kinds->count; k++)
        kinds->starts[k + 1] += kinds->starts[k];
    end = kinds->starts[kinds->count];
    for (size_t i = count; i-- > 0;)
        if (kind_of[i] != ACI_INDEX_NONE)
            kinds->positions[--kinds->starts[kind_of[i] + 1]] = i;
    for (size_t k = 0; k < kinds->count; k++) /* each stands at its own beginning now, one too far up */
        kinds->starts[k] = kinds->starts[k + 1];
    kinds->starts[kinds->count] = end;
}

static bool find_kinds(aci_history_index *x, aci_kinds *kinds, text_of_position text_of)
{
    size_t size = 0, starts_size;
    size_t *kind_of = aci_alloc_array(x->env, x->count, sizeof *kind_of, &size);
    bool ok;

    kinds->starts = aci_alloc_array(x->env, x->count + 1, sizeof *kinds->starts, &starts_size);
    kinds->positions = aci_alloc_array(x->env, x->count, sizeof *kinds->positions, &size);
    ok =
        kind_of != NULL && kinds->starts != NULL && kinds->positions != NULL && count_kinds(x, kinds, text_of, kind_of);
    if (ok)
        fill_kinds(kinds, kind_of, x->count);
    aci_free(x->env, kind_of, size);
    return ok;
}

static void clear_kinds(aci_history_index *x, aci_kinds *kinds)
{
    size_t room = x->count > 0 ? x->count : 1;

    aci_index_clear(&kinds->numbers, x->env);
    aci_free(x->env, kinds->starts, (x->count + 1) * sizeof *kinds->starts);
    aci_free(x->env, kinds->positions, room * sizeof *kinds->positions);
    *kinds = (aci_kinds){.count = 0};
}

static aci_candidates candidates_of(const aci_kinds *kinds, agentchat_str text)
{
    size_t kind = aci_index_find(&kinds->numbers, text);

    if (kind == ACI_INDEX_NONE)
        return (aci_candidates){NULL, 0};
    return (aci_candidates){kinds->positions + kinds->starts[kind], kinds->starts[kind + 1] - kinds->starts[kind]};
}

/* ---- the history ----------------------------------------------------------------------------------------------- */

static void drop_digests(aci_history_index *x)
{
    clear_kinds(x, &x->by_digest);
    clear_kinds(x, &x->without_id);
    aci_free(x->env, x->digests, (x->count > 0 ? x->count : 1) * sizeof *x->digests);
    x->digests = NULL;
}

void aci_history_index_clear(aci_history_index *x)
{
    clear_kinds(x, &x->by_pointer);
    clear_kinds(x, &x->by_id);
    drop_digests(x);
    aci_free(x->env, x->pointers, (x->count > 0 ? x->count : 1) * sizeof *x->pointers);
    *x = (aci_history_index){.env = x->env};
}

agentchat_status aci_history_index_make(aci_history_index *x, const agentchat_env *env,
                                        const agentchat_messages *history, agentchat_error *err)
{
    size_t size, count = agentchat_messages_count(history);

    *x = (aci_history_index){.env = env, .history = history, .count = count};
    x->pointers = aci_alloc_array(env, count, sizeof *x->pointers, &size);
    if (x->pointers != NULL && history != NULL)
        aci_list_flatten(history, x->pointers);
    if (x->pointers != NULL && find_kinds(x, &x->by_pointer, pointer_of_position))
        return AGENTCHAT_OK;
    aci_history_index_clear(x);
    return aci_fail_nomem(err);
}

static agentchat_status digest_of(const aci_history_index *x, const agentchat_message *message, aci_hash *out,
                                  agentchat_error *err)
{
    return x->content ? aci_digest_message_content(x->env, message, out->bytes, err)
                      : aci_digest_message(x->env, message, out->bytes, err);
}

/* Once a list has a message that is not the history's own. */
static agentchat_status take_digests(aci_history_index *x, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t size;

    if (x->digests != NULL)
        return AGENTCHAT_OK;
    x->digests = aci_alloc_array(x->env, x->count, sizeof *x->digests, &size);
    if (x->digests == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; status >= 0 && i < x->count; i++)
        status = digest_of(x, x->pointers[i], &x->digests[i], err);
    if (status < 0)
        drop_digests(x);
    return status;
}

aci_candidates aci_history_index_find_same(const aci_history_index *x, const agentchat_message *message)
{
    return candidates_of(&x->by_pointer, pointer_text(&message));
}

/* kinds: of digests; made by text_of when there are none. */
static agentchat_status find_equal(aci_history_index *x, aci_kinds *kinds, text_of_position text_of,
                                   const agentchat_message *message, aci_candidates *out, agentchat_error *err)
{
    agentchat_status status = take_digests(x, err);
    aci_hash hash;

    if (status >= 0 && kinds->starts == NULL && !find_kinds(x, kinds, text_of)) {
        clear_kinds(x, kinds);
        status = aci_fail_nomem(err);
    }
    if (status >= 0)
        status = digest_of(x, message, &hash, err);
    if (status >= 0)
        *out = candidates_of(kinds, digest_text(&hash));
    return status;
}

agentchat_status aci_history_index_find(aci_history_index *x, const agentchat_message *message, aci_candidates *out,
                                        agentchat_error *err)
{
    *out = aci_history_index_find_same(x, message);
    return out->count > 0 || x->count == 0 ? AGENTCHAT_OK
                                           : find_equal(x, &x->by_digest, digest_of_position, message, out, err);
}

agentchat_status aci_history_index_find_without_id(aci_history_index *x, const agentchat_message *message,
                                                   aci_candidates *out, agentchat_error *err)
{
    *out = (aci_candidates){NULL, 0};
    return x->count == 0 ? AGENTCHAT_OK : find_equal(x, &x->without_id, digest_without_id, message, out, err);
}

agentchat_status aci_history_index_find_id(aci_history_index *x, agentchat_str id, aci_candidates *out,
                                           agentchat_error *err)
{
    *out = (aci_candidates){NULL, 0};
    if (x->by_id.starts == NULL && !find_kinds(x, &x->by_id, id_of_position)) {
        clear_kinds(x, &x->by_id);
        return aci_fail_nomem(err);
    }
    *out = candidates_of(&x->by_id, id);
    return AGENTCHAT_OK;
}

/* ---- those that occur once ------------------------------------------------------------------------------------- */

/* Keeps in match the longest ascending run of those that have one candidate; all others are unmatched. */
static bool keep_ascending(const agentchat_env *env, const aci_candidates *found, size_t count, size_t *match)
{
    for (size_t i = 0; i < count; i++)
        match[i] = found[i].count == 1 ? found[i].positions[0] : ACI_NOT_IN_HISTORY;
    return aci_longest_run(env, match, count);
}

/* ---- those that repeat ----------------------------------------------------------------------------------------- */

/* The first candidate at a position or after it. */
static size_t first_from(aci_candidates found, size_t from)
{
    size_t low = 0, high = found.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (found.positions[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < found.count ? found.positions[low] : ACI_NOT_IN_HISTORY;
}

static bool repeats(const aci_candidates *found, const size_t *match, size_t i)
{
    return match[i] == ACI_NOT_IN_HISTORY && found[i].count > 1;
}

/* The position of the first match after i, or the history's end. at: where that match is, for an i that rises. */
static size_t position_after(const size_t *match, size_t count, size_t history_count, size_t i, size_t *at)
{
    for (*at = *at > i ? *at : i; *at < count; ++*at)
        if (match[*at] != ACI_NOT_IN_HISTORY)
            return match[*at];
    return history_count;
}

/* The position after that of the last match before i. at: the index after that match, for an i that falls. */
static size_t position_before(const size_t *match, size_t i, size_t *at)
{
    for (*at = *at < i ? *at : i; *at > 0; --*at)
        if (match[*at - 1] != ACI_NOT_IN_HISTORY)
            return match[*at - 1] + 1;
    return 0;
}

/* What follows a match in the list and in the history, then what precedes one in both. */
static void extend_matches(const aci_candidates *found, size_t count, size_t history_count, size_t *match)
{
    size_t at = 0;

    for (size_t i = 1; i < count; i++) {
        size_t position = match[i - 1] + 1;

        if (match[i - 1] != ACI_NOT_IN_HISTORY && repeats(found, match, i) &&
            position < position_after(match, count, history_count, i, &at) &&
            first_from(found[i], position) == position)
            match[i] = position;
    }
    at = count;
    for (size_t i = count; i-- > 1;) {
        size_t position = match[i] - 1;

        if (match[i] != ACI_NOT_IN_HISTORY && match[i] > position_before(match, i - 1, &at) &&
            repeats(found, match, i - 1) && first_from(found[i - 1], position) == position)
            match[i - 1] = position;
    }
}

/* The others between the matches around them, as far to the front as they can be. */
static void fill_between(const aci_candidates *found, size_t count, size_t history_count, size_t *match)
{
    size_t from = 0, at = 0;

    for (size_t i = 0; i < count; i++) {
        if (repeats(found, match, i)) {
            size_t position = first_from(found[i], from);

            if (position < position_after(match, count, history_count, i, &at))
                match[i] = position;
        }
        if (match[i] != ACI_NOT_IN_HISTORY)
            from = match[i] + 1;
    }
}

static agentchat_status match_all(aci_history_index *x, const agentchat_messages *list, aci_candidates *found,
                                  size_t *match, agentchat_error *err)
{
    size_t count = agentchat_messages_count(list);
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < count; i++)
        status = aci_history_index_find(x, agentchat_messages_at(list, i), &found[i], err);
    if (status < 0)
        return status;
    if (!keep_ascending(x->env, found, count, match))
        return aci_fail_nomem(err);
    extend_matches(found, count, x->count, match);
    fill_between(found, count, x->count, match);
    return AGENTCHAT_OK;
}

agentchat_status aci_history_index_match(aci_history_index *x, const agentchat_messages *list, size_t *match,
                                         agentchat_error *err)
{
    size_t count = agentchat_messages_count(list), size;
    aci_candidates *found = aci_alloc_array(x->env, count, sizeof *found, &size);
    agentchat_status status = found != NULL ? match_all(x, list, found, match, err) : aci_fail_nomem(err);

    aci_free(x->env, found, size);
    return status;
}
