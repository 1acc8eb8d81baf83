/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real PostgreSQL server for tests.
 *
 * CTest starts one server for all tests that need one (CMakeLists.txt beside this file). A program that is run by hand
 * starts one of its own and removes it at the end. Without PostgreSQL it says why and ends with status 77.
 *
 * These functions fail the test, or end the program with an explanation where there is no test yet.
 */
#ifndef TEST_POSTGRES_H
#define TEST_POSTGRES_H

#include "support/test_support.h"

/* To be called first in main(): finds or starts the server. name: of the test, "unit.postgres_batch". */
void test_postgres_begin(const char *name);
/* Makes a database on that server. Its URL; free(). All of them are dropped when the program ends. */
char *test_postgres_database(void);
/* The same with other properties: what follows CREATE DATABASE name, "ENCODING 'LATIN1' TEMPLATE template0". */
char *test_postgres_database_with(const char *properties);

/* Runs statements on a connection of its own. */
void test_postgres_run(const char *url, const char *statements);
/* The first column of the first row, "" where that is NULL or missing; free(). */
char *test_postgres_ask(const char *url, const char *statement);
/* The same as a number. */
long long test_postgres_count(const char *url, const char *statement);
/* Asks until the answer is as expected, for ten seconds at most. */
void test_postgres_await(const char *url, const char *statement, const char *expected);

/* A server of the test's own, to be stopped and killed. durable: with fsync. */
typedef struct test_postgres_server {
    char *dir, *file; /* of tests/support/postgres/server */
    char *url;
} test_postgres_server;
test_postgres_server *test_postgres_server_new(bool durable);
/* One that follows another, which it calls itself `standby` to. */
test_postgres_server *test_postgres_server_standby(const test_postgres_server *primary);
/* One that also listens on 127.0.0.1, with TLS. */
test_postgres_server *test_postgres_server_tls(void);
/* What the script has written about it: "dir", "port"; free(). */
char *test_postgres_server_value(const test_postgres_server *server, const char *name);
/* what: "restart fast", "down immediate", "up", "kill", …: see tests/support/postgres/server. */
void test_postgres_server_do(const test_postgres_server *server, const char *what);
void test_postgres_server_free(test_postgres_server *server);

/* A server, durable, with a store in it, and a standby that every commit on it waits for. */
typedef struct test_postgres_pair {
    test_postgres_server *primary, *standby;
} test_postgres_pair;
test_postgres_pair test_postgres_pair_new(void);
/* The URL of a store on both: on the one that takes writes, when that is asked for by the parameters ("&…"); free(). */
char *test_postgres_pair_url(const test_postgres_pair *pair, const char *parameters);
void test_postgres_pair_free(test_postgres_pair *pair);

/* The URL with another user, or with more parameters ("options=…"); free(). */
char *test_postgres_url_with(const char *url, const char *user, const char *parameters);

#endif
