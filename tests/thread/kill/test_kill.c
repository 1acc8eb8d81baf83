/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that keeps a chat in a thread is killed at random moments, again and again: every message that it said was
 * kept is there, no other than the one that was under way, and each checkpoint reads back. The same of one that puts
 * checkpoints with branches and pending writes.
 *
 *     test_thread_kill sqlite|postgres
 *
 * THREAD_MESSAGES: how many messages the chat gets (300). THREAD_PUTS: how many checkpoints are put (500).
 */
#include "thread/contract/contract.h"

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
static void talk(const scene *s, int pipe, uint32_t begin)
{
    agentchat_chat *chat = fresh();
    agentchat_store *store = NULL;
    agentchat_error err;
    char text[32];

    (void)begin;
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

static agentchat_status dies(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    (void)out;
    (void)err;
    (void)raise(SIGKILL);
    return AGENTCHAT_OK;
}

/* Is killed while its agent answers. */
static void die_answering(const scene *s)
{
    agentchat_chat *chat = fresh();
    agentchat_store *store = NULL;
    agentchat_error err;

    if (agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Bob"), dies, NULL, &err) < 0 ||
        agentchat_store_open(NULL, s->url, NULL, &store, &err) < 0 ||
        agentchat_thread_attach(store, s->app, chat, NULL, NULL, &err) < 0 ||
        agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("message 0"), &err) < 0 ||
        agentchat_chat_invoke(chat, AGENTCHAT_STR("Bob"), &err) < 0)
        _exit(3);
    _exit(4);
}

/* Kills a process at its work after some moments. Returns how much it has last said to be kept; 0: nothing. */
static uint32_t kill_one(const scene *s, void (*work)(const scene *s, int pipe, uint32_t begin), uint32_t begin)
{
    uint32_t count = 0, read_now;
    int ends[2], how;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)close(ends[0]);
        work(s, ends[1], begin);
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
    size_t wanted = (size_t)test_number("THREAD_MESSAGES", 300), kept = 0, rounds = 0;

    test_seed(1234);
    while (kept < wanted || rounds < 8) {
        uint32_t said = kill_one(s, talk, 0);
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

/* ---- putting ---------------------------------------------------------------------------------------------------- */

enum { WINDOW = 12 };

/* What checkpoint `number` is: every fifth goes on from an earlier one, as a branch; every third has a pending write.
 */
static uint32_t parent_of(uint32_t number)
{
    return number % 5 == 4 ? number - 3 : number - 1;
}

static bool has_write(uint32_t number)
{
    return number % 3 == 1;
}

static void name_of(uint32_t number, char id[32])
{
    snprintf(id, 32, "c%u", (unsigned)number);
}

static agentchat_snapshot *chat_at(uint32_t number)
{
    uint32_t first = number >= WINDOW ? number - WINDOW : 0;
    char history[WINDOW * 20 + 40] = "", values[64];
    size_t len = 0;

    for (uint32_t i = first; i <= number; i++)
        len += (size_t)snprintf(history + len, sizeof history - len, "%smessage %u", i > first ? "|" : "", (unsigned)i);
    snprintf(values, sizeof values, "n=%u l=[%u,%u,1.50]", (unsigned)number, (unsigned)number, (unsigned)first);
    return chat_of(history, number % 2 == 0 ? history : NULL, values);
}

static agentchat_status put_number(agentchat_store *store, const char *thread, uint32_t number, agentchat_error *err)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write write = {"", "task", "messages", 0, {NULL, 0}, AGENTCHAT_STR("{\"a\":1.50}"), NULL};
    agentchat_snapshot *chat = chat_at(number);
    agentchat_status status;
    char id[32], parent[32];

    name_of(number, id);
    options.id = which.id = id;
    if (number > 0) {
        name_of(parent_of(number), parent);
        options.parent = parent;
    }
    options.branch = true;
    status = agentchat_checkpoint_put(store, thread, chat, &options, NULL, err);
    if (status >= 0 && has_write(number))
        status = agentchat_checkpoint_put_writes(store, thread, &which, &write, 1, err);
    agentchat_snapshot_unref(chat);
    return status;
}

