/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What sessions cost in an SQLite file, beside a bare loop that inserts the same rows with SQLite alone.
 *
 *     bench_sessions DIRECTORY LARGEST
 *
 * Makes its files in a new directory below DIRECTORY and removes them. Each row: the call, the durability, the number
 * of events or sessions that are there, microseconds (the median). Appends and the bare loop take turns, so that a slow
 * moment of the disk meets both.
 */
#include "ours.h"

#include <agentchat/session.h>
#include <agentchat/sqlite.h>
#include <sqlite3.h>

enum { APPENDS = 401, READS = 101, PAGES = 21, PAGE = 100 };

static const char body[] =
    "{\"author\":\"desk\",\"content\":{\"role\":\"assistant\",\"items\":[{\"type\":\"text\",\"text\":\"The parcel left "
    "the "
    "warehouse on Tuesday and should reach you by the end of the week. The carrier says that it was last seen in Halle "
    "and that it goes on tonight; nothing has to be done. If it is not there on Saturday, write to us again and we "
    "will "
    "send another one. "
    "\\u5305\\u88f9\\u5df2\\u4e8e\\u5468\\u4e8c\\u79bb\\u5f00\\u4ed3\\u5e93\"},{\"type\":\"call\",\"callid\":"
    "\"call_81\",\"function\":\"lookup\",\"arguments\":{\"id\":1234,\"full\":true}}]},\"actions\":{\"statedelta\":{"
    "\"app:requests\":17,\"user:last_order\":\"1234\",\"step\":\"shipped\"}}}";

static agentchat_event *event;

static void row(const char *what, const char *durability, size_t count, double *times, size_t rounds)
{
    printf("%s\t%s\t%zu\t%.2f\n", what, durability, count, bench_median(times, rounds));
    fflush(stdout);
}

static agentchat_store *open_store(const char *path, agentchat_durability durability)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    options.durability = durability;
    bench_must(agentchat_sqlite_open(NULL, path, &options, &store, &err), &err);
    return store;
}

static agentchat_session *make_session(agentchat_store *store, const char *id)
{
    agentchat_session *session = NULL, *other = NULL;
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_error err;

    bench_must(agentchat_session_create(store, &(agentchat_session_id){"shop", "ana", id}, NULL, &session, &err), &err);
    agentchat_session_free(session);
    options.no_events = true; /* the handle does not collect what it appends */
    bench_must(agentchat_session_get(store, &(agentchat_session_id){"shop", "ana", id}, &options, &other, &err), &err);
    return other;
}

static double append(agentchat_session *session)
{
    double start = bench_now_us();
    agentchat_error err;

    bench_must(agentchat_session_append(session, event, NULL, NULL, &err), &err);
    return bench_now_us() - start;
}

/* ---- the bare loop -------------------------------------------------------------------------------------------- */

typedef struct bare {
    sqlite3 *db;
    sqlite3_stmt *event, *state, *scope, *session, *begin, *commit;
    sqlite3_int64 next;
} bare;

static void bare_must(bare *b, int code)
{
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW)
        return;
    fprintf(stderr, "bench_sessions: %s\n", sqlite3_errmsg(b->db));
    exit(1);
}

