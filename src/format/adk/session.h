/* SPDX-License-Identifier: Apache-2.0 */
/* Session files in the ADK format (docs/formats/adk.md). */
#ifndef ACI_FORMAT_ADK_SESSION_H
#define ACI_FORMAT_ADK_SESSION_H

#include "format/kit/session_input.h"
#include <agentchat/stream.h>

/* false after a failure. */
bool aci_adk_session_read(aci_session_input *s);
/* data->env may be NULL. Errors of the sink, E_NOMEM. */
agentchat_status aci_adk_session_write(const aci_session_data *data, agentchat_sink *sink, agentchat_report *report,
                                       agentchat_error *err);
/* The same with events as ADK-Rust writes them, and its time in whole seconds. */
agentchat_status aci_adk_rust_session_write(const aci_session_data *data, agentchat_sink *sink,
                                            agentchat_report *report, agentchat_error *err);

#endif
