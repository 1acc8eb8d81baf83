/* SPDX-License-Identifier: Apache-2.0 */
/* Reading format 1: properties, items and entries that the reader does not know. */
#include "unit/format/document_test.h"

#include <stdio.h>

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
        test_fails(try_read(text, &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, path, "unknown property");
        assert_int_equal(err.offset, strstr(text, "{\"from\"") - text);
        assert_int_equal(err.line, 2);
        sprintf(path, "%s/z~1", keepers[i][1]);
        sprintf(text, keepers[i][0], extras, "\"z/\":1");
        test_fails(try_read(text, &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, path, "extras");
        assert_int_equal(err.offset, strstr(text, "\"z/\":1") - text);
        /* the name of an entry that came from elsewhere is free */
        sprintf(text, keepers[i][0], "\"o\":1", extras);
        test_ok(try_read(text, &snapshot, &err), &err);
        agentchat_snapshot_unref(snapshot);
        sprintf(text, keepers[i][0], extras, "\"o\":1");
        test_ok(try_read(text, &snapshot, &err), &err);
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
        test_fails(try_read(cases[i].text, &snapshot, &err), &err, AGENTCHAT_E_SCHEMA, cases[i].path, "twice");
        assert_string_equal(strchr(cases[i].text + err.offset, ':') + 1, strstr(cases[i].text, "3"));
    }
}

static void test_agentchat_read__says_what_it_leaves_out(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1,\"x\":1},\"history\":[{\"extras\":[{\"name\":\"n\","
        "\"value\":1,\"x\":2},{\"name\":\"n\",\"value\":1,\"from\":\"mars\"}]}],"
        "\"participants\":[],\"channels\":[],\"values\":[{\"name\":\"v\",\"value\":1,\"x\":1}]}";
    static const char *const paths[] = {"/agentchat/x", "/history/0/extras/0/x", "/values/0/x"};
    agentchat_report *report;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 2);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_NOTE), 1);
    for (size_t i = 0; i < 3; i++)
        assert_str(agentchat_report_at(report, i)->path, paths[i]);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
}

#define SIXTEEN "abcdefgh-0123456"
#define SIXTY_FIVE SIXTEEN SIXTEEN SIXTEEN SIXTEEN "x"

static agentchat_status read_items(const char *items, agentchat_error *err)
{
    agentchat_snapshot *snapshot;
    agentchat_status status;
    char text[400];

    sprintf(text,
            "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"items\":%s}],\"participants\":[],"
            "\"channels\":[]}",
            items);
    status = try_read(text, &snapshot, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_agentchat_read__looks_only_at_what_makes_an_item_unknown(void **state)
{
    static const char *const no_names[] = {"", "Mars", "1st", "-", "a_b", "a b", "m\xC3\xA4rz", SIXTY_FIVE};
    agentchat_error err;

    (void)state;
    test_ok(read_items(
                "[{\"from\":1,\"type\":\"smell\",\"from\":[]},{\"from\":\"mars\",\"kind\":\"5\",\"type\":\"opaque\"},"
                "{\"type\":\"opaque\",\"from\":\"agentchat\",\"kind\":[],\"model\":5,\"model\":6}]",
                &err),
            &err);
    test_fails(read_items("[{\"model\":5,\"from\":\"mars\",\"from\":1,\"type\":\"opaque\"}]", &err), &err,
               AGENTCHAT_E_SCHEMA, "/history/0/items/0/from", "twice");
    test_fails(read_items("[{\"from\":1,\"type\":\"opaque\"}]", &err), &err, AGENTCHAT_E_SCHEMA,
               "/history/0/items/0/from", "expected a string");
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++) {
        char item[160];

        (void)snprintf(item, sizeof item, "[{\"type\":\"opaque\",\"from\":\"%s\"}]", no_names[i]);
        test_fails(read_items(item, &err), &err, AGENTCHAT_E_SCHEMA, "/history/0/items/0/from", "1 to 64 of");
    }
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
        test_fails(try_read(text, &snapshot, &err), &err, cases[i].status, "/channels/0/channelstate/0/2", NULL);
        assert_int_equal(err.offset, strstr(text, "[0,1, ") + strlen("[0,1, ") - text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agentchat_read__refuses_a_property_that_is_an_entry_too),
        cmocka_unit_test(test_agentchat_read__refuses_what_it_would_leave_out_twice),
        cmocka_unit_test(test_agentchat_read__says_what_it_leaves_out),
        cmocka_unit_test(test_agentchat_read__looks_only_at_what_makes_an_item_unknown),
        cmocka_unit_test(test_agentchat_read__refuses_a_third_value_of_a_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
