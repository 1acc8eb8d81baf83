/* SPDX-License-Identifier: Apache-2.0 */
#include "notation.h"

#include "integers.h"
#include "support/test_support.h"
#include <stdlib.h>
#include <string.h>

const char *notation_word(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

agentchat_str notation_text(const json_t *string)
{
    return (agentchat_str){json_string_value(string), json_string_length(string)};
}

static const json_t *object_of(const json_t *given)
{
    const json_t *object = json_object_get(given, "$instance");

    return object != NULL ? object : json_object_get(given, "$chunk");
}

const json_t *notation_data(const json_t *given)
{
    const json_t *object = object_of(given);

    return object != NULL ? json_object_get(object, "data") : given;
}

json_t *notation_member(const json_t *given, const char *name)
{
    return json_object_get(notation_data(given), name);
}

const char *notation_type(const json_t *given)
{
    const json_t *object = object_of(given);

    if (object != NULL)
        return notation_word(object, "type");
    return notation_word(given, "role") != NULL && notation_word(given, "class") == NULL ? notation_word(given, "role")
                                                                                         : notation_word(given, "type");
}

/* ---- roles ------------------------------------------------------------------------------------------------------ */

/* The role of a message of ours; NULL: the type is none that is known. */
static const char *role_of(const char *type, const json_t *data)
{
    static const char *const roles[][2] = {{"human", "user"},
                                           {"user", "user"},
                                           {"HumanMessageChunk", "user"},
                                           {"ai", "assistant"},
                                           {"assistant", "assistant"},
                                           {"AIMessageChunk", "assistant"},
                                           {"system", "system"},
                                           {"SystemMessageChunk", "system"},
                                           {"developer", "developer"},
                                           {"tool", "tool"},
                                           {"ToolMessageChunk", "tool"},
                                           {"function", "function"},
                                           {"FunctionMessageChunk", "function"}};
    const char *role;

    for (size_t i = 0; type != NULL && i < sizeof roles / sizeof *roles; i++)
        if (strcmp(type, roles[i][0]) == 0) {
            role = notation_word(json_object_get(data, "additional_kwargs"), "__openai_role__");
            return strcmp(roles[i][1], "system") == 0 && role != NULL && strcmp(role, "developer") == 0 ? role
                                                                                                        : roles[i][1];
        }
    return type != NULL &&
                   (strcmp(type, "chat") == 0 || strcmp(type, "generic") == 0 || strcmp(type, "ChatMessageChunk") == 0)
               ? notation_word(data, "role")
               : NULL;
}

/* A role of OpenAI's that is none. */
static bool has_odd_role(const json_t *data)
{
    const json_t *role = json_object_get(json_object_get(data, "additional_kwargs"), "__openai_role__");

    return role != NULL && (!json_is_string(role) || strcmp(json_string_value(role), "developer") != 0);
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

static void set_raw(agentchat_message_builder *b, const json_t *block, bool is_extra)
{
    agentchat_bytes raw = AGENTCHAT_BYTES_INIT;

    integers_dump(block, &raw);
    if (is_extra)
        agentchat_message_builder_add_extra(b, AGENTCHAT_STR("block"), (agentchat_str){raw.ptr, raw.len},
                                            AGENTCHAT_STR("langchain"));
    else
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RAW, (agentchat_str){raw.ptr, raw.len});
    agentchat_bytes_clear(&raw);
}

static void set_json(agentchat_message_builder *b, agentchat_field field, const json_t *value, bool is_item)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;

    integers_dump(value, &text);
    if (is_item)
        agentchat_message_builder_set_item(b, field, (agentchat_str){text.ptr, text.len});
    else
        agentchat_message_builder_set(b, field, (agentchat_str){text.ptr, text.len});
    agentchat_bytes_clear(&text);
}

static bool is_image(const char *type)
{
    return strcmp(type, "image") == 0 || strcmp(type, "image_url") == 0;
}

/* A text that stood in a list. */
static void mark(agentchat_message_builder *b)
{
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FORM, AGENTCHAT_STR("{\"from\":\"langchain\",\"value\":1}"));
}

