/* SPDX-License-Identifier: Apache-2.0 */
/* A sink that appends to a buffer. */
#include "format/kit/buffer_sink.h"

#include "base/error.h"

static agentchat_status add(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    return aci_buf_add(self, bytes, len) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_buffer_sink_new(const agentchat_env *env, aci_buf *out, agentchat_sink **sink,
                                     agentchat_error *err)
{
    static const agentchat_sink_ops ops = {sizeof(ops), add, NULL, NULL};

    return agentchat_sink_new(env, &ops, out, sink, err);
}
