/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of events share: reading, writing and comparing in few words. */
#ifndef EVENT_TEST_H
#define EVENT_TEST_H

#include "support/test_support.h"

#include <agentchat/event.h>
#include <agentchat/state.h>
#include <stdio.h>

/* Reads an event that must be right. */
static inline agentchat_event *event_of(const char *text, const char *format)
{
    agentchat_event *event;
    agentchat_error err;

    test_ok(agentchat_event_read(NULL, agentchat_str_from(text), format, &event, NULL, &err), &err);
    return event;
}

/* The native format, to be freed with free(). */
static inline char *text_of(const agentchat_event *event, const char *format)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    char *copy;

    test_ok(agentchat_event_write(event, format, &out, NULL, &err), &err);
    assert_null(strchr(out.ptr, '\n'));
    copy = strdup(out.ptr);
    agentchat_bytes_clear(&out);
    return copy;
}

/* Asserts that an event's text is as given, and gives the event back. */
static inline void assert_text(const agentchat_event *event, const char *format, const char *expected)
{
    char *text = text_of(event, format);

    assert_string_equal(text, expected);
    free(text);
}

/* The entries of a report, one a line: "loss /path: message". To be freed with free(). */
static inline char *entries_of(const agentchat_report *report)
{
    char *text = calloc(1, 1);
    size_t len = 0;

    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);
        size_t more = strlen(agentchat_report_kind_name(entry->kind)) + entry->path.len + entry->text.len + 5;

        text = realloc(text, len + more);
        len += (size_t)sprintf(text + len, "%s " AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n",
                               agentchat_report_kind_name(entry->kind), AGENTCHAT_STR_ARG(entry->path),
                               AGENTCHAT_STR_ARG(entry->text));
    }
    return text;
}

/* `levels` arrays inside each other, put between two texts. To be freed with free(). */
static inline char *nested(const char *before, size_t levels, const char *after)
{
    size_t head = strlen(before), tail = strlen(after);
    char *text = malloc(head + 2 * levels + tail + 1);

    memcpy(text, before, head);
    memset(text + head, '[', levels);
    memset(text + head + levels, ']', levels);
    memcpy(text + head + 2 * levels, after, tail + 1);
    return text;
}

/* For scenarios in which memory runs out: reads an event, writes it in a format, and drops both. */
static inline agentchat_status read_and_write(const agentchat_env *env, const char *text, const char *read_as,
                                              const char *write_as, agentchat_error *err)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_event *event;
    agentchat_report *report;
    agentchat_status status = agentchat_event_read(env, agentchat_str_from(text), read_as, &event, &report, err);

    agentchat_report_free(report);
    assert_int_equal(event != NULL, status == AGENTCHAT_OK);
    if (status == AGENTCHAT_OK) {
        status = agentchat_event_write(event, write_as, &out, &report, err);
        agentchat_report_free(report);
        assert_int_equal(out.ptr != NULL, status == AGENTCHAT_OK);
    }
    agentchat_bytes_clear(&out);
    agentchat_event_unref(event);
    return status;
}

/* A text without the « that marks where an error is expected in it, which is at *at. To be freed with free(). */
static inline char *unmarked(const char *marked, size_t *len, size_t *at)
{
    const char *mark = strstr(marked, "«");
    size_t before = (size_t)(mark - marked), after = strlen(mark + strlen("«"));
    char *text = malloc(before + after + 1);

    memcpy(text, marked, before);
    memcpy(text + before, mark + strlen("«"), after);
    *len = before + after;
    *at = before;
    return text;
}

/* Asserts the error of such a text. */
static inline void assert_marked(const char *marked, agentchat_status status, const agentchat_error *err,
                                 agentchat_status expected, size_t at, const char *path, const char *message)
{
    if (status != expected || err->code != status || err->offset != at || strcmp(err->path, path) != 0 ||
        strstr(err->message, message) == NULL)
        fail_msg("%s: %s at %llu, %s: %s", marked, agentchat_status_name((agentchat_status)err->code),
                 (unsigned long long)err->offset, err->path, err->message);
}

/* Asserts an error with its location. */
static inline void assert_error(const agentchat_error *err, agentchat_status status, uint64_t offset, const char *path)
{
    assert_int_equal(err->code, status);
    assert_string_equal(err->path, path);
    assert_int_equal(err->offset, offset);
    assert_true(err->message[0] != '\0');
}

#endif
