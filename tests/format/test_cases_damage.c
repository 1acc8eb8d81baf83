/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases of a format, damaged: ended at each byte, each byte changed or taken out, and each allocation failing. An
 * error or a value that can be written, and nothing leaks.
 */
#include "format/case_files.h"

#include <stdio.h>

/* The work grows with the square of a document's size. */
enum { LARGEST_CUT = 8192, LARGEST_CHANGED = 2048, LARGEST_SWEPT = 8192 };

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

static void read_and_write(const case_files *files, agentchat_str text)
{
    const agentchat_format *format = agentchat_format_find(files->run->format);
    bool can_write = (format->writes & files->kind->holds) != 0;
    agentchat_report *report = NULL;
    agentchat_error err;
    const void *value;
    agentchat_status status;

    status = files->kind->read(NULL, files->run->format, text, &value, &report, &err);
    agentchat_report_free(report);
    assert_true((status < 0) == (value == NULL));
    if (status < 0) {
        assert_int_equal(err.code, status);
        assert_true(err.message[0] != '\0');
        assert_true(err.offset == AGENTCHAT_NO_OFFSET || err.offset <= text.len);
        return;
    }
    for (int strict = 0; can_write && strict <= format->has_strict; strict++) {
        agentchat_bytes out = AGENTCHAT_BYTES_INIT;

        test_ok(files->kind->write(value, files->run->format, strict != 0, &out, &report, &err), &err);
        agentchat_report_free(report);
        agentchat_bytes_clear(&out);
    }
    files->kind->release(value);
}

/* In a block of its own size, so that a sanitizer sees a read beyond it. */
static void read_exact(const case_files *files, const char *head, size_t head_len, const char *tail, size_t tail_len)
{
    char *text = malloc(head_len + tail_len + (head_len + tail_len == 0));

    assert_non_null(text);
    memcpy(text, head, head_len);
    memcpy(text + head_len, tail, tail_len);
    read_and_write(files, (agentchat_str){text, head_len + tail_len});
    free(text);
}

static void damage_case(const case_files *files)
{
    agentchat_str text = case_file(files, ".in");
    char *bytes = (char *)text.ptr;

    for (size_t i = 0; i < text.len && text.len <= LARGEST_CUT; i++)
        read_exact(files, bytes, i, NULL, 0);
    for (size_t i = 0; i < text.len && text.len <= LARGEST_CHANGED; i++) {
        const char kept = bytes[i];

        read_exact(files, bytes, i, bytes + i + 1, text.len - i - 1);
        bytes[i] = (char)(kept ^ 1 << test_pick(8));
        read_exact(files, bytes, text.len, NULL, 0);
        bytes[i] = kept;
    }
    free(bytes);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

typedef struct work {
    const case_files *files;
    agentchat_str text;
    const char *format; /* in which the text is */
    bool strict;
} work;

static agentchat_status read_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    const work *w = user;
    agentchat_report *report = NULL;
    const void *value;
    agentchat_status status = w->files->kind->read(env, w->format, w->text, &value, &report, err);

    assert_true((status < 0) == (value == NULL));
    agentchat_report_free(report);
    w->files->kind->release(value);
    return status;
}

static agentchat_status write_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    const work *w = user;
    agentchat_bytes out = {NULL, 0, 0, env};
    agentchat_report *report = NULL;
    const void *value;
    agentchat_status status;

    test_oom_running()->held = true;
    test_ok(w->files->kind->read(env, w->format, w->text, &value, &report, err), err);
    agentchat_report_free(report);
    report = NULL;
    test_oom_running()->held = false;
    status = w->files->kind->write(value, w->files->run->format, w->strict, &out, &report, err);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    w->files->kind->release(value);
    return status;
}

/* What is refused is not swept: its error could come before the allocation that fails. */
static bool is_readable(work *w)
{
    const void *value;
    agentchat_report *report = NULL;
    agentchat_error err;
    bool readable = w->files->kind->read(NULL, w->format, w->text, &value, &report, &err) == AGENTCHAT_OK;

    agentchat_report_free(report);
    w->files->kind->release(value);
    return readable;
}

static void sweep_case(const case_files *files)
{
    const agentchat_format *format = agentchat_format_find(files->run->format);
    bool can_write = (format->writes & files->kind->holds) != 0;
    work w = {.files = files, .text = case_file(files, ".in"), .format = files->run->format};

    if (w.text.ptr == NULL) {
        w.text = case_file(files, ".native");
        w.format = "agentchat";
    }
    if (w.text.len <= LARGEST_SWEPT && is_readable(&w)) {
        (void)test_oom_sweep(read_scenario, &w);
        for (int strict = 0; can_write && strict <= format->has_strict; strict++) {
            w.strict = strict != 0;
            (void)test_oom_sweep(write_scenario, &w);
        }
    }
    free((char *)w.text.ptr);
}

/* ---- */

static const char *format_name, *directory;

static void test_format__survives_damage_at_every_byte(void **state)
{
    case_run run = {.format = format_name};

    (void)state;
    test_seed(1);
    case_each(directory, &run, damage_case);
}

static void test_format__survives_running_out_of_memory_in_every_case(void **state)
{
    case_run run = {.format = format_name};

    (void)state;
    case_each(directory, &run, sweep_case);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format__survives_damage_at_every_byte),
        cmocka_unit_test(test_format__survives_running_out_of_memory_in_every_case),
    };

    if (argc != 3)
        return 2;
    format_name = argv[1];
    directory = argv[2];
    return cmocka_run_group_tests_name("cases_damage", tests, NULL, NULL);
}
