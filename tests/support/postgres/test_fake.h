/* SPDX-License-Identifier: Apache-2.0 */
/* Something that speaks like a PostgreSQL server and says what a test wants said, whatever it is asked: what no real
   server can be brought to say. On a socket of its own; one connection at a time. */
#ifndef TEST_FAKE_H
#define TEST_FAKE_H

#include "support/test_support.h"

/*
 * What is done with a connection is a script of words separated by semicolons. It is closed after the last of them.
 *
 *   in                       lets the client in, without a question
 *   sync                     waits until the client has ended a pipeline, or a part of one
 *   query                    waits for a text of statements, outside of a pipeline
 *   pause:MS                 says nothing for that long
 *   hang                     waits until the client closes
 *   parsed, bound, nothing   a statement is prepared; has its parameters; will have no rows
 *   columns:N, row:A,B…      rows of N columns of text; one of them
 *   done:TAG                 a statement has run: "done:INSERT 0 1"
 *   ready                    the pipeline has ended; no transaction is open
 *   error:SEVERITY,STATE,MESSAGE    a failure as a server reports it
 *   pooler:SEVERITY,STATE,MESSAGE   and as a connection pooler does, with fewer fields
 *   say:TEXT                 what is no message at all
 */
typedef struct test_fake test_fake;

/* The answers to the settings of a connection, in two parts. */
#define TEST_FAKE_SERVER "in;sync;parsed;bound;columns:2;row:150000,UTF8;done:SELECT 1;ready;"
#define TEST_FAKE_SETTLED TEST_FAKE_SERVER "sync;parsed;bound;columns:1;row:1s;done:SELECT 1;ready;"
/* The answer to a statement without rows that is prepared first. */
#define TEST_FAKE_RUN(tag) "parsed;bound;nothing;done:" tag ";"

/* Starts one. The script is borrowed and begins anew with each connection. */
test_fake *test_fake_new(const char *script);
/* Its directory, which is a host to libpq. */
const char *test_fake_host(const test_fake *fake);
/* A URL with that host, a user and a database. */
const char *test_fake_url(const test_fake *fake);
void test_fake_free(test_fake *fake);

#endif
