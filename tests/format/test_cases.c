/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases of a format (README.md): each document is read as its files say, written as they say, and what is written
 * is read back: what differs then has been reported.
 */
#include "format/case_files.h"

#include <agentchat/verify.h>
#include <stdio.h>

/* What the reports of a case say, which its .notes hold. */
typedef struct notes {
    char *text;
    size_t len;
} notes;

static void add_notes(notes *all, const char *head, const char *lines)
{
    if (lines[0] == '\0')
        return;
    all->text = realloc(all->text, all->len + strlen(head) + strlen(lines) + 3);
    assert_non_null(all->text);
    all->len += (size_t)sprintf(all->text + all->len, "%s\n%s", head, lines);
}

static void add_report(notes *all, const char *head, agentchat_report *report)
{
    char *lines = report_lines(report);

    add_notes(all, head, lines);
    free(lines);
    agentchat_report_free(report);
}

/* Notes what is found in a document whose format nobody names, where that is not this format and kind, or not the same
   error. refused: the error of the one who named it; NULL: none. */
static void detect(const case_files *files, agentchat_str text, const agentchat_error *refused, notes *all)
{
    agentchat_document *document = NULL;
    agentchat_source *source;
    agentchat_error err;
    char line[2048] = "";

    test_ok(agentchat_source_memory(NULL, text, &source, &err), &err);
    if (agentchat_document_read(NULL, source, NULL, &document, NULL, &err) < 0) {
        if (refused == NULL || err.code != refused->code || err.offset != refused->offset ||
            strcmp(err.path, refused->path) != 0 || strcmp(err.message, refused->message) != 0)
            (void)snprintf(line, sizeof line, "%s: %s\n", agentchat_status_name((agentchat_status)err.code),
                           err.message);
    } else {
        const char *kind = agentchat_document_kind_name(agentchat_document_get_kind(document));
        const char *format = agentchat_document_format(document);

        if (strcmp(format, files->run->format) != 0 ||
            (strcmp(kind, files->kind->name) != 0 && strcmp(kind, "history") != 0))
            (void)snprintf(line, sizeof line, "%s of %s\n", kind, format);
    }
    add_notes(all, "detected", line);
    agentchat_document_free(document);
    agentchat_source_free(source);
}

/* ---- what is refused -------------------------------------------------------------------------------------------- */

static bool is_at(const agentchat_error *err, agentchat_str text)
{
    uint32_t line = 1, column = 1;

    for (uint64_t i = 0; i < err->offset && i < text.len; i++) {
        column = text.ptr[i] == '\n' ? 1 : column + 1;
        line += text.ptr[i] == '\n';
    }
    return err->offset == AGENTCHAT_NO_OFFSET || (err->line == line && err->column == column);
}

/* A pointer that the record had no room for has an ellipsis instead of its beginning, which the file has in full. To be
   freed with free(). */
static char *full_path(const case_files *files, const agentchat_error *err)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    agentchat_str expected = case_file(files, ".error");
    char *path = strdup(err->path), *line = expected.ptr != NULL ? strchr(expected.ptr, '\n') : NULL, *end;

    assert_non_null(path);
    if (line != NULL && strncmp(path, ellipsis, strlen(ellipsis)) == 0) {
        const char *tail = path + strlen(ellipsis);

        end = strchr(line + 1, '\n');
        assert_non_null(end);
        *end = '\0';
        if (end - line > (ptrdiff_t)strlen(tail) && strcmp(end - strlen(tail), tail) == 0) {
            free(path);
            path = strdup(line + 1);
        }
    }
    free((char *)expected.ptr);
    return path;
}

static void check_error(const case_files *files, agentchat_str text, const agentchat_error *err)
{
    char found[4096], *path = full_path(files, err);
    int len = snprintf(found, sizeof found, "%s\n%s\n%llu\n%s\n", agentchat_status_name((agentchat_status)err->code),
                       path, (unsigned long long)err->offset, err->message);

    free(path);
    if (!is_at(err, text))
        case_fail(files, ": line and column are not those of the offset", NULL, agentchat_str_from(found));
    case_expect(files, ".error", (agentchat_str){found, (size_t)len}, (agentchat_str){NULL, 0});
    case_expect_none(files, ".native");
    case_expect_none(files, ".out");
    case_expect_none(files, ".strict");
}

/* ---- what is read ----------------------------------------------------------------------------------------------- */

static agentchat_bytes write(const case_files *files, const void *value, const char *format, bool strict,
                             agentchat_report **report)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(files->kind->write(value, format, strict, &out, report, &err), &err);
    return out;
}

static agentchat_str view(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->ptr, bytes->len};
}

/* Whether a value is written as that text. */
static bool is_written_as(const case_files *files, const void *value, const char *format, bool strict,
                          agentchat_str text)
{
    agentchat_report *report;
    agentchat_bytes again = write(files, value, format, strict, &report);
    bool same = agentchat_str_equal(view(&again), text);

    agentchat_report_free(report);
    agentchat_bytes_clear(&again);
    return same;
}

