/* SPDX-License-Identifier: Apache-2.0 */
/* Reading session files: what all formats share. */
#ifndef ACI_FORMAT_KIT_SESSION_INPUT_H
#define ACI_FORMAT_KIT_SESSION_INPUT_H

#include "base/index.h"
#include "format/kit/event_location.h"
#include "format/kit/raw_reader.h"
#include "format/kit/session_data.h"

typedef struct aci_session_input {
    aci_raw_reader a;  /* the document is the caller's */
    agentchat_str raw; /* the whole file, validated */
    aci_session_data *data;
    aci_json_index index, event_index;
    aci_index ids;      /* of the events read */
    uint64_t last;      /* sequence number of the last one */
    bool has_sequences; /* at least one event has a sequence number */
} aci_session_input;

/* Reads one event. *sequence is 0 when it has none. */
typedef agentchat_status aci_event_reader(const agentchat_env *env, agentchat_str text,
                                          const aci_event_location *location, agentchat_report *report,
                                          uint64_t *sequence, agentchat_event **out, agentchat_error *err);

/* All of these return false after a failure. */
/* A name or an id. what: for the message. */
bool aci_session_input_label(aci_session_input *s, const aci_location *path, agentchat_str raw, const char *what,
                             agentchat_str *out);
/* State; temp: keys are left out and reported. own_keys: those of the session alone are allowed. */
bool aci_session_input_state(aci_session_input *s, const aci_location *path, agentchat_str raw, bool own_keys,
                             agentchat_state **out);
/* The events; partial ones are left out and reported. numbered: the format has sequence numbers, which must ascend. */
bool aci_session_input_events(aci_session_input *s, const aci_location *path, agentchat_str raw, aci_event_reader *read,
                              bool numbered);

#endif
