/* SPDX-License-Identifier: Apache-2.0 */
/* The file: what stands beside it, the system below it, its log. */
#include "store/sqlite/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ==== beside ===================================================================================================== */
/*
 * The files beside a store's, before SQLite sees them, and whether the file of that name is still the one that was
 * opened. Backend of SQLite.
 *
 * SQLite makes PATH-wal, PATH-shm and PATH-journal itself, as regular files of one name. Whatever else lies there was
 * put there. A store is written through its log; a journal is left by a program that was killed while it made the
 * file or switched it to the log, or by another program. SQLite rolls it back, and this must concern the one file
 * only.
 */

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

/* Refuses, before SQLite sees them, files beside the store's that SQLite has not made. */
static agentchat_status sqlite_look_beside(const aci_sqlite_database *database, agentchat_error *err)
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

/* ==== the write-ahead log's file, in front of the host's ========================================================= */

/* Backend of SQLite.

   SQLite writes a commit's pages one by one, and before each its frame header of 24 bytes, so that a put of a dozen
   pages is two dozen calls of the kernel, which cost more than what they write. Here they are joined until the page
   that ends the commit, which its header marks (https://www.sqlite.org/fileformat2.html#the_write_ahead_log,
   section 4.1, bytes 4 to 7), or until the buffer is full. The order of the bytes in the file is the same.

   Others know of a commit when SQLite has returned from writing that page, and then nothing is left here. It never
   writes pages to the log before a commit (cache_spill=OFF in connect.c), which would have to be taken back here
   when the transaction is. What it does to such pages at the commit, which is to read their frames and write their
   headers anew, is not held back. */

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

/* The write-ahead log of a store: what an opened one takes, and opening it. */
static int sqlite_log_file_size(const sqlite3_vfs *base)
{
    return (int)sizeof(log_file) + base->szOsFile;
}

static int sqlite_log_file_open(sqlite3_vfs *base, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    log_file *log = log_of(file);
    int code;

    *log = (log_file){.real = (sqlite3_file *)(log + 1), .read_at = -1};
    code = base->xOpen(base, name, log->real, flags, out_flags);
    if (log->real->pMethods != NULL) /* it is to be closed, opened or not */
        log->base.pMethods = &methods;
    return code;
}

/* ==== the file system of a store ================================================================================= */
/*
 * In front of the host's, for what a log is written through. No journal is opened that names further files, which
 * SQLite would then delete; the rest is the host's, but for a name and what is added to an opened file.
 */

static const aci_sqlite_database *database_of(const sqlite3_vfs *vfs)
{
    return (const aci_sqlite_database *)(const void *)((const char *)vfs - offsetof(aci_sqlite_database, vfs));
}

static int open_own(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    sqlite3_vfs *base = database_of(vfs)->base;

    file->pMethods = NULL;
    if ((flags & SQLITE_OPEN_SUPER_JOURNAL) != 0)
        return SQLITE_CANTOPEN;
    if ((flags & SQLITE_OPEN_WAL) != 0)
        return sqlite_log_file_open(base, name, file, flags, out_flags);
    return base->xOpen(base, name, file, flags, out_flags);
}

int aci_sqlite_vfs_register(aci_sqlite_database *database, sqlite3_vfs *base)
{
    int code;

    database->base = base;
    snprintf(database->vfs_name, sizeof database->vfs_name, "agentchat-%p", (void *)database);
    database->vfs = *base;
    database->vfs.szOsFile = sqlite_log_file_size(base);
    database->vfs.pNext = NULL;
    database->vfs.zName = database->vfs_name;
    database->vfs.xOpen = open_own;
    code = sqlite3_vfs_register(&database->vfs, 0);
    database->is_registered = code == SQLITE_OK;
    return code;
}

static void sqlite_vfs_unregister(aci_sqlite_database *database)
{
    if (database->is_registered)
        (void)sqlite3_vfs_unregister(&database->vfs);
    database->is_registered = false;
}

/* ==== the file: its name, making it, and the way in which it is opened =========================================== */

/* Backend of SQLite.

   Reading a file in write-ahead log mode needs two files beside it, PATH-wal and PATH-shm. A connection that can
   only read leaves them there when it closes, and they would belong to the reader. So a file that nobody has open
   is opened for writing by readers too, with PRAGMA query_only (connect.c): the files beside it are gone then when
   it is closed. When there is a log that somebody has left or uses, a reader does not touch it. On a file system
   where nothing can change, SQLite can do without the files beside it. */

