/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A database that answers with whatever the fuzzer's input says: rows of other types, rows that do not belong together,
 * JSON that is none, numbers at the ends of 64 bits, too few rows and too many.
 */
#ifndef AGENTCHAT_FUZZ_HOSTILE_DATABASE_H
#define AGENTCHAT_FUZZ_HOSTILE_DATABASE_H

#include "fuzz.h"

#include "store/core/driver.h"

typedef struct hostile_database {
    fuzz_input *in;
    size_t open; /* connections */
} hostile_database;

/* A store over it; the database must outlive it. */
agentchat_status hostile_database_store(hostile_database *database, const agentchat_env *env, agentchat_store **out,
                                        agentchat_error *err);

#endif
