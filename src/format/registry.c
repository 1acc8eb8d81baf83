/* SPDX-License-Identifier: Apache-2.0 */
/* The one table of formats. To add a format is to add a line here. */
#include "format/registry.h"

#include "base/error.h"
#include "format/adk/adk.h"
#include "format/adk/rust.h"
#include "format/anthropic/anthropic.h"
#include "format/native/native.h"
#include "format/openai_chat/openai_chat.h"
#include "format/openai_responses/openai_responses.h"
#include "format/semantic_kernel/semantic_kernel.h"
#include <string.h>

/* In the order in which they are asked: openai-responses before openai-chat, which takes a system's message first, and
   a name, for its own, since the items that tell the two apart may come later. */
static const aci_format *const formats[] = {
    &aci_native_format,      &aci_native_encoded_format, &aci_sk_format,  &aci_openai_responses_format,
    &aci_openai_chat_format, &aci_anthropic_format,      &aci_adk_format, &aci_adk_rust_format,
};
enum { FORMAT_COUNT = (int)(sizeof formats / sizeof formats[0]) };

/* By use: for "… as \"name\"". */
static const char *const uses[] = {"chats are not read",     "chats are not written", "events are not read",
                                   "events are not written", "sessions are not read", "sessions are not written"};

const aci_format *const *aci_registry_all(size_t *count)
{
    *count = FORMAT_COUNT;
    return formats;
}

bool aci_registry_can(const aci_format *format, aci_format_use use)
{
    switch (use) {
    case ACI_READ_CHAT:
        return format->read_chat != NULL;
    case ACI_WRITE_CHAT:
        return format->write_chat != NULL;
    case ACI_READ_EVENT:
        return format->read_event != NULL;
    case ACI_WRITE_EVENT:
        return format->write_event != NULL;
    case ACI_READ_SESSION:
        return format->read_session != NULL;
    case ACI_WRITE_SESSION:
        return format->write_session != NULL;
    }
    return false;
}

/* Says which names would do. */
static agentchat_status fail_name(const char *name, aci_format_use use, agentchat_error *err)
{
    char list[512];
    size_t left = 0, len = 0;
    aci_excerpt excerpt;

    for (size_t i = 0; i < FORMAT_COUNT; i++)
        left += aci_registry_can(formats[i], use);
    list[0] = '\0';
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (aci_registry_can(formats[i], use)) {
            left--;
            len += (size_t)snprintf(list + len, sizeof list - len, "%s%s", formats[i]->about.name,
                                    left > 1    ? ", "
                                    : left == 1 ? " or "
                                                : "");
        }
    return aci_fail(err, AGENTCHAT_E_INVALID, "%s as \"%s\", but as %s", uses[use],
                    aci_error_excerpt(agentchat_str_from(name), &excerpt), list);
}

agentchat_status aci_registry_choose(const char *name, aci_format_use use, const aci_format **out, agentchat_error *err)
{
    *out = NULL;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(formats[i]->about.name, name) == 0 && aci_registry_can(formats[i], use)) {
            *out = formats[i];
            return AGENTCHAT_OK;
        }
    return fail_name(name, use, err);
}

size_t agentchat_format_count(void)
{
    return FORMAT_COUNT;
}

const agentchat_format *agentchat_format_at(size_t index)
{
    return index < FORMAT_COUNT ? &formats[index]->about : NULL;
}

const agentchat_format *agentchat_format_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < FORMAT_COUNT; i++)
        if (strcmp(formats[i]->about.name, name) == 0)
            return &formats[i]->about;
    return NULL;
}

uint32_t aci_registry_more_levels(void)
{
    uint32_t most = 0;

    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i]->more_levels > most)
            most = formats[i]->more_levels;
    return most;
}
