/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing events as ADK-Rust writes and reads them (docs/formats/adk.md, section 9): snake_case, times as RFC 3339,
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
                                         agentchat_report *report, aci_buf *out, agentchat_error *err);

/* A part; false: it was left out, which is reported. */
void aci_adk_rust_part(aci_out *out, const aci_location *path, const agentchat_item *item,
                       const aci_adk_context *context);
/* Text and JSON: lone surrogates, which ADK-Rust refuses, become U+FFFD, which is reported. */
void aci_adk_rust_text(aci_out *out, const aci_location *path, agentchat_str text);
void aci_adk_rust_json(aci_out *out, const aci_location *path, agentchat_str json);

#endif
