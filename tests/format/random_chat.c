/* SPDX-License-Identifier: Apache-2.0 */
#include "format/random_chat.h"

#include <stdbool.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LITERAL(text)                                                                                                  \
    {                                                                                                                  \
        text, sizeof(text) - 1                                                                                         \
    }

enum { MESSAGES = 6, ITEMS = 4, EXTRAS = 3, PARTICIPANTS = 4, CHANNELS = 4, VALUES = 3, LEVELS = 3 };

/* ---- values ----------------------------------------------------------------------------------------------------- */

static const agentchat_str texts[] = {
    LITERAL("Hello"),
    LITERAL("the weather in Oslo"),
    LITERAL(""),
    LITERAL(" "),
    LITERAL("two\nlines\t\"quoted\" \\ / <b>&'+`"),
    LITERAL("caf\xC3\xA9 \xF0\x9F\x98\x80"),
    LITERAL("\xED\xA0\x80"), /* a lone surrogate */
    LITERAL("a\0b"),
    LITERAL("null"),
    LITERAL("{\"a\":1}"),
    LITERAL("[]"),
    LITERAL("user"),
    LITERAL("data:image/png;name=x;base64,AAAA"),
    LITERAL("data:,x"),
    LITERAL("https://example.org/x"),
    LITERAL("no uri"),
    LITERAL("image/png"),
    LITERAL("filecitation"),
    LITERAL("anthropic"),
    LITERAL("(none)"),
    LITERAL("AAAA"),
};

static const char *const roles[] = {"user", "assistant", "system", "tool", "developer", "function", " ", "Critic"};

static const agentchat_str media_types[] = {
    LITERAL("image/png"),  LITERAL("audio/wav"), LITERAL("application/pdf"), LITERAL("text/plain"),
    LITERAL("image/jpeg"), LITERAL(""),          LITERAL("no type"),
};

static const agentchat_str values[] = {
    LITERAL("null"),
    LITERAL("true"),
    LITERAL("12"),
    LITERAL("-1.50e2"),
    LITERAL("\"text\""),
    LITERAL("\"\\ud800\""),
    LITERAL("[]"),
    LITERAL("[\"a\", \"b\"]"),
    LITERAL("{}"),
    LITERAL("{\"a\":1}"),
    LITERAL("{\"a\": {\"b\": [1.0, \"\\u0061\", null]}}"),
    LITERAL("{\"A\":1,\"a\":2,\"a\":3}"),
    LITERAL("{\"city\":\"Oslo\",\"unit\":\"c\"}"),
    LITERAL("{\"Message\":\"m\",\"ClassName\":\"c\"}"),
    LITERAL("{\"type\":\"ephemeral\"}"),
    LITERAL("[{\"type\":\"text\",\"text\":\"x\"}]"),
    LITERAL("12345678901234567890123"),
    LITERAL("[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]"),
};

static const agentchat_str names[] = {
    LITERAL("note"),       LITERAL("Text"),   LITERAL("role"),          LITERAL("items"),   LITERAL("agentchat"),
    LITERAL("$type"),      LITERAL("extras"), LITERAL("cache_control"), LITERAL("content"), LITERAL("a/b~c"),
    LITERAL("tool_calls"), LITERAL(""),       LITERAL("model"),         LITERAL("id"),      LITERAL("\xED\xB0\x80"),
};

static const agentchat_str channel_types[] = {
    LITERAL("Microsoft.SemanticKernel.Agents.ChatHistoryChannel"),
    LITERAL("Microsoft.SemanticKernel.Agents.AggregatorChannel"),
    LITERAL("example.MailChannel"),
    LITERAL(""),
};

static const agentchat_str keys[] = {
    LITERAL("Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="),
    LITERAL("k1"),
    LITERAL("\xED\xA0\x80"),
    LITERAL(""),
};

