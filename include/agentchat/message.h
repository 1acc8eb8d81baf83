/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and their items: built once, immutable, reference-counted, shared by every history that holds them. */
#ifndef AGENTCHAT_MESSAGE_H
#define AGENTCHAT_MESSAGE_H

#include <agentchat/base.h>
#include <agentchat/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An immutable message. Any number of threads may read and count references to one at the same time. */
typedef struct agentchat_message agentchat_message;
/** A part of a message: a view that lives as long as the message. */
typedef struct agentchat_item agentchat_item;
/** An immutable list of messages, oldest first: a history, a batch, what a channel has seen. */
typedef struct agentchat_messages agentchat_messages;
/** A message being built. One thread at a time. */
typedef struct agentchat_message_builder agentchat_message_builder;

/** What an item is. Numbers are stable; new kinds are added at the end. */
typedef enum agentchat_item_kind {
    AGENTCHAT_ITEM_TEXT = 1,       /**< TEXT, REFUSAL */
    AGENTCHAT_ITEM_IMAGE = 2,      /**< URI and/or data */
    AGENTCHAT_ITEM_AUDIO = 3,      /**< URI and/or data */
    AGENTCHAT_ITEM_BINARY = 4,     /**< URI and/or data */
    AGENTCHAT_ITEM_CALL = 5,       /**< a function call: CALL_ID, PLUGIN, FUNCTION, ARGUMENTS, EXCEPTION */
    AGENTCHAT_ITEM_RESULT = 6,     /**< a function's result: CALL_ID, PLUGIN, FUNCTION, RESULT, FAILED and/or content */
    AGENTCHAT_ITEM_ANNOTATION = 7, /**< KIND, LABEL, REFERENCE_ID, TITLE, START_INDEX, END_INDEX */
    AGENTCHAT_ITEM_FILE = 8,       /**< a file reference: FILE_ID, TOOLS */
    AGENTCHAT_ITEM_REASONING = 9,  /**< TEXT, REDACTED */
    AGENTCHAT_ITEM_ACTION = 10,    /**< TEXT */
    AGENTCHAT_ITEM_MESSAGE = 11,   /**< a nested message: agentchat_item_message() */
    AGENTCHAT_ITEM_OPAQUE = 12,    /**< a kind this version does not know: TYPE and RAW */
    AGENTCHAT_ITEM_MAX_ = 0x7fffffff
} agentchat_item_kind;

/**
 * Fields of messages and items. A field holds text, or JSON text where marked (J); a JSON field's value is kept as it
 * was spelled and ordered. Data is no field: agentchat_item_bytes() and agentchat_item_base64() give it.
 */
typedef enum agentchat_field {
    AGENTCHAT_FIELD_ROLE = 1,          /**< message: "user", "assistant", "system", "developer", "tool" or any other */
    AGENTCHAT_FIELD_NAME = 2,          /**< message: the author's name */
    AGENTCHAT_FIELD_ID = 3,            /**< message: its id */
    AGENTCHAT_FIELD_TIME = 4,          /**< message: a timestamp, kept as it is written */
    AGENTCHAT_FIELD_MODEL_ID = 5,      /**< message and item */
    AGENTCHAT_FIELD_MIME_TYPE = 6,     /**< message and item */
    AGENTCHAT_FIELD_METADATA = 7,      /**< message and item (J): an object */
    AGENTCHAT_FIELD_TEXT = 8,          /**< text, reasoning, action */
    AGENTCHAT_FIELD_URI = 9,           /**< image, audio, binary */
    AGENTCHAT_FIELD_CALL_ID = 10,      /**< call, result */
    AGENTCHAT_FIELD_PLUGIN = 11,       /**< call, result */
    AGENTCHAT_FIELD_FUNCTION = 12,     /**< call, result: the function's name */
    AGENTCHAT_FIELD_ARGUMENTS = 13,    /**< call (J): an object where the source allows it */
    AGENTCHAT_FIELD_EXCEPTION = 14,    /**< call (J) */
    AGENTCHAT_FIELD_RESULT = 15,       /**< result (J): any value */
    AGENTCHAT_FIELD_KIND = 16,         /**< annotation: such as "filecitation" */
    AGENTCHAT_FIELD_LABEL = 17,        /**< annotation */
    AGENTCHAT_FIELD_REFERENCE_ID = 18, /**< annotation */
    AGENTCHAT_FIELD_TITLE = 19,        /**< annotation */
    AGENTCHAT_FIELD_START_INDEX = 20,  /**< annotation (J): an integer */
    AGENTCHAT_FIELD_END_INDEX = 21,    /**< annotation (J): an integer */
    AGENTCHAT_FIELD_FILE_ID = 22,      /**< file */
    AGENTCHAT_FIELD_TOOLS = 23,        /**< file (J): an array of strings */
    AGENTCHAT_FIELD_SIGNATURE = 24,    /**< item: a provider's opaque signature, or redacted reasoning itself */
    AGENTCHAT_FIELD_TYPE = 25,         /**< opaque: the kind as its format spells it */
    AGENTCHAT_FIELD_RAW = 26,          /**< opaque (J): the complete item as it stood in its source; a null is `null` */
    AGENTCHAT_FIELD_FROM = 27,         /**< opaque: name of the format it came from, known or not; never null */
    AGENTCHAT_FIELD_FAILED = 28,       /**< result (J): `true` when the call failed; `false` means the same as absent */
    AGENTCHAT_FIELD_REDACTED = 29,     /**< reasoning (J): `true` when its text was withheld; `false` as absent */
    AGENTCHAT_FIELD_REFUSAL = 30,      /**< text (J): `true` when it says why a model refuses; `false` as absent */
    AGENTCHAT_FIELD_ISSUER = 31,       /**< item: who made SIGNATURE and alone can read it, such as "anthropic" */
    AGENTCHAT_FIELD_FORM = 32,         /**< message and item (J): how a format spelled what means the same. An object of
                                            two members: `from`, a format's name, and `value`. No part of the digest */
    AGENTCHAT_FIELD_MAX_ = 0x7fffffff
} agentchat_field;

