/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_VERIFY_VERIFY_H
#define CLI_VERIFY_VERIFY_H

#include "cli/command/command.h"

extern const cli_command cli_verify;

#endif
