/* SPDX-License-Identifier: Apache-2.0 */
/* One item as a person reads it: text as it is, everything else as one line. Layer: cli. */
#include "json_text.h"
#include "show.h"
#include <stdlib.h>
#include <string.h>

enum {
    ID_COLUMN = 64,    /* where the id of a call stands, if the line is not longer */
    MAX_COLUMNS = 100, /* of calls, results, addresses */
    MIN_ROOM = 12,     /* for what stands on a line, however narrow the terminal is */
    MAX_TEXT_LINES = 40,
    MAX_TEXT_COLUMNS = 2000
};

static bool has(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- how much of a line is shown -----------------------------------------------------------------------------------
 */

/* What follows something of `used` columns stays on the screen. */
static size_t cut_behind(const show *s, size_t used)
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
    return cut_behind(s, indent + (has(id) ? id_width(s, id) + 2 : 0));
}

/* ---- parts of lines -----------------------------------------------------------------------------------------------
 */

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

void show_detail(show *s, const char *name, agentchat_str value, unsigned indent)
{
    if (!s->full || value.ptr == NULL)
        return;
    cli_pad(s->out, indent);
    (void)fprintf(s->out, "%s%s: ", s->style.dim, name);
    (void)cli_put(s->out, agentchat_str_is_null(value) ? AGENTCHAT_STR("null") : value);
    (void)fprintf(s->out, "%s\n", s->style.off);
}

void show_call(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str plugin = agentchat_item_get(item, AGENTCHAT_FIELD_PLUGIN);
    agentchat_str function = agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION);
    agentchat_str exception = agentchat_item_get(item, AGENTCHAT_FIELD_EXCEPTION);
    char *text = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&text, &len);

    if (memory != NULL) {
        (void)fputs("→ ", memory);
        if (has(plugin) && plugin.len > 0) {
            (void)fwrite(plugin.ptr, 1, plugin.len, memory);
            (void)fputc('.', memory);
        }
        (void)fwrite(function.ptr == NULL ? "" : function.ptr, 1, function.len, memory);
        (void)fputc('(', memory);
        put_arguments(memory, agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS));
        (void)fputc(')', memory);
    }
    show_line(s, memory, &text, &len, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), indent);
    if (has(exception)) {
        cli_pad(s->out, indent + 2);
        size_t used = cli_put(s->out, AGENTCHAT_STR("could not be called: "));
        (void)cli_put_cut(s->out, exception, cut_behind(s, indent + 2 + used));
        (void)fputc('\n', s->out);
    }
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
        else
            put_json(memory, result);
    }
    show_line(s, memory, &text, &len, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), indent);
}

/* ---- the others ---------------------------------------------------------------------------------------------------
 */

/* `[KIND a, b, c]`, of what is there. */
typedef struct list {
    FILE *memory; /* NULL: none to be had */
    char *text;
    size_t len;
    const char *separator;
} list;

static void list_begin(list *l, const char *kind)
{
    *l = (list){.separator = " "};
    l->memory = open_memstream(&l->text, &l->len);
    if (l->memory != NULL)
        (void)fprintf(l->memory, "[%s", kind);
}

static void list_add(list *l, agentchat_str value)
{
    if (l->memory == NULL || !has(value))
        return;
    (void)fputs(l->separator, l->memory);
    if (value.len > 0)
        (void)fwrite(value.ptr, 1, value.len, l->memory);
    l->separator = ", ";
}

static void list_end(show *s, list *l, unsigned indent)
{
    if (l->memory != NULL)
        (void)fputc(']', l->memory);
    show_line(s, l->memory, &l->text, &l->len, (agentchat_str){NULL, 0}, indent);
}

/* `[image image/png, 68 bytes, https://…]` */
static void show_data(show *s, const agentchat_item *item, const char *kind, unsigned indent)
{
    size_t size = agentchat_item_data_size(item);
    char bytes[32];
    list l;

    (void)snprintf(bytes, sizeof bytes, "%zu byte%s", size, size == 1 ? "" : "s");
    list_begin(&l, kind);
    list_add(&l, agentchat_item_get(item, AGENTCHAT_FIELD_MIME_TYPE));
    if (agentchat_item_has_data(item))
        list_add(&l, agentchat_str_from(bytes));
    list_add(&l, agentchat_item_get(item, AGENTCHAT_FIELD_URI));
    list_end(s, &l, indent);
}

