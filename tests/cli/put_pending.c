/* SPDX-License-Identifier: Apache-2.0 */
/* Puts pending writes for the test cli_pending: put_pending STORE THREAD ID. The tool shows them and makes none. */
#include <agentchat/sqlite.h>
#include <agentchat/thread.h>

int main(int argc, char **argv)
{
    static const char nasty[] = "n\x1b[31m\n";
    const agentchat_pending_write writes[] = {
        {.path = "", .task = "t1", .channel = "answer", .index = 0, .value = AGENTCHAT_STR("{\"x\": 1.50}")},
        {.path = "", .task = "t1", .channel = "__error__", .index = -1, .value = AGENTCHAT_STR("null")},
        {.path = "~pull, desk",
         .task = "t2",
         .channel = "image",
         .index = 0,
         .media_type = AGENTCHAT_STR("image/png"),
         .value = AGENTCHAT_STR("\x89PNG\n")},
        {.path = nasty, .task = nasty, .channel = nasty, .index = 7, .value = AGENTCHAT_STR("\"\\u001b[2J\"")},
    };
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    agentchat_status status;

    if (argc != 4)
        return 2;
    options.id = argv[3];
    status = agentchat_sqlite_open(NULL, argv[1], NULL, &store, &err);
    if (status >= 0)
        status =
            agentchat_checkpoint_put_writes(store, argv[2], &options, writes, sizeof writes / sizeof writes[0], &err);
    if (status < 0)
        agentchat_error_print(&err, stderr);
    agentchat_store_close(store);
    return status < 0 ? 1 : 0;
}
