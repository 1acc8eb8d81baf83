/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values that events hold. */
#include "event/values.h"

#include "base/error.h"
#include "model/check.h"
#include "json/value.h"
#include "json/walk.h"

static bool is_strings(agentchat_str json)
{
    aci_walk walk;

    if (aci_json_kind_of(json) != ACI_JSON_ARRAY)
        return false;
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk))
        if (aci_json_kind_of(walk.value) != ACI_JSON_STRING)
            return false;
    return true;
}

const char *aci_event_wants(agentchat_event_field field, agentchat_str json)
{
    aci_json_kind kind = aci_json_kind_of(json);

    if (field == AGENTCHAT_EVENT_LONG_RUNNING)
        return is_strings(json) ? NULL : "an array of strings";
    if (field == AGENTCHAT_EVENT_ARTIFACTS || field == AGENTCHAT_EVENT_COMPACTION)
        return kind == ACI_JSON_OBJECT ? NULL : "an object";
    return kind == ACI_JSON_TRUE || kind == ACI_JSON_FALSE ? NULL : "true or false";
}

agentchat_status aci_event_check_json(const agentchat_env *env, agentchat_event_field field, agentchat_str *json,
                                      agentchat_error *err)
{
    agentchat_status status = aci_check_json(env, json, err);
    const char *wanted = status < 0 ? NULL : aci_event_wants(field, *json);

    if (wanted != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the value must be %s", wanted);
    return status;
}
