/* SPDX-License-Identifier: Apache-2.0 */
/* Saving to a path: modes, commits, names of temporary files, memory. */
#include "sink_path_test.h"

#include <unistd.h>

static void test_sink_path__new_file_is_private(void **state)
{
    fixture *p = *state;
    agentchat_error err;
    agentchat_sink *sink;
    mode_t old = umask(0);

    test_ok(agentchat_sink_path(NULL, p->path, NULL, &sink, &err), &err);
    assert_string_equal(aci_sink_name(sink), p->path);
    assert_int_equal(access(p->path, F_OK), -1); /* nothing to see before the commit */
    test_ok(aci_sink_write(sink, "new", 3, &err), &err);
    test_ok(aci_sink_commit(sink, &err), &err);
    agentchat_sink_free(sink);
    umask(old);
    assert_holds(p->path, "new");
    assert_int_equal(mode_of(p->path), 0600);
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__mode_is_kept(void **state)
{
    static const mode_t modes[] = {0600, 0640, 0644, 0666, 0755};
    fixture *p = *state;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(p->path, modes[i]), 0);
        test_ok(save(p->path, "new", true, &err), &err);
        assert_int_equal(mode_of(p->path), modes[i]);
        assert_holds(p->path, "new");
    }
}

static void test_sink_path__without_commit_the_old_file_stays(void **state)
{
    fixture *p = *state;
    agentchat_error err;

    test_file_write(p->path, "old", 3);
    test_ok(save(p->path, "new", false, &err), &err);
    assert_holds(p->path, "old");
    assert_int_equal(files_in(p->dir), 1);
}

static void test_sink_path__an_open_reader_keeps_the_old_bytes(void **state)
{
    fixture *p = *state;
    agentchat_error err;
    char text[8] = "";
    FILE *reader;

    test_file_write(p->path, "old", 3);
    reader = fopen(p->path, "rb");
    assert_non_null(reader);
    test_ok(save(p->path, "brand new", true, &err), &err);
    assert_int_equal(fread(text, 1, sizeof text - 1, reader), 3);
    assert_string_equal(text, "old");
    fclose(reader);
    assert_holds(p->path, "brand new");
}

/* Fails the call whose turn it is. */
typedef struct countdown {
    int left, calls;
} countdown;

static agentchat_status count_down(void *user, agentchat_error *err)
{
    countdown *c = user;

    c->calls++;
    return c->left-- > 0 ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "no more");
}

static void test_sink_path__a_host_can_end_a_save_until_the_rename(void **state)
{
    const fixture *p = *state;

    test_file_write(p->path, "old", 3);
    for (int left = 0; left < 4; left++) {
        agentchat_sink_path_options options = AGENTCHAT_SINK_PATH_OPTIONS_INIT;
        countdown c = {.left = left};
        agentchat_sink *sink;
        agentchat_error err;
        agentchat_status status;

        options.go_on = count_down;
        options.user = &c;
        test_ok(agentchat_sink_path(NULL, p->path, &options, &sink, &err), &err);
        status = aci_sink_write(sink, "ne", 2, &err);
        if (status == AGENTCHAT_OK)
            status = aci_sink_write(sink, "w", 1, &err);
        if (status == AGENTCHAT_OK)
            status = aci_sink_commit(sink, &err);
        agentchat_sink_free(sink);
        assert_int_equal(c.calls, left < 3 ? left + 1 : 3);
        if (left < 3)
            test_fails(status, &err, AGENTCHAT_E_CALLBACK, "", "no more");
        else
            test_ok(status, &err);
        assert_holds(p->path, left < 3 ? "old" : "new");
        assert_int_equal(files_in(p->dir), 1);
    }
}

static void count_freed(void *user)
{
    ++*(int *)user;
}

