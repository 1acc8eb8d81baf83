/* SPDX-License-Identifier: Apache-2.0 */
/* System calls with their interruptions and signals dealt with. */
#include "io/posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* After a failed call: whether to try again. Waits for a descriptor that does not block. */
static int try_again(int fd, short events)
{
    struct pollfd ready = {.fd = fd, .events = events};

    if (errno == EINTR)
        return 1;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return 0;
    return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

ssize_t aci_posix_read(int fd, void *buffer, size_t cap)
{
    ssize_t got;

    do {
        got = read(fd, buffer, cap < SSIZE_MAX ? cap : SSIZE_MAX);
    } while (got < 0 && try_again(fd, POLLIN));
    return got;
}

int aci_posix_open(int dir, const char *path, int flags, mode_t mode)
{
    int fd;

    do {
        fd = openat(dir, path, flags | O_CLOEXEC | O_NOCTTY, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

int aci_posix_write_all(int fd, const void *bytes, size_t len)
{
    const char *next = bytes;

    while (len > 0) {
        ssize_t done = write(fd, next, len < SSIZE_MAX ? len : SSIZE_MAX);

        if (done > 0) {
            next += done;
            len -= (size_t)done;
        } else if (done == 0) { /* nothing taken and no reason given; trying again might never end */
            errno = ENOSPC;
            return -1;
        } else if (!try_again(fd, POLLOUT)) {
            return -1;
        }
    }
    return 0;
}

int aci_posix_flush(int fd)
{
    int result;

    do {
        result = fsync(fd);
    } while (result != 0 && errno == EINTR);
    /* Not EROFS: a file system that has given up after an error answers so, and what was written to it is lost. */
    return result == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : -1;
}

bool aci_posix_may_raise_sigpipe(int fd)
{
    struct stat info;

    return fstat(fd, &info) != 0 || !S_ISREG(info.st_mode);
}

void aci_posix_sigpipe_hold(aci_sigpipe *pipe)
{
    sigset_t signals;

    sigemptyset(&signals);
    pipe->was_pending = sigpending(&signals) == 0 && sigismember(&signals, SIGPIPE) == 1;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pipe->is_held = pthread_sigmask(SIG_BLOCK, &signals, &pipe->mask) == 0;
}

void aci_posix_sigpipe_release(const aci_sigpipe *pipe)
{
    const struct timespec at_once = {0, 0};
    int error = errno;
    sigset_t signals;

    if (!pipe->is_held)
        return;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    /* One that was pending before is the host's: ours has become one with it. */
    while (!pipe->was_pending && sigtimedwait(&signals, NULL, &at_once) < 0 && errno == EINTR) {
    }
    (void)pthread_sigmask(SIG_SETMASK, &pipe->mask, NULL);
    errno = error;
}
