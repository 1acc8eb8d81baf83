/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, snapshots and documents to sweep with. */
#include "sweep.h"

enum { LONG_LEN = 8192 };

agentchat_str sweep_long(void)
{
    static char text[LONG_LEN + 1];

    memset(text, '1', LONG_LEN);
    return (agentchat_str){text, LONG_LEN};
}

agentchat_str sweep_nth(unsigned variant, unsigned n)
{
    return variant == n ? sweep_long() : AGENTCHAT_STR("1");
}

agentchat_sink *sweep_sink(const agentchat_env *env, agentchat_bytes *bytes)
{
    agentchat_sink *sink = NULL;
    agentchat_error err;

    test_ok(agentchat_sink_memory(env, bytes, &sink, &err), &err);
    return sink;
}

agentchat_message *sweep_message(const agentchat_env *env, const char *text)
{
    agentchat_message *message = NULL;
    agentchat_error err;

    test_ok(agentchat_message_new_text(env, "user", (agentchat_str){NULL, 0}, agentchat_str_from(text), &message, &err),
            &err);
    return message;
}

static void add_data_items(agentchat_message_builder *builder)
{
    agentchat_message_builder_add_data(builder, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"),
                                       AGENTCHAT_STR("\x89PNG"));
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_AUDIO);
    agentchat_message_builder_set_data_base64(builder, AGENTCHAT_STR("UklGRg=="));
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_BINARY);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("data:text/plain;base64,eA=="));
}

static void add_content(agentchat_message_builder *builder)
{
    agentchat_message_builder *content = test_message_builder(NULL, "tool", NULL);
    agentchat_message *items = NULL;
    agentchat_error err;

    agentchat_message_builder_add_text(content, AGENTCHAT_STR("one of two"));
    agentchat_message_builder_set_item(content, AGENTCHAT_FIELD_REFUSAL, AGENTCHAT_STR("true"));
    agentchat_message_builder_add_data(content, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"), AGENTCHAT_STR("P"));
    test_ok(agentchat_message_builder_finish(content, &items, &err), &err);
    agentchat_message_builder_set_content(builder, items);
    agentchat_message_unref(items);
}

static void add_function_items(agentchat_message_builder *builder)
{
    agentchat_message_builder_add_call(builder, AGENTCHAT_STR("1"), AGENTCHAT_STR("p"), AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{\"a\":1,\"b\":[1.50,\"\\ud800\"]}"));
    agentchat_message_builder_add_result(builder, AGENTCHAT_STR("1"), AGENTCHAT_STR("p"), AGENTCHAT_STR("f"),
                                         AGENTCHAT_STR("{\"r\":null}"));
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FAILED, AGENTCHAT_STR("true"));
    add_content(builder);
}

static void add_other_items(agentchat_message_builder *builder)
{
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_ANNOTATION);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_KIND, AGENTCHAT_STR("filecitation"));
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_START_INDEX, AGENTCHAT_STR("3"));
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_FILE);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FILE_ID, AGENTCHAT_STR("file"));
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_TOOLS, AGENTCHAT_STR("[\"t\"]"));
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_REASONING);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("because"));
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_SIGNATURE, AGENTCHAT_STR("c2ln"));
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_ISSUER, AGENTCHAT_STR("anthropic"));
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FORM, AGENTCHAT_STR("{\"from\":\"a\",\"value\":[1]}"));
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_ACTION);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("acts"));
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_OPAQUE);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_TYPE, AGENTCHAT_STR("later"));
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_RAW, AGENTCHAT_STR("{\"type\":\"later\",\"v\":[1]}"));
}

agentchat_message *sweep_rich_message(const agentchat_env *env)
{
    agentchat_message_builder *builder = test_message_builder(env, "assistant", "A");
    agentchat_message *inner = sweep_message(env, "inside"), *message = NULL;
    agentchat_extra extra = {AGENTCHAT_STR("mine"), AGENTCHAT_STR("{\"x\":[true]}"), {NULL, 0}};
    agentchat_error err;

    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"m\":1e3}"));
    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("id-1"));
    agentchat_message_builder_add_extra(builder, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_text(builder, AGENTCHAT_STR("text \xED\xA0\x80 and \xC3\xA9"));
    agentchat_message_builder_add_extra(builder, extra.name, extra.value, extra.from);
    add_data_items(builder);
    add_function_items(builder);
    add_other_items(builder);
    agentchat_message_builder_add_message(builder, inner);
    agentchat_message_unref(inner);
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    return message;
}

