/* SPDX-License-Identifier: Apache-2.0 */
/*
 * However the bytes of a document arrive, the outcome is the same: the snapshot with its digest and its report, or the
 * error with offset, line, column and path. Read at once, in pieces of 1 to 7 bytes, in pieces of random sizes, and in
 * one that ends inside each of the document's borders.
 *
 * The documents: every JSON file of the tests, as it is and written in every format there is; and the same damaged at
 * random. AGENTCHAT_TEST_DOCUMENTS sets how many damaged ones, AGENTCHAT_TEST_SEED where to start.
 */
#include "support/test_support.h"

#include "random_json.h"

/* What reading came to. */
typedef struct outcome {
    agentchat_error err;
    agentchat_status status;
    const char *format;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_bytes report; /* its entries, a line each */
} outcome;

static void take_report(agentchat_report *report, agentchat_bytes *out)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);
        agentchat_error err;

        test_ok(agentchat_bytes_append(out, agentchat_str_from(agentchat_report_kind_name(entry->kind)), &err), &err);
        test_ok(agentchat_bytes_append(out, AGENTCHAT_STR(" "), &err), &err);
        test_ok(agentchat_bytes_append(out, entry->path, &err), &err);
        test_ok(agentchat_bytes_append(out, AGENTCHAT_STR(" "), &err), &err);
        test_ok(agentchat_bytes_append(out, entry->text, &err), &err);
        test_ok(agentchat_bytes_append(out, AGENTCHAT_STR("\n"), &err), &err);
    }
    agentchat_report_free(report);
}

/* Reads from the source, which is released here. limits: NULL for the default. */
static agentchat_snapshot *read_source(agentchat_source *source, const char *format, const agentchat_limits *limits,
                                       outcome *out)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot = NULL;

    memset(out, 0, sizeof(*out));
    options.format = format;
    options.limits = limits;
    out->status = agentchat_snapshot_read(NULL, source, &options, &snapshot, &report, &out->err);
    agentchat_source_free(source);
    take_report(report, &out->report);
    if (snapshot != NULL) {
        agentchat_error err;

        out->format = agentchat_snapshot_format(snapshot);
        test_ok(agentchat_snapshot_digest(snapshot, true, out->digest, &err), &err);
    }
    return snapshot;
}

static bool same_outcome(const outcome *a, const outcome *b)
{
    return a->status == b->status && a->format == b->format && a->err.code == b->err.code &&
           a->err.native == b->err.native && a->err.offset == b->err.offset && a->err.line == b->err.line &&
           a->err.column == b->err.column && strcmp(a->err.path, b->err.path) == 0 &&
           strcmp(a->err.message, b->err.message) == 0 && strcmp(a->digest, b->digest) == 0 &&
           a->report.len == b->report.len &&
           (a->report.len == 0 || memcmp(a->report.ptr, b->report.ptr, a->report.len) == 0);
}

/* At once: that is what the others are compared with. */
static agentchat_snapshot *read_at_once(agentchat_str document, const char *format, const agentchat_limits *limits,
                                        outcome *out)
{
    agentchat_source *source;
    agentchat_error err;

    test_ok(agentchat_source_memory(NULL, document, &source, &err), &err);
    return read_source(source, format, limits, out);
}

/* Returns whether the document was accepted. */
static bool check_pieces(const char *name, agentchat_str document, const char *format, const agentchat_limits *limits)
{
    outcome at_once, pieces;
    bool accepted;

    agentchat_snapshot_unref(read_at_once(document, format, limits, &at_once));
    /* 0 is a random size; the last piece ends one byte before the document's end. */
    for (size_t piece = 0; piece <= 8; piece++) {
        size_t size = piece < 8 ? piece : document.len > 1 ? document.len - 1 : 1;

        agentchat_snapshot_unref(
            read_source(test_source_chunked(document.ptr, document.len, size), format, limits, &pieces));
        if (!same_outcome(&at_once, &pieces))
            fail_msg("%s, as format %s: in pieces of %zu bytes %s at %llu, %u:%u \"%s\" (%s), at once %s at %llu, "
                     "%u:%u \"%s\" (%s)",
                     name, format != NULL ? format : "detected", size, agentchat_status_name(pieces.status),
                     (unsigned long long)pieces.err.offset, pieces.err.line, pieces.err.column, pieces.err.path,
                     pieces.err.message, agentchat_status_name(at_once.status), (unsigned long long)at_once.err.offset,
                     at_once.err.line, at_once.err.column, at_once.err.path, at_once.err.message);
        agentchat_bytes_clear(&pieces.report);
    }
    accepted = at_once.status >= 0;
    agentchat_bytes_clear(&at_once.report);
    return accepted;
}

/* ---- the documents ---------------------------------------------------------------------------------------------- */

static const char *const formats[] = {"agentchat", "agentchat-encoded", "semantic-kernel"};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]), LARGEST_TO_DAMAGE = 20000 };

typedef struct corpus {
    agentchat_bytes *documents; /* those to be damaged */
    size_t count, cap, files, accepted;
} corpus;

