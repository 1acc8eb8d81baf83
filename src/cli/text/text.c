/* SPDX-License-Identifier: Apache-2.0 */
/* Text: put safely, numbers, times, errors, memory. */
#include "cli/text/text.h"

#include "base/calendar.h"
#include "base/invisible.h"
#include "base/utf8.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ==== decodes UTF-8 one character at a time and decides for each how it is shown ================================= */

enum { MIN_ROW = 20 }; /* where the indentation leaves no room, lines are longer than the screen */

typedef struct range {
    uint32_t first, last;
} range;

/* One character, or one invalid byte, as it is shown. */
typedef struct glyph {
    char text[16];
    unsigned bytes;   /* of the input */
    unsigned columns; /* on the screen */
    uint32_t code_point;
} glyph;

static bool in_ranges(uint32_t code_point, const range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (code_point >= ranges[i].first && code_point <= ranges[i].last)
            return true;
    }
    return false;
}

/* Good enough to align columns; a terminal's own table may differ in rare scripts. */
static unsigned columns_of(uint32_t code_point)
{
    static const range none[] = {
        {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f}, {0x0900, 0x0902}, {0x1ab0, 0x1aff},
        {0x1dc0, 0x1dff}, {0x200c, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
    };
    static const range two[] = {
        {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
        {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
        {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
    };

    if (code_point < 0x300)
        return 1;
    if (in_ranges(code_point, none, sizeof none / sizeof none[0]))
        return 0;
    return in_ranges(code_point, two, sizeof two / sizeof two[0]) ? 2 : 1;
}

static glyph escaped(glyph g)
{
    g.columns = (unsigned)strlen(g.text);
    return g;
}

static glyph glyph_at(agentchat_str text, size_t at)
{
    const unsigned char *begin = (const unsigned char *)text.ptr, *p = begin + at, *end = begin + text.len;
    glyph g = {.bytes = 1, .code_point = UINT32_MAX};
    size_t length = aci_utf8_decode(p, end, true, &g.code_point);

    if (length == 0) {
        g.code_point = UINT32_MAX;
        (void)snprintf(g.text, sizeof g.text, "\\x%02x", *p);
        return escaped(g);
    }
    g.bytes = (unsigned)length;
    if (g.code_point == '\n' || g.code_point == '\t') {
        (void)snprintf(g.text, sizeof g.text, "%s", g.code_point == '\n' ? "\\n" : "\\t");
        return escaped(g);
    }
    if (aci_is_invisible(g.code_point) && !aci_invisible_is_joined(begin, p, end)) {
        (void)snprintf(g.text, sizeof g.text, g.code_point > 0xffff ? "\\u{%x}" : "\\u%04x", (unsigned)g.code_point);
        return escaped(g);
    }
    memcpy(g.text, p, length);
    g.columns = columns_of(g.code_point);
    return g;
}

size_t cli_put_width(agentchat_str text)
{
    size_t columns = 0;

    for (size_t at = 0; at < text.len;) {
        glyph g = glyph_at(text, at);
        columns += g.columns;
        at += g.bytes;
    }
    return columns;
}

size_t cli_put_fitting(agentchat_str text, size_t columns)
{
    size_t used = 0, at = 0;

    while (at < text.len) {
        glyph g = glyph_at(text, at);
        if (used + g.columns > columns)
            break;
        used += g.columns;
        at += g.bytes;
    }
    return at;
}

size_t cli_put(FILE *out, agentchat_str text)
{
    size_t columns = 0;

    for (size_t at = 0; at < text.len;) {
        glyph g = glyph_at(text, at);
        (void)fputs(g.text, out);
        columns += g.columns;
        at += g.bytes;
    }
    return columns;
}

size_t cli_put_cut(FILE *out, agentchat_str text, size_t columns)
{
    if (columns == 0 || cli_put_fitting(text, columns) == text.len)
        return cli_put(out, text);
    text.len = cli_put_fitting(text, columns - 1);
    size_t used = cli_put(out, text);
    (void)fputs("…", out);
    return used + 1;
}

void cli_put_spaces(FILE *out, size_t spaces)
{
    while (spaces-- > 0)
        (void)fputc(' ', out);
}

/* Tabs stay: they are harmless, and code is full of them. */
static void put_with_tabs(FILE *out, agentchat_str line)
{
    for (size_t at = 0; at < line.len;) {
        const char *tab = memchr(line.ptr + at, '\t', line.len - at);
        size_t end = tab == NULL ? line.len : (size_t)(tab - line.ptr);

        (void)cli_put(out, (agentchat_str){line.ptr + at, end - at});
        if (tab != NULL)
            (void)fputc('\t', out);
        at = end + 1;
    }
}

/* Length of the part of a line that stands on a row of so many columns: all of it, or up to and including its last
   space. */
static size_t row_of(agentchat_str line, size_t columns)
{
    size_t fitting = cli_put_fitting(line, columns), space = fitting;

    if (fitting == line.len)
        return fitting;
    if (line.ptr[fitting] == ' ')
        return fitting + 1;
    while (space > 0 && line.ptr[space - 1] != ' ')
        space--;
    return space > 0 ? space : fitting;
}

static void put_row(FILE *out, agentchat_str row)
{
    while (row.len > 0 && row.ptr[row.len - 1] == ' ')
        row.len--;
    (void)cli_put(out, row);
    (void)fputc('\n', out);
}

/* How wide a line with tabs is only the terminal knows, so it is left to break that. */
static void put_line(FILE *out, agentchat_str line, const cli_block *block)
{
    bool cut = block->max_columns != 0 && cli_put_fitting(line, block->max_columns) < line.len;
    size_t columns = block->screen > block->indent + MIN_ROW ? block->screen - block->indent : MIN_ROW;

    if (cut)
        line.len = cli_put_fitting(line, block->max_columns - 1);
    if (line.len > 0)
        cli_put_spaces(out, block->indent);
    if (block->screen != 0 && memchr(line.ptr, '\t', line.len) == NULL) {
        for (size_t row; (row = row_of(line, columns)) < line.len; line.ptr += row, line.len -= row) {
            put_row(out, (agentchat_str){line.ptr, row});
            cli_put_spaces(out, block->indent);
        }
    }
    put_with_tabs(out, line);
    (void)fprintf(out, "%s\n", cut ? "…" : "");
}

void cli_put_block(FILE *out, agentchat_str text, cli_block block)
{
    size_t lines = 0, hidden = 0;

    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        agentchat_str line = {text.ptr + at, end == NULL ? text.len - at : (size_t)(end - (text.ptr + at))};

        at += line.len + 1;
        if (block.max_lines != 0 && lines++ >= block.max_lines) {
            hidden++;
            continue;
        }
        if (line.len > 0 && line.ptr[line.len - 1] == '\r')
            line.len--; /* the other line end */
        put_line(out, line, &block);
    }
    if (hidden > 0) {
        cli_put_spaces(out, block.indent);
        (void)fprintf(out, "… %zu more line%s (--full shows all)\n", hidden, hidden == 1 ? "" : "s");
    }
}

void cli_put_count(FILE *out, size_t count, const char *one, const char *many)
{
    (void)fprintf(out, "%zu %s", count, count == 1 ? one : many);
}

/* ==== error ====================================================================================================== */

void cli_error_print(FILE *out, const char *name, agentchat_status status, const agentchat_error *err)
{
    /* Not agentchat_error_print(): that knows only the last 63 bytes of a file's name. */
    if (name != NULL) {
        (void)cli_put(out, agentchat_str_from(name[0] != '\0' ? name : "\"\""));
        (void)fputc(':', out);
    }
    if (err->line != 0)
        (void)fprintf(out, "%lu:%lu:", (unsigned long)err->line, (unsigned long)err->column);
    if (name != NULL || err->line != 0)
        (void)fputc(' ', out);
    if (err->path[0] != '\0') {
        (void)cli_put(out, agentchat_str_from(err->path));
        (void)fputs(": ", out);
    }
    (void)cli_put(out, agentchat_str_from(err->message[0] != '\0' ? err->message : agentchat_status_text(status)));
    (void)fputc('\n', out);
}

/* ==== memory ===================================================================================================== */

bool cli_memory_begin(cli_memory *memory)
{
    *memory = (cli_memory){.text = NULL};
    memory->out = open_memstream(&memory->text, &memory->len);
    return memory->out != NULL;
}

bool cli_memory_end(cli_memory *memory)
{
    bool ok = memory->out != NULL && ferror(memory->out) == 0;

    if (memory->out != NULL && fclose(memory->out) != 0)
        ok = false;
    memory->out = NULL;
    if (ok && memory->text != NULL) /* which some give up when they cannot cut the buffer to its size */
        return true;
    free(memory->text);
    memory->text = NULL;
    return false;
}

/* ==== number ===================================================================================================== */

bool cli_number_count(const char *text, uint64_t *out)
{
    char *end = NULL;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
        return false;
    *out = value;
    return true;
}

bool cli_number_integer(const char *text, int64_t *out)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    char *end = NULL;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (digits[0] < '0' || digits[0] > '9' || *end != '\0' || errno != 0)
        return false;
    *out = value;
    return true;
}

bool cli_number_span_us(const char *text, int64_t *out)
{
    static const struct {
        const char *name;
        int64_t us;
    } units[] = {{"ms", 1000},
                 {"s", 1000000},
                 {"m", 60000000},
                 {"h", INT64_C(3600000000)},
                 {"d", INT64_C(86400000000)},
                 {"w", INT64_C(604800000000)}};
    char *end = NULL;

    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(units[i].name, end) != 0)
            continue;
        if (value > INT64_MAX / units[i].us)
            return false;
        *out = value * units[i].us;
        return true;
    }
    return false;
}

