/* SPDX-License-Identifier: Apache-2.0 */
/* Stores in SQLite, in the library agentchat-sqlite. Needs no header of SQLite. */
#ifndef AGENTCHAT_SQLITE_H
#define AGENTCHAT_SQLITE_H

#include <agentchat/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Opens a store in an SQLite file. Parameters and errors as agentchat_store_open().
 * @param[in]  env     Environment or NULL; must outlive the store.
 * @param[in]  path    Name of the file, taken as it stands; a URL is refused. NULL: a store in memory that ends when it
 *                     is closed.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The store; NULL on failure.
 * @param[out] err     Detail, or NULL; native is SQLite's extended result code.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_sqlite_open(const agentchat_env *env, const char *path,
                                                                         const agentchat_store_options *options,
                                                                         agentchat_store **out, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
