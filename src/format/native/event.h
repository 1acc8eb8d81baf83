/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The native format of events (docs/formats/session.md): what its reader and writer share. Objects are tables of
 * properties in the order in which they are written, and extras stand as in format 1, so its tools do both.
 */
#ifndef ACI_FORMAT_NATIVE_EVENT_H
#define ACI_FORMAT_NATIVE_EVENT_H

#include "event/draft.h"
#include "format/kit/event_location.h"
#include "format/native/chat.h"

extern const aci_native_object aci_native_event, aci_native_actions;

/* Reads the native format from text, a copy of which the event keeps. Errors and report give the location in the larger
   document. *sequence (NULL: not wanted, and a `sequence` is noted in the report) is 0 when it has none. */
agentchat_status aci_native_event_read(const agentchat_env *env, agentchat_str text, const aci_event_location *location,
                                       agentchat_report *report, uint64_t *sequence, agentchat_event **out,
                                       agentchat_error *err);
/* Appends an event as one line without a line end; `sequence` stands first unless it is 0. Open-ended values stand as
   they are spelled, but for whitespace when one has a line end in it: then the whole line has none. out is unchanged on
   failure. E_NOMEM only. */
agentchat_status aci_native_event_line(const agentchat_event *event, uint64_t sequence, aci_buf *out,
                                       agentchat_error *err);

/* Appends the native format, one line without a line end. The same event gives the same bytes. E_NOMEM only. */
agentchat_status aci_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err);

/* ---- for the readers of all formats ----------------------------------------------------------------------------- */

typedef aci_native_input aci_event_input;

/* flags: of aci_json_options. more_levels: than the environment allows. E_NOMEM, E_LIMIT. On success to be ended with
   aci_event_input_end(). */
agentchat_status aci_event_input_begin(aci_event_input *input, const agentchat_env *env, agentchat_str text,
                                       const aci_event_location *location, agentchat_report *report, uint32_t flags,
                                       uint32_t more_levels, agentchat_error *err);
/* Releases what reading needed, not the arena. Returns the reader's status; err gets the failure with its location in
   the larger document. */
agentchat_status aci_event_input_end(aci_event_input *input, const aci_event_location *location, agentchat_error *err);
/* A string that a field of an event can hold. */
bool aci_event_input_text(aci_json_reader *r, agentchat_event_field field, agentchat_str *out);
/* Whether the key that was read last may be changed by this event, as the rules of keys have it and since it has not
   been yet; fails otherwise. */
bool aci_event_input_key(aci_json_reader *r, const aci_event_draft *d, agentchat_str key);
/* Ends a draft that was read: E_LIMIT and E_NOMEM, with the location of the event. */
agentchat_status aci_event_input_finish(aci_event_draft *d, const aci_event_location *location, agentchat_event **out,
                                        agentchat_error *err);

#endif
