/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat verify. */
#include "cli/verify/verify.h"

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/text/text.h"
#include <agentchat/verify.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ==== output ===================================================================================================== */

static const char *const result_names[] = {"ok", "failed", "known failure"};

static void verify_output_begin(verify_output *out, verify_style style)
{
    *out = (verify_output){.style = style, .json = {.out = stdout}};
    if (style == VERIFY_JSON) {
        cli_json_begin(&out->json, NULL, '{');
        cli_json_begin(&out->json, "items", '[');
    } else if (style == VERIFY_TAP) {
        (void)puts("TAP version 13");
    } else if (style == VERIFY_JUNIT) {
        (void)puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"agentchat verify\">");
    }
}

/* Safe text, and what a format gives a meaning as a reference or after a backslash. */
static void put_escaped(const char *text, size_t len, bool is_xml)
{
    char *shown = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&shown, &size);

    if (memory == NULL)
        return;
    (void)cli_put(memory, (agentchat_str){text, len});
    (void)fclose(memory);
    for (size_t i = 0; i < size; i++) {
        if (is_xml && strchr("<>&\"", shown[i]) != NULL)
            (void)printf("&#%d;", shown[i]);
        else if (!is_xml && shown[i] == '#')
            (void)fputs("\\#", stdout);
        else
            (void)fputc(shown[i], stdout);
    }
    free(shown);
}

static void put_lines(agentchat_str messages, const char *before, bool is_xml)
{
    while (messages.len > 0) {
        const char *end = memchr(messages.ptr, '\n', messages.len);
        size_t len = end != NULL ? (size_t)(end - messages.ptr) : messages.len;

        (void)fputs(before, stdout);
        put_escaped(messages.ptr, len, is_xml);
        (void)fputc('\n', stdout);
        len += end != NULL;
        messages = (agentchat_str){messages.ptr + len, messages.len - len};
    }
}

static void put_tap(const verify_output *out, const char *path, verify_result result, agentchat_str messages)
{
    (void)printf("%s %zu - ", result == VERIFY_OK ? "ok" : "not ok", out->files);
    put_escaped(path, strlen(path), false);
    (void)puts(result == VERIFY_KNOWN ? " # TO"
                                        "DO known failure"
                                      : "");
    put_lines(messages, "# ", false);
}

static void put_junit(const char *path, verify_result result, agentchat_str messages)
{
    (void)fputs("  <testcase name=\"", stdout);
    put_escaped(path, strlen(path), true);
    if (result == VERIFY_OK) {
        (void)puts("\"/>");
        return;
    }
    (void)puts(result == VERIFY_KNOWN ? "\"><skipped>" : "\"><failure>");
    put_lines(messages, "", true);
    (void)puts(result == VERIFY_KNOWN ? "  </skipped></testcase>" : "  </failure></testcase>");
}

/* messages: what failed, one line each, as text that is safe to show; for a known failure its reason. */
static void verify_output_file(verify_output *out, const char *path, verify_result result, agentchat_str messages)
{
    out->files++;
    out->failed += result == VERIFY_FAILED;
    out->known += result == VERIFY_KNOWN;
    if (out->style == VERIFY_JSON) {
        cli_json_begin(&out->json, NULL, '{');
        cli_json_cstr(&out->json, "file", path);
        cli_json_cstr(&out->json, "result", result_names[result]);
        if (messages.len > 0)
            cli_json_text(&out->json, "text", messages);
        cli_json_end(&out->json, '}');
    } else if (out->style == VERIFY_TAP) {
        put_tap(out, path, result, messages);
    } else if (out->style == VERIFY_JUNIT) {
        put_junit(path, result, messages);
    } else if (result != VERIFY_OK) {
        (void)cli_put(stdout, agentchat_str_from(path));
        (void)printf("  %s\n", result_names[result]);
        put_lines(messages, "  ", false);
    }
}

static void verify_output_end(verify_output *out)
{
    if (out->style == VERIFY_JSON) {
        cli_json_end(&out->json, ']');
        cli_json_count(&out->json, "files", out->files);
        cli_json_count(&out->json, "failed", out->failed);
        cli_json_count(&out->json, "known_failures", out->known);
        cli_json_end(&out->json, '}');
        cli_json_line(&out->json);
    } else if (out->style == VERIFY_TAP) {
        (void)printf("1..%zu\n", out->files);
    } else if (out->style == VERIFY_JUNIT) {
        (void)puts("</testsuite>");
    } else {
        cli_put_count(stdout, out->files, "file: ", "files: ");
        (void)printf("%zu as expected, ", out->files - out->failed - out->known);
        cli_put_count(stdout, out->known, "known failure, ", "known failures, ");
        (void)printf("%zu failed\n", out->failed);
    }
}

/* ==== agentchat verify: whether the files of a directory are what is expected of them (docs/verify.md) =========== */

static const char suffix[] = ".expect.json";

