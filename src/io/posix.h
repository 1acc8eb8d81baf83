/* SPDX-License-Identifier: Apache-2.0 */
/* System calls with their interruptions dealt with. Layer 1; only the files of src/io include it. */
#ifndef ACI_IO_POSIX_H
#define ACI_IO_POSIX_H

#include <stddef.h>
#include <sys/types.h>

/* Like read(), but repeated when interrupted, and waiting where the descriptor does not block. -1 with errno. */
ssize_t aci_posix_read(int fd, void *buffer, size_t cap);
/* Writes all bytes. 0, or -1 with errno. */
int aci_posix_write_all(int fd, const void *bytes, size_t len);
/* Flushes to the disk. What cannot be flushed (a pipe, some directories) counts as flushed. 0, or -1 with errno. */
int aci_posix_flush(int fd);

#endif
