/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file: its name, making it, and the way in which it is opened. Backend of SQLite.
 *
 * Reading a file in write-ahead log mode needs two files beside it, PATH-wal and PATH-shm. A connection that can only
 * read leaves them there when it closes, and they would belong to the reader. So a file that nobody has open is opened
 * for writing by readers too, with PRAGMA query_only (connect.c): the files beside it are gone then when it is closed.
 * When there is a log that somebody has left or uses, a reader does not touch it. On a file system where nothing can
 * change, SQLite can do without the files beside it.
 */
#include "store/sqlite/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

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
    aci_sqlite_vfs_unregister(database);
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
    return aci_sqlite_look_beside(database, err);
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
