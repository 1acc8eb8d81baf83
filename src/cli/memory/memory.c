/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat memory: documents in a store, by namespace and key, and searching them. */
#include "cli/memory/memory.h"

#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <agentchat/memory.h>
#include <stdlib.h>
#include <string.h>

/* ==== arguments ================================================================================================== */

static bool take_revision(const cli_command *self, const char *text, bool *has, uint64_t *out)
{
    *has = text != NULL;
    if (text == NULL || cli_number_count(text, out))
        return true;
    (void)cli_command_usage(self->name, "--expect takes a revision, or 0 for none, not \"%s\"", text);
    return false;
}

/* ==== documents as JSON ========================================================================================== */

static void print_item(cli_json *json, const agentchat_memory_item *item)
{
    char buffer[CLI_TIME_LEN], score[32];

    cli_json_begin(json, NULL, '{');
    cli_memory_print_labels(json, item->ns);
    cli_json_cstr(json, "key", item->key);
    cli_json_raw(json, "value", item->value);
    cli_json_count(json, "revision", item->revision);
    cli_json_cstr(json, "created", cli_time_text(item->created_us, buffer));
    cli_json_cstr(json, "updated", cli_time_text(item->updated_us, buffer));
    if (item->expires_us != AGENTCHAT_MEMORY_NEVER)
        cli_json_cstr(json, "expires", cli_time_text(item->expires_us, buffer));
    (void)snprintf(score, sizeof score, "%.17g", item->score);
    if (item->has_score)
        cli_json_raw(json, "score", agentchat_str_from(score));
    if (item->field != NULL)
        cli_json_cstr(json, "field", item->field);
    cli_json_end(json, '}');
}

/* ==== put ======================================================================================================== */

/* The document: JSON text, "-" for standard input, or a text that becomes one. false: what is wrong was reported. */
static bool make_document(const cli_command *self, const char *given, const char *text, cli_memory *out)
{
    cli_json json = {.out = NULL};
    char buffer[4096];
    size_t len;

    if ((given == NULL) == (text == NULL)) {
        (void)cli_command_usage(self->name, "one document, please: JSON, - or --text T");
        return false;
    }
    if (!cli_memory_begin(out)) {
        (void)fprintf(stderr, "agentchat %s: out of memory\n", self->name);
        return false;
    }
    json.out = out->out;
    if (text != NULL) {
        cli_json_begin(&json, NULL, '{');
        cli_json_cstr(&json, "text", text);
        cli_json_end(&json, '}');
    } else if (strcmp(given, "-") != 0) {
        (void)fputs(given, out->out);
    } else {
        while ((len = fread(buffer, 1, sizeof buffer, stdin)) > 0)
            (void)fwrite(buffer, 1, len, out->out);
    }
    if (cli_memory_end(out) && !ferror(stdin))
        return true;
    (void)fprintf(stderr, "agentchat %s: %s\n", self->name,
                  ferror(stdin) ? "standard input cannot be read" : "out of memory");
    return false;
}

enum { MOST_FIELDS = 64 };

/* Cuts a list of paths at its commas, but not within braces. false: that has been reported. */
static bool take_fields(const cli_command *self, const char *given, const char *fields[MOST_FIELDS], size_t *count)
{
    char *list = (char *)(uintptr_t)given;
    int depth = 0;

    *count = 0;
    if (list == NULL)
        return true;
    fields[(*count)++] = list;
    for (char *p = list; *p != '\0'; p++) {
        depth += (*p == '{') - (*p == '}');
        if (*p != ',' || depth > 0)
            continue;
        if (*count == MOST_FIELDS) {
            (void)cli_command_usage(self->name, "at most %d fields, please", MOST_FIELDS);
            return false;
        }
        *p = '\0';
        fields[(*count)++] = p + 1;
    }
    return true;
}