static const agentchat_str types[] = {
    LITERAL("Microsoft.SemanticKernel.Agents.ChatCompletionAgent"),
    LITERAL("Microsoft.SemanticKernel.Agents.AggregatorAgent"),
    LITERAL("example.Agent"),
    LITERAL(""),
};

static size_t below(const random_source *random, size_t count)
{
    return random->pick(random->user, count);
}

static bool one_in(const random_source *random, size_t count)
{
    return below(random, count) == 0;
}

static agentchat_str any(const random_source *random, const agentchat_str *list, size_t count)
{
    return list[below(random, count)];
}
#define ANY(random, list) any(random, list, COUNT(list))

/* A name of a format of the registry, one that this version does not know, or none. */
static agentchat_str any_format(const random_source *random)
{
    size_t choice = below(random, agentchat_format_count() + 2);

    if (choice < agentchat_format_count())
        return agentchat_str_from(agentchat_format_at(choice)->name);
    return choice == agentchat_format_count() ? AGENTCHAT_STR("unknown-format") : (agentchat_str){NULL, 0};
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

/* Fields by kind of item, up to the first 0; those that every kind has stand in of_all. */
static const agentchat_field of_kind[][5] = {
    [AGENTCHAT_ITEM_TEXT] = {AGENTCHAT_FIELD_TEXT, AGENTCHAT_FIELD_REFUSAL},
    [AGENTCHAT_ITEM_IMAGE] = {AGENTCHAT_FIELD_URI},
    [AGENTCHAT_ITEM_AUDIO] = {AGENTCHAT_FIELD_URI},
    [AGENTCHAT_ITEM_BINARY] = {AGENTCHAT_FIELD_URI},
    [AGENTCHAT_ITEM_CALL] = {AGENTCHAT_FIELD_CALL_ID, AGENTCHAT_FIELD_PLUGIN, AGENTCHAT_FIELD_FUNCTION,
                             AGENTCHAT_FIELD_ARGUMENTS, AGENTCHAT_FIELD_EXCEPTION},
    [AGENTCHAT_ITEM_RESULT] = {AGENTCHAT_FIELD_CALL_ID, AGENTCHAT_FIELD_PLUGIN, AGENTCHAT_FIELD_FUNCTION,
                               AGENTCHAT_FIELD_RESULT, AGENTCHAT_FIELD_FAILED},
    [AGENTCHAT_ITEM_ANNOTATION] = {AGENTCHAT_FIELD_KIND, AGENTCHAT_FIELD_LABEL, AGENTCHAT_FIELD_REFERENCE_ID,
                                   AGENTCHAT_FIELD_TITLE, AGENTCHAT_FIELD_START_INDEX},
    [AGENTCHAT_ITEM_FILE] = {AGENTCHAT_FIELD_FILE_ID, AGENTCHAT_FIELD_TOOLS},
    [AGENTCHAT_ITEM_REASONING] = {AGENTCHAT_FIELD_TEXT, AGENTCHAT_FIELD_REDACTED},
    [AGENTCHAT_ITEM_ACTION] = {AGENTCHAT_FIELD_TEXT},
    [AGENTCHAT_ITEM_OPAQUE] = {AGENTCHAT_FIELD_TYPE, AGENTCHAT_FIELD_RAW, AGENTCHAT_FIELD_FROM},
};
static const agentchat_field of_all[] = {AGENTCHAT_FIELD_MODEL_ID,  AGENTCHAT_FIELD_MIME_TYPE, AGENTCHAT_FIELD_METADATA,
                                         AGENTCHAT_FIELD_SIGNATURE, AGENTCHAT_FIELD_ISSUER,    AGENTCHAT_FIELD_FORM};
static const agentchat_field of_message[] = {AGENTCHAT_FIELD_NAME,      AGENTCHAT_FIELD_ID,
                                             AGENTCHAT_FIELD_TIME,      AGENTCHAT_FIELD_MODEL_ID,
                                             AGENTCHAT_FIELD_MIME_TYPE, AGENTCHAT_FIELD_METADATA};

/* A form mark of a format, of the kind that formats write. */
static agentchat_str any_form(const random_source *random)
{
    static const agentchat_str forms[] = {
        LITERAL("{\"from\":\"semantic-kernel\",\"value\":\"bare history\"}"),
        LITERAL("{\"from\":\"semantic-kernel\",\"value\":7}"),
        LITERAL("{\"from\":\"openai-chat\",\"value\":\"string\"}"),
        LITERAL("{\"from\":\"openai-chat\",\"value\":{\"content\":null}}"),
        LITERAL("{\"from\":\"anthropic\",\"value\":\"string\"}"),
        LITERAL("{\"from\":\"anthropic\",\"value\":[]}"),
        LITERAL("{\"from\":\"unknown-format\",\"value\":{\"a\":[1]}}"),
    };

    return ANY(random, forms);
}

/* A value that the field may have; some of them null. */
static agentchat_str any_value_of(const random_source *random, agentchat_field field)
{
    if (field == AGENTCHAT_FIELD_FORM)
        return any_form(random);
    if (field == AGENTCHAT_FIELD_FROM)
        return any_format(random);
    if (one_in(random, 12))
        return agentchat_str_null();
    switch (field) {
    case AGENTCHAT_FIELD_METADATA:
    case AGENTCHAT_FIELD_ARGUMENTS:
    case AGENTCHAT_FIELD_EXCEPTION:
    case AGENTCHAT_FIELD_RESULT:
    case AGENTCHAT_FIELD_START_INDEX:
    case AGENTCHAT_FIELD_END_INDEX:
    case AGENTCHAT_FIELD_TOOLS:
    case AGENTCHAT_FIELD_RAW:
        return ANY(random, values);
    case AGENTCHAT_FIELD_FAILED:
    case AGENTCHAT_FIELD_REDACTED:
    case AGENTCHAT_FIELD_REFUSAL:
        return one_in(random, 3) ? AGENTCHAT_STR("false") : AGENTCHAT_STR("true");
    case AGENTCHAT_FIELD_MIME_TYPE:
        return ANY(random, media_types);
    default:
        return ANY(random, texts);
    }
}

static void add_extras(const random_source *random, agentchat_message_builder *builder)
{
    for (size_t i = one_in(random, 4) ? below(random, EXTRAS) : 0; i > 0; i--)
        agentchat_message_builder_add_extra(builder, ANY(random, names), ANY(random, values), any_format(random));
}

static void set_data(const random_source *random, agentchat_message_builder *builder)
{
    static const agentchat_str bytes[] = {LITERAL(""), LITERAL("\0\1\2"), LITERAL("\xFB\xFF"), LITERAL("abc")};

    if (one_in(random, 3))
        return;
    if (one_in(random, 2))
        agentchat_message_builder_set_data(builder, ANY(random, bytes));
    else
        agentchat_message_builder_set_data_base64(builder, AGENTCHAT_STR("iVBORw0K"));
}

static agentchat_message *any_message(const random_source *random, const agentchat_env *env, size_t levels);

static void add_nested(const random_source *random, agentchat_message_builder *builder, const agentchat_env *env,
                       size_t levels)
{
    agentchat_message *message = any_message(random, env, levels - 1);

    if (message != NULL)
        agentchat_message_builder_add_message(builder, message);
    agentchat_message_unref(message);
}

static void set_content(const random_source *random, agentchat_message_builder *builder, const agentchat_env *env,
                        size_t levels)
{
    agentchat_message *message = any_message(random, env, levels - 1);

    agentchat_message_builder_set_content(builder, message);
    agentchat_message_unref(message);
}

static void add_item(const random_source *random, agentchat_message_builder *builder, const agentchat_env *env,
                     size_t levels)
{
    agentchat_item_kind kind = (agentchat_item_kind)(1 + below(random, AGENTCHAT_ITEM_OPAQUE));

    if (kind == AGENTCHAT_ITEM_MESSAGE && levels == 0)
        kind = AGENTCHAT_ITEM_TEXT;
    if (kind == AGENTCHAT_ITEM_MESSAGE) {
        add_nested(random, builder, env, levels);
    } else {
        agentchat_message_builder_add_item(builder, kind);
        for (size_t i = 0; i < COUNT(of_kind[kind]) && of_kind[kind][i] != 0; i++)
            if (!one_in(random, 4))
                agentchat_message_builder_set_item(builder, of_kind[kind][i], any_value_of(random, of_kind[kind][i]));
        if (kind == AGENTCHAT_ITEM_ANNOTATION && one_in(random, 2))
            agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_END_INDEX, AGENTCHAT_STR("7"));
        if (kind >= AGENTCHAT_ITEM_IMAGE && kind <= AGENTCHAT_ITEM_BINARY)
            set_data(random, builder);
        if (kind == AGENTCHAT_ITEM_RESULT && levels > 0 && one_in(random, 2))
            set_content(random, builder, env, levels);
    }
    for (size_t i = 0; i < COUNT(of_all); i++)
        if (one_in(random, 6))
            agentchat_message_builder_set_item(builder, of_all[i], any_value_of(random, of_all[i]));
    add_extras(random, builder);
}

