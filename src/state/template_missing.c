/* SPDX-License-Identifier: Apache-2.0 */
/* The list of what a template names and nobody has, as far as it fits into a message. */
#include "state/template.h"

#include <stdio.h>
#include <string.h>

void aci_template_missing_add(aci_template_missing *missing, agentchat_str name, size_t offset)
{
    enum { ROOM_FOR_THE_REST = 48 }; /* "no value for ", " and N more" and a NUL */
    char item[sizeof missing->list];
    aci_excerpt shown;
    size_t len;

    if (missing->count++ == 0)
        missing->first = offset;
    len = (size_t)snprintf(item, sizeof item, "%s{%s} at byte %zu", missing->len > 0 ? ", " : "",
                           aci_error_excerpt(name, &shown), offset);
    if (missing->left_out > 0 || missing->len + len + ROOM_FOR_THE_REST > sizeof missing->list) {
        missing->left_out++;
        return;
    }
    memcpy(missing->list + missing->len, item, len);
    missing->len += len;
}

void aci_template_missing_message(const aci_template_missing *missing, char out[ACI_MISSING_SIZE])
{
    int len = snprintf(out, ACI_MISSING_SIZE, "no value for %.*s", (int)missing->len, missing->list);

    if (missing->left_out > 0)
        (void)snprintf(out + len, ACI_MISSING_SIZE - (size_t)len, " and %zu more", missing->left_out);
}
