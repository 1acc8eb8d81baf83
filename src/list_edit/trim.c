/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trimming a list to a number of tokens, as LangChain's trim_messages does (langchain-core 1.7.2,
 * langchain_core/messages/utils.py), but that calls and their results stay together.
 */
#include "list_edit/list_edit.h"
#include "list_edit/shared.h"

#include "base/error.h"
#include "list_edit/partial.h"
#include <string.h>

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
    status = aci_partial_cut(&partial, &t->cut);
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

/* Takes messages off both ends of [from, to) until they may stand there. Returns whether any that stayed went. */
static bool move_borders(trimming *t, bool with_groups)
{
    size_t dropped = 0;

    while (t->to > t->from && (!t->keep[t->to - 1] || !has_role(t, t->to - 1, t->options.end_on))) {
        t->to--;
        dropped += t->keep[t->to];
        if (t->keep[t->to] && with_groups)
            aci_pairs_drop(&t->pairs, t->keep, t->to);
        t->keep[t->to] = false;
    }
    while (t->from < t->to && (!t->keep[t->from] || !has_role(t, t->from, t->options.start_on))) {
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
