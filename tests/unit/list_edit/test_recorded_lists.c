/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What LangGraph and LangChain answered (tests/interop/langgraph/recorded), and what the library answers. Passed over,
 * by rule: what is about Python's objects (instances, tuples, classes, coercion of odd dicts), the way through another
 * library's dicts (`format`), messages cut in part, counters and splitters that are Python objects, and errors, but for
 * the one that a removal of an unknown id gives.
 */
#include "support/test_support.h"

#include <agentchat/json.h>
#include <agentchat/list_edit.h>
#include <string.h>

enum { MOST = 64 };

static json_t *cases_of(const char *name)
{
    char *dir = test_path(test_data_dir(), "interop/langgraph/recorded"), *path = test_path(dir, name), *text, *line;
    json_t *list = json_array();
    size_t len;

    text = test_file_read(path, &len);
    for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        json_t *one = json_loads(line, JSON_ALLOW_NUL, NULL);

        if (one != NULL) /* lone surrogates, which jansson refuses */
            json_array_append_new(list, one);
    }
    free(text);
    free(path);
    free(dir);
    return list;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static const char *word(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static agentchat_str text_of(const json_t *string)
{
    return (agentchat_str){json_string_value(string), json_string_length(string)};
}

static bool is_block(const json_t *block, const char *type)
{
    return word(block, "type") != NULL && strcmp(word(block, "type"), type) == 0;
}

/* Whether a content is one of ours: text, or a list of texts and images. */
static bool is_plain(const json_t *content)
{
    size_t i;
    json_t *block;

    if (json_is_string(content))
        return true;
    if (!json_is_array(content))
        return false;
    json_array_foreach(content, i,
                       block) if (!json_is_string(block) &&
                                  !(is_block(block, "text") && json_is_string(json_object_get(block, "text"))) &&
                                  !is_block(block, "image_url") && !is_block(block, "image")) return false;
    return true;
}

static void add_content(agentchat_message_builder *b, const json_t *content)
{
    size_t i;
    json_t *block;

    if (json_is_string(content)) {
        agentchat_message_builder_add_text(b, text_of(content));
        return;
    }
    json_array_foreach(content, i, block)
    {
        if (json_is_string(block)) {
            agentchat_message_builder_add_text(b, text_of(block));
        } else if (is_block(block, "text")) {
            agentchat_message_builder_add_text(b, text_of(json_object_get(block, "text")));
        } else {
            agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
            agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("https://example.org/i"));
        }
    }
}

static bool add_calls(agentchat_message_builder *b, const json_t *calls)
{
    size_t i;
    json_t *call;

    json_array_foreach(calls, i, call)
    {
        json_t *id = json_object_get(call, "id"), *args = json_object_get(call, "args");
        char *arguments;

        if (word(call, "name") == NULL || !json_is_object(args) || json_object_get(call, "function") != NULL)
            return false;
        arguments = json_dumps(args, JSON_COMPACT | JSON_ENSURE_ASCII);
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_CALL);
        if (json_is_string(id))
            agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_CALL_ID, text_of(id));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FUNCTION, text_of(json_object_get(call, "name")));
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_ARGUMENTS, agentchat_str_from(arguments));
        free(arguments);
    }
    return true;
}

static void add_result(agentchat_message_builder *b, const json_t *message, const json_t *content)
{
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_RESULT);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_CALL_ID, text_of(json_object_get(message, "tool_call_id")));
    if (json_is_string(content)) {
        char *value = json_dumps(content, JSON_ENCODE_ANY);

        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RESULT, agentchat_str_from(value));
        free(value);
    } else {
        agentchat_message_builder *inner = test_message_builder(NULL, "tool", NULL);
        agentchat_message *made = NULL;
        agentchat_error err;

        add_content(inner, content);
        test_ok(agentchat_message_builder_finish(inner, &made, &err), &err);
        agentchat_message_builder_set_content(b, made);
        agentchat_message_unref(made);
    }
}

