/* SPDX-License-Identifier: Apache-2.0 */
/* Asking a model: what an agent sees as a provider's request, and the provider's answer as what the agent says. */
#ifndef AGENTCHAT_PROVIDER_H
#define AGENTCHAT_PROVIDER_H

#include <agentchat/agent.h>
#include <agentchat/report.h>
#include <agentchat/turn.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @file
 * An agent that asks a model, but for sending the request, which is yours (examples/ask_a_model.c):
 *
 *     status = agentchat_messages_format(agentchat_replies_seen(out), "anthropic",
 *                                        AGENTCHAT_STR("{\"model\":\"m\",\"max_tokens\":1024}"), NULL, &request,
 *                                        NULL, err);
 *     if (status >= 0)
 *         status = post(user, agentchat_bytes_str(&request), &body, err);
 *     if (status >= 0)
 *         status = agentchat_replies_add_document(out, "anthropic", agentchat_bytes_str(&body), NULL, err);
 */

/** Options of agentchat_messages_format(). */
typedef struct agentchat_messages_format_options {
    size_t struct_size;         /**< sizeof(agentchat_messages_format_options) */
    agentchat_str instructions; /**< what the agent is told, before all messages: the system's text; absent: nothing */
    bool strict;                /**< as it stands, not repaired for the provider (agentchat_repair()) */
    bool fail_on_loss;          /**< E_LOSS where anything would be lost */
} agentchat_messages_format_options;
/** Initializer: no instructions, repaired. */
#define AGENTCHAT_MESSAGES_FORMAT_OPTIONS_INIT                                                                         \
    {                                                                                                                  \
        sizeof(agentchat_messages_format_options), {NULL, 0}, false, false                                             \
    }
/**
 * AGENTCHAT_MESSAGES_FORMAT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_messages_format_options_init(agentchat_messages_format_options *options, size_t size);

/**
 * Writes messages in a format, such as a provider's request; for a provider they are repaired first, so that it accepts
 * them.
 * @param[in]  messages The messages, such as those that an agent sees; NULL is an empty list.
 * @param[in]  format   Name of a format that holds messages: "openai-chat", "openai-responses", "anthropic", …
 * @param[in]  members  JSON text of an object, whose members stand beside the messages: model, tools, …; absent: none,
 *                      and OpenAI's document is the array of messages or items alone.
 * @param[in]  options  Options, or NULL.
 * @param[out] out      The document, appended.
 * @param[out] report   What was repaired and lost (agentchat_report_free()); NULL: not wanted.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p members is no object, or has the messages; instructions are not UTF-8; there is no
 * such format, or it holds no messages.
 * @retval AGENTCHAT_E_SYNTAX  @p members is no JSON.
 * @retval AGENTCHAT_E_LOSS    see fail_on_loss.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_messages_format(const agentchat_messages *messages, const char *format, agentchat_str members,
                          const agentchat_messages_format_options *options, agentchat_bytes *out,
                          agentchat_report **report, agentchat_error *err);

/**
 * Adds a provider's answer to what an agent says: each of its messages, by agentchat_replies_add(), with the agent's
 * name. It is read as a whole before any is added.
 * @param[in]  out      The collector.
 * @param[in]  format   The format's name; NULL: it is detected.
 * @param[in]  document The answer, a document of the format.
 * @param[out] report   What reading it has to say (agentchat_report_free()); NULL: not wanted.
 * @param[out] err      Detail, or NULL. Of an answer that is an error of the provider, its beginning.
 * @retval AGENTCHAT_E_SCHEMA it is no answer, or there is no message in it.
 * @retval AGENTCHAT_E_SYNTAX it is no JSON; and the errors of agentchat_snapshot_read_memory().
 */
AGENTCHAT_API agentchat_status agentchat_replies_add_document(agentchat_replies *out, const char *format,
                                                              agentchat_str document, agentchat_report **report,
                                                              agentchat_error *err);
/** The same in a turn of two calls. @param[in] turn The turn. @param[in] format The format's name; NULL: it is
   detected.
   @param[in] document The answer. @param[out] report What reading it has to say; NULL: not wanted. @param[out] err
   Detail, or NULL. */
AGENTCHAT_API agentchat_status agentchat_turn_add_document(agentchat_turn *turn, const char *format,
                                                           agentchat_str document, agentchat_report **report,
                                                           agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
