/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking for damage below the tables. Backend of SQLite.
 *
 * What SQLite finds is collected first and reported when its statement is over, so that no function of the caller's
 * runs inside a transaction.
 */
#include "backends/sqlite/driver.h"

#include <string.h>

#define MOST_FINDINGS 100
#define FINDING_ROOM 200

typedef struct findings {
    bool is_intact;
    size_t count;
    char at[MOST_FINDINGS][FINDING_ROOM];
} findings;

/* SQLite gives several problems as the lines of one text. */
static void collect_lines(findings *f, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        char line[FINDING_ROOM];

        snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), text);
        if (len > 0 && strncmp(line, "*** in database", 15) != 0 && f->count < MOST_FINDINGS)
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
    }
    (void)sqlite3_finalize(statement);
    return code;
}

static agentchat_status report(const findings *f, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (f->is_intact && f->count == 0)
        return each(user, AGENTCHAT_STR("file"), (agentchat_str){NULL, 0}, err);
    for (size_t i = 0; i < f->count && status == AGENTCHAT_OK; i++)
        status = each(user, AGENTCHAT_STR("file"), agentchat_str_from(f->at[i]), err);
    return status;
}

agentchat_status aci_sqlite_check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_sql_outcome outcome;
    agentchat_status status;
    findings *f = agentchat_sys_alloc(c->database->env, sizeof *f);
    int code;

    if (f == NULL)
        return aci_sqlite_fail_nomem(c->database, err);
    aci_sqlite_start_waiting(c);
    code = collect(c, f);
    status = report(f, each, user, err); /* what could be seen, in any case */
    if (status == AGENTCHAT_OK && code != SQLITE_DONE)
        status = aci_sqlite_fail_on(c, code, "cannot look through the file", &outcome, err);
    agentchat_sys_free(c->database->env, f, sizeof *f);
    return status;
}
