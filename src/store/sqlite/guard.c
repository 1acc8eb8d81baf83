/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeps a connection from doing what nobody has asked for: settings and limits, who may stop a statement, and what
 * may be looked at while the schema of a file is read. Backend of SQLite.
 */
#include "store/sqlite/driver.h"

#include <string.h>

#define STEPS 1000     /* of SQLite's machine between two looks at the clock */
#define LOAD_LOOKS 100 /* so often while a schema is read: a hundred times what a store's takes */
#define LOAD_LENGTH 200000

/* ---- settings -------------------------------------------------------------------------------------------------- */

static const struct {
    int option, value;
} options[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_ENABLE_FKEY, 0},
    {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    {SQLITE_DBCONFIG_DQS_DML, 0}, /* a name in double quotes is never a text */
    {SQLITE_DBCONFIG_DQS_DDL, 0},
};

static const struct {
    int limit, value;
} limits[] = {
    {SQLITE_LIMIT_SQL_LENGTH, 100000},     {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},        {SQLITE_LIMIT_COMPOUND_SELECT, 20},
    {SQLITE_LIMIT_FUNCTION_ARG, 32},       {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 1000},  {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},      {SQLITE_LIMIT_VDBE_OP, 100000},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1},
};

/* ---- stopping -------------------------------------------------------------------------------------------------- */

/* SQLite's progress handler; not 0: the statement ends. */
static int look_around(void *connection)
{
    aci_sqlite_connection *c = connection;

    if (c->guard == ACI_SQLITE_ENDING)
        return 0;
    if (c->guard == ACI_SQLITE_LOADING && c->looks++ >= LOAD_LOOKS)
        c->stop = ACI_SQLITE_STOP_LOAD;
    else if (aci_sqlite_is_cancelled(c))
        c->stop = ACI_SQLITE_STOP_CANCELLED;
    else if (aci_sqlite_now_us() >= c->until_us)
        c->stop = ACI_SQLITE_STOP_TIME;
    else
        return 0;
    return 1;
}

/* ---- reading a schema ------------------------------------------------------------------------------------------ */

static bool begins_with(const char *text, const char *head)
{
    return text != NULL && strncmp(text, head, strlen(head)) == 0;
}

/* SQLite's authorizer. While it reads a schema, SQLite also reads tables of statistics when there are such, which may
   be anything: at no time is one of them looked at. */
static int authorize(void *connection, int action, const char *first, const char *second, const char *schema,
                     const char *inner)
{
    const aci_sqlite_connection *c = connection;

    (void)second;
    (void)schema;
    (void)inner;
    if (action == SQLITE_READ && begins_with(first, "sqlite_stat"))
        return SQLITE_DENY;
    if (c->guard != ACI_SQLITE_LOADING)
        return SQLITE_OK;
    if (action == SQLITE_READ)
        return strcmp(first, "sqlite_master") == 0 || strcmp(first, "sqlite_schema") == 0 ? SQLITE_OK : SQLITE_DENY;
    return action == SQLITE_SELECT || action == SQLITE_PRAGMA || action == SQLITE_TRANSACTION ? SQLITE_OK : SQLITE_DENY;
}

void aci_sqlite_begin_loading(aci_sqlite_connection *c)
{
    c->guard = ACI_SQLITE_LOADING;
    c->looks = 0;
    c->length = sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, LOAD_LENGTH);
}

void aci_sqlite_end_loading(aci_sqlite_connection *c)
{
    (void)sqlite3_limit(c->db, SQLITE_LIMIT_LENGTH, c->length);
    c->guard = ACI_SQLITE_ORDINARY;
}

/* An SQLite that is older than its header does not know all of these, and needs none. */
void aci_sqlite_allow_copy(aci_sqlite_connection *c, bool allowed)
{
    (void)sqlite3_limit(c->db, SQLITE_LIMIT_ATTACHED, allowed ? 1 : 0);
#if defined(SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE)
    (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, allowed ? 1 : 0, (int *)NULL);
#endif
#if defined(SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE)
    (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, allowed ? 1 : 0, (int *)NULL);
#endif
}

int aci_sqlite_set_guard(aci_sqlite_connection *c)
{
    int code = SQLITE_OK;

    for (size_t i = 0; i < sizeof options / sizeof options[0] && code == SQLITE_OK; i++)
        code = sqlite3_db_config(c->db, options[i].option, options[i].value, (int *)NULL);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        (void)sqlite3_limit(c->db, limits[i].limit, limits[i].value);
    aci_sqlite_allow_copy(c, false);
    sqlite3_progress_handler(c->db, STEPS, look_around, c);
    if (code == SQLITE_OK)
        code = sqlite3_set_authorizer(c->db, authorize, c);
    return code == SQLITE_OK ? sqlite3_busy_handler(c->db, aci_sqlite_wait, c) : code;
}
