/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A life of a chat beside a model of it, for fuzz_chat.c.
 *
 * Every message bears a number, so a history, a batch and what an agent knows are lists of numbers. The model of a chat
 * is one such list; whatever happens, what each channel was given is the beginning of it: nothing missed, nothing
 * twice, in order. Chats stand in nodes: the outermost one, and one for each chat inside an aggregator.
 */
#ifndef AGENTCHAT_FUZZ_CHAT_MODEL_H
#define AGENTCHAT_FUZZ_CHAT_MODEL_H

#include "failing_memory.h"

enum { NUMBERS = 300, HISTORY_ROOM = 60, SPEECH_ROOM = 100, THREADS = 24, VALUES = 3, SEATS = 9 };

typedef struct numbers {
    uint16_t list[NUMBERS];
    size_t count;
} numbers;

typedef enum seat_kind {
    SEAT_HISTORY,  /* a history agent */
    SEAT_TEXT,     /* a custom channel that saves text, with history and reset */
    SEAT_BYTES,    /* … that saves bytes, without either */
    SEAT_MESSAGES, /* … that saves messages, with history */
    SEAT_THREAD,
    SEAT_FLAT, /* aggregators */
    SEAT_NESTED
} seat_kind;

/* The agents that may join the outermost chat, and those of inner chats. */
typedef struct seat_info {
    seat_kind kind;
    const char *name, *id; /* id NULL: generated */
    const char *key;       /* of custom channels */
} seat_info;

extern const seat_info outer_seats[SEATS];

typedef struct world world;
typedef struct node node;

typedef struct seat { /* user pointer of an agent; goes with the agent */
    node *owner;
    const seat_info *info;
} seat;

struct node {
    world *w;
    agentchat_chat *chat;
    node *outer, *next;
    size_t holders; /* seats, and who made it */
    size_t depth;
    numbers said; /* by its own agents since the operation began */
};

typedef struct instance { /* a custom channel */
    world *w;
    node *owner;
    const seat_info *info;
    numbers seen;
    struct instance *next;
} instance;

/* Calls that can be made to fail. */
typedef enum fault {
    FAULT_CREATE,
    FAULT_RECEIVE,
    FAULT_ANSWER,   /* before it says anything */
    FAULT_ANSWERED, /* after it has said all */
    FAULT_SAVE,
    FAULT_RESTORE,
    FAULT_RESET,
    FAULT_MAKE,
    FAULT_CHECK,
    FAULT_COMPLETE,
    FAULTS
} fault;

typedef struct value {
    bool is_set, is_bytes;
    uint8_t content;
} value;

/* What a snapshot must bring back. */
typedef struct saved {
    agentchat_snapshot *snapshot;
    numbers history;
    numbers threads[THREADS];
    value values[VALUES];
    size_t turn; /* index of the agent whose turn it is */
    bool complete;
} saved;

struct world {
    fuzz_input in;
    fuzz_memory memory;
    node *nodes; /* all that live */
    instance *instances;
    node *top;
    numbers threads[THREADS]; /* what the service keeps, by thread; survives every chat */
    size_t thread_count;
    uint16_t next_number;

    /* the model of the outermost chat */
    numbers history;
    value values[VALUES];
    size_t turn;
    bool complete;
    saved saved;

    /* what the agents are to do */
    uint8_t until[FAULTS]; /* the call after so many fails; 255: none */
    uint8_t says;          /* messages of each answer */
    bool meddles;          /* callbacks call their own chat */
    bool completes;        /* answers mark the chat as complete */
    bool recreates;        /* threads are not kept on restore */
    bool calm;             /* nothing of this happens */

    /* what happened since the operation began */
    size_t fired;
    size_t memory_failures; /* before it */
    bool completed;
    bool turn_is_over; /* what failed came after it */
    numbers all_said;
};

/* ---- chat_model.c --------------------------------------------------------------------------------------------- */

void numbers_add(numbers *list, uint16_t number);
void numbers_add_all(numbers *list, const numbers *more);
bool numbers_equal(const numbers *a, const numbers *b);
bool numbers_begin_with(const numbers *list, const numbers *beginning);
bool numbers_contain(const numbers *list, uint16_t number);
/* The numbers of `list` that `in` has, too. */
numbers numbers_within(const numbers *list, const numbers *in);
/* Without the numbers that history channels do not take. */
numbers numbers_heard(const numbers *list);
numbers numbers_of(const agentchat_messages *messages);
bool is_silent(uint16_t number);
/* A message with the next number; NULL when out of memory. */
agentchat_status new_message(world *w, const char *role, agentchat_message **out, agentchat_error *err);

node *node_new(world *w, node *outer, agentchat_error *err); /* its chat is NULL when memory is out */
void node_release(node *n);
/* Frees a chat, and then its node is gone. */
void node_free(node *n);

/* Whether the call is to fail. */
bool fires(world *w, fault which);
bool disturbed(const world *w);     /* since the operation began something failed on purpose */
bool out_of_memory(const world *w); /* … an allocation */
void operation_begin(world *w);
void calm_down(world *w);

/* ---- chat_agents.c -------------------------------------------------------------------------------------------- */

/* Makes an agent and adds it to the chat. */
agentchat_status agent_join(node *n, const seat_info *info, agentchat_error *err);
/* Tries everything that an active chat refuses. */
void meddle(node *n);

/* ---- chat_checks.c -------------------------------------------------------------------------------------------- */

/* Everything that holds between operations. */
void check_world(world *w);
/* What a snapshot of the chat must say. */
void check_snapshot(world *w, const agentchat_snapshot *snapshot, const numbers *history);
/* Everything that the chat would save as it stands, as bytes. */
agentchat_bytes picture(world *w, agentchat_chat *chat);
bool pictures_equal(const agentchat_bytes *a, const agentchat_bytes *b);
/* Nothing fails any more: every channel catches up. */
void check_caught_up(world *w);

/* ---- chat_restore.c ------------------------------------------------------------------------------------------- */

void save(world *w);
void restore_fresh(world *w);
void restore_here(world *w);

#endif
