/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing of temp: reaches a store. Values are planted on every way in that a store has, under every spelling of the
 * prefix, and looked for in all that the store has written: the file and its write-ahead log byte by byte, every column
 * of every table, what comes back when it is read, a dump of the server's tables, every file of a server.
 *
 * What may not be found holds the word PLANTED. Beside each plant stands something that must be kept, with the word
 * KEPT and a number, so that a search which finds nothing at all is not taken for success.
 *
 *     test_session_temp memory|sqlite|postgres [FILTER]
 */
#define _GNU_SOURCE /* memmem, nftw */
#include "session/scene.h"
#include "session/server.h"

#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

#ifdef SESSION_WITH_SERVER
#include "support/postgres/test_postgres.h"
#endif

/* ---- what is planted -------------------------------------------------------------------------------------------- */

/* Names that are temporary when they are decoded. */
static const char *const temporary[] = {
    "temp:x",
    "temp:",
    "temp:app:x",
    "\\u0074emp:x",
    "t\\u0065m\\u0070:x",
    "temp\\u003ax",
    "\\u0074\\u0065\\u006d\\u0070\\u003a\\u0078",
    "temp:\\\"x\\\\",
    "temp:\\ud83d\\ude00",
    "temp:\xC3\xA9",
};
#define TEMPORARY (sizeof temporary / sizeof *temporary)

/* Names that are not. */
static const char *const lasting[] = {"Temp:x",         " temp:x", "xtemp:x",   "temp", "temp\\u00ef\\u00bc\\u009ax",
                                      "\\\\u0074emp:x", "TEMP:x",  "app:temp:x"};
#define LASTING (sizeof lasting / sizeof *lasting)

/* Where unknown members may be: the first %s is the name, the second its value; where there are four, again. */
static const char *const templates[] = {
    /* native format */
    "{\"author\":\"a\",\"%s\":%s,\"z\":1}",
    "{\"author\":\"a\",\"y\":0,\"%s\":%s}",
    "{\"author\":\"a\",\"more\":{\"%s\":%s}}",
    "{\"author\":\"a\",\"more\":{\"a\":1,\"%s\":%s,\"b\":[2]}}",
    "{\"author\":\"a\",\"more\":[1,{\"a\":[[{\"b\":{\"%s\":%s}}]]},3]}",
    "{\"author\":\"a\",\"extras\":[{\"name\":\"%s\",\"from\":\"adk\",\"value\":%s}]}",
    "{\"author\":\"a\",\"extras\":[{\"name\":\"ok\",\"from\":\"adk\",\"value\":{\"%s\":%s}}]}",
    "{\"author\":\"a\",\"actions\":{\"%s\":%s}}",
    "{\"author\":\"a\",\"actions\":{\"more\":{\"%s\":%s,\"c\":{\"%s\":%s}}}}",
    "{\"author\":\"a\",\"actions\":{\"artifacts\":{\"%s\":%s,\"f\":1}}}",
    "{\"author\":\"a\",\"actions\":{\"artifacts\":{\"f\":{\"%s\":%s}}}}",
    "{\"author\":\"a\",\"actions\":{\"compaction\":{\"%s\":%s}}}",
    "{\"author\":\"a\",\"actions\":{\"compaction\":{\"list\":[{\"%s\":%s}]}}}",
    /* ADK, camelCase and snake_case */
    "{\"author\":\"a\",\"invocationId\":\"i\",\"customMetadata\":{\"%s\":%s}}",
    "{\"author\":\"a\",\"invocation_id\":\"i\",\"custom_metadata\":{\"deep\":[{\"%s\":%s}]}}",
    "{\"author\":\"a\",\"invocationId\":\"i\",\"%s\":%s}",
    "{\"author\":\"a\",\"invocationId\":\"i\",\"actions\":{\"%s\":%s}}",
    "{\"author\":\"a\",\"invocation_id\":\"i\",\"actions\":{\"requested_auth_configs\":{\"c\":{\"%s\":%s}}}}",
    "{\"author\":\"a\",\"invocationId\":\"i\",\"groundingMetadata\":{\"x\":{\"%s\":%s}}}",
    "{\"author\":\"a\",\"invocationId\":\"i\",\"actions\":{\"agentState\":{\"%s\":%s}}}",
};
#define TEMPLATES (sizeof templates / sizeof *templates)

