/* SPDX-License-Identifier: Apache-2.0 */
/* System calls with their interruptions and signals dealt with. Only the files of src/io include it. */
#ifndef ACI_IO_POSIX_H
#define ACI_IO_POSIX_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Like read(), but repeated when interrupted, and waiting where the descriptor does not block. -1 with errno. */
ssize_t aci_posix_read(int fd, void *buffer, size_t cap);
/* Like openat(), but repeated when interrupted; the descriptor is closed by exec and never a controlling terminal. */
int aci_posix_open(int dir, const char *path, int flags, mode_t mode);
/* Writes all bytes. 0, or -1 with errno. */
int aci_posix_write_all(int fd, const void *bytes, size_t len);
/* Flushes to the disk. What cannot be flushed (a pipe, some directories) counts as flushed. 0, or -1 with errno. */
int aci_posix_flush(int fd);

/* Whether writing to it may raise SIGPIPE: it is no regular file, or nobody knows what it is. */
bool aci_posix_may_raise_sigpipe(int fd);
/* Between the two calls a SIGPIPE that this thread's writing raises is held back and then dropped, so that the failure
   is an errno and nothing else. The host's own signals and its mask are as before. errno is kept. */
typedef struct aci_sigpipe {
    sigset_t mask;
    bool was_pending, is_held;
} aci_sigpipe;
void aci_posix_sigpipe_hold(aci_sigpipe *pipe);
void aci_posix_sigpipe_release(const aci_sigpipe *pipe);

#endif
