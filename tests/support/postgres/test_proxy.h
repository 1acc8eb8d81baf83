/* SPDX-License-Identifier: Apache-2.0 */
/* A proxy between a program and its PostgreSQL server: it counts, cuts, keeps quiet and changes what passes. One
   connection at a time. */
#ifndef TEST_PROXY_H
#define TEST_PROXY_H

#include "support/test_support.h"

typedef enum test_proxy_mode {
    TEST_PROXY_PASS,       /* hand on everything */
    TEST_PROXY_CUT_BEFORE, /* at what holds the next COMMIT: hand on nothing of it, close */
    TEST_PROXY_CUT_AFTER,  /* hand the next COMMIT on, wait for the complete answer, close without handing it on */
    TEST_PROXY_MUTE,       /* hand on what the program says but no answer */
    TEST_PROXY_OLD         /* say that the server is PostgreSQL 14 */
} test_proxy_mode;

typedef struct test_proxy test_proxy;

/* Starts one before the server of a URL. */
test_proxy *test_proxy_new(const char *url);
/* The URL of the same database through it. */
const char *test_proxy_url(const test_proxy *proxy);
void test_proxy_set(test_proxy *proxy, test_proxy_mode mode);
/* How often the program spoke after the server had spoken, since the last call: round trips on the wire. */
unsigned test_proxy_round_trips(test_proxy *proxy);
void test_proxy_free(test_proxy *proxy);

#endif
