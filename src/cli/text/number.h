/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that a user gives. */
#ifndef CLI_TEXT_NUMBER_H
#define CLI_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* An integer in plain digits. false: none, or beyond the type. */
bool cli_number_count(const char *text, uint64_t *out);
bool cli_number_integer(const char *text, int64_t *out);
/* A time span such as 90s, 15m, 12h, 30d or 2w, in microseconds. false: none, or beyond the type. */
bool cli_number_span_us(const char *text, int64_t *out);
/* Seconds, such as 5 or 0.5, as milliseconds, at least 1. false: no such number. */
bool cli_number_ms(const char *seconds, uint32_t *out);

#endif
