/* SPDX-License-Identifier: Apache-2.0 */
/* The wrappers. __wrap_NAME stands in for NAME, __real_NAME is the C library's: the linker's option --wrap. */
#include "io_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_close(int fd);
int __real_faccessat(int dir, const char *path, int mode, int flags);
int __real_fchmod(int fd, mode_t mode);
int __real_fchown(int fd, uid_t owner, gid_t group);
ssize_t __real_fgetxattr(int fd, const char *name, void *value, size_t size);
int __real_flock(int fd, int operation);
int __real_fremovexattr(int fd, const char *name);
int __real_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags);
int __real_fstatat(int dir, const char *path, struct stat *info, int flags);
int __real_fcntl(int fd, int command, ...);
int __real_ferror(FILE *file);
int __real_fflush(FILE *file);
int __real_fileno(FILE *file);
size_t __real_fread(void *bytes, size_t size, size_t count, FILE *file);
int __real_fstat(int fd, struct stat *info);
int __real_fsync(int fd);
off_t __real_ftello(FILE *file);
size_t __real_fwrite(const void *bytes, size_t size, size_t count, FILE *file);
off_t __real_lseek(int fd, off_t offset, int whence);
int __real_open(const char *path, int flags, ...);
int __real_openat(int dir, const char *path, int flags, ...);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
ssize_t __real_read(int fd, void *bytes, size_t cap);
ssize_t __real_readlink(const char *path, char *text, size_t cap);
int __real_renameat(int old_dir, const char *old_path, int new_dir, const char *new_path);
int __real_stat(const char *path, struct stat *info);
int __real_unlinkat(int dir, const char *path, int flags);
ssize_t __real_write(int fd, const void *bytes, size_t len);

int __wrap_close(int fd);
int __wrap_faccessat(int dir, const char *path, int mode, int flags);
int __wrap_fchmod(int fd, mode_t mode);
int __wrap_fchown(int fd, uid_t owner, gid_t group);
ssize_t __wrap_fgetxattr(int fd, const char *name, void *value, size_t size);
int __wrap_flock(int fd, int operation);
int __wrap_fremovexattr(int fd, const char *name);
int __wrap_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags);
int __wrap_fstatat(int dir, const char *path, struct stat *info, int flags);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_ferror(FILE *file);
int __wrap_fflush(FILE *file);
int __wrap_fileno(FILE *file);
size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file);
int __wrap_fstat(int fd, struct stat *info);
int __wrap_fsync(int fd);
off_t __wrap_ftello(FILE *file);
size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *file);
off_t __wrap_lseek(int fd, off_t offset, int whence);
int __wrap_open(const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
ssize_t __wrap_read(int fd, void *bytes, size_t cap);
ssize_t __wrap_readlink(const char *path, char *text, size_t cap);
int __wrap_renameat(int old_dir, const char *old_path, int new_dir, const char *new_path);
int __wrap_stat(const char *path, struct stat *info);
int __wrap_unlinkat(int dir, const char *path, int flags);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);

static io_watcher watching;
static bool is_watched;
static unsigned long next_number;
static FILE *broken_file; /* whose last fread or fwrite was made to fail */

void io_watch(const io_watcher *watcher)
{
    is_watched = watcher != NULL;
    next_number = 0;
    broken_file = NULL;
    if (watcher != NULL)
        watching = *watcher;
}

const char *io_name_text(io_name name)
{
    static const char *const names[IO_NAMES] = {
        "close", "faccessat",    "fchmod",    "fchown", "fcntl",    "fflush",   "fgetxattr", "fileno",   "flock",
        "fread", "fremovexattr", "fsetxattr", "fstat",  "fstatat",  "fsync",    "ftello",    "fwrite",   "lseek",
        "open",  "openat",       "poll",      "read",   "readlink", "renameat", "stat",      "unlinkat", "write"};

    return names[name];
}

static bool is_directory(int fd)
{
    struct stat info;

    return __real_fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
}

/* The watcher's answer; while it is asked it is not watched itself. errno is what it was. */
static io_answer ask(io_call *call)
{
    io_answer answer = {0};
    int before = errno;

    call->number = next_number++;
    if (watching.before != NULL) {
        is_watched = false;
        answer = watching.before(watching.user, call);
        is_watched = true;
    }
    errno = before;
    return answer;
}

static void report(const io_call *call, long result)
{
    int before = errno;

    if (watching.after != NULL) {
        is_watched = false;
        watching.after(watching.user, call, result);
        is_watched = true;
    }
    errno = before;
}

/* A call that was made to fail. */
static int failed(const io_call *call, int error)
{
    errno = error;
    report(call, -1);
    return -1;
}

