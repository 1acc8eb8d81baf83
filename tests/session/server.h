/* SPDX-License-Identifier: Apache-2.0 */
/* The database of a test program on the PostgreSQL server of the tests (tests/support/postgres). */
#ifndef SESSION_SERVER_H
#define SESSION_SERVER_H

#include <stdbool.h>

/* Finds the server; ends the program with status 77 and the reason where there is none. name: of the test. */
void server_begin(const char *name);
/* What opens a store in this program's database, made at the first call. */
const char *server_url(void);
/* Whether the server has an extension that a database can be given. */
bool server_has_extension(const char *name);

#endif
