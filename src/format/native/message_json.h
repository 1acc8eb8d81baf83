/* SPDX-License-Identifier: Apache-2.0 */
/* A message, or a list of them, as JSON of format 1 (docs/formats/agentchat.md, section 5), outside a document. */
#ifndef ACI_FORMAT_NATIVE_MESSAGE_JSON_H
#define ACI_FORMAT_NATIVE_MESSAGE_JSON_H

#include "base/buf.h"
#include "model/model.h"
#include "snapshot/report.h"

/* Appends a message, compact, without a line end. Same message, same bytes; open-ended values stand as they are
   spelled, line ends in them too. out is unchanged on failure. Only E_NOMEM is possible. */
agentchat_status aci_message_json_write(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                        agentchat_error *err);

/* For who keeps large data elsewhere: asked for each data of a message, in the order of the text, nested ones too;
   where it says yes an empty one is written. */
typedef struct aci_message_apart {
    bool (*is_apart)(void *user, const aci_data *data);
    void *user;
} aci_message_apart;
agentchat_status aci_message_json_write_apart(const agentchat_env *env, const agentchat_message *message,
                                              const aci_message_apart *apart, aci_buf *out, agentchat_error *err);

/* Reads a message out of JSON text, within env's limits, into an arena of its own: *out has one reference, NULL on
   failure. report (NULL: not wanted) receives what was left out. err: offset, line, column and JSON Pointer in text;
   E_SYNTAX, E_SCHEMA, E_LIMIT, E_NOMEM. */
agentchat_status aci_message_json_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                       agentchat_message **out, agentchat_error *err);

/* The same of a list, which is an array of such messages. */
agentchat_status aci_message_json_write_list(const agentchat_env *env, const agentchat_messages *list, aci_buf *out,
                                             agentchat_error *err);
/* *out: filled on success only; to be cleared with aci_list_clear(). */
agentchat_status aci_message_json_read_list(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                            agentchat_messages *out, agentchat_error *err);

#endif
