/* SPDX-License-Identifier: Apache-2.0 */
/* Session files in the native format (docs/formats/session.md). */
#ifndef ACI_FORMAT_NATIVE_SESSION_H
#define ACI_FORMAT_NATIVE_SESSION_H

#include "format/kit/session_input.h"
#include <agentchat/stream.h>

#define ACI_SESSION_HEADER "agentchatsession" /* the name of the first property */
#define ACI_SESSION_VERSION 1u

/* false after a failure. */
bool aci_native_session_read(aci_session_input *s);
/* data->env may be NULL. Errors of the sink, E_NOMEM. */
agentchat_status aci_native_session_write(const aci_session_data *data, agentchat_sink *sink, agentchat_error *err);

#endif
