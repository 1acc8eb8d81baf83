/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting the message at the border of a trimmed list, as LangChain does: parts of its content go, then pieces of its
   text. */
#include "list_edit/partial.h"

#include "base/buf.h"
#include "base/error.h"
#include <agentchat/json_text.h>
#include <string.h>

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

agentchat_status aci_partial_cut(const aci_partial *given, agentchat_message **out)
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