#define NEW_FILE_MODE 0600 /* as other files that the library makes */
#define LONGEST_PATH ACI_SQLITE_LONGEST_PATH
#define LONGEST_SUFFIX ACI_SQLITE_LONGEST_SUFFIX
#define DEFAULT_WAIT_MS 30000
#define DEFAULT_STATEMENT_MS 120000

/* ---- names ----------------------------------------------------------------------------------------------------- */

static char *copy_text(const agentchat_env *env, const char *text, size_t *size)
{
    size_t len = strlen(text);
    char *copy = aci_driver_alloc(env, len + 1);

    if (copy != NULL) {
        memcpy(copy, text, len + 1);
        *size = len + 1;
    }
    return copy;
}

/* Where the file lies, with all symbolic links resolved, as SQLite sees it: the files beside it lie there, too. An
   absolute name is also not taken for SQLite's "file:" and ":memory:". */
static agentchat_status set_path(aci_sqlite_database *database, const char *path, agentchat_error *err)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    size_t longest = LONGEST_PATH - LONGEST_SUFFIX - 1;
    char full[LONGEST_PATH] = "";
    int code;

    database->name = copy_text(database->env, path, &database->name_size);
    if (database->name == NULL)
        return aci_sqlite_fail_nomem(database, err);
    if (vfs == NULL) /* SQLite could not begin */
        return aci_sqlite_fail(database, NULL, SQLITE_NOMEM, "cannot open the file", NULL, err);
    if (vfs->mxPathname < LONGEST_PATH)
        longest = (size_t)vfs->mxPathname - LONGEST_SUFFIX;
    if (strlen(path) > longest) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the file's path has %zu bytes; SQLite accepts up to %zu",
                                  strlen(path), longest);
        return aci_sqlite_source(database, AGENTCHAT_E_IO, err);
    }
    code = vfs->xFullPathname(vfs, path, vfs->mxPathname < LONGEST_PATH ? vfs->mxPathname + 1 : LONGEST_PATH, full);
    if ((code & 0xFF) != SQLITE_OK || full[0] != '/')
        return aci_sqlite_fail(database, NULL, code != SQLITE_OK ? code : SQLITE_CANTOPEN,
                               "cannot find out where the file lies", NULL, err);
    database->path = copy_text(database->env, full, &database->path_size);
    if (database->path == NULL || aci_sqlite_vfs_register(database, vfs) != SQLITE_OK)
        return aci_sqlite_fail_nomem(database, err);
    return AGENTCHAT_OK;
}

agentchat_status aci_sqlite_database_new(const agentchat_env *env, const char *path,
                                         const agentchat_store_options *options, aci_sqlite_database **out,
                                         agentchat_error *err)
{
    aci_sqlite_database *database = aci_driver_alloc(env, sizeof *database);
    agentchat_status status = AGENTCHAT_OK;

    *out = NULL;
    if (database == NULL)
        return aci_sqlite_fail_nomem(NULL, err);
    database->env = env;
    database->read_only = options->read_only;
    database->durability = options->durability;
    database->wait_ms = options->wait_ms != 0 ? options->wait_ms : DEFAULT_WAIT_MS;
    database->statement_ms = options->statement_ms != 0 ? options->statement_ms : DEFAULT_STATEMENT_MS;
    if (path != NULL)
        status = set_path(database, path, err);
    if (status < 0)
        aci_sqlite_free(database);
    else
        *out = database;
    return status;
}

void aci_sqlite_free(void *self)
{
    aci_sqlite_database *database = self;

    if (database == NULL)
        return;
    sqlite_vfs_unregister(database);
    aci_driver_free(database->env, database->path, database->path_size);
    aci_driver_free(database->env, database->name, database->name_size);
    aci_driver_free(database->env, database, sizeof *database);
}

/* ---- making and looking ---------------------------------------------------------------------------------------- */

