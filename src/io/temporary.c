/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Temporary files beside the file that they are to replace.
 *
 * Their names are made of the target's: .agentchat-HASH-N.tmp, N from 0 to 15. So a saver finds what an earlier one of
 * the same file has left without a look through the directory. Its maker holds a lock (flock) on each of them, which
 * ends with the process whatever ends that: a file that can be locked is nobody's any more, and is removed. The rules
 * that keep savers from each other's files:
 *
 *   - Who makes a file locks it, and has it only if it is still there under its name after that: another saver may have
 *     taken it for a leftover in between.
 *   - Who removes a leftover holds its lock, and looks again whether the name still means that file.
 *   - The lock is held until the file has got its final name or has been removed.
 *
 * Where all sixteen are in use, or the file system has no locks, a file gets a random name; what is left of it after a
 * crash stays.
 */
#include "io/temporary.h"
#include "io/posix.h"
#include "io/target.h"

#include "base/error.h"
#include "base/ids.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SLOTS 16u
#define HIGHEST_TRIES 64u
#define MODE 0600u

typedef struct maker {
    int dir;
    size_t prefix; /* of name: the directory, where dir is not open */
    uint64_t hash;
    aci_buf *name;
} maker;

static agentchat_status fail(agentchat_error *err)
{
    return aci_fail_errno(err, AGENTCHAT_E_IO, errno, "cannot make a temporary file beside the file");
}

/* FNV-1a. Two targets with one hash do no harm: the locks keep their savers apart. */
static uint64_t hash_of(agentchat_str text)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * UINT64_C(1099511628211);
    return hash;
}

static bool set_slot(const maker *m, unsigned slot)
{
    m->name->len = m->prefix;
    return aci_buf_printf(m->name, ".agentchat-%016" PRIx64 "-%u.tmp%c", m->hash, slot, '\0');
}

/* Whether the name still means the open file, which has no other. */
static bool is_under_its_name(const maker *m, int fd)
{
    struct stat open, named;

    return fstat(fd, &open) == 0 && fstatat(m->dir, m->name->ptr, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(named.st_mode) && named.st_nlink == 1 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

/* Whether the file that was just made has been taken for a leftover and removed. */
static bool is_removed(int fd)
{
    struct stat info;

    return fstat(fd, &info) == 0 && info.st_nlink == 0;
}

/* Removes the file of a slot if its maker is gone. */
static void remove_leftover(const maker *m)
{
    struct stat found;
    int fd;

    if (fstatat(m->dir, m->name->ptr, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode))
        return;
    fd = aci_posix_open(m->dir, m->name->ptr, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_under_its_name(m, fd))
        unlinkat(m->dir, m->name->ptr, 0);
    close(fd);
}

/* Makes the file of a slot. OK, DONE when it belongs to somebody else, or an error. *no_locks: there are none here. */
static agentchat_status take_slot(const maker *m, int *out_fd, bool *no_locks, agentchat_error *err)
{
    int fd = aci_posix_open(m->dir, m->name->ptr, O_WRONLY | O_CREAT | O_EXCL, MODE);

    if (fd < 0)
        return errno == EEXIST ? AGENTCHAT_DONE : fail(err);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        *no_locks = errno != EWOULDBLOCK; /* else somebody is removing it */
        if (*no_locks)
            unlinkat(m->dir, m->name->ptr, 0);
    } else if (!is_removed(fd)) {
        *out_fd = fd;
        return AGENTCHAT_OK;
    }
    close(fd);
    return AGENTCHAT_DONE;
}

/* A file that nobody else looks for. */
static agentchat_status make_unique(const maker *m, int *out_fd, agentchat_error *err)
{
    for (unsigned attempt = 0; attempt < HIGHEST_TRIES; attempt++) {
        char id[ACI_ID_LEN + 1];
        agentchat_status status = aci_id_new(m->name->env, id, err);

        if (status < 0)
            return status;
        /* The number helps a host whose random bytes are always the same. */
        m->name->len = m->prefix;
        if (!aci_buf_printf(m->name, ".agentchat-%s-%u.tmp%c", id, attempt, '\0'))
            return aci_fail_nomem(err);
        *out_fd = aci_posix_open(m->dir, m->name->ptr, O_WRONLY | O_CREAT | O_EXCL, MODE);
        if (*out_fd >= 0)
            return AGENTCHAT_OK;
        if (errno != EEXIST)
            break;
    }
    return fail(err);
}

static agentchat_status make(const maker *m, int *out_fd, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_DONE;
    bool no_locks = false;

    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (!set_slot(m, slot))
            return aci_fail_nomem(err);
        remove_leftover(m);
    }
    for (unsigned slot = 0; slot < SLOTS && status == AGENTCHAT_DONE && !no_locks; slot++) {
        if (!set_slot(m, slot))
            return aci_fail_nomem(err);
        status = take_slot(m, out_fd, &no_locks, err);
    }
    return status == AGENTCHAT_DONE ? make_unique(m, out_fd, err) : status;
}

agentchat_status aci_temporary_make(int dir, agentchat_str target, aci_buf *name, int *out_fd, agentchat_error *err)
{
    size_t dir_len = aci_target_dir_len(target);
    maker m = {.dir = dir, .prefix = dir_len, .name = name};
    agentchat_status status;

    m.hash = hash_of((agentchat_str){target.ptr + dir_len, target.len - dir_len});
    name->len = 0;
    if (!aci_buf_add(name, target.ptr, dir_len))
        return aci_fail_nomem(err);
    status = make(&m, out_fd, err);
    if (status < 0)
        name->len = 0; /* there is none to remove */
    return status;
}
