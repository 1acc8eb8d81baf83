/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands on memory share: arguments, names, numbers, and the ends of pages. */
#include "cli/memory/memory.h"

#include "cli/text/text.h"
#include <string.h>

int cli_memory_fail(cli_store *s, agentchat_status status)
{
    bool is_answer = status == AGENTCHAT_E_CONFLICT || (status == AGENTCHAT_E_NOTFOUND && s->err.source[0] == '\0');
    int said = cli_store_fail(s, status);

    return is_answer ? CLI_NO : said;
}

bool cli_memory_limit(const cli_command *self, const char *name, const char *text, bool may_be_zero, size_t *out)
{
    uint64_t count = 0;

    if (text == NULL)
        return true;
    if (!cli_number_count(text, &count) || (count == 0 && !may_be_zero) || count > SIZE_MAX) {
        (void)cli_command_usage(self->name, "--%s takes a number%s, not \"%s\"", name, may_be_zero ? "" : " from 1 on",
                                text);
        return false;
    }
    *out = (size_t)count;
    return true;
}

bool cli_memory_span(const cli_command *self, const char *name, const char *text, int64_t *out)
{
    if (text == NULL || cli_number_span_us(text, out))
        return true;
    (void)cli_command_usage(self->name, "--%s takes a time such as 90s, 12h or 30d, not \"%s\"", name, text);
    return false;
}

/* The labels of a namespace as it is written. */
void cli_memory_print_labels(cli_json *json, const char *ns)
{
    char label[513];
    size_t len = 0;

    cli_json_begin(json, "namespace", '[');
    for (const char *p = ns; strcmp(ns, "/") != 0; p++) {
        if (*p == '/' || *p == '\0') {
            cli_json_text(json, NULL, (agentchat_str){label, len});
            len = 0;
        } else if (len < sizeof label) {
            label[len++] = *p == '~' ? "~/*"[*++p - '0'] : *p;
        }
        if (*p == '\0')
            break;
    }
    cli_json_end(json, ']');
}

void cli_memory_print_number(const char *name, uint64_t number, bool as_json)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        (void)printf("%llu\n", (unsigned long long)number);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, name, number);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

void cli_memory_print_cursor(const char *cursor)
{
    if (cursor != NULL)
        (void)printf("there are more: --cursor %s\n", cursor);
}

void cli_memory_end_items(cli_json *json, const char *cursor)
{
    cli_json_end(json, ']');
    cli_json_text(json, "cursor", cursor != NULL ? agentchat_str_from(cursor) : agentchat_str_null());
    cli_json_end(json, '}');
    cli_json_line(json);
}
