/* SPDX-License-Identifier: Apache-2.0 */
/* One item as a person reads it: text as it is, everything else as one line. Layer: cli. */
#include "json_text.h"
#include "show.h"
#include <stdlib.h>
#include <string.h>

enum {
    ID_COLUMN = 64,    /* where the id of a call stands, if the line is not longer */
    MAX_COLUMNS = 100, /* of calls, results, addresses */
    MAX_TEXT_LINES = 40,
    MAX_TEXT_COLUMNS = 2000
};

static bool has(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

static size_t cut_of(const show *s)
{
    return s->full ? 0 : MAX_COLUMNS;
}

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
    size_t columns = indent + cli_put_cut(s->out, (agentchat_str){*text, *len}, cut_of(s));
    free(*text);
    if (has(id)) {
        cli_pad(s->out, columns + 2 < ID_COLUMN ? ID_COLUMN - columns : 2);
        (void)fputs(s->style.dim, s->out);
        (void)cli_put_cut(s->out, id, cut_of(s));
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
        (void)fputs("could not be called: ", s->out);
        (void)cli_put_cut(s->out, exception, cut_of(s));
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

/* `[image image/png, 68 bytes, https://…]` */
static void show_data(show *s, const agentchat_item *item, const char *kind)
{
    agentchat_str mime = agentchat_item_get(item, AGENTCHAT_FIELD_MIME_TYPE);
    agentchat_str uri = agentchat_item_get(item, AGENTCHAT_FIELD_URI);
    const char *separator = " ";

    (void)fprintf(s->out, "[%s", kind);
    if (has(mime)) {
        (void)fputs(separator, s->out);
        (void)cli_put_cut(s->out, mime, cut_of(s));
        separator = ", ";
    }
    if (agentchat_item_has_data(item)) {
        size_t size = agentchat_item_data_size(item);

        (void)fprintf(s->out, "%s%zu byte%s", separator, size, size == 1 ? "" : "s");
        separator = ", ";
    }
    if (has(uri)) {
        (void)fputs(separator, s->out);
        (void)cli_put_cut(s->out, uri, cut_of(s));
    }
    (void)fputs("]\n", s->out);
}

/* `[KIND a, b, c]` of the fields that are there. */
static void show_fields(show *s, const agentchat_item *item, const char *kind, const agentchat_field *fields,
                        size_t count)
{
    const char *separator = " ";

    (void)fprintf(s->out, "[%s", kind);
    for (size_t i = 0; i < count; i++) {
        agentchat_str value = agentchat_item_get(item, fields[i]);

        if (!has(value))
            continue;
        (void)fputs(separator, s->out);
        (void)cli_put_cut(s->out, value, cut_of(s));
        separator = ", ";
    }
    (void)fputs("]\n", s->out);
}

static void show_text(show *s, agentchat_str text, unsigned indent)
{
    if (!has(text))
        return;
    cli_put_block(s->out, text, indent, s->full ? 0 : MAX_TEXT_LINES, s->full ? 0 : MAX_TEXT_COLUMNS);
}

static void show_opaque(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str type = agentchat_item_get(item, AGENTCHAT_FIELD_TYPE);

    cli_pad(s->out, indent);
    (void)fputc('[', s->out);
    (void)cli_put_cut(s->out, has(type) ? type : AGENTCHAT_STR("unknown item"), cut_of(s));
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
        cli_pad(s->out, indent);
        show_data(s, item, kind == AGENTCHAT_ITEM_IMAGE ? "image" : kind == AGENTCHAT_ITEM_AUDIO ? "audio" : "binary");
        break;
    case AGENTCHAT_ITEM_ANNOTATION:
        cli_pad(s->out, indent);
        show_fields(s, item, "annotation", annotation, sizeof annotation / sizeof annotation[0]);
        break;
    case AGENTCHAT_ITEM_FILE:
        cli_pad(s->out, indent);
        show_fields(s, item, "file", file, sizeof file / sizeof file[0]);
        break;
    case AGENTCHAT_ITEM_ACTION:
        cli_pad(s->out, indent);
        show_fields(s, item, "action", action, 1);
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
