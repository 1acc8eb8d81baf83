/* SPDX-License-Identifier: Apache-2.0 */
/* Where the text of an event stands in a larger document, so that errors tell the place there. Layer 5. */
#ifndef ACI_EVENT_PLACE_H
#define ACI_EVENT_PLACE_H

#include <agentchat/base.h>

typedef struct aci_event_place {
    agentchat_str path;     /* JSON Pointer of the event */
    agentchat_str document; /* absent: the text is the document */
    uint64_t offset;        /* of the text in it */
} aci_event_place;

extern const aci_event_place aci_event_alone;

/* Turns a position in the text into one in the document. */
void aci_event_place_error(const aci_event_place *place, agentchat_error *err);
/* Sets offset, line and column of a place in a document. */
void aci_error_at_offset(agentchat_error *err, agentchat_str document, uint64_t offset);

#endif