static bool add_block(agentchat_message_builder *b, const json_t *block)
{
    const char *type = notation_word(block, "type");
    json_t *text = json_object_get(block, "text");

    if (json_is_string(block)) {
        agentchat_message_builder_add_text(b, notation_text(block));
        mark(b);
        return true;
    }
    if (!json_is_object(block) || type == NULL || (strcmp(type, "text") == 0 && text == NULL))
        return false;
    if (strcmp(type, "text") == 0 && json_is_string(text)) {
        agentchat_message_builder_add_text(b, notation_text(text));
        mark(b);
        if (json_object_size(block) > 2)
            set_raw(b, block, true);
    } else if (is_image(type)) {
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("https://example.org/i"));
        set_raw(b, block, true);
    } else {
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TYPE, agentchat_str_from(type));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FROM, AGENTCHAT_STR("langchain"));
        set_raw(b, block, false);
    }
    return true;
}

/* What Python takes for an empty text. */
static bool is_nothing(const json_t *content)
{
    return json_is_null(content) || json_is_false(content) ||
           (json_is_object(content) && json_object_size(content) == 0) ||
           (json_is_integer(content) && json_integer_value(content) == 0);
}

static bool add_content(agentchat_message_builder *b, const json_t *content)
{
    size_t i;
    json_t *block;

    if (is_nothing(content))
        return true;
    if (json_is_string(content))
        agentchat_message_builder_add_text(b, notation_text(content));
    json_array_foreach(content, i, block) if (!add_block(b, block)) return false;
    return json_is_string(content) || json_is_array(content);
}

/* Whether the content of a message is an empty text: of a dict that is so of what is nothing, an empty list too. */
static bool is_empty_text(const json_t *given, const json_t *data)
{
    const json_t *content = json_object_get(data, "content");

    return data == given && notation_word(given, "class") == NULL &&
           (is_nothing(content) || (json_is_array(content) && json_array_size(content) == 0));
}

static bool add_content_of(agentchat_message_builder *b, const json_t *given, const json_t *data)
{
    if (!is_empty_text(given, data))
        return add_content(b, json_object_get(data, "content"));
    agentchat_message_builder_add_text(b, AGENTCHAT_STR(""));
    return true;
}

/* Whether a call has nothing but what calls have. */
static bool is_call(const json_t *call)
{
    static const char *const names[] = {"name", "args", "id", "type", "extras"};
    const json_t *id = json_object_get(call, "id");
    size_t known = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        known += json_object_get(call, names[i]) != NULL;
    return known == json_object_size(call) && notation_word(call, "name") != NULL &&
           json_is_object(json_object_get(call, "args")) && (json_is_string(id) || json_is_null(id));
}

static bool add_call(agentchat_message_builder *b, const json_t *call)
{
    json_t *id = json_object_get(call, "id"), *args = json_object_get(call, "args");

    if (!is_call(call))
        return false;
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_CALL);
    if (json_is_string(id))
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_CALL_ID, notation_text(id));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FUNCTION, notation_text(json_object_get(call, "name")));
    set_json(b, AGENTCHAT_FIELD_ARGUMENTS, args, true);
    return true;
}

static bool add_calls(agentchat_message_builder *b, const json_t *calls)
{
    size_t i;
    json_t *call;

    json_array_foreach(calls, i, call) if (!add_call(b, call)) return false;
    return calls == NULL || json_is_array(calls) || json_is_null(calls);
}

