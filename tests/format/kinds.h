/* SPDX-License-Identifier: Apache-2.0 */
/* What a document may hold (a chat, an event, a session), each with the same few functions. */
#ifndef FORMAT_KINDS_H
#define FORMAT_KINDS_H

#include "support/test_support.h"
#include <agentchat/repair.h>

/* A reader in the format of a name. Sessions are detected always; *out is NULL on failure. */
typedef agentchat_status kind_read(const agentchat_env *env, const char *format, agentchat_str text, const void **out,
                                   agentchat_report **report, agentchat_error *err);
typedef agentchat_status kind_write(const void *value, const char *format, bool strict, agentchat_bytes *out,
                                    agentchat_report **report, agentchat_error *err);
/* The first difference in meaning that no entry of the report is at or above; NULL: none. Else to be freed with
   free(). */
typedef char *kind_unreported(const void *value, const void *back, const agentchat_report *report);

typedef struct document_kind {
    const char *name;
    uint32_t holds; /* bits of agentchat_holds of formats that have documents of the kind */
    kind_read *read;
    kind_write *write;
    kind_unreported *unreported;
    void (*release)(const void *value);
} document_kind;

extern const document_kind kind_chat, kind_event, kind_session;

/* The kind of a file of cases: its directory's name says it, "events" or "sessions", and else it is a chat. */
const document_kind *kind_of_file(const char *path);

/* The entries of a report, one a line: "loss /path: message". To be freed with free(). */
char *report_lines(const agentchat_report *report);

#endif