/* A message of LangChain's as a dict with a content or as an object, or a text; NULL: it is one to be passed over. */
static agentchat_message *message_of(const json_t *given, bool may_be_object)
{
    static const char *const types[] = {"human", "user", "ai", "assistant", "system", "developer", "tool", "function"};
    const json_t *object = json_object_get(given, "$instance");
    const char *type = word(given, "role") != NULL ? word(given, "role") : word(given, "type");
    json_t *content, *id;
    agentchat_message_builder *b;
    agentchat_message *message = NULL;
    bool is_tool, is_known = false, good = true;
    agentchat_error err;

    if (object == NULL)
        object = json_object_get(given, "$chunk");
    if (object != NULL && !may_be_object)
        return NULL;
    if (object != NULL) {
        given = json_object_get(object, "data");
        type = word(object, "type");
    }
    content = json_object_get(given, "content");
    id = json_object_get(given, "id");

    if (json_is_string(given)) {
        b = test_message_builder(NULL, "human", NULL);
        agentchat_message_builder_add_text(b, text_of(given));
        test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
        return message;
    }
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++)
        is_known = is_known || strcmp(type, types[i]) == 0;
    is_tool = type != NULL && strcmp(type, "tool") == 0;
    if (!is_known || !is_plain(content) || (id != NULL && !json_is_string(id) && !json_is_null(id)) ||
        (is_tool && word(given, "tool_call_id") == NULL) || json_object_get(given, "additional_kwargs") != NULL ||
        (word(given, "role") != NULL && word(given, "type") != NULL))
        return NULL;
    b = test_message_builder(NULL, type, word(given, "name"));
    if (json_is_string(id))
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, text_of(id));
    if (is_tool)
        add_result(b, given, content);
    else
        add_content(b, content);
    good = add_calls(b, json_object_get(given, "tool_calls"));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    if (good)
        return message;
    agentchat_message_unref(message);
    return NULL;
}

/* All of a list; NULL: one of them is to be passed over. */
static agentchat_messages *messages_of(const json_t *list, bool may_be_objects)
{
    agentchat_message *made[MOST];
    agentchat_messages *messages = NULL;
    size_t count = 0, all = json_array_size(list);
    agentchat_error err;

    if (!json_is_array(list) || all > MOST)
        return NULL;
    while (count < all && (made[count] = message_of(json_array_get(list, count), may_be_objects)) != NULL)
        count++;
    if (count == all)
        test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)made, count, &messages, &err), &err);
    while (count-- > 0)
        agentchat_message_unref(made[count]);
    return messages;
}

static agentchat_messages *applied(const agentchat_list_edit *edit, const agentchat_messages *messages)
{
    agentchat_messages *result;
    agentchat_error err;

    test_ok(agentchat_list_edit_apply(edit, messages, &result, &err), &err);
    assert_int_equal(agentchat_messages_count(result), agentchat_list_edit_result_length(edit));
    return result;
}

/* ---- trimming ---------------------------------------------------------------------------------------------------- */

static uint64_t points_of(agentchat_str text)
{
    uint64_t points = 0;

    for (size_t i = 0; i < text.len; i++)
        points += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return points;
}

static agentchat_status count_chars(void *user, const agentchat_message *const *messages, size_t count,
                                    uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)err;
    *tokens = 0;
    for (size_t m = 0; m < count; m++)
        for (size_t i = 0; i < agentchat_message_item_count(messages[m]); i++) {
            const agentchat_item *item = agentchat_message_item(messages[m], i);
            json_t *value = NULL;

            *tokens += points_of(agentchat_item_get(item, AGENTCHAT_FIELD_TEXT));
            for (size_t c = 0; c < agentchat_item_content_count(item); c++)
                *tokens += points_of(agentchat_item_get(agentchat_item_content(item, c), AGENTCHAT_FIELD_TEXT));
            if (agentchat_item_get(item, AGENTCHAT_FIELD_RESULT).ptr != NULL)
                value = json_loads(agentchat_item_get(item, AGENTCHAT_FIELD_RESULT).ptr,
                                   JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, NULL);
            *tokens += points_of(text_of(value));
            json_decref(value);
        }
    return AGENTCHAT_OK;
}

