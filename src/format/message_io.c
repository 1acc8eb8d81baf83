/* SPDX-License-Identifier: Apache-2.0 */
/* Messages as JSON text: the public functions around the reader and the writer of the native format. */
#include <agentchat/message.h>

#include "base/error.h"
#include "format/native/message_json.h"
#include "state/state.h"

/* Checks the arguments of a reading function and makes its report; *notes is NULL when none is wanted. */
static agentchat_status begin_reading(const agentchat_env *env, agentchat_str json, agentchat_report **report,
                                      agentchat_report **notes, agentchat_error *err)
{
    *notes = NULL;
    if (json.ptr == NULL || agentchat_str_is_null(json))
        return aci_fail(err, AGENTCHAT_E_INVALID, "there is no JSON text to read");
    if (report == NULL)
        return AGENTCHAT_OK;
    *notes = *report = aci_report_new(aci_env(env));
    return *notes != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status agentchat_message_read(const agentchat_env *env, agentchat_str json, agentchat_message **out,
                                        agentchat_report **report, agentchat_error *err)
{
    agentchat_report *notes;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = begin_reading(env, json, report, &notes, err);
    return status < 0 ? status : aci_message_json_read(env, json, notes, out, err);
}

agentchat_status agentchat_messages_read(const agentchat_env *env, agentchat_str json, agentchat_messages **out,
                                         agentchat_report **report, agentchat_error *err)
{
    agentchat_report *notes;
    agentchat_messages list;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = begin_reading(env, json, report, &notes, err);
    if (status >= 0)
        status = aci_message_json_read_list(env, json, notes, &list, err);
    if (status < 0)
        return status;
    status = agentchat_messages_ref(&list, out, err);
    aci_list_clear(&list);
    return status;
}

/* Gives the caller what was written into line, which is released; status: of writing it. */
static agentchat_status end_writing(agentchat_status status, aci_buf *line, agentchat_bytes *out, agentchat_error *err)
{
    if (status >= 0)
        status = aci_bytes_take(out, line, err);
    aci_buf_clear(line);
    return status;
}

agentchat_status agentchat_message_write(const agentchat_message *message, agentchat_bytes *out, agentchat_error *err)
{
    const agentchat_env *env;
    aci_buf line;

    agentchat_error_clear(err);
    if (message == NULL || out == NULL)
        return aci_fail_null(err, message == NULL ? "message" : "out");
    env = aci_arena_env(message->arena);
    aci_buf_init(&line, env, SIZE_MAX);
    return end_writing(aci_message_json_write(env, message, &line, err), &line, out, err);
}

agentchat_status agentchat_messages_write(const agentchat_messages *messages, agentchat_bytes *out,
                                          agentchat_error *err)
{
    aci_buf line;

    agentchat_error_clear(err);
    if (messages == NULL || out == NULL)
        return aci_fail_null(err, messages == NULL ? "messages" : "out");
    aci_buf_init(&line, messages->env, SIZE_MAX);
    return end_writing(aci_message_json_write_list(messages->env, messages, &line, err), &line, out, err);
}
