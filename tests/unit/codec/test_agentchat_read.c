/* SPDX-License-Identifier: Apache-2.0 */
/* Reading format 1: case files, golden files, limits, hostile input. */
#include "support/test_support.h"

#include <stdio.h>

static agentchat_status read_text(const char *text, agentchat_snapshot **out, agentchat_error *err)
{
    return agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, out, err);
}

static char *data_path(const char *name)
{
    return test_path(test_data_dir(), name);
}

/* ---- case files ------------------------------------------------------------------------------------------------- */

/* The file beside `path` that ends in `suffix` instead of ".json". */
static char *beside(const char *path, const char *suffix)
{
    size_t len = strlen(path) - strlen(".json");
    char *name = malloc(len + strlen(suffix) + 1);

    assert_non_null(name);
    memcpy(name, path, len);
    strcpy(name + len, suffix);
    return name;
}

static void assert_position(const agentchat_error *err, const char *bytes, const char *path)
{
    uint32_t line = 1, column = 1;

    for (uint64_t i = 0; i < err->offset; i++) {
        column = bytes[i] == '\n' ? 1 : column + 1;
        line += bytes[i] == '\n';
    }
    if (err->line != line || err->column != column)
        fail_msg("%s: line %u column %u, expected %u and %u", path, err->line, err->column, line, column);
}

/* A path that does not fit into the record keeps its tail behind an ellipsis. */
static bool same_path(const char *found, const char *expected)
{
    size_t len = strlen(found), wanted = strlen(expected);

    if (wanted < sizeof(((agentchat_error *)NULL)->path))
        return strcmp(found, expected) == 0;
    return strncmp(found, "\xE2\x80\xA6", 3) == 0 && len - 3 > 100 &&
           strcmp(found + 3, expected + wanted - (len - 3)) == 0;
}

static void check_refused(const char *path, void *user)
{
    char *expect = beside(path, ".expect");
    char *expectation = test_file_read(expect, NULL);
    char *pointer = strchr(expectation, '\n') + 1, *offset = strchr(pointer, '\n') + 1;
    size_t len;
    char *bytes = test_file_read(path, &len);
    agentchat_snapshot *snapshot = (agentchat_snapshot *)user;
    agentchat_error err;
    agentchat_status status;

    pointer[-1] = '\0';
    offset[-1] = '\0';
    status = agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes, len}, NULL, &snapshot, &err);
    assert_null(snapshot);
    if (strcmp(agentchat_status_name(status), expectation) != 0 || err.code != (int32_t)status ||
        !same_path(err.path, pointer) || err.offset != strtoull(offset, NULL, 10) || err.message[0] == '\0')
        fail_msg("%s: %s at %s, byte %llu: %s", path, agentchat_status_name(status), err.path,
                 (unsigned long long)err.offset, err.message);
    assert_position(&err, bytes, path);
    assert_int_equal(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes, len}, NULL, &snapshot, NULL), status);
    free(bytes);
    free(expectation);
    free(expect);
}

static void test_agentchat_read__refuses_with_the_exact_place(void **state)
{
    char *dir = data_path("data/cases/agentchat/refuse");

    (void)state;
    assert_true(test_each_file(dir, ".json", check_refused, NULL) > 100);
    free(dir);
}

static void check_accepted(const char *path, void *user)
{
    char *name = beside(path, ".out");
    size_t len;
    char *expected = test_file_read(name, &len);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)user;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, &err), &err);
    test_ok(agentchat_snapshot_write_memory(snapshot, NULL, &bytes, &err), &err);
    if (bytes.len != len || memcmp(bytes.ptr, expected, len) != 0)
        fail_msg("%s gives\n%s", path, bytes.ptr);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    free(expected);
    free(name);
}

static void test_agentchat_read__accepts_any_spelling(void **state)
{
    char *dir = data_path("data/cases/agentchat/accept");

    (void)state;
    assert_true(test_each_file(dir, ".json", check_accepted, NULL) > 5);
    free(dir);
}

/* ---- meaning ---------------------------------------------------------------------------------------------------- */

