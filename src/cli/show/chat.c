/* SPDX-License-Identifier: Apache-2.0 */
/* Showing chats and messages. */
#include "cli/json/json.h"

#include "cli/show/show.h"
#include "cli/text/text.h"
#include <stdlib.h>
#include <string.h>

/* ==== line ======================================================================================================= */

enum {
    ID_COLUMN = 64, /* where the id of a call stands, if the line is not longer */
    MIN_ROOM = 8,   /* for what stands on a line, however narrow the terminal is */
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t show_room(const show *s, size_t used)
{
    size_t room = s->columns > used + MIN_ROOM ? s->columns - used : MIN_ROOM;

    return s->full ? 0 : s->columns == 0 ? SHOW_MAX_COLUMNS : smaller(room, SHOW_MAX_COLUMNS);
}

static size_t id_cut(const show *s)
{
    return s->full ? 0 : s->columns == 0 ? SHOW_MAX_COLUMNS : s->columns / 3;
}

static size_t id_width(const show *s, agentchat_str id)
{
    size_t width = cli_put_width(id);

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

void show_line(show *s, cli_memory *text, agentchat_str id, unsigned indent)
{
    if (!cli_memory_end(text)) {
        s->failed = true;
        return;
    }
    cli_put_spaces(s->out, indent);
    size_t used = indent + cli_put_cut(s->out, (agentchat_str){text->text, text->len}, cut_before(s, indent, id));
    free(text->text);
    if (has(id)) {
        size_t id_at = id_column(s, id);

        cli_put_spaces(s->out, used + 2 < id_at ? id_at - used : 2);
        (void)fputs(s->style.dim, s->out);
        (void)cli_put_cut(s->out, id, id_cut(s));
        (void)fputs(s->style.off, s->out);
    }
    (void)fputc('\n', s->out);
}

/* A line of the tool's own. */
static void show_note(show *s, const char *text, unsigned indent)
{
    cli_put_spaces(s->out, indent);
    (void)fprintf(s->out, "%s%s%s\n", s->style.dim, text, s->style.off);
}

void show_detail(show *s, const char *name, agentchat_str value, unsigned indent)
{
    if (!s->full || value.ptr == NULL)
        return;
    cli_put_spaces(s->out, indent);
    (void)fprintf(s->out, "%s%s: ", s->style.dim, name);
    (void)cli_put(s->out, agentchat_str_is_null(value) ? AGENTCHAT_STR("null") : value);
    (void)fprintf(s->out, "%s\n", s->style.off);
}

void show_extra(show *s, const agentchat_extra *extra, unsigned indent)
{
    if (!s->full)
        return;
    cli_put_spaces(s->out, indent);
    (void)fputs(s->style.dim, s->out);
    (void)cli_put(s->out, extra->name);
    (void)fputs(": ", s->out);
    (void)cli_put(s->out, agentchat_str_is_null(extra->value) ? AGENTCHAT_STR("null") : extra->value);
    (void)fprintf(s->out, "%s\n", s->style.off);
}

/* ==== call ======================================================================================================= */

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

static void show_call(show *s, const agentchat_item *item, unsigned indent)
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

static void show_result_put(FILE *out, const agentchat_item *item)
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

/* ==== brief ====================================================================================================== */

static void put(FILE *out, agentchat_str text)
{
    if (text.len > 0)
        (void)fwrite(text.ptr, 1, text.len, out);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The first line that has anything on it, and that there is more. */
static void put_first_line(FILE *out, agentchat_str text)
{
    size_t start = 0, end;

    while (start < text.len && is_space(text.ptr[start]))
        start++;
    for (end = start; end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r';)
        end++;
    if (end > start)
        put(out, (agentchat_str){text.ptr + start, end - start});
    while (end < text.len && is_space(text.ptr[end]))
        end++;
    if (end < text.len)
        (void)fputs(" …", out);
}

static const char *name_of(agentchat_item_kind kind)
{
    switch (kind) {
    case AGENTCHAT_ITEM_IMAGE:
        return "[image]";
    case AGENTCHAT_ITEM_AUDIO:
        return "[audio]";
    case AGENTCHAT_ITEM_BINARY:
        return "[binary]";
    case AGENTCHAT_ITEM_ANNOTATION:
        return "[annotation]";
    case AGENTCHAT_ITEM_FILE:
        return "[file]";
    case AGENTCHAT_ITEM_REASONING:
        return "[reasoning]";
    case AGENTCHAT_ITEM_ACTION:
        return "[action]";
    case AGENTCHAT_ITEM_MESSAGE:
        return "[message]";
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_RESULT:
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return "[unknown item]";
}

static void brief_put_item(FILE *out, const agentchat_item *item)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    if (kind == AGENTCHAT_ITEM_TEXT)
        put_first_line(out, agentchat_item_get(item, AGENTCHAT_FIELD_TEXT));
    else if (kind == AGENTCHAT_ITEM_CALL)
        show_call_put(out, item);
    else if (kind == AGENTCHAT_ITEM_RESULT)
        show_result_put(out, item);
    else
        (void)fputs(name_of(kind), out);
}

/* The first text that is not empty, or else the first item that is no text; NULL: there is nothing to show. */
static const agentchat_item *item_of(const agentchat_message *message)
{
    const agentchat_item *other = NULL;

    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);

        if (agentchat_item_get_kind(item) != AGENTCHAT_ITEM_TEXT)
            other = other != NULL ? other : item;
        else if (agentchat_item_get(item, AGENTCHAT_FIELD_TEXT).len > 0)
            return item;
    }
    return other;
}

void show_brief(FILE *out, const agentchat_message *message)
{
    agentchat_str role = agentchat_message_role(message), name = agentchat_message_name(message);
    const agentchat_item *item = item_of(message);

    put(out, has(role) ? role : AGENTCHAT_STR("(no role)"));
    if (has(name)) {
        (void)fputc(' ', out);
        put(out, name);
    }
    if (item != NULL) {
        (void)fputs(": ", out);
        brief_put_item(out, item);
    }
}

/* ==== one item as a person reads it: text as it is, everything else as one line ================================== */

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

/* Shows one item, indented, without what is nested in it. */
static void show_item(show *s, const agentchat_item *item, unsigned indent)
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

/* ==== shows a list of messages =================================================================================== */

/* A function's result usually stands in a message of its own, after several calls; a reader wants it below its
   call. So a message that holds nothing but results shown above is left out. */

static bool is_call_or_result(const agentchat_item *item)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    return kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT;
}

static bool is_below_its_call(const show *s, const agentchat_call *call)
{
    return call != NULL && !s->full && agentchat_item_get_kind(call->item) == AGENTCHAT_ITEM_RESULT &&
           call->partner != AGENTCHAT_NO_PARTNER && call->partner >= s->first_call;
}

/* Whether a message has items, and all of them are results that were shown below their calls. */
static bool is_shown_already(const show *s, const agentchat_message *message)
{
    size_t count = agentchat_message_item_count(message), call = s->next_call;

    for (size_t i = 0; i < count; i++) {
        if (!is_call_or_result(agentchat_message_item(message, i)) ||
            !is_below_its_call(s, agentchat_calls_at(s->calls, call++)))
            return false;
    }
    return count > 0;
}

/* An item: a message in it goes before what the item says besides, a content after it. */
static void message_put_item(show *s, const agentchat_item *item, unsigned indent)
{
    if (agentchat_item_get_kind(item) == AGENTCHAT_ITEM_MESSAGE) {
        cli_put_spaces(s->out, indent);
        (void)fputs("message\n", s->out);
        show_message(s, agentchat_item_message(item), indent + 2, false);
    }
    show_item(s, item, indent);
    for (size_t i = 0; i < agentchat_item_content_count(item); i++)
        message_put_item(s, agentchat_item_content(item, i), indent + 2);
}

/* What belongs to a call or a result that was shown-> */
static void put_partner(show *s, const agentchat_call *shown, unsigned indent)
{
    bool is_call = agentchat_item_get_kind(shown->item) == AGENTCHAT_ITEM_CALL;

    if (shown->partner == AGENTCHAT_NO_PARTNER && is_call) {
        if (!has(agentchat_item_get(shown->item, AGENTCHAT_FIELD_EXCEPTION)))
            show_note(s, "no result", indent + 2);
    } else if (shown->partner == AGENTCHAT_NO_PARTNER) {
        if (s->is_complete)
            show_note(s, "no call", indent + 2);
    } else if (is_call && !s->full) {
        message_put_item(s, agentchat_calls_at(s->calls, shown->partner)->item, indent);
    }
}

void show_time(const show *s, agentchat_str time)
{
    static const char shape[] = "0000-00-00T00:00";
    size_t zone = sizeof shape - 1;
    bool fits = !s->full && time.len >= zone;

    for (size_t i = 0; fits && i < zone; i++)
        fits = shape[i] == '0' ? time.ptr[i] >= '0' && time.ptr[i] <= '9' : time.ptr[i] == shape[i];
    if (!fits) {
        (void)cli_put(s->out, time);
        return;
    }
    (void)fprintf(s->out, "%.10s %.5s", time.ptr, time.ptr + 11);
    while (zone < time.len && time.ptr[zone] != '+' && time.ptr[zone] != '-')
        zone++; /* seconds and Z */
    if (zone < time.len) {
        (void)fputc(' ', s->out);
        (void)cli_put(s->out, (agentchat_str){time.ptr + zone, time.len - zone});
    }
}

static void put_header(show *s, const agentchat_message *message, unsigned indent)
{
    agentchat_str role = agentchat_message_role(message), name = agentchat_message_name(message);
    agentchat_str time = agentchat_message_get(message, AGENTCHAT_FIELD_TIME);
    agentchat_str model = agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID);

