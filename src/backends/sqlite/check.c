/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for damage below the tables. Backend of SQLite. */
#include "backends/sqlite/driver.h"

#include <string.h>

#define MOST_PROBLEMS 100
#define PROBLEM_ROOM 200

static agentchat_status report(agentchat_store_check_fn each, void *user, const char *problem, agentchat_error *err)
{
    agentchat_str text = {problem, problem != NULL ? strlen(problem) : 0};

    return each(user, AGENTCHAT_STR("file"), text, err);
}

/* SQLite gives several problems as the lines of one text. */
static agentchat_status report_lines(agentchat_store_check_fn each, void *user, const char *text, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    while (*text != '\0' && status == AGENTCHAT_OK) {
        char line[PROBLEM_ROOM], shown[PROBLEM_ROOM];
        size_t len = strcspn(text, "\n");

        snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), text);
        aci_sqlite_printable(line, shown, sizeof shown);
        if (len > 0 && strncmp(shown, "*** in database", 15) != 0)
            status = report(each, user, shown, err);
        text += len + (text[len] == '\n');
    }
    return status;
}

static agentchat_status step_check(aci_sqlite_connection *c, sqlite3_stmt *statement, agentchat_store_check_fn each,
                                   void *user, agentchat_error *err)
{
    agentchat_sql_outcome outcome;
    agentchat_status status = AGENTCHAT_OK;
    int code = SQLITE_OK;

    while (status == AGENTCHAT_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);

        if (text == NULL)
            return aci_sqlite_fail_nomem(c->database, err);
        if (strcmp(text, "ok") == 0)
            status = report(each, user, NULL, err);
        else
            status = report_lines(each, user, text, err);
    }
    if (status != AGENTCHAT_OK || code == SQLITE_DONE)
        return status;
    return aci_sqlite_fail_on(c, code, "cannot look through the file", &outcome, err);
}

agentchat_status aci_sqlite_check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_sql_outcome outcome;
    sqlite3_stmt *statement = NULL;
    agentchat_status status;
    char text[48];
    int code;

    aci_sqlite_start_waiting(c);
    snprintf(text, sizeof text, "PRAGMA integrity_check(%d)", MOST_PROBLEMS);
    code = aci_sqlite_prepare(c, text, false, &statement);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot look through the file", &outcome, err);
    status = step_check(c, statement, each, user, err);
    (void)sqlite3_finalize(statement);
    return status;
}
