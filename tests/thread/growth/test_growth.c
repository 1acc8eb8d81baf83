/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a conversation costs that is kept after every turn: a thread grows with what is said, not with its square, in
 * every way in which a chat grows. The last eighth of the turns costs what the second one does, in the bytes that the
 * thread holds and in those of the store's file.
 *
 *     test_thread_growth memory|sqlite|postgres [FILTER]
 *
 * THREAD_TURNS: how many turns (800).
 */
#include "thread/contract/contract.h"

#include <agentchat/list_edit.h>
#include <agentchat/thread_chat.h>
#include <stdio.h>
#include <sys/stat.h>

enum { PARTS = 8, TEXT = 300, PICTURE = 100000 };

static const agentchat_str absent = {NULL, 0};

/* ---- chats ------------------------------------------------------------------------------------------------------ */

/* A text of TEXT bytes that no other turn has. */
static agentchat_str any_text(size_t number)
{
    static char text[TEXT + 1];
    size_t len = (size_t)snprintf(text, sizeof text, "%08zu ", number);

    memset(text + len, 'a' + (int)(number % 26), TEXT - len);
    return (agentchat_str){text, TEXT};
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    size_t *answers = user;

    (void)seen;
    return agentchat_replies_add_text(out, any_text((*answers)++), err);
}

static size_t answers = 50000000; /* other texts than those of the user */

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    *out = test_chat_new(NULL);
    return test_add_agent(*out, test_speaker_new(NULL, "Inner", answer, &answers), err);
}

static agentchat_chat *fresh(bool nested)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *agent = NULL;
    agentchat_error err;

    if (nested) {
        agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

        options.name = options.id = AGENTCHAT_STR("Desk");
        options.make = make_inner;
        agent = test_aggregator_new(NULL, &options);
    } else {
        agent = test_speaker_new(NULL, "Desk", answer, &answers);
    }
    test_ok(test_add_agent(chat, agent, &err), &err);
    return chat;
}

/* ---- turns ------------------------------------------------------------------------------------------------------ */

typedef struct talk {
    scene *s;
    agentchat_chat *chat;
    agentchat_bytes list; /* what the named list has, without its end */
} talk;

typedef void turn(talk *t, size_t number);

static void say_and_answer(talk *t, size_t number)
{
    test_ok(agentchat_chat_add_text(t->chat, "user", any_text(number), &t->s->err), &t->s->err);
    test_ok(agentchat_chat_invoke(t->chat, AGENTCHAT_STR("Desk"), &t->s->err), &t->s->err);
}

/* Named lists get longer by an element, and one replaces its last one, too. */
static void grow_lists(talk *t, size_t number)
{
    agentchat_bytes open = AGENTCHAT_BYTES_INIT;
    char element[64];

    test_ok(agentchat_chat_add_text(t->chat, "user", any_text(number), &t->s->err), &t->s->err);
    snprintf(element, sizeof element, "%s{\"fact\":\"%08zu\",\"sure\":true}", t->list.len == 0 ? "[" : ",", number);
    test_ok(agentchat_bytes_append(&t->list, agentchat_str_from(element), &t->s->err), &t->s->err);
    test_ok(agentchat_bytes_append(&open, (agentchat_str){t->list.ptr, t->list.len}, &t->s->err), &t->s->err);
    test_ok(agentchat_bytes_append(&open, AGENTCHAT_STR("]"), &t->s->err), &t->s->err);
    test_ok(agentchat_chat_set_value(t->chat, AGENTCHAT_STR("facts"), absent, (agentchat_str){open.ptr, open.len},
                                     &t->s->err),
            &t->s->err);
    snprintf(element, sizeof element, ",%zu]", number);
    open.len--;
    test_ok(agentchat_bytes_append(&open, agentchat_str_from(element), &t->s->err), &t->s->err);
    test_ok(agentchat_chat_set_value(t->chat, AGENTCHAT_STR("with_end"), absent, (agentchat_str){open.ptr, open.len},
                                     &t->s->err),
            &t->s->err);
    agentchat_bytes_clear(&open);
}

static void edit(talk *t, agentchat_list_edit *list)
{
    test_ok(agentchat_chat_edit(t->chat, list, NULL, &t->s->err), &t->s->err);
    agentchat_list_edit_free(list);
}

/* Of more than 40 messages the first two go. */
static void slide(talk *t, size_t number)
{
    agentchat_list_edit *list = NULL;

    say_and_answer(t, number);
    if (agentchat_chat_message_count(t->chat) <= 40)
        return;
    test_ok(agentchat_list_edit_new(NULL, agentchat_chat_message_count(t->chat), &list, &t->s->err), &t->s->err);
    test_ok(agentchat_list_edit_remove(list, 0, 2, &t->s->err), &t->s->err);
    edit(t, list);
}

