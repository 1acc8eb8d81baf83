/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, their items and what is made of them on demand, in the hands of several threads. */
#include "concurrency/crowd.h"

#include <agentchat/json.h>

static size_t rounds = 1;

typedef struct shared {
    const agentchat_env *env;
    const agentchat_message *message;
    atomic_size_t arrived;
    const char *seen[CROWD_THREADS][2]; /* what each thread was given: bytes, base64 */
} shared;

/* A message with an item of each form of data, one whose arguments are JSON, and a message in it. */
static agentchat_message *make_message(const agentchat_env *env)
{
    agentchat_message_builder *inner = test_message_builder(env, "user", "Inner"), *outer;
    agentchat_message *quoted, *made;
    agentchat_error err;

    agentchat_message_builder_add_text(inner, AGENTCHAT_STR("quoted"));
    test_ok(agentchat_message_builder_finish(inner, &quoted, &err), &err);
    outer = test_message_builder(env, "assistant", "Outer");
    agentchat_message_builder_add_text(outer, AGENTCHAT_STR("text"));
    agentchat_message_builder_add_item(outer, AGENTCHAT_ITEM_IMAGE);
    agentchat_message_builder_set_data_base64(outer, AGENTCHAT_STR("AAECAwQFBgcICQoLDA0ODw=="));
    agentchat_message_builder_add_data(outer, AGENTCHAT_ITEM_BINARY, AGENTCHAT_STR("text/plain"),
                                       AGENTCHAT_STR("plain bytes"));
    agentchat_message_builder_add_call(outer, AGENTCHAT_STR("1"), AGENTCHAT_STR("p"), AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{\"a\":[1,2.5,null]}"));
    agentchat_message_builder_add_message(outer, quoted);
    test_ok(agentchat_message_builder_finish(outer, &made, &err), &err);
    agentchat_message_unref(quoted);
    return made;
}

static bool is(agentchat_str text, const char *expected)
{
    return agentchat_str_equal(text, agentchat_str_from(expected));
}

static const char *read_everything(const agentchat_message *message)
{
    const agentchat_message *inner = agentchat_item_message(agentchat_message_item(message, 4));

    CROWD_CHECK(is(agentchat_message_role(message), "assistant") && is(agentchat_message_name(message), "Outer"));
    CROWD_CHECK(is(agentchat_message_text(message), "text") && is(agentchat_message_text(inner), "quoted"));
    CROWD_CHECK(agentchat_item_data_size(agentchat_message_item(message, 1)) == 16);
    CROWD_CHECK(agentchat_message_extra_count(message) == 0 && agentchat_message_item_count(message) == 5);
    return NULL;
}

/* ---- data in its other form ------------------------------------------------------------------------------------ */

static const char *convert(void *user, size_t number)
{
    shared *s = user;
    const agentchat_item *image = agentchat_message_item(s->message, 1),
                         *binary = agentchat_message_item(s->message, 2);
    agentchat_str bytes, base64, again;
    agentchat_error err;

    /* Half of the threads ask for the one first, half for the other. */
    if (number % 2 == 0)
        CROWD_CHECK(agentchat_item_bytes(image, &bytes, &err) == AGENTCHAT_OK);
    CROWD_CHECK(agentchat_item_base64(binary, &base64, &err) == AGENTCHAT_OK);
    CROWD_CHECK(agentchat_item_bytes(image, &bytes, &err) == AGENTCHAT_OK);
    CROWD_CHECK(bytes.len == 16 && is(base64, "cGxhaW4gYnl0ZXM="));
    for (size_t i = 0; i < bytes.len; i++)
        CROWD_CHECK((unsigned char)bytes.ptr[i] == i);
    CROWD_CHECK(agentchat_item_base64(image, &again, &err) == AGENTCHAT_OK && is(again, "AAECAwQFBgcICQoLDA0ODw=="));
    CROWD_CHECK(agentchat_item_bytes(binary, &again, &err) == AGENTCHAT_OK && is(again, "plain bytes"));
    s->seen[number][0] = bytes.ptr;
    s->seen[number][1] = base64.ptr;
    return read_everything(s->message);
}

static void test_messages__data_is_converted_once_for_all_threads(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < 20 * rounds; round++) {
        shared s = {.env = env, .message = make_message(env)};

        crowd_run(convert, &s);
        for (size_t i = 1; i < CROWD_THREADS; i++) {
            assert_ptr_equal(s.seen[i][0], s.seen[0][0]);
            assert_ptr_equal(s.seen[i][1], s.seen[0][1]);
        }
        agentchat_message_unref(s.message);
    }
    crowd_env_end(env);
}

