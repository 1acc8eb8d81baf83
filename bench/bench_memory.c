/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the long-term memory costs.
 *
 *     bench_memory URL NUMBER
 *
 * URL is that of an empty store, NUMBER of documents. They are put three times: by key alone, with the words of a text
 * of 60, and with a vector of 384 numbers; each 100 vectors in a namespace of their own, the words in 1,000 namespaces.
 * Beside searches by vector there are a bare loop in SQLite and the same search in SQL by hand in PostgreSQL.
 * Rows: what was done, number of documents, microseconds: the mean of puts, the median of all else.
 */
#include "ours.h"

#include <agentchat/memory.h>
#include <libpq-fe.h>
#include <sqlite3.h>

enum { DIMENSIONS = 384, WORDS = 60, NAMESPACES = 1000, SEARCHES = 15, GETS = 1001 };

static const char *const vocabulary[] = {"river",  "stone", "light", "market", "letter", "garden", "winter", "table",
                                         "bridge", "paper", "music", "summer", "street", "window", "number", "travel"};
static const char *url;
static agentchat_store *store;
static size_t documents;
static float numbers[DIMENSIONS];
static char text[2048];

/* ---- what is put and searched for ------------------------------------------------------------------------------- */

/* The same numbers for the same seed, from -1 to 1. */
static void make_vector(size_t seed)
{
    uint32_t state = (uint32_t)seed * 2654435761u + 1;

    for (size_t i = 0; i < DIMENSIONS; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (float)(state >> 8) / 8388608.0f - 1;
    }
}

/* One document in twenty has the word that is searched for, one in ten the same kind. */
static agentchat_str make_document(size_t number)
{
    size_t len = (size_t)snprintf(text, sizeof text, "{\"kind\":\"%zu\",\"text\":\"%s", number % 10,
                                  number % 20 == 7 ? "needle" : "hay");

    for (size_t i = 1; i < WORDS; i++) {
        const char *word = vocabulary[(number * 7 + i * (number % 13 + 1)) % 16];

        len += (size_t)snprintf(text + len, sizeof text - len, " %s", word);
    }
    len += (size_t)snprintf(text + len, sizeof text - len, "\"}");
    return (agentchat_str){text, len};
}

static void print_row(const char *what, double us)
{
    printf("%s\t%zu\t%.2f\n", what, documents, us);
    fflush(stdout);
}

/* ---- the library ------------------------------------------------------------------------------------------------ */

static void put_all(const char *what, const char *below, size_t namespaces, const agentchat_memory_put_options *options)
{
    double spent = 0;

    for (size_t i = 0; i < documents; i++) {
        char ns[64], key[32];
        agentchat_str json = make_document(i);
        agentchat_error err;
        double began;

        snprintf(ns, sizeof ns, "%s/%zu", below, i % namespaces);
        snprintf(key, sizeof key, "%zu", i);
        if (options->vectors != NULL)
            make_vector(i);
        began = bench_now_us();
        bench_must(agentchat_memory_put(store, ns, key, json, options, &err), &err);
        spent += bench_now_us() - began;
    }
    print_row(what, spent / (double)documents);
}

static void get_some(void)
{
    static double times[GETS];

    for (size_t i = 0; i < GETS; i++) {
        size_t number = i * 7919 % documents;
        agentchat_memory_results *page = NULL;
        char ns[64], key[32];
        agentchat_error err;
        double began;

        snprintf(ns, sizeof ns, "plain/%zu", number % NAMESPACES);
        snprintf(key, sizeof key, "%zu", number);
        began = bench_now_us();
        bench_must(agentchat_memory_get(store, ns, key, false, &page, &err), &err);
        times[i] = bench_now_us() - began;
        agentchat_memory_results_free(page);
    }
    print_row("get", bench_median(times, GETS));
}

static void search(const char *what, const char *ns, agentchat_memory_query query, bool finds)
{
    double times[SEARCHES];

    for (size_t i = 0; i < SEARCHES; i++) {
        agentchat_memory_results *page = NULL;
        agentchat_error err;
        double began;

        make_vector(documents + i);
        began = bench_now_us();
        bench_must(agentchat_memory_search(store, ns, &query, &page, &err), &err);
        times[i] = bench_now_us() - began;
        if ((agentchat_memory_results_count(page) > 0) != finds) {
            fprintf(stderr, "bench_memory: %s: found %zu\n", what, agentchat_memory_results_count(page));
            exit(1);
        }
        agentchat_memory_results_free(page);
    }
    print_row(what, bench_median(times, SEARCHES));
}

