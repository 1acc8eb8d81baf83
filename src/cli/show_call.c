/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of which something may be left out, and the calls and results that stand on such. Layer: cli. */
#include "json_text.h"
#include "show.h"
#include <stdlib.h>

enum {
    ID_COLUMN = 64,    /* where the id of a call stands, if the line is not longer */
    MAX_COLUMNS = 100, /* of calls, results, addresses */
    MIN_ROOM = 12,     /* for what stands on a line, however narrow the terminal is */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- how much of a line is shown -------------------------------------------------------------------------------- */

size_t show_room(const show *s, size_t used)
{
    size_t room = s->columns > used + MIN_ROOM ? s->columns - used : MIN_ROOM;

    return s->full ? 0 : s->columns == 0 ? MAX_COLUMNS : smaller(room, MAX_COLUMNS);
}

static size_t id_cut(const show *s)
{
    return s->full ? 0 : s->columns == 0 ? MAX_COLUMNS : s->columns / 3;
}

static size_t id_width(const show *s, agentchat_str id)
{
    size_t width = cli_width(id);

    return id_cut(s) == 0 ? width : smaller(width, id_cut(s));
}

/* Where the id stands, if what is before it is not longer. */
static size_t id_column(const show *s, agentchat_str id)
{
    size_t width = id_width(s, id);

    return s->columns == 0 || s->columns < width ? ID_COLUMN : smaller(ID_COLUMN, s->columns - width);
}

static size_t cut_before(const show *s, unsigned indent, agentchat_str id)
{
    return show_room(s, indent + (has(id) ? id_width(s, id) + 2 : 0));
}

/* ---- parts of lines --------------------------------------------------------------------------------------------- */

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
    agentchat_str name, value;
    bool any = false;

    if (!has(arguments) || arguments.len == 0 || arguments.ptr[0] != '{') {
        put_json(out, arguments);
        return;
    }
    for (size_t at = 0; cli_json_next_member(arguments, &at, &name, &value); any = true) {
        if (any)
            (void)fputs(", ", out);
        (void)fwrite(name.ptr, 1, name.len, out);
        (void)fputs(": ", out);
        cli_json_one_line(out, value);
    }
}

void show_line(show *s, FILE *memory, char **text, const size_t *len, agentchat_str id, unsigned indent)
{
    if (!cli_memory_end(memory, text)) {
        s->failed = true;
        return;
    }
    cli_pad(s->out, indent);
    size_t used = indent + cli_put_cut(s->out, (agentchat_str){*text, *len}, cut_before(s, indent, id));
    free(*text);
    if (has(id)) {
        size_t place = id_column(s, id);

        cli_pad(s->out, used + 2 < place ? place - used : 2);
        (void)fputs(s->style.dim, s->out);
        (void)cli_put_cut(s->out, id, id_cut(s));
        (void)fputs(s->style.off, s->out);
    }
    (void)fputc('\n', s->out);
}

void show_note(show *s, const char *text, unsigned indent)
{
    cli_pad(s->out, indent);
    (void)fprintf(s->out, "%s%s%s\n", s->style.dim, text, s->style.off);
}

/* ---- calls and results ------------------------------------------------------------------------------------------ */

/* With full, what would be a long line is laid out below. */
static bool is_laid_out(const show *s, agentchat_str value)
{
    return s->full && value.len > MAX_COLUMNS && (value.ptr[0] == '{' || value.ptr[0] == '[');
}

static void lay_out(show *s, agentchat_str value, unsigned indent)
{
    char *text = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&text, &len);

    if (memory != NULL)
        cli_json_indented(memory, value);
    if (!cli_memory_end(memory, &text)) {
        s->failed = true;
        return;
    }
    cli_put_block(s->out, (agentchat_str){text, len}, (cli_block){.indent = indent, .screen = s->columns});
    free(text);
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
    char *text = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&text, &len);

    if (memory != NULL) {
        (void)fputs("could not be called: ", memory);
        put_json(memory, exception);
    }
    show_line(s, memory, &text, &len, (agentchat_str){NULL, 0}, indent);
}

void show_call(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str arguments = agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS);
    agentchat_str exception = agentchat_item_get(item, AGENTCHAT_FIELD_EXCEPTION);
    char *text = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&text, &len);

    if (memory != NULL) {
        (void)fputs("→ ", memory);
        put_function(memory, item);
        (void)fputc('(', memory);
        if (is_laid_out(s, arguments))
            (void)fputs("…", memory);
        else
            put_arguments(memory, arguments);
        (void)fputc(')', memory);
    }
    show_line(s, memory, &text, &len, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), indent);
    if (is_laid_out(s, arguments))
        lay_out(s, arguments, indent + 4);
    if (has(exception))
        show_exception(s, exception, indent + 2);
}

void show_result(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str result = agentchat_item_get(item, AGENTCHAT_FIELD_RESULT);
    char *text = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&text, &len);

    if (memory != NULL) {
        (void)fputs("← ", memory);
        if (result.ptr == NULL)
            (void)fputs("(no result)", memory);
        else if (is_laid_out(s, result))
            (void)fputs("…", memory);
        else
            put_json(memory, result);
    }
    show_line(s, memory, &text, &len, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), indent);
    if (is_laid_out(s, result))
        lay_out(s, result, indent + 4);
}
