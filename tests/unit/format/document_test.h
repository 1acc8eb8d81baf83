/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of format 1 share: files of the tests, reading and writing text. */
#ifndef DOCUMENT_TEST_H
#define DOCUMENT_TEST_H

#include "support/test_support.h"

/* A name of a file below the directory of the tests; to be freed with free(). */
static inline char *data_path(const char *name)
{
    return test_path(test_data_dir(), name);
}

static inline agentchat_status try_read(const char *text, agentchat_snapshot **out, agentchat_error *err)
{
    return agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, out, NULL, err);
}

/* Text that must be right. */
static inline agentchat_snapshot *read_text(const char *text)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(try_read(text, &snapshot, &err), &err);
    return snapshot;
}

/* To be freed with free(). The report must be empty. */
static inline char *write_text(const agentchat_snapshot *snapshot, const char *format)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;
    agentchat_error err;
    char *text;

    options.format = format;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, &report, &err), &err);
    assert_int_equal(agentchat_report_count(report), 0);
    agentchat_report_free(report);
    assert_int_equal(strlen(bytes.ptr), bytes.len);
    text = strdup(bytes.ptr);
    assert_non_null(text);
    agentchat_bytes_clear(&bytes);
    return text;
}

static inline agentchat_snapshot *finish(agentchat_snapshot_builder *builder)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}

static inline void assert_same(const agentchat_snapshot *snapshot, const char *text)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_snapshot *back = read_text(text);
    agentchat_error err;

    for (int all = 0; all < 2; all++) {
        test_ok(agentchat_snapshot_digest(snapshot, all != 0, left, &err), &err);
        test_ok(agentchat_snapshot_digest(back, all != 0, right, &err), &err);
        assert_string_equal(left, right);
    }
    agentchat_snapshot_unref(back);
}

#endif
