/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session/name.h"
#include "cli/json/writer.h"
#include "cli/text/put.h"

void cli_session_name_print(const char *app, const char *user, const char *id, bool as_json)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        (void)cli_put(stdout, agentchat_str_from(id));
        (void)fputc('\n', stdout);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "app", app);
    cli_json_cstr(&json, "user", user);
    cli_json_cstr(&json, "id", id);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}
