/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers that tests share. Include before cmocka.h's own prerequisites; it includes cmocka itself. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <agentchat/agentchat.h>

/* An environment with options (NULL: the defaults) that are right. */
agentchat_env *test_env(const agentchat_env_options *options);

/* A builder of a snapshot, from another one or NULL. NULL when memory is out, as it is in a sweep. */
agentchat_snapshot_builder *test_snapshot_builder(const agentchat_env *env, const agentchat_snapshot *from);

/* An environment whose allocations fail at call `fail_at` (from 0), alone or with all later ones; UINT64_MAX never. It
   counts what is alive. jansson's allocations go through it too while test_oom_begin() is in force. */
typedef struct test_oom {
    uint64_t calls, fail_at, live_blocks, live_bytes, peak_bytes;
    bool all_after;
    bool held;         /* while set, calls succeed and do not count */
    uint64_t failures; /* calls that failed */
} test_oom;
agentchat_env *test_oom_env(test_oom *oom);

/* Runs scenario with allocation n failing, n = 0, 1, 2, …, alone and then with all after, until it succeeds: each
   failed run must return E_NOMEM and leave nothing allocated. Fails the test otherwise. Returns the failure points
   seen. */
typedef agentchat_status (*test_scenario)(const agentchat_env *env, void *user, agentchat_error *err);
size_t test_oom_sweep(test_scenario scenario, void *user);
/* The one of the run that test_oom_sweep() has under way, for a scenario to hold back the failures in parts of itself;
   else NULL. */
test_oom *test_oom_running(void);
/* Counts a call; whether it is to fail. For a test's own allocation functions. */
bool test_oom_fails_now(test_oom *oom);

/* A source that gives at most `chunk` bytes a read (0: random 1 to 7, seeded). */
agentchat_source *test_source_chunked(const void *bytes, size_t len, size_t chunk);
/* A source that fails with E_IO after `good` bytes; a sink that fails at its write number n (from 0). */
agentchat_source *test_source_failing(const void *bytes, size_t len, size_t good);
agentchat_sink *test_sink_failing(uint64_t good_writes, bool fail_commit);

/* A new directory under the system's temporary one, removed with all in it by test_dir_remove(). */
char *test_dir_make(void);
void test_dir_remove(char *dir);
char *test_path(const char *dir, const char *name); /* dir/name, to be freed with free() */
/* The complete file, NUL-terminated. Fails the test when it cannot be read. free() it. */
char *test_file_read(const char *path, size_t *out_len);
void test_file_write(const char *path, const void *bytes, size_t len);
/* Directory of the repository's tests, and of real files (AGENTCHAT_REAL_FILES, or NULL: the caller skips). */
const char *test_data_dir(void);
const char *test_real_files(void);
/* Calls each(path, user) for every file whose name ends in `suffix` below dir, sorted by name. Returns the number.
   each: NULL only counts. */
size_t test_each_file(const char *dir, const char *suffix, void (*each)(const char *path, void *user), void *user);

/* Random numbers, from 0 to below - 1, which are the same after the same seed, so that a failure repeats. */
void test_seed(uint32_t seed);
size_t test_pick(size_t below);
/* The same with a seed that a test keeps, and moves on, itself: 24 bits. */
uint32_t test_next_random(uint32_t *random);
/* The seconds of processor time that the program has taken. */
double test_seconds(void);
/* An environment variable as a number; `otherwise` when it is unset or empty. */
uint64_t test_number(const char *name, uint64_t otherwise);

/* An empty map that must be made. */
agentchat_state *test_state(const agentchat_env *env);
/* An event builder that must be made. */
agentchat_event_builder *test_event_builder(const agentchat_env *env, const char *author);
/* A message builder that must be made. name: NULL for none. */
agentchat_message_builder *test_message_builder(const agentchat_env *env, const char *role, const char *name);

/* Asserts that a call succeeded, printing the error otherwise. */
void test_ok_at(agentchat_status status, const agentchat_error *err, const char *file, int line);
#define test_ok(call, err) test_ok_at((call), (err), __FILE__, __LINE__)
/* Asserts status and that the error's path and message are as given (NULL: not compared; message: a substring). */
void test_fails_at(agentchat_status status, const agentchat_error *err, agentchat_status expected, const char *path,
                   const char *message_part, const char *file, int line);
#define test_fails(call, err, expected, path, message_part)                                                            \
    test_fails_at((call), (err), (expected), (path), (message_part), __FILE__, __LINE__)
#define assert_str(view, literal)                                                                                      \
    do {                                                                                                               \
        agentchat_str test_view_ = (view);                                                                             \
        assert_non_null(test_view_.ptr);                                                                               \
        assert_int_equal(test_view_.len, strlen(literal));                                                             \
        assert_memory_equal(test_view_.ptr, literal, strlen(literal));                                                 \
    } while (0)

#endif
