/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages have all words of a query. */
#include "thread/query.h"

#include "base/error.h"

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

static bool take_word(void *user, agentchat_str text, const aci_token *token)
{
    aci_query *query = user;
    size_t word = aci_index_find(&query->by_word, token->text);

    if (word == ACI_INDEX_NONE || query->seen[word] == query->message)
        return true;
    query->seen[word] = query->message;
    if (query->found++ == 0)
        keep_excerpt(query, text, token);
    return query->found < query->count;
}

/* ---- the query ------------------------------------------------------------------------------------------------- */

static bool add_word(aci_query *query, agentchat_str text)
{
    bool ok = true;
    agentchat_str word;

    if (aci_index_find(&query->by_word, text) != ACI_INDEX_NONE)
        return true;
    word = aci_arena_copy(query->arena, text, &ok);
    if (!ok || !aci_index_put(&query->by_word, query->env, word, query->count))
        return false;
    if (query->count < ACI_QUERY_WORDS)
        query->first[query->count] = word;
    query->count++;
    return true;
}

agentchat_status aci_query_begin(aci_query *query, const agentchat_env *env, agentchat_str text, agentchat_error *err)
{
    aci_tokenizer tokenizer;
    aci_token token;
    bool ok;

    memset(query, 0, sizeof *query);
    query->env = env;
    aci_message_words_begin(&query->words, env, take_word, query);
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
    aci_message_words_clear(&query->words);
    aci_arena_unref(query->arena);
    memset(query, 0, sizeof *query);
}

agentchat_status aci_query_match(aci_query *query, const agentchat_message *message, bool *matches,
                                 agentchat_error *err)
{
    query->message++;
    query->found = 0;
    if (!aci_message_words_each(&query->words, message))
        return aci_fail_nomem(err);
    *matches = query->found == query->count;
    return AGENTCHAT_OK;
}
