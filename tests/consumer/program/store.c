/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that takes any store by its URL. Exit status 0 when a backend that is built opens one and one that is not
 * says so; WITH_SQLITE and WITH_POSTGRES say which are.
 */
#include <agentchat/store.h>
#include <string.h>

#if defined(WITH_SQLITE)
#define SQLITE_ANSWERS AGENTCHAT_OK
#else
#define SQLITE_ANSWERS AGENTCHAT_E_UNSUPPORTED
#endif
#if defined(WITH_POSTGRES)
#define POSTGRES_ANSWERS AGENTCHAT_E_IO /* there is no such server */
#else
#define POSTGRES_ANSWERS AGENTCHAT_E_UNSUPPORTED
#endif

static int answers(const char *url, agentchat_status expected)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    agentchat_status status;

    options.wait_ms = 1;
    status = agentchat_store_open(NULL, url, &options, &store, &err);
    if (status != expected) {
        fprintf(stderr, "%s: %s instead of %s\n", url, agentchat_status_name(status), agentchat_status_name(expected));
        if (status < 0)
            agentchat_error_print(&err, stderr);
    }
    agentchat_store_close(store);
    return status == expected;
}

int main(void)
{
    return answers("memory:", SQLITE_ANSWERS) && answers("postgresql:///none?host=/nowhere", POSTGRES_ANSWERS) &&
                   answers("none:", AGENTCHAT_E_INVALID)
               ? 0
               : 1;
}
