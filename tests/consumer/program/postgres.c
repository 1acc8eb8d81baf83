/* SPDX-License-Identifier: Apache-2.0 */
/* A program that wants stores on PostgreSQL and nothing else. Exit status 0 when a server that is not there is said so.
 */
#include <agentchat/postgres.h>

int main(void)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    agentchat_status status;

    options.wait_ms = 1;
    status = agentchat_postgres_open(NULL, "host=/nowhere dbname=none", &options, &store, &err);
    if (status >= 0)
        agentchat_store_close(store);
    return status == AGENTCHAT_E_IO && err.message[0] != '\0' ? 0 : 1;
}
