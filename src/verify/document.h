/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of every kind. */
#ifndef ACI_VERIFY_DOCUMENT_H
#define ACI_VERIFY_DOCUMENT_H

#include "base/buf.h"
#include <agentchat/verify.h>

struct agentchat_document {
    const agentchat_env *env;
    agentchat_document_kind kind;
    const char *format; /* NULL: none */
    agentchat_snapshot *snapshot;
    agentchat_session_file *session;
    char *text; /* of events, which are read one at a time */
    size_t len, cap;
    size_t event_count;
};

/* The next line of events that is not empty. false: no more. */
bool aci_document_next_line(const agentchat_document *document, size_t *at, agentchat_str *line);
/* Reads a document from bytes. */
agentchat_status aci_document_read_text(const agentchat_env *env, agentchat_str text,
                                        const agentchat_read_options *options, agentchat_document **out,
                                        agentchat_report **report, agentchat_error *err);

#endif
