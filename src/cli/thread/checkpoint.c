/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/thread/checkpoint.h"
#include "cli/text/time.h"

static void put_or_null(cli_json *json, const char *name, const char *text)
{
    cli_json_text(json, name, text != NULL ? agentchat_str_from(text) : agentchat_str_null());
}

void cli_thread_checkpoint_json(cli_json *json, const agentchat_checkpoint_info *info)
{
    char step[24], time[CLI_TIME_LEN];

    (void)snprintf(step, sizeof step, "%lld", (long long)info->step);
    cli_json_cstr(json, "namespace", info->ns);
    cli_json_cstr(json, "id", info->id);
    put_or_null(json, "parent", info->parent);
    cli_json_count(json, "sequence", info->sequence);
    cli_json_count(json, "line", info->line);
    cli_json_raw(json, "step", agentchat_str_from(info->has_step ? step : "null"));
    put_or_null(json, "source", info->source);
    put_or_null(json, "run", info->run);
    cli_json_cstr(json, "time", cli_time_text(info->time_us, time));
    cli_json_count(json, "messages", info->messages);
    cli_json_raw(json, "metadata", info->metadata);
}