static void search_all(bool has_vectors)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;

    query.filter = AGENTCHAT_STR("{\"kind\":\"3\"}");
    search("search with a filter, 1 of 10", "plain", query, true);
    query.filter = (agentchat_str){0};
    query.text = AGENTCHAT_STR("needle");
    search("search for a word, 1 of 20", "words", query, true);
    query.text = (agentchat_str){0};
    if (!has_vectors)
        return;
    query.vector = numbers;
    query.dimensions = DIMENSIONS;
    search("search by vector", "/", query, true);
    search("search by vector, in a namespace of 100", "vectors/0", query, true);
    query.filter = AGENTCHAT_STR("{\"kind\":\"3\"}");
    search("search by vector, filter 1 of 10", "vectors", query, true);
    query.filter = AGENTCHAT_STR("{\"kind\":\"none\"}");
    search("search by vector, filter of none", "vectors", query, false);
}

/* ---- by hand ---------------------------------------------------------------------------------------------------- */

static double scan_sqlite(sqlite3 *db)
{
    double began = bench_now_us();
    sqlite3_stmt *rows = NULL;
    float best = -1e9f;

    if (sqlite3_prepare_v2(db, "SELECT numbers FROM memory_vec", -1, &rows, NULL) != SQLITE_OK) {
        fprintf(stderr, "bench_memory: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const float *row = sqlite3_column_blob(rows, 0);
        float sum = 0;

        for (size_t i = 0; i < DIMENSIONS; i++)
            sum += numbers[i] * row[i];
        best = sum > best ? sum : best;
    }
    sqlite3_finalize(rows);
    __asm__ volatile("" ::"r"(&best) : "memory");
    return bench_now_us() - began;
}

static void search_sqlite_by_hand(void)
{
    double times[SEARCHES];
    char path[1024];
    sqlite3 *db = NULL;

    snprintf(path, sizeof path, "%s", url + strlen("sqlite:"));
    path[strcspn(path, "?")] = '\0';
    if (sqlite3_open(path, &db) != SQLITE_OK) {
        fprintf(stderr, "bench_memory: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
    for (size_t i = 0; i < SEARCHES; i++)
        times[i] = scan_sqlite(db);
    sqlite3_close(db);
    print_row("the vectors by a bare loop", bench_median(times, SEARCHES));
}

static double order_postgres(PGconn *connection, const char *vector)
{
    static const char statement[] =
        "SELECT d.value FROM (SELECT ns, no FROM agentchat.memory_vec ORDER BY vec <=> $1::vector LIMIT 10) v "
        "JOIN agentchat.memory d USING (ns, no)";
    double began = bench_now_us();
    PGresult *result = PQexecParams(connection, statement, 1, NULL, &vector, NULL, NULL, 1);

    if (PQresultStatus(result) != PGRES_TUPLES_OK) {
        fprintf(stderr, "bench_memory: %s", PQerrorMessage(connection));
        exit(1);
    }
    PQclear(result);
    return bench_now_us() - began;
}

static void search_postgres_by_hand(void)
{
    static char vector[DIMENSIONS * 16];
    PGconn *connection = PQconnectdb(url);
    double times[SEARCHES];

    for (size_t i = 0; i < SEARCHES; i++) {
        size_t len = 0;

        make_vector(documents + i);
        for (size_t j = 0; j < DIMENSIONS; j++)
            len += (size_t)snprintf(vector + len, sizeof vector - len, "%c%.8g", j > 0 ? ',' : '[', numbers[j]);
        snprintf(vector + len, sizeof vector - len, "]");
        times[i] = order_postgres(connection, vector);
    }
    PQfinish(connection);
    print_row("search by vector, SQL by hand", bench_median(times, SEARCHES));
}

/* ---- the program ------------------------------------------------------------------------------------------------ */

static bool put_vectors(void)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_error err;
    agentchat_status status;

    options.no_index = true;
    options.vectors = numbers;
    options.vector_count = 1;
    options.dimensions = DIMENSIONS;
    make_vector(1);
    status = agentchat_memory_put(store, "vectors/0", "0", make_document(0), &options, &err);
    if (status == AGENTCHAT_E_UNSUPPORTED)
        return false;
    bench_must(status, &err);
    put_all("put with a vector", "vectors", documents / 100, &options);
    return true;
}

int main(int argc, char **argv)
{
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_error err;
    bool has_vectors;

    if (argc != 3 || strtoul(argv[2], NULL, 10) < 100) {
        fprintf(stderr, "usage: bench_memory URL NUMBER, at least 100\n");
        return 2;
    }
    url = argv[1];
    documents = strtoul(argv[2], NULL, 10);
    if (strncmp(url, "postgres", 8) == 0)
        bench_must(agentchat_store_init(NULL, url, NULL, &err), &err);
    bench_must(agentchat_store_open(NULL, url, NULL, &store, &err), &err);
    options.no_index = true;
    put_all("put, no index", "plain", NAMESPACES, &options);
    options.no_index = false;
    put_all("put with 60 words", "words", NAMESPACES, &options);
    has_vectors = put_vectors();
    get_some();
    search_all(has_vectors);
    if (has_vectors && strncmp(url, "sqlite:", 7) == 0)
        search_sqlite_by_hand();
    if (has_vectors && strncmp(url, "postgres", 8) == 0)
        search_postgres_by_hand();
    agentchat_store_close(store);
    return 0;
}
