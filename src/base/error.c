/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error records: filling, shortening and printing.
 *
 * Nothing here allocates. Every text in a record is NUL-terminated and cut between characters, never inside one.
 */
#include "base/error.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"
#define ELLIPSIS_LEN 3
#define ESCAPE_ROOM 11 /* "\U0010ffff" and a NUL */

void agentchat_error_clear(agentchat_error *err)
{
    /* Each call resets a record: the texts are emptied, not filled with zeros. */
    if (err != NULL) {
        err->struct_size = sizeof *err;
        err->code = 0;
        err->offset = AGENTCHAT_NO_OFFSET;
        err->line = 0;
        err->column = 0;
        err->native = 0;
        err->sqlstate[0] = '\0';
        err->path[0] = '\0';
        err->source[0] = '\0';
        err->message[0] = '\0';
    }
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0u) == 0x80u;
}

/* Where to cut a text that goes on after `end` bytes, so that no character is cut in two. */
static size_t cut(const char *text, size_t end)
{
    size_t start = end;

    while (start > 0 && is_continuation(text[start - 1]))
        start--;
    if (start > 0)
        start--; /* the byte that begins the last character */
    return aci_utf8_char((const unsigned char *)text + start, (const unsigned char *)text + end, true) == 0 ? start
                                                                                                            : end;
}

/* Formats into a field of `room` bytes; what does not fit is cut off between two characters. */
AGENTCHAT_PRINTF(3, 0)
static void format_field(char *field, size_t room, const char *format, va_list arguments)
{
    int needed = format != NULL ? vsnprintf(field, room, format, arguments) : -1;

    if (needed < 0)
        field[0] = '\0';
    else if ((size_t)needed >= room)
        field[cut(field, room - 1)] = '\0';
}

agentchat_status agentchat_error_set(agentchat_error *err, agentchat_status status, const char *format, ...)
{
    if (err != NULL) {
        /* The arguments may point into the record itself ("cannot do this: %s", err->message). */
        char message[sizeof err->message];
        va_list arguments;

        va_start(arguments, format);
        format_field(message, sizeof message, format, arguments);
        va_end(arguments);
        agentchat_error_clear(err);
        err->code = status;
        memcpy(err->message, message, strlen(message) + 1);
    }
    return status;
}

agentchat_status agentchat_error_set_text(agentchat_error *err, agentchat_status status, agentchat_str message)
{
    if (err != NULL) {
        char copy[sizeof err->message] = {0}; /* the message may lie in the record */
        size_t len = message.len < sizeof copy ? message.len : cut(message.ptr, sizeof copy - 1);

        for (size_t i = 0; i < len; i++)
            copy[i] = message.ptr[i] != '\0' ? message.ptr[i] : '?';
        agentchat_error_clear(err);
        err->code = status;
        memcpy(err->message, copy, len);
        err->message[len] = '\0';
    }
    return status;
}

