/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of errors. */
#include "format/kit/event_location.h"

#include "base/error.h"

const aci_event_location aci_event_location_alone = {{NULL, 0}, {NULL, 0}, 0, NULL, NULL};

void aci_event_location_error(const aci_event_location *location, agentchat_error *err)
{
    if (location->document.ptr != NULL && err->offset != AGENTCHAT_NO_OFFSET)
        aci_error_at_offset(err, location->document, location->offset + err->offset);
}
