/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions in a store over the faulty driver, and how they show as text. */
#ifndef FAULT_SCENE_H
#define FAULT_SCENE_H

#include "faulty_driver.h"
#include "support/test_support.h"

typedef struct scene {
    agentchat_env *env;
    agentchat_store *store;
    agentchat_session *session, *other;
    agentchat_event *event;
    char *log;
    size_t len, cap;
    uint64_t random;
    int64_t clock;
    char *dir; /* of the store's file; NULL: it is in memory, and has one connection */
} scene;

/* A store in a file or in memory, and an event. faulty: filled in, and used until the scene is closed. */
void open_scene(scene *s, bool in_file, aci_sql_driver *faulty);
void close_scene(scene *s);

/* These go after s->log. */
void say(scene *s, const char *format, ...);
void say_state(scene *s, const agentchat_state *state); /* keys and values in one order */
void say_session(scene *s, const agentchat_session *session);

#endif
