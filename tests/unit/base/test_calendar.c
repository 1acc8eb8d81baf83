/* SPDX-License-Identifier: Apache-2.0 */
/* The calendar: every day of it, and its ends. */
#include "support/test_support.h"

#include "base/calendar.h"
#include <stdio.h>

static void assert_printed(int64_t seconds, const char *expected)
{
    char text[ACI_CALENDAR_SIZE] = "before";

    assert_int_equal(aci_calendar_print(seconds, text), expected[0] != '\0');
    assert_string_equal(text, expected);
}

static void test_calendar__prints_and_counts_every_day(void **state)
{
    int64_t days = ACI_CALENDAR_FIRST / ACI_CALENDAR_DAY;
    char expected[40];

    (void)state;
    for (int year = 0; year <= 9999; year++)
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= aci_calendar_month(year, month); day++, days++) {
                assert_int_equal(aci_calendar_days(year, month, day), days);
                (void)snprintf(expected, sizeof expected, "%04d-%02d-%02dT23:59:59", year, month, day);
                assert_printed(days * ACI_CALENDAR_DAY + ACI_CALENDAR_DAY - 1, expected);
            }
    assert_int_equal(days * ACI_CALENDAR_DAY - 1, ACI_CALENDAR_LAST);
}

static void test_calendar__ends(void **state)
{
    (void)state;
    assert_printed(0, "1970-01-01T00:00:00");
    assert_printed(-1, "1969-12-31T23:59:59");
    assert_printed(951782400, "2000-02-29T00:00:00");
    assert_printed(ACI_CALENDAR_FIRST, "0000-01-01T00:00:00");
    assert_printed(ACI_CALENDAR_LAST, "9999-12-31T23:59:59");
    assert_printed(ACI_CALENDAR_FIRST - 1, "");
    assert_printed(ACI_CALENDAR_LAST + 1, "");
    assert_printed(INT64_MIN, "");
    assert_printed(INT64_MAX, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calendar__prints_and_counts_every_day),
        cmocka_unit_test(test_calendar__ends),
    };

    return cmocka_run_group_tests_name("calendar", tests, NULL, NULL);
}
