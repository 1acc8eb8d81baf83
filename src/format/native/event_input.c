/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of all event formats begin with. */
#include "format/native/event.h"

#include "base/error.h"
#include "state/state.h"

agentchat_status aci_event_input_begin(aci_event_input *input, const agentchat_env *env, agentchat_str text,
                                       const aci_event_location *location, agentchat_report *report, uint32_t flags,
                                       uint32_t more_levels, agentchat_error *err)
{
    const aci_json_options options = {.flags = flags | ACI_JSON_FILE,
                                      .path_prefix = location->path,
                                      .max_depth = aci_env(env)->limits.max_depth + more_levels};

    return aci_native_input_begin(input, env, text, "the event has", &options, report, err);
}

agentchat_status aci_event_input_end(aci_event_input *input, const aci_event_location *location, agentchat_error *err)
{
    agentchat_status status = aci_native_input_end(input);

    if (status >= 0)
        return status;
    aci_event_location_error(location, &input->detail);
    if (err != NULL && err->code == 0)
        *err = input->detail;
    return status;
}

bool aci_event_input_text(aci_json_reader *r, agentchat_event_field field, agentchat_str *out)
{
    bool is_id = field == AGENTCHAT_EVENT_ID || field == AGENTCHAT_EVENT_INVOCATION;
    agentchat_error detail;

    if (!aci_json_string(r, out))
        return false;
    agentchat_error_clear(&detail);
    if (aci_event_check_text(field, *out, &detail) >= 0)
        return true;
    return aci_json_fail(r, is_id ? AGENTCHAT_E_INVALID : AGENTCHAT_E_SCHEMA, "%s", detail.message);
}

bool aci_event_input_key(aci_json_reader *r, const aci_event_draft *d, agentchat_str key)
{
    agentchat_error detail;
    aci_excerpt excerpt;

    agentchat_error_clear(&detail);
    if (aci_key_check(key, &detail) < 0)
        (void)aci_json_fail(r, AGENTCHAT_E_INVALID, "%s", detail.message);
    else if (aci_event_draft_has(d, key))
        (void)aci_json_fail(r, AGENTCHAT_E_SCHEMA, "the event changes the key \"%s\" twice",
                            aci_error_excerpt(key, &excerpt));
    return !aci_json_failed(r);
}

agentchat_status aci_event_input_finish(aci_event_draft *d, const aci_event_location *location, agentchat_event **out,
                                        agentchat_error *err)
{
    agentchat_error detail;
    agentchat_status status;

    agentchat_error_clear(&detail);
    status = aci_event_draft_finish(d, out, &detail);
    if (status >= 0)
        return status;
    aci_error_at(&detail, 0, 1, 1);
    aci_error_path(&detail, location->path); /* a location in the native format is none in the text */
    aci_event_location_error(location, &detail);
    if (err != NULL && err->code == 0)
        *err = detail;
    return status;
}