    cli_put_spaces(s->out, indent);
    (void)fputs(s->style.bold, s->out);
    (void)cli_put(s->out, has(role) ? role : AGENTCHAT_STR("(no role)"));
    if (has(name)) {
        (void)fputs("  ", s->out);
        (void)cli_put(s->out, name);
    }
    (void)fputs(s->style.off, s->out);
    if (has(time)) {
        (void)fputs(" · ", s->out);
        show_time(s, time);
    }
    if (has(model)) {
        (void)fputs(" · ", s->out);
        (void)cli_put(s->out, model);
    }
    (void)fputc('\n', s->out);
}

void show_body(show *s, const agentchat_message *message, unsigned indent, bool linked)
{
    show_detail(s, "id", agentchat_message_get(message, AGENTCHAT_FIELD_ID), indent);
    show_detail(s, "mime type", agentchat_message_get(message, AGENTCHAT_FIELD_MIME_TYPE), indent);
    show_detail(s, "metadata", agentchat_message_get(message, AGENTCHAT_FIELD_METADATA), indent);
    for (size_t i = 0; i < agentchat_message_extra_count(message); i++)
        show_extra(s, agentchat_message_extra(message, i), indent);
    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        const agentchat_call *call = NULL;

        if (linked && is_call_or_result(item))
            call = agentchat_calls_at(s->calls, s->next_call++);
        if (is_below_its_call(s, call))
            continue;
        message_put_item(s, item, indent);
        if (call != NULL)
            put_partner(s, call, indent);
    }
}