typedef struct run_state {
    verify_files files;
    verify_manifest manifest;
    verify_output out;
    bool update;
    int status;
} run_state;

static bool is_expectation(const char *path)
{
    size_t len = strlen(path), tail = sizeof suffix - 1;

    return len > tail && strcmp(path + len - tail, suffix) == 0;
}

/* ---- one file ------------------------------------------------------------------------------------------------- */

/* A line for each check that fails. */
static void note(void *user, const char *check, agentchat_str path, agentchat_str text)
{
    FILE *messages = user;

    (void)fprintf(messages, "%s  ", check);
    if (path.len > 0) {
        (void)cli_put(messages, path);
        (void)fputs("  ", messages);
    }
    (void)cli_put(messages, text);
    (void)fputc('\n', messages);
}

static void say(FILE *messages, const char *check, const char *text)
{
    note(messages, check, (agentchat_str){NULL, 0}, agentchat_str_from(text));
}

/* Compares with another file, named relative to this one. */
static size_t compare(const char *path, agentchat_str other, const char *digest, FILE *messages)
{
    const char *slash = strrchr(path, '/');
    size_t head = slash != NULL ? (size_t)(slash + 1 - path) : 0, size = head + other.len + 1;
    char *name = malloc(size), theirs[AGENTCHAT_DIGEST_LEN + 1] = "";
    cli_document file = {.status = AGENTCHAT_E_NOMEM};
    agentchat_bytes decoded = AGENTCHAT_BYTES_INIT;
    FILE *regular = NULL;
    bool equal;

    if (name != NULL && agentchat_json_decode(NULL, other, &decoded, NULL) >= 0) {
        (void)snprintf(name, size, "%.*s%s", (int)head, path, decoded.ptr);
        regular = verify_files_open(name, "rb");
    }
    if (regular != NULL) {
        (void)fclose(regular);
        if (cli_document_read(&file, name))
            file.status = agentchat_document_digest(file.document, false, theirs, &file.err);
        cli_document_close(&file);
    }
    equal = file.status >= 0 && strcmp(digest, theirs) == 0;
    if (!equal)
        note(messages, "same_as", (agentchat_str){NULL, 0}, cli_json_string(other));
    agentchat_bytes_clear(&decoded);
    free(name);
    return !equal;
}

/* The number of checks that failed; -1: the file or its expectation cannot be used, which messages say. */
static long check_file(const char *path, const char *expectation, FILE *messages)
{
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_source *source = NULL;
    agentchat_error err;
    size_t failed = 0;
    agentchat_status status = cli_document_source(path, &source, &err);

    if (status >= 0)
        status = agentchat_verify(NULL, source, agentchat_str_from(expectation), note, messages, digest, &failed, &err);
    agentchat_source_free(source);
    if (status < 0) {
        say(messages, agentchat_status_name(status), err.message);
        return -1;
    }
    agentchat_str other = agentchat_json_find(agentchat_str_from(expectation), AGENTCHAT_STR("same_as"));
    if (agentchat_json_kind_of(other) == AGENTCHAT_JSON_STRING)
        failed += compare(path, other, digest, messages);
    return (long)failed;
}

/* The expectation of a file, to be freed; NULL: there is none, or it cannot be read, which messages say. */
static char *expectation_of(run_state *r, const char *path, FILE *messages)
{
    verify_entry *entry = verify_manifest_find(&r->manifest, path);
    char *sidecar = verify_files_join(path, suffix), *text = NULL;
    agentchat_error err;

    if (entry != NULL) {
        entry->used = true;
        text = verify_files_join(entry->expectation, "");
    } else if (sidecar != NULL) {
        FILE *file = verify_files_open(sidecar, "rb");

        if (file == NULL && errno == ENOENT && r->update) {
            if (!verify_update(path, sidecar, &err))
                say(messages, agentchat_status_name(err.code), err.message);
            file = verify_files_open(sidecar, "rb");
        }
        if (file == NULL)
            say(messages, "expectation",
                errno == ENOENT  ? "there is none"
                : errno == ELOOP ? "it is a link or no file; links are not followed"
                                 : "it cannot be read");
        else if ((text = verify_manifest_read_text(file, sidecar, &err)) == NULL)
            say(messages, "expectation", "it cannot be read");
    }
    free(sidecar);
    return text;
}

static verify_result check_expected(const char *path, const char *expectation, FILE *messages)
{
    agentchat_str reason =
        cli_json_string(agentchat_json_find(agentchat_str_from(expectation), AGENTCHAT_STR("known_failure")));
    long failed = check_file(path, expectation, messages);

    if (failed > 0 && reason.ptr != NULL) {
        note(messages, "known_failure", (agentchat_str){NULL, 0}, reason);
        return VERIFY_KNOWN;
    }
    if (failed == 0 && reason.ptr != NULL) {
        say(messages, "known_failure", "nothing fails any more");
        return VERIFY_FAILED;
    }
    return failed == 0 ? VERIFY_OK : VERIFY_FAILED;
}

