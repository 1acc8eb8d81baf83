/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Beginning and ending transactions. Backend of SQLite.
 *
 * A transaction that may write takes the lock for it at its beginning, so that it never finds out half way that
 * somebody else was faster. One that reads sees the state of its first statement until it ends, however much others
 * write. Whatever fails ends the transaction: afterwards the connection is idle, or dead when not even that was
 * possible.
 */
#include "store/sqlite/driver.h"

agentchat_status aci_sqlite_look_at_schema(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    int64_t counter = 0;
    agentchat_status status;
    int code;

    /* It is the first statement of a transaction that reads, which may find others in the way. */
    do
        code = aci_sqlite_ask_own(c, ACI_SQLITE_OWN_SCHEMA_COUNTER, &counter);
    while (aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    if (counter == c->schema_counter)
        return AGENTCHAT_OK;
    c->schema_counter = -1;
    status = aci_sqlite_inspect(c, outcome, err);
    if (status >= 0)
        c->schema_counter = counter;
    return status;
}

/* What is written to a file that was deleted or replaced would go nowhere, or into the other one's log. */
static agentchat_status check_file(aci_sqlite_connection *c, agentchat_error *err)
{
    agentchat_status status = aci_sqlite_same_file(c->database, c->db, err);

    if (status >= 0) {
        aci_sqlite_note_shared(c);
        return status;
    }
    aci_sqlite_rollback(c);
    aci_sqlite_start_waiting(c);
    if (aci_sqlite_is_replaced(c->database))
        aci_sqlite_take_log_along(c);
    c->dead = true;
    return status;
}

agentchat_status aci_sqlite_begin(aci_sqlite_connection *c, bool writes, aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status;
    int code;

    if (c->dead) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the connection to the file is of no use any more");
        return aci_sqlite_source(c->database, AGENTCHAT_E_IO, err);
    }
    if (c->state != ACI_SQLITE_IDLE) {
        aci_sqlite_rollback(c);
        return aci_sqlite_fail_on(c, SQLITE_MISUSE, "a transaction begins inside another one", outcome, err);
    }
    code = aci_sqlite_step_own(c, writes ? ACI_SQLITE_OWN_BEGIN_WRITE : ACI_SQLITE_OWN_BEGIN_READ);
    if (code != SQLITE_OK) {
        status = aci_sqlite_fail_on(c, code, "cannot begin a transaction", outcome, err);
    } else {
        c->state = writes ? ACI_SQLITE_WRITING : ACI_SQLITE_READING;
        c->began_us = aci_sqlite_now_us();
        status = writes ? check_file(c, err) : AGENTCHAT_OK;
        if (status >= 0)
            status = aci_sqlite_look_at_schema(c, outcome, err);
    }
    if (status >= 0 && writes) {
        code = aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, &c->free_pages);
        if (code != SQLITE_OK)
            status = aci_sqlite_fail_on(c, code, "cannot begin a transaction", outcome, err);
    }
    if (status < 0)
        aci_sqlite_rollback(c);
    return status;
}

void aci_sqlite_end(void *connection)
{
    aci_sqlite_connection *c = connection;
    bool reads = c->state == ACI_SQLITE_READING;

    aci_sqlite_rollback(c);
    if (reads && !c->dead)
        aci_sqlite_log_after_reading(c);
}

/* Writes a page as it is, so that committing writes to the log, and flushes it where the store does that. */
static int write_nothing_new(aci_sqlite_connection *c)
{
    int64_t format = 0;
    char text[48];
    int code = aci_sqlite_ask(c, "PRAGMA user_version", &format);

    if (code != SQLITE_OK)
        return code;
    snprintf(text, sizeof text, "PRAGMA user_version=%ld", (long)format);
    return aci_sqlite_exec(c, text);
}

/* When the log could not be flushed, what was to be committed may stand in it in full. Nobody sees it, but if every
   process that has the file open were killed now, the next one would find it there and regard it as committed. A
   transaction that changes nothing is written over it. false: that was not possible either. */
static bool bury(aci_sqlite_connection *c)
{
    int code;

    c->guard = ACI_SQLITE_ENDING;
    code = aci_sqlite_exec(c, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK)
        code = write_nothing_new(c);
    if (code == SQLITE_OK)
        code = aci_sqlite_exec(c, "COMMIT");
    c->guard = ACI_SQLITE_ORDINARY;
    aci_sqlite_rollback(c);
    /* What was written but not flushed is in the other file as well. */
    return code == SQLITE_OK || code == SQLITE_IOERR_FSYNC;
}

/* A commit failed. What was not written in full is not in the log; anything else may be. */
static void clean_up(aci_sqlite_connection *c, int code, aci_sql_outcome *outcome)
{
    bool is_partial = (code & 0xFF) == SQLITE_FULL || code == SQLITE_IOERR_WRITE;

    if (c->database->path == NULL || aci_sqlite_is_busy(code))
        return;
    if ((c->dead || !bury(c)) && !is_partial)
        *outcome = ACI_SQL_UNCERTAIN;
}

agentchat_status aci_sqlite_commit(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    bool writes = c->state == ACI_SQLITE_WRITING, has_begun = false;
    int64_t more = 0;
    agentchat_status status;
    int code = SQLITE_OK;

    if (c->state == ACI_SQLITE_IDLE)
        return aci_sqlite_fail_on(c, SQLITE_MISUSE, "a commit without a transaction", outcome, err);
    aci_sqlite_start_statement(c);
    if (writes)
        code = aci_sqlite_shrink_before(c, &more);
    if (code == SQLITE_OK) {
        has_begun = true;
        code = aci_sqlite_step_own(c, ACI_SQLITE_OWN_COMMIT);
    }
    if (code != SQLITE_OK) {
        status = aci_sqlite_fail_on(c, code, "cannot commit", outcome, err);
        aci_sqlite_rollback(c);
        if (writes && has_begun)
            clean_up(c, code, outcome);
        return status;
    }
    c->state = ACI_SQLITE_IDLE;
    if (!writes) {
        aci_sqlite_log_after_reading(c);
        return AGENTCHAT_OK;
    }
    aci_sqlite_log_after_writing(c);
    if (more > 0)
        aci_sqlite_shrink_after(c, more);
    return AGENTCHAT_OK;
}

/* What others have committed can be seen before it is flushed, when a writer was killed in between or does not flush at
   all. A flush of the log flushes that too. */
agentchat_status aci_sqlite_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_status status;
    int code;

    *outcome = ACI_SQL_FINAL;
    aci_sqlite_rollback(c);
    if (c->database->path == NULL || c->database->durability == AGENTCHAT_DURABILITY_NORMAL)
        return AGENTCHAT_OK;
    aci_sqlite_start_waiting(c);
    status = aci_sqlite_begin(c, true, outcome, err);
    if (status < 0)
        return status;
    code = write_nothing_new(c);
    if (code == SQLITE_OK) {
        status = aci_sqlite_commit(c, outcome, err);
    } else {
        status = aci_sqlite_fail_on(c, code, "cannot write to the file's log", outcome, err);
        aci_sqlite_rollback(c);
    }
    if (*outcome == ACI_SQL_UNCERTAIN) /* nothing was to be committed that could be missing */
        *outcome = ACI_SQL_FINAL;
    return status;
}
