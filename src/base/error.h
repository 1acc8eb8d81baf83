/* SPDX-License-Identifier: Apache-2.0 */
/* Filling error records: first failure wins, no allocation. */
#ifndef ACI_BASE_ERROR_H
#define ACI_BASE_ERROR_H

#include "base/shared.h"
#include <agentchat/base.h>

/* Sets code and message if the record is still unset (code 0). Returns status. */
ACI_SHARED agentchat_status aci_fail(agentchat_error *err, agentchat_status status, const char *format, ...)
    AGENTCHAT_PRINTF(3, 4);
/* The usual ones. */
ACI_SHARED agentchat_status aci_fail_nomem(agentchat_error *err);
agentchat_status aci_fail_null(agentchat_error *err, const char *parameter); /* E_INVALID: it must not be NULL */
agentchat_status aci_fail_errno(agentchat_error *err, agentchat_status status, int error_number, const char *what);

/* Sets position members, whatever is there already. */
void aci_error_at(agentchat_error *err, uint64_t offset, uint32_t line, uint32_t column);
/* The same from the offset of a location in a document. */
void aci_error_at_offset(agentchat_error *err, agentchat_str document, uint64_t offset);
/* Sets path; of a long one, "…" and its tail are kept. */
void aci_error_path(agentchat_error *err, agentchat_str pointer);
/* Puts a JSON Pointer in front of the path that is there. */
void aci_error_path_prepend(agentchat_error *err, agentchat_str pointer);
/* Puts text and ": " in front of the message that is there. */
void aci_error_prefix(agentchat_error *err, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
/* Sets source if unset; of a long one, "…" and its tail are kept. */
void aci_error_source(agentchat_error *err, const char *name);

/* A short excerpt of foreign text for a message: what would not be seen (base/invisible.h) and invalid UTF-8 escaped,
   at most 40 characters, followed by "…" when cut. Returns buffer. */
typedef struct aci_excerpt {
    char text[96];
} aci_excerpt;
ACI_SHARED const char *aci_error_excerpt(agentchat_str text, aci_excerpt *buffer);

#endif
