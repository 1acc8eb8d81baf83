/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on the long-term memory of a store. */
#ifndef CLI_MEMORY_MEMORY_H
#define CLI_MEMORY_MEMORY_H

#include "cli/command/command.h"

extern const cli_command cli_memory_group;
extern const cli_command cli_memory_put, cli_memory_get, cli_memory_delete, cli_memory_search, cli_memory_namespaces,
    cli_memory_stats, cli_memory_sweep, cli_memory_export, cli_memory_import;

#endif
