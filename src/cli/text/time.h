/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_TEXT_TIME_H
#define CLI_TEXT_TIME_H

#include <stdint.h>

enum { CLI_TIME_LEN = 96 };
/* Microseconds since 1970 as `2026-11-21T10:02:00.000000Z`. */
const char *cli_time_text(int64_t time_us, char buffer[CLI_TIME_LEN]);

#endif
