/* SPDX-License-Identifier: Apache-2.0 */
/* One message as JSON of format 1 (docs/formats/agentchat.md, section 5), outside a document. Layer 4. */
#ifndef ACI_CODEC_MESSAGE_JSON_H
#define ACI_CODEC_MESSAGE_JSON_H

#include "base/buf.h"
#include "model/model.h"
#include "snapshot/report.h"

/* Appends a message, compact, without a line end. Same message, same bytes; open-ended values stand as they are
   spelled, line ends in them too. out is unchanged on failure. Only E_NOMEM is possible. */
agentchat_status aci_message_json_write(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                        agentchat_error *err);

/* Reads a message out of JSON text, within env's limits, into a home of its own: *out has one reference, NULL on
   failure. report (NULL: not wanted) receives what was left out. err: offset, line, column and JSON Pointer in text;
   E_SYNTAX, E_SCHEMA, E_LIMIT, E_NOMEM. */
agentchat_status aci_message_json_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                       agentchat_message **out, agentchat_error *err);

/* Whether the JSON of a message has at most so many levels of containers, so that a reader with that limit takes it. An
   extra that could be a plain property is counted as an entry of `extras`, two levels deeper. */
bool aci_message_json_fits(const agentchat_message *message, uint32_t levels);

#endif
