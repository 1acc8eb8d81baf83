/* SPDX-License-Identifier: Apache-2.0 */
/* The server, databases on it, and statements for arranging and asserting. */
#define _GNU_SOURCE /* asprintf */
#include "support/postgres/test_postgres.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_DATABASES = 256, SKIPPED = 77 };

static struct {
    const char *name;
    pid_t process; /* that began: children must not clean up */
    char *url;
    test_postgres_server *own;
    char *databases[MOST_DATABASES];
    size_t count;
} run;

__attribute__((format(printf, 1, 2))) static char *format(const char *pattern, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, pattern);
    if (vasprintf(&text, pattern, arguments) < 0)
        abort();
    va_end(arguments);
    return text;
}

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *pattern, ...)
{
    va_list arguments;

    va_start(arguments, pattern);
    vprintf(pattern, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    exit(1);
}

/* ---- the server's script -------------------------------------------------------------------------------------- */

/* A value of the file that the script writes; NULL when it is not there. */
static char *value_of(const char *file, const char *name)
{
    FILE *stream = fopen(file, "r");
    char line[1024], *found = NULL;
    size_t len = strlen(name);

    while (stream != NULL && found == NULL && fgets(line, sizeof line, stream) != NULL) {
        if (strncmp(line, name, len) == 0 && line[len] == '=')
            found = format("%.*s", (int)strcspn(line + len + 1, "\n"), line + len + 1);
    }
    if (stream != NULL)
        fclose(stream);
    return found;
}

/* Exit status of "server WORD FILE REST". */
static int script(const char *what, const char *file)
{
    size_t word = strcspn(what, " ");
    char *command =
        format("'%s' %.*s '%s' %s >/dev/null", AGENTCHAT_TEST_POSTGRES_SCRIPT, (int)word, what, file, what + word);
    int status = system(command);

    free(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void skip_without(const char *file)
{
    char *reason = value_of(file, "skip");

    if (reason == NULL)
        return;
    printf("skipped %s: %s\n", run.name, reason);
    fflush(stdout);
    exit(SKIPPED);
}

/* start: "start …" with the script's options; free()d. */
static test_postgres_server *start_server(char *start)
{
    test_postgres_server *server = calloc(1, sizeof *server);
    int status;

    server->dir = test_dir_make();
    server->file = test_path(server->dir, "server");
    status = script(start, server->file);
    if (status == SKIPPED)
        skip_without(server->file);
    if (status != 0)
        give_up("%s: no server", run.name);
    server->url = value_of(server->file, "url");
    free(start);
    return server;
}

test_postgres_server *test_postgres_server_new(bool durable)
{
    return start_server(format("start %s --owner %d", durable ? "--durable" : "", (int)getpid()));
}

test_postgres_server *test_postgres_server_standby(const test_postgres_server *primary)
{
    return start_server(format("standby '%s' --owner %d", primary->file, (int)getpid()));
}

test_postgres_server *test_postgres_server_tls(void)
{
    return start_server(format("start --tls --owner %d", (int)getpid()));
}

char *test_postgres_server_value(const test_postgres_server *server, const char *name)
{
    char *value = value_of(server->file, name);

    assert_non_null(value);
    return value;
}

void test_postgres_server_do(const test_postgres_server *server, const char *what)
{
    if (script(what, server->file) != 0)
        fail_msg("server %s", what);
}

void test_postgres_server_free(test_postgres_server *server)
{
    (void)script("stop", server->file);
    test_dir_remove(server->dir);
    free(server->file);
    free(server->url);
    free(server);
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

static void end(void)
{
    if (getpid() != run.process)
        return;
    for (size_t i = 0; i < run.count; i++) {
        PGconn *conn = run.own == NULL ? PQconnectdb(run.url) : NULL;
        char *statement = format("DROP DATABASE IF EXISTS %s WITH (FORCE)", run.databases[i]);

        if (conn != NULL && PQstatus(conn) == CONNECTION_OK)
            PQclear(PQexec(conn, statement));
        PQfinish(conn);
        free(statement);
        free(run.databases[i]);
    }
    free(run.url);
    if (run.own != NULL)
        test_postgres_server_free(run.own);
}

void test_postgres_begin(const char *name)
{
    const char *file = getenv("AGENTCHAT_TEST_POSTGRES_SERVER");

    run.name = name;
    run.process = getpid();
    if (file == NULL) {
        run.own = test_postgres_server_new(false);
        run.url = format("%s", run.own->url);
    } else {
        skip_without(file);
        run.url = value_of(file, "url");
        if (run.url == NULL)
            give_up("%s: %s names no server", name, file);
    }
    (void)atexit(end);
}

char *test_postgres_database_with(const char *properties)
{
    char *statement, *url;
    const char *rest = strstr(run.url, "/postgres?");

    assert_true(run.count < MOST_DATABASES && rest != NULL);
    run.databases[run.count] = format("agentchat_%d_%zu", (int)run.process, run.count);
    statement = format("CREATE DATABASE %s %s", run.databases[run.count], properties);
    test_postgres_run(run.url, statement);
    url = format("%.*s/%s%s", (int)(rest - run.url), run.url, run.databases[run.count], rest + strlen("/postgres"));
    run.count++;
    free(statement);
    return url;
}

char *test_postgres_database(void)
{
    return test_postgres_database_with("");
}

/* ---- statements ----------------------------------------------------------------------------------------------- */

static void ignore_notice(void *user, const char *message)
{
    (void)user;
    (void)message;
}

static PGresult *execute(const char *url, const char *statements)
{
    PGconn *conn = PQconnectdb(url);
    PGresult *result;
    ExecStatusType status;

    (void)PQsetNoticeProcessor(conn, ignore_notice, NULL);
    result = PQexec(conn, statements);
    status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s: %s", statements, PQerrorMessage(conn));
    PQfinish(conn);
    return result;
}

void test_postgres_run(const char *url, const char *statements)
{
    PQclear(execute(url, statements));
}

char *test_postgres_ask(const char *url, const char *statement)
{
    PGresult *result = execute(url, statement);
    char *text = format("%s", PQntuples(result) > 0 && PQnfields(result) > 0 ? PQgetvalue(result, 0, 0) : "");

    PQclear(result);
    return text;
}

long long test_postgres_count(const char *url, const char *statement)
{
    char *text = test_postgres_ask(url, statement);
    long long value = strtoll(text, NULL, 10);

    free(text);
    return value;
}

void test_postgres_await(const char *url, const char *statement, const char *expected)
{
    for (int tries = 0; tries < 500; tries++) {
        static const struct timespec moment = {0, 20000000};
        char *answer = test_postgres_ask(url, statement);
        bool is_there = strcmp(answer, expected) == 0;

        free(answer);
        if (is_there)
            return;
        (void)nanosleep(&moment, NULL);
    }
    fail_msg("not '%s' within ten seconds: %s", expected, statement);
}

char *test_postgres_url_with(const char *url, const char *user, const char *parameters)
{
    const char *old = strstr(url, "&user=");
    size_t head = old != NULL ? (size_t)(old - url) : strlen(url);
    const char *rest = old != NULL ? old + 6 + strcspn(old + 6, "&") : "";
    int user_len = old != NULL ? (int)(rest - old - 6) : 0;

    if (user != NULL)
        return format("%.*s&user=%s%s%s%s", (int)head, url, user, rest, parameters != NULL ? "&" : "",
                      parameters != NULL ? parameters : "");
    return format("%.*s&user=%.*s%s%s%s", (int)head, url, user_len, old != NULL ? old + 6 : "", rest,
                  parameters != NULL ? "&" : "", parameters != NULL ? parameters : "");
}
