/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments whose names are the same to .NET, which compares them by StringComparer.OrdinalIgnoreCase. */
#include "sk_test.h"

#define ARGUMENTS                                                                                                      \
    "{\"Participants\":[],\"History\":[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"FunctionCallContent\","  \
    "\"FunctionName\":\"f\",\"Arguments\":{"
#define AFTER "}}]}],\"Channels\":[]}"

/* Whether default mode says that .NET keeps only one of some names; strict mode, which changes nothing, never does. */
static bool is_loss(const aci_buf *document)
{
    agentchat_snapshot *snapshot = sk_read_view(aci_buf_str(document));
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(snapshot, true, &report);
    size_t losses;

    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 0);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    bytes = sk_write(snapshot, false, &report);
    losses = sk_entries(report, AGENTCHAT_REPORT_LOSS, "/history/0/items/0/arguments");
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), losses);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return losses > 0;
}

/* Two names with `between` others among them. */
static bool collide(const char *first, const char *second, size_t between)
{
    aci_buf document;
    bool lost;

    aci_buf_init(&document, aci_env(NULL), SIZE_MAX);
    assert_true(aci_buf_printf(&document, ARGUMENTS "\"%s\":1", first));
    for (size_t i = 0; i < between; i++)
        assert_true(aci_buf_printf(&document, ",\"k%zu\":0", i));
    assert_true(aci_buf_printf(&document, ",\"%s\":2" AFTER, second));
    lost = is_loss(&document);
    aci_buf_clear(&document);
    return lost;
}

typedef struct row {
    const char *first, *second;
    bool same;
} row;

static const row rows[] = {
    {"a", "A", true},
    {"a", "a", true},
    {"a", "b", false},
    {"", "", true},
    {"", "a", false},
    {"first", "FIRST", true},
    {"first", "firsT ", false},
    {"[", "{", false}, /* bytes that differ as letters do */
    {"@", "`", false},
    {"a", "\\u0041", true},
    {"\\u0061b", "A\\u0042", true},
    {"a\\\"", "A\\u0022", true},
    {"a/", "A\\/", true},
    {"\xC3\xA9", "\xC3\x89", true}, /* e acute */
    {"\\u00e9", "\xC3\x89", true},
    {"\xC3\xA9", "e", false},
    {"\xC3\x9F", "SS", false},                      /* sharp s has no upper case of one character here */
    {"\xC3\x9F", "\xE1\xBA\x9E", false},            /* and capital sharp s none to it */
    {"\xC3\xBF", "\xC5\xB8", true},                 /* y with diaeresis, whose upper case is far away */
    {"\xC2\xB5", "\xCE\xBC", true},                 /* micro sign and mu */
    {"\xCF\x83", "\xCF\x82", true},                 /* both small sigmas */
    {"i", "\xC4\xB1", false},                       /* dotless i is apart */
    {"I", "\xC4\xB0", false},                       /* so is I with a dot */
    {"s", "\xC5\xBF", false},                       /* and long s */
    {"k", "\xE2\x84\xAA", false},                   /* Kelvin sign: its lower case is k, but not k's upper case */
    {"\xC7\x86", "\xC7\x85", true},                 /* titlecase has the same upper case */
    {"\xD0\xB9", "\xD0\x99", true},                 /* Cyrillic */
    {"\xE1\x83\x90", "\xE1\xB2\x90", true},         /* Georgian */
    {"\xEF\xBD\x81", "\xEF\xBC\xA1", true},         /* full width */
    {"\xF0\x90\x90\xA8", "\xF0\x90\x90\x80", true}, /* Deseret, beyond U+FFFF */
    {"\\ud801\\udc28", "\xF0\x90\x90\x80", true},
    {"\\ud801", "\\uD801", true}, /* a lone surrogate, which has no case */
    {"\\ud801", "\\ud802", false},
};

static void test_sk_name_collisions__names_that_are_the_same_to_dotnet(void **state)
{
    static const size_t between[] = {0, 10, 31, 600};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t n = 0; n < sizeof between / sizeof *between; n++)
            if (collide(rows[i].first, rows[i].second, between[n]) != rows[i].same ||
                collide(rows[i].second, rows[i].first, between[n]) != rows[i].same)
                fail_msg("%s and %s, %zu between them", rows[i].first, rows[i].second, between[n]);
}

/* What a repair changes in the values does not hide it. */
static void test_sk_name_collisions__lone_surrogates_beside(void **state)
{
    (void)state;
    assert_true(collide("a", "A\":\"\\ud800\",\"b", 0));
}

/* Names only of the object itself count. */
static void test_sk_name_collisions__nested_names_are_others(void **state)
{
    (void)state;
    assert_false(collide("a", "b\":{\"A\":1,\"a\":2},\"c", 0));
}

/* Hundreds of thousands of names cost no more than their number: the square of it would not end. */
static void test_sk_name_collisions__many_names(void **state)
{
    aci_buf document;

    (void)state;
    aci_buf_init(&document, aci_env(NULL), SIZE_MAX);
    assert_true(aci_buf_printf(&document, ARGUMENTS "\"\xC3\xA9\":1"));
    for (size_t i = 0; i < 300000; i++)
        assert_true(aci_buf_printf(&document, ",\"\xC3\xA9%zu\":0", i));
    assert_true(aci_buf_printf(&document, AFTER));
    assert_false(is_loss(&document));
    aci_buf_clear(&document);
    assert_true(collide("first", "FIRST", 300000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_name_collisions__names_that_are_the_same_to_dotnet),
        cmocka_unit_test(test_sk_name_collisions__lone_surrogates_beside),
        cmocka_unit_test(test_sk_name_collisions__nested_names_are_others),
        cmocka_unit_test(test_sk_name_collisions__many_names),
    };

    return cmocka_run_group_tests_name("sk_case", tests, NULL, NULL);
}
