/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sees every call of the library that does input or output, and lets it happen, fail or do less.
 *
 * The test is linked with --wrap for each function that system_calls.txt classes as io, so the wrappers in io_watch.c
 * stand between the library and the C library. While nobody watches, all calls go through.
 */
#ifndef FAULTS_IO_WATCH_H
#define FAULTS_IO_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* ferror is wrapped but is no call of its own: it reports a fread or fwrite that was made to fail. */
typedef enum io_name {
    IO_CLOSE,
    IO_FACCESSAT,
    IO_FCHMOD,
    IO_FCHOWN,
    IO_FCNTL,
    IO_FFLUSH,
    IO_FGETXATTR,
    IO_FILENO,
    IO_FLOCK,
    IO_FREAD,
    IO_FREMOVEXATTR,
    IO_FSETXATTR,
    IO_FSTAT,
    IO_FSTATAT,
    IO_FSYNC,
    IO_FTELLO,
    IO_FWRITE,
    IO_LSEEK,
    IO_OPEN,
    IO_OPENAT,
    IO_POLL,
    IO_READ,
    IO_READLINK,
    IO_RENAMEAT,
    IO_STAT,
    IO_UNLINKAT,
    IO_WRITE,
    IO_NAMES
} io_name;

typedef struct io_call {
    io_name name;
    unsigned long number;      /* from 0 since io_watch() */
    int fd;                    /* what it works on; the directory of the …at functions; -1 */
    bool directory;            /* close, fsync: fd is a directory; openat: a directory is opened */
    const char *path, *target; /* the name or names; NULL when there are none */
    int flags;                 /* of open and openat */
    mode_t mode;               /* of openat and fchmod */
    const void *bytes;         /* of write */
    size_t len;                /* of read, write, fread, fwrite: how much is asked for */
} io_call;

/* What becomes of a call; zero: it happens. */
typedef struct io_answer {
    int error;    /* it does not happen and fails with this errno; a close happens all the same, as on Linux */
    bool pretend; /* fsync: does not happen and succeeds */
    bool limited; /* read, write, fread: at most `most` bytes; fwrite: `most` bytes and then ENOSPC */
    size_t most;
} io_answer;

typedef struct io_watcher {
    io_answer (*before)(void *user, const io_call *call);        /* NULL: everything happens */
    void (*after)(void *user, const io_call *call, long result); /* NULL: nobody wants to know */
    void *user;
} io_watcher;

/* From here on the library's calls are watched, until io_watch(NULL). Nothing that a watcher itself calls is seen. */
void io_watch(const io_watcher *watcher);
const char *io_name_text(io_name name);

#endif
