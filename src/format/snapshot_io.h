/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a snapshot from a text that is in memory already, without a copy of it. */
#ifndef ACI_FORMAT_SNAPSHOT_IO_H
#define ACI_FORMAT_SNAPSHOT_IO_H

#include <agentchat/snapshot.h>

/* A text from env, as aci_source_read_all() gives it, padding included. */
typedef struct aci_input_text {
    char *data;
    size_t len, cap;
} aci_input_text;

/* Takes the text over and empties *text, unless it fails before that. *out and *report as in agentchat_snapshot_read().
 */
agentchat_status aci_snapshot_io_take(const agentchat_env *env, aci_input_text *text,
                                      const agentchat_read_options *options, agentchat_snapshot **out,
                                      agentchat_report **report, agentchat_error *err);

/* agentchat_snapshot_write_memory() of a history that is not of the format, whatever the extras of the chat are. */
agentchat_status aci_snapshot_io_write_foreign(const agentchat_snapshot *snapshot,
                                               const agentchat_write_options *options, agentchat_bytes *out,
                                               agentchat_report **report, agentchat_error *err);

#endif
