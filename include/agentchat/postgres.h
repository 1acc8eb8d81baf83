/* SPDX-License-Identifier: Apache-2.0 */
/* Stores on a PostgreSQL server, in the library agentchat-postgres. Needs no header of libpq. */
#ifndef AGENTCHAT_POSTGRES_H
#define AGENTCHAT_POSTGRES_H

#include <agentchat/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Opens a store on a server. Its tables are in the schema `agentchat`, which agentchat_postgres_init() makes.
 * Parameters and errors as agentchat_store_open(); err->sqlstate is set where the server gave one.
 * @param[in]  env     Environment or NULL; must outlive the store.
 * @param[in]  url     A connection string as libpq takes it: `postgresql://…` or `host=… dbname=…`.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The store; NULL on failure.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_postgres_open(const agentchat_env *env, const char *url,
                                                                           const agentchat_store_options *options,
                                                                           agentchat_store **out, agentchat_error *err);

/**
 * Makes the schema and its tables on a server, or brings older ones up to date. Parameters and errors as
 * agentchat_store_init().
 * @param[in]  env     Environment or NULL.
 * @param[in]  url     A connection string as libpq takes it.
 * @param[in]  options Options, or NULL.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_postgres_init(const agentchat_env *env, const char *url,
                                                                           const agentchat_store_options *options,
                                                                           agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
