/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The content of a session's file as data, read from and written to the native format (docs/formats/session.md) and
 * that of the ADKs (docs/formats/adk.md). Knows no store; who stores it decides what it means.
 */
#ifndef ACI_FORMAT_KIT_SESSION_DATA_H
#define ACI_FORMAT_KIT_SESSION_DATA_H

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
    const char *format; /* that it was read from; NULL: none */
    uint64_t sequence;  /* the highest sequence number that was ever assigned; 0: not known */
    bool lines;         /* writing the events alone, each on a line */
    bool keep_times;    /* writing for the ADKs: event times that do not ascend stay as they are */
    aci_arena *arena;   /* of the texts above, where they were read; NULL: they are the caller's */
} aci_session_data;

/* Where an event stands in the list of the file. */
static inline size_t aci_session_event_index(const aci_session_data *data, size_t event)
{
    return data->indices != NULL ? data->indices[event] : event;
}

/* Releases what reading made; all zero is allowed. */
void aci_session_data_clear(aci_session_data *data);

#endif
