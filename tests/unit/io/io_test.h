/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of sources and sinks share: reading to the end, a signal that does nothing. */
#ifndef IO_TEST_H
#define IO_TEST_H

#include "support/test_support.h"

#include "io/stream_impl.h"

typedef struct contents {
    char *data;
    size_t len, cap;
} contents;

static inline agentchat_status read_all(agentchat_source *source, uint64_t max_bytes, contents *out,
                                        agentchat_error *err)
{
    agentchat_error_clear(err);
    return aci_source_read_all(source, NULL, max_bytes, &out->data, &out->len, &out->cap, err);
}

/* Reads to the end, compares, checks the zero bytes after it, releases the source. */
static inline void assert_gives(agentchat_source *source, const void *expected, size_t len)
{
    agentchat_error err;
    contents got;

    assert_non_null(source);
    test_ok(read_all(source, 1 << 28, &got, &err), &err);
    assert_int_equal(got.len, len);
    assert_memory_equal(got.data, expected, len);
    assert_true(got.cap >= len + ACI_READ_PADDING);
    for (size_t i = 0; i < ACI_READ_PADDING; i++)
        assert_int_equal(got.data[len + i], 0);
    aci_free(aci_env(NULL), got.data, got.cap);
    agentchat_source_free(source);
}

/* For sigaction(): what it interrupts goes on. */
static inline void ignore_signal(int number)
{
    (void)number;
}

#endif