/* Reads what was written, and notes what differs though no entry of the report says so. */
static void check_read_back(const case_files *files, const void *value, bool strict, agentchat_str text,
                            const agentchat_report *report, notes *all)
{
    const void *back = NULL;
    agentchat_report *read_report = NULL;
    agentchat_error err;
    char line[2048] = "";

    if (files->kind->read(NULL, files->run->format, text, &back, &read_report, &err) < 0) {
        (void)snprintf(line, sizeof line, "not readable: %s: %s\n", agentchat_status_name((agentchat_status)err.code),
                       err.message);
    } else {
        char *unreported = files->kind->unreported(value, back, report);

        if (unreported != NULL)
            (void)snprintf(line, sizeof line, "not reported: %s\n", unreported);
        else if (!is_written_as(files, back, files->run->format, strict, text))
            (void)snprintf(line, sizeof line, "written otherwise the second time\n");
        free(unreported);
    }
    add_notes(all, strict ? "strict, read back" : "written, read back", line);
    agentchat_report_free(read_report);
    files->kind->release(back);
}

/* Whoever reads it in the native format has all that the document's own format needs. */
static void check_through_native(const case_files *files, const void *value, agentchat_str text, notes *all)
{
    agentchat_report *report;
    agentchat_bytes native = write(files, value, "agentchat", false, &report);
    agentchat_error err;
    const void *same;

    agentchat_report_free(report);
    test_ok(files->kind->read(NULL, "agentchat", view(&native), &same, &report, &err), &err);
    if (!is_written_as(files, same, files->run->format, false, text) ||
        !is_written_as(files, same, "agentchat", false, view(&native)))
        add_notes(all, "through agentchat", "written otherwise\n");
    agentchat_report_free(report);
    agentchat_bytes_clear(&native);
    files->kind->release(same);
}

/* Writes a value and holds it against the file of that ending. Gives what was written. */
static agentchat_bytes check_written(const case_files *files, const void *value, bool strict, agentchat_str otherwise,
                                     notes *all)
{
    const char *ending = strict ? ".strict" : ".out";
    agentchat_report *report;
    agentchat_bytes out = write(files, value, files->run->format, strict, &report);

    case_expect(files, ending, view(&out), otherwise);
    check_read_back(files, value, strict, view(&out), report, all);
    if (!strict)
        check_through_native(files, value, view(&out), all);
    add_report(all, strict ? "strict" : "written", report);
    return out;
}

static void check_value(const case_files *files, const void *value, agentchat_str document, notes *all)
{
    const agentchat_format *format = agentchat_format_find(files->run->format);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT, strict = AGENTCHAT_BYTES_INIT;

    if ((format->writes & files->kind->holds) == 0)
        return;
    out = check_written(files, value, false, document, all);
    if (format->has_strict && files->kind == &kind_chat && agentchat_repair_profile_find(format->name) == NULL)
        strict = check_written(files, value, true, view(&out), all);
    else
        case_expect_none(files, ".strict");
    agentchat_bytes_clear(&out);
    agentchat_bytes_clear(&strict);
}

static void check_notes(const case_files *files, const notes *all)
{
    if (all->len > 0)
        case_expect(files, ".notes", (agentchat_str){all->text, all->len}, (agentchat_str){NULL, 0});
    else
        case_expect_none(files, ".notes");
}

/* A document in the format. */
static void check_document(const case_files *files, agentchat_str document)
{
    notes all = {NULL, 0};
    agentchat_bytes native;
    agentchat_report *report = NULL, *none;
    agentchat_error err;
    const void *value;
    agentchat_status status;

    status = files->kind->read(NULL, files->run->format, document, &value, &report, &err);
    add_report(&all, "read", report);
    if (status < 0) {
        check_error(files, document, &err);
    } else {
        bool is_native = strcmp(files->run->format, "agentchat") == 0;

        native = write(files, value, "agentchat", false, &none);
        agentchat_report_free(none);
        case_expect(files, ".native", view(&native), is_native ? document : (agentchat_str){NULL, 0});
        case_expect_none(files, ".error");
        check_value(files, value, is_native ? view(&native) : document, &all);
        agentchat_bytes_clear(&native);
        files->kind->release(value);
    }
    detect(files, document, status < 0 ? &err : NULL, &all);
    check_notes(files, &all);
    free(all.text);
}

/* What was never in the format: it is written only. */
static void check_native(const case_files *files)
{
    agentchat_str native = case_file(files, ".native");
    agentchat_report *report;
    agentchat_error err;
    notes all = {NULL, 0};
    const void *value;

    test_ok(files->kind->read(NULL, "agentchat", native, &value, &report, &err), &err);
    agentchat_report_free(report);
    check_value(files, value, (agentchat_str){NULL, 0}, &all);
    check_notes(files, &all);
    files->kind->release(value);
    free(all.text);
    free((char *)native.ptr);
}

static void check_case(const case_files *files)
{
    agentchat_str document = case_file(files, ".in");

    if (document.ptr != NULL)
        check_document(files, document);
    else
        check_native(files);
    free((char *)document.ptr);
}

static const char *format_name, *directory;

static void test_format__reads_and_writes_its_cases(void **state)
{
    case_run run = {.format = format_name, .update = test_number("AGENTCHAT_UPDATE_CASES", 0) != 0};

    (void)state;
    assert_non_null(agentchat_format_find(format_name));
    case_each(directory, &run, check_case);
    print_message("%zu cases, %zu failed\n", run.cases, run.failures);
    assert_true(run.cases > 0);
    assert_int_equal(run.failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format__reads_and_writes_its_cases),
    };

    if (argc != 3)
        return 2;
    format_name = argv[1];
    directory = argv[2];
    return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
