/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeping a live chat in a thread costs on a PostgreSQL server.
 *
 *     bench_threads_postgres URL WHAT NUMBER
 *
 * WHAT          as of bench_threads, each in a new database of that server, which is dropped afterwards
 * conversation  turns of two messages of 1.3 KB with a checkpoint each, and a bare loop that inserts the same messages
 * by one statement a turn, which is one transaction and one round trip newest        the newest 50 messages of a thread
 * of so many, on an open store and on a fresh connection beside        turns as of conversation, and with three
 * checkpoints each
 *
 * URL is one of libpq's with a query; the database that it names is used for making others. Durability is the server's.
 */
#include "reading.h"
#include "run.h"

#include <agentchat/postgres.h>
#include <libpq-fe.h>

static const char *server;
static char url[1024];
static size_t turns;

/* ---- databases -------------------------------------------------------------------------------------------------- */

static PGconn *connect_to(const char *where)
{
    PGconn *connection = PQconnectdb(where);

    if (PQstatus(connection) != CONNECTION_OK) {
        fprintf(stderr, "bench_threads_postgres: %s", PQerrorMessage(connection));
        exit(1);
    }
    return connection;
}

/* The first column of the first row as a number; 0 where there is none. */
static double ask(PGconn *connection, const char *statement)
{
    PGresult *result = PQexec(connection, statement);
    double number = 0;

    if (PQresultStatus(result) != PGRES_TUPLES_OK && PQresultStatus(result) != PGRES_COMMAND_OK) {
        fprintf(stderr, "bench_threads_postgres: %s", PQerrorMessage(connection));
        exit(1);
    }
    if (PQntuples(result) > 0)
        number = strtod(PQgetvalue(result, 0, 0), NULL);
    PQclear(result);
    return number;
}

static double ask_server(const char *statement)
{
    PGconn *connection = connect_to(server);
    double number = ask(connection, statement);

    PQfinish(connection);
    return number;
}

/* The URL of the new database is that of the server's with another name. */
static void make_database(void)
{
    (void)ask_server("CREATE DATABASE bench_threads");
    snprintf(url, sizeof url, "%s&dbname=bench_threads", server);
}

static void drop_database(void)
{
    (void)ask_server("DROP DATABASE bench_threads");
}

static agentchat_store *open_store(void)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    bench_must(agentchat_postgres_open(NULL, url, NULL, &store, &err), &err);
    return store;
}

static agentchat_store *new_store(void)
{
    agentchat_error err;

    make_database();
    bench_must(agentchat_postgres_init(NULL, url, NULL, &err), &err);
    return open_store();
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

/* Bytes of the write-ahead log that the server has written in all. */
static double log_position(void)
{
    return ask_server("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')");
}

static double database_size(void)
{
    return ask_server("SELECT pg_database_size('bench_threads')");
}

/* What is stored is what the database has become larger by since then. */
static double empty_size;

static double stored(void)
{
    return database_size() - empty_size;
}

static void end(bench_run *run, double log)
{
    run->stored = stored();
    run->written = log_position() - log;
    bench_run_row(run);
    drop_database();
}

static void chat(const char *what, bench_sizes sizes, size_t puts, bool with_series)
{
    agentchat_store *store = new_store();
    double log = log_position();
    bench_run run;

    empty_size = database_size();

    bench_run_begin(&run, what, "server", turns, puts);
    bench_run_chat(&run, store, BENCH_PLAIN, sizes, puts, with_series ? stored : NULL);
    agentchat_store_close(store);
    end(&run, log);
}

static void insert(PGconn *connection, agentchat_str question, agentchat_str answer)
{
    const char *const values[] = {question.ptr, answer.ptr};
    const int lengths[] = {(int)question.len, (int)answer.len}, formats[] = {1, 1};
    PGresult *result = PQexecPrepared(connection, "insert", 2, values, lengths, formats, 1);

    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        fprintf(stderr, "bench_threads_postgres: %s", PQerrorMessage(connection));
        exit(1);
    }
    PQclear(result);
}

static void bare_loop(void)
{
    PGconn *connection;
    double log;
    bench_run run;

    make_database();
    connection = connect_to(url);
    (void)ask(connection, "CREATE TABLE m(seq bigserial PRIMARY KEY, body bytea)");
    PQclear(PQprepare(connection, "insert", "INSERT INTO m(body) VALUES($1),($2)", 2, NULL));
    empty_size = database_size();
    log = log_position();
    bench_run_begin(&run, "bare loop", "server", turns, 1);
    for (size_t i = 0; i < turns; i++) {
        agentchat_str question = bench_text(2 * i, bench_long.question);
        agentchat_str answer = bench_text(2 * i + 1, bench_long.answer);
        double began;

        bench_run_turn_begin(&run);
        began = bench_run_put_begin();
        insert(connection, question, answer);
        bench_run_put_end(&run, began);
        bench_run_turn_end(&run, bench_long);
    }
    PQfinish(connection);
    end(&run, log);
}

/* ---- what can be asked for -------------------------------------------------------------------------------------- */

static void beside(bench_sizes sizes)
{
    chat("thread", sizes, 1, true);
    chat("thread, three checkpoints a turn", sizes, 3, true);
}

static void newest(void)
{
    agentchat_store *store = new_store();

    bench_newest(store, open_store, turns);
    agentchat_store_close(store);
    drop_database();
}

int main(int argc, char **argv)
{
    if (argc != 4 || (turns = strtoul(argv[3], NULL, 10)) == 0) {
        fprintf(stderr, "usage: bench_threads_postgres URL WHAT NUMBER\n");
        return 2;
    }
    server = argv[1];
    if (strcmp(argv[2], "conversation") == 0) {
        chat("thread", bench_long, 1, false);
        bare_loop();
    } else if (strcmp(argv[2], "newest") == 0) {
        newest();
    } else if (strcmp(argv[2], "beside") == 0) {
        beside(bench_long);
    } else if (strcmp(argv[2], "beside-short") == 0) {
        beside(bench_short);
    } else {
        fprintf(stderr, "bench_threads_postgres: %s is nothing that it measures\n", argv[2]);
        return 2;
    }
    return 0;
}
