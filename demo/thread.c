/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"
#include "path.h"
#include "script.h"
#include <agentchat/sqlite.h>
#include <string.h>

agentchat_store *thread_store(const char *dir, bool read_only, agentchat_error *err)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;

    options.read_only = read_only;
    return agentchat_sqlite_open(NULL, path_join(dir, "chats.db").text, &options, &store, err) < 0 ? NULL : store;
}

agentchat_status thread_export(const char *dir, const char *name, size_t *count, agentchat_error *err)
{
    agentchat_store *store = thread_store(dir, true, err);
    agentchat_checkpoint *newest = NULL;
    agentchat_status status;

    if (store == NULL)
        return (agentchat_status)err->code;
    status = agentchat_checkpoint_get(store, THREAD_NAME, NULL, &newest, err);
    if (status >= 0)
        status = agentchat_snapshot_write_file(agentchat_checkpoint_snapshot(newest), path_join(dir, name).text, NULL,
                                               NULL, err);
    if (status >= 0 && count != NULL)
        *count = (size_t)agentchat_checkpoint_get_info(newest)->messages;
    agentchat_checkpoint_free(newest);
    agentchat_store_close(store);
    return status;
}

/* Newest first: question and answer take turns, and each checkpoint has one message more than the one before, the last
   one those of the tool, too. */
static bool is_complete(const agentchat_checkpoint_list *list, size_t count)
{
    if (agentchat_checkpoint_list_count(list) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, i);
        size_t messages = i == 0 ? SCRIPT_MESSAGES : count - i;

        if (info->messages != messages || strcmp(info->source, messages % 2 == 1 ? "input" : "loop") != 0)
            return false;
    }
    return true;
}

bool thread_is_complete(const char *dir, size_t steps)
{
    agentchat_error err;
    agentchat_store *store = thread_store(dir, true, &err);
    agentchat_checkpoint_list *list = NULL;
    bool ok = false;

    if (store != NULL && agentchat_checkpoint_list_read(store, THREAD_NAME, NULL, &list, &err) >= 0)
        ok = is_complete(list, 2 * steps);
    agentchat_checkpoint_list_free(list);
    agentchat_store_close(store);
    return ok;
}
