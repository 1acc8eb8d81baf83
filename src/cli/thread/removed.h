/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_THREAD_REMOVED_H
#define CLI_THREAD_REMOVED_H

#include <stdbool.h>
#include <stdint.h>

/* Says how many checkpoints were deleted. */
void cli_thread_removed_print(uint64_t checkpoints, bool as_json);

#endif