bool cli_number_ms(const char *seconds, uint32_t *out)
{
    uint64_t ms = 0;
    const char *at = seconds;

    for (; *at >= '0' && *at <= '9' && ms <= UINT32_MAX; at++)
        ms = ms * 10 + (uint64_t)(*at - '0');
    if (at == seconds)
        return false;
    ms = ms <= UINT32_MAX ? ms * 1000 : ms;
    if (*at == '.') {
        uint64_t unit = 100;

        for (at++; *at >= '0' && *at <= '9'; at++, unit /= 10)
            ms += unit * (uint64_t)(*at - '0');
    }
    if (*at != '\0' || at[-1] == '.' || ms > UINT32_MAX)
        return false;
    *out = ms > 0 ? (uint32_t)ms : 1;
    return true;
}

/* ==== time ======================================================================================================= */

const char *cli_time_text(int64_t time_us, char buffer[CLI_TIME_LEN])
{
    int64_t seconds = time_us / 1000000 - (time_us % 1000000 < 0);
    char text[ACI_CALENDAR_SIZE];

    if (aci_calendar_print(seconds, text))
        (void)snprintf(buffer, CLI_TIME_LEN, "%s.%06dZ", text, (int)(time_us - seconds * 1000000));
    else
        (void)snprintf(buffer, CLI_TIME_LEN, "(no time)"); /* a damaged store can say anything */
    return buffer;
}
