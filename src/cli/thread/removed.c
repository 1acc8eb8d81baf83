/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/thread/removed.h"
#include "cli/json/writer.h"

void cli_thread_removed_print(uint64_t checkpoints, bool as_json)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        (void)printf("%llu checkpoint%s deleted\n", (unsigned long long)checkpoints, checkpoints == 1 ? "" : "s");
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, "checkpoints", checkpoints);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}
