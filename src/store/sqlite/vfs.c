/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files SQLite may touch for a store: the store's own, its log and its journal, and nothing else. Backend of
 * SQLite.
 *
 * A file may come from anywhere together with files beside it, and a journal may name a further file, which SQLite
 * would look at and delete. So every store has a file system of its own, in front of the host's, that knows no other
 * names. (PATH-shm is opened by the host's below it; that, too, follows no symbolic link.) Files without a name are for
 * SQLite alone and gone when they are closed.
 */
#include "store/sqlite/driver.h"

#include <string.h>

static const aci_sqlite_database *database_of(const sqlite3_vfs *vfs)
{
    return vfs->pAppData;
}

static sqlite3_vfs *base_of(const sqlite3_vfs *vfs)
{
    return database_of(vfs)->base;
}

static bool is_own(const sqlite3_vfs *vfs, const char *name)
{
    const aci_sqlite_database *database = database_of(vfs);
    size_t len = database->path_size - 1;

    if (strncmp(name, database->path, len) != 0)
        return false;
    name += len;
    return *name == '\0' || strcmp(name, "-wal") == 0 || strcmp(name, "-journal") == 0;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static int open_own(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    file->pMethods = NULL;
    if ((flags & SQLITE_OPEN_SUPER_JOURNAL) != 0 || (name != NULL && !is_own(vfs, name)))
        return SQLITE_CANTOPEN;
    if ((flags & SQLITE_OPEN_WAL) != 0)
        return aci_sqlite_log_file_open(base_of(vfs), name, file, flags, out_flags);
    return base_of(vfs)->xOpen(base_of(vfs), name, file, flags, out_flags);
}

static int delete_own(sqlite3_vfs *vfs, const char *name, int sync_directory)
{
    return is_own(vfs, name) ? base_of(vfs)->xDelete(base_of(vfs), name, sync_directory) : SQLITE_IOERR_DELETE;
}

static int access_own(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    *out = 0;
    return is_own(vfs, name) ? base_of(vfs)->xAccess(base_of(vfs), name, flags, out) : SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    return base_of(vfs)->xFullPathname(base_of(vfs), name, size, out);
}

/* ---- libraries: none ------------------------------------------------------------------------------------------- */

static void *load_nothing(sqlite3_vfs *vfs, const char *name)
{
    (void)vfs;
    (void)name;
    return NULL;
}

static void say_nothing_loads(sqlite3_vfs *vfs, int size, char *message)
{
    (void)vfs;
    sqlite3_snprintf(size, message, "a store loads no libraries");
}

static void (*find_nothing(sqlite3_vfs *vfs, void *library, const char *symbol))(void)
{
    (void)vfs;
    (void)library;
    (void)symbol;
    return NULL;
}

static void close_nothing(sqlite3_vfs *vfs, void *library)
{
    (void)vfs;
    (void)library;
}

/* ---- the rest is the host's ------------------------------------------------------------------------------------ */

static int randomness(sqlite3_vfs *vfs, int size, char *out)
{
    return base_of(vfs)->xRandomness(base_of(vfs), size, out);
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds)
{
    return base_of(vfs)->xSleep(base_of(vfs), microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *out)
{
    return base_of(vfs)->xCurrentTime(base_of(vfs), out);
}

static int last_error(sqlite3_vfs *vfs, int size, char *out)
{
    return base_of(vfs)->xGetLastError != NULL ? base_of(vfs)->xGetLastError(base_of(vfs), size, out) : 0;
}

static int current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *out)
{
    return base_of(vfs)->xCurrentTimeInt64(base_of(vfs), out);
}

int aci_sqlite_vfs_register(aci_sqlite_database *database, sqlite3_vfs *base)
{
    int code;

    database->base = base;
    snprintf(database->vfs_name, sizeof database->vfs_name, "agentchat-%p", (void *)database);
    database->vfs = (sqlite3_vfs){
        .iVersion = base->iVersion >= 2 && base->xCurrentTimeInt64 != NULL ? 2 : 1,
        .szOsFile = aci_sqlite_log_file_size(base),
        .mxPathname = base->mxPathname,
        .zName = database->vfs_name,
        .pAppData = database,
        .xOpen = open_own,
        .xDelete = delete_own,
        .xAccess = access_own,
        .xFullPathname = full_name,
        .xDlOpen = load_nothing,
        .xDlError = say_nothing_loads,
        .xDlSym = find_nothing,
        .xDlClose = close_nothing,
        .xRandomness = randomness,
        .xSleep = sleep_for,
        .xCurrentTime = current_time,
        .xGetLastError = last_error,
        .xCurrentTimeInt64 = current_time_int64,
    };
    code = sqlite3_vfs_register(&database->vfs, 0);
    database->is_registered = code == SQLITE_OK;
    return code;
}

void aci_sqlite_vfs_unregister(aci_sqlite_database *database)
{
    if (database->is_registered)
        (void)sqlite3_vfs_unregister(&database->vfs);
    database->is_registered = false;
}
