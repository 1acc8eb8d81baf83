// SPDX-License-Identifier: Apache-2.0
// A C++11 program that includes every public header, calls through each linkage and uses the macros.
#include <agentchat/agent.h>
#include <agentchat/agentchat.h>
#include <agentchat/base.h>
#include <agentchat/calls.h>
#include <agentchat/chat.h>
#include <agentchat/event.h>
#include <agentchat/export.h>
#include <agentchat/format.h>
#include <agentchat/json.h>
#include <agentchat/json_text.h>
#include <agentchat/list_edit.h>
#include <agentchat/memory.h>
#include <agentchat/memory_kinds.h>
#include <agentchat/memory_tools.h>
#include <agentchat/message.h>
#include <agentchat/postgres.h>
#include <agentchat/provider.h>
#include <agentchat/repair.h>
#include <agentchat/report.h>
#include <agentchat/session.h>
#include <agentchat/session_json.h>
#include <agentchat/snapshot.h>
#include <agentchat/sqlite.h>
#include <agentchat/state.h>
#include <agentchat/status.h>
#include <agentchat/store.h>
#include <agentchat/str.h>
#include <agentchat/stream.h>
#include <agentchat/template.h>
#include <agentchat/thread.h>
#include <agentchat/thread_chat.h>
#include <agentchat/turn.h>
#include <agentchat/verify.h>
#include <agentchat/version.h>
#include <agentchat/view.h>
#include <agentchat/work.h>

#include <cstdio>
#include <cstring>

int main()
{
    agentchat_error err;
    agentchat_message *message = nullptr;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;

    if (agentchat_message_new_text(nullptr, "user", agentchat_str{}, AGENTCHAT_STR("from C++"), &message, &err) < 0) {
        agentchat_error_print(&err, stderr);
        return 1;
    }
    const bool same = agentchat_str_equal(agentchat_message_text(message), AGENTCHAT_STR("from C++"));
    agentchat_message_unref(message);

    json_t *value = json_pack("{s:i}", "a", 1);
    const bool dumped =
        agentchat_json_dump(nullptr, value, &bytes, &err) == AGENTCHAT_OK && std::strcmp(bytes.ptr, "{\"a\":1}") == 0;
    json_decref(value);
    agentchat_bytes_clear(&bytes);

    return same && dumped && std::strcmp(agentchat_version(), AGENTCHAT_VERSION_STRING) == 0 ? 0 : 1;
}
