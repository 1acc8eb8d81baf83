/* SPDX-License-Identifier: Apache-2.0 */
/* What a format is to the library: a name, and functions for what it holds. Each format's folder has one such object,
   the registry lists them. */
#ifndef ACI_FORMAT_KIT_FORMAT_H
#define ACI_FORMAT_KIT_FORMAT_H

#include "base/buf.h"
#include "format/kit/document.h"
#include "format/kit/probe.h"
#include "format/kit/session_input.h"
#include <agentchat/format.h>
#include <agentchat/repair.h>

typedef agentchat_status aci_chat_reader(aci_read *in, agentchat_snapshot **out, agentchat_error *err);
/* Writes without committing. */
typedef agentchat_status aci_chat_writer(aci_write *out, const agentchat_snapshot *snapshot, agentchat_error *err);
/* Appends one line without a line end; out is unchanged on failure. */
typedef agentchat_status aci_event_writer(const agentchat_event *event, agentchat_report *report, aci_buf *out,
                                          agentchat_error *err);
/* false after a failure. */
typedef bool aci_session_reader(aci_session_input *s);
/* Writes without committing. data->env may be NULL. */
typedef agentchat_status aci_session_writer(const aci_session_data *data, agentchat_sink *sink,
                                            agentchat_report *report, agentchat_error *err);

/* Whether a format has a property of that name there: an event is of the format that alone has one of its names. */
typedef enum aci_event_part { ACI_IN_EVENT, ACI_IN_CONTENT, ACI_IN_ACTIONS } aci_event_part;
typedef bool aci_event_namer(aci_event_part in, agentchat_str name);

typedef struct aci_format {
    agentchat_format about;     /* what the public knows of it */
    aci_chat_reader *read_chat; /* NULL, of these six: it cannot do that */
    aci_chat_writer *write_chat;
    aci_event_reader *read_event;
    aci_event_writer *write_event;
    aci_session_reader *read_session;
    aci_session_writer *write_session;
    aci_probe *probe_chat, *probe_session; /* where there is a reader of its own */
    aci_event_namer *has_event_name;       /* where there is a reader of its own */
    const agentchat_repair_profile
        *profile; /* what the provider whose format it is refuses; NULL: it is no provider's */
    const char
        *messages_in;     /* the member of a document that has the messages, if they are no array alone; NULL: none */
    uint32_t more_levels; /* how much deeper an event may be nested than in the native format */
} aci_format;

#endif
