/* SPDX-License-Identifier: Apache-2.0 */
/* Events as text: the public functions around the readers and writers of the formats. */
#include "format/event_io.h"

#include "base/error.h"
#include "format/registry.h"
#include "state/state.h"

agentchat_status aci_event_io_read(const agentchat_env *env, agentchat_str text, const char *format,
                                   const aci_event_location *location, agentchat_report *report, uint64_t *sequence,
                                   agentchat_event **out, agentchat_error *err)
{
    const aci_format *chosen = NULL;
    agentchat_status status;

    *out = NULL;
    status = format == NULL ? aci_event_detect(env, text, &chosen, err)
                            : aci_registry_choose(format, ACI_READ_EVENT, &chosen, err);
    return status < 0 ? status : chosen->read_event(env, text, location, report, sequence, out, err);
}

agentchat_status agentchat_event_read(const agentchat_env *env, agentchat_str text, const char *format,
                                      agentchat_event **out, agentchat_report **report, agentchat_error *err)
{
    agentchat_report *notes = NULL;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (report != NULL) {
        notes = *report = aci_report_new(aci_env(env));
        if (notes == NULL)
            return aci_fail_nomem(err);
    }
    if (text.ptr == NULL)
        text = AGENTCHAT_STR("");
    return aci_event_io_read(env, text, format, &aci_event_location_alone, notes, NULL, out, err);
}

agentchat_status agentchat_event_write(const agentchat_event *event, const char *format, agentchat_bytes *out,
                                       agentchat_report **report, agentchat_error *err)
{
    agentchat_report *notes = NULL;
    const aci_format *chosen;
    agentchat_status status;
    aci_buf line;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (event == NULL)
        return aci_fail_null(err, "event");
    if (out == NULL)
        return aci_fail_null(err, "out");
    status = aci_registry_choose(format != NULL ? format : "agentchat", ACI_WRITE_EVENT, &chosen, err);
    if (status < 0)
        return status;
    if (report != NULL) {
        notes = *report = aci_report_new(event->env);
        if (notes == NULL)
            return aci_fail_nomem(err);
    }
    aci_buf_init(&line, event->env, SIZE_MAX);
    status = chosen->write_event(event, notes, &line, err);
    if (status >= 0)
        status = aci_bytes_take(out, &line, err);
    aci_buf_clear(&line);
    return status;
}