static void test_agentchat_read__gives_what_the_document_says(void **state)
{
    char *path = data_path("data/golden/format-1/text.json");
    agentchat_snapshot *snapshot;
    const agentchat_message *message;
    const agentchat_channel_state *channel;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, &err), &err);
    assert_int_equal(agentchat_snapshot_format(snapshot), AGENTCHAT_FORMAT_AGENTCHAT);
    assert_int_equal(agentchat_snapshot_message_count(snapshot), 2);
    assert_str(agentchat_message_text(agentchat_snapshot_message(snapshot, 0)), "Where is my order 1234?");
    message = agentchat_snapshot_message(snapshot, 1);
    assert_str(agentchat_message_role(message), "assistant");
    assert_str(agentchat_message_name(message), "Desk");
    assert_str(agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID), "gpt-x");
    assert_str(agentchat_message_get(message, AGENTCHAT_FIELD_ID), "m2");
    assert_str(agentchat_message_get(message, AGENTCHAT_FIELD_METADATA),
               "{\"Usage\":{\"in\":12,\"out\":34},\"0.10\":1.50}");
    assert_int_equal(agentchat_snapshot_participant_count(snapshot), 1);
    assert_str(agentchat_participant_name(agentchat_snapshot_participant(snapshot, 0)), "Desk");
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 1);
    channel = agentchat_snapshot_channel(snapshot, 0);
    assert_int_equal(agentchat_channel_state_kind(channel), AGENTCHAT_STATE_MESSAGES);
    assert_int_equal(agentchat_channel_state_synced(channel), 2);
    assert_ptr_equal(agentchat_messages_at(agentchat_channel_state_messages(channel), 1), message);
    agentchat_snapshot_unref(snapshot);
    free(path);
}

static void test_agentchat_read__runs_share_the_messages_of_the_history(void **state)
{
    char *path = data_path("data/golden/format-1/channels.json");
    const agentchat_messages *own;
    const agentchat_channel_state *thread;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, &err), &err);
    own = agentchat_channel_state_messages(agentchat_snapshot_channel(snapshot, 2));
    assert_int_equal(agentchat_messages_count(own), 5);
    assert_str(agentchat_message_role(agentchat_messages_at(own, 0)), "system");
    for (size_t i = 1; i <= 3; i++)
        assert_ptr_equal(agentchat_messages_at(own, i), agentchat_snapshot_message(snapshot, i + 1));
    thread = agentchat_snapshot_channel(snapshot, 5);
    assert_str(agentchat_channel_state_data(thread), "thread_abc");
    assert_int_equal(agentchat_channel_state_pending_count(thread), 2);
    assert_int_equal(agentchat_channel_state_pending(thread, 1), 2);
    assert_int_equal(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 8)).len, 4);
    assert_memory_equal(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 8)).ptr, "\0\1\2\xff", 4);
    agentchat_snapshot_unref(snapshot);
    free(path);
}

static void test_agentchat_read__keeps_absent_null_and_empty_apart(void **state)
{
    char *path = data_path("data/golden/format-1/absent-null-empty.json");
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, &err), &err);
    assert_null(agentchat_message_role(agentchat_snapshot_message(snapshot, 0)).ptr);
    assert_true(agentchat_str_is_null(agentchat_message_role(agentchat_snapshot_message(snapshot, 2))));
    assert_str(agentchat_message_role(agentchat_snapshot_message(snapshot, 3)), "");
    assert_true(agentchat_str_is_null(agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, 1))));
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 5)), "");
    agentchat_snapshot_unref(snapshot);
    free(path);
}

static void test_agentchat_read__outlives_its_snapshot_by_its_messages(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_message *message;
    agentchat_error err;

    (void)state;
    test_ok(read_text("{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"\\u0075ser\"}],"
                      "\"participants\":[],\"channels\":[]}",
                      &snapshot, &err),
            &err);
    message = agentchat_message_ref(agentchat_snapshot_message(snapshot, 0));
    agentchat_snapshot_unref(snapshot);
    assert_str(agentchat_message_role(message), "user");
    agentchat_message_unref(message);
}

static void test_agentchat_read__names_the_version_it_would_need(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_fails(read_text("{\"agentchat\":{\"format\":4,\"reader\":3}}", &snapshot, &err), &err, AGENTCHAT_E_VERSION,
               "/agentchat", "format 3");
    assert_int_equal(err.native, 3);
    test_fails(read_text("{\"agentchat\":{\"format\":1e2,\"reader\":3}}", &snapshot, &err), &err, AGENTCHAT_E_SCHEMA,
               "/agentchat/format", "integer");
    test_fails(read_text("{\"agentchat\":{\"format\":1,\"reader\":9007199254740992}}", &snapshot, &err), &err,
               AGENTCHAT_E_SCHEMA, "/agentchat/reader", "9007199254740991");
    test_fails(read_text("{\"agentchat\":{\"format\":9007199254740991,\"reader\":9007199254740991}}", &snapshot, &err),
               &err, AGENTCHAT_E_VERSION, "/agentchat", "9007199254740991");
}

