/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sink that replaces a file atomically. Layer 1.
 *
 * The temporary file lies in the directory of the final target (behind all symbolic links), so that the rename stays
 * inside one file system. The directory is held open, so that a host that changes its working directory in between
 * does no harm. Something that is no regular file, such as a terminal or a FIFO, is written directly.
 */
#include "io/posix.h"
#include "io/stream_impl.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/ids.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HIGHEST_LINKS 40
#define HIGHEST_TRIES 64
#define NEW_FILE_MODE 0600u
/* Set-id bits mean nothing on a data file and must not move to another owner. */
#define KEPT_MODE 0777u

typedef struct path_sink {
    const agentchat_env *env;
    aci_buf target;    /* path behind all symbolic links, NUL-terminated; names are relative to dir */
    aci_buf temporary; /* NUL-terminated; empty when there is none to remove */
    int dir;           /* descriptor, or AT_FDCWD where the directory may be written but not read */
    int fd;            /* -1 when closed */
    mode_t mode;
} path_sink;

static agentchat_status fail_errno(agentchat_error *err, const char *what)
{
    return aci_fail_errno(err, AGENTCHAT_E_IO, errno, what);
}

static void path_free(void *self)
{
    path_sink *s = self;

    if (s->fd >= 0)
        close(s->fd);
    if (s->temporary.len != 0)
        unlinkat(s->dir, s->temporary.ptr, 0);
    if (s->dir >= 0)
        close(s->dir);
    aci_buf_clear(&s->target);
    aci_buf_clear(&s->temporary);
    aci_free(s->env, s, sizeof *s);
}

static agentchat_status path_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    const path_sink *s = self;

    return aci_posix_write_all(s->fd, bytes, len) == 0 ? AGENTCHAT_OK : fail_errno(err, "cannot write the file");
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

    if (s->temporary.len == 0) /* written directly */
        return close_once(s) == 0 ? AGENTCHAT_OK : fail_errno(err, "cannot write the file");
    if (fchmod(s->fd, s->mode) != 0)
        return fail_errno(err, "cannot give the new file the mode of the old one");
    if (aci_posix_flush(s->fd) != 0 || close_once(s) != 0)
        return fail_errno(err, "cannot write the file to the disk");
    if (renameat(s->dir, s->temporary.ptr, s->dir, s->target.ptr) != 0)
        return fail_errno(err, "cannot put the new file in the place of the old one");
    aci_buf_clear(&s->temporary);
    if (s->dir >= 0 && aci_posix_flush(s->dir) != 0)
        return fail_errno(err, "the file is in place, but its directory cannot be written to the disk");
    return AGENTCHAT_OK;
}

/* Adds the NUL that system calls want; it is not part of len. */
static bool terminate(aci_buf *buf)
{
    if (!aci_buf_reserve(buf, 1))
        return false;
    buf->ptr[buf->len] = '\0';
    return true;
}

static bool set_text(aci_buf *buf, agentchat_str first, agentchat_str second)
{
    buf->len = 0;
    return aci_buf_add_str(buf, first) && aci_buf_add_str(buf, second) && terminate(buf);
}

/* Length of the directory part of a path, its last slash included; 0 when there is none. */
static size_t dir_len(agentchat_str path)
{
    size_t len = path.len;

    while (len > 0 && path.ptr[len - 1] != '/')
        len--;
    return len;
}

/* Reads a symbolic link of any length into out. OK, DONE when path is no link, or an error. */
static agentchat_status read_link(const char *path, aci_buf *out, agentchat_error *err)
{
    size_t room = 256;

    out->len = 0;
    for (;;) {
        ssize_t len;

        if (!aci_buf_reserve(out, room))
            return aci_fail_nomem(err);
        len = readlink(path, out->ptr, room);
        if (len < 0 && (errno == EINVAL || errno == ENOENT)) /* no link, or not there */
            return AGENTCHAT_DONE;
        if (len < 0) /* what may be a link must not be replaced by a file */
            return fail_errno(err, "cannot tell whether the file is a symbolic link");
        if ((size_t)len < room) {
            out->len = (size_t)len;
            return terminate(out) ? AGENTCHAT_OK : aci_fail_nomem(err);
        }
        room *= 2;
    }
}

/* Sets s->target to what path means in the end; the target need not exist. */
static agentchat_status follow_links(path_sink *s, const char *path, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_buf link, next;

    aci_buf_init(&link, s->env, SIZE_MAX);
    aci_buf_init(&next, s->env, SIZE_MAX);
    if (!set_text(&s->target, agentchat_str_from(path), AGENTCHAT_STR("")))
        status = aci_fail_nomem(err);
    for (int links = 0; status == AGENTCHAT_OK; links++) {
        agentchat_str now = aci_buf_str(&s->target);

        status = read_link(s->target.ptr, &link, err);
        if (status != AGENTCHAT_OK)
            break;
        if (links == HIGHEST_LINKS) {
            status = aci_fail_errno(err, AGENTCHAT_E_IO, ELOOP, "cannot follow the symbolic link");
            break;
        }
        now.len = link.len != 0 && link.ptr[0] == '/' ? 0 : dir_len(now);
        if (!set_text(&next, now, aci_buf_str(&link)) || !set_text(&s->target, aci_buf_str(&next), AGENTCHAT_STR("")))
            status = aci_fail_nomem(err);
    }
    aci_buf_clear(&next);
    aci_buf_clear(&link);
    return status < 0 ? status : AGENTCHAT_OK;
}

