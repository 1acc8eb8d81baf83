/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proves that nothing was lost, doubled or moved: the final file against the script, against the file of the killed
 * process, against a conversation that nobody interrupted, and against what the remote service holds.
 */
#ifndef DEMO_VERIFY_H
#define DEMO_VERIFY_H

#include <stdbool.h>

/* Says of each of these whether it holds. DIR has chat.json and, as the killed process left it, at-the-kill.json. */
bool verify(const char *dir);

#endif