/* ---- what the reader does not know ------------------------------------------------------------------------------ */

/* Documents with two more members in an object that keeps unknown properties, and where that object is. */
static const char *const keepers[][2] = {
    {"{\"agentchat\":{\"format\":1,\"reader\":1},%s,%s,\"history\":[],\"participants\":[],\"channels\":[]}", ""},
    {"{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{%s,%s}],\"participants\":[],\"channels\":[]}",
     "/history/0"},
    {"{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"items\":[{\"type\":\"text\",%s,%s}]}],"
     "\"participants\":[],\"channels\":[]}",
     "/history/0/items/0"},
    {"{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"items\":[{%s,\"type\":\"text\",%s}]}],"
     "\"participants\":[],\"channels\":[]}",
     "/history/0/items/0"},
    {"{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[{%s,%s}],\"channels\":[]}",
     "/participants/0"},
    {"{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],"
     "\"channels\":[{\"statekind\":\"text\",%s,%s}]}",
     "/channels/0"},
    {"{\"agentchat\":{\"format\":1,\"reader\":1},\"channels\":[{%s,\"statekind\":\"text\",%s}],"
     "\"history\":[],\"participants\":[]}",
     "/channels/0"},
};
enum { KEEPERS = (int)(sizeof(keepers) / sizeof(keepers[0])) };

static void test_agentchat_read__refuses_a_property_that_is_an_entry_too(void **state)
{
    static const char extras[] = "\"extras\":[{\"name\":\"o\",\"value\":0},\n"
                                 "{\"from\":\"agentchat\",\"name\":\"z/\",\"value\":1}]";
    char text[600], path[64];
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    for (int i = 0; i < KEEPERS; i++) {
        sprintf(text, keepers[i][0], "\"z\\/\":1", extras);
        sprintf(path, "%s/extras/1", keepers[i][1]);
        test_fails(read_text(text, &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, path, "unknown property");
        assert_int_equal(err.offset, strstr(text, "{\"from\"") - text);
        assert_int_equal(err.line, 2);
        sprintf(path, "%s/z~1", keepers[i][1]);
        sprintf(text, keepers[i][0], extras, "\"z/\":1");
        test_fails(read_text(text, &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, path, "extras");
        assert_int_equal(err.offset, strstr(text, "\"z/\":1") - text);
        /* the name of an entry that came from elsewhere is free */
        sprintf(text, keepers[i][0], "\"o\":1", extras);
        test_ok(read_text(text, &snapshot, &err), &err);
        agentchat_snapshot_unref(snapshot);
        sprintf(text, keepers[i][0], extras, "\"o\":1");
        test_ok(read_text(text, &snapshot, &err), &err);
        agentchat_snapshot_unref(snapshot);
    }
}

static void test_agentchat_read__refuses_what_it_would_leave_out_twice(void **state)
{
    static const struct {
        const char *text, *path;
    } cases[] = {
        {"{\"agentchat\":{\"x\":1,\"\":2,\"\\u0078\":3,\"format\":1,\"reader\":1}}", "/agentchat/x"},
        {"{\"agentchat\":{\"\":1,\"\":3,\"format\":1,\"reader\":1}}", "/agentchat/"},
        {"{\"agentchat\":{\"format\":1,\"reader\":1},\"values\":[{\"x\":1,\"name\":\"n\",\"x\":3,\"value\":1}]}",
         "/values/0/x"},
        {"{\"agentchat\":{\"format\":1,\"reader\":1},\"participants\":[{\"extras\":[{\"x\":1,\"from\":\"mars\","
         "\"name\":\"n\","
         "\"value\":1,\"x\":3}]}]}",
         "/participants/0/extras/0/x"},
    };
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        test_fails(read_text(cases[i].text, &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, cases[i].path, "twice");
        assert_string_equal(strchr(cases[i].text + err.offset, ':') + 1, strstr(cases[i].text, "3"));
    }
}

static void test_agentchat_read__says_what_it_leaves_out(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1,\"x\":1},\"history\":[{\"extras\":[{\"name\":\"n\","
        "\"value\":1,\"x\":2},{\"name\":\"n\",\"value\":1,\"from\":\"mars\"}]}],"
        "\"participants\":[],\"channels\":[],\"values\":[{\"name\":\"v\",\"value\":1,\"x\":1}]}";
    static const char *const paths[] = {"/agentchat/x", "/history/0/extras/0/x", "/history/0/extras/1", "/values/0/x"};
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_report *report;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    options.report = &report;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, &snapshot, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 3);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_NOTE), 1);
    for (size_t i = 0; i < 4; i++)
        assert_str(agentchat_report_at(report, i).path, paths[i]);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