static int open_again(int dir, const char *path, int flags, mode_t mode)
{
    int fd;

    do {
        fd = openat(dir, path, flags | O_CLOEXEC | O_NOCTTY, mode);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

/* Opens the directory of the target and makes s->target relative to it. */
static agentchat_status open_dir(path_sink *s, agentchat_error *err)
{
    size_t len = dir_len(aci_buf_str(&s->target));
    agentchat_status status = AGENTCHAT_OK;
    aci_buf dir;

    aci_buf_init(&dir, s->env, SIZE_MAX);
    if (!set_text(&dir, (agentchat_str){s->target.ptr, len}, len == 0 ? AGENTCHAT_STR(".") : AGENTCHAT_STR(""))) {
        status = aci_fail_nomem(err);
    } else {
        int fd = open_again(AT_FDCWD, dir.ptr, O_RDONLY | O_DIRECTORY, 0);

        if (fd >= 0) {
            s->dir = fd;
            s->target.len -= len;
            memmove(s->target.ptr, s->target.ptr + len, s->target.len + 1);
        } else if (errno != EACCES) { /* a directory that may be written but not read is used by its name */
            status = fail_errno(err, "cannot open the directory of the file");
        }
    }
    aci_buf_clear(&dir);
    return status;
}

static agentchat_status make_temporary(path_sink *s, agentchat_error *err)
{
    size_t len = s->dir == AT_FDCWD ? dir_len(aci_buf_str(&s->target)) : 0;

    for (unsigned attempt = 0; attempt < HIGHEST_TRIES; attempt++) {
        char id[ACI_ID_LEN + 1];
        agentchat_status status = aci_id_new(s->env, id, err);

        if (status < 0)
            return status;
        /* The number helps a host whose random bytes are always the same. */
        s->temporary.len = 0;
        if (!aci_buf_add(&s->temporary, s->target.ptr, len) ||
            !aci_buf_printf(&s->temporary, ".agentchat-%s-%u.tmp", id, attempt) || !terminate(&s->temporary)) {
            s->temporary.len = 0;
            return aci_fail_nomem(err);
        }
        s->fd = open_again(s->dir, s->temporary.ptr, O_WRONLY | O_CREAT | O_EXCL, NEW_FILE_MODE);
        if (s->fd >= 0)
            return AGENTCHAT_OK;
        if (errno != EEXIST)
            break;
    }
    s->temporary.len = 0; /* there is none to remove */
    return fail_errno(err, "cannot make a temporary file beside the file");
}

/* Opens what the bytes go to: a temporary file, or the target itself where it is no regular file. */
static agentchat_status open_target(path_sink *s, const char *path, agentchat_error *err)
{
    struct stat info;
    agentchat_status status;

    s->mode = NEW_FILE_MODE;
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return aci_fail_errno(err, AGENTCHAT_E_IO, EISDIR, "cannot write the file");
        if (!S_ISREG(info.st_mode)) {
            /* By the name that was given: the links in /dev/fd mean more than their text. */
            s->fd = open_again(AT_FDCWD, path, O_WRONLY, 0);
            return s->fd >= 0 ? AGENTCHAT_OK : fail_errno(err, "cannot open the file for writing");
        }
        /* A rename would also replace a file that its owner has protected from writing. */
        if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
            return fail_errno(err, "cannot open the file for writing");
        s->mode = info.st_mode & KEPT_MODE;
    } else if (errno != ENOENT) { /* a file may be there, whose mode and protection are unknown */
        return fail_errno(err, "cannot tell what the file is");
    }
    status = follow_links(s, path, err);
    if (status < 0)
        return status;
    if (s->target.len == 0)
        return aci_fail_errno(err, AGENTCHAT_E_IO, ENOENT, "cannot write the file");
    if (s->target.ptr[s->target.len - 1] == '/')
        return aci_fail_errno(err, AGENTCHAT_E_IO, EISDIR, "cannot write the file");
    status = open_dir(s, err);
    return status < 0 ? status : make_temporary(s, err);
}

agentchat_status agentchat_sink_path(const agentchat_env *env, const char *path, agentchat_sink **out,
                                     agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof ops, path_write, path_commit, path_free};
    agentchat_status status;
    path_sink *self;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "out is NULL");
    *out = NULL;
    if (path == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the path is NULL");
    aci_error_source(err, path);
    env = aci_env(env);
    self = aci_alloc(env, sizeof *self);
    if (self == NULL)
        return aci_fail_nomem(err);
    *self = (path_sink){.env = env, .dir = AT_FDCWD, .fd = -1};
    aci_buf_init(&self->target, env, SIZE_MAX);
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
