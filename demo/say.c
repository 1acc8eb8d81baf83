/* SPDX-License-Identifier: Apache-2.0 */
#include "say.h"
#include <stdarg.h>
#include <stdio.h>

void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vprintf(format, args);
    va_end(args);
    (void)putchar('\n');
    (void)fflush(stdout);
}