/* Roles with commas, of a type or a list of them. false: classes. */
static bool take_roles(const json_t *given, char *roles)
{
    size_t i;
    json_t *role;

    *roles = '\0';
    if (json_is_string(given))
        strcpy(roles, json_string_value(given));
    json_array_foreach(given, i, role)
    {
        if (!json_is_string(role))
            return false;
        strcat(strcat(roles, i > 0 ? "," : ""), json_string_value(role));
    }
    return given == NULL || json_is_string(given) || json_is_array(given);
}

static size_t split_fives(void *user, agentchat_str text)
{
    size_t units = 0, at = 0;

    (void)user;
    while (at < text.len && units < 5) {
        unsigned char lead = (unsigned char)text.ptr[at];

        units += lead >= 0xF0 ? 2 : 1;
        at += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    }
    return at;
}

static size_t split_words(void *user, agentchat_str text)
{
    size_t at = 0;

    (void)user;
    while (at < text.len && strchr(" \t\r\n", text.ptr[at]) == NULL)
        at++;
    return at < text.len ? at + 1 : at;
}

/* A message that stayed is named by its id, one that was cut is there with its content. */
static bool is_as_recorded(const agentchat_message *message, const json_t *recorded)
{
    agentchat_str id = agentchat_message_get(message, AGENTCHAT_FIELD_ID);
    const json_t *content = json_object_get(recorded, "content");
    size_t texts = 0;

    if (json_is_string(recorded))
        return agentchat_str_equal(id, text_of(recorded));
    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        const json_t *block = json_is_array(content) ? json_array_get(content, texts) : content;

        if (agentchat_item_get_kind(item) == AGENTCHAT_ITEM_CALL)
            continue;
        texts++;
        if (is_block(block, "text"))
            block = json_object_get(block, "text");
        if (json_is_string(block) &&
            !agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_TEXT), text_of(block)))
            return false;
    }
    return texts == (json_is_array(content) ? json_array_size(content) : 1) &&
           agentchat_str_equal(id, text_of(json_object_get(recorded, "id")));
}

static bool has_user(const char *roles)
{
    return strstr(roles, "user") != NULL || strstr(roles, "assistant") != NULL; /* which match nothing there */
}

