/* SPDX-License-Identifier: Apache-2.0 */
/* System calls with their interruptions dealt with. Layer 1. */
#include "io/posix.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
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
