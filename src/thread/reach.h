/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the checkpoints of a thread reach: positions of segments, by themselves and through spans, and the bodies that
 * these name, that they name themselves, and that are the data of messages.
 */
#ifndef ACI_THREAD_REACH_H
#define ACI_THREAD_REACH_H

#include "thread/intervals.h"
#include "thread/large_data.h"
#include "thread/lists.h"
#include "thread/numbers.h"

typedef struct aci_reach {
    const agentchat_env *env;
    aci_arena *arena;
    aci_intervals lists, messages; /* of all lists; of those that are lists of messages */
    aci_number_set bodies;
    aci_number_set message_bodies;
    aci_large_data_set data; /* by digest */
    int64_t segments;        /* the highest number of one that is there */
    /* ---- what came after aci_reach_follow() ---- */
    bool is_followed;
    aci_intervals fresh_lists, fresh_messages; /* not followed yet */
    aci_number_set later_bodies;
} aci_reach;

bool aci_reach_begin(aci_reach *reach, const agentchat_env *env); /* false: out of memory; clear it in any case */
void aci_reach_clear(aci_reach *reach);
/* Adds what a checkpoint names. arena: for the moment. */
agentchat_status aci_reach_add(aci_reach *reach, const aci_checkpoint_row *row, aci_arena *arena, agentchat_error *err);
/* Follows what all of them name, once, over all rows of the thread. */
agentchat_status aci_reach_follow(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err);
/* Follows what was added since, and costs what is new. After a failure it can be called again. */
agentchat_status aci_reach_follow_more(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err);
/* Makes later questions as quick as those about what was there first; takes as long as the thread is. */
bool aci_reach_settle(aci_reach *reach); /* false: out of memory */
/* Whether a body is reached. */
bool aci_reach_has_body(const aci_reach *reach, int64_t no, agentchat_str digest);

#endif
