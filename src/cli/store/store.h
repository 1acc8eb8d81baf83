/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on stores. */
#ifndef CLI_STORE_STORE_H
#define CLI_STORE_STORE_H

#include "cli/command/command.h"

extern const cli_command cli_store_group, cli_store_init, cli_store_check, cli_store_index;

#endif
