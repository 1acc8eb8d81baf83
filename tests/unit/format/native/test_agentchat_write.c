/* SPDX-License-Identifier: Apache-2.0 */
/* Writing format 1: canonical bytes, nothing lost, runs, limits of readers. */
#include "unit/format/document_test.h"

#include <agentchat/agent.h>
#include <stdio.h>

/* ---- canonical bytes -------------------------------------------------------------------------------------------- */

static void check_golden(const char *path, void *user)
{
    size_t len;
    char *bytes = test_file_read(path, &len), *again, *other;
    agentchat_snapshot *snapshot = read_text(bytes), *back;
    bool equal;
    agentchat_error err;

    (void)user;
    again = write_text(snapshot, agentchat_snapshot_format(snapshot));
    assert_string_equal(again, bytes);
    other = write_text(snapshot, strcmp(agentchat_snapshot_format(snapshot), "agentchat") == 0 ? "agentchat-encoded"
                                                                                               : "agentchat");
    back = read_text(other);
    test_ok(agentchat_snapshot_diff(snapshot, back, NULL, NULL, &equal, &err), &err);
    assert_true(equal);
    agentchat_snapshot_unref(back);
    agentchat_snapshot_unref(snapshot);
    free(other);
    free(again);
    free(bytes);
}

static void test_agentchat_write__gives_golden_files_back(void **state)
{
    char *dir = data_path("data/golden/format-1");

    (void)state;
    assert_true(test_each_file(dir, ".json", check_golden, NULL) > 5);
    free(dir);
}

/* ---- a snapshot that has everything ----------------------------------------------------------------------------- */

static agentchat_status add_rich_message(const agentchat_env *env, agentchat_snapshot_builder *to, agentchat_error *err)
{
    agentchat_message *nested, *message;
    agentchat_message_builder *b;
    agentchat_status status =
        agentchat_message_new_text(env, "tool", (agentchat_str){NULL, 0}, AGENTCHAT_STR("nested"), &nested, err);

    if (status < 0)
        return status;
    status = agentchat_message_builder_new(env, "assistant", AGENTCHAT_STR("Desk"), &b, err);
    if (status < 0) {
        agentchat_message_unref(nested);
        return status;
    }
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m1"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_TIME, AGENTCHAT_STR("2026-11-21T10:02:00Z"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, agentchat_str_null());
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{ \"a\" : 0.10 }"));
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("Encoding"), AGENTCHAT_STR("1"),
                                        AGENTCHAT_STR("semantic-kernel"));
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("role"), AGENTCHAT_STR("[2]"), AGENTCHAT_STR("agentchat"));
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("new"), AGENTCHAT_STR("[3]"), AGENTCHAT_STR("agentchat"));
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("host"), AGENTCHAT_STR("{}"), (agentchat_str){NULL, 0});
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("a \"quoted\" text\n\xF0\x9F\x98\x80"));
    agentchat_message_builder_add_call(b, AGENTCHAT_STR("c"), AGENTCHAT_STR("P"), AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{}"));
    agentchat_message_builder_add_result(b, AGENTCHAT_STR("c"), AGENTCHAT_STR("P"), AGENTCHAT_STR("f"),
                                         AGENTCHAT_STR("null"));
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"), AGENTCHAT_STR("\0\1\2"));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_AUDIO);
    agentchat_message_builder_set_data_base64(b, AGENTCHAT_STR("AAE="));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_BINARY);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("file:x"));
    agentchat_message_builder_set_data(b, AGENTCHAT_STR(""));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_ANNOTATION);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_KIND, AGENTCHAT_STR("filecitation"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_START_INDEX, AGENTCHAT_STR("7"));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_FILE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TOOLS, AGENTCHAT_STR("[]"));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_REASONING);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_SIGNATURE, AGENTCHAT_STR("sig"));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_ACTION);
    agentchat_message_builder_add_message(b, nested);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TYPE, AGENTCHAT_STR("mine"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_RAW, AGENTCHAT_STR("{\"type\":\"text\"}"));
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("raw"), AGENTCHAT_STR("1"), AGENTCHAT_STR("agentchat"));
    agentchat_message_unref(nested);
    status = agentchat_message_builder_finish(b, &message, err);
    if (status < 0)
        return status;
    agentchat_snapshot_builder_add_message(to, message);
    agentchat_message_unref(message);
    return AGENTCHAT_OK;
}

static agentchat_status add_texts(const agentchat_env *env, agentchat_snapshot_builder *to, size_t count,
                                  agentchat_error *err)
{
    for (size_t i = 0; i < count; i++) {
        agentchat_message *message;
        agentchat_status status =
            agentchat_message_new_text(env, "user", AGENTCHAT_STR("Ana"), AGENTCHAT_STR("ok"), &message, err);

        if (status < 0)
            return status;
        agentchat_snapshot_builder_add_message(to, message);
        agentchat_message_unref(message);
    }
    return AGENTCHAT_OK;
}

