/* SPDX-License-Identifier: Apache-2.0 */
/* Times as text: RFC 3339, which events keep as it is written, and the ADKs' numbers of seconds. */
#ifndef ACI_EVENT_TIME_H
#define ACI_EVENT_TIME_H

#include "base/calendar.h"
#include <agentchat/base.h>

typedef struct aci_time {
    int64_t seconds;        /* since 1970-01-01T00:00:00Z; a leap second counts as the one that follows */
    agentchat_str fraction; /* digits after the point: a view; empty for none */
    bool is_utc;            /* written without an offset but Z, +00:00 or -00:00 */
    bool is_leap;           /* a leap second */
} aci_time;

/* Reads RFC 3339 text (section 5.6, with T and Z of either case). false: it is none. */
bool aci_time_parse(agentchat_str text, aci_time *out);
/* Nanoseconds since 1970, held at the ends of the range; digits beyond nanoseconds do not count. */
int64_t aci_time_ns(const aci_time *time);

enum { ACI_TIME_SIZE = 40 }; /* "2026-11-21T10:02:00.123456789Z" and a NUL */

/* RFC 3339 of microseconds since 1970, with six digits; held at the years 0 and 9999. Returns the length. */
size_t aci_time_print_us(int64_t us, char out[ACI_TIME_SIZE]);

enum {
    ACI_TIME_MILLISECONDS = 1, /* read as milliseconds: as seconds it would be beyond 10^11 */
    ACI_TIME_CUT = 2           /* digits beyond nanoseconds, not all zero, were left out */
};
/* An offset from UTC can make a time that lies before it. */
#define ACI_TIME_FIRST_SECOND ACI_CALENDAR_FIRST
/* Seconds, in either direction, beyond which a number is taken for milliseconds: in the year 5138. */
#define ACI_TIME_HIGHEST_SECONDS INT64_C(100000000000)
/* RFC 3339 of a JSON number of seconds, with as many digits after the point as the number has, at most 9. Returns the
   length; 0 when the time is before the year 0 or after 9999. */
size_t aci_time_from_number(agentchat_str number, char out[ACI_TIME_SIZE], unsigned *flags);
/* The reverse: a JSON number of seconds, with at most 9 digits after the point. *cut: others were not all zero. */
size_t aci_time_print_seconds(const aci_time *time, char out[ACI_TIME_SIZE], bool *cut);

#endif
