/* SPDX-License-Identifier: Apache-2.0 */
/* The sources that the library brings: memory, descriptor, FILE, path. */
#include "io/posix.h"
#include "io/stream_impl.h"

#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One self for all of them; what a kind does not use stays zero. */
typedef struct system_source {
    const agentchat_env *env;
    agentchat_str bytes; /* memory: what is left */
    FILE *file;
    int failure; /* FILE: errno of a read that failed after giving some bytes */
    int fd;
    bool owns_fd;
} system_source;

static void system_free(void *self)
{
    system_source *s = self;

    if (s->owns_fd)
        close(s->fd);
    aci_free(s->env, s, sizeof *s);
}

static agentchat_status memory_read(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    system_source *s = self;
    size_t step = s->bytes.len < cap ? s->bytes.len : cap;

    (void)err;
    *out_len = step;
    if (step == 0)
        return AGENTCHAT_DONE;
    memcpy(buffer, s->bytes.ptr, step);
    s->bytes.ptr += step;
    s->bytes.len -= step;
    return AGENTCHAT_OK;
}

static uint64_t memory_left(void *self)
{
    const system_source *s = self;

    return s->bytes.len;
}

static agentchat_status fd_read(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    const system_source *s = self;
    ssize_t got = aci_posix_read(s->fd, buffer, cap);

    *out_len = got > 0 ? (size_t)got : 0;
    if (got < 0)
        return aci_fail_errno(err, AGENTCHAT_E_IO, errno, "cannot read");
    return got > 0 ? AGENTCHAT_OK : AGENTCHAT_DONE;
}

/* What a regular file holds after a position. */
static uint64_t left_after(int fd, off_t position)
{
    struct stat info;

    if (position < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= position)
        return 0;
    return (uint64_t)(info.st_size - position);
}

static uint64_t fd_left(void *self)
{
    const system_source *s = self;

    return left_after(s->fd, lseek(s->fd, 0, SEEK_CUR));
}

static agentchat_status file_read(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    system_source *s = self;
    size_t got = 0;

    if (s->failure == 0) {
        errno = 0;
        got = fread(buffer, 1, cap, s->file);
        if (got < cap && ferror(s->file))
            s->failure = errno != 0 ? errno : EIO;
    }
    *out_len = got;
    if (got > 0)
        return AGENTCHAT_OK; /* an error after some bytes is reported by the next call */
    if (s->failure != 0)
        return aci_fail_errno(err, AGENTCHAT_E_IO, s->failure, "cannot read");
    return AGENTCHAT_DONE;
}

static uint64_t file_left(void *self)
{
    const system_source *s = self;
    int fd = fileno(s->file); /* -1 for a FILE over memory */

    return fd < 0 ? 0 : left_after(fd, ftello(s->file));
}

static agentchat_status make(const agentchat_env *env, const agentchat_source_ops *ops, system_source start,
                             uint64_t (*bytes_left)(void *self), const char *name, agentchat_source **out,
                             agentchat_error *err)
{
    system_source *self;
    agentchat_status status;

    env = aci_env(env);
    self = aci_alloc(env, sizeof *self);
    if (self == NULL) {
        if (start.owns_fd)
            close(start.fd);
        aci_error_source(err, name);
        return aci_fail_nomem(err);
    }
    *self = start;
    self->env = env;
    status = aci_source_make(env, ops, self, name, out, err);
    if (status == AGENTCHAT_OK)
        (*out)->bytes_left = bytes_left;
    return status;
}

/* What every constructor begins with. */
static agentchat_status begin(agentchat_source **out, bool argument_is_good, const char *complaint,
                              agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    return argument_is_good ? AGENTCHAT_OK : aci_fail(err, AGENTCHAT_E_INVALID, "%s", complaint);
}

agentchat_status agentchat_source_memory(const agentchat_env *env, agentchat_str bytes, agentchat_source **out,
                                         agentchat_error *err)
{
    static const agentchat_source_ops ops = {sizeof ops, memory_read, system_free};
    agentchat_status status =
        begin(out, bytes.ptr != NULL || bytes.len == 0, "bytes have a length but no address", err);

    if (status < 0)
        return status;
    return make(env, &ops, (system_source){.bytes = bytes}, memory_left, NULL, out, err);
}

agentchat_status agentchat_source_fd(const agentchat_env *env, int fd, agentchat_source **out, agentchat_error *err)
{
    static const agentchat_source_ops ops = {sizeof ops, fd_read, system_free};
    agentchat_status status = begin(out, fd >= 0, "a file descriptor cannot be negative", err);

    if (status < 0)
        return status;
    return make(env, &ops, (system_source){.fd = fd}, fd_left, NULL, out, err);
}

agentchat_status agentchat_source_file(const agentchat_env *env, FILE *file, agentchat_source **out,
                                       agentchat_error *err)
{
    static const agentchat_source_ops ops = {sizeof ops, file_read, system_free};
    agentchat_status status = begin(out, file != NULL, "file must not be NULL", err);

    if (status < 0)
        return status;
    return make(env, &ops, (system_source){.file = file}, file_left, NULL, out, err);
}

agentchat_status agentchat_source_path(const agentchat_env *env, const char *path, agentchat_source **out,
                                       agentchat_error *err)
{
    static const agentchat_source_ops ops = {sizeof ops, fd_read, system_free};
    agentchat_status status = begin(out, path != NULL, "path must not be NULL", err);
    struct stat info;
    int fd;

    if (status < 0)
        return status;
    do {
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) {
        aci_error_source(err, path);
        return aci_fail_errno(err, errno == ENOENT ? AGENTCHAT_E_NOTFOUND : AGENTCHAT_E_IO, errno,
                              "cannot open the file");
    }
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(fd);
        aci_error_source(err, path);
        return aci_fail_errno(err, AGENTCHAT_E_IO, EISDIR, "cannot read the file");
    }
    return make(env, &ops, (system_source){.fd = fd, .owns_fd = true}, fd_left, path, out, err);
}