/* history: rich, 40 texts; channels of every kind; values; a nested chat with the same in small. */
static agentchat_status make_rich(const agentchat_env *env, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(env, NULL);
    agentchat_snapshot *small = NULL;
    agentchat_status status;

    *out = NULL;
    if (b == NULL)
        return AGENTCHAT_E_NOMEM;
    status = add_rich_message(env, b, err);
    if (status >= 0)
        status = add_texts(env, b, 3, err);
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("id"), AGENTCHAT_STR("A"), AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("t"), AGENTCHAT_STR("T"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("thread"), 2);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("b"), (agentchat_str){NULL, 0}, AGENTCHAT_CHANNEL_BYTES,
                                           AGENTCHAT_STR("\0\xff"), AGENTCHAT_SYNCED_UNKNOWN);
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("v"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("[1.0]"));
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("f"), AGENTCHAT_STR("text/plain"), AGENTCHAT_STR("x"));
    if (status < 0) {
        agentchat_snapshot_builder_free(b);
        return status;
    }
    status = agentchat_snapshot_builder_finish(b, &small, err);
    if (status < 0)
        return status;
    status = agentchat_snapshot_builder_new(env, small, &b, err);
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("m"), AGENTCHAT_STR("H"),
                                                    agentchat_snapshot_history(small), 3);
    agentchat_snapshot_builder_set_channel_chat(b, AGENTCHAT_STR("c"), AGENTCHAT_STR("G"), small, 1);
    if (status >= 0)
        status = add_texts(env, b, 40, err);
    agentchat_snapshot_unref(small);
    if (status >= 0)
        return agentchat_snapshot_builder_finish(b, out, err);
    agentchat_snapshot_builder_free(b);
    return status;
}

static void test_agentchat_write__loses_nothing(void **state)
{
    static const char *const formats[] = {"agentchat", "agentchat-encoded"};
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(make_rich(NULL, &snapshot, &err), &err);
    for (size_t i = 0; i < 2; i++) {
        char *text = write_text(snapshot, formats[i]), *again = write_text(snapshot, formats[i]), *third;
        agentchat_snapshot *back = read_text(text);

        assert_string_equal(text, again);
        assert_same(snapshot, text);
        assert_string_equal(agentchat_snapshot_format(back), formats[i]);
        third = write_text(back, formats[i]);
        assert_string_equal(third, text);
        agentchat_snapshot_unref(back);
        free(third);
        free(again);
        free(text);
    }
    agentchat_snapshot_unref(snapshot);
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

enum { MANY = 500 };

/* What a channel with the given messages of a history of MANY is written as: position, or MANY for a message of its
   own. */
static void assert_runs(const size_t *positions, size_t count, const char *expected)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    const agentchat_message **list = malloc((count + 1) * sizeof(*list));
    agentchat_snapshot *plain, *snapshot;
    agentchat_messages *messages;
    agentchat_message *other;
    agentchat_error err;
    char *text, *channels;

    assert_non_null(list);
    test_ok(add_texts(NULL, b, MANY, &err), &err);
    plain = finish(b);
    test_ok(agentchat_message_builder_finish(test_message_builder(NULL, "own", NULL), &other, &err), &err);
    for (size_t i = 0; i < count; i++)
        list[i] = positions[i] == MANY ? other : agentchat_messages_at(agentchat_snapshot_history(plain), positions[i]);
    test_ok(agentchat_messages_new(NULL, list, count, &messages, &err), &err);
    b = test_snapshot_builder(NULL, plain);
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("k"), (agentchat_str){NULL, 0}, messages, 0);
    snapshot = finish(b);
    text = write_text(snapshot, "agentchat");
    assert_same(snapshot, text);
    channels = strstr(text, "\"channelstate\":");
    assert_non_null(channels);
    *strstr(channels, ",\"synced\"") = '\0';
    assert_string_equal(channels + strlen("\"channelstate\":"), expected);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(plain);
    agentchat_messages_unref(messages);
    agentchat_message_unref(other);
    free(list);
    free(text);
}

static void test_agentchat_write__names_runs_of_the_history(void **state)
{
    static const size_t near[] = {0, 1, 3, 4, 10}, far[] = {400, 401, 402}, other[] = {MANY, 5, MANY, 6, 499};
    static const size_t back[] = {7, 3, 8}, twice[] = {490, 490, 491};
    size_t all[MANY];

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        all[i] = i;
    assert_runs(all, MANY, "[[0,500]]");
    assert_runs(near, 5, "[[0,2],[3,2],[10,1]]");
    assert_runs(far, 3, "[[400,3]]");
#define OTHER "{\"role\":\"own\",\"items\":[]}"
#define TEXT "{\"role\":\"user\",\"name\":\"Ana\",\"items\":[{\"type\":\"text\",\"text\":\"ok\"}]}"
    assert_runs(other, 5, "[" OTHER ",[5,1]," OTHER ",[6,1],[499,1]]");
    assert_runs(back, 3, "[[7,1]," TEXT ",[8,1]]");
    assert_runs(twice, 3, "[[490,1]," TEXT ",[491,1]]");
    assert_runs(all, 0, "[]");
}

