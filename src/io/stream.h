/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing through the public stream types. */
#ifndef ACI_IO_STREAM_H
#define ACI_IO_STREAM_H

#include "base/env.h"
#include "base/shared.h"
#include <agentchat/stream.h>

/* Reads to the end. On success *out_data is a block of *out_cap bytes of env's allocator, holding *out_len bytes and
   then at least ACI_READ_PADDING zero bytes (so that scans may run past the end). E_LIMIT beyond max_bytes. A source
   that knows its size (memory, regular file) is read in one piece. */
#define ACI_READ_PADDING 32
agentchat_status aci_source_read_all(agentchat_source *source, const agentchat_env *env, uint64_t max_bytes,
                                     char **out_data, size_t *out_len, size_t *out_cap, agentchat_error *err);
const char *aci_source_name(const agentchat_source *source); /* NULL when it has none */

ACI_SHARED agentchat_status aci_sink_write(agentchat_sink *sink, const void *bytes, size_t len, agentchat_error *err);
ACI_SHARED agentchat_status aci_sink_commit(agentchat_sink *sink, agentchat_error *err);
const char *aci_sink_name(const agentchat_sink *sink);

#endif