static agentchat_message *any_message(const random_source *random, const agentchat_env *env, size_t levels)
{
    agentchat_message_builder *builder = NULL;
    agentchat_message *message = NULL;

    if (agentchat_message_builder_new(env, roles[below(random, COUNT(roles))], (agentchat_str){NULL, 0}, &builder,
                                      NULL) < 0)
        return NULL;
    for (size_t i = 0; i < COUNT(of_message); i++)
        if (one_in(random, 4))
            agentchat_message_builder_set(builder, of_message[i], any_value_of(random, of_message[i]));
    if (one_in(random, 6))
        agentchat_message_builder_set(builder, AGENTCHAT_FIELD_FORM, any_form(random));
    add_extras(random, builder);
    for (size_t i = below(random, ITEMS); i > 0; i--)
        add_item(random, builder, env, levels);
    if (agentchat_message_builder_finish(builder, &message, NULL) < 0)
        return NULL;
    return message;
}

/* ---- chats ------------------------------------------------------------------------------------------------------ */

static void add_participants(const random_source *random, agentchat_snapshot_builder *builder)
{
    static const agentchat_str ids[] = {LITERAL("p1"), LITERAL("p2"), LITERAL("\xED\xA0\x80"), LITERAL("p 3")};

    for (size_t i = below(random, PARTICIPANTS); i > 0; i--) {
        agentchat_str id = ids[i - 1];

        agentchat_snapshot_builder_add_participant(builder, id, ANY(random, texts), ANY(random, types));
        if (one_in(random, 4))
            agentchat_snapshot_builder_add_participant_extra(builder, id, ANY(random, names), ANY(random, values),
                                                             any_format(random));
    }
}