static agentchat_status read_items(const char *items, agentchat_error *err)
{
    agentchat_snapshot *snapshot;
    agentchat_status status;
    char text[400];

    sprintf(text,
            "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"items\":%s}],\"participants\":[],"
            "\"channels\":[]}",
            items);
    status = read_text(text, &snapshot, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_agentchat_read__looks_only_at_what_makes_an_item_unknown(void **state)
{
    agentchat_error err;

    (void)state;
    test_ok(
        read_items("[{\"from\":1,\"type\":\"smell\",\"from\":[]},{\"from\":\"mars\",\"kind\":5,\"type\":\"opaque\"},"
                   "{\"type\":\"opaque\",\"from\":\"agentchat\",\"kind\":[],\"model\":5,\"model\":6}]",
                   &err),
        &err);
    test_fails(read_items("[{\"model\":5,\"from\":\"mars\",\"from\":1,\"type\":\"opaque\"}]", &err), &err,
               AGENTCHAT_E_SCHEMA, "/history/0/items/0/from", "twice");
    test_fails(read_items("[{\"from\":1,\"type\":\"opaque\"}]", &err), &err, AGENTCHAT_E_SCHEMA,
               "/history/0/items/0/from", "expected a string");
    test_fails(read_items("[{\"from\":\"agentchat-encoded\",\"kind\":5,\"type\":\"opaque\"}]", &err), &err,
               AGENTCHAT_E_SCHEMA, "/history/0/items/0/kind", "expected a string");
}

static void test_agentchat_read__refuses_a_third_value_of_a_run(void **state)
{
    static const struct {
        const char *run;
        agentchat_status status;
    } cases[] = {
        {"[0,1, 1]", AGENTCHAT_E_SCHEMA},
        {"[0,1, {\"a\":1}]", AGENTCHAT_E_SCHEMA},
        {"[0,1, ?]", AGENTCHAT_E_SYNTAX},
        {"[0,1, ]", AGENTCHAT_E_SYNTAX},
    };
    agentchat_snapshot *snapshot;
    agentchat_error err;
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sprintf(text,
                "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{}],\"participants\":[],\"channels\":["
                "{\"statekind\":\"messages\",\"channelstate\":[%s]}]}",
                cases[i].run);
        test_fails(read_text(text, &snapshot, &err), &err, cases[i].status, "/channels/0/channelstate/0/2", NULL);
        assert_int_equal(err.offset, strstr(text, "[0,1, ") + strlen("[0,1, ") - text);
    }
}

/* ---- limits ----------------------------------------------------------------------------------------------------- */

static agentchat_status read_limited(const char *text, agentchat_limits limits, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_status status;

    options.limits = &limits;
    status = agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, &snapshot, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_agentchat_read__counts_every_message_that_stands_in_the_input(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{},{\"items\":[{\"type\":\"message\",\"message\":{}}]"
        "}],\"participants\":[],\"channels\":[{\"statekind\":\"messages\",\"channelstate\":[null,[0,2]]},"
        "{\"statekind\":\"chat\",\"channelstate\":{\"history\":[{}],\"participants\":[],\"channels\":[]}}]}";
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    limits.max_messages = 5;
    test_ok(read_limited(text, limits, &err), &err);
    limits.max_messages = 4;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, "/channels/1/channelstate/history/0",
               "more than 4 messages");
    assert_int_equal(err.offset, strstr(text, "{}],\"participants\":[],\"channels\":[]}}") - text);
}

static void test_agentchat_read__limits_what_runs_name(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{},{},{}],\"participants\":[],\"channels\":["
        "{\"statekind\":\"messages\",\"channelstate\":[[0,3]]},{\"statekind\":\"messages\",\"channelstate\":[[0,1],[1,"
        "1]]}]}";
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    limits.max_messages = 5;
    test_ok(read_limited(text, limits, &err), &err);
    limits.max_messages = 4;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, "/channels/1/channelstate/1",
               "more than 4 messages");
    assert_int_equal(err.offset, strstr(text, "[1,1]]") - text);
}