/* The body of a wrapper that does the call, or makes it fail as the watcher wants. */
#define LET_HAPPEN(type, happening)                                                                                    \
    io_answer answer;                                                                                                  \
    type result;                                                                                                       \
                                                                                                                       \
    if (!is_watched)                                                                                                   \
        return happening;                                                                                              \
    answer = ask(&call);                                                                                               \
    if (answer.error != 0)                                                                                             \
        return failed(&call, answer.error);                                                                            \
    result = happening;                                                                                                \
    report(&call, result);                                                                                             \
    return result

int __wrap_close(int fd)
{
    io_call call = {.name = IO_CLOSE, .fd = fd};
    io_answer answer;
    int result;

    if (!is_watched)
        return __real_close(fd);
    call.directory = is_directory(fd);
    answer = ask(&call);
    result = __real_close(fd);
    if (answer.error != 0)
        return failed(&call, answer.error);
    report(&call, result);
    return result;
}

int __wrap_faccessat(int dir, const char *path, int mode, int flags)
{
    io_call call = {.name = IO_FACCESSAT, .fd = dir, .path = path};

    LET_HAPPEN(int, __real_faccessat(dir, path, mode, flags));
}

int __wrap_fchmod(int fd, mode_t mode)
{
    io_call call = {.name = IO_FCHMOD, .fd = fd, .mode = mode};

    LET_HAPPEN(int, __real_fchmod(fd, mode));
}

int __wrap_fchown(int fd, uid_t owner, gid_t group)
{
    io_call call = {.name = IO_FCHOWN, .fd = fd};

    LET_HAPPEN(int, __real_fchown(fd, owner, group));
}

ssize_t __wrap_fgetxattr(int fd, const char *name, void *value, size_t size)
{
    io_call call = {.name = IO_FGETXATTR, .fd = fd, .len = size};

    LET_HAPPEN(ssize_t, __real_fgetxattr(fd, name, value, size));
}

int __wrap_flock(int fd, int operation)
{
    io_call call = {.name = IO_FLOCK, .fd = fd};

    LET_HAPPEN(int, __real_flock(fd, operation));
}

int __wrap_fremovexattr(int fd, const char *name)
{
    io_call call = {.name = IO_FREMOVEXATTR, .fd = fd};

    LET_HAPPEN(int, __real_fremovexattr(fd, name));
}

int __wrap_fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
    io_call call = {.name = IO_FSETXATTR, .fd = fd, .len = size};

    LET_HAPPEN(int, __real_fsetxattr(fd, name, value, size, flags));
}

int __wrap_fstatat(int dir, const char *path, struct stat *info, int flags)
{
    io_call call = {.name = IO_FSTATAT, .fd = dir, .path = path};

    LET_HAPPEN(int, __real_fstatat(dir, path, info, flags));
}

/* The library asks for duplicates only, whose one argument is a number. */
int __wrap_fcntl(int fd, int command, ...)
{
    io_call call = {.name = IO_FCNTL, .fd = fd};
    va_list arguments;
    int number;

    va_start(arguments, command);
    number = va_arg(arguments, int);
    va_end(arguments);
    LET_HAPPEN(int, __real_fcntl(fd, command, number));
}

int __wrap_ferror(FILE *file)
{
    return file == broken_file ? 1 : __real_ferror(file);
}

int __wrap_fflush(FILE *file)
{
    io_call call = {.name = IO_FFLUSH, .fd = -1};

    LET_HAPPEN(int, __real_fflush(file));
}

int __wrap_fileno(FILE *file)
{
    io_call call = {.name = IO_FILENO, .fd = -1};

    LET_HAPPEN(int, __real_fileno(file));
}

size_t __wrap_fread(void *bytes, size_t size, size_t count, FILE *file)
{
    io_call call = {.name = IO_FREAD, .fd = -1, .len = size * count};
    io_answer answer;
    size_t result;

    if (!is_watched)
        return __real_fread(bytes, size, count, file);
    answer = ask(&call);
    if (answer.error != 0) {
        broken_file = file;
        failed(&call, answer.error);
        return 0;
    }
    if (answer.limited && answer.most < count)
        count = answer.most;
    result = __real_fread(bytes, size, count, file);
    report(&call, (long)result);
    return result;
}

int __wrap_fstat(int fd, struct stat *info)
{
    io_call call = {.name = IO_FSTAT, .fd = fd};

    LET_HAPPEN(int, __real_fstat(fd, info));
}

int __wrap_fsync(int fd)
{
    io_call call = {.name = IO_FSYNC, .fd = fd};
    io_answer answer;
    int result;

    if (!is_watched)
        return __real_fsync(fd);
    call.directory = is_directory(fd);
    answer = ask(&call);
    if (answer.error != 0)
        return failed(&call, answer.error);
    result = answer.pretend ? 0 : __real_fsync(fd);
    report(&call, result);
    return result;
}

