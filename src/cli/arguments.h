/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the arguments of a command apart: options anywhere, operands by name. Layer: cli. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include "cli.h"

/* An option. One of flag and value is set; the other is NULL. */
typedef struct cli_switch {
    const char *name; /* without its dashes */
    bool *flag;       /* set to true when the option is given */
    const char **value;
} cli_switch;

enum { CLI_MAX_SWITCHES = 9, CLI_GO_ON = -1 };

/*
 * Reads the arguments. `operands` names them as the usage does: "STORE APP USER ID [FILE]", "STORE FILE...". On
 * CLI_GO_ON they stand in argv from 1 on, with NULL for those that are not given; anything else is the exit status to
 * end with: help was asked for, or something was wrong, which has been said. -5 is an operand, as no option is a digit.
 * Where the first operand is STORE, there is the option --wait as well.
 */
int cli_arguments(const cli_command *self, int argc, char **argv, const char *operands, const cli_switch *switches,
                  size_t count);

/* A whole number in plain digits. false: none, or beyond the type. */
bool cli_parse_count(const char *text, uint64_t *out);
bool cli_parse_integer(const char *text, int64_t *out);

#endif