static bool trims_alike(const json_t *one, const json_t *lists, size_t *compared)
{
    const json_t *given = json_object_get(one, "options"), *output = json_object_get(one, "output"), *list;
    const char *counter = word(one, "counter"), *strategy = word(given, "strategy");
    const char *splitter = word(one, "textSplitter");
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_messages *messages, *result;
    agentchat_list_edit *edit;
    char start[64], end[64];
    bool same = true;
    agentchat_error err;
    size_t i;

    list = json_is_string(json_object_get(one, "messages")) ? json_object_get(lists, word(one, "messages"))
                                                            : json_object_get(one, "messages");
    options.counter = counter == NULL                       ? NULL
                      : strcmp(counter, "len") == 0         ? agentchat_count_messages
                      : strcmp(counter, "chars") == 0       ? count_chars
                      : strcmp(counter, "approximate") == 0 ? agentchat_count_approximately
                                                            : NULL;
    options.allow_partial = json_is_true(json_object_get(given, "allowPartial"));
    options.split = splitter == NULL                 ? NULL
                    : strcmp(splitter, "fives") == 0 ? split_fives
                    : strcmp(splitter, "words") == 0 ? split_words
                                                     : NULL;
    if (output == NULL || options.counter == NULL || (splitter != NULL && options.split == NULL) ||
        !json_is_integer(json_object_get(given, "maxTokens")) ||
        !take_roles(json_object_get(given, "startOn"), start) || !take_roles(json_object_get(given, "endOn"), end) ||
        has_user(start) || has_user(end) || json_object_get(given, "keepSystem") != NULL)
        return true;
    for (i = 0; i < json_array_size(output); i++)
        if (is_block(json_array_get(output, i), "tool")) /* a result that was cut */
            return true;
    for (i = 0; options.allow_partial && i < json_array_size(list); i++)
        if (is_block(json_array_get(list, i), "tool"))
            return true;
    messages = messages_of(list, false);
    if (messages == NULL)
        return true;
    options.max_tokens = json_integer_value(json_object_get(given, "maxTokens")) < 0
                             ? 0
                             : (uint64_t)json_integer_value(json_object_get(given, "maxTokens"));
    options.strategy = strategy != NULL && strcmp(strategy, "first") == 0 ? AGENTCHAT_TRIM_FIRST : AGENTCHAT_TRIM_LAST;
    options.start_on = *start != '\0' ? start : NULL;
    options.end_on = end;
    options.include_system = json_is_true(json_object_get(given, "includeSystem"));
    options.split_calls = true;
    test_ok(agentchat_messages_trim(NULL, messages, &options, &edit, &err), &err);
    result = applied(edit, messages);
    same = agentchat_messages_count(result) == json_array_size(output);
    for (i = 0; same && i < json_array_size(output); i++)
        same = is_as_recorded(agentchat_messages_at(result, i), json_array_get(output, i));
    ++*compared;
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(result);
    agentchat_messages_unref(messages);
    return same;
}

