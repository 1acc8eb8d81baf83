/* SPDX-License-Identifier: Apache-2.0 */
/* The ADKs' format, as the registry lists it. */
#include "format/adk/adk.h"

#include "format/adk/rust.h"
#include "format/adk/session.h"
#include "format/adk/tables.h"

static bool has_event_name(aci_event_part in, agentchat_str name)
{
    const aci_object_table *table = in == ACI_IN_EVENT     ? &aci_adk_event
                                    : in == ACI_IN_CONTENT ? &aci_adk_content
                                                           : &aci_adk_actions;

    return aci_object_table_find(table, name, NULL) < table->count;
}

static agentchat_status write_event(const agentchat_event *event, agentchat_report *report, aci_buf *out,
                                    agentchat_error *err)
{
    return aci_adk_event_line(event, (agentchat_str){NULL, 0}, NULL, report, out, err);
}

static agentchat_status write_rust_event(const agentchat_event *event, agentchat_report *report, aci_buf *out,
                                         agentchat_error *err)
{
    return aci_adk_rust_event_line(event, (agentchat_str){NULL, 0}, NULL, report, out, err);
}

const aci_format aci_adk_format = {
    .about = {.name = aci_adk_name,
              .summary = "sessions and events of the Agent Development Kits",
              .reads = AGENTCHAT_HOLDS_SESSION | AGENTCHAT_HOLDS_EVENT,
              .writes = AGENTCHAT_HOLDS_SESSION | AGENTCHAT_HOLDS_EVENT},
    .has_event_name = has_event_name,
    .read_event = aci_adk_event_read,
    .write_event = write_event,
    .probe_session = aci_adk_session_probe,
    .read_session = aci_adk_session_read,
    .write_session = aci_adk_session_write,
    .more_levels = ACI_ADK_MORE_LEVELS,
};

/* One reader reads all of the family, and detection says `adk`. */
const aci_format aci_adk_rust_format = {
    .about = {.name = "adk-rust",
              .summary = "sessions and events as ADK-Rust has them; read as adk",
              .reads = AGENTCHAT_HOLDS_SESSION | AGENTCHAT_HOLDS_EVENT,
              .writes = AGENTCHAT_HOLDS_SESSION | AGENTCHAT_HOLDS_EVENT},
    .read_event = aci_adk_event_read,
    .write_event = write_rust_event,
    .read_session = aci_adk_session_read,
    .write_session = aci_adk_rust_session_write,
    .more_levels = ACI_ADK_MORE_LEVELS,
};
