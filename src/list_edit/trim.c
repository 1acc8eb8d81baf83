/* SPDX-License-Identifier: Apache-2.0 */
/* Trimming a list to a number of tokens. */
#include "list_edit/list_edit.h"

#include "base/buf.h"
#include "base/error.h"
#include "list_edit/list_edit_internal.h"
#include <agentchat/json_text.h>
#include <string.h>

/* ==== partial ==================================================================================================== */
/*
 * Cutting the message at the border of a trimmed list, as LangChain does: parts of its content go, then pieces of its
 * text.
 */

/* Whether an item is content, which may go: calls and what stands beside stay. */
static bool is_content(const agentchat_message *message, size_t index)
{
    agentchat_item_kind kind = agentchat_item_get_kind(agentchat_message_item(message, index));

    return kind != AGENTCHAT_ITEM_CALL && kind != AGENTCHAT_ITEM_RESULT && kind != AGENTCHAT_ITEM_ANNOTATION;
}

static size_t content_count(const agentchat_message *message)
{
    size_t count = 0;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        count += is_content(message, i);
    return count;
}

/* The messages that stay with another one instead of the one that is cut. */
static agentchat_status count_with(const aci_partial *p, const agentchat_message *cut, uint64_t *tokens)
{
    const agentchat_message *whole = p->list[p->index];
    agentchat_status status;

    *tokens = 0;
    p->list[p->index] = cut;
    status = p->counter(p->user, p->list + p->from, p->to - p->from, tokens, p->err);
    p->list[p->index] = whole;
    return status;
}

/* Ends a message that was made of p->whole; of the content of a result the message with that result. */
static agentchat_status finish(const aci_partial *p, agentchat_message_builder *b, agentchat_message **out)
{
    agentchat_message *content = NULL;
    agentchat_status status = agentchat_message_builder_finish(b, &content, p->err);

    *out = NULL;
    if (p->whole == p->list[p->index]) {
        *out = content;
        return status;
    }
    if (status >= 0)
        status = agentchat_message_builder_from(p->env, p->list[p->index], &b, p->err);
    if (status >= 0) {
        agentchat_message_builder_select_item(b, 0);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RESULT, (agentchat_str){NULL, 0});
        agentchat_message_builder_set_content(b, content);
        status = agentchat_message_builder_finish(b, out, p->err);
    }
    agentchat_message_unref(content);
    return status;
}

/* ---- parts of the content ---------------------------------------------------------------------------------------- */

/* The message with so many of its parts, the first or the last ones. */
static agentchat_status with_parts(const aci_partial *p, size_t kept, agentchat_message **out)
{
    const agentchat_message *message = p->whole;
    size_t items = agentchat_message_item_count(message), count = content_count(message), seen = 0;
    agentchat_message_builder *b;
    agentchat_status status = agentchat_message_builder_from(p->env, message, &b, p->err);

    if (status < 0)
        return status;
    agentchat_message_builder_remove_items(b, 0, items);
    for (size_t i = 0; i < items; i++) {
        bool is_part = is_content(message, i);

        if (!is_part || (p->is_last ? seen >= count - kept : seen < kept))
            agentchat_message_builder_add_item_copy(b, agentchat_message_item(message, i));
        seen += is_part;
    }
    return finish(p, b, out);
}

/* As many parts as fit, but not all of them, found by halving. *out is NULL when not even one does. */
static agentchat_status take_parts(const aci_partial *p, agentchat_message **out)
{
    size_t low = 0, high = content_count(p->whole);
    agentchat_status status = AGENTCHAT_OK;
    uint64_t tokens;

    high -= high > 0;
    while (status >= 0 && low < high) {
        size_t middle = low + (high - low + 1) / 2;
        agentchat_message *cut;

        status = with_parts(p, middle, &cut);
        if (status < 0)
            break;
        status = count_with(p, cut, &tokens);
        if (status >= 0 && tokens <= p->budget) {
            agentchat_message_unref(*out);
            *out = cut;
            low = middle;
        } else {
            agentchat_message_unref(cut);
            high = middle - 1;
        }
    }
    return status;
}

