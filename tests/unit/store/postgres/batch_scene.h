/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of batches share: a table of notes and a connection to it. */
#ifndef BATCH_SCENE_H
#define BATCH_SCENE_H

#include "postgres_support.h"

extern char *database; /* of this program; main() sets it */

typedef struct scene {
    aci_postgres_connection *c;
    aci_sql_outcome outcome;
    agentchat_error err;
} scene;

int set_up(void **state); /* for cmocka; *state becomes a scene, and the table is empty */
int tear_down(void **state);

/* A batch, with the scene's outcome and error. */
agentchat_status run(scene *s, unsigned flags, aci_sql_request *requests, size_t count);
void assert_usable(scene *s);

#endif
