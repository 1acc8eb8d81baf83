/* SPDX-License-Identifier: Apache-2.0 */
/* Saving: a capture, written. Layer 5. */
#include <agentchat/chat.h>

#include "base/env.h"
#include "base/error.h"

/* A report that the writer is asked for is NULL also when the writer is not reached. */
static agentchat_status capture(agentchat_chat *chat, const agentchat_write_options *options, agentchat_snapshot **out,
                                agentchat_error *err)
{
    agentchat_write_options o;
    agentchat_status status = aci_options_load(&o, sizeof o, options, err);

    *out = NULL;
    if (status < 0)
        return status;
    if (o.report != NULL)
        *o.report = NULL;
    return agentchat_chat_capture(chat, NULL, out, err);
}

agentchat_status agentchat_chat_save(agentchat_chat *chat, agentchat_sink *sink, const agentchat_write_options *options,
                                     agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    status = capture(chat, options, &snapshot, err);
    if (status >= 0)
        status = agentchat_snapshot_write(snapshot, sink, options, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

agentchat_status agentchat_chat_save_file(agentchat_chat *chat, const char *path,
                                          const agentchat_write_options *options, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    status = capture(chat, options, &snapshot, err);
    if (status >= 0)
        status = agentchat_snapshot_write_file(snapshot, path, options, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}
