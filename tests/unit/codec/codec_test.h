/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of format 1 share: files of the tests, reading text. */
#ifndef CODEC_TEST_H
#define CODEC_TEST_H

#include "support/test_support.h"

/* A name of a file below the directory of the tests; to be freed with free(). */
static inline char *data_path(const char *name)
{
    return test_path(test_data_dir(), name);
}

static inline agentchat_status try_read(const char *text, agentchat_snapshot **out, agentchat_error *err)
{
    return agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, out, err);
}

/* Text that must be right. */
static inline agentchat_snapshot *read_text(const char *text)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(try_read(text, &snapshot, &err), &err);
    return snapshot;
}

#endif
