/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a path means in the end: the file after all symbolic links, or a stream that is written where it stands.
 *
 * The links of /proc (/dev/stdout, /dev/fd/1 and the like lead there) are no ordinary ones: their text may be the name
 * of a regular file, yet they mean the open file, with its position and its way of writing. A file that a shell has
 * opened for appending is therefore written through its descriptor and never replaced.
 */
#include "io/target.h"

#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define HIGHEST_LINKS 40

static agentchat_status fail_with(agentchat_error *err, int error, const char *what)
{
    return aci_fail_errno(err, AGENTCHAT_E_IO, error, what);
}

size_t aci_target_dir_len(agentchat_str path)
{
    size_t len = path.len;

    while (len > 0 && path.ptr[len - 1] != '/')
        len--;
    return len;
}

static bool terminate(aci_buf *buf)
{
    if (!aci_buf_reserve(buf, 1))
        return false;
    buf->ptr[buf->len] = '\0';
    return true;
}

bool aci_target_set(aci_buf *buf, agentchat_str first, agentchat_str second)
{
    buf->len = 0;
    return aci_buf_add_str(buf, first) && aci_buf_add_str(buf, second) && terminate(buf);
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
            return fail_with(err, errno, "cannot determine whether the file is a symbolic link");
        if ((size_t)len < room) {
            out->len = (size_t)len;
            return terminate(out) ? AGENTCHAT_OK : aci_fail_nomem(err);
        }
        room *= 2;
    }
}

/* Whether a link is one of the system's own: it lies on /proc, and that is a file system of its own. */
static bool is_link_of_system(const char *path)
{
    struct stat link, proc, root;

    return stat("/proc", &proc) == 0 && stat("/", &root) == 0 && proc.st_dev != root.st_dev &&
           fstatat(AT_FDCWD, path, &link, AT_SYMLINK_NOFOLLOW) == 0 && link.st_dev == proc.st_dev;
}

/* The number that a path such as /proc/self/fd/1 ends in, if it is that of this process's descriptor; else -1. */
static int own_descriptor(agentchat_str path)
{
    struct stat named, open;
    int fd = 0;

    for (size_t i = aci_target_dir_len(path); i < path.len; i++) {
        if (path.ptr[i] < '0' || path.ptr[i] > '9' || fd > (INT_MAX - 9) / 10)
            return -1;
        fd = fd * 10 + (path.ptr[i] - '0');
    }
    /* Another process's descriptor has a number, too. */
    if (stat(path.ptr, &named) != 0 || fstat(fd, &open) != 0)
        return -1;
    return named.st_dev == open.st_dev && named.st_ino == open.st_ino ? fd : -1;
}

/* Replaces the path of a link by the path that it leads to. */
static bool go_on(aci_buf *path, const aci_buf *link, aci_buf *scratch)
{
    agentchat_str from = aci_buf_str(path);

    from.len = link->len != 0 && link->ptr[0] == '/' ? 0 : aci_target_dir_len(from);
    return aci_target_set(scratch, from, aci_buf_str(link)) &&
           aci_target_set(path, aci_buf_str(scratch), AGENTCHAT_STR(""));
}

/* Sets target->path to what path means in the end, and the kind where a link of the system's own is met. */
static agentchat_status follow_links(aci_target *target, const char *path, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_buf link, scratch;

    aci_buf_init(&link, target->path.env, SIZE_MAX);
    aci_buf_init(&scratch, target->path.env, SIZE_MAX);
    if (!aci_target_set(&target->path, agentchat_str_from(path), AGENTCHAT_STR("")))
        status = aci_fail_nomem(err);
    for (int links = 0; status == AGENTCHAT_OK; links++) {
        status = read_link(target->path.ptr, &link, err);
        if (status != AGENTCHAT_OK)
            break;
        if (is_link_of_system(target->path.ptr)) {
            target->fd = own_descriptor(aci_buf_str(&target->path));
            target->kind = target->fd >= 0 ? ACI_TARGET_DESCRIPTOR : ACI_TARGET_STREAM;
            break;
        }
        if (links == HIGHEST_LINKS)
            status = fail_with(err, ELOOP, "cannot follow the symbolic link");
        else if (!go_on(&target->path, &link, &scratch))
            status = aci_fail_nomem(err);
    }
    aci_buf_clear(&scratch);
    aci_buf_clear(&link);
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status aci_target_find(aci_target *target, const char *path, agentchat_error *err)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    agentchat_status status;

    if (!exists && errno != ENOENT) /* a file may be there, whose mode and protection are unknown */
        return fail_with(err, errno, "cannot determine what kind of file it is");
    if (exists && S_ISDIR(info.st_mode))
        return fail_with(err, EISDIR, "cannot write the file");
    target->kind = exists && !S_ISREG(info.st_mode) ? ACI_TARGET_STREAM : ACI_TARGET_FILE;
    status = follow_links(target, path, err);
    if (status < 0 || target->kind != ACI_TARGET_FILE)
        return status;
    /* A rename would also replace a file that its owner has protected from writing. */
    if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return fail_with(err, errno, "cannot open the file for writing");
    if (target->path.len == 0)
        return fail_with(err, ENOENT, "cannot write the file");
    if (target->path.ptr[target->path.len - 1] == '/')
        return fail_with(err, EISDIR, "cannot write the file");
    return AGENTCHAT_OK;
}