static bool add_result(agentchat_message_builder *b, const json_t *given, const json_t *data)
{
    const json_t *content = json_object_get(data, "content"), *id = json_object_get(data, "tool_call_id");
    agentchat_message_builder *inner;
    agentchat_message *made = NULL;
    agentchat_error err;
    bool good;

    if (!json_is_string(id))
        return false;
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_RESULT);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_CALL_ID, notation_text(id));
    if (notation_word(data, "status") != NULL && strcmp(notation_word(data, "status"), "success") != 0 &&
        strcmp(notation_word(data, "status"), "error") != 0)
        return false;
    if (notation_word(data, "status") != NULL && strcmp(notation_word(data, "status"), "error") == 0)
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FAILED, AGENTCHAT_STR("true"));
    if (is_empty_text(given, data)) {
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RESULT, AGENTCHAT_STR("\"\""));
        return true;
    }
    if (json_is_string(content)) {
        set_json(b, AGENTCHAT_FIELD_RESULT, content, true);
        return true;
    }
    inner = test_message_builder(NULL, "tool", NULL);
    good = add_content(inner, content);
    test_ok(agentchat_message_builder_finish(inner, &made, &err), &err);
    agentchat_message_builder_set_content(b, made);
    agentchat_message_unref(made);
    return good;
}

/* ---- metadata ---------------------------------------------------------------------------------------------------- */

/* What a message has besides: of an object the known fields and its own, of a dict the rest is `additional_kwargs`. */
static json_t *metadata_of(const json_t *data, bool is_dict, bool is_chunk)
{
    static const char *const shown[] = {"type",   "role",    "content",         "id",
                                        "name",   "class",   "tool_call_id",    "tool_calls",
                                        "status", "example", "tool_call_chunks"};
    static const char *const known[] = {"additional_kwargs", "response_metadata", "artifact"};
    static const char *const fields[] = {"usage_metadata", "invalid_tool_calls", "extra"};
    json_t *metadata = json_object(), *kwargs = json_object(), *extra = json_object(), *value;
    const char *name;

    json_object_foreach((json_t *)data, name, value)
    {
        bool is_shown = false, is_known = false, is_field = false;

        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
            is_shown = is_shown || strcmp(name, shown[i]) == 0;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            is_known = is_known || strcmp(name, known[i]) == 0;
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            is_field = is_field || strcmp(name, fields[i]) == 0;
        if (is_shown || json_is_null(value) || (json_is_object(value) && json_object_size(value) == 0) ||
            (json_is_array(value) && json_array_size(value) == 0))
            continue;
        json_object_set(is_known || (is_field && !is_dict) ? metadata : is_dict ? kwargs : extra, name, value);
    }
    if (json_object_size(kwargs) > 0) {
        json_t *nested = json_object_get(metadata, "additional_kwargs");

        json_object_update(kwargs, json_is_object(nested) ? nested : NULL);
        json_object_set(metadata, "additional_kwargs", kwargs);
    }
    if (json_object_size(extra) > 0 && !is_chunk) /* which loses them when it becomes a message */
        json_object_set(metadata, "extra", extra);
    json_decref(kwargs);
    json_decref(extra);
    return metadata;
}

