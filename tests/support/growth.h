/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what a call costs as what it is given grows. */
#ifndef TEST_SUPPORT_GROWTH_H
#define TEST_SUPPORT_GROWTH_H

#include "support/test_support.h"

/* A case gives the seconds that the call itself took. */
typedef double growth_case(size_t n);

/* The greater size is the program's first argument, or 16,000. */
void growth_begin(int argc, char **argv);
/* Runs a case with an eighth of that size and with all of it: where the cost grew by its square, it would be 64 times
   as much. */
void growth_check(const char *what, growth_case *run);

#endif
