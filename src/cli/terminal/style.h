/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_TERMINAL_STYLE_H
#define CLI_TERMINAL_STYLE_H

#include <agentchat/base.h>

/* Escape sequences of the tool's own: empty strings unless `out` is a terminal and NO_COLOR is not set. */
typedef struct cli_style {
    const char *bold, *dim, *red, *green, *off;
} cli_style;
cli_style cli_style_of(FILE *out);

#endif
