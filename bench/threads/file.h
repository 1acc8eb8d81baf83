/* SPDX-License-Identifier: Apache-2.0 */
/* The SQLite file that a benchmark of threads works on, and how often it waits for the disk. */
#ifndef BENCH_FILE_H
#define BENCH_FILE_H

#include "../ours.h"

#include <agentchat/sqlite.h>
#include <sqlite3.h>

/* Makes a new directory below `parent`, which is gone with what is in it when the program ends, and counts syncs from
   now on, in bench_synced. */
void bench_file_begin(const char *parent);
/* All that follows is about the file of that name in the directory. */
void bench_file_use(const char *name);
double bench_file_size(void);
/* Deletes the file and what is beside it. */
void bench_file_remove(void);

agentchat_store *bench_file_store(agentchat_durability durability);
/* A connection without the library, with the settings that a store has. */
sqlite3 *bench_file_bare(agentchat_durability durability);
/* Ends the program unless SQLite has done it. */
void bench_sqlite_must(int result, sqlite3 *db);

#endif
