/* SPDX-License-Identifier: Apache-2.0 */
/* What a compaction of our own holds. */
#include "format/adk/compaction.h"

#include "event/time.h"
#include "format/native/message_json.h"
#include "json/walk.h"

bool aci_adk_compaction_has(agentchat_str name)
{
    return agentchat_str_equal(name, AGENTCHAT_STR("start")) || agentchat_str_equal(name, AGENTCHAT_STR("end")) ||
           agentchat_str_equal(name, AGENTCHAT_STR("content"));
}

/* Takes one of these apart; false: it is not what this library writes. */
static bool take_member(aci_raw_reader *a, aci_adk_compaction_parts *c, agentchat_str name, agentchat_str value)
{
    agentchat_str *time = agentchat_str_equal(name, AGENTCHAT_STR("start")) ? &c->start
                          : agentchat_str_equal(name, AGENTCHAT_STR("end")) ? &c->end
                                                                            : NULL;
    aci_time ignored;

    if (time != NULL)
        return time->ptr == NULL && *value.ptr == '"' && aci_raw_reader_decode(a, value, time) &&
               aci_time_parse(*time, &ignored);
    if (c->content != NULL || *value.ptr != '{')
        return false;
    if (aci_message_json_read(a->env, value, NULL, &c->content, NULL) == AGENTCHAT_E_NOMEM)
        a->status = AGENTCHAT_E_NOMEM;
    return c->content != NULL;
}

bool aci_adk_compaction_read(aci_raw_reader *a, aci_adk_compaction_parts *c, agentchat_str json)
{
    agentchat_str name;
    aci_walk walk;

    *c = (aci_adk_compaction_parts){{NULL, 0}, {NULL, 0}, NULL, false};
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk)) {
        if (!aci_raw_reader_decode(a, walk.key, &name) ||
            (aci_adk_compaction_has(name) && !take_member(a, c, name, walk.value)))
            return false;
        c->has_others = c->has_others || !aci_adk_compaction_has(name);
    }
    return c->start.ptr != NULL && c->end.ptr != NULL && c->content != NULL;
}
