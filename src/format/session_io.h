/* SPDX-License-Identifier: Apache-2.0 */
/* Session files of any format. */
#ifndef ACI_FORMAT_SESSION_IO_H
#define ACI_FORMAT_SESSION_IO_H

#include "format/kit/session_data.h"

/* Reads a session's file; its first property decides its format. report (NULL: not wanted) receives notes and losses.
   On failure *out is empty. E_SYNTAX, E_SCHEMA, E_INVALID (an id, a key), E_VERSION (a later version of the native
   format), E_LIMIT, E_NOMEM, with the location in the file. */
agentchat_status aci_session_io_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                     aci_session_data *out, agentchat_error *err);

/* Writes one in the given format (E_INVALID for one that holds no sessions), NULL: the native one, to a stream, without
   committing it. The native format keeps the sequence numbers of events that have one. report: NULL is allowed. Errors
   of the sink, E_NOMEM. */
agentchat_status aci_session_io_write(const aci_session_data *data, const char *format, agentchat_sink *sink,
                                      agentchat_report *report, agentchat_error *err);

#endif