/* ---- pieces of the text ------------------------------------------------------------------------------------------ */

/* The message with a text as its only content. */
static agentchat_status with_text(const aci_partial *p, agentchat_str text, agentchat_message **out)
{
    const agentchat_message *message = p->whole;
    size_t count = agentchat_message_item_count(message);
    agentchat_message_builder *b;
    agentchat_status status = agentchat_message_builder_from(p->env, message, &b, p->err);

    if (status < 0)
        return status;
    agentchat_message_builder_remove_items(b, 0, count);
    agentchat_message_builder_add_text(b, text);
    for (size_t i = 0; i < count; i++)
        if (!is_content(message, i))
            agentchat_message_builder_add_item_copy(b, agentchat_message_item(message, i));
    return finish(p, b, out);
}

/* The text of the part that stays longest, absent when that is none. */
static agentchat_str last_text(const aci_partial *p)
{
    const agentchat_message *message = p->whole;
    const agentchat_item *item = NULL;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        if (is_content(message, i) && (item == NULL || p->is_last))
            item = agentchat_message_item(message, i);
    return item != NULL && agentchat_item_get_kind(item) == AGENTCHAT_ITEM_TEXT
               ? agentchat_item_get(item, AGENTCHAT_FIELD_TEXT)
               : (agentchat_str){NULL, 0};
}

static size_t next_piece(const aci_partial *p, agentchat_str rest)
{
    const char *line_feed;
    size_t len;

    if (p->split != NULL) {
        len = p->split(p->split_user, rest);
        return len == 0 || len > rest.len ? rest.len : len;
    }
    line_feed = memchr(rest.ptr, '\n', rest.len);
    return line_feed != NULL ? (size_t)(line_feed - rest.ptr) + 1 : rest.len;
}

/* Where the pieces of a text begin, and its end; after a line feed at the end there is an empty one. E_NOMEM. */
static agentchat_status split(const aci_partial *p, agentchat_str text, size_t **out, size_t *cap, size_t *count)
{
    void *array = NULL;
    bool ok = aci_grow(p->env, &array, cap, 0, sizeof **out);
    bool has_empty = p->split == NULL && text.ptr[text.len - 1] == '\n';

    *count = 0;
    for (size_t at = 0; ok && (at < text.len || has_empty);) {
        has_empty = has_empty && at < text.len;
        at += at < text.len ? next_piece(p, (agentchat_str){text.ptr + at, text.len - at}) : 0;
        ok = aci_grow(p->env, &array, cap, *count + 1, sizeof **out);
        if (ok)
            ((size_t *)array)[++*count] = at;
    }
    *out = array;
    if (!ok)
        return aci_fail_nomem(p->err);
    **out = 0;
    return AGENTCHAT_OK;
}

/* Of the pieces the first or the last ones. */
static agentchat_status with_pieces(const aci_partial *p, agentchat_str text, const size_t *pieces, size_t all,
                                    size_t count, agentchat_message **out)
{
    size_t from = p->is_last ? pieces[all - count] : 0, to = p->is_last ? text.len : pieces[count];

    return with_text(p, (agentchat_str){text.ptr + from, to - from}, out);
}

