/* SPDX-License-Identifier: Apache-2.0 */
/* Session files: what the files of the two forms share. Layer 5. */
#ifndef ACI_EVENT_SESSION_FILE_H
#define ACI_EVENT_SESSION_FILE_H

#include "base/index.h"
#include "event/adk.h"
#include "event/session_data.h"

#define ACI_SESSION_HEADER "agentchatsession"
#define ACI_SESSION_VERSION 1u
/* Containers around an event, the file and the list, and how much deeper it may be in the ADKs' form. */
enum { ACI_SESSION_LEVELS = 2 + ACI_ADK_MORE_LEVELS };

typedef struct aci_session_input {
    aci_adk_reader a;  /* its tools serve both forms; the document is the caller's */
    agentchat_str raw; /* the whole, validated */
    aci_session_data *data;
    aci_index ids;   /* of the events read */
    uint64_t last;   /* place of the last one */
    bool has_places; /* at least one event tells its own */
} aci_session_input;

/* All of these return false after a failure. */
bool aci_session_own_read(aci_session_input *s);
bool aci_session_adk_read(aci_session_input *s);
/* A name or an id. what: for the message. */
bool aci_session_label(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, const char *what,
                       agentchat_str *out);
/* State; temp: keys are left out and reported. own_keys: those of the session alone are allowed. */
bool aci_session_state(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, bool own_keys,
                       agentchat_state **out);
/* The events; partial ones are left out and reported. format: AGENTCHAT or ADK. */
bool aci_session_events(aci_session_input *s, const aci_adk_path *path, agentchat_str raw, agentchat_format format);

/* The writers. data->env may be NULL. */
agentchat_status aci_session_own_write(const aci_session_data *data, agentchat_sink *sink, agentchat_error *err);
agentchat_status aci_session_adk_write(const aci_session_data *data, agentchat_sink *sink, agentchat_report *report,
                                       agentchat_error *err);

#endif
