/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions as files, both ways. */
#ifndef ACI_SESSION_EXCHANGE_H
#define ACI_SESSION_EXCHANGE_H

#include "format/kit/session_data.h"
#include "session/session.h"
#include "snapshot/report.h"

/* Writes a session, and nothing when that loses something: E_LOSS. */
agentchat_status aci_export_checked(const aci_session_data *data, const char *format, agentchat_sink *sink,
                                    agentchat_report *report, agentchat_error *err);

/* One event of a file as a store holds it. */
typedef struct aci_import_event {
    agentchat_event *event; /* without its sequence number */
    int64_t sequence;
    agentchat_str text, effect;
} aci_import_event;

/* The events of a file and what they did to the session's own keys, put together before anything is stored. */
typedef struct aci_replay {
    const agentchat_env *env;
    aci_arena *arena; /* texts of the events */
    aci_import_event *events;
    size_t count, cap;
    agentchat_state *own, *revisions; /* the session's own keys as they go along */
    int64_t sequence;
} aci_replay;

/* Replays the events of a file: each gets its sequence number, its id where it has none, and what it replaced. E_SCHEMA
   for an id that occurs twice. To be cleared in any case. */
agentchat_status aci_replay_run(aci_replay *replay, const agentchat_env *env, const aci_session_data *data,
                                agentchat_report *report, agentchat_error *err);
void aci_replay_clear(aci_replay *replay);

#endif
