/* SPDX-License-Identifier: Apache-2.0 */
/* What each channel had been given of a conversation: the view that its agent has of it. */
#ifndef ACI_VIEW_CHANNEL_VIEW_H
#define ACI_VIEW_CHANNEL_VIEW_H

#include "snapshot/snapshot.h"

/* How a channel stands to a message of the history. */
typedef enum aci_standing {
    ACI_HELD = 'h',      /* it holds it (a channel of messages), or has been given it (any other) */
    ACI_LEFT = 'l',      /* it has been given it and does not hold it: filtered out, or reduced away */
    ACI_NOT_HELD = 'd',  /* it does not hold it; the source does not say whether it has been given it */
    ACI_WAITING = 'w',   /* queued for it */
    ACI_NOT_GIVEN = 'n', /* never given */
    ACI_UNKNOWN = 'u'    /* the source does not say */
} aci_standing;

/* A run of consecutive messages that are the same to the channel. */
typedef struct aci_run {
    aci_standing standing;
    size_t count;
} aci_run;

/* A message that only the channel holds, and the one of the history before which it stands. */
typedef struct aci_own_message {
    size_t index; /* in the channel */
    size_t before;
} aci_own_message;

typedef struct aci_channel_view {
    aci_run *runs; /* together as long as the history */
    size_t run_count, run_cap;
    aci_own_message *owns; /* in the order of the channel, so that `before` never falls */
    size_t own_count, own_cap;
} aci_channel_view;

typedef struct aci_channel_views {
    const agentchat_env *env;
    aci_channel_view *list; /* one for each channel */
    size_t count;
} aci_channel_views;

/* E_NOMEM only. */
agentchat_status aci_channel_views_make(aci_channel_views *views, const agentchat_snapshot *snapshot,
                                        agentchat_error *err);
void aci_channel_views_clear(aci_channel_views *views);
/* Number of messages of a standing. */
size_t aci_channel_view_count(const aci_channel_view *view, aci_standing standing);

#endif
