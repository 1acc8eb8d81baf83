/* SPDX-License-Identifier: Apache-2.0 */
/* Where the text of an event stands in a larger document, so that errors give the location there. */
#ifndef ACI_FORMAT_KIT_EVENT_LOCATION_H
#define ACI_FORMAT_KIT_EVENT_LOCATION_H

#include "json/index.h"
#include <agentchat/base.h>

typedef struct aci_event_location {
    agentchat_str path;          /* JSON Pointer of the event */
    agentchat_str document;      /* absent: the text is the document */
    uint64_t offset;             /* of the text in it */
    const aci_json_index *index; /* of the document, whose levels were counted; NULL: the text is to be checked */
    aci_json_index *part;        /* memory for that of the text, used for one event after the other; NULL with index */
} aci_event_location;

extern const aci_event_location aci_event_location_alone;

/* Turns a position in the text into one in the document. */
void aci_event_location_error(const aci_event_location *location, agentchat_error *err);

#endif