static agentchat_snapshot *any_chat(const random_source *random, const agentchat_env *env, size_t levels);

static void add_messages_channel(const random_source *random, agentchat_snapshot_builder *builder,
                                 const agentchat_env *env, agentchat_str key, size_t synced)
{
    agentchat_snapshot *other = any_chat(random, env, 0);

    if (other != NULL)
        agentchat_snapshot_builder_set_channel_messages(builder, key, ANY(random, channel_types),
                                                        agentchat_snapshot_history(other), synced);
    agentchat_snapshot_unref(other);
}

static void add_chat_channel(const random_source *random, agentchat_snapshot_builder *builder, const agentchat_env *env,
                             agentchat_str key, size_t synced, size_t levels)
{
    agentchat_snapshot *chat = any_chat(random, env, levels - 1);

    if (chat != NULL)
        agentchat_snapshot_builder_set_channel_chat(builder, key, ANY(random, channel_types), chat, synced);
    agentchat_snapshot_unref(chat);
}

static void add_channel(const random_source *random, agentchat_snapshot_builder *builder, const agentchat_env *env,
                        size_t messages, agentchat_str key, size_t levels)
{
    size_t synced = one_in(random, 4) ? AGENTCHAT_SYNCED_UNKNOWN : below(random, messages + 1);
    size_t queued = below(random, messages + 1);
    size_t choice = below(random, levels > 0 ? 4 : 3);

    if (choice == 0)
        agentchat_snapshot_builder_set_channel(builder, key, ANY(random, channel_types), AGENTCHAT_CHANNEL_TEXT,
                                               one_in(random, 2) ? ANY(random, values) : ANY(random, texts), synced);
    else if (choice == 1)
        agentchat_snapshot_builder_set_channel(builder, key, ANY(random, channel_types), AGENTCHAT_CHANNEL_BYTES,
                                               AGENTCHAT_STR("\x00\xFF"), synced);
    else if (choice == 2)
        add_messages_channel(random, builder, env, key, synced);
    else
        add_chat_channel(random, builder, env, key, synced, levels);
    if (queued < messages && one_in(random, 3))
        agentchat_snapshot_builder_set_pending(builder, key, &queued, 1);
    if (one_in(random, 4))
        agentchat_snapshot_builder_add_channel_extra(builder, key, ANY(random, names), ANY(random, values),
                                                     any_format(random));
}