static void set_metadata(agentchat_message_builder *b, const json_t *data, bool is_dict, bool is_chunk)
{
    json_t *metadata = metadata_of(data, is_dict, is_chunk), *kwargs = json_object_get(metadata, "additional_kwargs");
    const char *role = notation_word(kwargs, "__openai_role__");

    if (role != NULL && strcmp(role, "developer") == 0) {
        json_object_set_new(metadata, "additional_kwargs", json_copy(kwargs));
        kwargs = json_object_get(metadata, "additional_kwargs");
        json_object_del(kwargs, "__openai_role__");
        if (json_object_size(kwargs) == 0)
            json_object_del(metadata, "additional_kwargs");
    }
    if (json_object_size(metadata) > 0)
        set_json(b, AGENTCHAT_FIELD_METADATA, metadata, false);
    json_decref(metadata);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* (role, text), as a tuple or a list. */
static notation_form message_of_pair(const json_t *pair, agentchat_message **out)
{
    const char *role = role_of(json_string_value(json_array_get(pair, 0)), NULL);
    json_t *content = json_array_get(pair, 1);
    agentchat_message_builder *b;
    agentchat_error err;
    bool good;

    if (json_array_size(pair) != 2 || role == NULL || strcmp(role, "tool") == 0 || strcmp(role, "function") == 0 ||
        json_is_null(content))
        return NOTATION_ODD;
    b = test_message_builder(NULL, role, NULL);
    good = add_content(b, content);
    test_ok(agentchat_message_builder_finish(b, out, &err), &err);
    if (good)
        return NOTATION_MESSAGE;
    agentchat_message_unref(*out);
    *out = NULL;
    return NOTATION_ODD;
}

/* The id of a message as text; false: it is none that may be one. */
static bool take_id(const json_t *id, char *number, size_t size, agentchat_str *out)
{
    *out = notation_text(id);
    if (json_is_integer(id)) {
        (void)snprintf(number, size, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
        *out = agentchat_str_from(number);
    }
    return id == NULL || json_is_null(id) || json_is_string(id) || json_is_integer(id);
}

static bool is_removal(const json_t *given, const char *type)
{
    return type != NULL && strcmp(type, "remove") == 0 &&
           (json_object_get(given, "$instance") != NULL || json_is_string(json_object_get(given, "id")));
}

static bool is_plain_dict(const json_t *given, const char *type)
{
    const json_t *kwargs = json_object_get(given, "additional_kwargs");

    const json_t *calls = json_object_get(kwargs, "tool_calls"), *role = json_object_get(given, "role");

    if (notation_word(given, "class") == NULL &&
        (json_array_size(calls) > 0 || json_is_true(json_object_get(given, "example")) ||
         (role != NULL && !json_is_string(role)) ||
         (strcmp(type != NULL ? type : "", "tool") != 0 && json_object_get(given, "tool_call_id") != NULL)))
        return false; /* what is made of more than one member */
    return json_is_object(given) && json_object_get(given, "lc") == NULL &&
           !(notation_word(given, "role") != NULL && notation_word(given, "type") != NULL &&
             notation_word(given, "class") == NULL) &&
           (kwargs == NULL || json_is_object(kwargs)) && type != NULL && json_object_get(given, "message_type") == NULL;
}

/* A message that has data; type and id have been looked at. */
static bool build(const json_t *given, const json_t *data, const char *role, agentchat_str id, agentchat_message **out)
{
    json_t *name = json_object_get(data, "name"), *chunks = json_object_get(data, "tool_call_chunks");
    bool is_output = notation_word(given, "class") != NULL, good;
    agentchat_message_builder *b = test_message_builder(NULL, role, json_string_value(name));
    agentchat_error err;

    if (id.ptr != NULL)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, id);
    good = strcmp(role, "tool") == 0 && notation_member(given, "tool_call_id") != NULL
               ? add_result(b, given, data)
               : strcmp(role, "tool") != 0 && add_content_of(b, given, data);
    good = add_calls(b, json_object_get(data, "tool_calls")) && good &&
           (name == NULL || json_is_string(name) || json_is_null(name)) && json_array_size(chunks) == 0;
    set_metadata(b, data, data == given && !is_output, json_object_get(given, "$chunk") != NULL);
    test_ok(agentchat_message_builder_finish(b, out, &err), &err);
    if (!good) {
        agentchat_message_unref(*out);
        *out = NULL;
    }
    return good;
}

notation_form notation_message(const json_t *given, agentchat_message **out, agentchat_str *removal)
{
    const json_t *data = notation_data(given), *tuple = json_object_get(given, "$tuple");
    const char *type = notation_type(given), *role = role_of(type, data);
    char number[32];
    agentchat_str id;
    agentchat_error err;

    *out = NULL;
    if (json_is_string(given)) {
        test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, notation_text(given), out, &err),
                &err);
        return NOTATION_MESSAGE;
    }
    if (json_is_array(given) || tuple != NULL)
        return message_of_pair(tuple != NULL ? tuple : given, out);
    if (!take_id(json_object_get(data, "id"), number, sizeof number, &id))
        return NOTATION_ODD;
    if (is_removal(given, type)) {
        if (removal != NULL)
            *removal = id;
        return json_is_string(json_object_get(data, "id")) ? NOTATION_REMOVAL : NOTATION_ODD;
    }
    if (has_odd_role(data) && notation_word(given, "class") == NULL)
        return NOTATION_ODD;
    if (role == NULL || (data == given && !is_plain_dict(given, type)))
        return NOTATION_ODD;
    return build(given, data, role, id, out) ? NOTATION_MESSAGE : NOTATION_ODD;
}

