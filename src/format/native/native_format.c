/* SPDX-License-Identifier: Apache-2.0 */
/* Our own format and its encoded variant, as the registry lists them. */
#include "format/native/native.h"

#include "format/native/event.h"
#include "format/native/session.h"

/* Of content those that tell it from that of others. */
static bool has_event_name(aci_event_part in, agentchat_str name)
{
    const aci_native_object *object = in == ACI_IN_EVENT ? &aci_native_event : &aci_native_actions;

    if (in == ACI_IN_CONTENT)
        return agentchat_str_equal(name, AGENTCHAT_STR("items")) || agentchat_str_equal(name, AGENTCHAT_STR("role"));
    return aci_native_find(object, 0, name) < object->count;
}

static agentchat_status write_chat(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    return aci_native_write(out, snapshot, false, err);
}

static agentchat_status write_encoded(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    return aci_native_write(out, snapshot, true, err);
}

static agentchat_status write_event(const agentchat_event *event, agentchat_report *report, aci_buf *out,
                                    agentchat_error *err)
{
    (void)report; /* nothing is lost */
    return aci_event_text(event, out, err);
}

static agentchat_status write_session(const aci_session_data *data, agentchat_sink *sink, agentchat_report *report,
                                      agentchat_error *err)
{
    (void)report;
    return aci_native_session_write(data, sink, err);
}

const aci_format aci_native_format = {
    .about = {.name = aci_native_name,
              .summary = "our own format: complete chats, sessions and events",
              .reads = AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_SESSION | AGENTCHAT_HOLDS_EVENT,
              .writes = AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_SESSION | AGENTCHAT_HOLDS_EVENT},
    .probe_chat = aci_native_probe,
    .read_chat = aci_native_chat_read,
    .write_chat = write_chat,
    .has_event_name = has_event_name,
    .read_event = aci_native_event_read,
    .write_event = write_event,
    .probe_session = aci_native_session_probe,
    .read_session = aci_native_session_read,
    .write_session = write_session,
    .messages_in = "history",
};

const aci_format aci_native_encoded_format = {
    .about = {.name = aci_native_encoded_name,
              .summary = "the same for chats, with each part in base64",
              .reads = AGENTCHAT_HOLDS_CHAT,
              .writes = AGENTCHAT_HOLDS_CHAT},
    .probe_chat = aci_native_encoded_probe,
    .read_chat = aci_native_encoded_read,
    .write_chat = write_encoded,
};
