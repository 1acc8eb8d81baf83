/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeping a live chat in a thread costs in an SQLite file, beside a bare loop that inserts the same messages with
 * SQLite alone, one transaction a turn, with the store's own settings.
 *
 *     bench_threads DIRECTORY TURNS
 *
 * A turn is a question and an answer of about 1.3 KB each, and one checkpoint. Makes its files in a new directory below
 * DIRECTORY and removes them. Each row: what was done, the durability, the number of turns, microseconds a turn (the
 * median of the first tenth, and of the last), seconds in all, bytes of the file after it was closed, bytes of the
 * messages. The last rows are reading the newest 50 messages, over an open store and a fresh one.
 */
#include "ours.h"

#include <agentchat/sqlite.h>
#include <sqlite3.h>
#include <sys/stat.h>

enum { MESSAGE = 1300, WINDOW = 40, READS = 101 };

static char directory[512], path[600];
static double *times;
static size_t turns, turn;

/* ---- what is said -------------------------------------------------------------------------------------------------
 */

static agentchat_str text_of(size_t number)
{
    static char text[MESSAGE];

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)((i + number) % 9 == 8 ? ' ' : 'a' + (i * 7 + number * 31 + i / 97) % 26);
    snprintf(text, 24, "message %08zu", number);
    text[strlen(text)] = ' ';
    return (agentchat_str){text, sizeof text};
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, text_of(2 * turn + 1), err);
}

/* Drops what is before the window: two messages a turn, once it is full. */
static agentchat_status reduce(void *user, const agentchat_messages *seen, agentchat_messages **out,
                               agentchat_error *err)
{
    const agentchat_message *kept[WINDOW];
    size_t count = agentchat_messages_count(seen);

    (void)user;
    if (count <= WINDOW)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < WINDOW; i++)
        kept[i] = agentchat_messages_at(seen, count - WINDOW + i);
    return agentchat_messages_new(NULL, kept, WINDOW, out, err);
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

static void remove_file(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char name[700];

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        (void)unlink(name);
    }
}

static size_t file_size(void)
{
    struct stat info;

    return stat(path, &info) == 0 ? (size_t)info.st_size : 0;
}

static void row(const char *what, const char *durability, double seconds)
{
    size_t tenth = turns >= 10 ? turns / 10 : 1;
    double first = bench_median(times, tenth), last = bench_median(times + turns - tenth, tenth);

    printf("%s\t%s\t%zu\t%.1f\t%.1f\t%.3f\t%zu\t%zu\n", what, durability, turns, first, last, seconds, file_size(),
           turns * 2 * (size_t)MESSAGE);
    fflush(stdout);
}

static agentchat_store *open_store(agentchat_durability durability)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    options.durability = durability;
    bench_must(agentchat_sqlite_open(NULL, path, &options, &store, &err), &err);
    return store;
}

/* ---- the bare loop
 * --------------------------------------------------------------------------------------------------- */

