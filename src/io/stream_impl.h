/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of src/io share: the bodies of the stream types. Nothing outside src/io includes it. */
#ifndef ACI_IO_STREAM_IMPL_H
#define ACI_IO_STREAM_IMPL_H

#include "io/stream.h"

struct agentchat_source {
    const agentchat_env *env;
    agentchat_source_ops ops;
    void *self;
    char *name; /* NUL-terminated, of env's allocator; NULL: none */
    /* How many bytes are probably left; 0 when that is not known. NULL: never known. Only a hint for the first
       allocation: a file may grow or shrink while it is read. */
    uint64_t (*bytes_left)(void *self);
};

struct agentchat_sink {
    const agentchat_env *env;
    agentchat_sink_ops ops;
    void *self;
    char *name; /* as above */
    bool failed, committed;
};

/* agentchat_source_new() and agentchat_sink_new() with a name, which is copied; NULL: none. ops is complete. Takes
   ownership of self. On failure err->source is set. */
agentchat_status aci_source_make(const agentchat_env *env, const agentchat_source_ops *ops, void *self,
                                 const char *name, agentchat_source **out, agentchat_error *err);
agentchat_status aci_sink_make(const agentchat_env *env, const agentchat_sink_ops *ops, void *self, const char *name,
                               agentchat_sink **out, agentchat_error *err);

#endif