/* As many pieces as fit beside the other messages, found by halving. */
static agentchat_status take_pieces(const aci_partial *p, agentchat_str text, const size_t *pieces, size_t all,
                                    agentchat_message **out)
{
    size_t low = 0, high = all, first = p->is_last ? p->index + 1 : p->from;
    uint64_t others = 0, tokens;
    agentchat_status status =
        p->counter(p->user, p->list + first, (p->is_last ? p->to : p->index) - first, &others, p->err);

    while (status >= 0 && low < high) {
        size_t middle = low + (high - low + 1) / 2;
        agentchat_message *cut;
        const agentchat_message *alone;

        status = with_pieces(p, text, pieces, all, middle, &cut);
        if (status < 0)
            return status;
        alone = cut;
        tokens = 0;
        status = p->counter(p->user, &alone, 1, &tokens, p->err);
        agentchat_message_unref(cut);
        if (others <= p->budget && tokens <= p->budget - others)
            low = middle;
        else
            high = middle - 1;
    }
    return status >= 0 && low > 0 ? with_pieces(p, text, pieces, all, low, out) : status;
}

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* The content of a result, or its value where that is a text, as a message. *out is NULL when it is neither. */
static agentchat_status content_of(const aci_partial *p, const agentchat_item *result, agentchat_message **out)
{
    agentchat_str value = agentchat_item_get(result, AGENTCHAT_FIELD_RESULT);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status = AGENTCHAT_OK;
    agentchat_message_builder *b;

    *out = NULL;
    if (agentchat_json_kind_of(value) == AGENTCHAT_JSON_STRING)
        status = agentchat_json_decode(p->env, value, &text, p->err);
    else if (agentchat_item_content_count(result) == 0)
        return AGENTCHAT_OK;
    if (status >= 0)
        status = agentchat_message_builder_new(p->env, "tool", (agentchat_str){NULL, 0}, &b, p->err);
    if (status >= 0) {
        if (text.ptr != NULL)
            agentchat_message_builder_add_text(b, (agentchat_str){text.ptr, text.len});
        for (size_t i = 0; text.ptr == NULL && i < agentchat_item_content_count(result); i++)
            agentchat_message_builder_add_item_copy(b, agentchat_item_content(result, i));
        status = agentchat_message_builder_finish(b, out, p->err);
    }
    agentchat_bytes_clear(&text);
    return status;
}

