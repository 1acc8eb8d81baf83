/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The content of a session's file as data, read from and written to our own form (docs/formats/session.md) and that of
 * the ADKs (docs/formats/adk.md). Layer 5: knows no store; who stores it decides what it means.
 */
#ifndef ACI_EVENT_SESSION_DATA_H
#define ACI_EVENT_SESSION_DATA_H

#include "event/event.h"
#include <agentchat/state.h>
#include <agentchat/stream.h>

typedef struct aci_session_data {
    const agentchat_env *env;
    agentchat_str app, user, id; /* absent where the file names none */
    agentchat_str time;          /* RFC 3339: when it was last written to; absent when not known */
    agentchat_state *state;      /* of all scopes, keys with their prefixes, without `temp:`; NULL: empty */
    agentchat_state *initial;    /* what the session's own keys were before the first event; NULL: not known */
    agentchat_event **events;    /* oldest first, one reference each; their sequences ascend, or are all 0 */
    size_t event_count, event_cap;
    size_t *indices; /* of the events in the file's list, which also has those that were left out; NULL: as here */
    size_t index_cap;
    uint64_t sequence; /* the last place that was ever taken; 0: not known */
    bool keep_times;   /* writing for the ADKs: event times that do not ascend stay as they are */
    aci_home *home;    /* of the texts above, where they were read; NULL: they are the caller's */
} aci_session_data;

/* Where an event stands in the list of the file. */
static inline size_t aci_session_event_index(const aci_session_data *data, size_t event)
{
    return data->indices != NULL ? data->indices[event] : event;
}

/* Reads a session's file; which form it has is told by its first property. report (NULL: not wanted) receives notes and
   losses. On failure *out is empty. E_SYNTAX, E_SCHEMA, E_INVALID (an id, a key), E_VERSION (a later version of our
   own form), E_LIMIT, E_NOMEM, with the place in the file. */
agentchat_status aci_session_data_read(const agentchat_env *env, agentchat_str text, agentchat_report *report,
                                       aci_session_data *out, agentchat_error *err);

/* Writes one, as AGENTCHAT or ADK (E_INVALID for another format), to a stream, without committing it. Of events with a
   sequence our own form keeps that. report: NULL is allowed. Errors of the sink, E_NOMEM. */
agentchat_status aci_session_data_write(const aci_session_data *data, agentchat_format format, agentchat_sink *sink,
                                        agentchat_report *report, agentchat_error *err);

/* Releases what reading made; all zero is allowed. */
void aci_session_data_clear(aci_session_data *data);

#endif
