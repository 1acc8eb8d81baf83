/* SPDX-License-Identifier: Apache-2.0 */
/* In place of server.c where the library was built without PostgreSQL. */
#include "session/server.h"

#include <stdio.h>
#include <stdlib.h>

void server_begin(const char *name)
{
    printf("skipped %s: the library was built without PostgreSQL\n", name);
    fflush(stdout);
    exit(77);
}

const char *server_url(void)
{
    return "";
}

bool server_has_extension(const char *name)
{
    (void)name;
    return false;
}