/* Values that are planted: the word at every depth. */
static const char *const planted[] = {"\"PLANTED\"", "{\"k\":[{\"l\":\"PLANTED\"}]}", "[[\"PLANTED\"]]"};

/* Changes of state: %s is the key, %s a value. */
static const char *const deltas[] = {
    "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"%s\":%s}}}",
    "{\"author\":\"a\",\"invocationId\":\"i\",\"actions\":{\"stateDelta\":{\"%s\":%s}}}",
    "{\"author\":\"a\",\"invocation_id\":\"i\",\"actions\":{\"state_delta\":{\"%s\":%s}}}",
};
#define DELTAS (sizeof deltas / sizeof *deltas)

/* Keys with the word in them, in spellings of JSON. */
static const char *const temporary_keys[] = {"temp:PLANTED", "\\u0074emp:PLANTED", "temp\\u003aPLANTED",
                                             "\\u0074\\u0065\\u006d\\u0070\\u003aPLANTED"};
#define TEMPORARY_KEYS (sizeof temporary_keys / sizeof *temporary_keys)

/* ---- planting --------------------------------------------------------------------------------------------------- */

typedef struct garden {
    scene *s;
    agentchat_session *session;
    int kept; /* numbers 1 to this must be found */
} garden;

/* Appends an event that is given as text. */
static void append_text(garden *g, const char *text)
{
    scene *s = g->s;
    agentchat_event *event = NULL;
    agentchat_status status = agentchat_event_read(s->env, agentchat_str_from(text), NULL, &event, NULL, &s->err);

    if (status < 0)
        print_error("%s\n", text);
    test_ok(status, &s->err);
    test_ok(agentchat_session_append(g->session, event, NULL, NULL, &s->err), &s->err);
    agentchat_event_unref(event);
}

/* A template with a name and a value in it. */
__attribute__((format(printf, 2, 0))) static void append_filled(garden *g, const char *pattern, const char *name,
                                                                const char *value)
{
    char text[2048];
    int len;

    len = snprintf(text, sizeof text, pattern, name, value, name, value);
    assert_true(len > 0 && (size_t)len < sizeof text);
    append_text(g, text);
}

static const char *next_kept(garden *g)
{
    static char value[32];

    snprintf(value, sizeof value, "\"KEPT%04d.\"", ++g->kept);
    return value;
}

static void plant_in_unknown_members(garden *g)
{
    for (size_t p = 0; p < TEMPLATES; p++) {
        for (size_t n = 0; n < TEMPORARY; n++)
            append_filled(g, templates[p], temporary[n], planted[(p + n) % 3]);
        for (size_t n = 0; n < LASTING; n++)
            append_filled(g, templates[p], lasting[n], next_kept(g));
    }
}

static void plant_in_changes(garden *g)
{
    char key[64];

    for (size_t d = 0; d < DELTAS; d++) {
        for (size_t k = 0; k < TEMPORARY_KEYS; k++)
            append_filled(g, deltas[d], temporary_keys[k], "\"PLANTED\"");
        snprintf(key, sizeof key, "lasting%zu", d);
        append_filled(g, deltas[d], key, next_kept(g));
    }
    append_text(g, "{\"author\":\"a\",\"actions\":{\"statedelete\":[\"temp:PLANTED\",\"\\u0074emp:PLANTED2\"],"
                   "\"stateadd\":{\"temp:PLANTED3\":1,\"\\u0074emp:PLANTED4\":2}}}");
    (void)scene_append(g->s, g->session, NULL, "temp:PLANTED=\"PLANTED\" temp:n+=1 -temp:PLANTED2");
}

