/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Giving space back. Backend of SQLite.
 *
 * SQLite keeps pages that become free inside the file, with the text that stood on them. They are cut off as soon as a
 * transaction has freed them: the first few in that very transaction, which costs no commit of its own, and the rest
 * after it in pieces, between which others get their turn. The work is as much as what was deleted.
 */
#include "store/sqlite/driver.h"

/* Longer than those sleep who wait for the lock. */
enum { PAUSE_US = 2000 };

static int shrink(aci_sqlite_connection *c, const char *text, int64_t *left)
{
    int code = aci_sqlite_exec(c, text);

    return code == SQLITE_OK ? aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, left) : code;
}

int aci_sqlite_shrink_before(aci_sqlite_connection *c, bool *more)
{
    int64_t free_pages = 0;
    int code;

    *more = false;
    if (c->database->path == NULL)
        return SQLITE_OK;
    code = aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, &free_pages);
    if (code != SQLITE_OK || free_pages == 0)
        return code;
    code = shrink(c, "PRAGMA incremental_vacuum(64)", &free_pages);
    *more = free_pages > 0;
    return code;
}

/* What is left when it fails is for the next time. */
void aci_sqlite_shrink_after(aci_sqlite_connection *c)
{
    int64_t before, left = INT64_MAX;

    do {
        before = left;
        aci_sqlite_start_statement(c);
        if (aci_sqlite_step_own(c, ACI_SQLITE_OWN_BEGIN_WRITE) != SQLITE_OK ||
            shrink(c, "PRAGMA incremental_vacuum(256)", &left) != SQLITE_OK ||
            aci_sqlite_step_own(c, ACI_SQLITE_OWN_COMMIT) != SQLITE_OK)
            break;
        if (left > 0)
            (void)c->database->base->xSleep(c->database->base, PAUSE_US);
    } while (left > 0 && left < before);
    aci_sqlite_rollback(c);
}
