/* SPDX-License-Identifier: Apache-2.0 */
/* A program that asks for a value wants its bytes; only where a person reads it, it is made safe. */
#include "cli/io/value.h"
#include "cli/json/writer.h"
#include "cli/text/put.h"
#include <unistd.h>

void cli_value_put(FILE *out, agentchat_str value)
{
    cli_json json = {.out = out};

    if (isatty(fileno(out)))
        cli_json_raw(&json, NULL, value);
    else
        (void)fwrite(value.ptr, 1, value.len, out);
    (void)fputc('\n', out);
}

void cli_value_put_text(FILE *out, agentchat_str text)
{
    if (isatty(fileno(out))) {
        cli_put_block(out, text, (cli_block){0});
        return;
    }
    if (text.len > 0)
        (void)fwrite(text.ptr, 1, text.len, out);
    (void)fputc('\n', out);
}
