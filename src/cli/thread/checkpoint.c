/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/thread/checkpoint.h"
#include "cli/text/memory.h"
#include "cli/text/time.h"
#include <string.h>

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

/* What stands in a JSON object, without its braces; NULL: it is none, and the library says so. */
static const char *members_of(const char *object, size_t *len)
{
    static const char whitespace[] = " \t\r\n";
    const char *first = object + strspn(object, whitespace), *end = first + strlen(first);

    while (end > first && strchr(whitespace, end[-1]) != NULL)
        end--;
    if (*first != '{' || end - first < 2 || end[-1] != '}')
        return NULL;
    first++;
    first += strspn(first, whitespace);
    *len = (size_t)(end - 1 - first);
    return first;
}

char *cli_thread_filter(const char *source, const char *step, const char *run, const char *filter)
{
    const char *members = NULL;
    size_t len = 0;
    cli_memory memory;

    if (filter != NULL)
        members = members_of(filter, &len);
    if (members == NULL && filter != NULL)
        return strdup(filter);
    if (cli_memory_begin(&memory)) {
        cli_json json = {.out = memory.out};

        cli_json_begin(&json, NULL, '{');
        if (source != NULL)
            cli_json_cstr(&json, "source", source);
        if (step != NULL)
            cli_json_raw(&json, "step", agentchat_str_from(step));
        if (run != NULL)
            cli_json_cstr(&json, "run", run);
        if (len > 0)
            (void)fprintf(memory.out, "%s%.*s", source != NULL || step != NULL || run != NULL ? ", " : "", (int)len,
                          members);
        cli_json_end(&json, '}');
    }
    return cli_memory_end(&memory) ? memory.text : NULL;
}
