/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of count_tokens_approximately. */
#include "integers.h"
#include "kinds.h"

#include "support/test_support.h"
#include <string.h>

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static json_t *option(const json_t *one, const char *name)
{
    return json_object_get(json_object_get(one, "options"), name);
}

static bool has_image(const json_t *one)
{
    size_t i, b;
    json_t *message, *block;

    json_array_foreach(json_object_get(one, "messages"), i, message)
        json_array_foreach(notation_member(message, "content"), b,
                           block) if (notation_word(block, "type") != NULL &&
                                      strncmp(notation_word(block, "type"), "image", 5) == 0) return true;
    return false;
}

static bool has_figure_of_zero(const json_t *one)
{
    const json_t *per_token = option(one, "charsPerToken"), *per_image = option(one, "tokensPerImage");

    return (json_is_number(per_token) && json_number_value(per_token) == 0) ||
           (json_is_number(per_image) && json_number_value(per_image) == 0 && has_image(one));
}

static bool has_negative_figure(const json_t *one)
{
    return json_number_value(option(one, "charsPerToken")) < 0 ||
           json_number_value(option(one, "extraTokensPerMessage")) < 0;
}

/* A block of a text that is null. */
static bool has_text_of_null(const json_t *one)
{
    size_t i, b;
    json_t *message, *block;

    json_array_foreach(json_object_get(one, "messages"), i, message) json_array_foreach(
        notation_member(message, "content"), b, block) if (json_is_null(json_object_get(block, "text"))) return true;
    return false;
}

static const verdict_rule rules[] = {
    {"a text block whose text is null is an opaque item here", has_text_of_null, 0, "TypeError", AGENTCHAT_OK},
    {"a figure of 0 stands for the default", has_figure_of_zero, ASPECT_LIST, "ZeroDivisionError", AGENTCHAT_OK},
    {"negative figures are refused, or count nothing", has_negative_figure, ASPECT_LIST, NULL, AGENTCHAT_E_INVALID},
    {NULL, NULL, 0, NULL, AGENTCHAT_OK},
};

/* ---- options ----------------------------------------------------------------------------------------------------- */

static void take_figures(const json_t *one, agentchat_token_options *figures)
{
    const json_t *extra = option(one, "extraTokensPerMessage");

    figures->chars_per_token = json_number_value(option(one, "charsPerToken"));
    figures->extra_per_message = json_number_value(extra);
    if (extra != NULL && !(figures->extra_per_message > 0)) /* 0 is the default, less than 0 is none */
        figures->extra_per_message = -1;
    figures->skip_names = json_is_false(option(one, "countName"));
    figures->scale_by_usage = json_is_true(option(one, "useUsageMetadataScaling"));
    figures->tokens_per_image = (uint64_t)json_integer_value(option(one, "tokensPerImage"));
}

/* Numbers that JSON does not have are there, too. */
static bool has_odd_number(const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;

    json_object_foreach((json_t *)value, key,
                        member) if (strcmp(key, "$number") == 0 || has_odd_number(member)) return true;
    json_array_foreach(value, i, member) if (has_odd_number(member)) return true;
    return false;
}

static bool is_odd(const json_t *one)
{
    const json_t *per_image = option(one, "tokensPerImage"), *tools = option(one, "tools");

    return (per_image != NULL && !json_is_integer(per_image)) || has_odd_number(tools) ||
           (tools != NULL && !json_is_array(tools) && !json_is_null(tools));
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* What a rule allows counts less there. */
static verdict decide(const json_t *one, agentchat_status status, uint64_t tokens, uint64_t as_there)
{
    const json_t *output = json_object_get(one, "output");
    json_int_t recorded = json_integer_value(output);

    if (status < 0 || output == NULL)
        return verdict_of_error(one, status, rules);
    if (!json_is_integer(output) || (json_int_t)tokens == recorded)
        return verdict_of(json_is_integer(output));
    if ((json_int_t)as_there == recorded)
        return (verdict){VERDICT_DIFFERENT, KIND_CALLS};
    for (const verdict_rule *rule = rules; rule->says != NULL; rule++)
        if (rule->applies(one) && recorded < (json_int_t)tokens)
            return (verdict){VERDICT_DIFFERENT, rule->says};
    return verdict_of(false);
}

verdict kind_tokens(const kind_case *c)
{
    agentchat_token_options figures = AGENTCHAT_TOKEN_OPTIONS_INIT;
    agentchat_bytes tools = AGENTCHAT_BYTES_INIT;
    notation_form form;
    agentchat_messages *messages = notation_messages(json_object_get(c->one, "messages"), &form);
    agentchat_status status;
    uint64_t tokens = 0, as_there = 0;
    agentchat_error err;

    if (messages == NULL)
        return kind_passed_over(form);
    if (is_odd(c->one)) {
        agentchat_messages_unref(messages);
        return verdict_skipped(KIND_OPTION);
    }
    take_figures(c->one, &figures);
    if (json_is_array(option(c->one, "tools"))) {
        integers_dump(option(c->one, "tools"), &tools);
        figures.tools = tools.ptr;
    }
    status = agentchat_messages_count_tokens(messages, NULL, &figures, &tokens, &err);
    if (status >= 0)
        status = agentchat_messages_count_tokens(messages, kind_count_as_there, &figures, &as_there, &err);
    agentchat_bytes_clear(&tools);
    agentchat_messages_unref(messages);
    return decide(c->one, status, tokens, as_there);
}
