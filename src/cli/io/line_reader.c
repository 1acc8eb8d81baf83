/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer doubles, and each byte is searched for a line end once, so a long line costs its length. */
#include "cli/io/line_reader.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_SIZE = 64 * 1024, LONGEST_LINE = 1 << 30 }; /* the library's limit for one input */

agentchat_status cli_line_reader_open(cli_line_reader *lines, const char *name, agentchat_error *err)
{
    *lines = (cli_line_reader){.fd = STDIN_FILENO};
    if (strcmp(name, "-") == 0)
        return AGENTCHAT_OK;
    lines->fd = open(name, O_RDONLY | O_CLOEXEC);
    if (lines->fd < 0)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "cannot open the file: %s", strerror(errno));
    return AGENTCHAT_OK;
}

void cli_line_reader_close(cli_line_reader *lines)
{
    if (lines->fd > STDIN_FILENO)
        (void)close(lines->fd);
    free(lines->buffer);
    lines->buffer = NULL;
}

/* Makes room after what has been read: moves it to the front, and grows the buffer when that is not enough. */
static agentchat_status make_room(cli_line_reader *lines, agentchat_error *err)
{
    size_t kept = lines->end - lines->start;

    if (lines->start > 0)
        memmove(lines->buffer, lines->buffer + lines->start, kept);
    lines->start = 0;
    lines->end = kept;
    if (kept < lines->cap)
        return AGENTCHAT_OK;
    if (kept > LONGEST_LINE)
        return agentchat_error_set(err, AGENTCHAT_E_LIMIT, "the line is longer than %d bytes, the limit for one event",
                                   LONGEST_LINE);
    size_t cap = lines->cap < LONGEST_LINE / 2 ? lines->cap * 2 : LONGEST_LINE;
    cap += FIRST_SIZE;
    char *bigger = realloc(lines->buffer, cap);
    if (bigger == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    lines->buffer = bigger;
    lines->cap = cap;
    return AGENTCHAT_OK;
}

static agentchat_status read_more(cli_line_reader *lines, agentchat_error *err)
{
    agentchat_status status = make_room(lines, err);
    ssize_t got;

    if (status < 0)
        return status;
    do {
        got = read(lines->fd, lines->buffer + lines->end, lines->cap - lines->end);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "cannot read the file: %s", strerror(errno));
    lines->ended = got == 0;
    lines->end += (size_t)got;
    return AGENTCHAT_OK;
}

agentchat_status cli_line_reader_next(cli_line_reader *lines, agentchat_str *line, agentchat_error *err)
{
    size_t searched = 0;

    agentchat_error_clear(err);
    for (;;) {
        size_t left = lines->end - lines->start;
        char *at = lines->buffer != NULL ? lines->buffer + lines->start : NULL;
        char *stop = left > searched ? memchr(at + searched, '\n', left - searched) : NULL;

        if (stop != NULL || (lines->ended && left > 0)) {
            *line = (agentchat_str){at, stop != NULL ? (size_t)(stop - at) : left};
            lines->start += line->len + (stop != NULL ? 1 : 0);
            lines->number++;
            return AGENTCHAT_OK;
        }
        if (lines->ended)
            return AGENTCHAT_DONE;
        searched = left;
        agentchat_status status = read_more(lines, err);
        if (status == AGENTCHAT_E_LIMIT)
            lines->number++; /* it is this line's fault */
        if (status < 0)
            return status;
    }
}