static void test_agentchat_read__limits_bytes_and_what_base64_holds(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],\"channels\":[{\"statekind\":"
        "\"bytes\",\"channelstate\":\"AAAAAAAAAAAA\"}]}";
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    limits.max_bytes = sizeof(text) - 1 + 9;
    test_ok(read_limited(text, limits, &err), &err);
    limits.max_bytes = sizeof(text) - 1 + 8;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, "/channels/0/channelstate", NULL);
    limits.max_bytes = sizeof(text) - 2;
    test_fails(read_limited(text, limits, &err), &err, AGENTCHAT_E_LIMIT, NULL, NULL);
}

static void test_agentchat_read__limits_unknown_properties_of_an_object(void **state)
{
    static char text[32768];
    char *p = text;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    p += sprintf(p, "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],\"channels\":[]");
    for (int i = 0; i < 256; i++)
        p += sprintf(p, ",\"x%d\":%d", i, i);
    sprintf(p, "}");
    test_ok(read_text(text, &snapshot, &err), &err);
    agentchat_snapshot_unref(snapshot);
    sprintf(p, ",\"y\":1}");
    test_fails(read_text(text, &snapshot, &err), &err, AGENTCHAT_E_LIMIT, "/y", "256");
    assert_int_equal(err.offset, p - text + 1);
    /* entries of extras do not count, wherever they stand */
    p += sprintf(p, ",\"extras\":[{\"from\":\"agentchat\",\"name\":\"e\",\"value\":1},{\"name\":\"f\",\"value\":1}]");
    sprintf(p, "}");
    test_ok(read_text(text, &snapshot, &err), &err);
    agentchat_snapshot_unref(snapshot);
    sprintf(p, ",\"y\":1}");
    test_fails(read_text(text, &snapshot, &err), &err, AGENTCHAT_E_LIMIT, "/y", "256");
    p = text + sprintf(text, "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],"
                             "\"channels\":[],\"extras\":[{\"name\":\"f\",\"value\":1}");
    for (int i = 0; i < 300; i++)
        p += sprintf(p, ",{\"from\":\"agentchat\",\"name\":\"e%d\",\"value\":%d}", i, i);
    p += sprintf(p, "]");
    for (int i = 0; i < 256; i++)
        p += sprintf(p, ",\"x%d\":%d", i, i);
    sprintf(p, "}");
    test_ok(read_text(text, &snapshot, &err), &err);
    agentchat_snapshot_unref(snapshot);
    sprintf(p, ",\"y\":1}");
    test_fails(read_text(text, &snapshot, &err), &err, AGENTCHAT_E_LIMIT, "/y", "256");
}

/* ---- hostile input ---------------------------------------------------------------------------------------------- */

enum { LARGEST_TO_DAMAGE = 4000 };

/* A golden file, cut off after each byte and with each byte changed: an error or a snapshot, never more. That takes the
   square of its size, so that large ones are left to the fuzzers. */
static void damage(const char *path, void *user)
{
    static const char changes[] = "\"{}[],:\\0n\x80\xff";
    size_t len;
    char *bytes = test_file_read(path, &len);
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    *(int *)user += len <= LARGEST_TO_DAMAGE;
    if (len > LARGEST_TO_DAMAGE) {
        free(bytes);
        return;
    }
    options.format =
        strstr(strrchr(path, '/'), "encoded") != NULL ? AGENTCHAT_FORMAT_AGENTCHAT_ENCODED : AGENTCHAT_FORMAT_AGENTCHAT;
    for (size_t i = 0; i + 2 < len; i++) {
        char *piece = malloc(i + 1);

        assert_non_null(piece);
        memcpy(piece, bytes, i);
        assert_int_equal(agentchat_snapshot_read_memory(NULL, (agentchat_str){piece, i}, &options, &snapshot, &err),
                         AGENTCHAT_E_SYNTAX);
        assert_in_range(err.offset, i > 11 ? i - 11 : 0, i); /* the start of a word, escape or character cut in two */
        assert_null(snapshot);
        free(piece);
    }
    for (size_t i = 0; i < len; i++) {
        char before = bytes[i];

        for (size_t c = 0; c < sizeof(changes); c++) {
            bytes[i] = changes[c];
            if (agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes, len}, NULL, &snapshot, &err) < 0)
                assert_true(snapshot == NULL && err.code != AGENTCHAT_E_INTERNAL);
            agentchat_snapshot_unref(snapshot);
        }
        bytes[i] = before;
    }
    free(bytes);
}

