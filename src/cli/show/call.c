/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/call.h"
#include "cli/json/inspect.h"
#include "cli/json/print.h"
#include "cli/show/line.h"
#include "cli/text/memory.h"
#include "cli/text/put.h"
#include <stdlib.h>

static void put_json(FILE *out, agentchat_str json)
{
    if (agentchat_str_is_null(json))
        (void)fputs("null", out);
    else
        cli_json_one_line(out, json);
}

/* `id: 1234, note: "x"` of an object, anything else as it is spelled. */
static void put_arguments(FILE *out, agentchat_str arguments)
{
    agentchat_json_walk walk;

    if (agentchat_json_kind_of(arguments) != AGENTCHAT_JSON_OBJECT) {
        put_json(out, arguments);
        return;
    }
    (void)agentchat_json_walk_into(&walk, arguments);
    for (bool any = false; agentchat_json_walk_next(&walk); any = true) {
        agentchat_str name = cli_json_string(walk.key);

        if (any)
            (void)fputs(", ", out);
        (void)fwrite(name.ptr, 1, name.len, out);
        (void)fputs(": ", out);
        cli_json_one_line(out, walk.value);
    }
}

/* With full, what would be a long line is laid out below. */
static bool is_laid_out(const show *s, agentchat_str value)
{
    return s->full && value.len > SHOW_MAX_COLUMNS && (value.ptr[0] == '{' || value.ptr[0] == '[');
}

static void lay_out(show *s, agentchat_str value, unsigned indent)
{
    cli_memory memory;

    if (cli_memory_begin(&memory))
        cli_json_indented(memory.out, value);
    if (!cli_memory_end(&memory)) {
        s->failed = true;
        return;
    }
    cli_put_block(s->out, (agentchat_str){memory.text, memory.len},
                  (cli_block){.indent = indent, .screen = s->columns});
    free(memory.text);
}

static void put_function(FILE *out, const agentchat_item *item)
{
    agentchat_str plugin = agentchat_item_get(item, AGENTCHAT_FIELD_PLUGIN);
    agentchat_str function = agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION);

    if (has(plugin) && plugin.len > 0) {
        (void)fwrite(plugin.ptr, 1, plugin.len, out);
        (void)fputc('.', out);
    }
    (void)fwrite(function.ptr == NULL ? "" : function.ptr, 1, function.len, out);
}

static void show_exception(show *s, agentchat_str exception, unsigned indent)
{
    cli_memory memory;

    if (cli_memory_begin(&memory)) {
        (void)fputs("could not be called: ", memory.out);
        put_json(memory.out, exception);
    }
    show_line(s, &memory, (agentchat_str){NULL, 0}, indent);
}

/* laid_out: the arguments stand below. */
static void put_call(FILE *out, const agentchat_item *item, bool laid_out)
{
    (void)fputs("→ ", out);
    put_function(out, item);
    (void)fputc('(', out);
    if (laid_out)
        (void)fputs("…", out);
    else
        put_arguments(out, agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS));
    (void)fputc(')', out);
}

void show_call_put(FILE *out, const agentchat_item *item)
{
    put_call(out, item, false);
}

void show_call(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str arguments = agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS);
    agentchat_str exception = agentchat_item_get(item, AGENTCHAT_FIELD_EXCEPTION);
    cli_memory memory;

    if (cli_memory_begin(&memory))
        put_call(memory.out, item, is_laid_out(s, arguments));
    show_line(s, &memory, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), indent);
    if (is_laid_out(s, arguments))
        lay_out(s, arguments, indent + 4);
    if (has(exception))
        show_exception(s, exception, indent + 2);
}

static void put_count(FILE *out, size_t items)
{
    (void)fprintf(out, "%zu item%s", items, items == 1 ? "" : "s");
}

static void put_result(FILE *out, const agentchat_item *item, bool laid_out)
{
    agentchat_str result = agentchat_item_get(item, AGENTCHAT_FIELD_RESULT);

    (void)fputs("← ", out);
    if (is_true(agentchat_item_get(item, AGENTCHAT_FIELD_FAILED)))
        (void)fputs("failed: ", out);
    if (result.ptr == NULL && agentchat_item_has_content(item))
        put_count(out, agentchat_item_content_count(item));
    else if (result.ptr == NULL)
        (void)fputs("(no result)", out);
    else if (laid_out)
        (void)fputs("…", out);
    else
        put_json(out, result);
}

void show_result_put(FILE *out, const agentchat_item *item)
{
    put_result(out, item, false);
}

void show_result(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str result = agentchat_item_get(item, AGENTCHAT_FIELD_RESULT);
    cli_memory memory;

    if (cli_memory_begin(&memory))
        put_result(memory.out, item, is_laid_out(s, result));
    show_line(s, &memory, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), indent);
    if (is_laid_out(s, result))
        lay_out(s, result, indent + 4);
}
