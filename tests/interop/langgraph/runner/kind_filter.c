/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of filter_messages. */
#include "kinds.h"

#include "support/test_support.h"
#include <string.h>

enum { CONDITIONS = 6 };
static const char *const conditions[CONDITIONS] = {"excludeNames", "excludeTypes", "excludeIds",
                                                   "includeNames", "includeTypes", "includeIds"};

static bool is_of_types(size_t condition)
{
    return strcmp(conditions[condition] + strlen("exclude"), "Types") == 0;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static bool has_call(const json_t *calls, const char *id)
{
    size_t i;
    json_t *call;

    json_array_foreach(calls, i, call) if (notation_word(call, "id") != NULL && id != NULL &&
                                           strcmp(notation_word(call, "id"), id) == 0) return true;
    return false;
}

/* Takes the blocks out of a content that stand for calls of the message, which are no items of their own here. */
static void drop_call_blocks(json_t *message)
{
    json_t *content = notation_member(message, "content"), *calls = notation_member(message, "tool_calls");

    for (size_t i = json_array_size(content); i-- > 0;) {
        const json_t *block = json_array_get(content, i);

        if (notation_word(block, "type") != NULL && strcmp(notation_word(block, "type"), "tool_use") == 0 &&
            has_call(calls, notation_word(block, "id")))
            json_array_remove(content, i);
    }
}

static json_t *without_call_blocks(const json_t *one)
{
    json_t *copy = json_deep_copy(one), *message;
    size_t i;

    json_array_foreach(json_object_get(copy, "messages"), i, message) drop_call_blocks(message);
    json_array_foreach(json_object_get(copy, "output"), i, message) drop_call_blocks(message);
    return copy;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static bool names(const json_t *one, bool (*test)(const json_t *one, const json_t *condition))
{
    const json_t *options = json_object_get(one, "options");

    return test(one, json_object_get(options, "excludeTypes")) || test(one, json_object_get(options, "includeTypes"));
}

static bool names_chunk(const json_t *one)
{
    return names(one, kind_names_chunk);
}

static bool names_chat(const json_t *one)
{
    return names(one, kind_names_chat);
}

static const verdict_rule rules[] = {
    {"a chunk has the role of its message here, there a type of its own", names_chunk, ASPECT_CHUNKS, NULL,
     AGENTCHAT_OK},
    {"a ChatMessage is compared by its role here, there by the type \"chat\"", names_chat, ASPECT_CHATS, NULL,
     AGENTCHAT_OK},
    {NULL, NULL, 0, NULL, AGENTCHAT_OK},
};

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* What has no effect there has none here: anything but true and lists of texts. */
static bool take_calls(const json_t *given, kind_texts *ids, agentchat_filter_options *options)
{
    bool is_list =
        json_is_array(given) || json_object_get(given, "$tuple") != NULL || json_object_get(given, "$set") != NULL;

    options->exclude_calls = json_is_true(given);
    if (!is_list)
        return true;
    if (!kind_take_texts(given, false, ids))
        return false;
    options->exclude_call_ids = ids->given;
    return true;
}

static verdict filter(const json_t *one, const agentchat_filter_options *options)
{
    notation_form form;
    const json_t *list = json_object_get(one, "messages");
    agentchat_messages *messages = notation_messages(list, &form);
    verdict_answer answer = {.given = messages, .notation = list};
    agentchat_messages *result = NULL;
    agentchat_list_edit *edit = NULL;
    verdict found;
    agentchat_error err;

    if (messages == NULL)
        return kind_passed_over(form);
    answer.status = agentchat_messages_filter(NULL, messages, options, &edit, &err);
    if (answer.status >= 0)
        answer.result = result = verdict_applied(edit, messages);
    found = verdict_of_list(one, &answer, rules);
    agentchat_messages_unref(result);
    agentchat_messages_unref(messages);
    return found;
}

verdict kind_filter(const kind_case *c)
{
    const json_t *given = json_object_get(c->one, "options");
    agentchat_filter_options options = AGENTCHAT_FILTER_OPTIONS_INIT;
    kind_texts texts[CONDITIONS], ids;
    json_t *one;
    verdict found;

    if (json_object_get(given, "unknown") != NULL ||
        !take_calls(json_object_get(given, "excludeToolCalls"), &ids, &options))
        return verdict_skipped(KIND_OPTION);
    for (size_t i = 0; i < CONDITIONS; i++)
        if (!kind_take_texts(json_object_get(given, conditions[i]), is_of_types(i), &texts[i]))
            return verdict_skipped(KIND_OPTION);
    options.exclude_names = texts[0].given;
    options.exclude_roles = texts[1].given;
    options.exclude_ids = texts[2].given;
    options.include_names = texts[3].given;
    options.include_roles = texts[4].given;
    options.include_ids = texts[5].given;
    one = without_call_blocks(c->one);
    found = filter(one, &options);
    json_decref(one);
    return found;
}