static void add_values(const random_source *random, agentchat_snapshot_builder *builder)
{
    static const agentchat_str value_names[] = {LITERAL("a"), LITERAL("b/c"), LITERAL("\xED\xA0\x80")};

    for (size_t i = below(random, VALUES + 1); i > 0; i--) {
        if (one_in(random, 2))
            agentchat_snapshot_builder_set_value(builder, value_names[i - 1], (agentchat_str){NULL, 0},
                                                 ANY(random, values));
        else
            agentchat_snapshot_builder_set_value(builder, value_names[i - 1], AGENTCHAT_STR("image/png"),
                                                 AGENTCHAT_STR("\x00\xFE"));
    }
}

/* Half of the chats are nothing but a history: the most that many formats hold. */
static agentchat_snapshot *any_chat(const random_source *random, const agentchat_env *env, size_t levels)
{
    agentchat_snapshot_builder *builder = NULL;
    agentchat_snapshot *snapshot = NULL;
    size_t messages = below(random, MESSAGES);

    if (agentchat_snapshot_builder_new(env, NULL, &builder, NULL) < 0)
        return NULL;
    for (size_t i = 0; i < messages; i++) {
        agentchat_message *message = any_message(random, env, LEVELS);

        if (message != NULL)
            agentchat_snapshot_builder_add_message(builder, message);
        agentchat_message_unref(message);
    }
    if (levels > 0 && one_in(random, 2)) {
        add_participants(random, builder);
        for (size_t i = below(random, CHANNELS + 1); i > 0; i--)
            add_channel(random, builder, env, messages, keys[i - 1], levels - 1);
        add_values(random, builder);
        if (one_in(random, 4))
            agentchat_snapshot_builder_set_progress(builder, below(random, 5), one_in(random, 2));
    }
    if (one_in(random, 6))
        agentchat_snapshot_builder_set_form(builder, any_form(random));
    if (one_in(random, 6))
        agentchat_snapshot_builder_add_extra(builder, ANY(random, names), ANY(random, values), any_format(random));
    if (agentchat_snapshot_builder_finish(builder, &snapshot, NULL) < 0)
        return NULL;
    return snapshot;
}

agentchat_snapshot *random_chat(const random_source *random, const agentchat_env *env)
{
    return any_chat(random, env, LEVELS);
}
