/* SPDX-License-Identifier: Apache-2.0 */
/* Times: RFC 3339, its nanoseconds, numbers of seconds, there and back. */
#include "support/test_support.h"

#include "event/time.h"
#include <stdio.h>

static int64_t ns_of(const char *text)
{
    aci_time time;

    assert_true(aci_time_parse(agentchat_str_from(text), &time));
    return aci_time_ns(&time);
}

static void test_time__is_counted_in_nanoseconds(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"1970-01-01T00:00:00.000000001Z", 1},
        {"1969-12-31T23:59:59.999999999Z", -1},
        {"1969-12-31T23:59:58.5Z", -1500000000},
        {"1970-01-01T01:00:00+01:00", 0},
        {"1969-12-31T22:30:00-01:30", 0},
        {"1970-01-01t00:00:00z", 0},
        {"2026-01-02T03:04:05.678901Z", INT64_C(1767323045678901000)},
        {"2026-01-02T03:04:05.67890123456789Z", INT64_C(1767323045678901234)},
        {"2024-02-29T00:00:00Z", INT64_C(1709164800000000000)},
        {"1900-03-01T00:00:00Z", INT64_C(-2203891200000000000)},
        {"2016-12-31T23:59:60Z", INT64_C(1483228800000000000)},
        {"2262-04-11T23:47:16.854775807Z", INT64_MAX},
        {"2262-04-11T23:47:16.854775808Z", INT64_MAX},
        {"9999-12-31T23:59:59Z", INT64_MAX},
        {"1677-09-21T00:12:43.145224192Z", INT64_MIN},
        {"1677-09-21T00:12:43.145224191Z", INT64_MIN},
        {"0000-01-01T00:00:00Z", INT64_MIN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (ns_of(cases[i].text) != cases[i].ns)
            fail_msg("%s: %lld", cases[i].text, (long long)ns_of(cases[i].text));
}

static void test_time__refuses_what_is_not_rfc_3339(void **state)
{
    static const char *const cases[] = {
        "",
        "2026",
        "2026-01-02",
        "2026-01-02T03:04:05",
        "2026-01-02 03:04:05Z",
        "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04Z",
        "2026-00-02T03:04:05Z",
        "2026-13-02T03:04:05Z",
        "2026-01-00T03:04:05Z",
        "2026-01-32T03:04:05Z",
        "2026-02-29T03:04:05Z",
        "1900-02-29T03:04:05Z",
        "2026-01-02T24:04:05Z",
        "2026-01-02T03:60:05Z",
        "2026-01-02T03:04:61Z",
        "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+01:60",
        "2026-01-02T03:04:05+0100",
        "2026-01-02T03:04:05+01",
        "2026-01-02T03:04:05ZZ",
        "2026-01-02T03:04:05Z ",
        " 2026-01-02T03:04:05Z",
        "-026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.1.2Z",
        "1734292270.899412",
    };
    aci_time time;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        /* Exactly as long as it is, so that a sanitizer sees reading beyond it. */
        size_t len = strlen(cases[i]);
        char *exact = malloc(len + (len == 0));

        memcpy(exact, cases[i], len);
        if (aci_time_parse((agentchat_str){exact, len}, &time))
            fail_msg("%s", cases[i]);
        free(exact);
    }
}

static void test_time__distinguishes_offsets_from_utc(void **state)
{
    aci_time time;

    (void)state;
    assert_true(aci_time_parse(AGENTCHAT_STR("2026-01-02T03:04:05Z"), &time) && time.is_utc);
    assert_true(aci_time_parse(AGENTCHAT_STR("2026-01-02T03:04:05+00:00"), &time) && time.is_utc);
    assert_true(aci_time_parse(AGENTCHAT_STR("2026-01-02T03:04:05-00:00"), &time) && time.is_utc);
    assert_true(aci_time_parse(AGENTCHAT_STR("2026-01-02T03:04:05+00:01"), &time) && !time.is_utc);
}

