/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verify/output.h"
#include "cli/text/put.h"
#include <stdlib.h>
#include <string.h>

static const char *const result_names[] = {"ok", "failed", "known failure"};

void verify_output_begin(verify_output *out, verify_style style)
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

void verify_output_file(verify_output *out, const char *path, verify_result result, agentchat_str messages)
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

void verify_output_end(verify_output *out)
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
