/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agentchat: saves a multi-agent conversation and brings it back.
 *
 * This header includes the whole public interface but json.h and session_json.h, which need jansson, and sqlite.h
 * and postgres.h for hosts that want one kind of store only. Conventions that hold everywhere:
 *
 *  - A function that can fail returns an agentchat_status: negative means failure. Its last parameter, `err`, may be
 *    NULL. E_NOMEM (out of memory) and E_INVALID (a required argument is missing or not valid) are possible everywhere
 *    and not repeated at each function.
 *  - Arguments are borrowed for the call; what the library keeps it copies or counts a reference of. Where a function
 *    takes ownership of an argument, it does so on failure too, and its comment says so.
 *  - Owning outputs are always written: the object on success, NULL on failure. `out` itself must not be NULL. A report
 *    is filled on failure too.
 *  - Views (agentchat_str, const pointers from getters) live as long as the object they come from, unless said
 *    otherwise. Destructors accept NULL.
 *  - Structs that the caller makes begin with their size; start them with their _INIT macro, or their _init function.
 *    Zero is the default of every member, and NULL for a struct of options means the defaults.
 *  - A `user` that is stored is released by the `free_user` beside it, once, when the thing goes; on failure too.
 *  - There is no global mutable state. Different objects may be used from different threads at the same time; one
 *    object by one thread at a time, except environments, snapshots, messages, events and stores, which any number of
 *    threads may share.
 */
#ifndef AGENTCHAT_H
#define AGENTCHAT_H

#include <agentchat/agent.h>
#include <agentchat/base.h>
#include <agentchat/calls.h>
#include <agentchat/chat.h>
#include <agentchat/event.h>
#include <agentchat/format.h>
#include <agentchat/json_text.h>
#include <agentchat/list_edit.h>
#include <agentchat/memory.h>
#include <agentchat/memory_kinds.h>
#include <agentchat/memory_tools.h>
#include <agentchat/message.h>
#include <agentchat/provider.h>
#include <agentchat/repair.h>
#include <agentchat/report.h>
#include <agentchat/session.h>
#include <agentchat/snapshot.h>
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
#include <agentchat/work.h>

#endif
