/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hosts that a connection may be made to: lists that libpq reads from the URL, the environment or a service file.
 *
 * libpq tries them in turn, but without blocking it waits for the first that says nothing for as long as it is asked
 * to. So who connects gives each a part of the time, strikes out the one that has used it up, and begins anew with the
 * others: what else libpq asks of a host (target_session_attrs) stays its business.
 */
#include "driver.h"

#include <string.h>

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static size_t length_of(const char *list)
{
    size_t count = 1;

    if (list == NULL || list[0] == '\0')
        return 0;
    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

/* The entry of a list that is as long; one of a single entry has it everywhere. */
static const char *entry_of(const char *list, size_t index, size_t *len)
{
    if (length_of(list) <= 1)
        index = 0;
    for (; list != NULL && index > 0; index--)
        list += strcspn(list, ",") + 1;
    *len = list != NULL ? strcspn(list, ",") : 0;
    return list;
}

/* Whether the entry is `text`, or there is none. */
static bool fits(const char *list, size_t index, const char *text)
{
    size_t len = 0;
    const char *entry = entry_of(list, index, &len);

    return len == 0 || (text != NULL && strlen(text) == len && memcmp(entry, text, len) == 0);
}

/* false: nothing is left of it. */
static bool remove_entry(char *list, size_t index)
{
    size_t len = 0;
    char *entry = list + (entry_of(list, index, &len) - list);

    if (entry[len] == ',')
        memmove(entry, entry + len + 1, strlen(entry + len + 1) + 1);
    else
        entry[entry > list ? -1 : 0] = '\0';
    return list[0] != '\0';
}

/* ---- hosts ---------------------------------------------------------------------------------------------------- */

void aci_postgres_hosts_load(aci_postgres_hosts *hosts, PGconn *conn)
{
    hosts->options = PQconninfo(conn);
    for (PQconninfoOption *option = hosts->options; option != NULL && option->keyword != NULL; option++) {
        if (strcmp(option->keyword, "host") == 0)
            hosts->host = option->val;
        else if (strcmp(option->keyword, "hostaddr") == 0)
            hosts->hostaddr = option->val;
        else if (strcmp(option->keyword, "port") == 0)
            hosts->port = option->val;
    }
    hosts->count = length_of(hosts->hostaddr);
    if (hosts->count == 0)
        hosts->count = length_of(hosts->host);
    if (hosts->count == 0)
        hosts->count = 1;
}

size_t aci_postgres_hosts_at(const aci_postgres_hosts *hosts, const PGconn *conn)
{
    size_t at = 0;

    while (at < hosts->count && !(fits(hosts->host, at, PQhost(conn)) && fits(hosts->port, at, PQport(conn)) &&
                                  fits(hosts->hostaddr, at, PQhostaddr(conn))))
        at++;
    return at;
}

bool aci_postgres_hosts_strike(aci_postgres_hosts *hosts, const PGconn *conn)
{
    char *const lists[] = {hosts->host, hosts->hostaddr, hosts->port};
    size_t at = aci_postgres_hosts_at(hosts, conn);
    bool is_left = hosts->count > 1 && at < hosts->count;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && is_left; i++) {
        if (length_of(lists[i]) > 1)
            is_left = remove_entry(lists[i], at);
    }
    hosts->count -= is_left;
    return is_left;
}

void aci_postgres_hosts_free(aci_postgres_hosts *hosts)
{
    aci_postgres_free_options(hosts->options);
}
