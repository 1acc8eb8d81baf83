/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/stored.h"
#include "cli/command/arguments.h"
#include <stdlib.h>
#include <string.h>

bool cli_stored_is(const char *name)
{
    return cli_arguments_store() != NULL && strcmp(name, "-") != 0;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

/* Copies a name up to the next slash, decoded, with a NUL. NULL: it is empty, or a ~ stands for nothing. */
static char *decode(const char **from, char *to)
{
    const char *at = *from, *start = at;

    for (; *at != '\0' && *at != '/'; at++) {
        if (*at == '~' && at[1] != '0' && at[1] != '1')
            return NULL;
        *to++ = *at != '~' ? *at : *++at == '1' ? '/' : '~';
    }
    *to++ = '\0';
    *from = *at == '/' ? at + 1 : at;
    return at > start ? to : NULL;
}

/* Takes the three names apart; names: as long as they are together. */
static bool take(agentchat_session_id *who, const char *name, char *names)
{
    const char **parts[] = {&who->app, &who->user, &who->id};
    size_t slashes = 0;

    for (const char *at = name; *at != '\0'; at++)
        slashes += *at == '/';
    if (slashes != 2) /* with fewer there is no room for three ends */
        return false;
    for (size_t i = 0; i < 3 && names != NULL; i++) {
        *parts[i] = names;
        names = decode(&name, names);
    }
    return names != NULL;
}

/* ---- the session ---------------------------------------------------------------------------------------------- */

/* Puts the store's name in front of what is its fault. */
static agentchat_status blame(cli_stored *stored, agentchat_status status)
{
    const char *label = cli_store_label(&stored->store, status);

    stored->err = stored->store.err;
    if (label != NULL) {
        (void)agentchat_error_set(&stored->err, status, "%s: %s", label, stored->store.err.message);
        stored->err.line = stored->err.column = 0; /* of what is stored, not of a file */
    }
    return status;
}

agentchat_status cli_stored_open(cli_stored *stored, const char *name)
{
    agentchat_status status;

    *stored = (cli_stored){.store = {.name = cli_arguments_store()}};
    agentchat_error_clear(&stored->err);
    stored->names = malloc(strlen(name) + 1);
    if (stored->names == NULL)
        return agentchat_error_set(&stored->err, AGENTCHAT_E_NOMEM, "out of memory");
    if (!take(&stored->store.who, name, stored->names))
        return agentchat_error_set(&stored->err, AGENTCHAT_E_INVALID,
                                   "a session of the store is named APP/USER/ID, where ~1 is a / and ~0 a ~ in a name");
    status = cli_store_try(&stored->store, CLI_READ);
    if (status >= 0)
        status =
            agentchat_session_get(stored->store.store, &stored->store.who, NULL, &stored->session, &stored->store.err);
    return status < 0 ? blame(stored, status) : AGENTCHAT_OK;
}

void cli_stored_close(cli_stored *stored)
{
    agentchat_session_free(stored->session);
    cli_store_close(&stored->store);
    free(stored->names);
    stored->session = NULL;
    stored->names = NULL;
}

bool cli_stored_lies_in(const char *file)
{
    cli_store store = {.name = cli_arguments_store()};

    return store.name != NULL && strcmp(file, "-") != 0 && cli_store_lies_in(&store, file);
}