static void test_agentchat_write__writes_a_message_twice_that_stands_twice_in_the_history(void **state)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_message *message;
    agentchat_snapshot *one, *two;
    agentchat_error err;
    char *text;

    (void)state;
    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &message, &err),
            &err);
    agentchat_snapshot_builder_add_message(b, message);
    agentchat_snapshot_builder_add_message(b, message);
    one = finish(b);
    b = test_snapshot_builder(NULL, one);
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("k"), (agentchat_str){NULL, 0},
                                                    agentchat_snapshot_history(one), 2);
    two = finish(b);
    text = write_text(two, "agentchat");
    assert_non_null(strstr(text, "\"channelstate\":[[0,2]]"));
    assert_same(two, text);
    agentchat_snapshot_unref(one);
    agentchat_snapshot_unref(two);
    agentchat_message_unref(message);
    free(text);
}

/* ---- limits and failures ---------------------------------------------------------------------------------------- */

static void test_agentchat_write__notes_what_readers_refuse_by_default(void **state)
{
    static const char *const formats[] = {"agentchat", "agentchat-encoded"};
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options env_options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    char deep[2 * 126 + 1] = {0};
    agentchat_env *env;

    (void)state;
    limits.max_depth = 1000;
    env_options.limits = &limits;
    env = test_env(&env_options);
    for (size_t depth = 125; depth <= 126; depth++) {
        agentchat_snapshot_builder *to = test_snapshot_builder(env, NULL);
        agentchat_message_builder *b = test_message_builder(env, "user", NULL);
        agentchat_snapshot *snapshot, *back;
        agentchat_message *message;
        agentchat_error err;

        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        agentchat_message_builder_add_extra(b, AGENTCHAT_STR("x"), (agentchat_str){deep, 2 * depth},
                                            AGENTCHAT_STR("agentchat"));
        test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
        agentchat_snapshot_builder_add_message(to, message);
        agentchat_message_unref(message);
        snapshot = finish(to);
        for (size_t i = 0; i < 2; i++) {
            agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
            agentchat_report *report;

            options.format = formats[i];
            test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, &report, &err), &err);
            assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_NOTE), depth - 125);
            assert_int_equal(
                agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &back, NULL, &err),
                depth == 125 ? AGENTCHAT_OK : AGENTCHAT_E_LIMIT);
            agentchat_snapshot_unref(back);
            test_ok(agentchat_snapshot_read_memory(env, (agentchat_str){bytes.ptr, bytes.len}, NULL, &back, NULL, &err),
                    &err);
            agentchat_snapshot_unref(back);
            agentchat_report_free(report);
            agentchat_bytes_clear(&bytes);
        }
        agentchat_snapshot_unref(snapshot);
    }
    agentchat_env_free(env);
}

static agentchat_status write_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot;
    agentchat_status status = make_rich(env, &snapshot, err);

    options.format = *(const char *const *)user;
    options.fail_on_loss = true;
    if (status >= 0) {
        status = agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, err);
        assert_true(status >= 0 || bytes.len == 0);
    }
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_agentchat_write__survives_running_out_of_memory(void **state)
{
    const char *formats[] = {"agentchat", "agentchat-encoded"};

    (void)state;
    for (size_t i = 0; i < 2; i++)
        assert_true(test_oom_sweep(write_scenario, &formats[i]) > 10);
}

static void test_agentchat_write__stops_when_the_sink_fails(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(make_rich(NULL, &snapshot, &err), &err);
    for (uint64_t good = 0; good < 3; good++) {
        agentchat_sink *sink = test_sink_failing(good, good == 2);

        assert_int_equal(agentchat_snapshot_write(snapshot, sink, NULL, NULL, &err), AGENTCHAT_E_IO);
        assert_int_equal(err.code, AGENTCHAT_E_IO);
        agentchat_sink_free(sink);
    }
    agentchat_snapshot_unref(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agentchat_write__gives_golden_files_back),
        cmocka_unit_test(test_agentchat_write__loses_nothing),
        cmocka_unit_test(test_agentchat_write__names_runs_of_the_history),
        cmocka_unit_test(test_agentchat_write__writes_a_message_twice_that_stands_twice_in_the_history),
        cmocka_unit_test(test_agentchat_write__notes_what_readers_refuse_by_default),
        cmocka_unit_test(test_agentchat_write__survives_running_out_of_memory),
        cmocka_unit_test(test_agentchat_write__stops_when_the_sink_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