agentchat_status aci_fail(agentchat_error *err, agentchat_status status, const char *format, ...)
{
    if (err != NULL && err->code == 0) {
        va_list arguments;

        err->code = status;
        va_start(arguments, format);
        format_field(err->message, sizeof err->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

agentchat_status aci_fail_nomem(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_NOMEM, "out of memory");
}

agentchat_status aci_fail_null(agentchat_error *err, const char *parameter)
{
    return aci_fail(err, AGENTCHAT_E_INVALID, "%s must not be NULL", parameter);
}

agentchat_status aci_fail_errno(agentchat_error *err, agentchat_status status, int error_number, const char *what)
{
    /* The host may have set a locale; messages are English all the same. */
    locale_t english = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *reason = english != (locale_t)0 ? strerror_l(error_number, english) : NULL;

    if (err != NULL && err->code == 0) {
        err->native = error_number;
        if (reason != NULL)
            aci_fail(err, status, "%s: %s", what, reason);
        else
            aci_fail(err, status, "%s: system error %d", what, error_number);
    }
    if (english != (locale_t)0)
        freelocale(english);
    return status;
}

void aci_error_at(agentchat_error *err, uint64_t offset, uint32_t line, uint32_t column)
{
    if (err != NULL) {
        err->offset = offset;
        err->line = line;
        err->column = column;
    }
}

void aci_error_at_offset(agentchat_error *err, agentchat_str document, uint64_t offset)
{
    const char *line_start = document.ptr, *where, *p;
    uint32_t line = 1;

    if (document.len == 0 || offset > document.len) {
        aci_error_at(err, offset, 0, 0);
        return;
    }
    where = document.ptr + offset;
    while ((p = memchr(line_start, '\n', (size_t)(where - line_start))) != NULL) {
        line_start = p + 1;
        line++;
    }
    if ((uint64_t)(where - line_start) >= UINT32_MAX)
        aci_error_at(err, offset, 0, 0);
    else
        aci_error_at(err, offset, line, (uint32_t)(where - line_start) + 1);
}

/* Stores head and tail, one after the other, in a field; when they do not fit, "…" and the end of them. */
static void store_tail(char *field, size_t room, agentchat_str head, agentchat_str tail)
{
    size_t space = room - 1, skip = 0, at = 0;

    if (head.len > space || tail.len > space - head.len) {
        /* head.len + tail.len cannot wrap: both are sizes of objects that exist side by side */
        skip = head.len + tail.len - (space - ELLIPSIS_LEN);
        while (skip < head.len + tail.len &&
               is_continuation(skip < head.len ? head.ptr[skip] : tail.ptr[skip - head.len]))
            skip++;
        memcpy(field, ELLIPSIS, ELLIPSIS_LEN);
        at = ELLIPSIS_LEN;
    }
    for (size_t i = skip; i < head.len + tail.len; i++) {
        char byte = i < head.len ? head.ptr[i] : tail.ptr[i - head.len];

        field[at++] = byte != '\0' ? byte : '?'; /* a NUL in a key would end the text */
    }
    field[at] = '\0';
}

void aci_error_path(agentchat_error *err, agentchat_str pointer)
{
    if (err != NULL)
        store_tail(err->path, sizeof err->path, pointer, (agentchat_str){"", 0});
}

void aci_error_path_prepend(agentchat_error *err, agentchat_str pointer)
{
    if (err != NULL && strncmp(err->path, ELLIPSIS, ELLIPSIS_LEN) != 0) {
        char old[sizeof err->path];
        size_t len = strlen(err->path);

        memcpy(old, err->path, len);
        store_tail(err->path, sizeof err->path, pointer, (agentchat_str){old, len});
    }
}

void aci_error_prefix(agentchat_error *err, const char *format, ...)
{
    char prefix[sizeof err->message], rest[sizeof err->message];
    agentchat_status status;
    va_list arguments;

    if (err == NULL)
        return;
    va_start(arguments, format);
    format_field(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    memcpy(rest, err->message, sizeof rest);
    status = (agentchat_status)err->code;
    err->code = 0; /* all but the message stays */
    (void)aci_fail(err, status, "%s: %s", prefix, rest);
}

void aci_error_source(agentchat_error *err, const char *name)
{
    if (err != NULL && name != NULL && err->source[0] == '\0')
        store_tail(err->source, sizeof err->source, agentchat_str_from(name), (agentchat_str){"", 0});
}

/* The visible form of the character (or wrong byte) at p. Returns the number of bytes it stands for. */
static size_t visible(const unsigned char *begin, const unsigned char *p, const unsigned char *end,
                      char out[ESCAPE_ROOM])
{
    uint32_t code_point = 0;
    size_t len = aci_utf8_decode(p, end, true, &code_point);

    if (len == 0) {
        snprintf(out, ESCAPE_ROOM, "\\x%02x", (unsigned)*p);
        return 1;
    }
    if (!aci_is_invisible(code_point) || aci_invisible_is_joined(begin, p, end)) {
        memcpy(out, p, len);
        out[len] = '\0';
    } else if (code_point <= 0xFFFFu) {
        snprintf(out, ESCAPE_ROOM, "\\u%04" PRIx32, code_point);
    } else {
        snprintf(out, ESCAPE_ROOM, "\\U%08" PRIx32, code_point);
    }
    return len;
}

const char *aci_error_excerpt(agentchat_str text, aci_excerpt *buffer)
{
    const unsigned char *p = (const unsigned char *)text.ptr;
    const unsigned char *end = text.len != 0 ? p + text.len : p;
    size_t at = 0;

    for (int characters = 0; p < end; characters++) {
        char shown[ESCAPE_ROOM];
        size_t taken = visible((const unsigned char *)text.ptr, p, end, shown), len = strlen(shown);

        /* Room for "…" is kept until the text has ended. */
        if (characters == 40 || at + len + (p + taken < end ? ELLIPSIS_LEN : 0) >= sizeof buffer->text) {
            memcpy(buffer->text + at, ELLIPSIS, ELLIPSIS_LEN);
            at += ELLIPSIS_LEN;
            break;
        }
        memcpy(buffer->text + at, shown, len);
        at += len;
        p += taken;
    }
    buffer->text[at] = '\0';
    return buffer->text;
}

/* Where a line goes: a stream, or a buffer, which is NUL-terminated after each piece and takes no more once a piece did
   not fit. */
typedef struct line {
    FILE *stream; /* NULL: the buffer */
    char *buffer;
    size_t size;
    size_t len; /* of the complete line so far */
} line;

static void put(line *out, const char *piece)
{
    size_t len = strlen(piece);

    if (out->stream != NULL)
        fputs(piece, out->stream);
    else if (out->len < out->size && len < out->size - out->len)
        memcpy(out->buffer + out->len, piece, len + 1);
    else
        out->size = 0;
    out->len += len;
}

static void put_visible(line *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    const unsigned char *end = p + strlen(text);

    while (p < end) {
        char shown[ESCAPE_ROOM];

        p += visible((const unsigned char *)text, p, end, shown);
        put(out, shown);
    }
}

static void put_error(line *out, const agentchat_error *err)
{
    char number[12]; /* ":4294967295" */

    if (err->source[0] != '\0')
        put_visible(out, err->source);
    if (err->line != 0) {
        snprintf(number, sizeof number, "%s%" PRIu32, err->source[0] != '\0' ? ":" : "", err->line);
        put(out, number);
    }
    if (err->line != 0 && err->column != 0) {
        snprintf(number, sizeof number, ":%" PRIu32, err->column);
        put(out, number);
    }
    if (err->source[0] != '\0' || err->line != 0)
        put(out, ": ");
    if (err->path[0] != '\0') {
        put_visible(out, err->path);
        put(out, ": ");
    }
    if (err->message[0] != '\0')
        put_visible(out, err->message);
    else
        put(out, agentchat_status_text((agentchat_status)err->code));
}

size_t agentchat_error_format(const agentchat_error *err, char *buffer, size_t size)
{
    line out = {.buffer = buffer, .size = buffer != NULL ? size : 0};

    put(&out, "");
    if (err != NULL)
        put_error(&out, err);
    return out.len;
}

void agentchat_error_print(const agentchat_error *err, FILE *stream)
{
    line out = {.stream = stream};

    if (err == NULL || stream == NULL)
        return;
    put_error(&out, err);
    put(&out, "\n");
}
