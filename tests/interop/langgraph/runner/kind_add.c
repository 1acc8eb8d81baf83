/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of add_messages. */
#include "kinds.h"

#include "support/test_support.h"
#include <stdlib.h>
#include <string.h>

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static bool is_absent(const json_t *given)
{
    return given == NULL || json_is_null(given) || json_object_get(given, "$absent") != NULL;
}

/* What is no list is a list of one. A new reference; NULL: the argument is not given. */
static json_t *as_list(const json_t *given)
{
    json_t *list;

    if (is_absent(given))
        return NULL;
    if (json_is_array(given))
        return json_incref((json_t *)given);
    list = json_array();
    json_array_append(list, (json_t *)given);
    return list;
}

typedef struct updates {
    agentchat_message_update *list;
    size_t count;
} updates;

static bool take_updates(const json_t *list, updates *out)
{
    notation_form form = NOTATION_MESSAGE;
    size_t all = json_array_size(list);

    out->count = 0;
    out->list = calloc(all + 1, sizeof *out->list);
    assert_non_null(out->list);
    while (form != NOTATION_ODD && out->count < all) {
        agentchat_message *message = NULL;
        agentchat_str removal = {NULL, 0};

        form = notation_message(json_array_get(list, out->count), &message, &removal);
        if (form != NOTATION_ODD)
            out->list[out->count++] = (agentchat_message_update){message, removal};
    }
    return out->count == all;
}

static void clear_updates(updates *u)
{
    while (u->count > 0)
        agentchat_message_unref(u->list[--u->count].message);
    free(u->list);
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static bool is_type(const json_t *given, const char *type)
{
    return notation_type(given) != NULL && strcmp(notation_type(given), type) == 0;
}

static bool is_removal_dict(const json_t *given)
{
    return is_type(given, "remove") && json_object_get(given, "$instance") == NULL &&
           json_object_get(given, "content") == NULL;
}

static bool has_removal_dict(const json_t *one)
{
    json_t *right = as_list(json_object_get(one, "right")), *message;
    bool found = is_removal_dict(json_object_get(one, "left"));
    size_t i;

    json_array_foreach(json_object_get(one, "left"), i, message) found = found || is_removal_dict(message);
    json_array_foreach(right, i, message) found = found || is_removal_dict(message);
    json_decref(right);
    return found;
}

/* A removal after one that removes all. */
static bool has_removal_after_all(const json_t *one)
{
    json_t *right = json_object_get(one, "right"), *message;
    bool all = false;
    size_t i;

    json_array_foreach(right, i, message)
    {
        const char *id = notation_word(notation_data(message), "id");

        if (!is_type(message, "remove") || id == NULL)
            continue;
        if (strcmp(id, "__remove_all__") == 0)
            all = true;
        else if (all)
            return true;
    }
    return false;
}

/* Two messages of one id after a removal of all. */
static bool has_twice_after_all(const json_t *one)
{
    json_t *right = json_object_get(one, "right"), *message, *seen = json_object();
    bool all = false, twice = false;
    size_t i;

    json_array_foreach(right, i, message)
    {
        const char *id = notation_word(notation_data(message), "id");

        if (id != NULL && is_type(message, "remove")) {
            all = all || strcmp(id, "__remove_all__") == 0;
        } else if (id != NULL && all) {
            twice = twice || json_object_get(seen, id) != NULL;
            json_object_set_new(seen, id, json_true());
        }
    }
    json_decref(seen);
    return twice;
}

static bool has_format(const json_t *one)
{
    const char *format = notation_word(json_object_get(one, "options"), "format");

    return format != NULL && strcmp(format, "langchain-openai") == 0;
}

/* What the way through OpenAI's dicts makes other messages of: anything but texts and results. */
static bool is_converted(const json_t *message)
{
    size_t i;
    json_t *block;

    if (is_type(message, "chat") || is_type(message, "generic"))
        return true;
    json_array_foreach(notation_member(message, "content"), i,
                       block) if (json_is_object(block) && !is_type(block, "text")) return true;
    return false;
}

static bool has_format_and_blocks(const json_t *one)
{
    size_t i;
    json_t *message;

    json_array_foreach(json_object_get(one, "left"), i, message) if (is_converted(message)) return has_format(one);
    json_array_foreach(json_object_get(one, "right"), i, message) if (is_converted(message)) return has_format(one);
    return false;
}

static const verdict_rule rules[] = {
    {"a removal needs no content here", has_removal_dict, 0, "ValueError", AGENTCHAT_E_NOTFOUND},
    {"a removal after the removal of all is of what came in between here, or of an id that is not there",
     has_removal_after_all, ASPECT_LIST, NULL, AGENTCHAT_E_NOTFOUND},
    {"an id names one message here, after a removal of all too", has_twice_after_all, ASPECT_LIST, NULL, AGENTCHAT_OK},
    {"format \"langchain-openai\" loses ids and more there", has_format, ASPECT_ID | ASPECT_METADATA | ASPECT_TEXTS,
     NULL, AGENTCHAT_OK},
    {NULL, NULL, 0, NULL, AGENTCHAT_OK},
};

/* ---- all --------------------------------------------------------------------------------------------------------- */

static verdict add(const json_t *one, const agentchat_messages *left, const updates *u, bool is_given)
{
    verdict_answer answer = {.given = left};
    agentchat_messages *result = NULL;
    agentchat_list_edit *edit = NULL;
    verdict found;
    agentchat_error err;

    answer.status = agentchat_messages_add(NULL, left, is_given ? u->list : NULL, is_given ? u->count : 1, &edit, &err);
    if (answer.status >= 0)
        answer.result = result = verdict_applied(edit, left);
    found = verdict_of_list(one, &answer, rules);
    agentchat_messages_unref(result);
    return found;
}

static verdict add_lists(const json_t *one, const json_t *left, const json_t *right)
{
    notation_form form = NOTATION_MESSAGE;
    agentchat_messages *messages = left != NULL ? notation_messages(left, &form) : NULL;
    verdict found = kind_passed_over(form);
    updates u;

    if (form == NOTATION_MESSAGE) {
        found = take_updates(right, &u) ? add(one, messages, &u, right != NULL) : kind_passed_over(NOTATION_ODD);
        clear_updates(&u);
    }
    agentchat_messages_unref(messages);
    return found;
}

verdict kind_add(const kind_case *c)
{
    const json_t *format = json_object_get(json_object_get(c->one, "options"), "format");
    json_t *left = as_list(json_object_get(c->one, "left")), *right = as_list(json_object_get(c->one, "right"));
    verdict found;

    if (left == NULL && right == NULL)
        found = verdict_skipped("no argument is given, which makes a function there");
    else if (format != NULL && !json_is_null(format) && !(json_is_string(format) && json_string_length(format) == 0) &&
             !has_format(c->one))
        found = verdict_skipped("a format that is none");
    else if (has_format_and_blocks(c->one))
        found = verdict_skipped("blocks on their way through OpenAI's dicts");
    else
        found = add_lists(c->one, left, right);
    json_decref(left);
    json_decref(right);
    return found;
}
