/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading bodies of a thread, and making messages of them. Each body is read once, and its digest is checked; a message
 * that stands in several lists is one message.
 */
#ifndef ACI_THREAD_LOADING_H
#define ACI_THREAD_LOADING_H

#include "thread/large_data.h"
#include "thread/load.h"
#include "thread/numbers.h"

typedef struct aci_loaded_body {
    agentchat_str bytes; /* absent: it is not there */
    bool is_named;       /* by a list */
} aci_loaded_body;

typedef struct aci_loading {
    aci_tx *tx; /* NULL: only what was read ahead can be had */
    const agentchat_env *env;
    int64_t num;
    aci_arena *arena;
    aci_number_set set;      /* of the bodies that are needed */
    aci_loaded_body *bodies; /* by their positions in the set */
    const aci_body_ahead *ahead;
    size_t ahead_count;
    bool lacks;               /* something that was not read ahead */
    aci_number_set messages;  /* of those that are messages */
    agentchat_messages made;  /* the messages, in that order */
    aci_large_data_set large; /* bodies that these refer to by digest; */
    bool leaves_data;         /* they stay where they are */
    uint64_t source_bytes;    /* that what is held was read from */
    uint64_t bytes;
    uint64_t stored; /* positions of lists that were read */
    uint64_t copied; /* of them, into the snapshot: a small file could stand for much */
} aci_loading;

/* tx: NULL where only what was read ahead is to be used. false: there is no memory; to be ended all the same. */
bool aci_loading_begin(aci_loading *l, aci_tx *tx, const agentchat_env *env, int64_t num);
void aci_loading_end(aci_loading *l);
/* Reads the bodies whose numbers are in the sets. */
agentchat_status aci_loading_bodies(aci_loading *l, agentchat_error *err);
/* One of those that were read. E_CORRUPT when there is none of that number. */
agentchat_status aci_loading_find(const aci_loading *l, int64_t no, agentchat_str *out, agentchat_error *err);
agentchat_status aci_loading_fail_missing(int64_t no, agentchat_error *err);
/* Makes the messages of those that are messages. */
agentchat_status aci_loading_messages(aci_loading *l, agentchat_error *err);
/* A list of messages: what is held, then those of these numbers; NULL: none. */
agentchat_status aci_loading_list(aci_loading *l, const aci_held_list *held, const int64_t *numbers, size_t count,
                                  agentchat_messages *out, agentchat_error *err);

/* ---- what a checkpoint's parts have to be; E_CORRUPT where they are not ------------------------------------------ */

agentchat_status aci_loading_fail_frame(agentchat_error *err);
/* Whether what a channel was given, and what is queued for it, stands in a history of that length. *pending: how many
   are queued. */
bool aci_loading_part_fits(const aci_part *part, size_t history, size_t *pending);
agentchat_status aci_loading_check_text(const agentchat_env *env, agentchat_str state, bool is_json,
                                        agentchat_error *err);
/* *text: without the whitespace around it. */
agentchat_status aci_loading_check_value(const agentchat_env *env, agentchat_str *text, bool is_element,
                                         agentchat_error *err);

#endif
