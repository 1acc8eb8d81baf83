/* SPDX-License-Identifier: Apache-2.0 */
/* A document being written, and what is lost of it. Failures stick in the JSON writer. */
#ifndef ACI_FORMAT_KIT_OUT_H
#define ACI_FORMAT_KIT_OUT_H

#include "format/kit/document.h"
#include "format/kit/raw_reader.h"
#include "json/writer.h"

/* A document being written. */
typedef struct aci_out {
    aci_json_writer w;
    const agentchat_env *env;
    agentchat_report *report;
    agentchat_str tag; /* the format's name */
} aci_out;

agentchat_status aci_out_begin(aci_out *out, const aci_write *document, agentchat_str tag, agentchat_error *err);
/* Without committing. */
agentchat_status aci_out_end(aci_out *out);
void aci_out_nomem(aci_out *out);
/* A loss at a location of the snapshot. */
void aci_out_lost(aci_out *out, const aci_location *path, const char *format, ...) AGENTCHAT_PRINTF(3, 4);

#endif