/* Inside values of other keys, and in what was said, members of that name are data. */
static void keep_in_values_and_content(garden *g)
{
    char text[512];

    snprintf(text, sizeof text, "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"data\":{\"temp:x\":%s}}}}",
             next_kept(g));
    append_text(g, text);
    snprintf(text, sizeof text,
             "{\"author\":\"a\",\"content\":{\"role\":\"user\",\"metadata\":{\"temp:x\":%s},\"items\":[]}}",
             next_kept(g));
    append_text(g, text);
}

static void plant_during_an_invocation(garden *g)
{
    scene *s = g->s;
    agentchat_state *wanted = scene_state(s, "{\"temp:PLANTED\":\"PLANTED\",\"lasting\":1}");

    test_ok(agentchat_invocation_begin(g->session, NULL, &s->err), &s->err);
    test_ok(agentchat_session_set(g->session, "temp:PLANTED", AGENTCHAT_STR("\"PLANTED\""), &s->err), &s->err);
    test_ok(agentchat_session_add(g->session, "temp:PLANTED1", 1, NULL, &s->err), &s->err);
    (void)scene_append(s, g->session, "mark", "temp:PLANTED=\"PLANTED.again\" temp:PLANTED1+=1 k=1");
    expect_key(g->session, "temp:PLANTED1", "2");
    (void)scene_append(s, g->session, NULL, "k=2 -temp:PLANTED");
    test_ok(agentchat_session_delete_key(g->session, "temp:PLANTED1", &s->err), &s->err);
    test_ok(agentchat_session_set(g->session, "temp:PLANTED", AGENTCHAT_STR("\"PLANTED\""), &s->err), &s->err);
    test_ok(agentchat_session_rewind(g->session, "mark", NULL, &s->err), &s->err);
    test_ok(agentchat_session_refresh(g->session, &s->err), &s->err);
    agentchat_invocation_end(g->session);
    test_ok(agentchat_session_apply_state(g->session, wanted, NULL, &s->err), &s->err);
    agentchat_state_free(wanted);
}

static void plant_in_files(garden *g)
{
    static const char own[] =
        "{\"agentchatsession\":{\"format\":1},\"app\":\"%s\",\"user\":\"u\",\"id\":\"own\","
        "\"state\":{\"temp:PLANTED\":\"PLANTED\",\"\\u0074emp:x\":\"PLANTED\",\"k\":%s},"
        "\"initial\":{},\"events\":[{\"author\":\"a\",\"temp:x\":\"PLANTED\",\"actions\":{\"statedelta\":"
        "{\"temp:PLANTED\":1}}}]}";
    static const char adk[] =
        "{\"id\":\"adk\",\"appName\":\"%s\",\"userId\":\"u\",\"state\":{\"temp:PLANTED\":\"PLANTED\",\"k\":%s},"
        "\"events\":[{\"author\":\"a\",\"invocationId\":\"i\",\"customMetadata\":{\"temp:x\":\"PLANTED\"},"
        "\"actions\":{\"stateDelta\":{\"\\u0074emp:PLANTED\":1}}}],\"lastUpdateTime\":1}";
    scene *s = g->s;

    for (int i = 0; i < 2; i++) {
        agentchat_session *session = NULL;
        agentchat_source *source = NULL;
        char text[1024];

        if (i == 0)
            snprintf(text, sizeof text, own, s->app, next_kept(g));
        else
            snprintf(text, sizeof text, adk, s->app, next_kept(g));
        test_ok(agentchat_source_memory(s->env, agentchat_str_from(text), &source, &s->err), &s->err);
        test_ok(agentchat_session_import(s->store, source, NULL, &session, NULL, &s->err), &s->err);
        agentchat_session_free(session);
        agentchat_source_free(source);
    }
}

