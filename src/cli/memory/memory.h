/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on the long-term memory of a store. */
#ifndef CLI_MEMORY_MEMORY_H
#define CLI_MEMORY_MEMORY_H

#include "cli/command/command.h"
#include <agentchat/memory.h>

extern const cli_command cli_memory_group;
extern const cli_command cli_memory_put, cli_memory_get, cli_memory_delete, cli_memory_search, cli_memory_namespaces,
    cli_memory_stats, cli_memory_sweep, cli_memory_reindex, cli_memory_export, cli_memory_import;

/* ==== vectors ==================================================================================================== */

/* Vectors of a file, one after the other. */
typedef struct cli_vectors {
    float *numbers;
    size_t count, dimensions;
} cli_vectors;
/* Reads a JSON array of numbers, or an array of such arrays; "-" is standard input, NULL no vector. false: that was
   reported. */
bool cli_vectors_read(const char *name, cli_vectors *out);
void cli_vectors_free(cli_vectors *vectors);

/* What runs a shell command as an embedder: it reads a JSON string a line, and writes a JSON array of numbers a line.
   command NULL: that of the variable AGENTCHAT_EMBEDDER. NULL: there is none. */
const agentchat_memory_embedder *cli_embedder(const char *command, const char *model, agentchat_memory_embedder *out);

#endif
