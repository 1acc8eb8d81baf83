/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

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

bool kind_has_chunks(const json_t *one)
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "messages"), i,
                       message) if (json_object_get(message, "$chunk") != NULL) return true;
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