static void must(int result, sqlite3 *db)
{
    if (result != SQLITE_OK && result != SQLITE_DONE) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static void insert(sqlite3 *db, sqlite3_stmt *statement, size_t number)
{
    agentchat_str text = text_of(number);

    must(sqlite3_bind_blob(statement, 1, text.ptr, (int)text.len, SQLITE_STATIC), db);
    must(sqlite3_step(statement), db);
    must(sqlite3_reset(statement), db);
}

static void bare_loop(const char *durability, bool full)
{
    sqlite3_stmt *begin, *statement, *commit;
    double started = bench_now_us();
    sqlite3 *db = NULL;

    must(sqlite3_open(path, &db), db);
    must(sqlite3_exec(db,
                      full ? "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL"
                           : "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL",
                      NULL, NULL, NULL),
         db);
    must(sqlite3_exec(db, "CREATE TABLE m(seq INTEGER PRIMARY KEY, body BLOB)", NULL, NULL, NULL), db);
    must(sqlite3_prepare_v2(db, "BEGIN IMMEDIATE", -1, &begin, NULL), db);
    must(sqlite3_prepare_v2(db, "INSERT INTO m(body) VALUES(?)", -1, &statement, NULL), db);
    must(sqlite3_prepare_v2(db, "COMMIT", -1, &commit, NULL), db);
    for (turn = 0; turn < turns; turn++) {
        double before = bench_now_us();

        must(sqlite3_step(begin), db);
        must(sqlite3_reset(begin), db);
        insert(db, statement, 2 * turn);
        insert(db, statement, 2 * turn + 1);
        must(sqlite3_step(commit), db);
        must(sqlite3_reset(commit), db);
        times[turn] = bench_now_us() - before;
    }
    sqlite3_finalize(begin);
    sqlite3_finalize(statement);
    sqlite3_finalize(commit);
    must(sqlite3_close(db), db);
    row("bare loop", durability, (bench_now_us() - started) / 1e6);
    remove_file();
}

/* ---- chats
 * ------------------------------------------------------------------------------------------------------------ */

static agentchat_chat *make_chat(bool window)
{
    agentchat_chat *chat = NULL;
    agentchat_error err;

    bench_must(agentchat_chat_new(NULL, &chat, &err), &err);
    for (int i = 0; i < 2; i++) {
        agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
        agentchat_agent *agent = NULL;

        options.name = options.id = agentchat_str_from(i == 0 ? "Desk" : "Back");
        options.answer = answer;
        options.reduce = window ? reduce : NULL;
        bench_must(agentchat_history_agent_new(NULL, &options, &agent, &err), &err);
        bench_must(agentchat_chat_add_agent(chat, agent, &err), &err);
    }
    return chat;
}

/* A named list that grows by one element. */
static void grow_list(agentchat_chat *chat, agentchat_bytes *list)
{
    char element[64];
    agentchat_error err;
    size_t len = (size_t)snprintf(element, sizeof element, "%s{\"turn\":%zu}]", turn == 0 ? "[" : ",", turn);

    if (turn > 0)
        list->len--; /* its closing bracket */
    bench_must(agentchat_bytes_append(list, (agentchat_str){element, len}, &err), &err);
    bench_must(agentchat_chat_set_value(chat, AGENTCHAT_STR("turns"), (agentchat_str){NULL, 0},
                                        (agentchat_str){list->ptr, list->len}, &err),
               &err);
}

static void keep_chat(const char *what, const char *durability, agentchat_durability how, bool window, bool listed)
{
    double started = bench_now_us();
    agentchat_store *store = open_store(how);
    agentchat_chat *chat = make_chat(window);
    agentchat_bytes list = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    for (turn = 0; turn < turns; turn++) {
        double before;

        bench_must(agentchat_chat_add_text(chat, "user", text_of(2 * turn), &err), &err);
        bench_must(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err), &err);
        if (listed)
            grow_list(chat, &list);
        before = bench_now_us();
        bench_must(agentchat_thread_save(store, "thread", chat, NULL, NULL, &err), &err);
        times[turn] = bench_now_us() - before;
    }
    agentchat_chat_free(chat);
    agentchat_bytes_clear(&list);
    agentchat_store_close(store);
    row(what, durability, (bench_now_us() - started) / 1e6);
}

static void read_tail(void)
{
    agentchat_store *open = open_store(AGENTCHAT_DURABILITY_NORMAL);
    double fresh[READS], held[READS];
    agentchat_error err;

    for (size_t i = 0; i < READS; i++) {
        double before = bench_now_us();
        agentchat_store *store = open_store(AGENTCHAT_DURABILITY_NORMAL);
        agentchat_messages *messages = NULL;

        bench_must(agentchat_thread_tail(store, "thread", 50, NULL, &messages, &err), &err);
        fresh[i] = bench_now_us() - before;
        agentchat_messages_unref(messages);
        agentchat_store_close(store);
        before = bench_now_us();
        bench_must(agentchat_thread_tail(open, "thread", 50, NULL, &messages, &err), &err);
        held[i] = bench_now_us() - before;
        agentchat_messages_unref(messages);
    }
    agentchat_store_close(open);
    printf("newest 50\tfresh\t%zu\t%.1f\nnewest 50\topen\t%zu\t%.1f\n", turns, bench_median(fresh, READS), turns,
           bench_median(held, READS));
}

int main(int argc, char **argv)
{
    if (argc != 3 || strtoul(argv[2], NULL, 10) == 0) {
        fprintf(stderr, "usage: bench_threads DIRECTORY TURNS\n");
        return 2;
    }
    turns = strtoul(argv[2], NULL, 10);
    times = malloc(turns * sizeof *times);
    snprintf(directory, sizeof directory, "%s/bench-threads-XXXXXX", argv[1]);
    if (times == NULL || mkdtemp(directory) == NULL) {
        perror(directory);
        return 1;
    }
    snprintf(path, sizeof path, "%s/t.db", directory);
    bare_loop("normal", false);
    keep_chat("thread", "normal", AGENTCHAT_DURABILITY_NORMAL, false, false);
    read_tail();
    remove_file();
    bare_loop("full", true);
    keep_chat("thread", "full", AGENTCHAT_DURABILITY_FULL, false, false);
    remove_file();
    keep_chat("sliding window", "normal", AGENTCHAT_DURABILITY_NORMAL, true, false);
    remove_file();
    keep_chat("growing list", "normal", AGENTCHAT_DURABILITY_NORMAL, false, true);
    remove_file();
    (void)rmdir(directory);
    free(times);
    return 0;
}