void show_message(show *s, const agentchat_message *message, unsigned indent, bool linked)
{
    put_header(s, message, indent);
    show_body(s, message, indent + 2, linked);
}

bool show_begin(show *s, const cli_pager *pager, bool full, const agentchat_messages *messages, size_t first,
                bool is_complete)
{
    *s = (show){
        .out = pager->out, .style = pager->style, .columns = pager->columns, .full = full, .is_complete = is_complete};
    if (agentchat_calls_find(NULL, messages, &s->calls, NULL) < 0)
        return false;
    while (s->first_call < agentchat_calls_count(s->calls) &&
           agentchat_calls_at(s->calls, s->first_call)->message < first)
        s->first_call++;
    s->next_call = s->first_call;
    return true;
}

void show_end(show *s)
{
    agentchat_calls_free(s->calls);
    s->calls = NULL;
}

/* before: so many messages stand before the list, in the chat that it is of. */
static bool show_list(const cli_pager *pager, const agentchat_messages *messages, size_t first, uint64_t before,
                      bool full)
{
    size_t count = agentchat_messages_count(messages);
    show s = {.out = pager->out};
    bool ok = show_begin(&s, pager, full, messages, first, before == 0);

    for (size_t i = first; ok && i < count && !ferror(s.out); i++) { /* nobody reads on after an error */
        const agentchat_message *message = agentchat_messages_at(messages, i);

        if (is_shown_already(&s, message)) {
            s.next_call += agentchat_message_item_count(message);
        } else {
            (void)fprintf(s.out, "%s#%llu%s ", s.style.dim, (unsigned long long)before + i, s.style.off);
            show_message(&s, message, 0, true);
        }
    }
    show_end(&s);
    return ok && !s.failed;
}

bool show_messages(const cli_pager *pager, const agentchat_messages *messages, size_t first, bool full)
{
    return show_list(pager, messages, first, 0, full);
}

bool show_message_tail(const cli_pager *pager, const agentchat_messages *messages, uint64_t before, bool full)
{
    return show_list(pager, messages, 0, before, full);
}

/* ==== chat ======================================================================================================= */

bool show_chat_history(const cli_pager *pager, const agentchat_messages *messages, uint64_t last, bool full)
{
    size_t count = agentchat_messages_count(messages);

    return show_messages(pager, messages, count > last ? count - (size_t)last : 0, full);
}

bool show_chat_channel(const cli_pager *pager, const agentchat_channel_state *channel, uint64_t last, bool full)
{
    switch (agentchat_channel_state_kind(channel)) {
    case AGENTCHAT_CHANNEL_MESSAGES:
        return show_chat_history(pager, agentchat_channel_state_messages(channel), last, full);
    case AGENTCHAT_CHANNEL_CHAT:
        return show_chat_history(pager, agentchat_snapshot_history(agentchat_channel_state_chat(channel)), last, full);
    case AGENTCHAT_CHANNEL_TEXT:
        cli_put_block(pager->out, agentchat_channel_state_data(channel), (cli_block){.screen = pager->columns});
        return true;
    case AGENTCHAT_CHANNEL_BYTES:
    case AGENTCHAT_CHANNEL_MAX_:
        break;
    }
    cli_put_count(pager->out, agentchat_channel_state_data(channel).len, "byte\n", "bytes\n");
    return true;
}
