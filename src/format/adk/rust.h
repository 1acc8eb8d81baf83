/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing events as ADK-Rust writes and reads them (docs/formats/adk.md, section 8): snake_case, times as RFC 3339,
 * bytes as arrays of numbers, parts of its own shapes. It passes over names that it does not know, so what came from
 * Google's ADKs is written as it stands and read back by us.
 */
#ifndef ACI_FORMAT_ADK_RUST_H
#define ACI_FORMAT_ADK_RUST_H

#include "format/adk/adk.h"
#include "format/adk/tables.h"
#include "format/kit/object_out.h"

extern const aci_format aci_adk_rust_format;

/* Appends one event as a line; as aci_adk_event_line(). */
agentchat_status aci_adk_rust_event_line(const agentchat_event *event, agentchat_str prefix, aci_adk_context *context,
                                         agentchat_report *report, aci_buf *line, agentchat_error *err);

void aci_adk_rust_part(aci_out *out, const aci_location *path, const agentchat_item *item,
                       const aci_adk_context *context);
/* Text and JSON: what ADK-Rust's reader of JSON refuses is replaced, which is reported. */
void aci_adk_rust_text(aci_out *out, const aci_location *path, agentchat_str text);
void aci_adk_rust_json(aci_out *out, const aci_location *path, agentchat_str json);
/* Whether a value, written here, stands deeper than ADK-Rust reads. */
bool aci_adk_rust_is_too_deep(const aci_out *out, agentchat_str json);
/* Whether ADK-Rust reads a raw part, and a list of the bytes or files of a response. */
bool aci_adk_rust_reads_part(agentchat_str json);
bool aci_adk_rust_reads_list(bool of_files, agentchat_str json);

/* Whether a name is one in snake_case, in either spelling. */
bool aci_adk_rust_is_named(agentchat_str name, const char *snake);
/* Whether what an event holds under a name of ADK-Rust's can be written, and writes it as ADK-Rust has it. */
bool aci_adk_rust_takes(const char *name, agentchat_str raw);
void aci_adk_rust_value(aci_out *out, const aci_location *path, const char *name, agentchat_str raw);

/* A reason why a turn ended, as both spell it. */
typedef struct aci_adk_reason {
    const char *rust, *google;
} aci_adk_reason;
/* That of a raw string in either spelling; NULL: ADK-Rust has none for it. */
const aci_adk_reason *aci_adk_reason_of(agentchat_str raw);
/* Whether a raw value is this string, of letters and "_". */
bool aci_adk_is_text(agentchat_str raw, const char *text);

#endif
