/* SPDX-License-Identifier: Apache-2.0 */
/* Files of every kind. */
#ifndef CLI_IO_DOCUMENT_H
#define CLI_IO_DOCUMENT_H

#include "cli/command/command.h"

/* A file that was read, or why it was not. Released by cli_document_close(). */
typedef struct cli_document {
    const char *name; /* as given; "-" is standard input */
    agentchat_document *document;
    agentchat_report *report;
    agentchat_status status;
    agentchat_error err;
} cli_document;

/* Reads NAME. false: status and err say why not. */
bool cli_document_read(cli_document *file, const char *name);
void cli_document_close(cli_document *file);
/* Opens NAME, "-" being standard input. */
agentchat_status cli_document_source(const char *name, agentchat_source **out, agentchat_error *err);
/* Whether a failure is the content's fault: the file could be read, but holds no document. */
bool cli_document_is_bad(agentchat_status status);

#endif