static void test_trim__as_langchain_does(void **state)
{
    json_t *cases = cases_of("trim.jsonl"), *named = cases_of("trim-lists.jsonl"), *lists = json_object(), *one;
    size_t i, compared = 0, failures = 0;

    (void)state;
    json_array_foreach(named, i, one) json_object_set(lists, word(one, "name"), json_object_get(one, "messages"));
    json_array_foreach(cases, i, one) if (!trims_alike(one, lists, &compared))
    {
        print_error("trim: %s\n", word(one, "id"));
        failures++;
    }
    print_message("%zu of %zu compared\n", compared, json_array_size(cases));
    assert_int_equal(failures, 0);
    assert_true(compared >= 1150);
    json_decref(cases);
    json_decref(named);
    json_decref(lists);
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

/* A list of blocks beside calls: there the calls cost nothing, here one block is a text. */
static bool is_list_with_calls(const json_t *messages)
{
    size_t i;
    json_t *one;

    json_array_foreach(messages, i, one) if (json_array_size(json_object_get(one, "tool_calls")) > 0 &&
                                             json_is_array(json_object_get(one, "content")) &&
                                             json_array_size(json_object_get(one, "content")) < 2) return true;
    return false;
}

static bool counts_alike(const json_t *one, size_t *compared)
{
    const json_t *given = json_object_get(one, "options"), *output = json_object_get(one, "output");
    agentchat_token_options figures = AGENTCHAT_TOKEN_OPTIONS_INIT;
    agentchat_messages *messages = messages_of(json_object_get(one, "messages"), false);
    uint64_t tokens = 0;
    agentchat_error err;

    if (messages == NULL || output == NULL || is_list_with_calls(json_object_get(one, "messages")) ||
        json_object_get(given, "tools") != NULL || json_is_true(json_object_get(given, "useUsageMetadataScaling")) ||
        (json_object_get(given, "charsPerToken") != NULL &&
         json_number_value(json_object_get(given, "charsPerToken")) <= 0) ||
        json_number_value(json_object_get(given, "extraTokensPerMessage")) < 0 ||
        (json_object_get(given, "tokensPerImage") != NULL &&
         json_integer_value(json_object_get(given, "tokensPerImage")) <= 0)) {
        agentchat_messages_unref(messages);
        return true;
    }
    figures.chars_per_token = json_number_value(json_object_get(given, "charsPerToken"));
    if (json_object_get(given, "extraTokensPerMessage") != NULL) {
        figures.extra_per_message = json_number_value(json_object_get(given, "extraTokensPerMessage"));
        if (figures.extra_per_message == 0)
            figures.extra_per_message = -1;
    }
    figures.skip_names = json_is_false(json_object_get(given, "countName"));
    if (json_object_get(given, "tokensPerImage") != NULL)
        figures.tokens_per_image = (uint64_t)json_integer_value(json_object_get(given, "tokensPerImage"));
    test_ok(agentchat_messages_count_tokens(messages, NULL, &figures, &tokens, &err), &err);
    ++*compared;
    agentchat_messages_unref(messages);
    if ((json_int_t)tokens != json_integer_value(output))
        print_error("%llu, not %lld\n", (unsigned long long)tokens, (long long)json_integer_value(output));
    return (json_int_t)tokens == json_integer_value(output);
}

static void test_tokens__as_langchain_counts(void **state)
{
    json_t *cases = cases_of("tokens.jsonl"), *one;
    size_t i, compared = 0, failures = 0;

    (void)state;
    json_array_foreach(cases, i, one) if (!counts_alike(one, &compared))
    {
        print_error("tokens: %s\n", word(one, "id"));
        failures++;
    }
    print_message("%zu of %zu compared\n", compared, json_array_size(cases));
    assert_int_equal(failures, 0);
    assert_true(compared >= 200);
    json_decref(cases);
}

/* ---- adding by id ------------------------------------------------------------------------------------------------ */

static bool take_update(const json_t *given, agentchat_message_update *update)
{
    const json_t *data = json_object_get(json_object_get(given, "$instance"), "data");

    if (data != NULL && is_block(json_object_get(given, "$instance"), "remove"))
        given = data;
    else if (!is_block(given, "remove") || json_object_get(given, "content") == NULL) {
        update->remove = (agentchat_str){NULL, 0};
        update->message = message_of(given, true);
        return update->message != NULL;
    }
    update->message = NULL;
    update->remove = text_of(json_object_get(given, "id"));
    return update->remove.ptr != NULL;
}

/* Whether a message has the id and the text that it should have. */
static bool is_expected(const agentchat_message *message, const json_t *expected)
{
    agentchat_str id = agentchat_message_get(message, AGENTCHAT_FIELD_ID), role = agentchat_message_role(message);
    agentchat_str text = text_of(json_object_get(expected, "content"));
    const agentchat_item *item = agentchat_message_item(message, 0);
    bool is_given = word(expected, "id") != NULL && strcmp(word(expected, "id"), "$generated") != 0;
    const char *type = word(expected, "type");

    if (is_given ? !agentchat_str_equal(id, text_of(json_object_get(expected, "id"))) : id.len != 36)
        return false;
    if (strcmp(type, "tool") != 0 && text.ptr != NULL && item != NULL &&
        !agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_TEXT), text))
        return false;
    return agentchat_str_equal(role, agentchat_str_from(type)) ||
           (strcmp(type, "human") == 0 && agentchat_str_equal(role, AGENTCHAT_STR("user"))) ||
           (strcmp(type, "ai") == 0 && agentchat_str_equal(role, AGENTCHAT_STR("assistant"))) ||
           (strcmp(type, "system") == 0 && agentchat_str_equal(role, AGENTCHAT_STR("developer")));
}

