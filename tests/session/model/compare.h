/* SPDX-License-Identifier: Apache-2.0 */
/* Holding the service against the model. A difference prints the seed and everything that was done, and fails. */
#ifndef SESSION_MODEL_COMPARE_H
#define SESSION_MODEL_COMPARE_H

#include "session/model/model.h"
#include "session/scene.h"

/* A new sequence; what is noted is for the one that fails. */
void compare_begin(uint64_t seed);
void compare_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void compare_note_event(const model_event *event);

/* The model's as the library's own. */
agentchat_state *compare_state_of(scene *s, const model_map *map);
agentchat_event *compare_event_of(scene *s, const model_event *event);

void compare_outcome(agentchat_status status, const agentchat_error *err, model_outcome wanted);
void compare_number(const char *what, uint64_t found, uint64_t wanted);
void compare_map(const agentchat_state *state, const model_map *map);
/* All that a handle shows. Ids that the store has made are learned. */
void compare_handle(const agentchat_session *session, model_world *world, const model_view *view);
void compare_page(const agentchat_session_list *page, const model_world *world, const model_row *rows, size_t count,
                  bool more);
/* Prints what was compared, so that a run that did nothing is seen. */
void compare_report(unsigned long sequences);

#endif