/** An unknown property that came with its object and goes back with it. Made by the library only: later versions may
   add members at the end. */
typedef struct agentchat_extra {
    agentchat_str name;  /**< the property's name */
    agentchat_str value; /**< JSON text, as it was spelled */
    agentchat_str from;  /**< name of the format it came from, known or not; absent for one set by the host */
} agentchat_extra;

/* ---- building ------------------------------------------------------------------------------------------------- */

/** For agentchat_message_builder_select_item(): the message itself. */
#define AGENTCHAT_NO_ITEM SIZE_MAX

/**
 * Starts a message. The functions that fill a builder copy what they are given and accept NULL; the first failure
 * sticks and is what agentchat_message_builder_finish() returns, so the calls between need no check.
 *
 * @param[in]  env  Environment or NULL.
 * @param[in]  role The role, such as "user".
 * @param[in]  name The author's name; absent for none.
 * @param[out] out  The builder, to be given to agentchat_message_builder_finish() or agentchat_message_builder_free();
 *                  NULL on failure.
 * @param[out] err  Detail, or NULL; path names the field.
 * @retval AGENTCHAT_E_INVALID @p role is NULL or empty; text that is not UTF-8.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_builder_new(const agentchat_env *env,
                                                                                 const char *role, agentchat_str name,
                                                                                 agentchat_message_builder **out,
                                                                                 agentchat_error *err);

/**
 * Starts a message with everything that another one has: fields, items, extras. Nothing of it is copied before the end;
 * until then the builder holds a reference.
 *
 * @param[in]  env     Environment or NULL.
 * @param[in]  message The message.
 * @param[out] out     As agentchat_message_builder_new(). No item is selected.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p message is NULL.
 * @retval AGENTCHAT_E_LIMIT   nested messages are deeper than the limit of @p env.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_builder_from(const agentchat_env *env,
                                                                                  const agentchat_message *message,
                                                                                  agentchat_message_builder **out,
                                                                                  agentchat_error *err);

/**
 * Sets a field of the message; a second time replaces it.
 * @param[in] builder The builder.
 * @param[in] field   ROLE, NAME, ID, TIME, MODEL_ID, MIME_TYPE or METADATA.
 * @param[in] value   UTF-8 text, JSON text for METADATA, agentchat_str_null() for an explicit null; absent removes it.
 */
AGENTCHAT_API void agentchat_message_builder_set(agentchat_message_builder *builder, agentchat_field field,
                                                 agentchat_str value);

/**
 * Adds an empty item, which is then selected: agentchat_message_builder_set_item() and _set_data() fill it.
 * @param[in] builder The builder.
 * @param[in] kind    Any kind but MESSAGE.
 */
