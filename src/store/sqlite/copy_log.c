/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copying the write-ahead log into the file. Backend of SQLite.
 *
 * SQLite by itself has every commit do that once the log has 1,000 pages, whoever has written them. When one call has
 * written much, or has read for long, so that the log could not begin anew, whoever puts a few pages next would do all
 * of that call's work. So who copies a log is who has written a part of it; and calls that may take long do it whenever
 * they have ended a transaction. Copying keeps nobody from writing.
 */
#include "store/sqlite/driver.h"

#include <limits.h>

enum {
    LONG_LOG = 1000,         /* pages; SQLite's own number */
    LONG_LOG_OF_CALLS = 250, /* that may take long */
    MOST_ROUNDS = 8,
    LONG_READ_US = 20000
};

static int note_length(void *connection, sqlite3 *db, const char *name, int pages)
{
    aci_sqlite_connection *c = connection;

    (void)db;
    (void)name;
    c->log_pages = pages;
    return SQLITE_OK;
}

void aci_sqlite_watch_log(aci_sqlite_connection *c)
{
    /* Of many connections that write alike, or that write a little and close, one has its turn every 1,000 pages. */
    c->written_pages = (int)(c->random % LONG_LOG);
    (void)sqlite3_wal_hook(c->db, note_length, c);
}

/* A log that somebody reads cannot be copied. Were it flushed when he has ended, all at once, who appends to it would
   have to wait for that. */
static void flush_log(const aci_sqlite_connection *c)
{
    sqlite3_file *log = NULL;

    if (sqlite3_file_control(c->db, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log != NULL &&
        log->pMethods != NULL)
        (void)log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
}

/* What cannot be copied is for the next time. Long calls copy what others add meanwhile, too, until little is left. */
static void copy_log(aci_sqlite_connection *c)
{
    int length = 0, copied = 0, before, code;
    unsigned rounds = 0;

    c->written_pages = 0;
    do {
        before = copied;
        code = sqlite3_wal_checkpoint_v2(c->db, NULL, SQLITE_CHECKPOINT_PASSIVE, &length, &copied);
        if (code != SQLITE_OK || !c->call.unbounded)
            return;
    } while (length - copied >= LONG_LOG && copied > before && ++rounds < MOST_ROUNDS);
    if (length - copied >= LONG_LOG)
        flush_log(c);
}

void aci_sqlite_log_after_writing(aci_sqlite_connection *c)
{
    int pages = 0, highest = 0;

    if (c->log_pages == 0)
        return;
    (void)sqlite3_db_status(c->db, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1);
    c->written_pages = pages < INT_MAX - c->written_pages ? c->written_pages + pages : INT_MAX;
    if (c->call.unbounded ? c->log_pages >= LONG_LOG_OF_CALLS
                          : c->log_pages >= LONG_LOG && c->written_pages >= LONG_LOG)
        copy_log(c);
}

void aci_sqlite_log_after_reading(aci_sqlite_connection *c)
{
    if (c->call.unbounded && !c->database->read_only && c->database->path != NULL &&
        aci_sqlite_now_us() - c->began_us >= LONG_READ_US)
        copy_log(c);
}
