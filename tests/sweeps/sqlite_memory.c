/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite's allocator with the failures of the sweep that is running. */
#include "sqlite_memory.h"

#include "sweep.h"

#include <sqlite3.h>

static sqlite3_mem_methods real;
static bool is_counted;
static unsigned long stride, calls;

static bool fails(void)
{
    return is_counted && test_oom_running() != NULL && calls++ % stride == 0 && test_oom_fails_now(test_oom_running());
}

static void *failing_malloc(int size)
{
    return fails() ? NULL : real.xMalloc(size);
}

static void *failing_realloc(void *block, int size)
{
    return fails() ? NULL : real.xRealloc(block, size);
}

void sqlite_memory_begin(void)
{
    const char *given = getenv("AGENTCHAT_TEST_SQLITE_STRIDE");
    sqlite3_mem_methods methods;
    sqlite3 *db = NULL;

    stride = given != NULL ? strtoul(given, NULL, 10) : 7;
    if (stride == 0)
        stride = 1;
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK)
        abort();
    methods = real;
    methods.xMalloc = failing_malloc;
    methods.xRealloc = failing_realloc;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
        abort();
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) /* what it keeps for good */
        abort();
    (void)sqlite3_close(db);
}

void sqlite_memory_count(bool counts)
{
    is_counted = counts;
    calls = 0;
}

size_t sqlite_memory_used(void)
{
    return (size_t)sqlite3_memory_used();
}