static void test_agentchat_read__survives_any_damage(void **state)
{
    char *dir = data_path("data/golden/format-1");
    int damaged = 0;

    (void)state;
    (void)test_each_file(dir, ".json", damage, &damaged);
    assert_true(damaged > 10);
    free(dir);
}

static void test_agentchat_read__survives_nesting_up_to_the_greatest_limit(void **state)
{
    static const char open[] = "{\"items\":[{\"type\":\"message\",\"message\":", close[] = "}]}";
    static const char head[] = "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[",
                      tail[] = "],\"participants\":[],\"channels\":[]}";
    const size_t levels = 3332; /* of three containers each, inside of two */
    char *text = malloc(sizeof(head) + sizeof(tail) + levels * (sizeof(open) + sizeof(close)) + 8), *p = text;
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_error err;

    (void)state;
    assert_non_null(text);
    p += sprintf(p, "%s", head);
    for (size_t i = 0; i < levels; i++)
        p += sprintf(p, "%s", open);
    p += sprintf(p, "{}");
    for (size_t i = 0; i < levels; i++)
        p += sprintf(p, "%s", close);
    sprintf(p, "%s", tail);
    limits.max_depth = 10000;
    test_ok(read_limited(text, limits, &err), &err);
    test_fails(read_limited(text, (agentchat_limits)AGENTCHAT_LIMITS_INIT, &err), &err, AGENTCHAT_E_LIMIT, NULL,
               "deep");
    free(text);
}

static agentchat_status read_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    const agentchat_str *bytes = user;
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_report *report;
    agentchat_snapshot *snapshot;
    agentchat_status status;

    options.report = &report;
    status = agentchat_snapshot_read_memory(env, *bytes, &options, &snapshot, err);
    assert_true(status >= 0 || (snapshot == NULL && report == NULL));
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void sweep(const char *path, void *user)
{
    size_t len;
    char *bytes = test_file_read(path, &len);
    agentchat_str view = {bytes, len};

    (void)user;
    assert_true(test_oom_sweep(read_scenario, &view) > 4);
    free(bytes);
}

static void test_agentchat_read__survives_running_out_of_memory(void **state)
{
    char *golden = data_path("data/golden/format-1"), *accept = data_path("data/cases/agentchat/accept");

    (void)state;
    test_each_file(golden, ".json", sweep, NULL);
    test_each_file(accept, ".json", sweep, NULL);
    free(golden);
    free(accept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agentchat_read__refuses_with_the_exact_place),
        cmocka_unit_test(test_agentchat_read__accepts_any_spelling),
        cmocka_unit_test(test_agentchat_read__gives_what_the_document_says),
        cmocka_unit_test(test_agentchat_read__runs_share_the_messages_of_the_history),
        cmocka_unit_test(test_agentchat_read__keeps_absent_null_and_empty_apart),
        cmocka_unit_test(test_agentchat_read__outlives_its_snapshot_by_its_messages),
        cmocka_unit_test(test_agentchat_read__names_the_version_it_would_need),
        cmocka_unit_test(test_agentchat_read__refuses_a_property_that_is_an_entry_too),
        cmocka_unit_test(test_agentchat_read__refuses_what_it_would_leave_out_twice),
        cmocka_unit_test(test_agentchat_read__says_what_it_leaves_out),
        cmocka_unit_test(test_agentchat_read__looks_only_at_what_makes_an_item_unknown),
        cmocka_unit_test(test_agentchat_read__refuses_a_third_value_of_a_run),
        cmocka_unit_test(test_agentchat_read__counts_every_message_that_stands_in_the_input),
        cmocka_unit_test(test_agentchat_read__limits_what_runs_name),
        cmocka_unit_test(test_agentchat_read__limits_bytes_and_what_base64_holds),
        cmocka_unit_test(test_agentchat_read__limits_unknown_properties_of_an_object),
        cmocka_unit_test(test_agentchat_read__survives_any_damage),
        cmocka_unit_test(test_agentchat_read__survives_nesting_up_to_the_greatest_limit),
        cmocka_unit_test(test_agentchat_read__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
