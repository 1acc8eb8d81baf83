/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/terminal/style.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

cli_style cli_style_of(FILE *out)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool plain = (no_color != NULL && no_color[0] != '\0') || term == NULL || strcmp(term, "dumb") == 0;

    if (plain || !isatty(fileno(out)))
        return (cli_style){"", "", "", "", ""};
    return (cli_style){"\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[0m"};
}
