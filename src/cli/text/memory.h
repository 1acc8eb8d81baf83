/* SPDX-License-Identifier: Apache-2.0 */
/* Text that is put together in memory, by what prints to a file. */
#ifndef CLI_TEXT_MEMORY_H
#define CLI_TEXT_MEMORY_H

#include <agentchat/base.h>

typedef struct cli_memory {
    FILE *out;  /* NULL: none to be had */
    char *text; /* from cli_memory_end() on, to be freed */
    size_t len;
} cli_memory;

/* false: out of memory, which cli_memory_end() says again. It must not be moved before that. */
bool cli_memory_begin(cli_memory *memory);
/* false: out of memory, and nothing is to be freed. */
bool cli_memory_end(cli_memory *memory);

#endif
