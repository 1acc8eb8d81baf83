/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"
#include <stdio.h>
#include <stdlib.h>

path path_join(const char *dir, const char *name)
{
    path out;

    if ((size_t)snprintf(out.text, sizeof out.text, "%s/%s", dir, name) >= sizeof out.text) {
        (void)fputs("agentchat_demo: the directory's name is too long\n", stderr);
        exit(2);
    }
    return out;
}