/* What of a message is cut: itself, or the content of its only result; *content is to be released. */
static agentchat_status find_whole(aci_partial *p, agentchat_message **content)
{
    const agentchat_message *message = p->list[p->index];
    size_t results = 0, count = agentchat_message_item_count(message);
    agentchat_status status;

    for (size_t i = 0; i < count; i++)
        results += agentchat_item_get_kind(agentchat_message_item(message, i)) == AGENTCHAT_ITEM_RESULT;
    p->whole = results == 0 ? message : NULL;
    if (results != 1 || count != 1 || !p->cuts_results)
        return AGENTCHAT_OK;
    status = content_of(p, agentchat_message_item(message, 0), content);
    p->whole = *content;
    return status;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status cut(const aci_partial *p, agentchat_message **out)
{
    agentchat_status status = take_parts(p, out);
    agentchat_str text = last_text(p);
    size_t *pieces = NULL, cap = 0, count;

    if (status < 0 || *out != NULL || text.len == 0)
        return status;
    status = split(p, text, &pieces, &cap, &count);
    if (status >= 0)
        status = take_pieces(p, text, pieces, count, out);
    aci_free(p->env, pieces, cap * sizeof *pieces);
    return status;
}

/* Makes of a message what fits; NULL: nothing does. */
static agentchat_status partial_cut(const aci_partial *given, agentchat_message **out)
{
    aci_partial p = *given;
    agentchat_message *content = NULL;
    agentchat_status status = find_whole(&p, &content);

    *out = NULL;
    if (status >= 0 && p.whole != NULL)
        status = cut(&p, out);
    agentchat_message_unref(content);
    return status;
}

/* ==== trim ======================================================================================================= */
/*
 * Trimming a list to a number of tokens, as LangChain's trim_messages does (langchain-core 1.7.2,
 * langchain_core/messages/utils.py), but that calls and their results stay together.
 */

typedef struct trimming {
    agentchat_trim_options options;
    const agentchat_message **list;
    size_t from, to; /* what stays: messages [from, to) … */
    bool has_system; /* … and the first one */
    bool *keep, *scratch;
    aci_pairs pairs;
    agentchat_message *cut; /* what the message at cut_at becomes; NULL: none was cut */
    size_t cut_at;
    agentchat_error *err;
} trimming;

void agentchat_trim_options_init(agentchat_trim_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

/* ---- roles ------------------------------------------------------------------------------------------------------ */

static bool has_role(const trimming *t, size_t index, const char *list)
{
    return aci_roles_has(list, agentchat_message_role(t->list[index]));
}

/* ---- the budget ------------------------------------------------------------------------------------------------- */

static agentchat_status count(const trimming *t, size_t from, size_t to, uint64_t *tokens)
{
    *tokens = 0;
    return t->options.counter(t->options.counter_user, t->list + from, to - from, tokens, t->err);
}

/* Moves the border that is not at the end that stays until what is between them fits. */
static agentchat_status fit(trimming *t, uint64_t budget)
{
    bool is_last = t->options.strategy == AGENTCHAT_TRIM_LAST;
    size_t low = 0, high = t->to - t->from; /* how many of them fit lies between */
    uint64_t tokens;
    agentchat_status status = count(t, t->from, t->to, &tokens);

    if (status < 0 || tokens <= budget)
        return status;
    while (status >= 0 && low < high) {
        size_t middle = low + (high - low + 1) / 2;

        status = is_last ? count(t, t->to - middle, t->to, &tokens) : count(t, t->from, t->from + middle, &tokens);
        if (tokens <= budget)
            low = middle;
        else
            high = middle - 1;
    }
    if (is_last)
        t->from = t->to - low;
    else
        t->to = t->from + low;
    return status;
}

/* Cuts the message at the border, whose neighbour is the first or last that stays. */
static agentchat_status cut_border(trimming *t, const agentchat_env *env, size_t from, size_t to, uint64_t budget)
{
    bool is_last = t->options.strategy == AGENTCHAT_TRIM_LAST;
    aci_partial partial = {.env = aci_env(env),
                           .list = t->list,
                           .from = t->from - is_last,
                           .to = t->to + !is_last,
                           .is_last = is_last,
                           .budget = budget,
                           .counter = t->options.counter,
                           .user = t->options.counter_user,
                           .split = t->options.split,
                           .split_user = t->options.split_user,
                           .cuts_results = t->options.split_calls,
                           .err = t->err};
    agentchat_status status;

    if (!t->options.allow_partial || (is_last ? t->from == from : t->to == to))
        return AGENTCHAT_OK;
    partial.index = t->cut_at = is_last ? partial.from : t->to;
    status = partial_cut(&partial, &t->cut);
    if (t->cut != NULL) {
        t->from = partial.from;
        t->to = partial.to;
    }
    return status;
}

static agentchat_status take_system(trimming *t, uint64_t *budget)
{
    uint64_t tokens;
    agentchat_status status;

    t->has_system = t->options.include_system && t->to > 0 && has_role(t, 0, "system");
    if (!t->has_system)
        return AGENTCHAT_OK;
    t->from = 1;
    status = count(t, 0, 1, &tokens);
    *budget -= tokens < *budget ? tokens : *budget;
    return status;
}

/* ---- borders ---------------------------------------------------------------------------------------------------- */

/* Whether a message may stand at an end: it has the role, and, where calls stay with their results, none that is alone.
 */
static bool may_stand(const trimming *t, size_t index, const char *roles)
{
    return t->keep[index] && has_role(t, index, roles) && (t->pairs.alone == NULL || !t->pairs.alone[index]);
}

/* Takes messages off both ends of [from, to) until they may stand there. Returns whether any that stayed went. */
static bool move_borders(trimming *t, bool with_groups)
{
    size_t dropped = 0;

    while (t->to > t->from && !may_stand(t, t->to - 1, t->options.end_on)) {
        t->to--;
        dropped += t->keep[t->to];
        if (t->keep[t->to] && with_groups)
            aci_pairs_drop(&t->pairs, t->keep, t->to);
        t->keep[t->to] = false;
    }
    while (t->from < t->to && !may_stand(t, t->from, t->options.start_on)) {
        dropped += t->keep[t->from];
        if (t->keep[t->from] && with_groups)
            aci_pairs_drop(&t->pairs, t->keep, t->from);
        t->keep[t->from++] = false;
    }
    return dropped > 0;
}

static agentchat_status keep_pairs(trimming *t, const agentchat_env *env, const agentchat_messages *messages)
{
    agentchat_status status = aci_pairs_find(&t->pairs, env, messages, t->err);

    if (status < 0)
        return status;
    aci_pairs_complete(&t->pairs, t->keep, t->scratch);
    while (move_borders(t, true))
        ;
    aci_pairs_clear(&t->pairs);
    return AGENTCHAT_OK;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status trim(trimming *t, const agentchat_env *env, const agentchat_messages *messages)
{
    bool is_last = t->options.strategy == AGENTCHAT_TRIM_LAST;
    uint64_t budget = t->options.max_tokens;
    agentchat_status status = AGENTCHAT_OK;
    size_t from, to;

    if (is_last)
        status = take_system(t, &budget);
    while (is_last && t->to > t->from && !has_role(t, t->to - 1, t->options.end_on))
        t->to--;
    from = t->from;
    to = t->to;
    if (status >= 0)
        status = fit(t, budget);
    if (status >= 0)
        status = cut_border(t, env, from, to, budget);
    for (size_t i = 0; status >= 0 && i < messages->count; i++)
        t->keep[i] = (i >= t->from && i < t->to) || (i == 0 && t->has_system);
    if (status < 0)
        return status;
    (void)move_borders(t, false);
    return t->options.split_calls ? AGENTCHAT_OK : keep_pairs(t, env, messages);
}

static agentchat_status check(const agentchat_trim_options *options, agentchat_error *err)
{
    if (options->strategy != AGENTCHAT_TRIM_LAST && options->strategy != AGENTCHAT_TRIM_FIRST)
        return aci_fail(err, AGENTCHAT_E_INVALID, "strategy is none that is known");
    if (options->strategy == AGENTCHAT_TRIM_FIRST && options->start_on != NULL && *options->start_on != '\0')
        return aci_fail(err, AGENTCHAT_E_INVALID, "start_on is for the strategy that keeps the last messages");
    if (options->strategy == AGENTCHAT_TRIM_FIRST && options->include_system)
        return aci_fail(err, AGENTCHAT_E_INVALID, "include_system is for the strategy that keeps the last messages");
    return AGENTCHAT_OK;
}

agentchat_status agentchat_messages_trim(const agentchat_env *env, const agentchat_messages *messages,
                                         const agentchat_trim_options *options, agentchat_list_edit **out,
                                         agentchat_error *err)
{
    trimming t = {.err = err};
    agentchat_status status;
    size_t list_bytes, flag_bytes;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (messages == NULL || options == NULL)
        return aci_fail_null(err, messages == NULL ? "messages" : "options");
    status = aci_env_options_load(&t.options, sizeof t.options, options, err);
    if (status >= 0)
        status = check(&t.options, err);
    if (status < 0)
        return status;
    if (t.options.counter == NULL)
        t.options.counter = agentchat_count_approximately;
    t.to = messages->count;
    t.list = aci_alloc_array(aci_env(env), messages->count + 1, sizeof *t.list, &list_bytes);
    t.keep = aci_alloc_array(aci_env(env), messages->count + 1, 2 * sizeof *t.keep, &flag_bytes);
    if (t.list == NULL || t.keep == NULL) {
        aci_free(aci_env(env), (void *)t.list, list_bytes);
        aci_free(aci_env(env), t.keep, flag_bytes);
        return aci_fail_nomem(err);
    }
    status = agentchat_list_edit_new(env, messages->count, out, err);
    if (status >= 0) {
        t.scratch = t.keep + messages->count;
        aci_list_flatten(messages, t.list);
        status = trim(&t, env, messages);
    }
    if (status >= 0)
        status = aci_list_edit_keep_flagged(*out, t.keep, err);
    if (status >= 0 && t.cut != NULL && t.keep[t.cut_at])
        status = agentchat_list_edit_replace(*out, t.cut_at, t.cut, err);
    agentchat_message_unref(t.cut);
    if (status < 0) {
        agentchat_list_edit_free(*out);
        *out = NULL;
    }
    aci_free(aci_env(env), (void *)t.list, list_bytes);
    aci_free(aci_env(env), t.keep, flag_bytes);
    return status;
}
