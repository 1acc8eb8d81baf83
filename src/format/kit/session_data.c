/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/session_data.h"

#include "base/env.h"

void aci_session_data_clear(aci_session_data *data)
{
    for (size_t i = 0; i < data->event_count; i++)
        agentchat_event_unref(data->events[i]);
    if (data->env != NULL) {
        aci_free(data->env, data->events, data->event_cap * sizeof *data->events);
        aci_free(data->env, data->indices, data->index_cap * sizeof *data->indices);
    }
    agentchat_state_free(data->state);
    agentchat_state_free(data->initial);
    aci_arena_unref(data->arena);
    memset(data, 0, sizeof *data);
}
