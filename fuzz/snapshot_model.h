/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A snapshot being built as plain tables. Where a channel stands in the history is a flag for each message (given,
 * queued), so that replacing a range is nothing but moving the flags with the messages.
 */
#ifndef AGENTCHAT_FUZZ_SNAPSHOT_MODEL_H
#define AGENTCHAT_FUZZ_SNAPSHOT_MODEL_H

#include "naive_text.h"

/* Flags go on after the history: positions are set before the messages that they are of. */
enum { MODEL_HISTORY = 64, MODEL_FLAGS = 256, MODEL_CHANNELS = 6, MODEL_PARTICIPANTS = 8, MODEL_VALUES = 8 };
enum { MODEL_UNKNOWN = 5 };

typedef struct model_extras {
    agentchat_extra list[MODEL_UNKNOWN];
    size_t count;
} model_extras;

typedef struct model_channel {
    agentchat_str key, type;
    agentchat_channel_kind kind;
    agentchat_str data;
    const agentchat_message *messages[MODEL_HISTORY];
    size_t message_count;
    const agentchat_snapshot *chat;
    size_t chat_levels;
    bool is_unknown; /* how far it was given the history */
    bool is_far;     /* said to know more than any history here has */
    bool waits_far;  /* a queued message lies as far */
    bool given[MODEL_FLAGS], queued[MODEL_FLAGS];
    model_extras extras;
} model_channel;

typedef struct model_participant {
    agentchat_str id, name, type;
    model_extras extras;
} model_participant;

typedef struct model_value {
    agentchat_str name, media_type, value;
} model_value;

typedef struct model_snapshot {
    size_t max_depth;
    agentchat_status status, or_status; /* the first failure; which may as well be the second one */
    const agentchat_message *history[MODEL_HISTORY];
    size_t count;
    model_channel channels[MODEL_CHANNELS];
    size_t channel_count;
    model_participant participants[MODEL_PARTICIPANTS];
    size_t participant_count;
    model_value values[MODEL_VALUES];
    size_t value_count;
    model_extras extras;
    size_t turn;
    bool complete;
    size_t levels; /* of containers that chats nested in it need, as the depth limit counts them */
} model_snapshot;

void model_snapshot_add_message(model_snapshot *m, const agentchat_message *message);
void model_snapshot_replace(model_snapshot *m, size_t first, size_t count, const agentchat_message *const *with,
                            size_t with_count);
void model_snapshot_add_participant(model_snapshot *m, model_participant participant);
/* NULL: refused. The caller fills what the kind needs. */
model_channel *model_snapshot_set_channel(model_snapshot *m, agentchat_str key, agentchat_str type,
                                          agentchat_channel_kind kind, agentchat_str data, size_t synced);
void model_snapshot_set_pending(model_snapshot *m, agentchat_str key, const size_t *positions, size_t count);
void model_snapshot_remove_channel(model_snapshot *m, agentchat_str key);
void model_snapshot_set_value(model_snapshot *m, model_value value);
/* Those of the snapshot, of a participant or of a channel; NULL: there is no such one, which is refused. */
model_extras *model_snapshot_extras(model_snapshot *m);
model_extras *model_snapshot_participant_extras(model_snapshot *m, agentchat_str id);
model_extras *model_snapshot_channel_extras(model_snapshot *m, agentchat_str key);
void model_snapshot_add_extra(model_snapshot *m, model_extras *extras, agentchat_extra extra);
void model_snapshot_remove_extra(const model_snapshot *m, model_extras *extras, agentchat_str name);
/* Before a channel is given a chat: whether it fits. */
void model_snapshot_nest(model_snapshot *m, const model_snapshot *chat);
void model_snapshot_fail(model_snapshot *m, agentchat_status status, agentchat_status or_status);
void model_snapshot_finish(model_snapshot *m);

/* Everything that the getters say; same: the messages and chats are the very same ones, else they mean the same. */
void model_snapshot_check(const model_snapshot *m, const agentchat_snapshot *snapshot, bool same);

#endif
