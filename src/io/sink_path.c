/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sink that replaces a file atomically.
 *
 * The temporary file lies in the directory of the final target (after all symbolic links), so that the rename stays
 * inside one file system. The directory is held open, so that a host that changes its working directory in between
 * does no harm. Something that is no regular file, such as a terminal, a FIFO or /dev/stdout, is written directly.
 */
#include "io/permissions.h"
#include "io/posix.h"
#include "io/stream_impl.h"
#include "io/target.h"
#include "io/temporary.h"

#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct path_sink {
    const agentchat_env *env;
    aci_target target; /* path is relative to dir */
    aci_buf temporary; /* NUL-terminated; empty when there is none to remove */
    int dir;           /* descriptor, or AT_FDCWD where the directory may be written but not read */
    int fd;            /* -1 when closed */
    int lock;          /* keeps the lock on the temporary file when fd is closed; -1: none */
    bool may_raise_sigpipe;
    agentchat_sink_path_options options;
} path_sink;

static agentchat_status fail_errno(agentchat_error *err, const char *what)
{
    return aci_fail_errno(err, AGENTCHAT_E_IO, errno, what);
}

static void free_user(const agentchat_sink_path_options *options)
{
    if (options->free_user != NULL)
        options->free_user(options->user);
}

static void path_free(void *self)
{
    path_sink *s = self;

    if (s->temporary.len != 0) /* while the lock says that it is ours */
        unlinkat(s->dir, s->temporary.ptr, 0);
    if (s->fd >= 0)
        close(s->fd);
    if (s->lock >= 0)
        close(s->lock);
    if (s->dir >= 0)
        close(s->dir);
    aci_buf_clear(&s->target.path);
    aci_buf_clear(&s->temporary);
    free_user(&s->options);
    aci_free(s->env, s, sizeof *s);
}

static agentchat_status go_on(const path_sink *s, agentchat_error *err)
{
    return s->options.go_on != NULL ? s->options.go_on(s->options.user, err) : AGENTCHAT_OK;
}

static agentchat_status path_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    const path_sink *s = self;
    aci_sigpipe pipe = {.is_held = false};
    agentchat_status status = go_on(s, err);
    int result;

    if (status != AGENTCHAT_OK)
        return status;
    if (s->may_raise_sigpipe)
        aci_posix_sigpipe_hold(&pipe);
    result = aci_posix_write_all(s->fd, bytes, len);
    aci_posix_sigpipe_release(&pipe);
    return result == 0 ? AGENTCHAT_OK : fail_errno(err, "cannot write the file");
}

static int close_once(path_sink *s)
{
    int result = close(s->fd); /* after EINTR too the descriptor is gone on Linux, so it is never closed twice */

    s->fd = -1;
    return result == 0 || errno == EINTR ? 0 : -1;
}

static agentchat_status path_commit(void *self, agentchat_error *err)
{
    path_sink *s = self;
    agentchat_status status;

    if (s->temporary.len == 0) /* written directly */
        return close_once(s) == 0 ? AGENTCHAT_OK : fail_errno(err, "cannot write the file");
    status = aci_permissions_take_over(s->env, s->fd, s->dir, s->target.path.ptr, err);
    if (status < 0)
        return status;
    /* Some file systems report a failure only when the file is closed, and the lock must outlast the rename. */
    s->lock = fcntl(s->fd, F_DUPFD_CLOEXEC, 0);
    if (s->lock < 0 || aci_posix_flush(s->fd) != 0 || close_once(s) != 0)
        return fail_errno(err, "cannot write the file to the disk");
    status = go_on(s, err);
    if (status != AGENTCHAT_OK)
        return status;
    if (renameat(s->dir, s->temporary.ptr, s->dir, s->target.path.ptr) != 0)
        return fail_errno(err, "cannot replace the old file with the new one");
    aci_buf_clear(&s->temporary);
    if (s->dir >= 0 && aci_posix_flush(s->dir) != 0)
        return fail_errno(err, "the file is in place, but its directory cannot be written to the disk");
    return AGENTCHAT_OK;
}

/* Opens the directory of the target and makes its path relative to it. */
static agentchat_status open_dir(path_sink *s, agentchat_error *err)
{
    aci_buf *path = &s->target.path;
    size_t len = aci_target_dir_len(aci_buf_str(path));
    agentchat_status status = AGENTCHAT_OK;
    aci_buf dir;

    aci_buf_init(&dir, s->env, SIZE_MAX);
    if (!aci_target_set(&dir, (agentchat_str){path->ptr, len}, len == 0 ? AGENTCHAT_STR(".") : AGENTCHAT_STR(""))) {
        status = aci_fail_nomem(err);
    } else {
        int fd = aci_posix_open(AT_FDCWD, dir.ptr, O_RDONLY | O_DIRECTORY, 0);

        if (fd >= 0) {
            s->dir = fd;
            path->len -= len;
            memmove(path->ptr, path->ptr + len, path->len + 1);
        } else if (errno != EACCES) { /* a directory that may be written but not read is used by its name */
            status = fail_errno(err, "cannot open the directory of the file");
        }
    }
    aci_buf_clear(&dir);
    return status;
}

/* Opens what is written where it stands. */
static agentchat_status open_stream(path_sink *s, const char *path, agentchat_error *err)
{
    if (s->target.kind == ACI_TARGET_DESCRIPTOR)
        s->fd = fcntl(s->target.fd, F_DUPFD_CLOEXEC, 0);
    else /* by the name that was given; at the end, should it be another process's file */
        s->fd = aci_posix_open(AT_FDCWD, path, O_WRONLY | O_APPEND, 0);
    if (s->fd < 0)
        return fail_errno(err, "cannot open the file for writing");
    s->may_raise_sigpipe = aci_posix_may_raise_sigpipe(s->fd);
    return AGENTCHAT_OK;
}

/* Opens what the bytes go to: a temporary file, or the target itself where it is no regular file. */
static agentchat_status open_target(path_sink *s, const char *path, agentchat_error *err)
{
    agentchat_status status = aci_target_find(&s->target, path, err);

    if (status < 0)
        return status;
    if (s->target.kind != ACI_TARGET_FILE)
        return open_stream(s, path, err);
    status = open_dir(s, err);
    return status < 0 ? status : aci_temporary_make(s->dir, aci_buf_str(&s->target.path), &s->temporary, &s->fd, err);
}

void agentchat_sink_path_options_init(agentchat_sink_path_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_sink_path(const agentchat_env *env, const char *path,
                                     const agentchat_sink_path_options *options, agentchat_sink **out,
                                     agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof ops, path_write, path_commit, path_free};
    agentchat_sink_path_options loaded;
    agentchat_status status;
    path_sink *self = NULL;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    aci_error_source(err, path);
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status >= 0 && (out == NULL || path == NULL))
        status = aci_fail_null(err, out == NULL ? "out" : "path");
    env = aci_env(env);
    if (status >= 0 && (self = aci_alloc(env, sizeof *self)) == NULL)
        status = aci_fail_nomem(err);
    if (status < 0) {
        free_user(&loaded);
        return status;
    }
    *self = (path_sink){.env = env, .dir = AT_FDCWD, .fd = -1, .lock = -1, .options = loaded};
    aci_buf_init(&self->target.path, env, SIZE_MAX);
    aci_buf_init(&self->temporary, env, SIZE_MAX);
    status = open_target(self, path, err);
    if (status < 0) {
        path_free(self);
        return status;
    }
    status = aci_sink_make(env, &ops, self, path, out, err);
    if (status == AGENTCHAT_OK)
        agentchat_error_clear(err);
    return status;
}
