/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a store in SQLite: the options, the table of the driver. Backend of SQLite. */
#include "store/sqlite/driver.h"

#include <agentchat/sqlite.h>
#include <string.h>

/* An options struct is never this large; trusting a larger number would read past the end of the caller's. */
#define HIGHEST_STRUCT_SIZE 4096
#define OLDEST_SQLITE 3040000

const aci_sql_driver aci_sqlite_driver = {
    .name = "sqlite",
    .dialect = ACI_SQL_SQLITE,
    .connect = aci_sqlite_connect,
    .run = aci_sqlite_run,
    .rollback = aci_sqlite_end,
    .is_alive = aci_sqlite_is_alive,
    .disconnect = aci_sqlite_disconnect,
    .version = aci_sqlite_version,
    .install = aci_sqlite_install,
    .check = aci_sqlite_check,
    .free = aci_sqlite_free,
    .attach = aci_sqlite_attach,
    .source = aci_sqlite_source_of,
    .serve = aci_sqlite_serve,
    .allow = aci_sqlite_allow,
    .confirm = aci_sqlite_confirm,
};

static agentchat_status load_options(agentchat_store_options *out, const agentchat_store_options *given,
                                     agentchat_error *err)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t size = 0;

    *out = (agentchat_store_options)AGENTCHAT_STORE_OPTIONS_INIT;
    if (given == NULL)
        return AGENTCHAT_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > HIGHEST_STRUCT_SIZE)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "struct_size of the options is not set; start them with their INIT macro");
    for (size_t i = sizeof *out; i < size; i++) {
        if (bytes[i] != 0)
            return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                       "the options ask for something that this version of the library lacks");
    }
    memcpy(out, given, size < sizeof *out ? size : sizeof *out);
    out->struct_size = sizeof *out;
    if (out->durability != AGENTCHAT_DURABILITY_FULL && out->durability != AGENTCHAT_DURABILITY_NORMAL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the options have the unknown durability %d",
                                   (int)out->durability);
    return AGENTCHAT_OK;
}

static agentchat_status check_sqlite(agentchat_error *err)
{
    if (sqlite3_libversion_number() < OLDEST_SQLITE)
        return agentchat_error_set(err, AGENTCHAT_E_UNSUPPORTED, "SQLite 3.40 or newer is needed; this is %s",
                                   sqlite3_libversion());
    if (sqlite3_threadsafe() == 0)
        return agentchat_error_set(err, AGENTCHAT_E_UNSUPPORTED,
                                   "this SQLite was built for programs of one thread only");
    return AGENTCHAT_OK;
}

static agentchat_status check_arguments(const char *path, const agentchat_store_options *options, agentchat_error *err)
{
    if (path == NULL && options->read_only)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "a store in memory is new and cannot be read only");
    if (path != NULL && path[0] == '\0')
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the file's name is empty");
    if (path != NULL && (strncmp(path, "sqlite:", 7) == 0 || strncmp(path, "file:", 5) == 0 ||
                         strcmp(path, "memory:") == 0 || strstr(path, "://") != NULL))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "this takes the name of a file, not a URL: agentchat_store_open() takes both");
    return check_sqlite(err);
}

agentchat_status agentchat_sqlite_open(const agentchat_env *env, const char *path,
                                       const agentchat_store_options *options, agentchat_store **out,
                                       agentchat_error *err)
{
    aci_sql_store_options sql;
    agentchat_store_options loaded;
    aci_sqlite_database *database = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    status = load_options(&loaded, options, err);
    if (status >= 0)
        status = check_arguments(path, &loaded, err);
    if (status >= 0)
        status = aci_sqlite_database_new(env, path, &loaded, &database, err);
    if (status < 0)
        return status;
    if (path != NULL && !loaded.read_only)
        status = aci_sqlite_make_file(database, err);
    if (status < 0) {
        aci_sqlite_free(database);
        return status;
    }
    sql.read_only = loaded.read_only;
    sql.may_install = !loaded.read_only;
    sql.wait_ms = database->wait_ms;
    sql.max_connections = path != NULL ? loaded.max_connections : 1;
    status = aci_driver_store(env, &aci_sqlite_driver, database, &sql, out, err);
    return status < 0 ? aci_sqlite_source_name(path, status, err) : status;
}
