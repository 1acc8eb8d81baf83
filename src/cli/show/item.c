/* SPDX-License-Identifier: Apache-2.0 */
/* One item as a person reads it: text as it is, everything else as one line. */
#include "cli/show/item.h"
#include "cli/show/call.h"
#include "cli/show/line.h"
#include "cli/text/memory.h"
#include "cli/text/put.h"
#include <string.h>

enum { MAX_TEXT_LINES = 40, MAX_TEXT_COLUMNS = 2000 };

/* `[KIND a, b, c]`, of what is there. */
typedef struct list {
    cli_memory memory;
    const char *separator;
} list;

static void list_begin(list *l, const char *kind)
{
    *l = (list){.separator = " "};
    if (cli_memory_begin(&l->memory))
        (void)fprintf(l->memory.out, "[%s", kind);
}

static void list_add(list *l, agentchat_str value)
{
    if (l->memory.out == NULL || !has(value))
        return;
    (void)fputs(l->separator, l->memory.out);
    if (value.len > 0)
        (void)fwrite(value.ptr, 1, value.len, l->memory.out);
    l->separator = ", ";
}

static void list_end(show *s, list *l, unsigned indent)
{
    if (l->memory.out != NULL)
        (void)fputc(']', l->memory.out);
    show_line(s, &l->memory, (agentchat_str){NULL, 0}, indent);
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

    cli_put_spaces(s->out, indent);
    (void)fputc('[', s->out);
    (void)cli_put_cut(s->out, has(type) ? type : AGENTCHAT_STR("unknown item"), show_room(s, indent + 2));
    (void)fputs("]\n", s->out);
    show_detail(s, "raw", agentchat_item_get(item, AGENTCHAT_FIELD_RAW), indent + 2);
}

/* `reasoning  Two calls at once. …`, or with full all of it, below. */
static void show_reasoning(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_str text = agentchat_item_get(item, AGENTCHAT_FIELD_TEXT);
    size_t columns = show_room(s, indent + sizeof "reasoning  "), line;

    cli_put_spaces(s->out, indent);
    (void)fprintf(s->out, "%sreasoning%s", s->style.dim, s->style.off);
    if (is_true(agentchat_item_get(item, AGENTCHAT_FIELD_REDACTED)))
        (void)fputs(" (redacted)", s->out);
    if (s->full || !has(text)) {
        (void)fputc('\n', s->out);
        show_text(s, text, indent + 2);
        return;
    }
    (void)fputs("  ", s->out);
    for (line = 0; line < text.len && text.ptr[line] != '\n' && text.ptr[line] != '\r';)
        line++;
    if (line < text.len && cli_put_fitting((agentchat_str){text.ptr, line}, columns - 2) == line) {
        (void)cli_put(s->out, (agentchat_str){text.ptr, line});
        (void)fputs(" …\n", s->out);
        return;
    }
    (void)cli_put_cut(s->out, (agentchat_str){text.ptr, line}, columns);
    (void)fputc('\n', s->out);
}

static void show_details(show *s, const agentchat_item *item, unsigned indent)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);
    bool has_mime_line = kind == AGENTCHAT_ITEM_IMAGE || kind == AGENTCHAT_ITEM_AUDIO || kind == AGENTCHAT_ITEM_BINARY;

    show_detail(s, "signature", agentchat_item_get(item, AGENTCHAT_FIELD_SIGNATURE), indent + 2);
    show_detail(s, "issuer", agentchat_item_get(item, AGENTCHAT_FIELD_ISSUER), indent + 2);
    show_detail(s, "model", agentchat_item_get(item, AGENTCHAT_FIELD_MODEL_ID), indent + 2);
    if (!has_mime_line)
        show_detail(s, "mime type", agentchat_item_get(item, AGENTCHAT_FIELD_MIME_TYPE), indent + 2);
    show_detail(s, "metadata", agentchat_item_get(item, AGENTCHAT_FIELD_METADATA), indent + 2);
    for (size_t i = 0; i < agentchat_item_extra_count(item); i++)
        show_extra(s, agentchat_item_extra(item, i), indent + 2);
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
        if (is_true(agentchat_item_get(item, AGENTCHAT_FIELD_REFUSAL)))
            show_note(s, "refusal", indent);
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
        break; /* its message is shown already */
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        show_opaque(s, item, indent);
        break;
    }
    show_details(s, item, indent);
}
