/* SPDX-License-Identifier: Apache-2.0 */
/* Custom sources and sinks: in small pieces, and failing on purpose. */
#include "support/test_support.h"

#include <agentchat/stream.h>

typedef struct pieces {
    const char *bytes;
    size_t len, at;
    size_t chunk;    /* 0: random */
    size_t good;     /* bytes before the failure; SIZE_MAX: none */
    uint32_t random; /* state of a small generator, so that every run is the same */
} pieces;

static agentchat_status pieces_read(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    pieces *p = self;
    size_t end = p->good < p->len ? p->good : p->len;
    size_t step = p->chunk;

    *out_len = 0;
    if (p->at >= p->good)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "the test's source fails after %zu bytes", p->good);
    if (p->at == p->len)
        return AGENTCHAT_DONE;
    if (step == 0) {
        p->random = p->random * 1664525u + 1013904223u;
        step = 1 + (p->random >> 16) % 7;
    }
    if (step > cap)
        step = cap;
    if (step > end - p->at)
        step = end - p->at;
    memcpy(buffer, p->bytes + p->at, step);
    p->at += step;
    *out_len = step;
    return AGENTCHAT_OK;
}

static agentchat_source *source_of(pieces start)
{
    static const agentchat_source_ops ops = {sizeof ops, pieces_read, free};
    pieces *p = malloc(sizeof *p);
    agentchat_source *source = NULL;
    agentchat_error err;

    assert_non_null(p);
    *p = start;
    test_ok(agentchat_source_new(NULL, &ops, p, &source, &err), &err);
    return source;
}

agentchat_source *test_source_chunked(const void *bytes, size_t len, size_t chunk)
{
    return source_of((pieces){.bytes = bytes, .len = len, .chunk = chunk, .good = SIZE_MAX, .random = 42});
}

agentchat_source *test_source_failing(const void *bytes, size_t len, size_t good)
{
    return source_of((pieces){.bytes = bytes, .len = len, .chunk = SIZE_MAX, .good = good});
}

typedef struct bad_sink {
    uint64_t left;
    bool fail_commit;
} bad_sink;

static agentchat_status bad_write(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    bad_sink *sink = self;

    (void)bytes;
    (void)len;
    if (sink->left == 0)
        return agentchat_error_set(err, AGENTCHAT_E_IO, "the test's sink refuses this write");
    sink->left--;
    return AGENTCHAT_OK;
}

static agentchat_status bad_commit(void *self, agentchat_error *err)
{
    const bad_sink *sink = self;

    return sink->fail_commit ? agentchat_error_set(err, AGENTCHAT_E_IO, "the test's sink refuses to commit")
                             : AGENTCHAT_OK;
}

agentchat_sink *test_sink_failing(uint64_t good_writes, bool fail_commit)
{
    static const agentchat_sink_ops ops = {sizeof ops, bad_write, bad_commit, free};
    bad_sink *self = malloc(sizeof *self);
    agentchat_sink *sink = NULL;
    agentchat_error err;

    assert_non_null(self);
    *self = (bad_sink){good_writes, fail_commit};
    test_ok(agentchat_sink_new(NULL, &ops, self, &sink, &err), &err);
    return sink;
}
