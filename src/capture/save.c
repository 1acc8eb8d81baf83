/* SPDX-License-Identifier: Apache-2.0 */
/* Saving: a capture, written. */
#include <agentchat/chat.h>

/* Leaves the report to the writing unless the capture fails. */
static agentchat_status capture(agentchat_chat *chat, agentchat_snapshot **out, agentchat_report **report,
                                agentchat_error *err)
{
    agentchat_status status = agentchat_chat_capture(chat, NULL, out, report, err);

    if (status >= 0 && report != NULL)
        agentchat_report_free(*report);
    return status;
}

agentchat_status agentchat_chat_save(agentchat_chat *chat, agentchat_sink *sink, const agentchat_write_options *options,
                                     agentchat_report **report, agentchat_error *err)
{
    agentchat_snapshot *snapshot;
    agentchat_status status = capture(chat, &snapshot, report, err);

    if (status >= 0)
        status = agentchat_snapshot_write(snapshot, sink, options, report, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

agentchat_status agentchat_chat_save_file(agentchat_chat *chat, const char *path,
                                          const agentchat_write_options *options, agentchat_report **report,
                                          agentchat_error *err)
{
    agentchat_snapshot *snapshot;
    agentchat_status status = capture(chat, &snapshot, report, err);

    if (status >= 0)
        status = agentchat_snapshot_write_file(snapshot, path, options, report, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}
