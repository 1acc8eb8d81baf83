/* SPDX-License-Identifier: Apache-2.0 */
/* A document being written, and what is lost of it. Failures stick in the JSON writer. */
#ifndef ACI_FORMAT_KIT_OUT_H
#define ACI_FORMAT_KIT_OUT_H

#include "event/time.h"
#include "format/kit/document.h"
#include "format/kit/raw_reader.h"
#include "json/writer.h"

/* A document being written. */
typedef struct aci_out {
    aci_json_writer w;
    const agentchat_env *env;
    agentchat_report *report;
    agentchat_str tag;    /* of the extras that go back */
    const char *name;     /* of the format, for reports */
    agentchat_str prefix; /* JSON Pointer of what is written in something larger; absent: none */
} aci_out;

/* The tag is the format's name. indent: spaces for each level, 0: compact. */
agentchat_status aci_out_begin(aci_out *out, const aci_write *document, const char *name, uint32_t indent,
                               agentchat_error *err);
/* Without committing. A document ends with a line feed. */
agentchat_status aci_out_end(aci_out *out);
agentchat_status aci_out_end_document(aci_out *out);
void aci_out_nomem(aci_out *out);
/* An entry of the report, or a loss, or a repair: changed and not lost, at a location of what is written, in the
 * model's terms. */
void aci_out_report(aci_out *out, agentchat_report_kind kind, const aci_location *path, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
void aci_out_lost(aci_out *out, const aci_location *path, const char *format, ...) AGENTCHAT_PRINTF(3, 4);
void aci_out_changed(aci_out *out, const aci_location *path, const char *format, ...) AGENTCHAT_PRINTF(3, 4);
/* Text whose lone surrogates the reader that it is for refuses: they become U+FFFD, which is reported as lost. reader:
   its name. */
void aci_out_clean_text(aci_out *out, const aci_location *path, agentchat_str text, const char *reader);
/* The same of a raw value, which the buffer then holds if it had any; otherwise it comes back as it is. */
agentchat_str aci_out_clean_json(aci_out *out, const aci_location *path, agentchat_str json, const char *reader,
                                 aci_buf *buffer);

/* A time as the whole number of seconds that aci_raw_time_seconds() reads; false when it is none. */
bool aci_out_seconds(agentchat_str text, char number[ACI_TIME_SIZE]);

#endif
