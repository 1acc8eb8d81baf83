/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What keeping a live chat in a thread costs in an SQLite file.
 *
 *     bench_threads DIRECTORY WHAT NUMBER [REPETITIONS]
 *
 * WHAT is what is measured, NUMBER times:
 *
 *   conversation: turns of two messages of 1.3 KB with a checkpoint each, in alternation with a bare loop that inserts
 *     the same messages with SQLite alone, one transaction a turn, with a store's own settings; at both durabilities
 *   kinds: turns of conversations in which more changes: a sliding window, a growing list, a chat in a chat
 *   short: turns of a message of 100 bytes and one of 400, three checkpoints each
 *   jansson: turns after each of which jansson writes the whole conversation anew, into memory
 *   newest: the newest 50 messages of a thread of so many, on an open store and on a fresh connection
 *   catch-up: two chats that take turns on a thread of so many messages
 *   prune: pruning a thread of so many turns
 *   all: all of these
 *   beside: turns with one checkpoint, and with three, for scripts/bench --peers; at normal durability
 *   texts: prints what is said in so many turns, a message a line, for the peers
 *   beside-short, texts-short: the same with messages as of short
 *
 * Makes its files in a new directory below DIRECTORY and removes them. Rows are described at what prints them.
 */
#include "file.h"
#include "reading.h"
#include "run.h"

#include <jansson.h>

enum { ROUND = 50 };

static size_t turns;

/* ---- chats ------------------------------------------------------------------------------------------------------ */

/* To be called when the file is closed. */
static void end(bench_run *run)
{
    run->stored = bench_file_size();
    run->counts_syncs = true;
    bench_run_row(run);
    bench_file_remove();
}

static void chat_with_series(const char *what, agentchat_durability durability, bench_kind kind, bench_sizes sizes,
                             size_t puts, double (*size)(void))
{
    agentchat_store *store = bench_file_store(durability);
    bench_run run;

    bench_run_begin(&run, what, bench_durability_name(durability), turns, puts);
    bench_run_chat(&run, store, kind, sizes, puts, size);
    agentchat_store_close(store);
    end(&run);
}

static void chat(const char *what, agentchat_durability durability, bench_kind kind, bench_sizes sizes, size_t puts)
{
    chat_with_series(what, durability, kind, sizes, puts, NULL);
}

/* ---- the bare loop ---------------------------------------------------------------------------------------------- */

typedef struct bare_loop {
    sqlite3 *db;
    sqlite3_stmt *begin, *insert, *commit;
    size_t turn;
} bare_loop;

static void open_bare(bare_loop *bare, agentchat_durability durability)
{
    *bare = (bare_loop){.db = bench_file_bare(durability)};
    bench_sqlite_must(sqlite3_exec(bare->db, "CREATE TABLE m(seq INTEGER PRIMARY KEY, body BLOB)", NULL, NULL, NULL),
                      bare->db);
    bench_sqlite_must(sqlite3_prepare_v2(bare->db, "BEGIN IMMEDIATE", -1, &bare->begin, NULL), bare->db);
    bench_sqlite_must(sqlite3_prepare_v2(bare->db, "INSERT INTO m(body) VALUES(?)", -1, &bare->insert, NULL), bare->db);
    bench_sqlite_must(sqlite3_prepare_v2(bare->db, "COMMIT", -1, &bare->commit, NULL), bare->db);
}

static void close_bare(bare_loop *bare)
{
    sqlite3_finalize(bare->begin);
    sqlite3_finalize(bare->insert);
    sqlite3_finalize(bare->commit);
    bench_sqlite_must(sqlite3_close(bare->db), bare->db);
}

static void step(sqlite3 *db, sqlite3_stmt *statement)
{
    bench_sqlite_must(sqlite3_step(statement), db);
    bench_sqlite_must(sqlite3_reset(statement), db);
}

static void insert(const bare_loop *bare, agentchat_str text)
{
    bench_sqlite_must(sqlite3_bind_blob(bare->insert, 1, text.ptr, (int)text.len, SQLITE_STATIC), bare->db);
    step(bare->db, bare->insert);
}

static void run_bare(bench_run *run, bare_loop *bare, size_t count)
{
    bench_run_go_on(run);
    for (size_t i = 0; i < count; i++, bare->turn++) {
        agentchat_str question = bench_text(2 * bare->turn, bench_long.question);
        agentchat_str answer = bench_text(2 * bare->turn + 1, bench_long.answer);
        double began;

        bench_run_turn_begin(run);
        began = bench_run_put_begin();
        step(bare->db, bare->begin);
        insert(bare, question);
        insert(bare, answer);
        step(bare->db, bare->commit);
        bench_run_put_end(run, began);
        bench_run_turn_end(run, bench_long);
    }
    bench_run_pause(run);
}

/* Both, each in a file of its own; they take turns, so that what else the machine does is the same for both. */
static void chat_and_bare_loop(agentchat_durability durability)
{
    bench_conversation conversation;
    bench_run ours, bares;
    agentchat_store *store;
    bare_loop bare;

    bench_run_begin(&ours, "thread", bench_durability_name(durability), turns, 1);
    bench_run_begin(&bares, "bare loop", bench_durability_name(durability), turns, 1);
    bench_file_use("bare.db");
    open_bare(&bare, durability);
    bench_file_use("t.db");
    store = bench_file_store(durability);
    bench_begin(&conversation, BENCH_PLAIN, bench_long);
    for (size_t i = 0; i < turns; i += ROUND) {
        size_t count = turns - i < ROUND ? turns - i : ROUND;

        bench_run_turns(&ours, &conversation, count, store, 1);
        run_bare(&bares, &bare, count);
    }
    bench_end(&conversation);
    agentchat_store_close(store);
    end(&ours);
    close_bare(&bare);
    bench_file_use("bare.db");
    end(&bares);
    bench_file_use("t.db");
}

