/* SPDX-License-Identifier: Apache-2.0 */
/* The proleptic Gregorian calendar in UTC, years 0 to 9999. No calendar of the system is asked. */
#ifndef ACI_BASE_CALENDAR_H
#define ACI_BASE_CALENDAR_H

#include "base/shared.h"
#include <stdbool.h>
#include <stdint.h>

/* Seconds since 1970: 0000-01-01T00:00:00Z, 9999-12-31T23:59:59Z. */
#define ACI_CALENDAR_FIRST INT64_C(-62167219200)
#define ACI_CALENDAR_LAST INT64_C(253402300799)

enum { ACI_CALENDAR_DAY = 86400, ACI_CALENDAR_SIZE = 20 }; /* "2026-11-21T10:02:00" and a NUL */

/* How many days a month has. */
int aci_calendar_month(int year, int month);
/* Days from 1970-01-01 to a date that there is. */
int64_t aci_calendar_days(int year, int month, int day);
/* Prints a time, seconds since 1970. false: it is of no such year, and out is empty. */
ACI_SHARED bool aci_calendar_print(int64_t seconds, char out[ACI_CALENDAR_SIZE]);

#endif