agentchat_status aci_sqlite_make_file(const aci_sqlite_database *database, agentchat_error *err)
{
    /* With O_EXCL the file is nobody else's yet: closing one that SQLite has open would take its locks away. */
    int fd = open(database->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_FILE_MODE);
    int error_number = errno;
    struct stat info;

    if (fd >= 0)
        close(fd);
    else if (error_number != EEXIST && stat(database->path, &info) != 0)
        return aci_sqlite_fail_errno(database, AGENTCHAT_E_IO, error_number, "cannot make the file", err);
    return AGENTCHAT_OK;
}

/* Anything but a regular file is refused: opening a pipe could wait for ever. */
static agentchat_status look(const aci_sqlite_database *database, agentchat_error *err)
{
    struct stat info;

    if (stat(database->path, &info) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            return aci_sqlite_fail_errno(database, AGENTCHAT_E_IO, errno, "cannot look at the file", err);
        return aci_sqlite_fail_missing(database, errno, err);
    }
    if (!S_ISREG(info.st_mode)) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "this is no regular file");
        return aci_sqlite_source(database, AGENTCHAT_E_IO, err);
    }
    return sqlite_look_beside(database, err);
}

static bool may_write_beside(const aci_sqlite_database *database)
{
    char name[LONGEST_PATH];
    char *slash;

    snprintf(name, sizeof name, "%s", database->path);
    slash = strrchr(name, '/');
    if (slash != NULL)
        slash[1] = '\0'; /* with the slash, so that "/" is one too */
    return faccessat(AT_FDCWD, database->path, W_OK, AT_EACCESS) == 0 &&
           faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) == 0;
}

static bool never_changes(const aci_sqlite_database *database)
{
    struct statvfs info;

    return statvfs(database->path, &info) == 0 && (info.f_flag & ST_RDONLY) != 0;
}

/* ---- opening --------------------------------------------------------------------------------------------------- */

/* "file:PATH?immutable=1", with what a URI gives a meaning escaped. */
static int open_immutable(const aci_sqlite_database *database, sqlite3 **db)
{
    static const char digits[] = "0123456789ABCDEF";
    static const char head[] = "file:", tail[] = "?immutable=1";
    size_t room = (database->path_size - 1) * 3 + sizeof head + sizeof tail, at = sizeof head - 1;
    char *uri = aci_driver_alloc(database->env, room);
    int code;

    if (uri == NULL)
        return SQLITE_NOMEM;
    memcpy(uri, head, sizeof head);
    for (const char *p = database->path; *p != '\0'; p++) {
        if (strchr("%?#", *p) == NULL) {
            uri[at++] = *p;
        } else {
            uri[at++] = '%';
            uri[at++] = digits[(unsigned char)*p >> 4];
            uri[at++] = digits[(unsigned char)*p & 15];
        }
    }
    memcpy(uri + at, tail, sizeof tail);
    code =
        sqlite3_open_v2(uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                        database->vfs_name);
    aci_driver_free(database->env, uri, room);
    return code;
}

static int open_path(const aci_sqlite_database *database, sqlite3 **db)
{
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;

    if (database->path == NULL)
        return sqlite3_open_v2(":memory:", db, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (!database->read_only)
        return sqlite3_open_v2(database->path, db, flags | SQLITE_OPEN_READWRITE, database->vfs_name);
    if (!aci_sqlite_has_log(database)) {
        if (never_changes(database))
            return open_immutable(database, db);
        if (may_write_beside(database))
            return sqlite3_open_v2(database->path, db, flags | SQLITE_OPEN_READWRITE, database->vfs_name);
    }
    return sqlite3_open_v2(database->path, db, flags | SQLITE_OPEN_READONLY, database->vfs_name);
}

agentchat_status aci_sqlite_open_file(aci_sqlite_database *database, sqlite3 **db, aci_sql_outcome *outcome,
                                      agentchat_error *err)
{
    agentchat_status status = database->path != NULL ? look(database, err) : AGENTCHAT_OK;
    int code;

    *db = NULL;
    if (status < 0)
        return status;
    code = open_path(database, db);
    if (code != SQLITE_OK)
        return aci_sqlite_fail(database, *db, code, "cannot open the file", outcome, err);
    if (!database->read_only && sqlite3_db_readonly(*db, "main") == 1) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the file may be read but not written: open it with read_only");
        return aci_sqlite_source(database, AGENTCHAT_E_IO, err);
    }
    return aci_sqlite_same_file(database, *db, err);
}