static sqlite3_stmt *prepare(bare *b, const char *text)
{
    sqlite3_stmt *statement = NULL;

    bare_must(b, sqlite3_prepare_v3(b->db, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

/* On a file that the library has made, so that tables and indexes are the same. */
static void bare_open(bare *b, const char *path, bool full)
{
    memset(b, 0, sizeof *b);
    bare_must(b, sqlite3_open_v2(path, &b->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
    bare_must(b, sqlite3_exec(b->db, full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL", NULL, NULL, NULL));
    b->event = prepare(
        b, "INSERT INTO event(app, num, seq, id, time_ns, json, effect, sum) VALUES('shop', 7, ?, ?, ?, ?, ?, 7)");
    b->state =
        prepare(b, "INSERT INTO state(app, usr, sid, key, value, rev, sum) VALUES('shop', ?, ?, ?, ?, ?, 7) ON CONFLICT"
                   "(app, usr, sid, key) DO UPDATE SET value = excluded.value, rev = excluded.rev");
    b->scope = prepare(b, "INSERT INTO scope(app, usr, rev, sum) VALUES('shop', ?, 1, 7) ON CONFLICT(app, usr)"
                          " DO UPDATE SET rev = rev + 1");
    b->session =
        prepare(b, "UPDATE session SET seq = ?, updated_us = ? WHERE app = 'shop' AND usr = 'ana' AND id = 's'");
    b->begin = prepare(b, "BEGIN IMMEDIATE");
    b->commit = prepare(b, "COMMIT");
}

static void step(bare *b, sqlite3_stmt *statement)
{
    bare_must(b, sqlite3_step(statement));
    bare_must(b, sqlite3_reset(statement));
}

static void bare_state(bare *b, const char *usr, const char *sid, const char *key, const char *value)
{
    sqlite3_bind_text(b->state, 1, usr, -1, SQLITE_STATIC);
    sqlite3_bind_text(b->state, 2, sid, -1, SQLITE_STATIC);
    sqlite3_bind_text(b->state, 3, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(b->state, 4, value, -1, SQLITE_STATIC);
    sqlite3_bind_int64(b->state, 5, b->next);
    step(b, b->state);
}

static double bare_append(bare *b, const char *json, const char *effect)
{
    double start = bench_now_us();
    char id[40];

    b->next++;
    snprintf(id, sizeof id, "00000000-0000-4000-8000-%012lld", (long long)b->next * 7919 % 1000000000);
    step(b, b->begin);
    sqlite3_bind_int64(b->event, 1, b->next);
    sqlite3_bind_text(b->event, 2, id, -1, SQLITE_STATIC);
    sqlite3_bind_int64(b->event, 3, 1795292121309192000 + b->next * 1000000);
    sqlite3_bind_text(b->event, 4, json, -1, SQLITE_STATIC);
    sqlite3_bind_text(b->event, 5, effect, -1, SQLITE_STATIC);
    step(b, b->event);
    sqlite3_bind_text(b->scope, 1, "", -1, SQLITE_STATIC);
    step(b, b->scope);
    sqlite3_bind_text(b->scope, 1, "ana", -1, SQLITE_STATIC);
    step(b, b->scope);
    bare_state(b, "", "", "requests", "17");
    bare_state(b, "ana", "", "last_order", "\"1234\"");
    bare_state(b, "ana", "s", "step", "\"shipped\"");
    sqlite3_bind_int64(b->session, 1, b->next);
    sqlite3_bind_int64(b->session, 2, 1795292121309192 + b->next);
    step(b, b->session);
    step(b, b->commit);
    return bench_now_us() - start;
}

static void bare_close(bare *b)
{
    sqlite3_stmt *all[] = {b->event, b->state, b->scope, b->session, b->begin, b->commit};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sqlite3_finalize(all[i]);
    sqlite3_close(b->db);
}

/* ---- what is measured ----------------------------------------------------------------------------------------- */

static void bench_against_bare(const char *directory, agentchat_durability durability, const char *name)
{
    static const char effect[] = "{\"app\":1,\"user\":1,\"undo\":[[\"step\",1,\"\\\"shipped\\\"\"]]}";
    agentchat_bytes json = AGENTCHAT_BYTES_INIT;
    char ours_path[4096], bare_path[4096];
    double ours[APPENDS], theirs[APPENDS];
    agentchat_session *session;
    agentchat_store *store;
    agentchat_error err;
    bare b;

    snprintf(ours_path, sizeof ours_path, "%s/ours-%s.db", directory, name);
    snprintf(bare_path, sizeof bare_path, "%s/bare-%s.db", directory, name);
    store = open_store(bare_path, durability);
    agentchat_session_free(make_session(store, "s"));
    agentchat_store_close(store);
    bare_open(&b, bare_path, durability == AGENTCHAT_DURABILITY_FULL);
    store = open_store(ours_path, durability);
    session = make_session(store, "s");
    bench_must(agentchat_event_write(event, "agentchat", &json, NULL, &err), &err);
    for (size_t i = 0; i < APPENDS; i++) {
        ours[i] = append(session);
        theirs[i] = bare_append(&b, json.ptr, effect);
    }
    row("append an event, three scopes", name, APPENDS, ours, APPENDS);
    row("the same rows by SQLite alone", name, APPENDS, theirs, APPENDS);
    agentchat_bytes_clear(&json);
    bare_close(&b);
    agentchat_session_free(session);
    agentchat_store_close(store);
}

static void bench_last(agentchat_store *store, size_t last, size_t count)
{
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    double times[READS];
    agentchat_error err;
    char what[40];

    options.last = last;
    for (size_t i = 0; i < READS; i++) {
        double start = bench_now_us();
        agentchat_session *session = NULL;

        bench_must(agentchat_session_get(store, &(agentchat_session_id){"shop", "ana", "s"}, &options, &session, &err),
                   &err);
        agentchat_session_free(session);
        times[i] = bench_now_us() - start;
    }
    snprintf(what, sizeof what, "get the last %zu events", last);
    row(what, "normal", count, times, READS);
}

static void bench_growing(const char *directory, size_t largest)
{
    char path[4096];
    double times[APPENDS];
    size_t there = 0;
    agentchat_store *store;
    agentchat_session *session;

    snprintf(path, sizeof path, "%s/growing.db", directory);
    store = open_store(path, AGENTCHAT_DURABILITY_NORMAL);
    session = make_session(store, "s");
    for (size_t count = 100; count <= largest; count *= 10) {
        while (there < count) {
            (void)append(session);
            there++;
        }
        bench_last(store, 10, there);
        for (size_t i = 0; i < APPENDS && count < largest * 10; i++, there++)
            times[i] = append(session);
        row("append an event, three scopes", "normal", count, times, APPENDS);
    }
    agentchat_session_free(session);
    agentchat_store_close(store);
}

static void bench_listing(const char *directory, size_t sessions)
{
    agentchat_session_list_options options = AGENTCHAT_SESSION_LIST_OPTIONS_INIT;
    char path[4096], id[32], what[64], *cursor = NULL;
    double times[PAGES];
    size_t page = 0, from = 0;
    agentchat_store *store;
    agentchat_error err;

    snprintf(path, sizeof path, "%s/listing.db", directory);
    options.user = "ana";
    options.limit = PAGE;
    store = open_store(path, AGENTCHAT_DURABILITY_NORMAL);
    for (size_t i = 0; i < sessions; i++) {
        agentchat_session *session = NULL;

        snprintf(id, sizeof id, "s%zu", i);
        bench_must(agentchat_session_create(store, &(agentchat_session_id){"shop", "ana", id}, NULL, &session, &err),
                   &err);
        agentchat_session_free(session);
    }
    do {
        double start = bench_now_us();
        agentchat_session_list *list = NULL;
        const char *next;

        options.cursor = cursor;
        bench_must(agentchat_session_list_read(store, "shop", &options, &list, &err), &err);
        times[page++ % PAGES] = bench_now_us() - start;
        next = agentchat_session_list_cursor(list);
        free(cursor);
        cursor = next != NULL ? strdup(next) : NULL;
        agentchat_session_list_free(list);
        if (page % PAGES == 0 || cursor == NULL) {
            snprintf(what, sizeof what, "list %d sessions, from page %zu on", PAGE, from + 1);
            row(what, "normal", sessions, times, page - from);
            from = page;
        }
    } while (cursor != NULL);
    agentchat_store_close(store);
}

static void remove_files(const char *directory)
{
    static const char *const names[] = {"ours-full", "ours-normal", "bare-full", "bare-normal", "growing", "listing"};
    static const char *const endings[] = {".db", ".db-wal", ".db-shm"};
    char path[4096];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
            snprintf(path, sizeof path, "%s/%s%s", directory, names[i], endings[k]);
            (void)unlink(path);
        }
    }
    (void)rmdir(directory);
}

int main(int argc, char **argv)
{
    char directory[3000];
    agentchat_error err;
    size_t largest;

    if (argc != 3 || (largest = (size_t)strtoul(argv[2], NULL, 10)) < 100) {
        fprintf(stderr, "usage: bench_sessions DIRECTORY LARGEST (at least 100)\n");
        return 2;
    }
    snprintf(directory, sizeof directory, "%s/bench-sessions-XXXXXX", argv[1]);
    if (mkdtemp(directory) == NULL) {
        perror(directory);
        return 1;
    }
    bench_must(agentchat_event_read(NULL, agentchat_str_from(body), NULL, &event, NULL, &err), &err);
    bench_against_bare(directory, AGENTCHAT_DURABILITY_FULL, "full");
    bench_against_bare(directory, AGENTCHAT_DURABILITY_NORMAL, "normal");
    bench_growing(directory, largest);
    bench_listing(directory, largest / 10);
    agentchat_event_unref(event);
    remove_files(directory);
    return 0;
}
