/* SPDX-License-Identifier: Apache-2.0 */
#include "format/case_files.h"

#include <stdio.h>
#include <unistd.h>

static char *path_of(const case_files *files, const char *ending)
{
    size_t size = strlen(files->base) + strlen(ending) + 1;
    char *path = malloc(size);

    assert_non_null(path);
    (void)snprintf(path, size, "%s%s", files->base, ending);
    return path;
}

agentchat_str case_file(const case_files *files, const char *ending)
{
    char *path = path_of(files, ending);
    agentchat_str text = {NULL, 0};

    if (access(path, F_OK) == 0)
        text.ptr = test_file_read(path, &text.len);
    free(path);
    return text;
}

void case_fail(const case_files *files, const char *what, const char *expected, agentchat_str found)
{
    case_run *run = files->run;

    run->failures += run->failed != files->base;
    run->failed = files->base;
    print_error("%s%s\n", files->base, what);
    if (expected != NULL)
        print_error("expected %s\n", expected);
    print_error("found    %.*s\n", (int)found.len, found.ptr != NULL ? found.ptr : "");
}

/* Without the line end at its end. */
static agentchat_str trimmed(agentchat_str text)
{
    while (text.len > 0 && text.ptr[text.len - 1] == '\n')
        text.len--;
    return text;
}

/* Writes a file that differs; one that is not needed goes. */
static void update(const char *path, agentchat_str found)
{
    char *text = malloc(found.len + 1);

    assert_non_null(text);
    memcpy(text, found.ptr, found.len);
    text[found.len] = '\n';
    test_file_write(path, text, found.len + 1);
    free(text);
    print_message("%s: written\n", path);
}

void case_expect(const case_files *files, const char *ending, agentchat_str found, agentchat_str otherwise)
{
    char *path = path_of(files, ending);
    agentchat_str expected = case_file(files, ending);
    bool is_file = expected.ptr != NULL;

    if (!is_file)
        expected = otherwise;
    if (expected.ptr == NULL || !agentchat_str_equal(trimmed(expected), trimmed(found))) {
        if (files->run->update)
            update(path, trimmed(found));
        else
            case_fail(files, ending, expected.ptr != NULL ? expected.ptr : "a file", found);
    }
    if (is_file)
        free((char *)expected.ptr);
    free(path);
}

void case_expect_none(const case_files *files, const char *ending)
{
    agentchat_str text = case_file(files, ending);

    if (text.ptr != NULL) {
        char *path = path_of(files, ending);

        if (!files->run->update)
            case_fail(files, ending, "no such file", text);
        else if (unlink(path) == 0)
            print_message("%s: removed\n", path);
        free(path);
        free((char *)text.ptr);
    }
}

/* ---- finding them ----------------------------------------------------------------------------------------------- */

typedef struct search {
    case_run *run;
    void (*each)(const case_files *files);
    const char *ending;
} search;

static void found(const char *path, void *user)
{
    const search *s = user;
    case_files files = {s->run, strdup(path), kind_of_file(path)};
    agentchat_str document;

    assert_non_null(files.base);
    files.base[strlen(path) - strlen(s->ending)] = '\0';
    document = case_file(&files, ".in");
    if (document.ptr == NULL || strcmp(s->ending, ".in") == 0) {
        s->run->cases++;
        s->each(&files);
    }
    free((char *)document.ptr);
    if (s->run->failed == files.base)
        s->run->failed = NULL;
    free(files.base);
}

void case_each(const char *dir, case_run *run, void (*each)(const case_files *files))
{
    (void)test_each_file(dir, ".in", found, &(search){run, each, ".in"});
    (void)test_each_file(dir, ".native", found, &(search){run, each, ".native"});
}