/* Puts one checkpoint after the other, the first one of them once more when it is not known whether it is there. */
static void put_on(const scene *s, int pipe, uint32_t begin)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    if (agentchat_store_open(NULL, s->url, NULL, &store, &err) < 0)
        _exit(3);
    for (;;) {
        if (put_number(store, s->app, begin++, &err) < 0 || write(pipe, &begin, sizeof begin) != sizeof begin)
            _exit(4);
    }
}

/* It has what was put, and the pending write that belongs to it, which a child has consumed or not. */
static void expect_number(scene *s, uint32_t number, bool is_last)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    agentchat_snapshot *chat = chat_at(number);
    agentchat_checkpoint *checkpoint;
    char id[32], parent[32];

    name_of(number, id);
    checkpoint = get_checkpoint(s, id);
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), chat);
    if (number > 0) {
        name_of(parent_of(number), parent);
        assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->parent, parent);
    }
    options.id = id;
    options.all = true;
    test_ok(agentchat_checkpoint_pending(s->store, s->app, &options, &list, &s->err), &s->err);
    if (!is_last) /* of the last one it may not have been put yet */
        assert_int_equal(agentchat_pending_list_count(list), has_write(number) ? 1 : 0);
    agentchat_pending_list_free(list);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(chat);
}

/* There are c0, c1, … in the order in which they were put, and no other; at most `slack` more than were kept. */
static uint32_t expect_numbers(scene *s, uint32_t kept, uint32_t slack)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    uint32_t count;
    char id[32];

    options.limit = 1000000;
    options.all_namespaces = true;
    test_ok(agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), &s->err);
    count = (uint32_t)agentchat_checkpoint_list_count(list);
    assert_in_range(count, kept, kept + slack);
    for (uint32_t i = 0; i < count; i++) {
        name_of(count - 1 - i, id);
        assert_string_equal(agentchat_checkpoint_list_at(list, i)->id, id);
        assert_int_equal(agentchat_checkpoint_list_at(list, i)->sequence, count - i);
    }
    agentchat_checkpoint_list_free(list);
    return count;
}

static void test_kill__every_put_that_was_acknowledged_is_there_and_no_other(void **state)
{
    scene *s = *state;
    uint32_t wanted = (uint32_t)test_number("THREAD_PUTS", 500), kept = 0, rounds = 0, count;

    test_seed(4321);
    while (kept < wanted || rounds < 8) {
        uint32_t said = kill_one(s, put_on, kept);

        kept = said > kept ? said : kept;
        /* A server may still carry out what a dead client has asked for. */
        count = expect_numbers(s, kept, s->kind == STORE_POSTGRES ? 2 : 1);
        for (uint32_t i = count > 5 ? count - 5 : 0; i < count; i++)
            expect_number(s, i, i + 1 == count);
        rounds++;
    }
    count = expect_numbers(s, kept, 2);
    for (uint32_t i = 0; i < count; i++)
        expect_number(s, i, i + 1 >= kept);
    print_message("%u checkpoints, killed %u times\n", (unsigned)count, (unsigned)rounds);
    expect_sound(s->store);
}

static void test_kill__the_input_is_there_when_an_agent_dies(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh();
    pid_t pid = fork();
    int how;

    assert_true(pid >= 0);
    if (pid == 0)
        die_answering(s);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    assert_int_equal(expect_sound_thread(s), 1);
    test_ok(agentchat_thread_attach(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
    test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("Ann"), &s->err), &s->err); /* it goes on where that stopped */
    assert_int_equal(expect_sound_thread(s), 2);
    agentchat_chat_free(chat);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_kill__what_was_kept_is_there_and_nothing_else),
        SCENE_TEST(test_kill__the_input_is_there_when_an_agent_dies),
        SCENE_TEST(test_kill__every_put_that_was_acknowledged_is_there_and_no_other),
    };

    if (!scene_program("thread.kill", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("thread.kill", tests, NULL, NULL);
}
