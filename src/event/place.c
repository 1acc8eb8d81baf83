/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of errors. Layer 5. */
#include "event/place.h"

#include "base/error.h"
#include <string.h>

const aci_event_place aci_event_alone = {{NULL, 0}, {NULL, 0}, 0};

void aci_error_at_offset(agentchat_error *err, agentchat_str document, uint64_t offset)
{
    const char *line_start = document.ptr, *where, *p;
    uint32_t line = 1;

    if (document.len == 0 || offset > document.len) {
        aci_error_at(err, offset, 0, 0);
        return;
    }
    where = document.ptr + offset;
    while ((p = memchr(line_start, '\n', (size_t)(where - line_start))) != NULL) {
        line_start = p + 1;
        line++;
    }
    if ((uint64_t)(where - line_start) >= UINT32_MAX)
        aci_error_at(err, offset, 0, 0);
    else
        aci_error_at(err, offset, line, (uint32_t)(where - line_start) + 1);
}

void aci_event_place_error(const aci_event_place *place, agentchat_error *err)
{
    if (place->document.ptr != NULL && err->offset != AGENTCHAT_NO_OFFSET)
        aci_error_at_offset(err, place->document, place->offset + err->offset);
}
