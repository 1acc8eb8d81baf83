/* SPDX-License-Identifier: Apache-2.0 */
/* Open-ended values as jansson's json_t. The only public header that needs jansson.h; agentchat.h does not include it.
 */
#ifndef AGENTCHAT_JSON_H
#define AGENTCHAT_JSON_H

#include <agentchat/message.h>
#include <jansson.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Turns JSON text, such as a message's metadata or a call's arguments, into a jansson value that equals it. A value
 * that jansson cannot hold unchanged is refused, never altered; its text is always there.
 * @param[in]  text JSON text.
 * @param[out] out  A new reference; NULL on failure.
 * @param[out] err  Detail, or NULL; path is the JSON Pointer inside the value.
 * @retval AGENTCHAT_E_UNSUPPORTED an integer beyond 64 bits, a number beyond the range or precision of a double,
 *                                 duplicate keys, a lone surrogate, deeper than jansson reads.
 * @retval AGENTCHAT_E_SYNTAX      not JSON.
 * @retval AGENTCHAT_E_INVALID     @p text is absent or null.
 * @threadsafe As jansson is.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_json_load(agentchat_str text, json_t **out,
                                                                       agentchat_error *err);

/**
 * Turns a jansson value into compact JSON text: keys in the order in which they were inserted, reals in the shortest
 * spelling that reads back as the same double.
 * @param[in]     env   Environment or NULL.
 * @param[in]     value The value; borrowed.
 * @param[in,out] out   Started with AGENTCHAT_BYTES_INIT; the text is appended; unchanged on failure.
 * @param[out]    err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p value is NULL, or a string in it is not UTF-8.
 * @retval AGENTCHAT_E_LIMIT   deeper than the environment allows.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_json_dump(const agentchat_env *env, const json_t *value,
                                                                       agentchat_bytes *out, agentchat_error *err);

/** agentchat_message_builder_set() with a jansson value. @param[in] builder The builder. @param[in] field A JSON field.
    @param[in] value Borrowed. */
AGENTCHAT_API void agentchat_message_builder_set_json(agentchat_message_builder *builder, agentchat_field field,
                                                      const json_t *value);

/** agentchat_message_builder_set_item() with a jansson value. @param[in] builder The builder. @param[in] field A JSON
   field.
    @param[in] value Borrowed. */
AGENTCHAT_API void agentchat_message_builder_set_item_json(agentchat_message_builder *builder, agentchat_field field,
                                                           const json_t *value);

/** agentchat_message_get() and agentchat_json_load() in one. @param[in] message NULL gives an absent field.
    @param[in] field A JSON field. @param[out] out A new reference; NULL when the field is absent (the status is OK
   then) or on failure.
    @param[out] err Detail, or NULL. */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_get_json(const agentchat_message *message,
                                                                              agentchat_field field, json_t **out,
                                                                              agentchat_error *err);

/** agentchat_item_get() and agentchat_json_load() in one. @param[in] item NULL gives an absent field.
    @param[in] field A JSON field. @param[out] out A new reference; NULL when the field is absent (the status is OK
   then) or on failure.
    @param[out] err Detail, or NULL. */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_item_get_json(const agentchat_item *item,
                                                                           agentchat_field field, json_t **out,
                                                                           agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
