/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests that bring stores of layout 1 up to date share. */
#include "store/migration.h"

#include <agentchat/stream.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

char *migration_data(const char *name)
{
    char path[4096];
    char *text;
    size_t len;

    snprintf(path, sizeof path, "%s/%s", MIGRATION_DATA, name);
    text = test_file_read(path, &len);
    text = realloc(text, len + 1);
    assert_non_null(text);
    text[len] = '\0';
    return text;
}

static void export_all(agentchat_store *store, agentchat_bytes *out)
{
    static const char *const sessions[][3] = {{"shop", "alice", "s1"},
                                              {"shop", "alice", "s2"},
                                              {"shop",
                                               "b\xC3\xB6"
                                               "b",
                                               "s/3 ~"},
                                              {"other", "alice", "s1"}};
    agentchat_error err;

    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        agentchat_session *session = NULL;
        agentchat_sink *sink = NULL;

        test_ok(agentchat_session_get(store, &(agentchat_session_id){sessions[i][0], sessions[i][1], sessions[i][2]},
                                      NULL, &session, &err),
                &err);
        test_ok(agentchat_sink_memory(NULL, out, &sink, &err), &err);
        test_ok(agentchat_session_export(session, sink, NULL, NULL, &err), &err);
        agentchat_sink_free(sink);
        agentchat_session_free(session);
    }
}

static agentchat_status expect_sound(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)user;
    (void)err;
    if (problem.ptr != NULL)
        fail_msg(AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(part), AGENTCHAT_STR_ARG(problem));
    return AGENTCHAT_OK;
}

void migration_expect(const char *url, bool read_only, const char *expected)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_bytes found = AGENTCHAT_BYTES_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    options.read_only = read_only;
    test_ok(agentchat_store_open(NULL, url, &options, &store, &err), &err);
    export_all(store, &found);
    assert_int_equal(found.len, strlen(expected));
    assert_memory_equal(found.ptr, expected, found.len);
    test_ok(agentchat_store_check(store, expect_sound, NULL, &err), &err);
    agentchat_store_close(store);
    agentchat_bytes_clear(&found);
}

void migration_write(const char *url)
{
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_error err;
    int64_t sum = 0;

    test_ok(agentchat_store_open(NULL, url, NULL, &store, &err), &err);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){"shop", "alice", "s1"}, NULL, &session, &err), &err);
    test_ok(agentchat_session_add(session, "count", 40, &sum, &err), &err);
    assert_int_equal(sum, 42);
    test_ok(agentchat_session_rewind(session, "e2", NULL, &err), &err);
    assert_int_equal(agentchat_session_sequence(session), 9);
    agentchat_session_free(session);
    agentchat_store_close(store);
}

void migration_together(int processes, void (*work)(void *user), void *user)
{
    int gate[2];

    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < processes; i++) {
        pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0) {
            char byte;

            close(gate[1]);
            (void)!read(gate[0], &byte, 1); /* all begin when the parent closes it */
            work(user);
            _exit(0);
        }
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < processes; i++) {
        int status = 0;

        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}
