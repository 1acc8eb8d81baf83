/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/text/time.h"
#include <stdio.h>
#include <time.h>

const char *cli_time_text(int64_t time_us, char buffer[CLI_TIME_LEN])
{
    /* Rounded down, without a number on the way that a damaged store could bring beyond the type. */
    int64_t fraction = time_us % 1000000, since_epoch = time_us / 1000000;
    struct tm day;

    if (fraction < 0) {
        fraction += 1000000;
        since_epoch--;
    }
    time_t seconds = (time_t)since_epoch;
    if (seconds != since_epoch || gmtime_r(&seconds, &day) == NULL || day.tm_year < -1900 || day.tm_year > 9999 - 1900)
        (void)snprintf(buffer, CLI_TIME_LEN, "(no time)"); /* a damaged store can say anything */
    else
        (void)snprintf(buffer, CLI_TIME_LEN, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", day.tm_year + 1900, day.tm_mon + 1,
                       day.tm_mday, day.tm_hour, day.tm_min, day.tm_sec, (int)fraction);
    return buffer;
}