AGENTCHAT_API void agentchat_message_builder_add_item(agentchat_message_builder *builder, agentchat_item_kind kind);

/**
 * Adds a copy of an item of any message, of any kind, which is then selected. It is copied at the end; until then the
 * builder holds a reference on its message.
 * @param[in] builder The builder.
 * @param[in] item    The item.
 */
AGENTCHAT_API void agentchat_message_builder_add_item_copy(agentchat_message_builder *builder,
                                                           const agentchat_item *item);

/**
 * Selects what agentchat_message_builder_set_item(), _set_data(), _set_data_base64(), _add_extra() and _remove_extra()
 * work on from then on. An item that is added is selected; before the first one it is the message.
 * @param[in] builder The builder.
 * @param[in] index   An item, from 0; or AGENTCHAT_NO_ITEM: the message, for its extras.
 */
AGENTCHAT_API void agentchat_message_builder_select_item(agentchat_message_builder *builder, size_t index);

/**
 * Takes items out; the message is selected then.
 * @param[in] builder The builder.
 * @param[in] first   From 0.
 * @param[in] count   Their number.
 */
AGENTCHAT_API void agentchat_message_builder_remove_items(agentchat_message_builder *builder, size_t first,
                                                          size_t count);

/**
 * Sets a field of the selected item; a second time replaces it.
 * @param[in] builder The builder.
 * @param[in] field   A field that the item's kind has, or MODEL_ID, MIME_TYPE, METADATA.
 * @param[in] value   UTF-8 text, or JSON text where the field is marked so; agentchat_str_null(); absent removes it.
 */
AGENTCHAT_API void agentchat_message_builder_set_item(agentchat_message_builder *builder, agentchat_field field,
                                                      agentchat_str value);

/**
 * Sets the data of the selected image, audio or binary item.
 * @param[in] builder The builder.
 * @param[in] bytes   The bytes; zero bytes are allowed, and differ from no data.
 */
AGENTCHAT_API void agentchat_message_builder_set_data(agentchat_message_builder *builder, agentchat_str bytes);

/**
 * The same from base64 text (RFC 4648 section 4, padded, no line breaks), which is kept as it is.
 * @param[in] builder The builder.
 * @param[in] text    Base64.
 */
AGENTCHAT_API void agentchat_message_builder_set_data_base64(agentchat_message_builder *builder, agentchat_str text);

/** Adds a text item. @param[in] builder The builder. @param[in] text UTF-8. */
AGENTCHAT_API void agentchat_message_builder_add_text(agentchat_message_builder *builder, agentchat_str text);

/**
 * Adds a function call.
 * @param[in] builder   The builder.
 * @param[in] id        The call's id; absent for none.
 * @param[in] plugin    The plugin (tool set); absent for none.
 * @param[in] function  The function's name.
 * @param[in] arguments JSON text, normally of an object; absent for none.
 */
AGENTCHAT_API void agentchat_message_builder_add_call(agentchat_message_builder *builder, agentchat_str id,
                                                      agentchat_str plugin, agentchat_str function,
                                                      agentchat_str arguments);

/**
 * Adds a function's result.
 * @param[in] builder  The builder.
 * @param[in] id       Id of the call it answers; absent for none.
 * @param[in] plugin   The plugin; absent for none.
 * @param[in] function The function's name; absent for none.
 * @param[in] result   JSON text of any value; absent for none.
 */
AGENTCHAT_API void agentchat_message_builder_add_result(agentchat_message_builder *builder, agentchat_str id,
                                                        agentchat_str plugin, agentchat_str function,
                                                        agentchat_str result);

/**
 * Adds a function's result that is a text: agentchat_message_builder_add_result() with the text in quotes.
 * @param[in] builder  The builder.
 * @param[in] id       Id of the call it answers; absent for none.
 * @param[in] plugin   The plugin; absent for none.
 * @param[in] function The function's name; absent for none.
 * @param[in] text     UTF-8; absent for no result.
 */
AGENTCHAT_API void agentchat_message_builder_add_result_text(agentchat_message_builder *builder, agentchat_str id,
                                                             agentchat_str plugin, agentchat_str function,
                                                             agentchat_str text);

/**
 * Gives the selected result a content: items such as texts and images, beside its JSON value or instead of it. A
 * content of nothing but one text means the same as that string as JSON value.
 * @param[in] builder The builder.
 * @param[in] items   A message whose items are copied at the end, when the rest of it is ignored; a reference is taken.
 *                    NULL removes the content, a message without items makes an empty one.
 */
