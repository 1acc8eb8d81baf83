/* SPDX-License-Identifier: Apache-2.0 */
/* A program that wants stores in SQLite and nothing else. Exit status 0 when it gets one. */
#include <agentchat/sqlite.h>
#include <string.h>

int main(void)
{
    agentchat_store *store = NULL;
    agentchat_error err;
    int result = 1;

    if (agentchat_sqlite_open(NULL, NULL, NULL, &store, &err) < 0)
        agentchat_error_print(&err, stderr);
    else
        result = strcmp(agentchat_store_backend(store), "sqlite") == 0 ? 0 : 1;
    agentchat_store_close(store);
    return result;
}