/* ---- jansson ---------------------------------------------------------------------------------------------------- */

static int take(const char *bytes, size_t len, void *total)
{
    bench_take(total, bytes, len);
    return 0;
}

static void append(json_t *messages, const char *role, agentchat_str text)
{
    json_t *message = json_pack("{s:s, s:s%}", "role", role, "content", text.ptr, text.len);

    if (message == NULL || json_array_append_new(messages, message) != 0) {
        fprintf(stderr, "bench_threads: jansson has no memory\n");
        exit(1);
    }
}

static void jansson_loop(void)
{
    json_t *messages = json_array();
    size_t total = 0;
    bench_run run;

    bench_run_begin(&run, "the whole conversation by jansson", "none", turns, 1);
    for (size_t i = 0; i < turns; i++) {
        double began;

        append(messages, "user", bench_text(2 * i, bench_long.question));
        append(messages, "assistant", bench_text(2 * i + 1, bench_long.answer));
        bench_run_turn_begin(&run);
        began = bench_run_put_begin();
        (void)json_dump_callback(messages, take, &total, JSON_COMPACT);
        bench_run_put_end(&run, began);
        bench_run_turn_end(&run, bench_long);
    }
    run.stored = (double)total;
    json_decref(messages);
    bench_run_row(&run);
}

/* ---- what can be asked for -------------------------------------------------------------------------------------- */

static void conversation(void)
{
    chat_and_bare_loop(AGENTCHAT_DURABILITY_NORMAL);
    chat_and_bare_loop(AGENTCHAT_DURABILITY_FULL);
}

static void kinds(void)
{
    chat_and_bare_loop(AGENTCHAT_DURABILITY_NORMAL);
    chat("sliding window", AGENTCHAT_DURABILITY_NORMAL, BENCH_WINDOW, bench_long, 1);
    chat("growing list", AGENTCHAT_DURABILITY_NORMAL, BENCH_LIST, bench_long, 1);
    chat("nested chat", AGENTCHAT_DURABILITY_NORMAL, BENCH_NESTED, bench_long, 1);
}

static void short_messages(void)
{
    chat("thread, three checkpoints a turn", AGENTCHAT_DURABILITY_NORMAL, BENCH_PLAIN, bench_short, 3);
}

static agentchat_store *reopen(void)
{
    return bench_file_store(AGENTCHAT_DURABILITY_NORMAL);
}

static void newest(void)
{
    agentchat_store *store = reopen();

    bench_newest(store, reopen, turns);
    agentchat_store_close(store);
    bench_file_remove();
}

static void catch_up(void)
{
    agentchat_store *store = reopen();

    bench_catch_up(store, BENCH_PLAIN, "conversation", turns);
    bench_catch_up(store, BENCH_LIST, "growing list", turns);
    bench_catch_up(store, BENCH_NESTED, "nested chat", turns);
    agentchat_store_close(store);
    bench_file_remove();
}

static void prune(void)
{
    bench_prune(turns);
}

static void beside_with(bench_sizes sizes)
{
    chat_with_series("thread", AGENTCHAT_DURABILITY_NORMAL, BENCH_PLAIN, sizes, 1, bench_file_size);
    chat_with_series("thread, three checkpoints a turn", AGENTCHAT_DURABILITY_NORMAL, BENCH_PLAIN, sizes, 3,
                     bench_file_size);
}

static void beside(void)
{
    beside_with(bench_long);
}

static void beside_short(void)
{
    beside_with(bench_short);
}

static void print_texts(bench_sizes sizes)
{
    for (size_t i = 0; i < turns; i++) {
        agentchat_str question = bench_text(2 * i, sizes.question), answer = bench_text(2 * i + 1, sizes.answer);

        printf("%.*s\n%.*s\n", (int)question.len, question.ptr, (int)answer.len, answer.ptr);
    }
}

static void texts(void)
{
    print_texts(bench_long);
}

static void texts_short(void)
{
    print_texts(bench_short);
}

static const struct {
    const char *name;
    void (*run)(void);
    bool is_of_all;
} measurements[] = {{"conversation", conversation, true},
                    {"kinds", kinds, true},
                    {"short", short_messages, true},
                    {"jansson", jansson_loop, true},
                    {"newest", newest, true},
                    {"catch-up", catch_up, true},
                    {"prune", prune, true},
                    {"beside", beside, false},
                    {"beside-short", beside_short, false},
                    {"texts", texts, false},
                    {"texts-short", texts_short, false}};

int main(int argc, char **argv)
{
    size_t repetitions = argc > 4 ? strtoul(argv[4], NULL, 10) : 1;
    bool is_known = false, all;

    if (argc < 4 || argc > 5 || (turns = strtoul(argv[3], NULL, 10)) == 0 || repetitions == 0) {
        fprintf(stderr, "usage: bench_threads DIRECTORY WHAT NUMBER [REPETITIONS]\n");
        return 2;
    }
    all = strcmp(argv[2], "all") == 0;
    bench_file_begin(argv[1]);
    for (size_t k = 0; k < repetitions; k++) {
        for (size_t i = 0; i < sizeof measurements / sizeof *measurements; i++) {
            if (!(all ? measurements[i].is_of_all : strcmp(argv[2], measurements[i].name) == 0))
                continue;
            measurements[i].run();
            is_known = true;
        }
    }
    if (!is_known)
        fprintf(stderr, "bench_threads: %s is nothing that it measures\n", argv[2]);
    return is_known ? 0 : 2;
}
