/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of session files share: reading and writing them in few words. */
#ifndef SESSION_DATA_TEST_H
#define SESSION_DATA_TEST_H

#include "event_test.h"

#include "format/session_io.h"
#include "io/stream.h"

static inline aci_session_data read_session(agentchat_str text, agentchat_report *report)
{
    aci_session_data data;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_session_io_read(NULL, text, report, &data, &err), &err);
    return data;
}

static inline agentchat_bytes written(const aci_session_data *data, const char *format, agentchat_report *report)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    test_ok(agentchat_sink_memory(NULL, &out, &sink, &err), &err);
    test_ok(aci_session_io_write(data, format, sink, report, &err), &err);
    test_ok(aci_sink_commit(sink, &err), &err);
    agentchat_sink_free(sink);
    return out;
}

static inline agentchat_str view(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->ptr, bytes->len};
}

#endif