static agentchat_snapshot *nested_chat(const agentchat_env *env)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, NULL);
    agentchat_message *message = sweep_message(env, "inner");
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_snapshot_builder_add_participant(builder, AGENTCHAT_STR("i"), AGENTCHAT_STR("I"), AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_set_channel(builder, AGENTCHAT_STR("k"), AGENTCHAT_STR("C"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("state"), 1);
    agentchat_message_unref(message);
    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}

static void add_history(agentchat_snapshot_builder *builder, const agentchat_env *env)
{
    agentchat_message *messages[3] = {sweep_message(env, "first"), sweep_rich_message(env), sweep_message(env, "last")};

    for (size_t i = 0; i < 3; i++) {
        agentchat_snapshot_builder_add_message(builder, messages[i]);
        agentchat_message_unref(messages[i]);
    }
}

static void add_channels(agentchat_snapshot_builder *builder, const agentchat_env *env)
{
    static const size_t pending[] = {1, 2};
    agentchat_snapshot *chat = nested_chat(env);

    agentchat_snapshot_builder_set_channel(builder, AGENTCHAT_STR("k1"), AGENTCHAT_STR("C1"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("thread-1"), 3);
    agentchat_snapshot_builder_set_pending(builder, AGENTCHAT_STR("k1"), pending, 2);
    agentchat_snapshot_builder_set_channel(builder, AGENTCHAT_STR("k2"), AGENTCHAT_STR("C2"), AGENTCHAT_CHANNEL_BYTES,
                                           AGENTCHAT_STR("\xFF\x01"), 2);
    agentchat_snapshot_builder_set_channel_messages(builder, AGENTCHAT_STR("k3"),
                                                    AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL),
                                                    agentchat_snapshot_history(chat), AGENTCHAT_SYNCED_UNKNOWN);
    agentchat_snapshot_builder_set_channel_chat(builder, AGENTCHAT_STR("k4"),
                                                AGENTCHAT_STR(AGENTCHAT_TYPE_AGGREGATOR_CHANNEL), chat, 1);
    agentchat_snapshot_unref(chat);
}

agentchat_snapshot *sweep_rich_snapshot(const agentchat_env *env)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, NULL);
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    add_history(builder, env);
    agentchat_snapshot_builder_add_participant(builder, AGENTCHAT_STR("a"), AGENTCHAT_STR("A"), AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_participant(builder, AGENTCHAT_STR("b"), NONE, AGENTCHAT_STR("T"));
    add_channels(builder, env);
    agentchat_snapshot_builder_set_value(builder, AGENTCHAT_STR("json"), NONE, AGENTCHAT_STR("{\"v\": [1, 2.0]}"));
    agentchat_snapshot_builder_set_value(builder, AGENTCHAT_STR("bytes"), AGENTCHAT_STR("image/png"),
                                         AGENTCHAT_STR("\x89PNG"));
    agentchat_snapshot_builder_add_extra(builder, AGENTCHAT_STR("mine"), AGENTCHAT_STR("1"), (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_add_participant_extra(builder, AGENTCHAT_STR("a"), AGENTCHAT_STR("mine"),
                                                     AGENTCHAT_STR("2"), (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_add_channel_extra(builder, AGENTCHAT_STR("k1"), AGENTCHAT_STR("mine"),
                                                 AGENTCHAT_STR("3"), (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_set_progress(builder, 1, true);
    agentchat_snapshot_builder_set_form(builder, AGENTCHAT_STR("{\"from\":\"a\",\"value\":\"body\"}"));
    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}

agentchat_bytes sweep_document(const agentchat_snapshot *snapshot, const char *format)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    options.format = format;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    return bytes;
}

void sweep_assert_same(const agentchat_snapshot *a, const agentchat_snapshot *b)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;

    test_ok(agentchat_snapshot_digest(a, true, left, &err), &err);
    test_ok(agentchat_snapshot_digest(b, true, right, &err), &err);
    assert_string_equal(left, right);
}
