/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owner, group, mode and POSIX access control list of a file that is replaced, for the one that replaces it.
 *
 * The new file is 0600 until it has its owner and group, and gets all other rights in one step after that: rights given
 * earlier would be rights of another group. They are read when the new file is complete, so that whoever has taken
 * rights away while it was written has not done so in vain.
 */
#include "io/permissions.h"
#include "io/posix.h"

#include "base/buf.h"
#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#define NEW_FILE_MODE 0600u
/* Not the set-id bits: writing into the file would take them away, too. */
#define KEPT_MODE 01777u
#define OWNER_ONLY 01700u

typedef struct rights {
    struct stat info;
    bool exists;
    bool acl_is_known;
    aci_buf acl; /* as the system gives it; empty: none */
} rights;

static agentchat_status fail(agentchat_error *err, const char *what)
{
    return aci_fail_errno(err, AGENTCHAT_E_IO, errno, what);
}

/* ---- access control lists ---------------------------------------------------------------------------------------- */

#ifdef __linux__
static const char acl_name[] = "system.posix_acl_access";

/* There is none, or there are none on this file system. */
static bool is_without_acl(int error)
{
    return error == ENODATA || error == ENOTSUP || error == ENOSYS;
}

static agentchat_status read_acl(int file, aci_buf *acl, agentchat_error *err)
{
    for (;;) {
        ssize_t len = fgetxattr(file, acl_name, NULL, 0);

        if (len > 0) {
            if (!aci_buf_reserve(acl, (size_t)len))
                return aci_fail_nomem(err);
            len = fgetxattr(file, acl_name, acl->ptr, (size_t)len);
        }
        if (len >= 0) {
            acl->len = (size_t)len;
            return AGENTCHAT_OK;
        }
        if (is_without_acl(errno))
            return AGENTCHAT_OK;
        if (errno != ERANGE) /* it has just grown */
            return fail(err, "cannot read the access control list of the old file");
    }
}

/* The list itself: it has its effect at once. False where it cannot be given. */
static bool give_acl(int fd, const aci_buf *acl)
{
    return fsetxattr(fd, acl_name, acl->ptr, acl->len, 0) == 0;
}

/* Takes away what the file has got from its directory. False where it is still there. */
static bool remove_acl(int fd)
{
    return fremovexattr(fd, acl_name) == 0 || is_without_acl(errno);
}
#else
static agentchat_status read_acl(int file, aci_buf *acl, agentchat_error *err)
{
    (void)file;
    (void)acl;
    (void)err;
    return AGENTCHAT_OK;
}

static bool give_acl(int fd, const aci_buf *acl)
{
    (void)fd;
    (void)acl;
    return false;
}

static bool remove_acl(int fd)
{
    (void)fd;
    return true;
}
#endif

/* ---- the old file ------------------------------------------------------------------------------------------------ */

static agentchat_status read_rights(int dir, const char *name, rights *old, agentchat_error *err)
{
    int file = aci_posix_open(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    agentchat_status status = AGENTCHAT_OK;

    if (file < 0) {
        if (errno == ENOENT || errno == ELOOP) /* removed, or a link by now: there is no old file */
            return AGENTCHAT_OK;
        /* One that may be written but not read, or that somebody holds a lease on: its list is not seen. */
        if ((errno != EACCES && errno != EAGAIN) || fstatat(dir, name, &old->info, AT_SYMLINK_NOFOLLOW) != 0)
            return fail(err, "cannot determine the permissions of the old file");
        old->exists = true;
        return AGENTCHAT_OK;
    }
    old->exists = true;
    if (fstat(file, &old->info) != 0)
        status = fail(err, "cannot determine the permissions of the old file");
    else
        status = read_acl(file, &old->acl, err);
    old->acl_is_known = status == AGENTCHAT_OK;
    close(file);
    return status;
}

/* ---- the new file ------------------------------------------------------------------------------------------------ */

/* Changes owner, group (-1: not), or both. OK, DONE when that is not allowed, or an error. */
static agentchat_status change_owner(int fd, uid_t owner, gid_t group, agentchat_error *err)
{
    if (fchown(fd, owner, group) == 0)
        return AGENTCHAT_OK;
    /* EINVAL: an owner who does not exist in this container. */
    if (errno == EPERM || errno == EACCES || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS)
        return AGENTCHAT_DONE;
    return fail(err, "cannot give the new file the owner of the old one");
}

static agentchat_status keep_owner(int fd, const struct stat *old, bool *group_is_kept, agentchat_error *err)
{
    agentchat_status status;
    struct stat now;

    if (fstat(fd, &now) != 0)
        return fail(err, "cannot determine the owner of the new file");
    *group_is_kept = now.st_gid == old->st_gid;
    if (now.st_uid == old->st_uid && *group_is_kept)
        return AGENTCHAT_OK;
    status = change_owner(fd, old->st_uid, old->st_gid, err);
    if (status == AGENTCHAT_DONE && now.st_uid != old->st_uid && !*group_is_kept) { /* one of them, at least */
        status = change_owner(fd, old->st_uid, (gid_t)-1, err);
        if (status >= 0)
            status = change_owner(fd, (uid_t)-1, old->st_gid, err);
    }
    if (status == AGENTCHAT_OK)
        *group_is_kept = true;
    return status < 0 ? status : AGENTCHAT_OK;
}

/* Those of the old group are others now, and those of the new group are others no more: both get what both had. */
static mode_t without_group(mode_t mode)
{
    mode_t both = (mode >> 3) & mode & 07u;

    return (mode & OWNER_ONLY) | both << 3 | both;
}

static agentchat_status give_rights(int fd, const rights *old, agentchat_error *err)
{
    mode_t mode = NEW_FILE_MODE;
    bool group_is_kept = true;
    agentchat_status status = AGENTCHAT_OK;

    if (old->exists) {
        mode = old->info.st_mode & KEPT_MODE;
        status = keep_owner(fd, &old->info, &group_is_kept, err);
        if (status < 0)
            return status;
        if (!group_is_kept)
            mode = without_group(mode);
        /* A list names its users and groups beside the owning group, and the mode's group bits are its mask: without
           it, nothing is known of anybody but the owner. */
        if (!old->acl_is_known)
            mode &= OWNER_ONLY;
        else if (old->acl.len != 0 ? !group_is_kept || !give_acl(fd, &old->acl) : !remove_acl(fd))
            mode &= OWNER_ONLY;
    }
    return fchmod(fd, mode) == 0 ? AGENTCHAT_OK : fail(err, "cannot give the new file the mode of the old one");
}

agentchat_status aci_permissions_take_over(const agentchat_env *env, int fd, int dir, const char *name,
                                           agentchat_error *err)
{
    rights old = {.exists = false};
    agentchat_status status;

    aci_buf_init(&old.acl, env, SIZE_MAX);
    status = read_rights(dir, name, &old, err);
    if (status == AGENTCHAT_OK)
        status = give_rights(fd, &old, err);
    aci_buf_clear(&old.acl);
    return status;
}
