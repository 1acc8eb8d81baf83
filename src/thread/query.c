/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages have all words of a query. */
#include "thread/query.h"

#include "base/error.h"
#include "text/tokenizer.h"
#include "json/lex.h"
#include "json/value.h"

/* ---- the query ------------------------------------------------------------------------------------------------- */

static bool add_word(aci_query *query, agentchat_str text)
{
    bool ok = true;
    agentchat_str word;

    if (aci_index_find(&query->by_word, text) != ACI_INDEX_NONE)
        return true;
    word = aci_arena_copy(query->arena, text, &ok);
    return ok && aci_index_put(&query->by_word, query->env, word, query->count) && ++query->count > 0;
}

agentchat_status aci_query_begin(aci_query *query, const agentchat_env *env, agentchat_str text, agentchat_error *err)
{
    aci_tokenizer tokenizer;
    aci_token token;
    bool ok;

    memset(query, 0, sizeof *query);
    query->env = env;
    aci_buf_init(&query->decoded, env, SIZE_MAX);
    query->arena = aci_arena_new(env, 0);
    ok = query->arena != NULL;
    aci_tokenizer_begin(&tokenizer, text, false);
    while (ok && aci_tokenizer_next(&tokenizer, &token))
        ok = add_word(query, token.text);
    if (ok && query->count == 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the query has no word to search for");
    if (ok)
        query->seen = aci_arena_alloc(query->arena, query->count * sizeof *query->seen);
    if (query->seen == NULL)
        return aci_fail_nomem(err);
    memset(query->seen, 0, query->count * sizeof *query->seen);
    return AGENTCHAT_OK;
}

void aci_query_clear(aci_query *query)
{
    if (query->env == NULL)
        return;
    aci_index_clear(&query->by_word, query->env);
    aci_buf_clear(&query->decoded);
    aci_arena_unref(query->arena);
    memset(query, 0, sizeof *query);
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

static bool continues_character(agentchat_str text, size_t at)
{
    return at < text.len && ((unsigned char)text.ptr[at] & 0xC0u) == 0x80;
}

/* A third of it before the word, whole characters. */
static void keep_excerpt(aci_query *query, agentchat_str text, const aci_token *token)
{
    size_t begin = token->begin > ACI_MOST_EXCERPT / 3 ? token->begin - ACI_MOST_EXCERPT / 3 : 0;
    size_t end = text.len - begin > ACI_MOST_EXCERPT ? begin + ACI_MOST_EXCERPT : text.len;

    while (begin > 0 && begin < token->begin && continues_character(text, begin))
        begin++;
    while (end < text.len && continues_character(text, end))
        end--;
    query->excerpt_len = end - begin;
    memcpy(query->excerpt, text.ptr + begin, end - begin);
    query->match_begin = token->begin - begin;
    query->match_end = (token->end < end ? token->end : end) - begin;
}

/* The tokenizer would be a part of each level of messages in messages. */
static ACI_NOINLINE void look_at_text(aci_query *query, agentchat_str text)
{
    aci_tokenizer tokenizer;
    aci_token token;

    aci_tokenizer_begin(&tokenizer, text, true);
    while (query->found < query->count && aci_tokenizer_next(&tokenizer, &token)) {
        size_t word = aci_index_find(&query->by_word, token.text);

        if (word == ACI_INDEX_NONE || query->seen[word] == query->message)
            continue;
        query->seen[word] = query->message;
        if (query->found++ == 0)
            keep_excerpt(query, text, &token);
    }
}

/* A string with its quotes. */
static void look_at_string(aci_query *query, agentchat_str raw)
{
    if (memchr(raw.ptr, '\\', raw.len) == NULL) {
        look_at_text(query, (agentchat_str){raw.ptr + 1, raw.len - 2});
        return;
    }
    query->decoded.len = 0;
    if (aci_json_unquote(raw, &query->decoded))
        look_at_text(query, aci_buf_str(&query->decoded));
    else
        query->failed = true;
}

/* Strings, names of members and numbers, wherever they stand in a validated value. */
static void look_at_json(aci_query *query, agentchat_str json)
{
    const char *p = json.ptr, *end = json.ptr + json.len, *begin, *bad;

    while (p < end && !query->failed && query->found < query->count) {
        begin = p;
        if (*p == '"') {
            p = aci_lex_string(p + 1, end, &bad);
            if (p == NULL)
                return;
            look_at_string(query, (agentchat_str){begin, (size_t)(++p - begin)});
        } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
            p = aci_lex_number(p, end, &bad);
            if (p == NULL)
                return;
            look_at_text(query, (agentchat_str){begin, (size_t)(p - begin)});
        } else {
            p++;
        }
    }
}

static bool is_looked_at(unsigned field)
{
    const uint64_t fields = UINT64_C(1) << AGENTCHAT_FIELD_TEXT | UINT64_C(1) << AGENTCHAT_FIELD_PLUGIN |
                            UINT64_C(1) << AGENTCHAT_FIELD_FUNCTION | UINT64_C(1) << AGENTCHAT_FIELD_ARGUMENTS |
                            UINT64_C(1) << AGENTCHAT_FIELD_EXCEPTION | UINT64_C(1) << AGENTCHAT_FIELD_RESULT |
                            UINT64_C(1) << AGENTCHAT_FIELD_LABEL | UINT64_C(1) << AGENTCHAT_FIELD_TITLE;

    return (fields >> (field & 63) & 1) != 0;
}

static void look_at_message(aci_query *query, const agentchat_message *message)
{
    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];

        for (size_t k = 0; k < item->field_count; k++) {
            const aci_field *field = &item->fields[k];

            if (!is_looked_at(field->id))
                continue;
            if (field->form == ACI_FORM_TEXT)
                look_at_text(query, aci_field_text(field));
            else if (field->form == ACI_FORM_JSON)
                look_at_json(query, aci_field_text(field));
        }
        if (aci_item_nested(item) != NULL) /* as deep as the reader of the message allowed */
            look_at_message(query, aci_item_nested(item));
    }
}

agentchat_status aci_query_match(aci_query *query, const agentchat_message *message, bool *matches,
                                 agentchat_error *err)
{
    query->message++;
    query->found = 0;
    look_at_message(query, message);
    *matches = query->found == query->count;
    return query->failed ? aci_fail_nomem(err) : AGENTCHAT_OK;
}