static void test_sink_path__options_that_are_not_known_are_refused(void **state)
{
    const fixture *p = *state;
    agentchat_sink_path_options options = {.free_user = count_freed};
    agentchat_sink *sink;
    agentchat_error err;
    int freed = 0;

    options.user = &freed;

    test_fails(agentchat_sink_path(NULL, p->path, &options, &sink, &err), &err, AGENTCHAT_E_INVALID, "", NULL);
    assert_null(sink);
    assert_int_equal(files_in(p->dir), 0);
    assert_int_equal(freed, 0); /* nothing is read of a struct without a size */
    options.struct_size = sizeof options;
    test_fails(agentchat_sink_path(NULL, NULL, &options, &sink, &err), &err, AGENTCHAT_E_INVALID, "", NULL);
    assert_int_equal(freed, 1);
    test_fails(agentchat_sink_path(NULL, p->path, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, "", NULL);
    assert_int_equal(freed, 2);
    test_fails(agentchat_sink_path(NULL, "/nowhere/at/all", &options, &sink, &err), &err, AGENTCHAT_E_IO, "", NULL);
    assert_int_equal(freed, 3);
    test_ok(agentchat_sink_path(NULL, p->path, &options, &sink, &err), &err);
    assert_int_equal(freed, 3);
    agentchat_sink_free(sink);
    assert_int_equal(freed, 4);
}

static int constant_random(void *user, void *bytes, size_t size)
{
    memset(bytes, *(int *)user, size);
    return 0;
}

static int broken_random(void *user, void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return -1;
}

#define AT_ONCE 20u /* more than have names of their own */

static void test_sink_path__names_of_temporary_files_never_clash(void **state)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    fixture *p = *state;
    agentchat_sink *sinks[AT_ONCE];
    agentchat_error err;
    agentchat_env *env, *broken;
    int seed = 9;

    options.random = constant_random;
    options.user = &seed;
    env = test_env(&options);
    for (size_t i = 0; i < AT_ONCE; i++) {
        char digit = (char)('A' + i);

        test_ok(agentchat_sink_path(env, p->path, NULL, &sinks[i], &err), &err);
        test_ok(aci_sink_write(sinks[i], &digit, 1, &err), &err);
    }
    assert_int_equal(files_in(p->dir), AT_ONCE);
    for (size_t i = 0; i < AT_ONCE; i++) {
        char expected[2] = {(char)('A' + i), 0};

        test_ok(aci_sink_commit(sinks[i], &err), &err);
        assert_holds(p->path, expected);
        agentchat_sink_free(sinks[i]);
    }
    assert_int_equal(files_in(p->dir), 1);

    /* All names that there are, and all that this source of random bytes can give. */
    for (size_t i = 0; i < 16; i++)
        test_ok(agentchat_sink_path(env, p->path, NULL, &sinks[i], &err), &err);
    for (unsigned i = 0; i < 64; i++) {
        char name[100];
        char *taken;

        snprintf(name, sizeof name, ".agentchat-09090909-0909-4909-8909-090909090909-%u.tmp", i);
        taken = test_path(p->dir, name);
        test_file_write(taken, "", 0);
        free(taken);
    }
    test_fails(agentchat_sink_path(env, p->path, NULL, &sinks[16], &err), &err, AGENTCHAT_E_IO, "",
               "cannot make a temporary file beside the file: File exists");
    assert_int_equal(files_in(p->dir), 1 + 16 + 64);

    options.random = broken_random;
    broken = test_env(&options);
    test_fails(agentchat_sink_path(broken, p->path, NULL, &sinks[16], &err), &err, AGENTCHAT_E_INTERNAL, "",
               "random bytes");
    agentchat_env_free(broken);
    for (size_t i = 0; i < 16; i++)
        agentchat_sink_free(sinks[i]);
    agentchat_env_free(env);
    assert_int_equal(files_in(p->dir), 1 + 64); /* what only looks like ours stays */
}

static agentchat_status save_with(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_path(env, user, NULL, &sink, err);

    if (status == AGENTCHAT_OK)
        status = aci_sink_write(sink, "new", 3, err);
    if (status == AGENTCHAT_OK)
        status = aci_sink_commit(sink, err);
    agentchat_sink_free(sink);
    return status;
}

static void test_sink_path__survives_every_failed_allocation(void **state)
{
    fixture *p = *state;
    char *link = test_path(p->dir, "link");

    assert_int_equal(symlink("chat.json", link), 0);
    assert_true(test_oom_sweep(save_with, link) >= 8);
    assert_holds(p->path, "new");
    assert_int_equal(files_in(p->dir), 2);
    free(link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with_dir(test_sink_path__new_file_is_private),
        test_with_dir(test_sink_path__mode_is_kept),
        test_with_dir(test_sink_path__without_commit_the_old_file_stays),
        test_with_dir(test_sink_path__an_open_reader_keeps_the_old_bytes),
        test_with_dir(test_sink_path__a_host_can_end_a_save_until_the_rename),
        test_with_dir(test_sink_path__options_that_are_not_known_are_refused),
        test_with_dir(test_sink_path__names_of_temporary_files_never_clash),
        test_with_dir(test_sink_path__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