static int run_put(int argc, char **argv)
{
    const char *text = NULL, *ttl = NULL, *index = NULL, *expect = NULL, *fields[MOST_FIELDS];
    const char *vector = NULL, *command = NULL;
    bool as_json = false;
    uint64_t revision = 0;
    agentchat_memory_put_options options = AGENTCHAT_MEMORY_PUT_OPTIONS_INIT;
    agentchat_memory_embedder embedder;
    cli_memory document = {.text = NULL};
    cli_vectors vectors = {.numbers = NULL};
    cli_store s = {.self = &cli_memory_put};
    const cli_switch switches[] = {{"text", NULL, &text},       {"ttl", NULL, &ttl},       {"index", NULL, &index},
                                   {"expect", NULL, &expect},   {"vector", NULL, &vector}, {"json", &as_json, NULL},
                                   {"embedder", NULL, &command}};
    int status = cli_arguments(s.self, argc, argv, "STORE NAMESPACE KEY [JSON]", switches, 7);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    options.revision = &revision;
    options.has_ttl = ttl != NULL;
    options.ttl_us = AGENTCHAT_MEMORY_NEVER;
    options.no_index = index != NULL && strcmp(index, "none") == 0;
    options.fields = index != NULL && !options.no_index ? fields : NULL;
    if (vector != NULL && argv[4] != NULL && strcmp(vector, "-") == 0 && strcmp(argv[4], "-") == 0)
        return cli_command_usage(s.self->name, "the document or the vector from standard input, not both");
    if (ttl != NULL && strcmp(ttl, "never") != 0 && !cli_memory_span(s.self, "ttl", ttl, &options.ttl_us))
        return CLI_ERROR;
    if (!take_revision(s.self, expect, &options.has_expect, &options.expect) ||
        !take_fields(s.self, options.fields != NULL ? index : NULL, fields, &options.field_count) ||
        !cli_vectors_read(vector, &vectors))
        return CLI_ERROR;
    options.vectors = vectors.numbers;
    options.vector_count = vectors.count;
    options.dimensions = vectors.dimensions;
    options.embedder = cli_embedder(command, NULL, &embedder);
    if (make_document(s.self, argv[4], text, &document) && cli_store_open(&s, CLI_MAKE)) {
        agentchat_status done = agentchat_memory_put(s.store, argv[2], argv[3],
                                                     (agentchat_str){document.text, document.len}, &options, &s.err);

        status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
        if (done >= 0)
            cli_memory_print_number("revision", revision, as_json);
        cli_store_close(&s);
    } else {
        status = CLI_ERROR;
    }
    cli_vectors_free(&vectors);
    free(document.text);
    return status;
}

const cli_command cli_memory_put = {
    .name = "memory put",
    .summary = "put a document",
    .help =
        "usage: agentchat memory put [OPTION...] STORE NAMESPACE KEY [JSON|-]\n"
        "\n"
        "Puts a document, which is one JSON object, and prints its revision. NAMESPACE is written like a path:\n"
        "users/ana. In a label ~1 is a /, ~0 a ~ and ~2 a *. The store is made if it is not there.\n"
        "\n"
        "  --text T       the document {\"text\": T}\n"
        "  --ttl TIME     when it expires: 500ms, 90s, 15m, 12h, 30d, 2w, or never (never)\n"
        "  --index FIELDS what it is found by: paths separated by commas, or none (all of it)\n"
        "  --expect REV   only if this revision is there; 0: only if there is no document\n"
        "  --vector FILE  its vector: a JSON array of numbers, or several of them in an array; - is standard input\n"
        "  --embedder COMMAND  makes its vectors: it reads a JSON string a line and writes a JSON array of numbers\n"
        "                 for each ($AGENTCHAT_EMBEDDER)\n"
        "  --json         one JSON object (schema: agentchat check --schema cli-memory-put)\n"
        "\n"
        "exit status: 0 success, 1 another revision is there, 2 error\n",
    .run = run_put,
};

/* ==== get ======================================================================================================== */

