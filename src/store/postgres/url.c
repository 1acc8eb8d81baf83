/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connection strings. libpq's own messages about a wrong one quote it, and a password with a '/', '@' or '?' that was
 * not written %XX ends up in a host, a port or a parameter. So the messages here quote nothing, and such strings are
 * refused before any part of them can show up as the name of a server.
 */
#include "driver.h"

#include <string.h>

void aci_postgres_wipe(char *text, size_t size)
{
    volatile char *at = text;

    while (size-- > 0)
        *at++ = '\0';
}

void aci_postgres_free_options(PQconninfoOption *options)
{
    for (PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++) {
        if (option->val != NULL && strchr(option->dispchar, '*') != NULL)
            aci_postgres_wipe(option->val, strlen(option->val));
    }
    PQconninfoFree(options);
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Whether there is an '@' where none can be meant. As libpq reads it, the first one before the first '/' ends user and
   password; hosts and database follow up to a '?'. */
static bool has_stray_at(const char *url)
{
    const char *rest = strstr(url, "://") + 3;
    const char *end_of_user = memchr(rest, '@', strcspn(rest, "/"));

    if (end_of_user != NULL)
        rest = end_of_user + 1;
    return memchr(rest, '@', strcspn(rest, "?")) != NULL;
}

static bool is_port_list(const char *text)
{
    return text[strspn(text, "0123456789, ")] == '\0';
}

/* ---- an option that libpq does not know -------------------------------------------------------------------------- */

static bool is_known_option(const PQconninfoOption *options, const char *name, size_t len)
{
    for (const PQconninfoOption *option = options; option->keyword != NULL; option++) {
        if (strlen(option->keyword) == len && memcmp(option->keyword, name, len) == 0)
            return true;
    }
    return len == strlen("ssl") && memcmp(name, "ssl", len) == 0;
}

/* Which parameter of a URL, counted from 1, is the first that libpq does not know; 0: none. */
static unsigned unknown_option(const char *url)
{
    const char *at = strstr(url, "://") + 3, *end_of_user = memchr(at, '@', strcspn(at, "/"));
    PQconninfoOption *known = PQconndefaults();
    unsigned number = 0;
    bool is_found = false;

    at = strchr(end_of_user != NULL ? end_of_user : at, '?');
    while (known != NULL && at != NULL && *at != '\0' && !is_found) {
        at++;
        number++;
        is_found = !is_known_option(known, at, strcspn(at, "=&"));
        at += strcspn(at, "&");
    }
    aci_postgres_free_options(known);
    return is_found ? number : 0;
}

/* Its name is not shown: it may be a part of a password. */
static agentchat_status fail_url(const char *url, bool is_url, agentchat_error *err)
{
    unsigned number = is_url ? unknown_option(url) : 0;

    if (number != 0)
        return agentchat_error_set(
            err, AGENTCHAT_E_INVALID,
            "the connection string is not one that libpq accepts: of what follows the \"?\", option "
            "number %u is unknown",
            number);
    return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                               "the connection string is not one that libpq accepts (special characters in names and "
                               "passwords are written %%XX)");
}

agentchat_status aci_postgres_check_url(const char *url, agentchat_error *err)
{
    PQconninfoOption *options = NULL;
    bool is_url = begins_with(url, "postgresql://") || begins_with(url, "postgres://");
    bool is_right = true, has_memory;

    if (is_url)
        is_right = !has_stray_at(url);
    if (is_right) {
        char *message = NULL;

        options = PQconninfoParse(url, &message);
        is_right = options != NULL;
        has_memory = is_right || (message != NULL && !begins_with(message, "out of memory"));
        if (message != NULL)
            aci_postgres_wipe(message, strlen(message));
        PQfreemem(message);
        if (!has_memory)
            return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    }
    for (const PQconninfoOption *option = options; option != NULL && option->keyword != NULL; option++) {
        if (strcmp(option->keyword, "port") == 0 && option->val != NULL && !is_port_list(option->val))
            is_right = false;
    }
    aci_postgres_free_options(options);
    return is_right ? AGENTCHAT_OK : fail_url(url, is_url, err);
}
