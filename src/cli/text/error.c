/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/text/error.h"
#include "cli/text/put.h"

void cli_error_print(FILE *out, const char *name, agentchat_status status, const agentchat_error *err)
{
    /* Not agentchat_error_print(): that knows only the last 63 bytes of a file's name. */
    if (name != NULL) {
        (void)cli_put(out, agentchat_str_from(name[0] != '\0' ? name : "\"\""));
        (void)fputc(':', out);
    }
    if (err->line != 0)
        (void)fprintf(out, "%lu:%lu:", (unsigned long)err->line, (unsigned long)err->column);
    if (name != NULL || err->line != 0)
        (void)fputc(' ', out);
    if (err->path[0] != '\0') {
        (void)cli_put(out, agentchat_str_from(err->path));
        (void)fputs(": ", out);
    }
    (void)cli_put(out, agentchat_str_from(err->message[0] != '\0' ? err->message : agentchat_status_text(status)));
    (void)fputc('\n', out);
}
