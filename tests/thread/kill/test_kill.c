/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that keeps a chat in a thread is killed at random moments, again and again: every message that it said was
 * kept is there, no other than the one that was under way, and each checkpoint reads back.
 *
 *     test_thread_kill sqlite|postgres
 */
#include "session/scene.h"

#include <agentchat/thread_chat.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("answer"), err);
}

static agentchat_chat *fresh(void)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    options.name = options.id = AGENTCHAT_STR("Ann");
    options.answer = answer;
    test_ok(test_add_agent(chat, test_history_agent_new(NULL, &options), &err), &err);
    return chat;
}

/* Goes on with the thread for as long as it lives, and says on the pipe how many messages were kept. */
static void talk(const scene *s, int pipe)
{
    agentchat_chat *chat = fresh();
    agentchat_store *store = NULL;
    agentchat_error err;
    char text[32];

    if (agentchat_store_open(NULL, s->url, NULL, &store, &err) < 0 ||
        agentchat_thread_attach(store, s->app, chat, NULL, NULL, &err) < 0)
        _exit(3);
    for (;;) {
        uint32_t count = (uint32_t)agentchat_chat_message_count(chat);
        agentchat_status status;

        snprintf(text, sizeof text, "message %u", (unsigned)count);
        status = count % 2 == 0 ? agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &err)
                                : agentchat_chat_invoke(chat, AGENTCHAT_STR("Ann"), &err);
        count++;
        if (status < 0 || write(pipe, &count, sizeof count) != sizeof count)
            _exit(4);
    }
}

/* Kills a process that talks after some moments. Returns how many messages it has said to be kept; 0: none. */
static uint32_t kill_one(const scene *s)
{
    uint32_t count = 0, read_now;
    int ends[2], how;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)close(ends[0]);
        talk(s, ends[1]);
    }
    (void)close(ends[1]);
    /* Connecting to a server takes a while. */
    (void)nanosleep(
        &(struct timespec){.tv_nsec = (long)((s->kind == STORE_POSTGRES ? 40000 : 2000) + test_pick(40000)) * 1000},
        NULL);
    (void)kill(pid, SIGKILL);
    while (read(ends[0], &read_now, sizeof read_now) == sizeof read_now)
        count = read_now;
    (void)close(ends[0]);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    return count;
}

static void expect_text(const agentchat_messages *history, size_t index)
{
    char expected[32] = "answer";

    if (index % 2 == 0)
        snprintf(expected, sizeof expected, "message %zu", index);
    assert_true(agentchat_str_equal(agentchat_message_text(agentchat_messages_at(history, index)),
                                    agentchat_str_from(expected)));
}

/* Every checkpoint has one message more than the one before, and its history is what was said. */
static size_t expect_sound_thread(scene *s)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    size_t count;

    options.limit = 1000000;
    test_ok(agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), &s->err);
    count = agentchat_checkpoint_list_count(list);
    for (size_t i = 0; i < count; i += 1 + test_pick(count / 20 + 1)) {
        agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, i);
        agentchat_checkpoint *checkpoint = NULL;
        const agentchat_messages *history;

        assert_int_equal(info->messages, count - i);
        assert_int_equal(info->sequence, count - i);
        which.id = info->id;
        test_ok(agentchat_checkpoint_get(s->store, s->app, &which, &checkpoint, &s->err), &s->err);
        history = agentchat_snapshot_history(agentchat_checkpoint_snapshot(checkpoint));
        assert_int_equal(agentchat_messages_count(history), count - i);
        for (size_t k = 0; k < count - i; k++)
            expect_text(history, k);
        agentchat_checkpoint_free(checkpoint);
    }
    agentchat_checkpoint_list_free(list);
    return count;
}

static void test_kill__what_was_kept_is_there_and_nothing_else(void **state)
{
    scene *s = *state;
    size_t wanted = (size_t)test_number("THREAD_PUTS", 300), kept = 0, rounds = 0;

    test_seed(1234);
    while (kept < wanted || rounds < 8) {
        uint32_t said = kill_one(s);
        size_t count = expect_sound_thread(s);

        said = said < kept ? (uint32_t)kept : said; /* killed before it had kept anything */
        /* A server may still carry out what a dead client has asked for when it is looked at. */
        assert_in_range(count, said, said + (s->kind == STORE_POSTGRES ? 2 : 1));
        kept = count;
        rounds++;
    }
    print_message("%zu messages, killed %zu times\n", kept, rounds);
    expect_sound(s->store);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {SCENE_TEST(test_kill__what_was_kept_is_there_and_nothing_else)};

    if (!scene_program("thread.kill", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("thread.kill", tests, NULL, NULL);
}