off_t __wrap_ftello(FILE *file)
{
    io_call call = {.name = IO_FTELLO, .fd = -1};
    io_answer answer;
    off_t result;

    if (!is_watched)
        return __real_ftello(file);
    answer = ask(&call);
    if (answer.error != 0)
        return failed(&call, answer.error);
    result = __real_ftello(file);
    report(&call, (long)result);
    return result;
}

size_t __wrap_fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    io_call call = {.name = IO_FWRITE, .fd = -1, .bytes = bytes, .len = size * count};
    io_answer answer;
    size_t result;

    if (!is_watched)
        return __real_fwrite(bytes, size, count, file);
    answer = ask(&call);
    if (answer.limited && answer.most < count) {
        result = __real_fwrite(bytes, size, answer.most, file);
        answer.error = answer.error != 0 ? answer.error : ENOSPC;
    } else {
        result = answer.error != 0 ? 0 : __real_fwrite(bytes, size, count, file);
    }
    if (answer.error != 0) {
        broken_file = file;
        failed(&call, answer.error);
        return result;
    }
    report(&call, (long)result);
    return result;
}

off_t __wrap_lseek(int fd, off_t offset, int whence)
{
    io_call call = {.name = IO_LSEEK, .fd = fd};
    io_answer answer;
    off_t result;

    if (!is_watched)
        return __real_lseek(fd, offset, whence);
    answer = ask(&call);
    if (answer.error != 0)
        return failed(&call, answer.error);
    result = __real_lseek(fd, offset, whence);
    report(&call, (long)result);
    return result;
}

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
    io_call call = {.name = IO_OPEN, .fd = -1, .path = path, .flags = flags};
    io_answer answer;
    va_list arguments;
    int result;

    va_start(arguments, flags);
    call.mode = mode_of(flags, arguments);
    va_end(arguments);
    if (!is_watched)
        return __real_open(path, flags, call.mode);
    answer = ask(&call);
    if (answer.error != 0)
        return failed(&call, answer.error);
    result = __real_open(path, flags, call.mode);
    report(&call, result);
    return result;
}

int __wrap_openat(int dir, const char *path, int flags, ...)
{
    io_call call = {.name = IO_OPENAT, .fd = dir, .path = path, .flags = flags};
    io_answer answer;
    va_list arguments;
    int result;

    va_start(arguments, flags);
    call.mode = mode_of(flags, arguments);
    va_end(arguments);
    if (!is_watched)
        return __real_openat(dir, path, flags, call.mode);
    call.directory = (flags & O_DIRECTORY) != 0;
    answer = ask(&call);
    if (answer.error != 0)
        return failed(&call, answer.error);
    result = __real_openat(dir, path, flags, call.mode);
    report(&call, result);
    return result;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
    io_call call = {.name = IO_POLL, .fd = count > 0 ? fds[0].fd : -1};

    LET_HAPPEN(int, __real_poll(fds, count, timeout));
}

ssize_t __wrap_read(int fd, void *bytes, size_t cap)
{
    io_call call = {.name = IO_READ, .fd = fd, .len = cap};
    io_answer answer;
    ssize_t result;

    if (!is_watched)
        return __real_read(fd, bytes, cap);
    answer = ask(&call);
    if (answer.error != 0)
        return failed(&call, answer.error);
    result = __real_read(fd, bytes, answer.limited && answer.most < cap ? answer.most : cap);
    report(&call, result);
    return result;
}

ssize_t __wrap_readlink(const char *path, char *text, size_t cap)
{
    io_call call = {.name = IO_READLINK, .fd = -1, .path = path};

    LET_HAPPEN(ssize_t, __real_readlink(path, text, cap));
}

int __wrap_renameat(int old_dir, const char *old_path, int new_dir, const char *new_path)
{
    io_call call = {.name = IO_RENAMEAT, .fd = old_dir, .path = old_path, .target = new_path};

    LET_HAPPEN(int, __real_renameat(old_dir, old_path, new_dir, new_path));
}

int __wrap_stat(const char *path, struct stat *info)
{
    io_call call = {.name = IO_STAT, .fd = -1, .path = path};

    LET_HAPPEN(int, __real_stat(path, info));
}

int __wrap_unlinkat(int dir, const char *path, int flags)
{
    io_call call = {.name = IO_UNLINKAT, .fd = dir, .path = path};

    LET_HAPPEN(int, __real_unlinkat(dir, path, flags));
}

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
    io_call call = {.name = IO_WRITE, .fd = fd, .bytes = bytes, .len = len};
    io_answer answer;
    ssize_t result;

    if (!is_watched)
        return __real_write(fd, bytes, len);
    answer = ask(&call);
    if (answer.error != 0)
        return failed(&call, answer.error);
    if (answer.limited && answer.most < len)
        len = answer.most;
    /* A limit of nothing is a write that took nothing and gave no reason; the call itself would say so of a file only.
     */
    result = len == 0 ? 0 : __real_write(fd, bytes, len);
    report(&call, result);
    return result;
}
