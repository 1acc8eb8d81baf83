/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/text/time.h"
#include "base/calendar.h"
#include <stdio.h>

const char *cli_time_text(int64_t time_us, char buffer[CLI_TIME_LEN])
{
    int64_t seconds = time_us / 1000000 - (time_us % 1000000 < 0);
    char text[ACI_CALENDAR_SIZE];

    if (aci_calendar_print(seconds, text))
        (void)snprintf(buffer, CLI_TIME_LEN, "%s.%06dZ", text, (int)(time_us - seconds * 1000000));
    else
        (void)snprintf(buffer, CLI_TIME_LEN, "(no time)"); /* a damaged store can say anything */
    return buffer;
}
