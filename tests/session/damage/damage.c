/* SPDX-License-Identifier: Apache-2.0 */
/* Making the file, reading all of it. */
#include "session/damage/damage.h"

#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_status append_all(const agentchat_session *session, agentchat_bytes *out, agentchat_error *err)
{
    const char *key;
    agentchat_status status = agentchat_state_write(agentchat_session_state(session), out, err);
    char line[64];

    for (size_t i = 0; i < agentchat_session_event_count(session) && status >= 0; i++)
        status = agentchat_event_write(agentchat_session_event(session, i), "agentchat", out, NULL, err);
    for (size_t at = 0; status >= 0 && agentchat_state_next(agentchat_session_state(session), &at, &key, NULL);) {
        snprintf(line, sizeof line, " %llu", (unsigned long long)agentchat_session_revision(session, key));
        status = agentchat_bytes_append(out, agentchat_str_from(line), err);
    }
    return status;
}

char *damage_read(agentchat_store *store, const char *id, agentchat_status *status, agentchat_error *err)
{
    agentchat_bytes all = AGENTCHAT_BYTES_INIT;
    agentchat_session *session = NULL;
    char *text = NULL;

    *status = agentchat_session_get(store, &(agentchat_session_id){"app", "u", id}, NULL, &session, err);
    if (*status >= 0)
        *status = append_all(session, &all, err);
    agentchat_session_free(session);
    if (*status >= 0)
        text = strdup(all.ptr);
    agentchat_bytes_clear(&all);
    return text;
}

static agentchat_status note(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    damage_found *found = user;
    size_t len = strlen(found->text);

    (void)err;
    found->parts++;
    found->problems += problem.ptr != NULL;
    if (problem.ptr != NULL)
        snprintf(found->text + len, sizeof found->text - len, AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n",
                 AGENTCHAT_STR_ARG(part), AGENTCHAT_STR_ARG(problem));
    return AGENTCHAT_OK;
}

void damage_check(agentchat_store *store, damage_found *out)
{
    memset(out, 0, sizeof *out);
    out->status = agentchat_store_check(store, note, out, &out->err);
}

bool damage_may_say(agentchat_status status)
{
    switch (status) {
    case AGENTCHAT_E_CORRUPT:
    case AGENTCHAT_E_SCHEMA:
    case AGENTCHAT_E_VERSION:
    case AGENTCHAT_E_IO:
    case AGENTCHAT_E_NOTFOUND:
    case AGENTCHAT_E_LIMIT:
        return true;
    default:
        return status >= 0;
    }
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static void fill(agentchat_store *store)
{
    agentchat_error err;
    char id[16], key[32], value[700];

    for (int i = 0; i < DAMAGE_SESSIONS; i++) {
        agentchat_session *session = NULL;
        agentchat_state *initial = NULL;

        test_ok(agentchat_state_read(NULL, AGENTCHAT_STR("{\"app:a\":1,\"user:b\":[1.50],\"c\":null}"), &initial, &err),
                &err);
        snprintf(id, sizeof id, "s%d", i);
        test_ok(agentchat_session_create(store, &(agentchat_session_id){"app", "u", id}, initial, &session, &err),
                &err);
        agentchat_state_free(initial);
        for (int e = 0; e < 12; e++) {
            snprintf(key, sizeof key, "%sk%d", e % 3 == 0 ? "app:" : e % 3 == 1 ? "user:" : "", e);
            snprintf(value, sizeof value, "\"%0*d\"", e * 50 + 1, e);
            test_ok(agentchat_session_set(session, key, agentchat_str_from(value), &err), &err);
            test_ok(agentchat_session_add(session, e % 2 == 0 ? "n" : "app:n", e, NULL, &err), &err);
        }
        agentchat_session_free(session);
    }
}

static void read_all(damaged *d, agentchat_store *store)
{
    agentchat_status status;
    agentchat_error err;
    char id[16];

    for (int i = 0; i < DAMAGE_SESSIONS; i++) {
        snprintf(id, sizeof id, "s%d", i);
        d->texts[i] = damage_read(store, id, &status, &err);
        test_ok(status, &err);
    }
}

void damage_begin(damaged *d)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    memset(d, 0, sizeof *d);
    d->dir = test_dir_make();
    d->path = test_path(d->dir, "sessions.db");
    snprintf(d->url, sizeof d->url, "sqlite:%s?synchronous=normal", d->path);
    test_ok(agentchat_store_open(NULL, d->url, NULL, &store, &err), &err);
    fill(store);
    read_all(d, store);
    expect_sound(store);
    agentchat_store_close(store);
    d->sound = test_file_read(d->path, &d->len);
}

void damage_end(damaged *d)
{
    for (int i = 0; i < DAMAGE_SESSIONS; i++)
        free(d->texts[i]);
    free(d->sound);
    free(d->path);
    test_dir_remove(d->dir);
}

void damage_write(const damaged *d, const char *bytes, size_t len)
{
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    char name[4200];

    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", d->path, beside[i]);
        (void)unlink(name);
    }
    test_file_write(d->path, bytes != NULL ? bytes : d->sound, bytes != NULL ? len : d->len);
}

void damage_poke(const damaged *d, const char *statements)
{
    char *message = NULL;
    sqlite3 *db;

    assert_int_equal(sqlite3_open_v2(d->path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_exec(db, statements, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", statements, message);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void damage_run(const damaged *d, const char *statements)
{
    damage_write(d, NULL, 0);
    damage_poke(d, statements);
}