AGENTCHAT_API void agentchat_message_builder_set_content(agentchat_message_builder *builder,
                                                         const agentchat_message *items);

/**
 * Adds an image, audio or binary item with data.
 * @param[in] builder   The builder.
 * @param[in] kind      IMAGE, AUDIO or BINARY.
 * @param[in] mime_type Such as "image/png"; absent for none.
 * @param[in] bytes     The bytes.
 */
AGENTCHAT_API void agentchat_message_builder_add_data(agentchat_message_builder *builder, agentchat_item_kind kind,
                                                      agentchat_str mime_type, agentchat_str bytes);

/**
 * Adds a message as an item.
 * @param[in] builder The builder.
 * @param[in] message The message; a reference is taken.
 */
AGENTCHAT_API void agentchat_message_builder_add_message(agentchat_message_builder *builder,
                                                         const agentchat_message *message);

/**
 * Adds an unknown property to the selected item or, when none is selected, to the message.
 * @param[in] builder The builder.
 * @param[in] name    Its name; not absent.
 * @param[in] value   JSON text; agentchat_str_null() is `null`.
 * @param[in] from    Name of the format it came from, known or not; absent for one of the host.
 */
AGENTCHAT_API void agentchat_message_builder_add_extra(agentchat_message_builder *builder, agentchat_str name,
                                                       agentchat_str value, agentchat_str from);

/**
 * Takes the unknown properties of a name out of the selected item or, when none is selected, out of the message;
 * nothing happens when there is none.
 * @param[in] builder The builder.
 * @param[in] name    The name.
 */
AGENTCHAT_API void agentchat_message_builder_remove_extra(agentchat_message_builder *builder, agentchat_str name);

/**
 * Ends building and consumes the builder, also on failure.
 * @param[in]  builder The builder.
 * @param[out] out     The message with one reference (agentchat_message_unref()); NULL on failure.
 * @param[out] err     Detail of the first failure since the builder was made, or NULL; path names field or item.
 * @retval AGENTCHAT_E_INVALID @p builder is NULL; a field that the item does not have; an item that is not there; text
 *                             that is not UTF-8; a value that is not JSON; base64 that is not valid; no role, unless
 *                             the message that it started from has none.
 * @retval AGENTCHAT_E_LIMIT   a JSON value or nested message is deeper than the environment's limit.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_builder_finish(agentchat_message_builder *builder,
                                                                                    agentchat_message **out,
                                                                                    agentchat_error *err);

/** Releases a builder without making a message. @param[in] builder NULL is allowed. */
AGENTCHAT_API void agentchat_message_builder_free(agentchat_message_builder *builder);

/**
 * Makes a message with one text item.
 * @param[in]  env  Environment or NULL.
 * @param[in]  role The role.
 * @param[in]  name The author's name; absent for none.
 * @param[in]  text UTF-8.
 * @param[out] out  The message with one reference; NULL on failure.
 * @param[out] err  Detail, or NULL; errors as agentchat_message_builder_new().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_new_text(const agentchat_env *env,
                                                                              const char *role, agentchat_str name,
                                                                              agentchat_str text,
                                                                              agentchat_message **out,
                                                                              agentchat_error *err);

/* ---- reading -------------------------------------------------------------------------------------------------- */

/** Takes a reference. @param[in] message NULL is allowed. @return @p message. @threadsafe Yes. */
AGENTCHAT_API agentchat_message *agentchat_message_ref(const agentchat_message *message);

/** Gives a reference back. @param[in] message NULL is allowed. @threadsafe Yes. */
AGENTCHAT_API void agentchat_message_unref(const agentchat_message *message);

/**
 * A field of a message.
 * @param[in] message The message; NULL gives absent.
 * @param[in] field   Any field; one that messages do not have gives absent.
 * @return A view as long-lived as the message; see agentchat_str for absent and null.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_str agentchat_message_get(const agentchat_message *message, agentchat_field field);

/** The role; short for agentchat_message_get(message, AGENTCHAT_FIELD_ROLE). @param[in] message The message. */
AGENTCHAT_API agentchat_str agentchat_message_role(const agentchat_message *message);

/** The author's name; short for agentchat_message_get(message, AGENTCHAT_FIELD_NAME). @param[in] message The message.
 */
