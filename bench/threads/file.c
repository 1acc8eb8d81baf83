/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"
#include "run.h"

#include <sys/stat.h>

static char directory[512], path[600];

/* ---- counting syncs ---------------------------------------------------------------------------------------------
   A file system of SQLite's in front of its usual one. It opens the usual one's files and gives them the usual
   functions but for the one that syncs. */

static sqlite3_vfs *usual, counting;
static sqlite3_io_methods of_log, of_file;
static int (*usual_sync)(sqlite3_file *, int);

static int sync_log(sqlite3_file *file, int flags)
{
    bench_synced.log++;
    return usual_sync(file, flags);
}

static int sync_file(sqlite3_file *file, int flags)
{
    bench_synced.file++;
    return usual_sync(file, flags);
}

static int open_counted(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
    bool is_log = (flags & SQLITE_OPEN_WAL) != 0;
    sqlite3_io_methods *methods = is_log ? &of_log : &of_file;
    int code = usual->xOpen(usual, name, file, flags, out_flags);

    (void)vfs;
    if (code != SQLITE_OK || (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_DB)) == 0)
        return code;
    *methods = *file->pMethods;
    usual_sync = methods->xSync;
    methods->xSync = is_log ? sync_log : sync_file;
    file->pMethods = methods;
    return code;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static void remove_directory(void)
{
    bench_file_use("bare.db");
    bench_file_remove();
    bench_file_use("t.db");
    bench_file_remove();
    (void)rmdir(directory);
}

void bench_file_begin(const char *parent)
{
    snprintf(directory, sizeof directory, "%s/bench-threads-XXXXXX", parent);
    if (mkdtemp(directory) == NULL) {
        perror(directory);
        exit(1);
    }
    bench_file_use("t.db");
    (void)atexit(remove_directory);
    usual = sqlite3_vfs_find(NULL);
    counting = *usual;
    counting.zName = "counting";
    counting.xOpen = open_counted;
    bench_sqlite_must(sqlite3_vfs_register(&counting, 1), NULL);
}

void bench_file_use(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", directory, name);
}

double bench_file_size(void)
{
    struct stat info;

    return stat(path, &info) == 0 ? (double)info.st_size : 0;
}

void bench_file_remove(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char name[700];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)unlink(name);
    }
}

/* ---- connections ------------------------------------------------------------------------------------------------ */

agentchat_store *bench_file_store(agentchat_durability durability)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    options.durability = durability;
    bench_must(agentchat_sqlite_open(NULL, path, &options, &store, &err), &err);
    return store;
}

void bench_sqlite_must(int result, sqlite3 *db)
{
    if (result != SQLITE_OK && result != SQLITE_DONE) {
        fprintf(stderr, "bench_threads: %s\n", db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(result));
        exit(1);
    }
}

/* What src/store/sqlite sets: connect.c for each connection, connect.c for a new file. */
sqlite3 *bench_file_bare(agentchat_durability durability)
{
    sqlite3 *db = NULL;

    bench_sqlite_must(
        sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL), db);
    bench_sqlite_must(sqlite3_busy_timeout(db, 30000), db);
    bench_sqlite_must(sqlite3_exec(db,
                                   "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"
                                   "PRAGMA secure_delete=FAST; PRAGMA journal_size_limit=16777216;"
                                   "PRAGMA checkpoint_fullfsync=ON;"
                                   "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL",
                                   NULL, NULL, NULL),
                      db);
    bench_sqlite_must(sqlite3_exec(db,
                                   durability == AGENTCHAT_DURABILITY_FULL
                                       ? "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON"
                                       : "PRAGMA synchronous=NORMAL",
                                   NULL, NULL, NULL),
                      db);
    return db;
}
