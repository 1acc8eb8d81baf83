/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/line.h"
#include "cli/text/put.h"
#include <stdlib.h>

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

void show_note(show *s, const char *text, unsigned indent)
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
