/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that counts what is allocated and fails on request, as an environment; its ids are the same in every run. */
#ifndef AGENTCHAT_FUZZ_FAILING_MEMORY_H
#define AGENTCHAT_FUZZ_FAILING_MEMORY_H

#include "fuzz.h"

typedef struct fuzz_memory {
    agentchat_env *env;
    size_t blocks;      /* not given back yet */
    size_t until_fails; /* allocations that still succeed; SIZE_MAX: all do */
    bool all_after;     /* after the first failure everything fails, until fuzz_memory_calm() */
    size_t failures;    /* so far */
    uint32_t ids;
} fuzz_memory;

/* Makes the environment; max_depth 0: the default. */
void fuzz_memory_begin(fuzz_memory *memory, uint32_t max_depth);
/* The allocation after `succeeding` more ones fails, alone or with all that follow. */
void fuzz_memory_fail(fuzz_memory *memory, size_t succeeding, bool all_after);
/* From here on nothing fails. */
void fuzz_memory_calm(fuzz_memory *memory);
/* Releases the environment; every block must have been given back. */
void fuzz_memory_end(fuzz_memory *memory);

#endif
