/* SPDX-License-Identifier: Apache-2.0 */
/* The proleptic Gregorian calendar in UTC. */
#include "base/calendar.h"

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int aci_calendar_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/* Days from 0000-03-01 to 1970-01-01: years that begin in March have their leap day last. */
enum { MARCH_0_TO_EPOCH = 719468, YEARS_400 = 146097 };

int64_t aci_calendar_days(int year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1;
    int64_t m = month > 2 ? month - 3 : month + 9;
    int64_t era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;

    return era * YEARS_400 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * m + 2) / 5 + day - 1 - MARCH_0_TO_EPOCH;
}

static void date_from_days(int64_t days, int *year, int *month, int *day)
{
    int64_t from_march = days + MARCH_0_TO_EPOCH;
    int64_t era = (from_march >= 0 ? from_march : from_march - YEARS_400 + 1) / YEARS_400;
    int64_t d = from_march - era * YEARS_400;
    int64_t y = (d - d / 1460 + d / 36524 - d / 146096) / 365, m;

    d -= 365 * y + y / 4 - y / 100;
    m = (5 * d + 2) / 153;
    *day = (int)(d - (153 * m + 2) / 5) + 1;
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(y + era * 400 + (*month <= 2));
}

/* Prints a number with so many digits, and a byte after it. */
static char *put_number(char *out, int64_t value, int digits, char after)
{
    for (int i = digits; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
    out[digits] = after;
    return out + digits + 1;
}

bool aci_calendar_print(int64_t seconds, char out[ACI_CALENDAR_SIZE])
{
    int64_t days, of_day;
    int year, month, day;
    char *end = out;

    *out = '\0';
    if (seconds < ACI_CALENDAR_FIRST || seconds > ACI_CALENDAR_LAST)
        return false;
    days = seconds / ACI_CALENDAR_DAY - (seconds % ACI_CALENDAR_DAY < 0);
    of_day = seconds - days * ACI_CALENDAR_DAY;
    date_from_days(days, &year, &month, &day);
    end = put_number(end, year, 4, '-');
    end = put_number(end, month, 2, '-');
    end = put_number(end, day, 2, 'T');
    end = put_number(end, of_day / 3600, 2, ':');
    end = put_number(end, of_day / 60 % 60, 2, ':');
    (void)put_number(end, of_day % 60, 2, '\0');
    return true;
}
