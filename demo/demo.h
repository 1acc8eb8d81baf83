/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the demo share. */
#ifndef DEMO_H
#define DEMO_H

#include <agentchat/agentchat.h>

/* Prints one line in plain words, at once, so that the lines of several processes stand in order. */
void demo_say(const char *format, ...) AGENTCHAT_PRINTF(1, 2);
/* DIR/NAME; ends the program when that is too long. */
typedef struct demo_path {
    char text[1024];
} demo_path;
demo_path demo_join(const char *dir, const char *name);

/* ---- remote.c: a service that keeps threads; a directory of files stands for it ---- */

/* One note of a thread, as `AUTHOR: TEXT`. */
typedef struct demo_note {
    char text[256];
} demo_note;

bool remote_create(const char *dir, demo_note *out_id);
bool remote_add(const char *dir, const char *id, const demo_note *note);
size_t remote_length(const char *dir, const char *id);
bool remote_read(const char *dir, const char *id, size_t index, demo_note *out);
/* A message as the service keeps it. */
demo_note demo_note_of(const agentchat_message *message);

/* ---- team.c: the chat and its agents ---- */

typedef struct demo_team {
    const char *remote; /* directory of the service */
    /* Called inside an answer of the Archivist, when the service has its part and the chat has not; NULL: nothing. */
    void (*inside_answer)(void *user);
    void *user;
    /* Thread that the Archivist used last. */
    demo_note thread;
} demo_team;

/* A chat with the whole team, unused; NULL when that fails. The team must outlive it. */
agentchat_chat *demo_chat_new(demo_team *team, agentchat_error *err);

/* ---- script.c: what is said ---- */

typedef struct demo_step {
    const char *question; /* of the user */
    const char *who;      /* is to answer */
} demo_step;
extern const demo_step demo_steps[];
extern const size_t demo_step_count;

/* Runs steps from `first` on; after each one the chat is saved to DIR/chat.json and the step noted in
   DIR/completed.txt. before(user, step) is called in front of each step; NULL: nothing. */
agentchat_status demo_run(agentchat_chat *chat, size_t first, const char *dir, void (*before)(void *user, size_t step),
                          void *user, agentchat_error *err);
/* How many steps a chat has behind it. */
size_t demo_steps_done(agentchat_str value);
#define DEMO_STEPS_DONE AGENTCHAT_STR("steps_done")

/* ---- verify.c ---- */

/* Compares chat.json in DIR with what must be there; at-the-kill.json is the file as the killed process left it. */
bool demo_verify(const char *dir);

#endif
