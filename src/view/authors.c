/* SPDX-License-Identifier: Apache-2.0 */
/* Who speaks in a chat. */
#include "view/authors.h"

#include "base/buf.h"
#include <string.h>

static bool is_text(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text) && text.len > 0;
}

static bool add(aci_authors *authors, agentchat_str name)
{
    char *copy = NULL;

    if (aci_index_find(&authors->numbers, name) != ACI_INDEX_NONE)
        return true;
    if (!aci_grow(authors->env, (void **)&authors->names, &authors->cap, authors->count, sizeof *authors->names))
        return false;
    if (authors->copies) {
        if ((copy = aci_alloc(authors->env, name.len)) == NULL)
            return false;
        memcpy(copy, name.ptr, name.len);
        name.ptr = copy;
    }
    if (!aci_index_put(&authors->numbers, authors->env, name, authors->count)) {
        aci_free(authors->env, copy, name.len);
        return false;
    }
    authors->names[authors->count++] = name;
    return true;
}

static bool add_messages(aci_authors *authors, const agentchat_messages *messages)
{
    size_t count = agentchat_messages_count(messages);
    bool ok = true;

    for (size_t i = 0; ok && i < count; i++)
        ok = add(authors, aci_author_of(agentchat_messages_at(messages, i)));
    return ok;
}

bool aci_authors_add(aci_authors *authors, const agentchat_snapshot *snapshot)
{
    bool ok = true;

    for (size_t i = 0; ok && i < snapshot->participant_count; i++)
        ok = !is_text(snapshot->participants[i].name) || add(authors, snapshot->participants[i].name);
    ok = ok && add_messages(authors, &snapshot->history);
    for (size_t i = 0; ok && i < snapshot->channel_count; i++) {
        const agentchat_channel_state *channel = &snapshot->channels[i];

        if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES && aci_list_is_prefix(&channel->messages, &snapshot->history))
            continue; /* they are known */
        if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
            ok = add_messages(authors, &channel->messages);
        else if (channel->kind == AGENTCHAT_CHANNEL_CHAT)
            ok = aci_authors_add(authors, channel->chat);
    }
    return ok;
}

void aci_authors_clear(aci_authors *authors)
{
    aci_index_clear(&authors->numbers, authors->env);
    for (size_t i = 0; authors->copies && i < authors->count; i++)
        aci_free(authors->env, (void *)(uintptr_t)authors->names[i].ptr, authors->names[i].len);
    aci_free(authors->env, authors->names, authors->cap * sizeof *authors->names);
    *authors = (aci_authors){.env = authors->env, .copies = authors->copies};
}

agentchat_str aci_author_of(const agentchat_message *message)
{
    agentchat_str name = agentchat_message_name(message), role = agentchat_message_role(message);

    if (is_text(name))
        return name;
    return is_text(role) ? role : AGENTCHAT_STR("(no role)");
}

size_t aci_author_number(const aci_authors *authors, agentchat_str name)
{
    return aci_index_find(&authors->numbers, name);
}
