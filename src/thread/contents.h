/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a checkpoint's row says of its chat: where its lists stand and which bodies its states are.
 *
 *     {"f":FRAME,"h":LIST,"t":TURN,"c":true,"k":[CHANNEL,…],"v":[VALUE,…]}
 *
 * The frame is a body: the chat as a document of format 1 whose history, states and values are empty. A LIST is
 * [segment,from,to], or [] where it is empty. A CHANNEL has "l":LIST, "b":BODY or "c":{a chat, as this one}, or none of
 * them; "s":SYNCED; "p":[[first,count],…] for what is queued. A VALUE has "l":LIST, of the elements of a JSON array, or
 * "b":BODY. Members that say nothing are left out. Channels and values stand in the order of the frame.
 */
#ifndef ACI_THREAD_CONTENTS_H
#define ACI_THREAD_CONTENTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "model/value_list.h"
#include "json/index.h"
#include <agentchat/message.h>

/* Positions [from, to) of a segment. seg 0: an empty list. */
typedef struct aci_range {
    int64_t seg, from, to;
} aci_range;
static inline int64_t aci_range_length(aci_range range)
{
    return range.to - range.from;
}

typedef struct aci_run { /* of positions in the history */
    size_t first, count;
} aci_run;

/* The beginning of a list that is held already: `count` elements of one of these, from `first` on (held.h). The range
   is that of the others then. */
typedef struct aci_held_list {
    const agentchat_messages *messages;
    const aci_value_list *values;
    size_t first, count;
} aci_held_list;

typedef enum aci_part_kind { ACI_PART_NONE = 0, ACI_PART_LIST = 1, ACI_PART_BODY = 2, ACI_PART_CHAT = 3 } aci_part_kind;

typedef struct aci_part { /* a channel's state, or a value */
    aci_part_kind kind;
    aci_range list;
    const int64_t *numbers; /* of the bodies in the list, once they were read */
    int64_t body;
    struct aci_contents *chat;
    aci_held_list held;
    agentchat_str held_bytes;           /* a state's, which need not be read; absent: not held */
    const struct aci_value *held_value; /* which the part is; NULL: not held */
    size_t synced;                      /* AGENTCHAT_SYNCED_UNKNOWN, or a channel's */
    aci_run *pending;
    size_t pending_count;
} aci_part;

typedef struct aci_contents {
    int64_t frame;
    aci_range history;
    const int64_t *numbers; /* of the bodies in the history, once they were read */
    aci_held_list held;
    uint64_t next_turn;
    bool is_complete;
    aci_part *channels, *values;
    size_t channel_count, value_count;
} aci_contents;

/* Appends the text. false: out of memory. */
bool aci_contents_write(const aci_contents *contents, aci_buf *out);
/* Gives each body that is named another number: the one that a function makes of it. */
typedef int64_t (*aci_contents_number_fn)(const void *user, int64_t number);
void aci_contents_renumber(aci_contents *contents, aci_contents_number_fn other, const void *user);
/* Reads it; everything lives in the arena. E_CORRUPT, E_LIMIT (nested deeper than the environment allows), E_NOMEM. */
agentchat_status aci_contents_read(const agentchat_env *env, agentchat_str text, aci_arena *arena, aci_contents **out,
                                   agentchat_error *err);

#endif
