/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "support/test_support.h"
#include <stdlib.h>
#include <string.h>

verdict kind_passed_over(notation_form form)
{
    return verdict_skipped(form == NOTATION_REMOVAL ? KIND_REMOVAL : KIND_ODD);
}

/* The role of a class of messages; NULL: it is none of the plain ones. */
static const char *role_of_class(const char *name)
{
    static const char *const roles[][2] = {{"HumanMessage", "user"},
                                           {"AIMessage", "assistant"},
                                           {"SystemMessage", "system"},
                                           {"ToolMessage", "tool"},
                                           {"FunctionMessage", "function"}};

    for (size_t i = 0; name != NULL && i < sizeof roles / sizeof *roles; i++)
        if (strcmp(name, roles[i][0]) == 0)
            return roles[i][1];
    return NULL;
}

static const char *text_of(const json_t *given, bool is_type)
{
    if (is_type && json_is_object(given))
        return role_of_class(notation_word(given, "$class"));
    return json_string_value(given);
}

bool kind_take_texts(const json_t *given, bool is_type, kind_texts *out)
{
    const json_t *tuple = json_object_get(given, "$tuple"), *set = json_object_get(given, "$set");
    size_t i = 0;
    json_t *text;

    *out = (kind_texts){{NULL}, NULL};
    given = tuple != NULL ? tuple : set != NULL ? set : given;
    if (given == NULL || json_is_null(given))
        return true;
    out->given = out->list;
    if (!json_is_array(given)) {
        out->list[0] = text_of(given, is_type);
        return is_type && out->list[0] != NULL;
    }
    json_array_foreach(given, i, text)
    {
        if (i == KIND_MOST || text_of(text, is_type) == NULL)
            return false;
        out->list[i] = text_of(text, is_type);
    }
    return true;
}

/* ---- predicates -------------------------------------------------------------------------------------------------- */

bool kind_names(const json_t *condition, const char *text)
{
    const json_t *tuple = json_object_get(condition, "$tuple"), *set = json_object_get(condition, "$set");
    size_t i;
    json_t *one;

    if (text == NULL)
        return false;
    condition = tuple != NULL ? tuple : set != NULL ? set : condition;
    if (json_is_string(condition))
        return strcmp(json_string_value(condition), text) == 0;
    json_array_foreach(condition, i,
                       one) if (json_is_string(one) && strcmp(json_string_value(one), text) == 0) return true;
    return false;
}

/* The type that a chunk has there: the name of its class. */
static const char *class_of_chunk(const char *type)
{
    static const char *const classes[][2] = {{"human", "HumanMessageChunk"},
                                             {"ai", "AIMessageChunk"},
                                             {"system", "SystemMessageChunk"},
                                             {"tool", "ToolMessageChunk"},
                                             {"function", "FunctionMessageChunk"}};

    for (size_t i = 0; type != NULL && i < sizeof classes / sizeof *classes; i++)
        if (strcmp(type, classes[i][0]) == 0)
            return classes[i][1];
    return NULL;
}

bool kind_names_chunk(const json_t *one, const json_t *condition)
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "messages"), i,
                       message) if (json_object_get(message, "$chunk") != NULL &&
                                    (kind_names(condition, notation_type(message)) ||
                                     kind_names(condition, class_of_chunk(notation_type(message))))) return true;
    return false;
}

bool kind_names_chat(const json_t *one, const json_t *condition)
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "messages"), i, message)
    {
        const char *type = notation_type(message), *role = notation_word(notation_data(message), "role");

        if (type != NULL && (strcmp(type, "chat") == 0 || strcmp(type, "generic") == 0) &&
            (kind_names(condition, "chat") || kind_names(condition, type) || kind_names(condition, role)))
            return true;
    }
    return false;
}

static bool is_empty(const json_t *value)
{
    return value == NULL || json_is_null(value) || (json_is_array(value) && json_array_size(value) == 0) ||
           (json_is_object(value) && json_object_size(value) == 0);
}

bool kind_has_member(const json_t *one, const char *name)
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "messages"), i,
                       message) if (!is_empty(notation_member(message, name))) return true;
    return false;
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

/* Whether the content of a message is a list of parts: anything but one text that did not stand in a list. */
static bool is_list(const agentchat_message *message)
{
    size_t texts = 0, others = 0;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_item_kind kind = agentchat_item_get_kind(item);

        texts += kind == AGENTCHAT_ITEM_TEXT && agentchat_item_get(item, AGENTCHAT_FIELD_FORM).ptr == NULL;
        others += kind != AGENTCHAT_ITEM_CALL && kind != AGENTCHAT_ITEM_TEXT;
    }
    return texts != 1 || others > 0;
}

/* A message without its calls, where these cost nothing there. */
static agentchat_message *without_calls(const agentchat_message *message)
{
    agentchat_message_builder *b;
    agentchat_message *made;
    agentchat_error err;

    test_ok(agentchat_message_builder_from(NULL, message, &b, &err), &err);
    for (size_t i = agentchat_message_item_count(message); i-- > 0;)
        if (is_list(message) && agentchat_item_get_kind(agentchat_message_item(message, i)) == AGENTCHAT_ITEM_CALL)
            agentchat_message_builder_remove_items(b, i, 1);
    test_ok(agentchat_message_builder_finish(b, &made, &err), &err);
    return made;
}

agentchat_status kind_count_as_there(void *user, const agentchat_message *const *messages, size_t count,
                                     uint64_t *tokens, agentchat_error *err)
{
    agentchat_message **list = calloc(count + 1, sizeof *list);
    agentchat_status status;

    assert_non_null(list);
    for (size_t i = 0; i < count; i++)
        list[i] = without_calls(messages[i]);
    status = agentchat_count_approximately(user, (const agentchat_message *const *)list, count, tokens, err);
    for (size_t i = 0; i < count; i++)
        agentchat_message_unref(list[i]);
    free(list);
    return status;
}
