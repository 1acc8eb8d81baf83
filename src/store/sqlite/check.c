/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking for damage below the tables. Backend of SQLite.
 *
 * What SQLite finds is collected first and reported when its statement is over, so that no function of the caller's
 * runs inside a transaction.
 */
#include "store/sqlite/driver.h"

#include <string.h>

#define MOST_FINDINGS 100
#define FINDING_ROOM 200
#define PAGES_HEAD "*** in database" /* of a finding about pages, not rows */

typedef struct findings {
    bool is_intact;
    size_t count, unknown_count;
    char at[MOST_FINDINGS][FINDING_ROOM];
    char unknown[MOST_FINDINGS][FINDING_ROOM]; /* what a newer version has added */
} findings;

/* SQLite gives several problems as the lines of one text. */
static void collect_lines(findings *f, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        char line[FINDING_ROOM];

        snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), text);
        if (len > 0 && strncmp(line, PAGES_HEAD, sizeof PAGES_HEAD - 1) != 0 && f->count < MOST_FINDINGS)
            aci_sqlite_printable(line, f->at[f->count++], FINDING_ROOM);
        text += len + (text[len] == '\n');
    }
}

static int collect(aci_sqlite_connection *c, findings *f)
{
    sqlite3_stmt *statement = NULL;
    char text[48];
    int code;

    snprintf(text, sizeof text, "PRAGMA integrity_check(%d)", MOST_FINDINGS);
    code = aci_sqlite_prepare(c, text, false, &statement);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        const char *finding;

        code = sqlite3_step(statement);
        if (code != SQLITE_ROW)
            break;
        finding = (const char *)sqlite3_column_text(statement, 0);
        if (finding == NULL)
            code = SQLITE_NOMEM;
        else if (strcmp(finding, "ok") == 0)
            f->is_intact = true;
        else
            collect_lines(f, finding);
        /* Rows of pages that are damaged may come again and again. */
        if (finding != NULL && strncmp(finding, PAGES_HEAD, sizeof PAGES_HEAD - 1) == 0)
            code = SQLITE_DONE;
    }
    (void)sqlite3_finalize(statement);
    return code;
}

static void collect_unknown(void *user, const char *type, const char *name)
{
    findings *f = user;
    char text[FINDING_ROOM];

    if (f->unknown_count == MOST_FINDINGS)
        return;
    snprintf(text, sizeof text, "unknown %s %s", type, name);
    aci_sqlite_printable(text, f->unknown[f->unknown_count++], FINDING_ROOM);
}

static agentchat_status report(const findings *f, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < f->unknown_count && status == AGENTCHAT_OK; i++)
        status = each(user, agentchat_str_from(f->unknown[i]), (agentchat_str){NULL, 0}, err);
    if (status == AGENTCHAT_OK && f->is_intact && f->count == 0)
        return each(user, AGENTCHAT_STR("file"), (agentchat_str){NULL, 0}, err);
    for (size_t i = 0; i < f->count && status == AGENTCHAT_OK; i++)
        status = each(user, AGENTCHAT_STR("file"), agentchat_str_from(f->at[i]), err);
    return status;
}

static agentchat_status look_through(aci_sqlite_connection *c, findings *f, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    int code;

    agentchat_error_clear(err);
    if (c->is_store && aci_sqlite_may_hold_more(c->database, &c->versions))
        status = aci_sqlite_each_unknown(c, collect_unknown, f, err);
    if (status < 0)
        return status;
    code = collect(c, f);
    return code == SQLITE_DONE ? AGENTCHAT_OK : aci_sqlite_fail_on(c, code, "cannot check the file", outcome, err);
}

agentchat_status aci_sqlite_check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    aci_sql_outcome outcome;
    agentchat_status status, reported;
    agentchat_error why;
    findings *f = aci_driver_alloc(c->database->env, sizeof *f);

    if (f == NULL)
        return aci_sqlite_fail_nomem(c->database, err);
    aci_sqlite_start_waiting(c);
    status = aci_sqlite_begin(c, false, &outcome, err);
    if (status >= 0) {
        status = look_through(c, f, &outcome, &why);
        aci_sqlite_rollback(c);
        reported = report(f, each, user, err); /* what could be seen, in any case */
        if (reported != AGENTCHAT_OK)
            status = reported;
        else if (status < 0 && err != NULL)
            *err = why;
    }
    aci_driver_free(c->database->env, f, sizeof *f);
    return status;
}