enum { ITEMS = 300 };

/* All threads convert the same item, then the next: what they make is kept only once, by the message. */
static const char *convert_all(void *user, size_t number)
{
    shared *s = user;
    agentchat_str base64;
    agentchat_error err;

    for (size_t i = 0; i < ITEMS; i++) {
        /* Neighbours begin with different items, so that they keep something at the same time. */
        const agentchat_item *item = agentchat_message_item(s->message, (i + number * 7) % ITEMS);

        crowd_meet(&s->arrived, i + 1);
        CROWD_CHECK(agentchat_item_base64(item, &base64, &err) == AGENTCHAT_OK && is(base64, "cGxhaW4="));
    }
    return NULL;
}

static void test_messages__what_is_made_at_the_same_time_is_kept(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < rounds; round++) {
        agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
        agentchat_message *made;
        shared s = {.env = env};
        agentchat_error err;

        for (size_t i = 0; i < ITEMS; i++)
            agentchat_message_builder_add_data(builder, AGENTCHAT_ITEM_BINARY, AGENTCHAT_STR("text/plain"),
                                               AGENTCHAT_STR("plain"));
        test_ok(agentchat_message_builder_finish(builder, &made, &err), &err);
        s.message = made;
        crowd_run(convert_all, &s);
        agentchat_message_unref(made);
    }
    crowd_env_end(env); /* a block that was kept nowhere is still alive */
}

/* ---- references ------------------------------------------------------------------------------------------------ */

static const char *count_references(void *user, size_t number)
{
    const shared *s = user;

    (void)number;
    for (size_t i = 0; i < 500; i++) {
        const agentchat_message *mine = agentchat_message_ref(s->message);

        CROWD_CHECK(mine == s->message && read_everything(mine) == NULL);
        agentchat_message_unref(mine);
    }
    agentchat_message_unref(s->message); /* that of this thread; the last one frees the message */
    return NULL;
}

static void test_messages__references_are_counted_by_all_threads(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < 5 * rounds; round++) {
        shared s = {.env = env, .message = make_message(env)};

        for (size_t i = 0; i < CROWD_THREADS; i++)
            agentchat_message_ref(s.message);
        agentchat_message_unref(s.message);
        crowd_run(count_references, &s);
    }
    crowd_env_end(env);
}

/* ---- values of jansson, and new messages from old ones ---------------------------------------------------------- */

static const char *load_and_build(void *user, size_t number)
{
    const shared *s = user;

    for (size_t i = 0; i < 30; i++) {
        agentchat_message_builder *builder;
        agentchat_message *made;
        agentchat_error err;
        json_t *value;

        CROWD_CHECK(agentchat_message_builder_from(s->env, s->message, &builder, &err) == AGENTCHAT_OK);
        /* Each call gives a value of the caller's own. */
        CROWD_CHECK(agentchat_item_get_json(agentchat_message_item(s->message, 3), AGENTCHAT_FIELD_ARGUMENTS, &value,
                                            &err) == AGENTCHAT_OK);
        CROWD_CHECK(json_object_set_new(value, "mine", json_integer((json_int_t)number)) == 0);
        CROWD_CHECK(json_integer_value(json_object_get(value, "mine")) == (json_int_t)number);
        json_decref(value);
        agentchat_message_builder_add_message(builder, s->message);
        CROWD_CHECK(agentchat_message_builder_finish(builder, &made, &err) == AGENTCHAT_OK);
        CROWD_CHECK(read_everything(agentchat_item_message(agentchat_message_item(made, 5))) == NULL);
        agentchat_message_unref(made);
    }
    return NULL;
}

static void test_messages__values_and_copies_are_made_by_all_threads(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < 3 * rounds; round++) {
        shared s = {.env = env, .message = make_message(env)};

        crowd_run(load_and_build, &s);
        agentchat_message_unref(s.message);
    }
    crowd_env_end(env);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages__data_is_converted_once_for_all_threads),
        cmocka_unit_test(test_messages__what_is_made_at_the_same_time_is_kept),
        cmocka_unit_test(test_messages__references_are_counted_by_all_threads),
        cmocka_unit_test(test_messages__values_and_copies_are_made_by_all_threads),
    };

    rounds = crowd_rounds(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
