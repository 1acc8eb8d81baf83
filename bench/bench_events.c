/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times events on the chats of bench_corpus: each message becomes an event.
 *
 *     bench_events FILE...
 *
 * For each format that holds events: events alone, one line after the other, and a session file with all of them.
 */
#include "ours.h"

#include <agentchat/event.h>
#include <agentchat/session.h>

typedef struct log {
    agentchat_event **events;
    size_t count;
    agentchat_bytes lines, file;
} log;

static agentchat_event **events_of(const char *path, size_t *count)
{
    agentchat_snapshot *snapshot = NULL;
    const agentchat_messages *history;
    agentchat_event **events;
    agentchat_error err;

    bench_must(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err), &err);
    history = agentchat_snapshot_history(snapshot);
    *count = agentchat_messages_count(history);
    events = malloc(*count * sizeof(agentchat_event *));
    if (events == NULL)
        exit(1);
    for (size_t i = 0; i < *count; i++)
        bench_must(agentchat_event_from_message(NULL, agentchat_messages_at(history, i), "i", &events[i], &err), &err);
    agentchat_snapshot_unref(snapshot);
    return events;
}

static void write_lines(const log *l, const char *format, agentchat_bytes *out)
{
    agentchat_error err;

    out->len = 0;
    for (size_t i = 0; i < l->count; i++) {
        bench_must(agentchat_event_write(l->events[i], format, out, NULL, &err), &err);
        bench_must(agentchat_bytes_append(out, AGENTCHAT_STR("\n"), &err), &err);
    }
}

static void read_lines(const agentchat_bytes *lines, const char *format)
{
    const char *at = lines->ptr, *end = lines->ptr + lines->len;

    while (at < end) {
        const char *line = at;
        agentchat_event *event = NULL;
        agentchat_error err;

        at = memchr(line, '\n', (size_t)(end - line));
        bench_must(agentchat_event_read(NULL, (agentchat_str){line, (size_t)(at - line)}, format, &event, NULL, &err),
                   &err);
        agentchat_event_unref(event);
        at++;
    }
}

/* A session file of the lines, which are elements of its list of events. */
static void make_file(const agentchat_bytes *lines, agentchat_bytes *file)
{
    static const char before[] = "{\"id\":\"s\",\"appName\":\"a\",\"userId\":\"u\",\"state\":{},\"events\":[";
    const char *at = lines->ptr, *end = lines->ptr + lines->len;
    agentchat_error err;

    bench_must(agentchat_bytes_append(file, (agentchat_str){before, sizeof before - 1}, &err), &err);
    while (at < end) {
        const char *line = at;

        at = memchr(line, '\n', (size_t)(end - line));
        if (line > lines->ptr)
            bench_must(agentchat_bytes_append(file, AGENTCHAT_STR(","), &err), &err);
        bench_must(agentchat_bytes_append(file, (agentchat_str){line, (size_t)(at - line)}, &err), &err);
        at++;
    }
    bench_must(agentchat_bytes_append(file, AGENTCHAT_STR("]}"), &err), &err);
}

static void read_file(const agentchat_bytes *file)
{
    agentchat_session_file *session = NULL;
    agentchat_source *source = NULL;
    agentchat_error err;

    bench_must(agentchat_source_memory(NULL, (agentchat_str){file->ptr, file->len}, &source, &err), &err);
    bench_must(agentchat_session_file_read(NULL, source, NULL, &session, NULL, &err), &err);
    agentchat_session_file_free(session);
    agentchat_source_free(source);
}

static void bench_format(const char *path, log *l, const char *format)
{
    double reads[64], writes[64], files[64];
    char program[64];
    size_t rounds;

    write_lines(l, format, &l->lines);
    l->file.len = 0;
    if (strcmp(format, "agentchat") != 0)
        make_file(&l->lines, &l->file);
    rounds = bench_rounds(l->lines.len);
    rounds = rounds > 64 ? 64 : rounds;
    for (size_t i = 0; i < rounds; i++) {
        double start = bench_now_us();

        read_lines(&l->lines, format);
        reads[i] = bench_now_us() - start;
        start = bench_now_us();
        if (l->file.len > 0)
            read_file(&l->file);
        files[i] = bench_now_us() - start;
        start = bench_now_us();
        write_lines(l, format, &l->lines);
        writes[i] = bench_now_us() - start;
    }
    (void)snprintf(program, sizeof program, "events as %s", format);
    bench_row(program, path, l->lines.len, bench_median(reads, rounds), bench_median(writes, rounds), -1);
    (void)snprintf(program, sizeof program, "session file as %s", format);
    if (l->file.len > 0)
        bench_row(program, path, l->file.len, bench_median(files, rounds), -1, -1);
}

static void bench(const char *path)
{
    static const char *const formats[] = {"agentchat", "adk", "adk-rust"};
    log l = {NULL, 0, AGENTCHAT_BYTES_INIT, AGENTCHAT_BYTES_INIT};

    l.events = events_of(path, &l.count);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        bench_format(path, &l, formats[i]);
    for (size_t i = 0; i < l.count; i++)
        agentchat_event_unref(l.events[i]);
    free(l.events);
    agentchat_bytes_clear(&l.lines);
    agentchat_bytes_clear(&l.file);
}

int main(int argc, char **argv)
{
    return bench_each(argc, argv, bench);
}
