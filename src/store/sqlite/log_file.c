/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The write-ahead log's file, in front of the host's. Backend of SQLite.
 *
 * SQLite writes a commit's pages one by one, and before each its frame header of 24 bytes, so that a put of a dozen
 * pages is two dozen calls of the kernel, which cost more than what they write. Here they are joined until the page
 * that ends the commit, which its header marks (https://www.sqlite.org/fileformat2.html#the_write_ahead_log, section
 * 4.1, bytes 4 to 7), or until the buffer is full. The order of the bytes in the file is the same.
 *
 * Others know of a commit when SQLite has returned from writing that page, and then nothing is left here. It never
 * writes pages to the log before a commit (cache_spill=OFF in connect.c), which would have to be taken back here when
 * the transaction is. What it does to such pages at the commit, which is to read their frames and write their headers
 * anew, is not held back.
 */
#include "store/sqlite/driver.h"

#include <string.h>

enum { FRAME_HEADER = 24, BUFFER = 65536, CUT_AT_ONCE = 8 << 20 };

typedef struct log_file {
    sqlite3_file base;
    sqlite3_file *real; /* stands after this */
    unsigned char *buffer;
    size_t used;
    sqlite3_int64 at;      /* where the buffer's first byte belongs */
    sqlite3_int64 read_at; /* what was done last was reading there; else -1 */
    bool has_header;       /* what is held back ends with a header */
    bool ends_commit;      /* and its page ends a commit */
} log_file;

static log_file *log_of(sqlite3_file *file)
{
    return (log_file *)file;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
    return log_of(file)->real;
}

static int write_out(log_file *log)
{
    int len = (int)log->used;

    log->used = 0; /* what cannot be written is not committed */
    log->has_header = false;
    return len == 0 ? SQLITE_OK : log->real->pMethods->xWrite(log->real, log->buffer, len, log->at);
}

/* false: it does not go in there. */
static bool hold_back(log_file *log, const void *bytes, size_t len, sqlite3_int64 at)
{
    if (log->buffer == NULL)
        log->buffer = sqlite3_malloc(BUFFER);
    if (log->buffer == NULL || len > BUFFER - log->used)
        return false;
    if (log->used == 0)
        log->at = at;
    memcpy(log->buffer + log->used, bytes, len);
    log->used += len;
    return true;
}

static bool marks_commit(const unsigned char header[FRAME_HEADER])
{
    static const unsigned char none[4];

    return memcmp(header + 4, none, sizeof none) != 0;
}

/* ---- methods ---------------------------------------------------------------------------------------------------- */

static int close_log(sqlite3_file *file)
{
    sqlite3_free(log_of(file)->buffer);
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int read_log(sqlite3_file *file, void *out, int len, sqlite3_int64 at)
{
    int code = write_out(log_of(file));

    log_of(file)->read_at = at;
    return code != SQLITE_OK ? code : real_of(file)->pMethods->xRead(real_of(file), out, len, at);
}

static int write_log(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
    log_file *log = log_of(file);
    bool fits = at == log->at + (sqlite3_int64)log->used && (size_t)len <= BUFFER - log->used;
    bool is_header = len == FRAME_HEADER && at != log->read_at, is_page = log->has_header && fits;
    int code = log->used > 0 && !fits ? write_out(log) : SQLITE_OK;

    log->read_at = -1;
    if (code != SQLITE_OK)
        return code;
    if (!(is_header || is_page) || !hold_back(log, bytes, (size_t)len, at)) {
        code = write_out(log);
        return code != SQLITE_OK ? code : log->real->pMethods->xWrite(log->real, bytes, len, at);
    }
    if (is_page && log->ends_commit)
        return write_out(log);
    log->has_header = is_header;
    log->ends_commit = is_header && marks_commit(bytes);
    return SQLITE_OK;
}

/* A log that begins anew is cut to journal_size_limit (connect.c) in a commit, while nobody else can write, and what
   was read or copied for long may have made it gigabytes long, for which a file system takes hundreds of milliseconds.
   So it is cut a little each time. What stands there is older than the log's new header, and is not read. */
static int truncate_log(sqlite3_file *file, sqlite3_int64 size)
{
    int code = write_out(log_of(file));
    sqlite3_int64 now = 0;

    if (code == SQLITE_OK && size > 0) /* all of it: in a log that has no new header */
        code = real_of(file)->pMethods->xFileSize(real_of(file), &now);
    if (now - size > CUT_AT_ONCE)
        size = now - CUT_AT_ONCE;
    return code != SQLITE_OK ? code : real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int sync_log(sqlite3_file *file, int flags)
{
    int code = write_out(log_of(file));

    return code != SQLITE_OK ? code : real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int size_of_log(sqlite3_file *file, sqlite3_int64 *size)
{
    int code = write_out(log_of(file));

    return code != SQLITE_OK ? code : real_of(file)->pMethods->xFileSize(real_of(file), size);
}

/* ---- the rest is the host's ------------------------------------------------------------------------------------- */

static int lock_log(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_log(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_lock_of_log(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int control_log(sqlite3_file *file, int what, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int sector_size_of_log(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int characteristics_of_log(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

/* SQLite locks by the other file, and maps only that. */
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_log,
    .xRead = read_log,
    .xWrite = write_log,
    .xTruncate = truncate_log,
    .xSync = sync_log,
    .xFileSize = size_of_log,
    .xLock = lock_log,
    .xUnlock = unlock_log,
    .xCheckReservedLock = check_lock_of_log,
    .xFileControl = control_log,
    .xSectorSize = sector_size_of_log,
    .xDeviceCharacteristics = characteristics_of_log,
};

int aci_sqlite_log_file_size(const sqlite3_vfs *base)
{
    return (int)sizeof(log_file) + base->szOsFile;
}

int aci_sqlite_log_file_open(sqlite3_vfs *base, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    log_file *log = log_of(file);
    int code;

    *log = (log_file){.real = (sqlite3_file *)(log + 1), .read_at = -1};
    code = base->xOpen(base, name, log->real, flags, out_flags);
    if (log->real->pMethods != NULL) /* it is to be closed, opened or not */
        log->base.pMethods = &methods;
    return code;
}
