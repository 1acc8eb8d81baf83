/* SPDX-License-Identifier: Apache-2.0 */
/* A file system for SQLite that stands before the real one: it fails at call n, and need not flush. */
#ifndef SQLITE_VFS_H
#define SQLITE_VFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What SQLite asks of a file system. */
enum {
    TEST_VFS_OPEN = 1,
    TEST_VFS_READ = 2,
    TEST_VFS_WRITE = 4,
    TEST_VFS_SYNC = 8,
    TEST_VFS_TRUNCATE = 16,
    TEST_VFS_SIZE = 32,
    TEST_VFS_DELETE = 64,
    TEST_VFS_ACCESS = 128,
    TEST_VFS_SHARE = 256, /* shared memory and its locks */
    TEST_VFS_LOCK = 512,
    TEST_VFS_ALL = 1023
};

typedef struct test_vfs {
    unsigned kinds;       /* calls that count */
    uint64_t calls;       /* that were made of these kinds */
    uint64_t fail_at;     /* the call that fails, from 0; UINT64_MAX: none */
    bool all_after;       /* and all after it */
    uint64_t failures;    /* calls that failed */
    int error_number;     /* what errno is then; ENOSPC makes a write say that the disk is full */
    bool without_flushes; /* flushing does nothing, to be fast */
} test_vfs;

/* Called with what changes a file, before it does: kind is WRITE, TRUNCATE (at: the new size), SYNC or DELETE. */
typedef void (*test_vfs_watch)(unsigned kind, const char *name, const void *bytes, size_t len, uint64_t at);
extern test_vfs_watch test_vfs_watcher; /* NULL: nobody */

/* What holds from now on; the test sets it. */
extern test_vfs test_vfs_state;

/* Puts it before the real one, for all files that are opened from now on. */
void test_vfs_install(void);

#endif