static agentchat_message *picture_with(agentchat_str text)
{
    agentchat_message_builder *builder = test_message_builder(NULL, "user", NULL);
    static char bytes[PICTURE];
    agentchat_message *message = NULL;
    agentchat_error err;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7 + i / 251);
    agentchat_message_builder_add_text(builder, text);
    agentchat_message_builder_add_data(builder, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"),
                                       (agentchat_str){bytes, sizeof bytes});
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    return message;
}

/* The text beside a picture changes each time. */
static void rewrite_text(talk *t, size_t number)
{
    agentchat_message *message = picture_with(any_text(number));
    agentchat_list_edit *list = NULL;

    if (number == 0) {
        test_ok(agentchat_chat_add_message(t->chat, message, &t->s->err), &t->s->err);
    } else {
        test_ok(agentchat_list_edit_new(NULL, agentchat_chat_message_count(t->chat), &list, &t->s->err), &t->s->err);
        test_ok(agentchat_list_edit_replace(list, 0, message, &t->s->err), &t->s->err);
        edit(t, list);
    }
    agentchat_message_unref(message);
    if (number % 10 == 0)
        test_ok(agentchat_chat_invoke(t->chat, AGENTCHAT_STR("Desk"), &t->s->err), &t->s->err);
}

/* ---- measuring -------------------------------------------------------------------------------------------------- */

/* A file of the test's own, so that it can be measured when it is closed. */
static char *own_file(scene *s)
{
    static char url[4200];
    char *dir = test_dir_make();

    snprintf(url, sizeof url, "sqlite:%s/threads.db?synchronous=normal", dir);
    s->url = url;
    scene_reopen(s);
    return dir;
}

static uint64_t file_size(scene *s, const char *dir)
{
    struct stat found;
    char *path;

    if (dir == NULL)
        return 0;
    agentchat_store_close(s->store);
    path = test_path(dir, "threads.db");
    assert_int_equal(stat(path, &found), 0);
    free(path);
    s->store = scene_open(s, NULL);
    return (uint64_t)found.st_size;
}

/* The last eighth costs what the second one does: numbers have a digit more, and trees of the database a level. */
static void expect_linear(const uint64_t sizes[PARTS + 1], const char *what, uint64_t slack)
{
    uint64_t early = sizes[2] - sizes[1], late = sizes[PARTS] - sizes[PARTS - 1];

    print_message("%s: %llu, then %llu for as many turns\n", what, (unsigned long long)early, (unsigned long long)late);
    assert_true(early > 0);
    assert_in_range(late, 0, early + early / 5 + slack);
}

/* most: bytes that a turn may cost on the average. */
static void measure(scene *s, bool nested, turn *take_turn, uint64_t most)
{
    size_t turns = (size_t)test_number("THREAD_TURNS", 800) / PARTS * PARTS;
    char *dir = s->kind == STORE_SQLITE ? own_file(s) : NULL;
    talk t = {s, fresh(nested), AGENTCHAT_BYTES_INIT};
    uint64_t bytes[PARTS + 1] = {0}, files[PARTS + 1] = {0};
    agentchat_snapshot *snapshot = NULL;

    for (size_t i = 0; i < turns; i++) {
        take_turn(&t, i);
        test_ok(agentchat_thread_save(s->store, s->app, t.chat, NULL, NULL, &s->err), &s->err);
        if ((i + 1) % (turns / PARTS) == 0) {
            bytes[(i + 1) / (turns / PARTS)] = thread_info(s).bytes;
            files[(i + 1) / (turns / PARTS)] = file_size(s, dir);
        }
    }
    expect_linear(bytes, "bytes", 1000);
    assert_in_range(bytes[PARTS], 0, most * turns + PICTURE + 10000);
    if (dir != NULL)
        expect_linear(files, "file", 65536);
    test_ok(agentchat_chat_capture(t.chat, NULL, &snapshot, NULL, &s->err), &s->err);
    expect_chat(s, NULL, snapshot);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(t.chat);
    agentchat_bytes_clear(&t.list);
    if (dir != NULL) {
        agentchat_store_close(s->store);
        s->store = NULL;
        test_dir_remove(dir);
    }
}

static void test_growth__a_history_channel(void **state)
{
    measure(*state, false, say_and_answer, 2 * (TEXT + 150));
}

static void test_growth__lists_that_grow(void **state)
{
    measure(*state, false, grow_lists, 2 * (TEXT + 150));
}

static void test_growth__chats_in_chats(void **state)
{
    measure(*state, true, say_and_answer, 4 * (TEXT + 150));
}

static void test_growth__a_window_that_slides(void **state)
{
    measure(*state, false, slide, 2 * (TEXT + 150));
}

static void test_growth__a_picture_whose_text_changes(void **state)
{
    measure(*state, false, rewrite_text, 2 * (TEXT + 150));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_growth__a_history_channel),
        SCENE_TEST(test_growth__lists_that_grow),
        SCENE_TEST(test_growth__chats_in_chats),
        SCENE_TEST(test_growth__a_window_that_slides),
        SCENE_TEST(test_growth__a_picture_whose_text_changes),
    };

    scene_files_in_memory();
    if (!scene_program("thread.growth", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