static void show_fields(show *s, const agentchat_item *item, const char *kind, const agentchat_field *fields,
                        size_t count, unsigned indent)
{
    list l;

    list_begin(&l, kind);
    for (size_t i = 0; i < count; i++)
        list_add(&l, agentchat_item_get(item, fields[i]));
    list_end(s, &l, indent);
}

static void show_text(show *s, agentchat_str text, unsigned indent)
{
    if (!has(text))
        return;
    cli_put_block(s->out, text,
                  (cli_block){.indent = indent,
                              .max_lines = s->full ? 0 : MAX_TEXT_LINES,
                              .max_columns = s->full ? 0 : MAX_TEXT_COLUMNS,
                              .screen = s->columns});
}

static void show_opaque(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str type = agentchat_item_get(item, AGENTCHAT_FIELD_TYPE);

    cli_pad(s->out, indent);
    (void)fputc('[', s->out);
    (void)cli_put_cut(s->out, has(type) ? type : AGENTCHAT_STR("unknown item"), cut_behind(s, indent + 2));
    (void)fputs("]\n", s->out);
    show_detail(s, "raw", agentchat_item_get(item, AGENTCHAT_FIELD_RAW), indent + 2);
}

static void show_nested(show *s, const agentchat_item *item, unsigned indent)
{
    cli_pad(s->out, indent);
    (void)fputs("message\n", s->out);
    show_message(s, agentchat_item_message(item), indent + 2, false);
}

static void show_reasoning(show *s, const agentchat_item *item, unsigned indent)
{
    cli_pad(s->out, indent);
    (void)fprintf(s->out, "%sreasoning%s\n", s->style.dim, s->style.off);
    show_text(s, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT), indent + 2);
    show_detail(s, "signature", agentchat_item_get(item, AGENTCHAT_FIELD_SIGNATURE), indent + 2);
}

static void show_details(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);
    bool has_mime_line = kind == AGENTCHAT_ITEM_IMAGE || kind == AGENTCHAT_ITEM_AUDIO || kind == AGENTCHAT_ITEM_BINARY;

    show_detail(s, "model", agentchat_item_get(item, AGENTCHAT_FIELD_MODEL_ID), indent + 2);
    if (!has_mime_line)
        show_detail(s, "mime type", agentchat_item_get(item, AGENTCHAT_FIELD_MIME_TYPE), indent + 2);
    show_detail(s, "metadata", agentchat_item_get(item, AGENTCHAT_FIELD_METADATA), indent + 2);
}

void show_item(show *s, const agentchat_item *item, unsigned indent)
{
    static const agentchat_field annotation[] = {AGENTCHAT_FIELD_KIND,         AGENTCHAT_FIELD_LABEL,
                                                 AGENTCHAT_FIELD_REFERENCE_ID, AGENTCHAT_FIELD_TITLE,
                                                 AGENTCHAT_FIELD_START_INDEX,  AGENTCHAT_FIELD_END_INDEX};
    static const agentchat_field file[] = {AGENTCHAT_FIELD_FILE_ID, AGENTCHAT_FIELD_TOOLS};
    static const agentchat_field action[] = {AGENTCHAT_FIELD_TEXT};
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    switch (kind) {
    case AGENTCHAT_ITEM_TEXT:
        show_text(s, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT), indent);
        break;
    case AGENTCHAT_ITEM_CALL:
        show_call(s, item, indent);
        break;
    case AGENTCHAT_ITEM_RESULT:
        show_result(s, item, indent);
        break;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        show_data(s, item,
                  kind == AGENTCHAT_ITEM_IMAGE   ? "image"
                  : kind == AGENTCHAT_ITEM_AUDIO ? "audio"
                                                 : "binary",
                  indent);
        break;
    case AGENTCHAT_ITEM_ANNOTATION:
        show_fields(s, item, "annotation", annotation, sizeof annotation / sizeof annotation[0], indent);
        break;
    case AGENTCHAT_ITEM_FILE:
        show_fields(s, item, "file", file, sizeof file / sizeof file[0], indent);
        break;
    case AGENTCHAT_ITEM_ACTION:
        show_fields(s, item, "action", action, 1, indent);
        break;
    case AGENTCHAT_ITEM_REASONING:
        show_reasoning(s, item, indent);
        break;
    case AGENTCHAT_ITEM_MESSAGE:
        show_nested(s, item, indent);
        break;
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        show_opaque(s, item, indent);
        break;
    }
    show_details(s, item, indent);
}
