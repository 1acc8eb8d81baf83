/* SPDX-License-Identifier: Apache-2.0 */
/* Canonical text of events and sessions (docs/formats/digest.md), and the digest of what a session's file holds. */
#ifndef ACI_FORMAT_EVENT_CANONICAL_H
#define ACI_FORMAT_EVENT_CANONICAL_H

#include "format/adk/context.h"
#include "format/kit/session_data.h"
#include "snapshot/canonical.h"

/* context: what a session's events have from those before; NULL: an event alone. */
void aci_event_canonical(aci_canonical *c, const agentchat_event *event, aci_adk_context *context);
void aci_event_canonical_session(aci_canonical *c, const aci_session_data *data);
/* E_NOMEM only. */
agentchat_status aci_event_canonical_digest(const aci_session_data *data, char out[AGENTCHAT_DIGEST_LEN + 1],
                                            agentchat_error *err);

#endif
