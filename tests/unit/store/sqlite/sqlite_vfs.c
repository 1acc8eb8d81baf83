/* SPDX-License-Identifier: Apache-2.0 */
/* A file system for SQLite that fails at call n. */
#include "sqlite_vfs.h"

#include "support/test_support.h"

#include <errno.h>
#include <sqlite3.h>

test_vfs test_vfs_state = {.fail_at = UINT64_MAX};
test_vfs_watch test_vfs_watcher;

typedef struct shim_file {
    sqlite3_file base;
    sqlite3_file *real; /* after this struct */
    const char *name;   /* SQLite keeps it for as long as the file is open; NULL for a temporary one */
} shim_file;

static sqlite3_vfs *real_vfs;

static bool fails(unsigned kind)
{
    test_vfs *s = &test_vfs_state;
    uint64_t n;

    if ((s->kinds & kind) == 0)
        return false;
    n = s->calls++;
    if (n != s->fail_at && !(s->all_after && n > s->fail_at))
        return false;
    s->failures++;
    errno = s->error_number != 0 ? s->error_number : EIO;
    return true;
}

static void notify(sqlite3_file *file, unsigned kind, const void *bytes, size_t len, uint64_t at)
{
    const char *name = ((shim_file *)file)->name;

    if (test_vfs_watcher != NULL && name != NULL)
        test_vfs_watcher(kind, name, bytes, len, at);
}

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((shim_file *)file)->real;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int shim_close(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int shim_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
    return fails(TEST_VFS_READ) ? SQLITE_IOERR_READ : real_of(file)->pMethods->xRead(real_of(file), bytes, len, at);
}

static int shim_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    notify(file, TEST_VFS_WRITE, bytes, (size_t)len, (uint64_t)at);
    if (!fails(TEST_VFS_WRITE))
        return real_of(file)->pMethods->xWrite(real_of(file), bytes, len, at);
    if (len > 1) /* half of it may have been written */
        (void)real_of(file)->pMethods->xWrite(real_of(file), bytes, len / 2, at);
    errno = test_vfs_state.error_number != 0 ? test_vfs_state.error_number : EIO;
    return errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 len)
{
    notify(file, TEST_VFS_TRUNCATE, NULL, 0, (uint64_t)len);
    return fails(TEST_VFS_TRUNCATE) ? SQLITE_IOERR_TRUNCATE : real_of(file)->pMethods->xTruncate(real_of(file), len);
}

static int shim_sync(sqlite3_file *file, int flags)
{
    notify(file, TEST_VFS_SYNC, NULL, 0, 0);
    if (fails(TEST_VFS_SYNC))
        return SQLITE_IOERR_FSYNC;
    return test_vfs_state.without_flushes ? SQLITE_OK : real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int shim_size(sqlite3_file *file, sqlite3_int64 *out)
{
    return fails(TEST_VFS_SIZE) ? SQLITE_IOERR_FSTAT : real_of(file)->pMethods->xFileSize(real_of(file), out);
}

static int shim_lock(sqlite3_file *file, int level)
{
    return fails(TEST_VFS_LOCK) ? SQLITE_IOERR_LOCK : real_of(file)->pMethods->xLock(real_of(file), level);
}

static int shim_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int shim_reserved(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int shim_control(sqlite3_file *file, int what, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int shim_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int shim_characteristics(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int shim_map(sqlite3_file *file, int region, int size, int extend, void volatile **out)
{
    return fails(TEST_VFS_SHARE) ? SQLITE_IOERR_SHMMAP
                                 : real_of(file)->pMethods->xShmMap(real_of(file), region, size, extend, out);
}

static int shim_share_lock(sqlite3_file *file, int offset, int n, int flags)
{
    if ((flags & SQLITE_SHM_LOCK) != 0 && fails(TEST_VFS_SHARE))
        return SQLITE_IOERR_SHMLOCK;
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, n, flags);
}

static void shim_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int shim_unmap(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods shim_methods = {
    .iVersion = 2, /* without mapped files */
    .xClose = shim_close,
    .xRead = shim_read,
    .xWrite = shim_write,
    .xTruncate = shim_truncate,
    .xSync = shim_sync,
    .xFileSize = shim_size,
    .xLock = shim_lock,
    .xUnlock = shim_unlock,
    .xCheckReservedLock = shim_reserved,
    .xFileControl = shim_control,
    .xSectorSize = shim_sector,
    .xDeviceCharacteristics = shim_characteristics,
    .xShmMap = shim_map,
    .xShmLock = shim_share_lock,
    .xShmBarrier = shim_barrier,
    .xShmUnmap = shim_unmap,
};

/* ---- the file system --------------------------------------------------------------------------------------------- */

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    shim_file *shim = (shim_file *)file;
    int code;

    (void)vfs;
    shim->base.pMethods = NULL;
    shim->real = (sqlite3_file *)(shim + 1);
    shim->name = name;
    if (fails(TEST_VFS_OPEN))
        return SQLITE_CANTOPEN;
    code = real_vfs->xOpen(real_vfs, name, shim->real, flags, out_flags);
    if (shim->real->pMethods != NULL)
        shim->base.pMethods = &shim_methods;
    return code;
}

static int shim_delete(sqlite3_vfs *vfs, const char *name, int flush)
{
    (void)vfs;
    if (test_vfs_watcher != NULL)
        test_vfs_watcher(TEST_VFS_DELETE, name, NULL, 0, 0);
    return fails(TEST_VFS_DELETE) ? SQLITE_IOERR_DELETE
                                  : real_vfs->xDelete(real_vfs, name, flush && !test_vfs_state.without_flushes);
}

static int shim_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
    (void)vfs;
    return fails(TEST_VFS_ACCESS) ? SQLITE_IOERR_ACCESS : real_vfs->xAccess(real_vfs, name, flags, out);
}

void test_vfs_install(void)
{
    static sqlite3_vfs shim;

    if (real_vfs != NULL)
        return;
    real_vfs = sqlite3_vfs_find(NULL);
    assert_non_null(real_vfs);
    shim = *real_vfs; /* what is not replaced does not look at the struct */
    shim.pNext = NULL;
    shim.zName = "test";
    shim.szOsFile = (int)sizeof(shim_file) + real_vfs->szOsFile;
    shim.xOpen = shim_open;
    shim.xDelete = shim_delete;
    shim.xAccess = shim_access;
    assert_int_equal(sqlite3_vfs_register(&shim, 1), SQLITE_OK);
}
