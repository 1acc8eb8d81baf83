/* SPDX-License-Identifier: Apache-2.0 */
/* A file with sessions in it that is damaged again and again, and what may come of that. */
#ifndef SESSION_DAMAGE_H
#define SESSION_DAMAGE_H

#include "session/scene.h"

enum { DAMAGE_SESSIONS = 4 };

typedef struct damaged {
    char *dir, *path;
    char url[4200];
    char *sound; /* the file as it was made */
    size_t len;
    char *texts[DAMAGE_SESSIONS]; /* what reading each of its sessions gives */
} damaged;

/* Makes the file: sessions s0 to s3 of user u and application app, with events, state of all scopes, and what rewinding
   needs; closed, and without a log beside it. */
void damage_begin(damaged *d);
void damage_end(damaged *d);
/* Replaces it by other bytes; the sound ones when NULL. */
void damage_write(const damaged *d, const char *bytes, size_t len);
/* Runs SQL on the sound file by another program. */
void damage_run(const damaged *d, const char *statements);

/* Runs SQL on the file as it is now. */
void damage_poke(const damaged *d, const char *statements);

/* Everything that reading a session gives, as text; free(). NULL: it failed, *status says how. */
char *damage_read(agentchat_store *store, const char *id, agentchat_status *status, agentchat_error *err);
/* What the store's own check found. */
typedef struct damage_found {
    agentchat_status status;
    agentchat_error err;
    size_t parts, problems;
    char text[8192]; /* "PART: PROBLEM" of each, in lines */
} damage_found;
void damage_check(agentchat_store *store, damage_found *out);
/* Whether a status is one that a damaged file may give. */
bool damage_may_say(agentchat_status status);

#endif
