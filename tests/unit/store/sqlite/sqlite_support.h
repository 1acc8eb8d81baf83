/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the SQLite driver share: a directory with a file in it, connections, a small table of notes. */
#ifndef SQLITE_SUPPORT_H
#define SQLITE_SUPPORT_H

#include "support/test_support.h"

#include "store/sqlite/driver.h"
#include <stdatomic.h>

/* Flags of a batch that is a transaction of its own. */
#define READ_ALL (ACI_SQL_BEGIN_READ | ACI_SQL_COMMIT)
#define WRITE_ALL (ACI_SQL_BEGIN_WRITE | ACI_SQL_COMMIT)

/* A file in a directory of its own, and what it is opened with. */
typedef struct scene {
    char *dir, *path;
    const agentchat_env *env; /* NULL at first */
    agentchat_store_options options;
} scene;

int scene_set_up(void **state); /* for cmocka; *state becomes a scene without a file */
int scene_tear_down(void **state);
#define ON_SCENE(test) cmocka_unit_test_setup_teardown(test, scene_set_up, scene_tear_down)

/* The same in memory where there is a file system for that: for tests of thousands of files. */
int scene_set_up_fast(void **state);
/* The same with sqlite_vfs.h in force, where nothing fails yet and flushing does nothing. */
int scene_set_up_vfs(void **state);

/* A connection with its own description of the file. The file is made where it is missing, unless reading only. */
agentchat_status scene_connect(const scene *s, aci_sqlite_connection **out, agentchat_error *err);
aci_sqlite_connection *scene_open(const scene *s);        /* one that must succeed, without tables */
aci_sqlite_connection *scene_open_tables(const scene *s); /* with the tables of sqlite_script */
aci_sqlite_connection *memory_open(void);
void scene_close(aci_sqlite_connection *connection); /* and its description; NULL is allowed */

/* Makes the tables, or changes them; what their version is: the driver's functions, for tables of one layout. */
agentchat_status scene_install(aci_sqlite_connection *c, uint32_t from, const char *script, aci_sql_outcome *outcome,
                               agentchat_error *err);
agentchat_status scene_version(aci_sqlite_connection *c, aci_sql_version *out, aci_sql_outcome *outcome,
                               agentchat_error *err);

/* store, as every store has it, and note(id INTEGER PRIMARY KEY, text TEXT NOT NULL) with an index on text. */
extern const char sqlite_script[];
/* What the driver is given: that this is the only layout, and how often calls were cancelled. */
extern const aci_sql_host scene_host;
extern atomic_uint scene_interrupts;

/* Statements on note. */
extern const aci_sql_statement note_insert; /* $1 id, $2 text */
extern const aci_sql_statement note_delete; /* $1 id */
extern const aci_sql_statement note_clear;
extern const aci_sql_statement note_count;  /* one row: count, greatest id or NULL */
extern const aci_sql_statement note_select; /* $1 lowest id: id, text in order of id */

/* One statement as a batch. */
agentchat_status run_note(aci_sqlite_connection *c, unsigned flags, const aci_sql_statement *statement,
                          const aci_sql_value *params, size_t param_count, aci_sql_row_fn row, void *user,
                          uint64_t *changed, agentchat_error *err);
/* A transaction of its own. */
agentchat_status note_write(aci_sqlite_connection *c, int64_t id, agentchat_str text, agentchat_error *err);
int64_t notes_in(aci_sqlite_connection *c, unsigned flags); /* how many there are */

/* Whether there is a file with a name that ends in suffix. */
bool exists(const char *path, const char *suffix);
/* What the driver says of a file on a connection of its own. */
agentchat_status version_of(const scene *s, aci_sql_version *out, agentchat_error *err);

aci_sql_value integer_of(int64_t integer);
aci_sql_value text_of(agentchat_str text);

/* Answers of SQLite through a connection of the test's own, past the driver. */
int64_t raw_ask(const char *path, const char *sql);
void raw_run(const char *path, const char *sql);

/* Pseudo-random numbers: the same seed gives the same ones. */
uint64_t next_random(uint64_t *random);

/* Runs work in a child process; its exit status, or minus the signal that ended it. */
typedef int (*child_work)(void *user);
int in_child(child_work work, void *user);
enum { COULD_NOT = 77 }; /* the exit status of work that cannot be done here */
/* Ends a child without warning: in_child() returns -SIGKILL. */
int die(void);
/* Gives up root's rights, which know no read-only files. false: that is not possible. */
bool become_ordinary(void);
/* Mounts a small file system over dir in a child's own name space. false: that is not allowed here. */
bool mount_small(const char *dir, const char *options, unsigned long flags);

#endif
