/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that watch a chat. While one runs the chat may be read, and not changed. */
#include "chat/chat.h"

#include "base/error.h"

void agentchat_chat_observer_init(agentchat_chat_observer *observer, size_t size)
{
    aci_env_options_init(observer, size);
}

static void free_user(const agentchat_chat_observer *observer)
{
    if (observer->free_user != NULL)
        observer->free_user(observer->user);
}

agentchat_status agentchat_chat_set_observer(agentchat_chat *chat, const agentchat_chat_observer *observer,
                                             agentchat_error *err)
{
    agentchat_chat_observer given, gone;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_env_options_load(&given, sizeof given, observer, err);
    if (status >= 0)
        status = aci_chat_enter(chat, err);
    if (status < 0) {
        free_user(&given);
        return status;
    }
    gone = chat->observer;
    chat->observer = given;
    aci_chat_leave(chat);
    free_user(&gone); /* it may look at the chat */
    return AGENTCHAT_OK;
}

static void let_read(agentchat_chat *chat)
{
    (void)atomic_fetch_xor(&chat->activity, ACI_CHAT_SWITCH);
}

/* Another thread that reads at this moment is waited for. */
static void take_back(agentchat_chat *chat)
{
    int seen = atomic_load(&chat->activity);

    while ((seen & ACI_CHAT_OBSERVED) == 0 ||
           !atomic_compare_exchange_weak(&chat->activity, &seen, seen ^ ACI_CHAT_SWITCH))
        seen = atomic_load(&chat->activity);
}

static agentchat_status report(agentchat_status status, const agentchat_error *cause, agentchat_error *err)
{
    if (status >= 0)
        return AGENTCHAT_OK;
    aci_fail(err, status, "the chat's observer failed: %s",
             cause->code != 0 && cause->message[0] != '\0' ? cause->message : agentchat_status_text(status));
    return status;
}

agentchat_status aci_chat_observe_input(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_error cause;
    agentchat_status status;

    if (chat->observer.on_input == NULL)
        return AGENTCHAT_OK;
    agentchat_error_clear(&cause); /* of its own: a capture in the observer uses the chat's */
    let_read(chat);
    status = chat->observer.on_input(chat->observer.user, chat, &cause);
    take_back(chat);
    return report(status, &cause, err);
}

agentchat_status aci_chat_observe_answer(agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err)
{
    agentchat_error cause;
    agentchat_status status;

    if (chat->observer.on_answer == NULL)
        return AGENTCHAT_OK;
    agentchat_error_clear(&cause);
    let_read(chat);
    status = chat->observer.on_answer(chat->observer.user, chat, agent, &cause);
    take_back(chat);
    return report(status, &cause, err);
}

agentchat_status aci_chat_observe_edit(agentchat_chat *chat, const agentchat_list_edit *edit, agentchat_error *err)
{
    agentchat_error cause;
    agentchat_status status;

    if (chat->observer.on_edit == NULL)
        return AGENTCHAT_OK;
    agentchat_error_clear(&cause);
    let_read(chat);
    status = chat->observer.on_edit(chat->observer.user, chat, edit, &cause);
    take_back(chat);
    return report(status, &cause, err);
}
