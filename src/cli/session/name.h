/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SESSION_NAME_H
#define CLI_SESSION_NAME_H

#include <stdbool.h>

/* What a command that made a session says: its id, or its full name as one JSON object. */
void cli_session_name_print(const char *app, const char *user, const char *id, bool as_json);

#endif
