/* SPDX-License-Identifier: Apache-2.0 */
#include "note.h"
#include <stdio.h>

note note_of(const agentchat_message *message)
{
    agentchat_str author = agentchat_message_name(message), text = agentchat_message_text(message);
    note out;

    if (author.len == 0)
        author = agentchat_message_role(message);
    (void)snprintf(out.text, sizeof out.text, AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(author),
                   AGENTCHAT_STR_ARG(text));
    return out;
}