agentchat_messages *notation_messages(const json_t *list, notation_form *form)
{
    agentchat_messages *messages = NULL;
    size_t count = 0, all = json_array_size(list);
    agentchat_message **made = calloc(all + 1, sizeof(agentchat_message *));
    agentchat_error err;

    assert_non_null(made);
    *form = json_is_array(list) ? NOTATION_MESSAGE : NOTATION_ODD;
    while (*form == NOTATION_MESSAGE && count < all) {
        *form = notation_message(json_array_get(list, count), &made[count], NULL);
        count += *form == NOTATION_MESSAGE;
    }
    if (*form == NOTATION_MESSAGE)
        test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)made, count, &messages, &err), &err);
    while (count > 0)
        agentchat_message_unref(made[--count]);
    free(made);
    return messages;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

static json_t *string_of(agentchat_str text)
{
    return text.ptr == NULL || agentchat_str_is_null(text) ? json_null() : json_stringn(text.ptr, text.len);
}

static json_t *value_of(const agentchat_item *item, agentchat_field field)
{
    agentchat_str raw = agentchat_item_get(item, field);

    return raw.ptr == NULL || agentchat_str_is_null(raw) ? json_null() : integers_load(raw);
}

/* A part of a content: a text, or the block that it was. */
static json_t *part_of(const agentchat_item *item)
{
    const agentchat_extra *extra = agentchat_item_extra(item, 0);

    if (extra != NULL)
        return integers_load(extra->value);
    return agentchat_item_get_kind(item) == AGENTCHAT_ITEM_TEXT
               ? string_of(agentchat_item_get(item, AGENTCHAT_FIELD_TEXT))
               : value_of(item, AGENTCHAT_FIELD_RAW);
}

static void view_call(json_t *calls, const agentchat_item *item)
{
    json_t *call = json_object();

    json_object_set_new(call, "id", string_of(agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID)));
    json_object_set_new(call, "name", string_of(agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION)));
    json_object_set_new(call, "args", value_of(item, AGENTCHAT_FIELD_ARGUMENTS));
    json_array_append_new(calls, call);
}

static void view_result(json_t *view, json_t *content, const agentchat_item *item)
{
    json_object_set_new(view, "call_id", string_of(agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID)));
    json_object_set_new(view, "failed", value_of(item, AGENTCHAT_FIELD_FAILED));
    if (agentchat_item_get(item, AGENTCHAT_FIELD_RESULT).ptr != NULL)
        json_array_append_new(content, value_of(item, AGENTCHAT_FIELD_RESULT));
    for (size_t i = 0; i < agentchat_item_content_count(item); i++)
        json_array_append_new(content, part_of(agentchat_item_content(item, i)));
}

json_t *notation_view(const agentchat_message *message)
{
    json_t *view = json_object(), *content = json_array(), *calls = json_array();
    agentchat_str metadata = agentchat_message_get(message, AGENTCHAT_FIELD_METADATA);

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);

        if (agentchat_item_get_kind(item) == AGENTCHAT_ITEM_CALL)
            view_call(calls, item);
        else if (agentchat_item_get_kind(item) == AGENTCHAT_ITEM_RESULT)
            view_result(view, content, item);
        else
            json_array_append_new(content, part_of(item));
    }
    /* No content and an empty text are the same. */
    if (json_array_size(content) == 1 && json_is_string(json_array_get(content, 0)) &&
        json_string_length(json_array_get(content, 0)) == 0)
        json_array_clear(content);
    json_object_set_new(view, "role", string_of(agentchat_message_role(message)));
    json_object_set_new(view, "id", string_of(agentchat_message_get(message, AGENTCHAT_FIELD_ID)));
    json_object_set_new(view, "name", string_of(agentchat_message_name(message)));
    json_object_set_new(view, "content", content);
    json_object_set_new(view, "calls", calls);
    json_object_set_new(view, "metadata", metadata.ptr != NULL ? integers_load(metadata) : json_null());
    return view;
}