/* In what a file says of the state before its events such a key is refused, and nothing of the file is stored. */
static void plant_in_initial_states(garden *g)
{
    static const char *const initial[] = {"{\"temp:PLANTED\":\"PLANTED\"}", "{\"k\":0,\"t\\u0065mp:x\":[\"PLANTED\"]}"};
    static const char file[] = "{\"agentchatsession\":{\"format\":1},\"app\":\"%s\",\"user\":\"u\",\"id\":\"PLANTED\","
                               "\"state\":{},\"initial\":%s,\"events\":[{\"author\":\"PLANTED\"}]}";
    scene *s = g->s;

    for (size_t i = 0; i < sizeof initial / sizeof *initial; i++) {
        agentchat_session *session = NULL;
        agentchat_source *source = NULL;
        char text[1024];

        snprintf(text, sizeof text, file, s->app, initial[i]);
        test_ok(agentchat_source_memory(s->env, agentchat_str_from(text), &source, &s->err), &s->err);
        expect_fails(s, agentchat_session_import(s->store, source, NULL, &session, NULL, &s->err), AGENTCHAT_E_INVALID,
                     "prefix");
        agentchat_source_free(source);
    }
}

static garden plant_all(scene *s)
{
    garden g = {.s = s};

    g.session = scene_create(
        s, "u", "s",
        "{\"temp:PLANTED\":\"PLANTED\",\"\\u0074emp:x\":{\"a\":\"PLANTED\"},\"user:start\":\"KEPT0001.\"}");
    g.kept = 1;
    plant_in_unknown_members(&g);
    plant_in_changes(&g);
    keep_in_values_and_content(&g);
    plant_during_an_invocation(&g);
    plant_in_files(&g);
    plant_in_initial_states(&g);
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "copy", NULL, &s->err),
            &s->err);
    return g;
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static const char *find(const char *text, size_t len, const char *word)
{
    return memmem(text, len, word, strlen(word));
}

static void expect_clean(const char *what, const char *text, size_t len)
{
    const char *found = find(text, len, "PLANTED");

    if (found == NULL)
        return;
    found -= found - text < 120 ? found - text : 120;
    fail_msg("%s: %.240s", what, found);
}

static void expect_kept(const garden *g, const char *what, const char *text, size_t len)
{
    char word[16];

    for (int i = 1; i <= g->kept; i++) {
        snprintf(word, sizeof word, "KEPT%04d.", i);
        if (find(text, len, word) == NULL)
            fail_msg("%s: %s is not there", what, word);
    }
}

/* Everything that reading gives: state and events of all sessions. */
static void look_through_the_api(const garden *g)
{
    static const char *const ids[] = {"s", "copy", "own", "adk"};
    agentchat_bytes all = AGENTCHAT_BYTES_INIT;
    scene *s = g->s;

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        agentchat_session *session = scene_get(s, "u", ids[i]);

        test_ok(agentchat_state_write(agentchat_session_state(session), &all, &s->err), &s->err);
        for (size_t e = 0; e < agentchat_session_event_count(session); e++)
            test_ok(agentchat_event_write(agentchat_session_event(session, e), "agentchat", &all, NULL, &s->err),
                    &s->err);
        agentchat_session_free(session);
    }
    expect_clean("what is read", all.ptr, all.len);
    expect_kept(g, "what is read", all.ptr, all.len);
    agentchat_bytes_clear(&all);
}

/* The file and what lies beside it, byte by byte; returns their number. */
static size_t look_through_the_files(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    size_t files = 0;

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[4200], *bytes;
        size_t len;

        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        if (access(name, F_OK) != 0)
            continue;
        bytes = test_file_read(name, &len);
        expect_clean(name, bytes, len);
        free(bytes);
        files++;
    }
    return files;
}

/* Every column of every table, as SQLite gives it to anybody. */
static void look_through_the_tables(const garden *g, const char *path)
{
    agentchat_bytes all = AGENTCHAT_BYTES_INIT;
    sqlite3_stmt *tables, *rows;
    sqlite3 *db;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type='table'", -1, &tables, NULL),
                     SQLITE_OK);
    while (sqlite3_step(tables) == SQLITE_ROW) {
        char *sql = sqlite3_mprintf("SELECT * FROM %Q", sqlite3_column_text(tables, 0));

        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
        while (sqlite3_step(rows) == SQLITE_ROW) {
            for (int i = 0; i < sqlite3_column_count(rows); i++) {
                const char *text = (const char *)sqlite3_column_text(rows, i);

                if (text != NULL)
                    test_ok(agentchat_bytes_append(&all, agentchat_str_from(text), NULL), NULL);
            }
        }
        sqlite3_finalize(rows);
        sqlite3_free(sql);
    }
    sqlite3_finalize(tables);
    sqlite3_close(db);
    expect_clean("the tables", all.ptr, all.len);
    expect_kept(g, "the tables", all.ptr, all.len);
    agentchat_bytes_clear(&all);
}

