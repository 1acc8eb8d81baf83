/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of merge_message_runs. */
#include "kinds.h"

#include "support/test_support.h"
#include <string.h>

/* ---- rules ------------------------------------------------------------------------------------------------------- */

/* Whether a message of a case has such a content. */
static bool any_content(const json_t *one, bool (*test)(const json_t *content))
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "messages"), i,
                       message) if (test(notation_member(message, "content"))) return true;
    return false;
}

static bool has_index(const json_t *content)
{
    size_t i;
    json_t *block;

    json_array_foreach(content, i, block) if (json_object_get(block, "index") != NULL) return true;
    return false;
}

/* Of an object: that of a dict is an empty text. */
static bool has_empty_list(const json_t *one)
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "messages"), i, message)
    {
        const json_t *content = notation_member(message, "content");

        if (notation_data(message) != message && json_is_array(content) && json_array_size(content) == 0)
            return true;
    }
    return false;
}

static bool is_list(const json_t *content)
{
    return json_array_size(content) > 0;
}

/* A list, and a message that may go on with it. */
static bool has_text_after_list(const json_t *one)
{
    return any_content(one, is_list) && json_array_size(json_object_get(one, "messages")) > 1;
}

static bool has_indices(const json_t *one)
{
    return any_content(one, has_index);
}

static bool has_metadata(const json_t *one)
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "messages"), i,
                       message) if (notation_type(message) != NULL &&
                                    strcmp(notation_type(message), "developer") == 0) return true;
    return kind_has_member(one, "additional_kwargs") || kind_has_member(one, "usage_metadata") ||
           kind_has_member(one, "invalid_tool_calls") || kind_has_member(one, "custom");
}

static bool has_invalid_calls(const json_t *one)
{
    return kind_has_member(one, "invalid_tool_calls");
}

/* Neighbours of which a test says that they are alike. */
static bool any_neighbours(const json_t *one, bool (*test)(const json_t *before, const json_t *message))
{
    const json_t *messages = json_object_get(one, "messages");

    for (size_t i = 1; i < json_array_size(messages); i++)
        if (test(json_array_get(messages, i - 1), json_array_get(messages, i)))
            return true;
    return false;
}

static bool have_one_name(const json_t *before, const json_t *message)
{
    const char *one = notation_word(notation_data(before), "name"),
               *other = notation_word(notation_data(message), "name");

    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

static bool are_chunk_and_message(const json_t *before, const json_t *message)
{
    return json_object_get(before, "$chunk") != NULL && json_object_get(message, "$chunk") == NULL &&
           notation_type(message) != NULL && strcmp(notation_type(before), notation_type(message)) == 0;
}

static bool are_functions_or_chats(const json_t *before, const json_t *message)
{
    const char *one = notation_type(before), *other = notation_type(message);

    return one != NULL && other != NULL && strcmp(one, other) == 0 &&
           (strcmp(one, "function") == 0 || strcmp(one, "generic") == 0 || strcmp(one, "chat") == 0);
}

static bool has_one_name(const json_t *one)
{
    return any_neighbours(one, have_one_name);
}

static bool has_chunk_and_message(const json_t *one)
{
    return any_neighbours(one, are_chunk_and_message);
}

static bool has_functions_or_chats(const json_t *one)
{
    return any_neighbours(one, are_functions_or_chats);
}

static const verdict_rule rules[] = {
    {"a text after a list is an item of its own here, there it is glued to a text at the end", has_text_after_list,
     ASPECT_TEXTS, NULL, AGENTCHAT_OK},
    {"an empty list of content loses the text that comes after it there", has_empty_list, ASPECT_CONTENT, NULL,
     AGENTCHAT_OK},
    {"blocks of one index are glued together there", has_indices, ASPECT_CONTENT, NULL, AGENTCHAT_OK},
    {"the author stays here where a run has one", has_one_name, ASPECT_NAME, NULL, AGENTCHAT_OK},
    {"metadata is the first message's here; there texts of additional_kwargs are glued, usage is added", has_metadata,
     ASPECT_METADATA, "TypeError", AGENTCHAT_OK},
    {"an invalid call becomes a valid one there, with guessed arguments", has_invalid_calls,
     ASPECT_CALLS | ASPECT_METADATA, NULL, AGENTCHAT_OK},
    {"functions of different names and other roles are not merged here, there they are refused", has_functions_or_chats,
     0, "ValueError", AGENTCHAT_OK},
    {NULL, NULL, 0, NULL, AGENTCHAT_OK},
};

/* ---- all --------------------------------------------------------------------------------------------------------- */

verdict kind_merge(const kind_case *c)
{
    const json_t *separator = json_object_get(json_object_get(c->one, "options"), "chunkSeparator");
    agentchat_merge_options options = AGENTCHAT_MERGE_OPTIONS_INIT;
    notation_form form;
    agentchat_messages *messages = notation_messages(json_object_get(c->one, "messages"), &form), *result = NULL;
    verdict_answer answer = {.given = messages};
    agentchat_list_edit *edit = NULL;
    verdict found;
    agentchat_error err;

    options.separator = json_string_value(separator);
    if (has_chunk_and_message(c->one)) {
        agentchat_messages_unref(messages);
        return verdict_skipped("a message after a chunk of its role, which only there are of different classes");
    }
    if (messages == NULL)
        return kind_passed_over(form);
    if (separator != NULL && options.separator == NULL) {
        agentchat_messages_unref(messages);
        return verdict_skipped(KIND_OPTION);
    }
    answer.status = agentchat_messages_merge_runs(NULL, messages, &options, &edit, &err);
    if (answer.status >= 0)
        answer.result = result = verdict_applied(edit, messages);
    found = verdict_of_list(c->one, &answer, rules);
    agentchat_messages_unref(result);
    agentchat_messages_unref(messages);
    return found;
}
