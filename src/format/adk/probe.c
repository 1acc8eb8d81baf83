/* SPDX-License-Identifier: Apache-2.0 */
/* The marks of a session file of the ADKs: events beside what names the session. */
#include "format/adk/adk.h"

#include "format/adk/tables.h"
#include "format/kit/look.h"

aci_likeness aci_adk_session_probe(const char *data, size_t len)
{
    aci_look l = aci_look_begin(data, len);
    bool has_events = false, has_name = false, goes_on = aci_look_take(&l, '{');
    aci_likeness best = ACI_UNLIKE;
    agentchat_str name;

    while (goes_on && aci_look_member(&l, &name)) {
        if (aci_object_table_find(&aci_adk_session, name, NULL) < aci_adk_session.count)
            best = ACI_LIKELY;
        has_events = has_events || aci_look_means(name, "events");
        has_name = has_name || aci_look_means(name, "id") || aci_look_means(name, "appName") ||
                   aci_look_means(name, "app_name");
        goes_on = !(has_events && has_name) && aci_look_skip(&l);
    }
    return has_events && has_name ? ACI_CERTAIN : best;
}