static void look_through_the_server(const garden *g, const char *url)
{
#ifdef SESSION_WITH_SERVER
    static const char dump[] =
        "SELECT string_agg(query_to_xml(format('SELECT * FROM %I.%I', schemaname, tablename), true,"
        " false, '')::text, '') FROM pg_tables WHERE schemaname = 'agentchat'";
    char *all = test_postgres_ask(url, dump);

    expect_clean("the server's tables", all, strlen(all));
    expect_kept(g, "the server's tables", all, strlen(all));
    free(all);
#else
    (void)g;
    (void)url;
#endif
}

#ifdef SESSION_WITH_SERVER
static size_t files_of_the_server;
static bool lasting_was_found;

static int look_through_one(const char *path, const struct stat *info, int kind, struct FTW *ftw)
{
    char *bytes;
    size_t len;

    (void)info;
    (void)ftw;
    if (kind != FTW_F || access(path, R_OK) != 0)
        return 0;
    bytes = test_file_read(path, &len);
    expect_clean(path, bytes, len);
    lasting_was_found = lasting_was_found || find(bytes, len, "KEPT0001.") != NULL;
    files_of_the_server++;
    free(bytes);
    return 0;
}
#endif

/* ---- the test --------------------------------------------------------------------------------------------------- */

static void test_temp__nothing_of_it_reaches_a_store(void **state)
{
    scene *s = *state;
    garden g = plant_all(s);
    const char *path = strchr(s->url, ':') + 1;
    char file[4096];

    look_through_the_api(&g);
    snprintf(file, sizeof file, "%.*s", (int)strcspn(path, "?"), path);
    if (s->kind == STORE_SQLITE) {
        assert_true(look_through_the_files(file) >= 2); /* the log is there */
        look_through_the_tables(&g, file);
        agentchat_session_free(g.session);
        g.session = NULL;
        assert_int_equal(agentchat_user_delete(s->store, s->app, "somebody", NULL, &s->err), AGENTCHAT_OK);
        scene_reopen(s);
        (void)look_through_the_files(file);
    }
    if (s->kind == STORE_POSTGRES)
        look_through_the_server(&g, s->url);
    agentchat_session_free(g.session);
}

#ifdef SESSION_WITH_SERVER
/* Every file of a server of its own: tables, log, what it notes for administrators. */
static void test_temp__nothing_of_it_reaches_a_servers_disk(void **state)
{
    test_postgres_server *server;
    scene *s = *state;
    char *data;
    garden g;

    if (s->kind != STORE_POSTGRES)
        skip();
    server = test_postgres_server_new(false);
    test_ok(agentchat_store_init(NULL, server->url, NULL, &s->err), &s->err);
    s->url = server->url;
    scene_reopen(s);
    g = plant_all(s);
    agentchat_session_free(g.session);
    look_through_the_server(&g, server->url);
    test_postgres_run(server->url, "CHECKPOINT");
    data = test_postgres_ask(server->url, "SHOW data_directory");
    assert_int_equal(nftw(data, look_through_one, 16, FTW_PHYS), 0);
    free(data);
    assert_in_range(files_of_the_server, 100, 100000);
    assert_true(lasting_was_found);
    agentchat_store_close(s->store);
    s->store = NULL;
    test_postgres_server_free(server);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_temp__nothing_of_it_reaches_a_store),
#ifdef SESSION_WITH_SERVER
        SCENE_TEST(test_temp__nothing_of_it_reaches_a_servers_disk),
#endif
    };

    scene_files_in_memory();
    if (!scene_program("session.temp", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("temp", tests, NULL, NULL);
}
