/* SPDX-License-Identifier: Apache-2.0 */
/* A program that asks for a value wants its bytes; only where a person reads it, it is made safe. Layer: cli. */
#include "values_out.h"
#include "json_out.h"
#include "terminal.h"
#include <time.h>
#include <unistd.h>

const char *cli_time_text(int64_t time_us, char buffer[CLI_TIME_LEN])
{
    /* Rounded down, without a number on the way that a damaged store could bring beyond the type. */
    int64_t fraction = time_us % 1000000, whole = time_us / 1000000;
    struct tm day;

    if (fraction < 0) {
        fraction += 1000000;
        whole--;
    }
    time_t seconds = (time_t)whole;
    if (seconds != whole || gmtime_r(&seconds, &day) == NULL || day.tm_year < -1900 || day.tm_year > 9999 - 1900)
        (void)snprintf(buffer, CLI_TIME_LEN, "(no time)"); /* a damaged store can say anything */
    else
        (void)snprintf(buffer, CLI_TIME_LEN, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", day.tm_year + 1900, day.tm_mon + 1,
                       day.tm_mday, day.tm_hour, day.tm_min, day.tm_sec, (int)fraction);
    return buffer;
}

void cli_put_value(FILE *out, agentchat_str value)
{
    cli_json json = {.out = out};

    if (isatty(fileno(out)))
        cli_json_raw(&json, NULL, value);
    else
        (void)fwrite(value.ptr, 1, value.len, out);
    (void)fputc('\n', out);
}

void cli_put_text(FILE *out, agentchat_str text)
{
    if (isatty(fileno(out))) {
        cli_put_block(out, text, (cli_block){0});
        return;
    }
    if (text.len > 0)
        (void)fwrite(text.ptr, 1, text.len, out);
    (void)fputc('\n', out);
}

void cli_print_session(const char *app, const char *user, const char *id, bool as_json)
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
