/* SPDX-License-Identifier: Apache-2.0 */
/* Asking a model: messages in a format with members of the caller's beside them, and an answer as what an agent says.
 */
#include <agentchat/provider.h>

#include "base/error.h"
#include "chat/turn.h"
#include "format/registry.h"
#include "format/snapshot_io.h"
#include "model/model.h"
#include <agentchat/json_text.h>
#include <stdio.h>
#include <string.h>

/* ==== the request ================================================================================================ */

void agentchat_messages_format_options_init(agentchat_messages_format_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status add_member(agentchat_snapshot_builder *builder, const agentchat_env *env,
                                   const agentchat_json_walk *walk, const aci_format *format, agentchat_error *err)
{
    bool is_provider_s = format->profile != NULL;
    const char *taken = format->messages_in;
    agentchat_bytes name = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    name.env = env;
    status = agentchat_json_decode(env, walk->key, &name, err);
    if (status >= 0 && is_provider_s && agentchat_str_equal(agentchat_bytes_str(&name), agentchat_str_from(taken)))
        status =
            aci_fail(err, AGENTCHAT_E_INVALID, "the members of a request have \"%s\", which is written here", taken);
    if (status >= 0)
        agentchat_snapshot_builder_add_extra(builder, agentchat_bytes_str(&name), walk->value,
                                             is_provider_s ? agentchat_str_from(format->about.name)
                                                           : (agentchat_str){NULL, 0});
    agentchat_bytes_clear(&name);
    return status;
}

/* The members become extras of the chat, as if they had been read. */
static agentchat_status add_members(agentchat_snapshot_builder *builder, const agentchat_env *env,
                                    agentchat_str members, const aci_format *format, agentchat_error *err)
{
    agentchat_json_walk walk;
    agentchat_str object;
    agentchat_status status;
    char form[100];

    if (members.ptr == NULL)
        return AGENTCHAT_OK;
    status = agentchat_json_check(env, members, &object, err);
    if (status < 0)
        return status;
    if (agentchat_json_kind_of(object) != AGENTCHAT_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the members of a request must be an object of JSON");
    (void)agentchat_json_walk_into(&walk, object);
    while (status >= 0 && agentchat_json_walk_next(&walk))
        status = add_member(builder, env, &walk, format, err);
    if (status < 0 || format->profile == NULL)
        return status;
    (void)snprintf(form, sizeof form, "{\"from\":\"%s\",\"value\":{\"as\":\"body\"}}", format->about.name);
    agentchat_snapshot_builder_set_form(builder, agentchat_str_from(form));
    return status;
}

static agentchat_status add_instructions(agentchat_snapshot_builder *builder, const agentchat_env *env,
                                         agentchat_str text, agentchat_error *err)
{
    agentchat_message *message = NULL;
    agentchat_status status;

    if (text.ptr == NULL || agentchat_str_is_null(text))
        return AGENTCHAT_OK;
    status = agentchat_message_new_text(env, "system", (agentchat_str){NULL, 0}, text, &message, err);
    if (status >= 0)
        agentchat_snapshot_builder_add_message(builder, message);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status build(const agentchat_messages *messages, const aci_format *format, agentchat_str members,
                              const agentchat_messages_format_options *options, agentchat_snapshot **out,
                              agentchat_error *err)
{
    const agentchat_env *env = messages != NULL ? messages->env : NULL;
    agentchat_snapshot_builder *builder = NULL;
    agentchat_status status = agentchat_snapshot_builder_new(env, NULL, &builder, err);

    if (status >= 0)
        status = add_instructions(builder, env, options->instructions, err);
    for (size_t i = 0; status >= 0 && i < agentchat_messages_count(messages); i++)
        agentchat_snapshot_builder_add_message(builder, agentchat_messages_at(messages, i));
    if (status >= 0)
        status = add_members(builder, env, members, format, err);
    if (status >= 0)
        return agentchat_snapshot_builder_finish(builder, out, err);
    agentchat_snapshot_builder_free(builder);
    return status;
}

agentchat_status agentchat_messages_format(const agentchat_messages *messages, const char *format,
                                           agentchat_str members, const agentchat_messages_format_options *options,
                                           agentchat_bytes *out, agentchat_report **report, agentchat_error *err)
{
    agentchat_write_options writing = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_messages_format_options opts;
    agentchat_snapshot *snapshot = NULL;
    const aci_format *chosen;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (format == NULL || out == NULL)
        return aci_fail_null(err, format == NULL ? "format" : "out");
    status = aci_env_options_load(&opts, sizeof opts, options, err);
    if (status >= 0)
        status = aci_registry_choose(format, ACI_WRITE_CHAT, &chosen, err);
    if (status >= 0)
        status = build(messages, chosen, members, &opts, &snapshot, err);
    if (status < 0)
        return status;
    writing.format = format;
    writing.strict = opts.strict;
    writing.fail_on_loss = opts.fail_on_loss;
    status = aci_snapshot_io_write_foreign(snapshot, &writing, out, report, err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* ==== the answer ================================================================================================= */

static agentchat_str member_of(agentchat_str object, const char *name)
{
    agentchat_json_walk walk;

    (void)agentchat_json_walk_into(&walk, object);
    while (agentchat_json_walk_next(&walk))
        if (walk.key.ptr != NULL && agentchat_json_equal(walk.key, agentchat_str_from(name)))
            return walk.value;
    return (agentchat_str){NULL, 0};
}

/* Foreign text, so that it can be seen. */
static void show(agentchat_str text, char *out, size_t size)
{
    aci_excerpt excerpt;
    size_t len = 0;

    *out = '\0';
    for (size_t at = 0, end; at < text.len && len + sizeof excerpt.text < size; at = end) {
        end = text.len - at > 32 ? at + 32 : text.len;
        while (end < text.len && end > at + 1 && ((unsigned char)text.ptr[end] & 0xC0u) == 0x80u)
            end--;
        len += (size_t)snprintf(out + len, size - len, "%s",
                                aci_error_excerpt((agentchat_str){text.ptr + at, end - at}, &excerpt));
    }
}

/* What a document is that holds no message: what the provider says in an error, or how it begins. */
static agentchat_status fail_without_answer(const agentchat_env *env, agentchat_str document, agentchat_status status,
                                            agentchat_error *err)
{
    agentchat_str object, said = {NULL, 0};
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    char shown[600];

    if (status < 0 && status != AGENTCHAT_E_SCHEMA)
        return status;
    text.env = env;
    agentchat_error_clear(err);
    if (agentchat_json_check(env, document, &object, NULL) >= 0)
        said = member_of(member_of(object, "error"), "message");
    if (agentchat_json_kind_of(said) == AGENTCHAT_JSON_STRING && agentchat_json_decode(env, said, &text, NULL) >= 0) {
        show(agentchat_bytes_str(&text), shown, sizeof shown);
        status = aci_fail(err, AGENTCHAT_E_SCHEMA, "the provider answers with an error: %s", shown);
    } else {
        show(document, shown, 200);
        status = aci_fail(err, AGENTCHAT_E_SCHEMA, "this is no answer of a model: %s", shown);
    }
    agentchat_bytes_clear(&text);
    return status;
}

agentchat_status agentchat_replies_add_document(agentchat_replies *out, const char *format, agentchat_str document,
                                                agentchat_report **report, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot = NULL;
    const agentchat_messages *history;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    options.format = format;
    status = agentchat_snapshot_read_memory(agentchat_replies_env(out), document, &options, &snapshot, report, err);
    history = agentchat_snapshot_history(snapshot);
    if (status < 0 || agentchat_messages_count(history) == 0)
        status = fail_without_answer(agentchat_replies_env(out), document, status, err);
    for (size_t i = 0; status >= 0 && i < agentchat_messages_count(history); i++)
        status = agentchat_replies_add(out, agentchat_messages_at(history, i), err);
    agentchat_snapshot_unref(snapshot);
    return status;
}

agentchat_status agentchat_turn_add_document(agentchat_turn *turn, const char *format, agentchat_str document,
                                             agentchat_report **report, agentchat_error *err)
{
    return agentchat_replies_add_document(turn != NULL ? aci_turn_replies(turn) : NULL, format, document, report, err);
}