static bool adds_alike(const json_t *one, size_t *compared)
{
    const json_t *right = json_object_get(one, "right"), *output = json_object_get(one, "output");
    const char *message = word(json_object_get(one, "error"), "message");
    agentchat_message_update updates[MOST];
    agentchat_messages *left = messages_of(json_object_get(one, "left"), true), *result = NULL;
    agentchat_list_edit *edit = NULL;
    agentchat_status status;
    agentchat_error err;
    size_t count = 0, i;
    bool same = true, is_ours = true, is_unknown = message != NULL && strstr(message, "doesn't exist") != NULL;

    if (left == NULL || !json_is_array(right) || json_object_get(one, "options") != NULL ||
        (output == NULL && !is_unknown)) {
        agentchat_messages_unref(left);
        return true;
    }
    while (count < json_array_size(right) && take_update(json_array_get(right, count), &updates[count]))
        count++;
    for (i = 0; i < json_array_size(output); i++)
        if (is_block(json_array_get(output, i), "remove")) /* which are no messages here */
            is_ours = false;
    if (is_ours && count == json_array_size(right)) {
        ++*compared;
        status = agentchat_messages_add(NULL, left, updates, count, &edit, &err);
        if (is_unknown) {
            same = status == AGENTCHAT_E_NOTFOUND && edit == NULL;
        } else {
            test_ok(status, &err);
            result = applied(edit, left);
            same = agentchat_messages_count(result) == json_array_size(output);
            for (i = 0; same && i < json_array_size(output); i++)
                same = is_expected(agentchat_messages_at(result, i), json_array_get(output, i));
        }
    }
    for (i = 0; i < count; i++)
        agentchat_message_unref(updates[i].message);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(result);
    agentchat_messages_unref(left);
    return same;
}

static void test_add__as_langgraph_does(void **state)
{
    json_t *cases = cases_of("add-messages.jsonl"), *one;
    size_t i, compared = 0, failures = 0;

    (void)state;
    json_array_foreach(cases, i, one) if (!adds_alike(one, &compared))
    {
        print_error("add: %s\n", word(one, "id"));
        failures++;
    }
    print_message("%zu of %zu compared\n", compared, json_array_size(cases));
    assert_int_equal(failures, 0);
    assert_true(compared >= 220);
    json_decref(cases);
}

/* ---- filtering --------------------------------------------------------------------------------------------------- */

/* A list of texts, with NULL after the last; false: it is something else. */
static bool take_list(const json_t *given, const char **out, const char *const **list)
{
    size_t i;
    json_t *text;

    *list = given != NULL ? out : NULL;
    json_array_foreach(given, i, text)
    {
        if (!json_is_string(text) || i == MOST)
            return false;
        out[i] = json_string_value(text);
    }
    out[json_array_size(given)] = NULL;
    return given == NULL || json_is_array(given);
}

static bool filters_alike(const json_t *one, size_t *compared)
{
    static const char *const names[] = {"excludeNames", "excludeTypes", "excludeIds",      "includeNames",
                                        "includeTypes", "includeIds",   "excludeToolCalls"};
    const json_t *given = json_object_get(one, "options"), *output = json_object_get(one, "output");
    const char *texts[7][MOST + 1];
    const char *const *lists[7];
    agentchat_filter_options options = AGENTCHAT_FILTER_OPTIONS_INIT;
    agentchat_messages *messages, *result;
    agentchat_list_edit *edit;
    bool good = output != NULL && json_object_get(given, "unknown") == NULL, same;
    json_t *message;
    agentchat_error err;
    size_t at;

    options.exclude_calls = json_is_true(json_object_get(given, "excludeToolCalls"));
    for (size_t i = 0; i < 7; i++)
        good =
            take_list(options.exclude_calls && i == 6 ? NULL : json_object_get(given, names[i]), texts[i], &lists[i]) &&
            good;
    json_array_foreach(json_object_get(one, "messages"), at, message) good =
        good && json_object_get(message, "$chunk") == NULL; /* whose type is another one there */
    messages = good ? messages_of(json_object_get(one, "messages"), true) : NULL;
    if (messages == NULL)
        return true;
    options.exclude_names = lists[0];
    options.exclude_roles = lists[1];
    options.exclude_ids = lists[2];
    options.include_names = lists[3];
    options.include_roles = lists[4];
    options.include_ids = lists[5];
    options.exclude_call_ids = lists[6];
    test_ok(agentchat_messages_filter(NULL, messages, &options, &edit, &err), &err);
    result = applied(edit, messages);
    same = agentchat_messages_count(result) == json_array_size(output);
    for (size_t i = 0; same && i < json_array_size(output); i++) {
        const json_t *expected = json_array_get(output, i);
        const agentchat_message *left = agentchat_messages_at(result, i);
        size_t calls = 0;

        for (size_t n = 0; n < agentchat_message_item_count(left); n++)
            calls += agentchat_item_get_kind(agentchat_message_item(left, n)) == AGENTCHAT_ITEM_CALL;
        same = calls == json_array_size(json_object_get(expected, "tool_calls")) &&
               agentchat_str_equal(agentchat_message_get(left, AGENTCHAT_FIELD_ID),
                                   text_of(json_object_get(expected, "id")));
    }
    ++*compared;
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(result);
    agentchat_messages_unref(messages);
    return same;
}

