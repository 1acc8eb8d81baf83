/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold when the workers of a store have ended. */
#ifndef SESSION_VERDICT_H
#define SESSION_VERDICT_H

#include "session/scene.h"

/* Of appending workers, all of which have acknowledged whatever they began: no event is lost or doubled, each writer's
   are in its order, sequence numbers have no gaps; each app: and user: key has the value of the write with the highest
   revision, sums rose by one with each revision that counts, and the store is sound. Returns the number of events. */
size_t verdict_of_appending(agentchat_store *store, const char *app, const char *dir);

#endif
