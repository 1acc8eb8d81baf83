/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the semantic-kernel format share: reading text, writing text, comparing by value. */
#ifndef SK_TEST_H
#define SK_TEST_H

#include "support/test_support.h"

#include "snapshot/snapshot.h"
#include "json/value.h"
#include <stdio.h>

static inline agentchat_status sk_try_read(agentchat_str text, agentchat_snapshot **out, agentchat_report **report,
                                           agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;

    options.format = "semantic-kernel";
    return agentchat_snapshot_read_memory(NULL, text, &options, out, report, err);
}

static inline agentchat_snapshot *sk_read_view(agentchat_str text)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(sk_try_read(text, &snapshot, NULL, &err), &err);
    return snapshot;
}

static inline agentchat_snapshot *sk_read(const char *text)
{
    return sk_read_view(agentchat_str_from(text));
}

/* The text that a snapshot is written as; free with agentchat_bytes_clear(). report may be NULL. */
static inline agentchat_bytes sk_write(const agentchat_snapshot *snapshot, bool strict, agentchat_report **report)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    options.format = "semantic-kernel";
    options.strict = strict;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, report, &err), &err);
    return bytes;
}

static inline agentchat_bytes sk_canonical(agentchat_str json)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_str span;
    agentchat_error err;
    aci_buf buf;

    aci_buf_init(&buf, aci_env(NULL), SIZE_MAX);
    agentchat_error_clear(&err);
    test_ok(aci_json_check(NULL, json, 10000, &span, NULL, &err), &err);
    test_ok(aci_json_canonical(span, &buf, aci_env(NULL), &err), &err);
    test_ok(aci_buf_append_bytes(&out, NULL, aci_buf_str(&buf), &err), &err);
    aci_buf_clear(&buf);
    return out;
}

/* Whether two documents are equal by value. */
static inline bool sk_equal(agentchat_str a, agentchat_str b)
{
    agentchat_bytes left = sk_canonical(a), right = sk_canonical(b);
    bool equal = left.len == right.len && memcmp(left.ptr, right.ptr, left.len) == 0;

    if (!equal)
        print_message("left:  %.2000s\nright: %.2000s\n", left.ptr, right.ptr);
    agentchat_bytes_clear(&left);
    agentchat_bytes_clear(&right);
    return equal;
}

static inline void sk_assert_equal(agentchat_bytes bytes, const char *json)
{
    assert_true(sk_equal((agentchat_str){bytes.ptr, bytes.len}, agentchat_str_from(json)));
}

/* The history as a bare array of messages, as .NET spells messages of their own. */
static inline agentchat_bytes sk_history_text(const agentchat_snapshot *snapshot)
{
    const agentchat_env *env = aci_env(NULL);
    agentchat_snapshot *bare = aci_snapshot_new(env, aci_arena_new(env, 0));
    agentchat_bytes bytes;

    assert_non_null(bare);
    bare->form = AGENTCHAT_STR("{\"from\":\"semantic-kernel\",\"value\":\"bare history\"}");
    aci_list_copy(&bare->history, &snapshot->history);
    bytes = sk_write(bare, true, NULL);
    agentchat_snapshot_unref(bare);
    return bytes;
}

/* Whether a text, which need not end with a NUL, holds another one. */
static inline bool sk_has(agentchat_str text, const char *part)
{
    size_t len = strlen(part);

    for (size_t i = 0; i + len <= text.len; i++)
        if (memcmp(text.ptr + i, part, len) == 0)
            return true;
    return false;
}

/* Number of entries of a kind at a path; path NULL: anywhere. */
static inline size_t sk_entries(const agentchat_report *report, agentchat_report_kind kind, const char *path)
{
    size_t found = 0;

    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        found +=
            entry->kind == kind &&
            (path == NULL || (entry->path.len == strlen(path) && memcmp(entry->path.ptr, path, entry->path.len) == 0));
    }
    return found;
}

static inline void sk_print_report(const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        print_message("%s " AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n", agentchat_report_kind_name(entry->kind),
                      AGENTCHAT_STR_ARG(entry->path), AGENTCHAT_STR_ARG(entry->text));
    }
}

/* A document around one message, without participants and channels. */
#define SK_DOC(messages) "{\"Participants\":[],\"History\":[" messages "],\"Channels\":[]}"
#define SK_ITEM(item) SK_DOC("{\"AuthorName\":null,\"Role\":{\"Label\":\"user\"},\"Items\":[" item "]}")

#endif