static void test_filter__as_langchain_does(void **state)
{
    json_t *cases = cases_of("filter.jsonl"), *one;
    size_t i, compared = 0, failures = 0;

    (void)state;
    json_array_foreach(cases, i, one) if (!filters_alike(one, &compared))
    {
        print_error("filter: %s\n", word(one, "id"));
        failures++;
    }
    print_message("%zu of %zu compared\n", compared, json_array_size(cases));
    assert_int_equal(failures, 0);
    assert_true(compared >= 115);
    json_decref(cases);
}

/* ---- keeping a range --------------------------------------------------------------------------------------------- */

static bool keeps_alike(const json_t *one, size_t *compared)
{
    const json_t *existing = json_object_get(one, "existing"), *update = json_object_get(one, "update");
    const json_t *from = json_object_get(update, "from"), *to = json_object_get(update, "to");
    const json_t *output = json_object_get(one, "output");
    int64_t first = json_integer_value(from), last = json_integer_value(to);
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};
    agentchat_list_edit *edit;
    size_t kept = 0;
    bool same = true;
    agentchat_error err;

    if (!json_is_array(existing) || !json_is_array(output) || !is_block(update, "keep") ||
        (!json_is_null(from) && !json_is_integer(from)) || (!json_is_null(to) && !json_is_integer(to)))
        return true;
    ++*compared;
    test_ok(agentchat_list_edit_new(NULL, json_array_size(existing), &edit, &err), &err);
    test_ok(agentchat_list_edit_keep(edit, json_is_null(from) ? NULL : &first, json_is_null(to) ? NULL : &last, &err),
            &err);
    while (agentchat_list_edit_next(edit, &step))
        for (size_t i = 0; step.kind == AGENTCHAT_EDIT_KEEP && i < step.count; i++, kept++)
            same = same && json_equal(json_array_get(existing, step.index + i), json_array_get(output, kept));
    same = same && kept == json_array_size(output) && kept == agentchat_list_edit_result_length(edit);
    agentchat_list_edit_free(edit);
    return same;
}

static void test_keep__as_python_slices(void **state)
{
    json_t *cases = cases_of("keep-range.jsonl"), *one;
    size_t i, compared = 0;

    (void)state;
    json_array_foreach(cases, i, one) if (!keeps_alike(one, &compared)) fail_msg("keep: %s", word(one, "id"));
    print_message("%zu of %zu compared\n", compared, json_array_size(cases));
    assert_true(compared >= 370);
    json_decref(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trim__as_langchain_does), cmocka_unit_test(test_tokens__as_langchain_counts),
        cmocka_unit_test(test_add__as_langgraph_does),  cmocka_unit_test(test_filter__as_langchain_does),
        cmocka_unit_test(test_keep__as_python_slices),
    };

    return cmocka_run_group_tests_name("recorded_lists", tests, NULL, NULL);
}
