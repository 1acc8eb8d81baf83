/* SPDX-License-Identifier: Apache-2.0 */
/* Events as text: the public functions around the readers and writers of the formats. */
#include "format/event_io.h"

#include "base/error.h"
#include "format/adk/adk.h"
#include "format/native/event.h"
#include "state/state.h"

agentchat_status aci_event_io_read(const agentchat_env *env, agentchat_str text, agentchat_format format,
                                   const aci_event_location *location, agentchat_report *report, uint64_t *sequence,
                                   agentchat_event **out, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    *out = NULL;
    if (format == AGENTCHAT_FORMAT_NONE)
        status = aci_event_detect(env, text, &format, err);
    if (status < 0)
        return status;
    if (format == AGENTCHAT_FORMAT_ADK)
        return aci_adk_event_read(env, text, location, report, sequence, out, err);
    if (format == AGENTCHAT_FORMAT_AGENTCHAT)
        return aci_native_event_read(env, text, location, report, sequence, out, err);
    return aci_fail(err, AGENTCHAT_E_INVALID, "there are no events in the format %d", (int)format);
}

agentchat_status agentchat_event_read(const agentchat_env *env, agentchat_str text, agentchat_format format,
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

agentchat_status agentchat_event_write(const agentchat_event *event, agentchat_format format, agentchat_bytes *out,
                                       agentchat_report **report, agentchat_error *err)
{
    agentchat_report *notes = NULL;
    agentchat_status status;
    aci_buf line;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (event == NULL)
        return aci_fail_null(err, "event");
    if (out == NULL)
        return aci_fail_null(err, "out");
    if (format != AGENTCHAT_FORMAT_NONE && format != AGENTCHAT_FORMAT_AGENTCHAT && format != AGENTCHAT_FORMAT_ADK)
        return aci_fail(err, AGENTCHAT_E_INVALID, "events are not written in the format %d", (int)format);
    if (report != NULL) {
        notes = *report = aci_report_new(event->env);
        if (notes == NULL)
            return aci_fail_nomem(err);
    }
    aci_buf_init(&line, event->env, SIZE_MAX);
    status = format == AGENTCHAT_FORMAT_ADK
                 ? aci_adk_event_line(event, (agentchat_str){NULL, 0}, NULL, notes, &line, err)
                 : aci_event_text(event, &line, err);
    if (status >= 0)
        status = aci_bytes_take(out, &line, err);
    aci_buf_clear(&line);
    return status;
}