AGENTCHAT_API agentchat_str agentchat_message_name(const agentchat_message *message);

/**
 * Text of the first text item: what .NET calls the message's Content (ChatMessageContent.Content).
 * agentchat_message_join_text() gives those of all.
 * @param[in] message The message; NULL gives absent.
 * @return A view as long-lived as the message; absent when there is no text item.
 */
AGENTCHAT_API agentchat_str agentchat_message_text(const agentchat_message *message);

/**
 * Appends the texts of all text items to @p out, in their order.
 * @param[in]     message   The message.
 * @param[in]     separator Between two texts; absent for nothing.
 * @param[in,out] out       Started with AGENTCHAT_BYTES_INIT; unchanged on failure.
 * @param[out]    err       Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID an argument is NULL, or @p out holds bytes of another environment than the message's.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_join_text(const agentchat_message *message,
                                                                               agentchat_str separator,
                                                                               agentchat_bytes *out,
                                                                               agentchat_error *err);

/** Number of items. @param[in] message NULL gives 0. */
AGENTCHAT_API size_t agentchat_message_item_count(const agentchat_message *message);

/** An item. @param[in] message The message. @param[in] index From 0. @return NULL when there is no such item. */
AGENTCHAT_API const agentchat_item *agentchat_message_item(const agentchat_message *message, size_t index);

/** Number of extras of a message. @param[in] message NULL gives 0. */
AGENTCHAT_API size_t agentchat_message_extra_count(const agentchat_message *message);

/** An extra. @param[in] message The message. @param[in] index From 0. @return A view as long-lived as the message; NULL
    when there is no such extra. */
AGENTCHAT_API const agentchat_extra *agentchat_message_extra(const agentchat_message *message, size_t index);

/** What an item is. @param[in] item The item, not NULL. */
AGENTCHAT_API agentchat_item_kind agentchat_item_get_kind(const agentchat_item *item);

/** A field of an item, as agentchat_message_get(). @param[in] item NULL gives absent. @param[in] field Any field. */
AGENTCHAT_API agentchat_str agentchat_item_get(const agentchat_item *item, agentchat_field field);

/** The nested message of a MESSAGE item. @param[in] item The item. @return A view, or NULL for any other kind. */
AGENTCHAT_API const agentchat_message *agentchat_item_message(const agentchat_item *item);

/** Whether a result has a content, be it empty. @param[in] item NULL, and any other kind, give false. */
AGENTCHAT_API bool agentchat_item_has_content(const agentchat_item *item);

/** Number of items of a result's content. @param[in] item NULL, and any other kind, give 0. */
AGENTCHAT_API size_t agentchat_item_content_count(const agentchat_item *item);

/** An item of a result's content. @param[in] item The result. @param[in] index From 0. @return A view as long-lived as
    the message; NULL when there is no such item. */
AGENTCHAT_API const agentchat_item *agentchat_item_content(const agentchat_item *item, size_t index);

/** Number of bytes of an item's data without decoding it; 0 when there is none. @param[in] item The item. */
AGENTCHAT_API size_t agentchat_item_data_size(const agentchat_item *item);

/** Whether an item has data, be it empty. @param[in] item NULL gives false. */
AGENTCHAT_API bool agentchat_item_has_data(const agentchat_item *item);

/**
 * An item's data as bytes. Decoded at the first call, if it arrived as base64, and kept with the message.
 * @param[in]  item NULL gives no data.
 * @param[out] out  A view as long-lived as the message; absent when the item has no data.
 * @param[out] err  Detail, or NULL. Only E_NOMEM is possible: base64 was checked when it arrived.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_item_bytes(const agentchat_item *item, agentchat_str *out,
                                                                        agentchat_error *err);

/**
 * An item's data as base64 text; encoded at the first call if it was given as bytes, and kept with the message.
 * @param[in]  item NULL gives no data.
 * @param[out] out  A view as long-lived as the message; absent when the item has no data.
 * @param[out] err  Detail, or NULL. Only E_NOMEM is possible.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_item_base64(const agentchat_item *item, agentchat_str *out,
                                                                         agentchat_error *err);

/** Number of extras of an item. @param[in] item NULL gives 0. */
AGENTCHAT_API size_t agentchat_item_extra_count(const agentchat_item *item);

/** An extra of an item. @param[in] item The item. @param[in] index From 0. @return A view as long-lived as the message;
    NULL when there is no such extra. */
