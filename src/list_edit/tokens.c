/* SPDX-License-Identifier: Apache-2.0 */
/* Counting tokens: approximately, as LangChain does; messages; characters. */
#include "list_edit/list_edit.h"
#include "list_edit/shared.h"

#include "base/b64.h"
#include "base/env.h"
#include "base/error.h"
#include "list_edit/python_text.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <string.h>

void agentchat_token_options_init(agentchat_token_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_str text_of(const agentchat_item *item, agentchat_field field)
{
    agentchat_str text = agentchat_item_get(item, field);

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

static agentchat_str text_of_message(const agentchat_message *message, agentchat_field field)
{
    agentchat_str text = agentchat_message_get(message, field);

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

/* ---- approximately ---------------------------------------------------------------------------------------------- */

/* What a message has in code points, and its media: no service bills the characters of their base64. */
typedef struct content {
    uint64_t chars, media;
    size_t parts; /* items that are no calls */
} content;

/* Whether a string of a value that nobody knows is a medium: long, and nothing but base64, as a data URI or bare. A
   shorter one costs little as text. */
static bool is_medium(agentchat_str raw)
{
    static const char scheme[] = "\"data:";
    enum { LONG = 1000 };
    const char *begin = raw.ptr, *end = raw.ptr + raw.len;

    if (raw.len <= LONG)
        return false;
    if (memcmp(begin, scheme, sizeof scheme - 1) == 0 && (begin = memchr(begin, ',', raw.len)) != NULL)
        begin++;
    while (begin != NULL && begin < end) {
        begin += aci_b64_alphabet_prefix(begin, (size_t)(end - begin));
        if (begin < end && strchr("\"=-_\\", *begin++) == NULL)
            return false;
    }
    return begin == end;
}

/* A raw value of which the media are counted apart; measure says how long all the rest is. */
static void add_value(content *c, agentchat_str raw, uint64_t (*measure)(agentchat_str raw))
{
    agentchat_json_walk walk;

    c->chars += measure(raw);
    if (raw.len == 0)
        return;
    agentchat_json_walk_begin(&walk, raw);
    while (agentchat_json_walk_step(&walk) != AGENTCHAT_JSON_END)
        if (*walk.value.ptr == '"' && is_medium(walk.value)) {
            c->media++;
            c->chars -= measure(walk.value);
        }
}

static void add_item(content *c, const agentchat_item *item);

/* A result: the text of its content, or its value. */
static void add_result(content *c, const agentchat_item *item)
{
    agentchat_str value = text_of(item, AGENTCHAT_FIELD_RESULT);

    c->chars += aci_python_text_code_points(text_of(item, AGENTCHAT_FIELD_CALL_ID));
    for (size_t i = 0; i < agentchat_item_content_count(item); i++)
        add_item(c, agentchat_item_content(item, i));
    if (value.ptr != NULL && *value.ptr == '"' && agentchat_item_content_count(item) == 0)
        c->chars += aci_python_text_string(value);
    else if (value.ptr != NULL && agentchat_item_content_count(item) == 0)
        add_value(c, value, aci_python_text_code_points);
}

static void add_item(content *c, const agentchat_item *item)
{
    switch ((agentchat_item_kind)agentchat_item_get_kind(item)) {
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_ANNOTATION:
        break;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        c->media++;
        break;
    case AGENTCHAT_ITEM_RESULT:
        add_result(c, item);
        break;
    case AGENTCHAT_ITEM_OPAQUE:
        add_value(c, text_of(item, AGENTCHAT_FIELD_RAW), aci_python_text_repr);
        break;
    case AGENTCHAT_ITEM_MESSAGE:
        for (size_t i = 0; i < agentchat_message_item_count(agentchat_item_message(item)); i++)
            add_item(c, agentchat_message_item(agentchat_item_message(item), i));
        break;
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_FILE:
    case AGENTCHAT_ITEM_REASONING:
    case AGENTCHAT_ITEM_ACTION:
    case AGENTCHAT_ITEM_MAX_:
        c->chars += aci_python_text_code_points(text_of(item, AGENTCHAT_FIELD_TEXT)) +
                    aci_python_text_code_points(text_of(item, AGENTCHAT_FIELD_FILE_ID));
        break;
    }
    c->parts += agentchat_item_get_kind(item) != AGENTCHAT_ITEM_CALL;
}

/* The calls of a message as Python prints their list, which is how LangChain counts them where the content is a text.
 */
static uint64_t points_of_calls(const agentchat_message *message)
{
    static const char name[] = "{'name': , 'args': , 'id': , 'type': 'tool_call'}";
    uint64_t points = 0;
    size_t calls = 0;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_str arguments = text_of(item, AGENTCHAT_FIELD_ARGUMENTS);
        agentchat_str id = text_of(item, AGENTCHAT_FIELD_CALL_ID);

        if (agentchat_item_get_kind(item) != AGENTCHAT_ITEM_CALL)
            continue;
        points += sizeof name - 1 + aci_python_text_quoted(text_of(item, AGENTCHAT_FIELD_FUNCTION)) +
                  aci_python_text_repr(arguments.ptr != NULL ? arguments : AGENTCHAT_STR("{}")) +
                  (id.ptr != NULL ? aci_python_text_quoted(id) : sizeof "None" - 1);
        calls++;
    }
    return calls > 0 ? points + 2 * calls : 0; /* brackets, and a comma and a space between */
}

static uint64_t points_of_role(agentchat_str role)
{
    return agentchat_str_equal(role, AGENTCHAT_STR("human")) ? sizeof "user" - 1
           : agentchat_str_equal(role, AGENTCHAT_STR("ai"))  ? sizeof "assistant" - 1
                                                             : aci_python_text_code_points(role);
}

/* From here on doubles are whole, and an integer need not hold them. */
#define ALL_WHOLE 9007199254740992.0

static double ceiling(double value)
{
    double whole = value < ALL_WHOLE ? (double)(uint64_t)value : value;

    return whole < value ? whole + 1 : whole;
}

static uint64_t to_integer(double whole)
{
    return whole < (double)UINT64_MAX ? (uint64_t)whole : UINT64_MAX;
}

static double tokens_of(const agentchat_message *message, const agentchat_token_options *figures)
{
    content c = {0, 0, 0};
    agentchat_str name = agentchat_message_name(message);

    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        add_item(&c, agentchat_message_item(message, i));
    if (c.parts <= 1) /* a text, or nothing */
        c.chars += points_of_calls(message);
    c.chars += points_of_role(agentchat_message_role(message));
    if (name.ptr != NULL && !agentchat_str_is_null(name) && !figures->skip_names)
        c.chars += aci_python_text_code_points(name);
    return (double)c.media * (double)figures->tokens_per_image + ceiling((double)c.chars / figures->chars_per_token) +
           figures->extra_per_message;
}

/* ---- what services counted -------------------------------------------------------------------------------------- */

/* What corrects an estimate, gathered message by message. */
typedef struct usage {
    agentchat_str provider; /* of all assistants' messages so far, raw; absent: none has one */
    bool is_mixed;
    double counted, estimated; /* up to the last message that says how much was counted */
} usage;

static bool is_given(agentchat_str raw)
{
    agentchat_json_kind kind = agentchat_json_kind_of(raw);

    return kind != AGENTCHAT_JSON_NONE && kind != AGENTCHAT_JSON_NULL;
}

static void add_usage(usage *u, const agentchat_message *message, double estimated)
{
    agentchat_str metadata = text_of_message(message, AGENTCHAT_FIELD_METADATA);
    agentchat_str provider = agentchat_json_find(agentchat_json_find(metadata, AGENTCHAT_STR("response_metadata")),
                                                 AGENTCHAT_STR("model_provider"));
    agentchat_str total = agentchat_json_find(agentchat_json_find(metadata, AGENTCHAT_STR("usage_metadata")),
                                              AGENTCHAT_STR("total_tokens"));
    int64_t counted;

    if (!agentchat_str_equal(aci_roles_plain(agentchat_message_role(message)), AGENTCHAT_STR("assistant")))
        return;
    if (!is_given(u->provider))
        u->provider = provider;
    else if (!agentchat_str_equal(provider, u->provider))
        u->is_mixed = true;
    if (agentchat_json_kind_of(total) == AGENTCHAT_JSON_NUMBER && aci_json_integer(total, &counted)) {
        u->counted = (double)counted;
        u->estimated = estimated;
    }
}

static double scale_of(const usage *u, size_t count)
{
    double scale;

    if (count < 2 || u->is_mixed || !is_given(u->provider) || !(u->estimated > 0))
        return 1;
    scale = u->counted / u->estimated;
    return scale < 1 ? 1 : scale > 1.25 ? 1.25 : scale;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status load_figures(agentchat_token_options *figures, const void *user, agentchat_error *err)
{
    agentchat_status status = aci_env_options_load(figures, sizeof *figures, user, err);

    if (status < 0)
        return status;
    if (!(figures->chars_per_token >= 0))
        return aci_fail(err, AGENTCHAT_E_INVALID, "chars_per_token must be positive");
    if (figures->extra_per_message != figures->extra_per_message)
        return aci_fail(err, AGENTCHAT_E_INVALID, "extra_per_message must be a number");
    figures->chars_per_token = figures->chars_per_token > 0 ? figures->chars_per_token : 4;
    figures->extra_per_message = figures->extra_per_message == 0  ? 3
                                 : figures->extra_per_message < 0 ? 0
                                                                  : figures->extra_per_message;
    figures->tokens_per_image = figures->tokens_per_image > 0 ? figures->tokens_per_image : 85;
    return AGENTCHAT_OK;
}

static agentchat_status count_tools(const agentchat_token_options *figures, double *tokens, agentchat_error *err)
{
    uint64_t points = 0;
    agentchat_str tools;
    agentchat_json_walk walk;
    agentchat_status status;

    *tokens = 0;
    if (figures->tools == NULL)
        return AGENTCHAT_OK;
    status = agentchat_json_check(NULL, agentchat_str_from(figures->tools), &tools, err);
    if (status < 0)
        return status;
    if (agentchat_json_kind_of(tools) != AGENTCHAT_JSON_ARRAY)
        return aci_fail(err, AGENTCHAT_E_INVALID, "tools must be a JSON array");
    agentchat_json_walk_into(&walk, tools);
    while (agentchat_json_walk_next(&walk))
        points += aci_python_text_json(walk.value);
    *tokens = ceiling((double)points / figures->chars_per_token);
    return AGENTCHAT_OK;
}

agentchat_status agentchat_count_approximately(void *user, const agentchat_message *const *messages, size_t count,
                                               uint64_t *tokens, agentchat_error *err)
{
    agentchat_token_options figures;
    usage counted = {{NULL, 0}, false, 0, 0};
    agentchat_status status;
    double total;

    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = 0;
    if (messages == NULL && count > 0)
        return aci_fail_null(err, "messages");
    status = load_figures(&figures, user, err);
    if (status >= 0)
        status = count_tools(&figures, &total, err);
    if (status < 0)
        return status;
    for (size_t i = 0; i < count; i++) {
        total += tokens_of(messages[i], &figures);
        if (figures.scale_by_usage)
            add_usage(&counted, messages[i], total);
    }
    *tokens = to_integer(ceiling(total * scale_of(&counted, count)));
    return AGENTCHAT_OK;
}

/* ---- messages and characters ------------------------------------------------------------------------------------ */

agentchat_status agentchat_count_messages(void *user, const agentchat_message *const *messages, size_t count,
                                          uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    (void)messages;
    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = count;
    return AGENTCHAT_OK;
}

static uint64_t characters_of(const agentchat_item *item)
{
    const agentchat_message *nested = agentchat_item_message(item);
    agentchat_str value = text_of(item, AGENTCHAT_FIELD_RESULT);
    uint64_t points = aci_python_text_code_points(text_of(item, AGENTCHAT_FIELD_TEXT));

    for (size_t i = 0; i < agentchat_item_content_count(item); i++)
        points += characters_of(agentchat_item_content(item, i));
    for (size_t i = 0; i < agentchat_message_item_count(nested); i++)
        points += characters_of(agentchat_message_item(nested, i));
    if (value.ptr != NULL)
        points += *value.ptr == '"' ? aci_python_text_string(value) : aci_python_text_code_points(value);
    return points;
}

agentchat_status agentchat_count_characters(void *user, const agentchat_message *const *messages, size_t count,
                                            uint64_t *tokens, agentchat_error *err)
{
    (void)user;
    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = 0;
    if (messages == NULL && count > 0)
        return aci_fail_null(err, "messages");
    for (size_t m = 0; m < count; m++)
        for (size_t i = 0; i < agentchat_message_item_count(messages[m]); i++)
            *tokens += characters_of(agentchat_message_item(messages[m], i));
    return AGENTCHAT_OK;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

agentchat_status agentchat_messages_count_tokens(const agentchat_messages *messages, agentchat_token_counter_fn counter,
                                                 void *user, uint64_t *tokens, agentchat_error *err)
{
    const agentchat_env *env = messages != NULL ? messages->env : aci_env(NULL);
    const agentchat_message **list;
    agentchat_status status;
    size_t bytes;

    agentchat_error_clear(err);
    if (tokens == NULL)
        return aci_fail_null(err, "tokens");
    *tokens = 0;
    list = aci_alloc_array(env, agentchat_messages_count(messages) + 1, sizeof *list, &bytes);
    if (list == NULL)
        return aci_fail_nomem(err);
    if (messages != NULL)
        aci_list_flatten(messages, list);
    status = (counter != NULL ? counter : agentchat_count_approximately)(user, list, agentchat_messages_count(messages),
                                                                         tokens, err);
    aci_free(env, (void *)list, bytes);
    if (status < 0)
        *tokens = 0;
    return status;
}