static int run_get(int argc, char **argv)
{
    bool as_json = false, refresh = false;
    agentchat_memory_results *page = NULL;
    cli_store s = {.self = &cli_memory_get};
    const cli_switch switches[] = {{"refresh", &refresh, NULL}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE NAMESPACE KEY", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (!cli_store_open(&s, refresh ? CLI_CHANGE : CLI_READ))
        return CLI_ERROR;
    agentchat_status done = agentchat_memory_get(s.store, argv[2], argv[3], refresh, &page, &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0 && as_json) {
        cli_json json = {.out = stdout};

        print_item(&json, agentchat_memory_results_at(page, 0));
        cli_json_line(&json);
    } else if (done >= 0) {
        cli_value_put(stdout, agentchat_memory_results_at(page, 0)->value);
    }
    agentchat_memory_results_free(page);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_get = {
    .name = "memory get",
    .summary = "print a document",
    .help = "usage: agentchat memory get [--refresh] [--json] STORE NAMESPACE KEY\n"
            "\n"
            "Prints a document as it was put.\n"
            "\n"
            "  --refresh  its time to live begins anew\n"
            "  --json     with its revision and times (schema: agentchat check --schema cli-memory-get)\n"
            "\n"
            "exit status: 0 success, 1 there is no such document, 2 error\n",
    .run = run_get,
};

/* ==== delete ===================================================================================================== */

static int run_delete(int argc, char **argv)
{
    const char *filter = NULL, *older = NULL, *expect = NULL;
    bool as_json = false, below = false;
    uint64_t count = 1;
    agentchat_memory_delete_options options = AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT;
    cli_store s = {.self = &cli_memory_delete};
    const cli_switch switches[] = {
        {"below", &below, NULL},        {"filter", NULL, &filter},           {"older-than", NULL, &older},
        {"expect", NULL, &expect},      {"dry-run", &options.dry_run, NULL}, {"json", &as_json, NULL},
        {"purge", &options.purge, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE NAMESPACE [KEY]", switches, 7);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (below == (argv[3] != NULL))
        return cli_command_usage(s.self->name, "a KEY, or --below for all in and below the namespace");
    if (!below && (filter != NULL || older != NULL || options.dry_run))
        return cli_command_usage(s.self->name, "--filter, --older-than and --dry-run go with --below");
    if (below && expect != NULL)
        return cli_command_usage(s.self->name, "--expect is of one KEY");
    if (options.purge && options.dry_run)
        return cli_command_usage(s.self->name, "--purge or --dry-run");
    if (!take_revision(s.self, expect, &options.has_expect, &options.expect) ||
        !cli_memory_span(s.self, "older-than", older, &options.older_than_us))
        return CLI_ERROR;
    options.filter = (agentchat_str){filter, filter != NULL ? strlen(filter) : 0};
    if (!cli_store_open(&s, options.dry_run ? CLI_READ : CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = below ? agentchat_memory_delete_below(s.store, argv[2], &options, &count, &s.err)
                                  : agentchat_memory_delete(s.store, argv[2], argv[3], &options, &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0)
        cli_memory_print_number("deleted", done == AGENTCHAT_DONE ? 0 : count, as_json);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_delete = {
    .name = "memory delete",
    .summary = "delete a document, or those below a namespace",
    .help = "usage: agentchat memory delete [OPTION...] STORE NAMESPACE KEY|--below\n"
            "\n"
            "Deletes a document, or with --below all in and below the namespace (/ is everything), and prints how\n"
            "many.\n"
            "\n"
            "  --filter JSON      with --below: only what the filter matches\n"
            "  --older-than TIME  with --below: only what was last put so long ago: 12h, 30d\n"
            "  --dry-run          with --below: delete nothing, and print how many it would be\n"
            "  --expect REV       only if this revision is there\n"
            "  --purge            leave nothing of it in the file of an SQLite store either\n"
            "  --json             one JSON object (schema: agentchat check --schema cli-memory-delete)\n"
            "\n"
            "exit status: 0 success, also where there is nothing below, 1 there is no such document or another\n"
            "revision, 2 error\n",
    .run = run_delete,
};

/* ==== search ===================================================================================================== */

static void print_json(const agentchat_memory_results *page)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_memory_results_count(page); i++)
        print_item(&json, agentchat_memory_results_at(page, i));
    cli_memory_end_items(&json, agentchat_memory_results_cursor(page));
}

static bool print_table(const agentchat_memory_results *page, bool has_scores)
{
    cli_table table = {.columns = has_scores ? 4 : 3};

    if (agentchat_memory_results_count(page) == 0)
        return true;
    cli_table_addf(&table, "NAMESPACE");
    cli_table_addf(&table, "KEY");
    if (has_scores)
        cli_table_addf(&table, "SCORE");
    cli_table_addf(&table, "DOCUMENT");
    for (size_t i = 0; i < agentchat_memory_results_count(page); i++) {
        const agentchat_memory_item *item = agentchat_memory_results_at(page, i);

        cli_table_add(&table, agentchat_str_from(item->ns));
        cli_table_add(&table, agentchat_str_from(item->key));
        if (item->has_score)
            cli_table_addf(&table, "%.2f", item->score);
        else if (has_scores)
            cli_table_add(&table, (agentchat_str){0});
        cli_table_add(&table, item->value);
    }
    if (!cli_table_print(stdout, &table))
        return false;
    cli_memory_print_cursor(agentchat_memory_results_cursor(page));
    return true;
}

/* false: that has been reported. */
static bool take_mode(const cli_command *self, const char *text, agentchat_memory_mode *out)
{
    static const char *const names[] = {"", "text", "vector", "hybrid"};

    for (size_t i = 1; text != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0)
            *out = (agentchat_memory_mode)i;
    if (text == NULL || *out != AGENTCHAT_MEMORY_MODE_AUTO)
        return true;
    (void)cli_command_usage(self->name, "--mode takes text, vector or hybrid, not \"%s\"", text);
    return false;
}

/* Documents that a search by vectors cannot rank. */
static void say_unseen(cli_store *s, const char *ns)
{
    agentchat_memory_counts counts;

    if (agentchat_memory_stats(s->store, ns, &counts, NULL) >= 0 && counts.unseen > 0)
        (void)fprintf(stderr, "%llu document%s no vector\n", (unsigned long long)counts.unseen,
                      counts.unseen == 1 ? " has" : "s have");
}

static int run_search(int argc, char **argv)
{
    const char *text = NULL, *filter = NULL, *limit = NULL, *offset = NULL, *min_score = NULL;
    const char *vector = NULL, *command = NULL, *mode = NULL;
    bool as_json = false;
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;
    agentchat_memory_embedder embedder;
    agentchat_memory_results *page = NULL;
    cli_vectors vectors = {.numbers = NULL};
    cli_store s = {.self = &cli_memory_search};
    const cli_switch switches[] = {
        {"query", NULL, &text},          {"filter", NULL, &filter},         {"exact", &query.exact, NULL},
        {"limit", NULL, &limit},         {"offset", NULL, &offset},         {"cursor", NULL, &query.cursor},
        {"min-score", NULL, &min_score}, {"refresh", &query.refresh, NULL}, {"json", &as_json, NULL},
        {"vector", NULL, &vector},       {"embedder", NULL, &command},      {"mode", NULL, &mode}};
    int status = cli_arguments(s.self, argc, argv, "STORE NAMESPACE", switches, 12);
    char *end = NULL;

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (!cli_memory_limit(s.self, "limit", limit, false, &query.limit) ||
        !cli_memory_limit(s.self, "offset", offset, true, &query.offset) || !take_mode(s.self, mode, &query.mode))
        return CLI_ERROR;
    query.has_min_score = min_score != NULL;
    if (min_score != NULL)
        query.min_score = strtod(min_score, &end);
    if (min_score != NULL && (end == min_score || *end != '\0'))
        return cli_command_usage(s.self->name, "--min-score takes a number, not \"%s\"", min_score);
    if (!cli_vectors_read(vector, &vectors))
        return CLI_ERROR;
    query.text = (agentchat_str){text, text != NULL ? strlen(text) : 0};
    query.filter = (agentchat_str){filter, filter != NULL ? strlen(filter) : 0};
    query.vector = vectors.numbers;
    query.dimensions = vectors.dimensions;
    query.embedder = vectors.count > 0 ? NULL : cli_embedder(command, NULL, &embedder);
    if (vectors.count > 1)
        status = cli_command_usage(s.self->name, "one vector is searched for, not %zu", vectors.count);
    else if (!cli_store_open(&s, query.refresh ? CLI_CHANGE : CLI_READ))
        status = CLI_ERROR;
    if (s.store == NULL) {
        cli_vectors_free(&vectors);
        return status == CLI_GO_ON ? CLI_ERROR : status;
    }
    agentchat_status done = agentchat_memory_search(s.store, argv[2], &query, &page, &s.err);
    if (done >= 0 && as_json)
        print_json(page);
    else if (done >= 0 && !print_table(page, query.text.len > 0 || query.vector != NULL))
        done = agentchat_error_set(&s.err, AGENTCHAT_E_NOMEM, "out of memory");
    if (done >= 0 && query.mode != AGENTCHAT_MEMORY_MODE_TEXT &&
        (query.vector != NULL || (query.embedder != NULL && query.text.len > 0)))
        say_unseen(&s, argv[2]);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    agentchat_memory_results_free(page);
    cli_vectors_free(&vectors);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_search = {
    .name = "memory search",
    .summary = "search documents by words, vectors and a filter",
    .help = "usage: agentchat memory search [OPTION...] STORE NAMESPACE\n"
            "\n"
            "Prints the documents in and below the namespace (/ is everything): those that were updated last, or\n"
            "with --query those that have one of its words, or with a vector or an embedder the nearest ones, the\n"
            "best match first.\n"
            "\n"
            "  --query T      words, or what the embedder gets\n"
            "  --vector FILE  the vector whose nearest are found: a JSON array of numbers; - is standard input\n"
            "  --embedder COMMAND  makes the query's vector: it reads a JSON string a line and writes a JSON array of\n"
            "                 numbers for each ($AGENTCHAT_EMBEDDER)\n"
            "  --mode MODE    text, vector or hybrid (vector if there is one or an embedder, else text)\n"
            "  --filter JSON  only what matches: {\"kind\": \"preference\", \"age\": {\"$gte\": 18}}\n"
            "  --exact        in the namespace alone, not below it\n"
            "  --limit N      at most so many (10)\n"
            "  --offset N     pass over so many\n"
            "  --cursor C     the page after one that has printed C\n"
            "  --min-score X  only documents with this score or a better one\n"
            "  --refresh      the time to live of what is found begins anew\n"
            "  --json         one JSON object (schema: agentchat check --schema cli-memory-search)\n"
            "\n"
            "exit status: 0 success, also without a match, 1 the documents have changed since the cursor, 2 error\n",
    .run = run_search,
};

/* ==== namespaces ================================================================================================= */

static void namespaces_json(const agentchat_memory_namespaces *page)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_begin(&json, "items", '[');
    for (size_t i = 0; i < agentchat_memory_namespaces_count(page); i++) {
        const agentchat_memory_namespace *one = agentchat_memory_namespaces_at(page, i);

        cli_json_begin(&json, NULL, '{');
        cli_memory_print_labels(&json, one->ns);
        cli_json_count(&json, "documents", one->documents);
        cli_json_end(&json, '}');
    }
    cli_memory_end_items(&json, agentchat_memory_namespaces_cursor(page));
}

static bool namespaces_table(const agentchat_memory_namespaces *page)
{
    cli_table table = {.columns = 2};

    if (agentchat_memory_namespaces_count(page) == 0)
        return true;
    cli_table_addf(&table, "NAMESPACE");
    cli_table_addf(&table, "DOCUMENTS");
    for (size_t i = 0; i < agentchat_memory_namespaces_count(page); i++) {
        cli_table_add(&table, agentchat_str_from(agentchat_memory_namespaces_at(page, i)->ns));
        cli_table_addf(&table, "%llu", (unsigned long long)agentchat_memory_namespaces_at(page, i)->documents);
    }
    if (!cli_table_print(stdout, &table))
        return false;
    cli_memory_print_cursor(agentchat_memory_namespaces_cursor(page));
    return true;
}

static int run_namespaces(int argc, char **argv)
{
    const char *depth = NULL, *limit = NULL;
    bool as_json = false;
    agentchat_memory_namespace_options options = AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT;
    agentchat_memory_namespaces *page = NULL;
    cli_store s = {.self = &cli_memory_namespaces};
    const cli_switch switches[] = {{"prefix", NULL, &options.prefix}, {"suffix", NULL, &options.suffix},
                                   {"depth", NULL, &depth},           {"limit", NULL, &limit},
                                   {"cursor", NULL, &options.cursor}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE", switches, 6);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (!cli_memory_limit(s.self, "depth", depth, false, &options.depth) ||
        !cli_memory_limit(s.self, "limit", limit, false, &options.limit))
        return CLI_ERROR;
    if (!cli_store_open(&s, CLI_READ))
        return CLI_ERROR;
    agentchat_status done = agentchat_memory_list_namespaces(s.store, &options, &page, &s.err);
    if (done >= 0 && as_json)
        namespaces_json(page);
    else if (done >= 0 && !namespaces_table(page))
        done = agentchat_error_set(&s.err, AGENTCHAT_E_NOMEM, "out of memory");
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    agentchat_memory_namespaces_free(page);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_namespaces = {
    .name = "memory namespaces",
    .summary = "list the namespaces that have documents",
    .help = "usage: agentchat memory namespaces [OPTION...] STORE\n"
            "\n"
            "Lists the namespaces that have documents, and how many.\n"
            "\n"
            "  --prefix P  those that begin with these labels; the label * is any one\n"
            "  --suffix S  those that end with these labels\n"
            "  --depth N   only the first N labels of each; everything below counts\n"
            "  --limit N   at most so many (100)\n"
            "  --cursor C  the page after one that has printed C\n"
            "  --json      one JSON object (schema: agentchat check --schema cli-memory-namespaces)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_namespaces,
};

/* ==== stats and sweep ============================================================================================ */

static int run_stats(int argc, char **argv)
{
    bool as_json = false;
    agentchat_memory_counts counts;
    cli_json json = {.out = stdout};
    cli_store s = {.self = &cli_memory_stats};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE [NAMESPACE]", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (!cli_store_open(&s, CLI_READ))
        return CLI_ERROR;
    agentchat_status done = agentchat_memory_stats(s.store, argv[2], &counts, &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0 && as_json) {
        cli_json_begin(&json, NULL, '{');
        cli_json_count(&json, "documents", counts.documents);
        cli_json_count(&json, "expired", counts.expired);
        cli_json_count(&json, "waiting", counts.waiting);
        cli_json_count(&json, "bytes", counts.bytes);
        cli_json_end(&json, '}');
        cli_json_line(&json);
    } else if (done >= 0) {
        (void)printf("documents: %llu\nexpired: %llu\nwaiting for an embedder: %llu\nbytes: %llu\n",
                     (unsigned long long)counts.documents, (unsigned long long)counts.expired,
                     (unsigned long long)counts.waiting, (unsigned long long)counts.bytes);
    }
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_stats = {
    .name = "memory stats",
    .summary = "count documents and their bytes",
    .help = "usage: agentchat memory stats [--json] STORE [NAMESPACE]\n"
            "\n"
            "Prints how many documents there are in and below the namespace, how many have expired and were not\n"
            "swept, how many were put without an embedder (memory reindex makes their vectors), and the bytes of all.\n"
            "\n"
            "  --json  one JSON object (schema: agentchat check --schema cli-memory-stats)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_stats,
};

static int run_sweep(int argc, char **argv)
{
    bool as_json = false;
    uint64_t count = 0;
    cli_store s = {.self = &cli_memory_sweep};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_memory_sweep(s.store, &count, &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0)
        cli_memory_print_number("swept", count, as_json);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_sweep = {
    .name = "memory sweep",
    .summary = "remove expired documents",
    .help = "usage: agentchat memory sweep [--json] STORE\n"
            "\n"
            "Removes the documents that have expired, and prints how many. They are not found in any case.\n"
            "\n"
            "  --json  one JSON object (schema: agentchat check --schema cli-memory-sweep)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_sweep,
};

/* ==== reindex ==================================================================================================== */

/* false: that has been reported. */
static bool take_metric(const cli_command *self, const char *text, agentchat_memory_metric *out)
{
    static const char *const names[] = {"", "cosine", "inner_product", "l2"};

    for (size_t i = 1; text != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0)
            *out = (agentchat_memory_metric)i;
    if (text == NULL || *out != AGENTCHAT_MEMORY_METRIC_ANY)
        return true;
    (void)cli_command_usage(self->name, "--metric takes cosine, inner_product or l2, not \"%s\"", text);
    return false;
}

static int run_reindex(int argc, char **argv)
{
    const char *metric = NULL, *list = NULL, *model = NULL, *command = NULL, *fields[MOST_FIELDS];
    bool as_json = false;
    uint64_t count = 0;
    agentchat_memory_reindex_options options = AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT;
    agentchat_memory_embedder embedder;
    cli_store s = {.self = &cli_memory_reindex};
    const cli_switch switches[] = {{"metric", NULL, &metric},
                                   {"fields", NULL, &list},
                                   {"model", NULL, &model},
                                   {"embedder", NULL, &command},
                                   {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE", switches, 5);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    options.embedder = cli_embedder(command, model, &embedder);
    options.fields = list != NULL ? fields : NULL;
    if (!take_metric(s.self, metric, &options.metric) || !take_fields(s.self, list, fields, &options.field_count) ||
        !cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_memory_reindex(s.store, &options, &count, &s.err);
    status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0)
        cli_memory_print_number("embedded", count, as_json);
    cli_store_close(&s);
    return status;
}

const cli_command cli_memory_reindex = {
    .name = "memory reindex",
    .summary = "make the vectors of documents",
    .help =
        "usage: agentchat memory reindex [OPTION...] STORE\n"
        "\n"
        "Makes the vectors of documents that were put without an embedder, and with another model or other fields\n"
        "of all; but vectors that were given with --vector stay. Prints how many documents it was.\n"
        "\n"
        "  --embedder COMMAND  makes vectors: it reads a JSON string a line and writes a JSON array of numbers for\n"
        "                   each ($AGENTCHAT_EMBEDDER)\n"
        "  --model NAME     what the embedder's vectors are called\n"
        "  --fields FIELDS  what it is given of documents put without --index: paths separated by commas\n"
        "  --metric METRIC  how vectors are compared: cosine, inner_product or l2\n"
        "  --json           one JSON object (schema: agentchat check --schema cli-memory-reindex)\n"
        "\n"
        "exit status: 0 success, 1 vectors that cannot be searched together, 2 error\n",
    .run = run_reindex,
};

/* ==== export and import ========================================================================================== */

static int run_export(int argc, char **argv)
{
    const char *name = "-";
    cli_output output;
    uint64_t count = 0;
    cli_store s = {.self = &cli_memory_export};
    const cli_switch switches[] = {{"output", NULL, &name}};
    int status = cli_arguments(s.self, argc, argv, "STORE [NAMESPACE]", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    if (!cli_store_open(&s, CLI_READ))
        return CLI_ERROR;
    agentchat_status done = AGENTCHAT_OK;
    if (strcmp(name, "-") != 0 && cli_store_lies_in(&s, name))
        done = agentchat_error_set(&s.err, AGENTCHAT_E_INVALID, "the output is the store itself");
    if (done >= 0) {
        done = cli_output_open(&output, name, &s.err);
        if (done >= 0)
            done = agentchat_memory_export(s.store, argv[2], output.sink, &count, &s.err);
        cli_output_close(&output);
    }
    if (done < 0)
        cli_error_print(stderr, cli_output_name(name), done, &s.err);
    else if (strcmp(name, "-") != 0)
        (void)printf("%llu\n", (unsigned long long)count);
    cli_store_close(&s);
    return done < 0 ? CLI_ERROR : CLI_SUCCESS;
}

const cli_command cli_memory_export = {
    .name = "memory export",
    .summary = "write documents to a file, one on each line",
    .help = "usage: agentchat memory export [--output FILE] STORE [NAMESPACE]\n"
            "\n"
            "Writes the documents in and below the namespace as lines of JSON, which agentchat memory import reads.\n"
            "\n"
            "  --output FILE  the file to write, which is replaced atomically; then their number is printed\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_export,
};

static int run_import(int argc, char **argv)
{
    bool skip = false, replace = false, as_json = false;
    const char *command = NULL;
    agentchat_memory_embedder embedder;
    agentchat_source *source = NULL;
    uint64_t count = 0;
    cli_store s = {.self = &cli_memory_import};
    const cli_switch switches[] = {
        {"skip", &skip, NULL}, {"replace", &replace, NULL}, {"embedder", NULL, &command}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE FILE", switches, 4);

    if (status != CLI_GO_ON)
        return status;
    if (skip && replace)
        return cli_command_usage(s.self->name, "--skip or --replace");
    s.name = argv[1];
    agentchat_status done = cli_document_source(argv[2], &source, &s.err);
    if (done < 0) {
        cli_error_print(stderr, argv[2], done, &s.err);
        return CLI_ERROR;
    }
    if (cli_store_open(&s, CLI_MAKE)) {
        done = agentchat_memory_import(s.store, source,
                                       skip      ? AGENTCHAT_MEMORY_IMPORT_SKIP
                                       : replace ? AGENTCHAT_MEMORY_IMPORT_REPLACE
                                                 : AGENTCHAT_MEMORY_IMPORT_FAIL,
                                       cli_embedder(command, NULL, &embedder), &count, &s.err);
        status = done < 0 ? cli_memory_fail(&s, done) : CLI_SUCCESS;
        if (done >= 0)
            cli_memory_print_number("written", count, as_json);
        cli_store_close(&s);
    } else {
        status = CLI_ERROR;
    }
    agentchat_source_free(source);
    return status;
}

const cli_command cli_memory_import = {
    .name = "memory import",
    .summary = "put the documents of a file",
    .help = "usage: agentchat memory import [OPTION...] STORE FILE|-\n"
            "\n"
            "Puts the documents of an export, all or none, and prints how many were written. One that is there and\n"
            "equal stays as it is. The store is made if it is not there.\n"
            "\n"
            "  --skip     keep another document that is there with the same key\n"
            "  --replace  put the file's, with a new revision\n"
            "  --embedder COMMAND  makes vectors of what brings none: it reads a JSON string a line and writes a JSON\n"
            "             array of numbers for each ($AGENTCHAT_EMBEDDER)\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-memory-import)\n"
            "\n"
            "exit status: 0 success, 1 another document is there, 2 error\n",
    .run = run_import,
};

/* ==== memory ===================================================================================================== */

static const cli_command *const commands[] = {
    &cli_memory_put,        &cli_memory_get,    &cli_memory_delete, &cli_memory_search,
    &cli_memory_namespaces, &cli_memory_stats,  &cli_memory_sweep,  &cli_memory_reindex,
    &cli_memory_export,     &cli_memory_import, &cli_memory_log,    &cli_memory_undo,
};

static int memory_run(int argc, char **argv)
{
    static const cli_group group = {"memory",
                                    "Documents, which are JSON objects, by namespace and key. A namespace is written "
                                    "like a path:\nusers/ana. / is all of them.\n" CLI_ABOUT_STORE,
                                    commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_memory_group = {
    .name = "memory",
    .summary = "put, find and delete documents of the long-term memory",
    .run = memory_run,
};
