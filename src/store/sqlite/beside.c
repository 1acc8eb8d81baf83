/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files beside a store's, before SQLite sees them, and whether the file of that name is still the one that was
 * opened. Backend of SQLite.
 *
 * SQLite makes PATH-wal, PATH-shm and PATH-journal itself, as regular files of one name. Whatever else lies there was
 * put there. A store is written through its log; a journal is left by a program that was killed while it made the file
 * or switched it to the log, or by another program. SQLite rolls it back, and this must concern the one file only.
 */
#include "store/sqlite/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUPER_TAIL 16    /* what a journal ends with that names another one: length, checksum, mark */
#define HEADER 28        /* mark, records, nonce, pages of the file before, sector, size of a page */
#define LARGEST_GROWTH 4 /* a transaction that made the file smaller is undone: so many times what there is */
#define SMALLEST_ROOM (UINT64_C(64) << 20)

static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

static agentchat_status refuse(const aci_sqlite_database *database, const char *suffix, const char *why,
                               agentchat_error *err)
{
    const char *slash = strrchr(database->name, '/');
    char name[72];

    aci_sqlite_printable(slash != NULL ? slash + 1 : database->name, name, sizeof name);
    (void)agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "beside the file, \"%s%s\" %s", name, suffix, why);
    return aci_sqlite_source(database, AGENTCHAT_E_SCHEMA, err);
}

static uint64_t number_at(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] << 24 | (uint64_t)bytes[1] << 16 | (uint64_t)bytes[2] << 8 | bytes[3];
}

static uint64_t size_of(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && info.st_size > 0 ? (uint64_t)info.st_size : 0;
}

/* What cannot be read here SQLite cannot read either, and says so. */
static const char *check_journal(const aci_sqlite_database *database, int fd, uint64_t size)
{
    unsigned char tail[SUPER_TAIL], head[HEADER];
    uint64_t there = size_of(database->path) + size;

    if (size >= SUPER_TAIL && pread(fd, tail, sizeof tail, (off_t)(size - SUPER_TAIL)) == (ssize_t)sizeof tail &&
        memcmp(tail + 8, mark, sizeof mark) == 0)
        return "is a journal that names a further file, which is not opened";
    if (pread(fd, head, sizeof head, 0) == (ssize_t)sizeof head && memcmp(head, mark, sizeof mark) == 0 &&
        number_at(head + 16) * number_at(head + 24) > there * LARGEST_GROWTH + SMALLEST_ROOM)
        return "is a journal that would make the file larger than all that is there";
    return NULL;
}

static agentchat_status look_at(const aci_sqlite_database *database, const char *suffix, agentchat_error *err)
{
    bool is_journal = strcmp(suffix, "-journal") == 0;
    char name[ACI_SQLITE_LONGEST_PATH + ACI_SQLITE_LONGEST_SUFFIX];
    const char *why = NULL;
    struct stat info;
    int fd;

    snprintf(name, sizeof name, "%s%s", database->path, suffix);
    if (lstat(name, &info) != 0)
        return AGENTCHAT_OK;
    if (!S_ISREG(info.st_mode))
        return refuse(database, suffix, "is no regular file", err);
    if (info.st_nlink > 1)
        return refuse(database, suffix, "is a file that has another name too", err);
    if (!is_journal || info.st_size == 0)
        return AGENTCHAT_OK;
    fd = open(name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        why = check_journal(database, fd, (uint64_t)info.st_size);
        close(fd); /* SQLite has no locks on a journal that this could take away */
    }
    return why != NULL ? refuse(database, suffix, why, err) : AGENTCHAT_OK;
}

agentchat_status aci_sqlite_look_beside(const aci_sqlite_database *database, agentchat_error *err)
{
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0] && status >= 0; i++)
        status = look_at(database, suffixes[i], err);
    return status;
}

bool aci_sqlite_has_log(const aci_sqlite_database *database)
{
    char name[ACI_SQLITE_LONGEST_PATH + ACI_SQLITE_LONGEST_SUFFIX];
    struct stat info;

    snprintf(name, sizeof name, "%s-wal", database->path);
    return lstat(name, &info) == 0 && info.st_size > 0;
}

/* ---- the same file --------------------------------------------------------------------------------------------- */

static agentchat_status fail_gone(const aci_sqlite_database *database, bool is_there, agentchat_error *err)
{
    (void)agentchat_error_set(err, AGENTCHAT_E_IO,
                              is_there ? "another file has replaced this one while it was open; nothing was written, "
                                         "and the store has to be opened again"
                                       : "the file was moved or deleted while it was open; nothing was written");
    if (err != NULL)
        err->native = SQLITE_READONLY_DBMOVED;
    return aci_sqlite_source(database, AGENTCHAT_E_IO, err);
}

agentchat_status aci_sqlite_same_file(aci_sqlite_database *database, sqlite3 *db, agentchat_error *err)
{
    bool is_there, has_moved = false;
    struct stat info;
    int moved = 0;

    if (database->path == NULL)
        return AGENTCHAT_OK;
    is_there = stat(database->path, &info) == 0;
    if (!is_there && errno != ENOENT && errno != ENOTDIR)
        return AGENTCHAT_OK; /* the system cannot say; SQLite has the file open all the same */
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK)
        has_moved = moved != 0;
    if (is_there && !has_moved && !database->is_known) { /* the first connection, which no thread shares yet */
        database->device = info.st_dev;
        database->inode = info.st_ino;
        database->is_known = true;
    }
    if (is_there && !has_moved && info.st_dev == database->device && info.st_ino == database->inode)
        return AGENTCHAT_OK;
    return fail_gone(database, is_there, err);
}

bool aci_sqlite_is_replaced(const aci_sqlite_database *database)
{
    struct stat info;

    return stat(database->path, &info) == 0 && (info.st_dev != database->device || info.st_ino != database->inode);
}

/* ---- a file that another one has replaced ---------------------------------------------------------------------- */

static bool find_shared(const aci_sqlite_database *database, char name[], size_t size, struct stat *info)
{
    snprintf(name, size, "%s-shm", database->path);
    return lstat(name, info) == 0;
}

void aci_sqlite_note_shared(aci_sqlite_connection *c)
{
    char name[ACI_SQLITE_LONGEST_PATH + ACI_SQLITE_LONGEST_SUFFIX];
    struct stat info;

    if (c->database->path == NULL || c->knows_shared || !find_shared(c->database, name, sizeof name, &info))
        return;
    c->knows_shared = true;
    c->shared_device = info.st_dev;
    c->shared_inode = info.st_ino;
}

void aci_sqlite_take_log_along(aci_sqlite_connection *c)
{
    char name[ACI_SQLITE_LONGEST_PATH + ACI_SQLITE_LONGEST_SUFFIX];
    struct stat info;

    if (aci_sqlite_exec(c, "PRAGMA wal_checkpoint(TRUNCATE)") != SQLITE_OK || aci_sqlite_has_log(c->database))
        return;
    if (c->knows_shared && find_shared(c->database, name, sizeof name, &info) && info.st_dev == c->shared_device &&
        info.st_ino == c->shared_inode)
        (void)unlink(name);
}
