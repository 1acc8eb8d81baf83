/* SPDX-License-Identifier: Apache-2.0 */
/* Opening stores on a PostgreSQL server: the public functions. */
#include "driver.h"

#include <string.h>

/* An options struct is never this large; trusting a larger number would read past the end of the caller's. */
#define HIGHEST_STRUCT_SIZE 4096

enum { DEFAULT_WAIT_MS = 30000, DEFAULT_CONNECTIONS = 8 };

/* Reads the caller's options, which may be of an older or a newer version: what this one does not know must be 0. */
static bool load_options(const agentchat_store_options *given, agentchat_store_options *out)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t size = 0;

    memset(out, 0, sizeof *out);
    if (given == NULL)
        return true;
    memcpy(&size, bytes, sizeof size);
    if (size < sizeof size || size > HIGHEST_STRUCT_SIZE)
        return false;
    for (size_t i = sizeof *out; i < size; i++) {
        if (bytes[i] != 0)
            return false;
    }
    memcpy(out, bytes, size < sizeof *out ? size : sizeof *out);
    return out->durability == AGENTCHAT_DURABILITY_FULL || out->durability == AGENTCHAT_DURABILITY_NORMAL;
}

static agentchat_status open_store(const agentchat_env *env, const char *url, const agentchat_store_options *options,
                                   bool may_install, agentchat_store **out, agentchat_error *err)
{
    aci_sql_store_options passed = {false, may_install, 0, 0};
    agentchat_store_options loaded;
    aci_postgres *server = NULL;
    agentchat_status status;

    if (url == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "url must not be NULL");
    if (!load_options(options, &loaded))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "the options are not valid (begin with AGENTCHAT_STORE_OPTIONS_INIT)");
    if (may_install && loaded.read_only)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "tables cannot be made for reading only");
    passed.read_only = loaded.read_only;
    passed.wait_ms = loaded.wait_ms != 0 ? loaded.wait_ms : DEFAULT_WAIT_MS;
    passed.max_connections = loaded.max_connections != 0 ? loaded.max_connections : DEFAULT_CONNECTIONS;
    status = aci_postgres_new(env, url, passed.wait_ms, &server, err);
    if (status >= 0)
        status = aci_driver_store(env, &aci_postgres_driver, server, &passed, out, err);
    return status;
}

agentchat_status agentchat_postgres_open(const agentchat_env *env, const char *url,
                                         const agentchat_store_options *options, agentchat_store **out,
                                         agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    return open_store(env, url, options, false, out, err);
}

agentchat_status agentchat_postgres_init(const agentchat_env *env, const char *url,
                                         const agentchat_store_options *options, agentchat_error *err)
{
    agentchat_store *store = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    status = open_store(env, url, options, true, &store, err);
    agentchat_store_close(store);
    return status;
}