AGENTCHAT_API const agentchat_extra *agentchat_item_extra(const agentchat_item *item, size_t index);

/**
 * Makes a list of messages.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The messages, oldest first; references are taken.
 * @param[in]  count    Their number.
 * @param[out] out      The list (agentchat_messages_unref()); NULL on failure.
 * @param[out] err      Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_new(const agentchat_env *env,
                                                                          const agentchat_message *const *messages,
                                                                          size_t count, agentchat_messages **out,
                                                                          agentchat_error *err);

/**
 * A list of the same messages that stays as it is: a chat's history grows, and goes with the chat, this does not. Takes
 * constant time; nothing is copied.
 * @param[in]  messages The list.
 * @param[out] out      A list of its own (agentchat_messages_unref()); NULL on failure.
 * @param[out] err      Detail, or NULL. Besides arguments that are NULL only E_NOMEM is possible.
 * @threadsafe Yes, while nobody changes what @p messages belongs to.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_ref(const agentchat_messages *messages,
                                                                          agentchat_messages **out,
                                                                          agentchat_error *err);

/** Gives a list back that agentchat_messages_new(), _ref() or _read() made; never one that is a view. @param[in]
    messages NULL is allowed. */
AGENTCHAT_API void agentchat_messages_unref(agentchat_messages *messages);

/** Number of messages. @param[in] messages NULL gives 0. */
AGENTCHAT_API size_t agentchat_messages_count(const agentchat_messages *messages);

/**
 * A message of a list.
 * @param[in] messages The list.
 * @param[in] index    From 0, the oldest.
 * @return A view that lives as long as the list; NULL when there is no such message.
 */
AGENTCHAT_API const agentchat_message *agentchat_messages_at(const agentchat_messages *messages, size_t index);

/* ---- as JSON text ---------------------------------------------------------------------------------------------- */

/**
 * Reads a message out of JSON text: an object as a history of the native format has it (docs/formats/agentchat.md,
 * section 5). Strict, within the limits of the environment.
 * @param[in]  env    Environment or NULL.
 * @param[in]  json   The text; nothing but whitespace may surround the object.
 * @param[out] out    The message with one reference; NULL on failure.
 * @param[out] report What was left out (agentchat_report_free()), on failure too; NULL when memory is out or an
 * argument is not valid. NULL: not wanted.
 * @param[out] err    Detail, or NULL: offset, line, column and JSON Pointer of what is wrong.
 * @retval AGENTCHAT_E_INVALID @p out is NULL, @p json is absent or null.
 * @retval AGENTCHAT_E_SYNTAX  not JSON (RFC 8259), not UTF-8, or something after the object.
 * @retval AGENTCHAT_E_SCHEMA  JSON, but no message.
 * @retval AGENTCHAT_E_LIMIT   a limit was exceeded.
 * @threadsafe Yes; concurrent calls may share @p env.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_read(const agentchat_env *env, agentchat_str json,
                                                                          agentchat_message **out,
                                                                          agentchat_report **report,
                                                                          agentchat_error *err);

/**
 * Appends a message as JSON text to @p out, in one line without an end, unless an open-ended value has line ends of its
 * own. The same message always gives the same bytes; agentchat_message_read() gives an equal one back.
 * @param[in]     message The message.
 * @param[in,out] out     Started with AGENTCHAT_BYTES_INIT; unchanged on failure.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID an argument is NULL, or @p out holds bytes of another environment than the message's.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_message_write(const agentchat_message *message,
                                                                           agentchat_bytes *out, agentchat_error *err);

/**
 * Reads a list of messages out of JSON text: an array of what agentchat_message_read() reads. Parameters and errors as
 * there.
 * @param[in]  env    Environment or NULL.
 * @param[in]  json   The text.
 * @param[out] out    The list (agentchat_messages_unref()); NULL on failure.
 * @param[out] report What was left out; NULL: not wanted.
 * @param[out] err    Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_read(const agentchat_env *env, agentchat_str json,
                                                                           agentchat_messages **out,
                                                                           agentchat_report **report,
                                                                           agentchat_error *err);

/**
 * Appends a list of messages as a JSON array to @p out. Otherwise as agentchat_message_write().
 * @param[in]     messages The list.
 * @param[in,out] out      Started with AGENTCHAT_BYTES_INIT; unchanged on failure.
 * @param[out]    err      Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_messages_write(const agentchat_messages *messages,
                                                                            agentchat_bytes *out, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