static void verify_one(run_state *r, const verify_file *file)
{
    char *text = NULL, *expectation;
    size_t size = 0;
    FILE *messages = open_memstream(&text, &size);
    verify_result result = VERIFY_FAILED;

    if (messages == NULL) {
        r->status = CLI_ERROR;
        return;
    }
    if (!file->is_regular) {
        say(messages, "file", "it is a link or no file; links are not followed");
    } else if ((expectation = expectation_of(r, file->path, messages)) != NULL) {
        result = check_expected(file->path, expectation, messages);
        free(expectation);
    }
    (void)fclose(messages);
    verify_output_file(&r->out, file->path, result, (agentchat_str){text, size});
    free(text);
}

/* ---- all files ------------------------------------------------------------------------------------------------ */

/* An expectation whose file is not there. */
static void report_orphan(run_state *r, const char *path)
{
    verify_output_file(&r->out, path, VERIFY_FAILED, AGENTCHAT_STR("expectation  its file is not there\n"));
}

static void verify_all(run_state *r, const char *manifest)
{
    for (size_t i = 0; i < r->files.count; i++) {
        const verify_file *file = &r->files.list[i];

        if (manifest != NULL && strcmp(file->path, manifest) == 0)
            continue;
        if (!is_expectation(file->path)) {
            verify_one(r, file);
            continue;
        }
        char *of = verify_files_join(file->path, "");
        if (of == NULL) {
            r->status = CLI_ERROR;
            return;
        }
        of[strlen(of) - (sizeof suffix - 1)] = '\0';
        if (!verify_files_have(&r->files, of))
            report_orphan(r, file->path);
        free(of);
    }
    for (size_t i = 0; i < r->manifest.count; i++)
        if (!r->manifest.list[i].used)
            report_orphan(r, r->manifest.list[i].path);
}

static bool collect(run_state *r, char **paths)
{
    for (; *paths != NULL; paths++) {
        char *failed = NULL;

        if (!verify_files_add(&r->files, *paths, &failed)) {
            (void)fputs("agentchat verify: ", stderr);
            (void)cli_put(stderr, agentchat_str_from(failed != NULL ? failed : *paths));
            (void)fprintf(stderr, ": %s\n", strerror(errno));
            free(failed);
            return false;
        }
    }
    verify_files_sort(&r->files);
    return true;
}

static int run(int argc, char **argv)
{
    run_state r = {.status = CLI_SUCCESS};
    bool json = false, tap = false, junit = false;
    const char *manifest = NULL;
    agentchat_error err;
    const cli_switch switches[] = {{"manifest", NULL, &manifest},
                                   {"update", &r.update, NULL},
                                   {"json", &json, NULL},
                                   {"tap", &tap, NULL},
                                   {"junit", &junit, NULL}};
    int status = cli_arguments(&cli_verify, argc, argv, "PATH...", switches, 5);

    if (status != CLI_GO_ON)
        return status;
    if (json + tap + junit > 1)
        return cli_command_usage(cli_verify.name, "only one of --json, --tap and --junit");
    if (manifest != NULL && !verify_manifest_read(&r.manifest, manifest, &err)) {
        cli_error_print(stderr, manifest, err.code, &err);
        r.status = CLI_ERROR;
    } else if (!collect(&r, argv + 1)) {
        r.status = CLI_ERROR;
    } else {
        verify_output_begin(&r.out, json ? VERIFY_JSON : tap ? VERIFY_TAP : junit ? VERIFY_JUNIT : VERIFY_PLAIN);
        verify_all(&r, manifest);
        verify_output_end(&r.out);
        if (r.status == CLI_SUCCESS && r.out.failed > 0)
            r.status = CLI_NO;
    }
    verify_files_clear(&r.files);
    verify_manifest_clear(&r.manifest);
    return r.status;
}

const cli_command cli_verify = {
    .name = "verify",
    .summary = "check files by what is expected of them",
    .help = "usage: agentchat verify [OPTION...] PATH...\n"
            "\n"
            "Reads each file, a chat, a history, the file of a session, an event, or events one a line, and all\n"
            "files below each directory, and checks each by its expectation, which stands beside it as\n"
            "NAME.expect.json or in a manifest: whether it is what it should be, is equal when it is\n"
            "written again, loses in other formats exactly what is declared, and, for a chat, can be restored. A\n"
            "file without an expectation fails, and so does an expectation without its file. Links are not followed.\n"
            "\n"
            "  --manifest FILE  expectations of many files: JSON, or lines of agentchat digest; names are relative\n"
            "                   to FILE's directory\n"
            "  --update         write NAME.expect.json with kind, format, digest, counts and losses where a file has\n"
            "                   none\n"
            "  --json           one JSON object (schema: agentchat check --schema cli-verify)\n"
            "  --tap, --junit   the forms that continuous integration reads\n"
            "\n"
            "exit status: 0 all are as expected, 1 one is not, 2 error\n",
    .run = run,
};
