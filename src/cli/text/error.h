/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong, for people. */
#ifndef CLI_TEXT_ERROR_H
#define CLI_TEXT_ERROR_H

#include <agentchat/base.h>

/* `NAME:LINE:COLUMN: POINTER: message`, parts that are unset left out. NAME may be NULL. */
void cli_error_print(FILE *out, const char *name, agentchat_status status, const agentchat_error *err);

#endif
