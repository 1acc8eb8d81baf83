/* SPDX-License-Identifier: Apache-2.0 */
/* A turn in two calls: for hosts that cannot answer inside a function of the agent's, such as event loops. */
#ifndef AGENTCHAT_TURN_H
#define AGENTCHAT_TURN_H

#include <agentchat/chat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An agent's turn that has begun. The chat is busy until it ends. */
typedef struct agentchat_turn agentchat_turn;

/**
 * Begins an agent's turn: its channel is brought up to date, and the chat is busy (E_BUSY for every other operation, of
 * any thread) until agentchat_turn_end() or agentchat_turn_free(). The agent's answering function is not called: the
 * host says what the agent says by agentchat_turn_add(). The calls of a turn may come from different threads, one after
 * the other. Freeing the chat releases the turn; it must not be used then.
 * A history agent's channel takes what is said by itself. A channel of the host's own, or a remote thread, is not told
 * by the library what its own agent says: the host does there what the answering function would have done
 * (agentchat_turn_channel(), agentchat_turn_remote_id()). With an aggregator
 * the host lets its inner chat speak (agentchat_chat_inner()), by turns of any kind; agentchat_turn_end() then does
 * what its mode says.
 * @param[in]  chat  The chat.
 * @param[in]  agent Name or id, as agentchat_chat_invoke(); absent: the next agent of the round robin.
 * @param[out] out   The turn, to be ended by one of the two functions; NULL on failure.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_NO_AGENTS there is no agent for the round robin.
 * @retval AGENTCHAT_E_NOTFOUND  no agent has the name.
 * @retval AGENTCHAT_E_INVALID   several agents have it; or no name is given and the chat is complete.
 * @retval AGENTCHAT_E_BUSY      an operation is active.
 * @retval AGENTCHAT_E_CANCELLED the chat was interrupted while its channel was brought up to date.
 * @retval AGENTCHAT_E_CALLBACK  or whatever the channel returned from its making or receiving.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_turn_begin(agentchat_chat *chat, agentchat_str agent,
                                                                        agentchat_turn **out, agentchat_error *err);

/** Whose turn it is. @param[in] turn NULL gives NULL. @return A view that lives as long as the chat. */
AGENTCHAT_API const agentchat_agent *agentchat_turn_agent(const agentchat_turn *turn);

/** What the agent's channel held when the turn began, oldest first. @param[in] turn The turn.
    @return A view that lives as long as the turn; NULL when the channel has no view of its messages. */
AGENTCHAT_API const agentchat_messages *agentchat_turn_history(const agentchat_turn *turn);

/** The id of a remote agent's thread. @param[in] turn The turn. @return A view that lives as long as the turn; absent
   for other agents. */
AGENTCHAT_API agentchat_str agentchat_turn_remote_id(const agentchat_turn *turn);

/** The agent's channel, as its agentchat_channel_type::create or load made it. @param[in] turn The turn.
    @return NULL for the built-in agents. */
AGENTCHAT_API void *agentchat_turn_channel(const agentchat_turn *turn);

/**
 * Says any message as the agent, as agentchat_replies_add(): it joins the history at once.
 * @param[in]  turn    The turn.
 * @param[in]  message The message; a reference is taken. Its role must not be "system".
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_turn_add(agentchat_turn *turn, const agentchat_message *message,
                                                  agentchat_error *err);

/** Says a text as the agent: role "assistant", author the agent's name. @param[in] turn The turn. @param[in] text
   UTF-8.
    @param[out] err Detail, or NULL. */
AGENTCHAT_API agentchat_status agentchat_turn_add_text(agentchat_turn *turn, agentchat_str text, agentchat_error *err);

/** Sets a named value with the answer, as agentchat_replies_set_value(). @param[in] turn The turn. @param[in] name The
    value's name. @param[in] value JSON text; absent: it is removed. @param[out] err Detail, or NULL. */
AGENTCHAT_API agentchat_status agentchat_turn_set_value(agentchat_turn *turn, agentchat_str name, agentchat_str value,
                                                        agentchat_error *err);
/** Updates a named list with the answer, as agentchat_replies_update(). @param[in] turn The turn. @param[in] name The
    list's name. @param[in] update JSON text. @param[out] err Detail, or NULL. */
AGENTCHAT_API agentchat_status agentchat_turn_update(agentchat_turn *turn, agentchat_str name, agentchat_str update,
                                                     agentchat_error *err);
/** What the agent said in a turn that did not end, as agentchat_replies_partial(). @param[in] turn NULL gives NULL.
    @return A view that lives as long as the turn; NULL when there is nothing. */
AGENTCHAT_API const agentchat_messages *agentchat_turn_partial(const agentchat_turn *turn);

/**
 * Ends a turn as answered: the other channels are given what was said, and the observer is called.
 * @param[in]  turn The turn; released, also on failure.
 * @param[out] err  Detail, or NULL.
 * @return What the observer returned, where that failed: the turn has ended all the same.
 */
AGENTCHAT_API agentchat_status agentchat_turn_end(agentchat_turn *turn, agentchat_error *err);

/** Ends a turn as failed: what was said stays said and is given to the other channels; the round robin stays where it
    was, and no observer is called. @param[in] turn NULL is allowed. */
AGENTCHAT_API void agentchat_turn_free(agentchat_turn *turn);

#ifdef __cplusplus
}
#endif

#endif
