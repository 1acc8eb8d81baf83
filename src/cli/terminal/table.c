/* SPDX-License-Identifier: Apache-2.0 */
/* Cells are made safe for a terminal when they are added; printing them again changes nothing. */
#include "cli/terminal/table.h"
#include "cli/terminal/style.h"
#include "cli/text/memory.h"
#include "cli/text/put.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void add(cli_table *table, char *text)
{
    if (table->cells == table->cap) {
        size_t cap = table->cap == 0 ? 64 : table->cap * 2;
        char **bigger = table->failed ? NULL : realloc(table->cell, cap * sizeof *bigger);

        if (bigger == NULL) {
            table->failed = true;
            free(text);
            return;
        }
        table->cell = bigger;
        table->cap = cap;
    }
    table->cell[table->cells++] = text;
}

/* The shown form, so that NUL bytes are gone and a C string can hold it. */
void cli_table_add(cli_table *table, agentchat_str text)
{
    cli_memory shown;

    if (cli_memory_begin(&shown))
        (void)cli_put(shown.out, text);
    if (cli_memory_end(&shown))
        add(table, shown.text);
    else
        table->failed = true;
}

void cli_table_addf(cli_table *table, const char *format, ...)
{
    char text[128];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cli_table_add(table, agentchat_str_from(text));
}

static void print_rows(FILE *out, const cli_table *table)
{
    size_t width[CLI_MAX_COLUMNS] = {0};
    cli_style style = cli_style_of(out);

    for (size_t i = 0; i < table->cells; i++) {
        size_t columns = cli_put_width(agentchat_str_from(table->cell[i]));
        if (columns > width[i % table->columns])
            width[i % table->columns] = columns;
    }
    for (size_t i = 0; i < table->cells; i++) {
        size_t column = i % table->columns;
        agentchat_str cell = agentchat_str_from(table->cell[i]);

        if (i == 0)
            (void)fputs(style.dim, out);
        size_t used = cli_put(out, cell);
        if (column + 1 < table->columns)
            cli_put_spaces(out, width[column] - used + 2);
        else
            (void)fprintf(out, "%s\n", i < table->columns ? style.off : "");
    }
}

bool cli_table_print(FILE *out, cli_table *table)
{
    bool ok = !table->failed;

    if (ok)
        print_rows(out, table);
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
    free(table->cell);
    *table = (cli_table){.columns = table->columns};
    return ok;
}