static void test_time__numbers_become_text(void **state)
{
    static const struct {
        const char *number, *text;
        unsigned flags;
        const char *back; /* NULL: the number as it was */
    } cases[] = {
        {"0", "1970-01-01T00:00:00Z", 0, NULL},
        {"-0", "1970-01-01T00:00:00Z", 0, "0"},
        {"0.000", "1970-01-01T00:00:00.000Z", 0, NULL},
        {"1734292270.899412", "2024-12-15T19:51:10.899412Z", 0, NULL},
        {"1734292270.10", "2024-12-15T19:51:10.10Z", 0, NULL},
        {"1734292270.0", "2024-12-15T19:51:10.0Z", 0, NULL},
        {"1734292270", "2024-12-15T19:51:10Z", 0, NULL},
        {"1.734292270899412e9", "2024-12-15T19:51:10.899412Z", 0, "1734292270.899412"},
        {"1.734292270899412E+09", "2024-12-15T19:51:10.899412Z", 0, "1734292270.899412"},
        {"17342922708994120e-7",
         "2024-12-15T19:51:10.8994120"
         "Z",
         0, "1734292270.8994120"},
        {"1.5e1", "1970-01-01T00:00:15Z", 0, "15"},
        {"15e-1", "1970-01-01T00:00:01.5Z", 0, "1.5"},
        {"1e-3", "1970-01-01T00:00:00.001Z", 0, "0.001"},
        {"0.05", "1970-01-01T00:00:00.05Z", 0, NULL},
        {"0.123456789", "1970-01-01T00:00:00.123456789Z", 0, NULL},
        {"0.1234567891", "1970-01-01T00:00:00.123456789Z", ACI_TIME_CUT, "0.123456789"},
        {"0.1234567890", "1970-01-01T00:00:00.123456789Z", 0, "0.123456789"},
        {"1e-10", "1970-01-01T00:00:00.000000000Z", ACI_TIME_CUT, "0.000000000"},
        {"1e-99999999999999999999", "1970-01-01T00:00:00.000000000Z", ACI_TIME_CUT, "0.000000000"},
        {"0e99999999999999999999", "1970-01-01T00:00:00Z", 0, "0"},
        {"-0.5", "1969-12-31T23:59:59.5Z", 0, NULL},
        {"-1", "1969-12-31T23:59:59Z", 0, NULL},
        {"-1.25", "1969-12-31T23:59:58.75Z", 0, NULL},
        {"-1.250", "1969-12-31T23:59:58.750Z", 0, NULL},
        {"-0.0", "1970-01-01T00:00:00.0Z", 0, "0.0"},
        {"100000000000", "5138-11-16T09:46:40Z", 0, NULL},
        {"100000000000.0", "5138-11-16T09:46:40.0Z", 0, NULL},
        {"100000000000.5", "1973-03-03T09:46:40.0005Z", ACI_TIME_MILLISECONDS, "100000000.0005"},
        {"1734292270899", "2024-12-15T19:51:10.899Z", ACI_TIME_MILLISECONDS, "1734292270.899"},
        {"1734292270899.412", "2024-12-15T19:51:10.899412Z", ACI_TIME_MILLISECONDS, "1734292270.899412"},
        {"1734292270899.4123456", "2024-12-15T19:51:10.899412345Z", ACI_TIME_MILLISECONDS | ACI_TIME_CUT,
         "1734292270.899412345"},
        {"-1734292270899", "1915-01-17T04:08:49.101Z", ACI_TIME_MILLISECONDS, "-1734292270.899"},
        {"253402300799999", "9999-12-31T23:59:59.999Z", ACI_TIME_MILLISECONDS, "253402300799.999"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[ACI_TIME_SIZE], back[ACI_TIME_SIZE];
        unsigned flags;
        aci_time time;
        size_t len;
        bool cut;

        len = aci_time_from_number(agentchat_str_from(cases[i].number), text, &flags);
        assert_int_equal(len, strlen(text));
        assert_string_equal(text, cases[i].text);
        assert_int_equal(flags, cases[i].flags);
        assert_true(aci_time_parse(agentchat_str_from(text), &time));
        len = aci_time_print_seconds(&time, back, &cut);
        assert_int_equal(len, strlen(back));
        assert_string_equal(back, cases[i].back != NULL ? cases[i].back : cases[i].number);
        assert_false(cut);
    }
}

static void test_time__numbers_beyond_years_are_refused(void **state)
{
    static const char *const cases[] = {
        "253402300800000",         "1e18", "1e300", "-62167219201", "-62167219200001", "1e99999999999999999999",
        "99999999999999999999999",
    };
    char text[ACI_TIME_SIZE];
    unsigned flags;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (aci_time_from_number(agentchat_str_from(cases[i]), text, &flags) != 0)
            fail_msg("%s: %s", cases[i], text);
}

static void test_time__seconds_keep_nine_digits(void **state)
{
    char text[ACI_TIME_SIZE];
    aci_time time;
    bool cut;

    (void)state;
    assert_true(aci_time_parse(AGENTCHAT_STR("2026-01-02T04:04:05.1234567891234567891+01:00"), &time));
    (void)aci_time_print_seconds(&time, text, &cut);
    assert_string_equal(text, "1767323045.123456789");
    assert_true(cut);
    assert_true(aci_time_parse(AGENTCHAT_STR("2026-01-02T03:04:05.12345678900000000"), &time) == false);
    assert_true(aci_time_parse(AGENTCHAT_STR("2026-01-02T03:04:05.12345678900000000Z"), &time));
    (void)aci_time_print_seconds(&time, text, &cut);
    assert_string_equal(text, "1767323045.123456789");
    assert_false(cut);
}

static void test_time__prints_microseconds(void **state)
{
    static const struct {
        int64_t us;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000Z"},
        {-1, "1969-12-31T23:59:59.999999Z"},
        {INT64_C(1767323045678901), "2026-01-02T03:04:05.678901Z"},
        {INT64_MAX, "9999-12-31T23:59:59.999999Z"},
        {INT64_MIN, "0000-01-01T00:00:00.000000Z"},
    };
    char text[ACI_TIME_SIZE];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = aci_time_print_us(cases[i].us, text);

        assert_int_equal(len, strlen(text));
        assert_string_equal(text, cases[i].text);
    }
}

/* Every day of eight centuries, and whatever second of it: printed, read and counted again. */
static void test_time__days_come_back(void **state)
{
    uint32_t random = 1;

    (void)state;
    for (int64_t day = -146097; day < 146097; day++) {
        char text[ACI_TIME_SIZE];
        aci_time time;
        int64_t us;

        random = random * 1664525 + 1013904223;
        us = (day * 86400 + random % 86400) * 1000000 + random % 1000000;
        (void)aci_time_print_us(us, text);
        assert_true(aci_time_parse(agentchat_str_from(text), &time));
        assert_int_equal(time.seconds, us / 1000000 - (us % 1000000 < 0));
        if (us > INT64_MIN / 1000 && us < INT64_MAX / 1000)
            assert_int_equal(aci_time_ns(&time), us * 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time__is_counted_in_nanoseconds),
        cmocka_unit_test(test_time__refuses_what_is_not_rfc_3339),
        cmocka_unit_test(test_time__distinguishes_offsets_from_utc),
        cmocka_unit_test(test_time__numbers_become_text),
        cmocka_unit_test(test_time__numbers_beyond_years_are_refused),
        cmocka_unit_test(test_time__seconds_keep_nine_digits),
        cmocka_unit_test(test_time__prints_microseconds),
        cmocka_unit_test(test_time__days_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
