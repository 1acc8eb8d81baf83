/* SPDX-License-Identifier: Apache-2.0 */
/* Function calls and their results in a list of messages: which belong together, and which stand alone. */
#ifndef AGENTCHAT_CALLS_H
#define AGENTCHAT_CALLS_H

#include <agentchat/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The calls and results of a list of messages, in the order in which they stand; immutable. */
typedef struct agentchat_calls agentchat_calls;

/** A call without a result, a result without a call. */
#define AGENTCHAT_NO_PARTNER SIZE_MAX

/** A function call or a function's result. Made by the library only: later versions may add members at the end. */
typedef struct agentchat_call {
    const agentchat_item *item; /**< of kind AGENTCHAT_ITEM_CALL or AGENTCHAT_ITEM_RESULT */
    size_t message;             /**< index of the message that it is an item of */
    size_t partner; /**< index, among calls and results, of its result or of its call; or AGENTCHAT_NO_PARTNER */
} agentchat_call;

/**
 * Pairs function calls with their results by the id of the call. A result belongs to the last call of its id before it,
 * if that has none yet. One without an id belongs to a call without one in the newest message that has some: the first
 * one that waits of its function, or of any where it names none. Items of nested messages are not looked at. A call
 * that stands alone is one that still waits, or that was never answered: models' services refuse a conversation with
 * such a call before anything but its result.
 * @param[in]  env      Environment or NULL.
 * @param[in]  messages The list, oldest first; NULL is an empty one. It must live as long as what comes out.
 * @param[out] out      The calls and results (agentchat_calls_free()); NULL on failure.
 * @param[out] err      Detail, or NULL. Only E_NOMEM is possible.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_calls_find(const agentchat_env *env,
                                                                        const agentchat_messages *messages,
                                                                        agentchat_calls **out, agentchat_error *err);

/** Number of calls and results. @param[in] calls NULL gives 0. @threadsafe Yes. */
AGENTCHAT_API size_t agentchat_calls_count(const agentchat_calls *calls);

/**
 * A call or a result.
 * @param[in] calls The calls and results.
 * @param[in] index From 0, the one that stands first.
 * @return A view that lives as long as @p calls; NULL when there is no such one.
 * @threadsafe Yes.
 */
AGENTCHAT_API const agentchat_call *agentchat_calls_at(const agentchat_calls *calls, size_t index);

/** Releases what agentchat_calls_find() gave. @param[in] calls NULL is allowed. */
AGENTCHAT_API void agentchat_calls_free(agentchat_calls *calls);

#ifdef __cplusplus
}
#endif

#endif