static void keep(corpus *all, agentchat_str document)
{
    agentchat_error err;

    if (document.len == 0 || document.len > LARGEST_TO_DAMAGE)
        return;
    if (all->count == all->cap) {
        all->cap = all->cap != 0 ? all->cap * 2 : 256;
        all->documents = realloc(all->documents, all->cap * sizeof(*all->documents));
        assert_non_null(all->documents);
    }
    all->documents[all->count] = (agentchat_bytes)AGENTCHAT_BYTES_INIT;
    test_ok(agentchat_bytes_append(&all->documents[all->count++], document, &err), &err);
}

/* The document itself, read as each format; and what each format makes of it. */
static void check_document(const char *name, agentchat_str document, corpus *all)
{
    agentchat_limits deep = AGENTCHAT_LIMITS_INIT; /* one format nests deeper than the other */
    agentchat_snapshot *snapshot;
    outcome detected;

    deep.max_depth = 2000;
    for (size_t i = 0; i < FORMATS; i++)
        (void)check_pieces(name, document, formats[i], NULL);
    all->accepted += check_pieces(name, document, NULL, NULL);
    keep(all, document);
    snapshot = read_at_once(document, NULL, NULL, &detected);
    agentchat_bytes_clear(&detected.report);
    for (size_t i = 0; snapshot != NULL && i < FORMATS; i++) {
        agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
        agentchat_bytes written = AGENTCHAT_BYTES_INIT;
        agentchat_error err;

        options.format = formats[i];
        test_ok(agentchat_snapshot_write_memory(snapshot, &options, &written, NULL, &err), &err);
        if (!check_pieces(name, (agentchat_str){written.ptr, written.len}, NULL, &deep))
            fail_msg("%s: what is written in format %s cannot be read", name, formats[i]);
        keep(all, (agentchat_str){written.ptr, written.len});
        agentchat_bytes_clear(&written);
    }
    agentchat_snapshot_unref(snapshot);
}

static void check_file(const char *path, void *user)
{
    corpus *all = user;
    size_t len;
    char *text = test_file_read(path, &len);

    all->files++;
    check_document(path, (agentchat_str){text, len}, all);
    free(text);
}

static void check_directory(const char *name, const char *ending, corpus *all)
{
    char *dir = test_path(test_data_dir(), name);

    assert_true(test_each_file(dir, ending, check_file, all) > 0);
    free(dir);
}

static void check_directories(corpus *all)
{
    static const char *const directories[] = {"data", "cli/data", "conformance",
                                              "interop/semantic-kernel/recorded/probes",
                                              "interop/semantic-kernel/recorded/named"};

    for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
        check_directory(directories[i], ".json", all);
    check_directory("format", ".in", all);
}

/* ---- the tests -------------------------------------------------------------------------------------------------- */

static void test_loader__case_files_in_pieces(void **state)
{
    corpus *all = *state;

    check_directories(all);
    print_message("%zu files, %zu accepted\n", all->files, all->accepted);
    assert_true(all->files > 500);
    assert_true(all->accepted > 100);
}

static void test_loader__damaged_documents_in_pieces(void **state)
{
    uint64_t documents = test_number("AGENTCHAT_TEST_DOCUMENTS", 2000), seed = test_number("AGENTCHAT_TEST_SEED", 1);
    const corpus *all = *state;
    uint64_t accepted = 0;
    random_json random;

    assert_true(all->count > 0); /* the first test has collected them */
    random_json_init(&random);
    for (uint64_t n = 0; n < documents; n++) {
        const agentchat_bytes *document;
        char name[64];

        random_json_seed(&random, seed + n);
        document = &all->documents[random_json_below(&random, (uint32_t)all->count)];
        random.text.len = 0;
        assert_true(aci_buf_add(&random.text, document->ptr, document->len));
        for (uint32_t i = 1 + random_json_below(&random, 3); i > 0 && random.text.len > 0; i--)
            random_json_damage(&random);
        snprintf(name, sizeof(name), "damaged document of seed %llu", (unsigned long long)(seed + n));
        accepted += check_pieces(name, aci_buf_str(&random.text), NULL, NULL) ? 1 : 0;
    }
    print_message("%llu damaged documents, %llu accepted all the same\n", (unsigned long long)documents,
                  (unsigned long long)accepted);
    if (documents >= 1000)
        assert_true(accepted > documents / 100 && accepted < documents / 2);
    random_json_clear(&random);
}

static int prepare(void **state)
{
    *state = calloc(1, sizeof(corpus));
    return *state != NULL ? 0 : 1;
}

static int release(void **state)
{
    corpus *all = *state;

    for (size_t i = 0; i < all->count; i++)
        agentchat_bytes_clear(&all->documents[i]);
    free(all->documents);
    free(all);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loader__case_files_in_pieces),
        cmocka_unit_test(test_loader__damaged_documents_in_pieces),
    };

    return cmocka_run_group_tests_name("loader_pieces", tests, prepare, release);
}
