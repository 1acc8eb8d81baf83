/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/state/key.h"
#include "cli/command/command.h"
#include "cli/json/writer.h"
#include "cli/text/error.h"
#include "cli/text/put.h"

void cli_key_print(const agentchat_session *session, const char *key)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "key", key);
    cli_json_raw(&json, "value", agentchat_state_get(agentchat_session_state(session), key));
    cli_json_count(&json, "revision", agentchat_session_revision(session, key));
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

bool cli_key_check(const cli_store *s, const char *key)
{
    agentchat_error err;
    agentchat_status status = agentchat_key_check(key, &err);

    if (status < 0) {
        (void)fprintf(stderr, "agentchat %s: ", s->self->name);
        cli_error_print(stderr, NULL, status, &err);
    }
    return status >= 0;
}

int cli_key_missing(const cli_store *s, const char *key)
{
    (void)fprintf(stderr, "agentchat %s: there is no key ", s->self->name);
    (void)cli_put(stderr, agentchat_str_from(key));
    (void)fputc('\n', stderr);
    return CLI_NO;
}
