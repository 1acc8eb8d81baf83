/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Giving space back. Backend of SQLite.
 *
 * SQLite keeps pages that become free inside the file, with the text that stood on them. They are cut off as soon as a
 * transaction has freed them: the first few in that very transaction, which costs no commit of its own, and the rest
 * after it in pieces, between which others get their turn. The work is as much as what was deleted, and is that of who
 * has deleted it. Of what others have left, who perhaps were killed, each commit cuts off a little, and calls that may
 * take long all of it.
 */
#include "store/sqlite/driver.h"

#include <stdio.h>

enum {
    PAUSE_US = 2000, /* longer than those sleep who wait for the lock */
    AT_ONCE = 64,
    PIECE = 128,
    OF_OTHERS = 8
};

static int shrink(aci_sqlite_connection *c, int64_t pages, int64_t *left)
{
    char text[48];
    int code;

    snprintf(text, sizeof text, "PRAGMA incremental_vacuum(%d)", (int)pages);
    code = aci_sqlite_exec(c, text);
    return code == SQLITE_OK ? aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, left) : code;
}

int aci_sqlite_shrink_before(aci_sqlite_connection *c, int64_t *more)
{
    int64_t free_pages = 0, mine, left = 0;
    int code;

    *more = 0;
    if (c->database->path == NULL)
        return SQLITE_OK;
    code = aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, &free_pages);
    if (code != SQLITE_OK || free_pages == 0)
        return code;
    if (c->call.unbounded)
        mine = free_pages;
    else
        mine = OF_OTHERS + (free_pages > c->free_pages ? free_pages - c->free_pages : 0);
    code = shrink(c, mine < AT_ONCE ? mine : AT_ONCE, &left);
    if (mine > AT_ONCE)
        *more = mine - AT_ONCE < left ? mine - AT_ONCE : left;
    return code;
}

/* What is left when it fails is for the next time. */
void aci_sqlite_shrink_after(aci_sqlite_connection *c, int64_t more)
{
    int64_t before, left = INT64_MAX;

    do {
        before = left;
        aci_sqlite_start_statement(c);
        if (aci_sqlite_step_own(c, ACI_SQLITE_OWN_BEGIN_WRITE) != SQLITE_OK ||
            shrink(c, more < PIECE ? more : PIECE, &left) != SQLITE_OK ||
            aci_sqlite_step_own(c, ACI_SQLITE_OWN_COMMIT) != SQLITE_OK)
            break;
        aci_sqlite_log_after_writing(c);
        more -= PIECE;
        if (left > 0 && more > 0)
            (void)c->database->base->xSleep(c->database->base, PAUSE_US);
    } while (more > 0 && left > 0 && left < before);
    aci_sqlite_rollback(c);
}
