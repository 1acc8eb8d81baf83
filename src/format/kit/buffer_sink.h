/* SPDX-License-Identifier: Apache-2.0 */
/* A sink that appends to a buffer, for a writer whose text is used here and not given away. */
#ifndef ACI_FORMAT_KIT_BUFFER_SINK_H
#define ACI_FORMAT_KIT_BUFFER_SINK_H

#include "base/buf.h"
#include <agentchat/stream.h>

/* out is the caller's and must outlive the sink, which agentchat_sink_free() releases. */
agentchat_status aci_buffer_sink_new(const agentchat_env *env, aci_buf *out, agentchat_sink **sink,
                                     agentchat_error *err);

#endif
