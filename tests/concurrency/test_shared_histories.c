/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chats of several threads that share their past: each restores the same snapshot and goes on by itself; and one chat
 * that goes on while others save what was captured from it.
 */
#include "concurrency/crowd.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static size_t rounds = 1;

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    char text[64];

    snprintf(text, sizeof text, "%s after %zu", (const char *)user, agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

static agentchat_chat *new_chat(const agentchat_env *env)
{
    static char names[2][8] = {"First", "Second"};
    agentchat_chat *chat = NULL;
    agentchat_error err;

    if (agentchat_chat_new(env, &chat, &err) < 0)
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        if (agentchat_chat_add_history_agent(chat, agentchat_str_from(names[i]), answer, names[i], &err) < 0) {
            agentchat_chat_free(chat);
            return NULL;
        }
    }
    return chat;
}

static bool take_turns(agentchat_chat *chat, size_t turns)
{
    agentchat_error err;

    for (size_t i = 0; i < turns; i++)
        if (agentchat_chat_invoke(chat, i % 2 == 0 ? AGENTCHAT_STR("First") : AGENTCHAT_STR("Second"), &err) < 0)
            return false;
    return true;
}

/* ---- many chats from one snapshot ---------------------------------------------------------------------------------
 */

typedef struct shared {
    const agentchat_env *env;
    const agentchat_snapshot *past;
    const agentchat_snapshot *_Atomic published; /* of the chat that goes on; a reference each */
    atomic_bool over;
} shared;

static const char *go_on_alone(void *user, size_t number)
{
    const shared *s = user;
    size_t past = agentchat_messages_count(agentchat_snapshot_history(s->past));

    for (size_t round = 0; round < 5; round++) {
        agentchat_chat *chat = new_chat(s->env);
        agentchat_snapshot *captured;
        agentchat_error err;
        size_t turns = 1 + (number + round) % 6;

        CROWD_CHECK(chat != NULL);
        CROWD_CHECK(agentchat_chat_restore(chat, s->past, NULL, NULL, &err) >= 0);
        CROWD_CHECK(take_turns(chat, turns));
        CROWD_CHECK(agentchat_chat_capture(chat, NULL, &captured, NULL, &err) == AGENTCHAT_OK);
        agentchat_chat_free(chat);
        CROWD_CHECK(agentchat_messages_count(agentchat_snapshot_history(captured)) == past + turns);
        for (size_t i = 0; i < past; i++)
            CROWD_CHECK(agentchat_str_equal(
                agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(captured), i)),
                agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(s->past), i))));
        agentchat_snapshot_unref(captured);
    }
    return NULL;
}

static void test_histories__many_chats_go_on_from_one_snapshot(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < 4 * rounds; round++) {
        agentchat_chat *chat = new_chat(env);
        agentchat_snapshot *past;
        agentchat_error err;

        /* Histories of other lengths end at other positions of a segment. */
        assert_non_null(chat);
        test_ok(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("begin"), &err), &err);
        assert_true(take_turns(chat, round * 5 % 23));
        test_ok(agentchat_chat_capture(chat, NULL, &past, NULL, &err), &err);
        agentchat_chat_free(chat);
        crowd_run(go_on_alone, &(shared){.env = env, .past = past});
        agentchat_snapshot_unref(past);
    }
    crowd_env_end(env);
}

/* ---- many histories that grow from one end ------------------------------------------------------------------------
 */

enum { ENDS = 200 };

typedef struct grown {
    const agentchat_env *env;
    agentchat_snapshot *ends[ENDS];
    agentchat_snapshot *longer[ENDS][CROWD_THREADS];
    atomic_size_t arrived;
} grown;

/* Only one of the threads can have the free slot after each end; the others must notice. */
static const char *grow(void *user, size_t number)
{
    grown *g = user;
    char text[2] = {(char)('a' + number), '\0'};
    agentchat_message *mine;
    agentchat_error err;

    CROWD_CHECK(agentchat_message_new_text(g->env, "user", (agentchat_str){NULL, 0}, agentchat_str_from(text), &mine,
                                           &err) == AGENTCHAT_OK);
    for (size_t i = 0; i < ENDS; i++) {
        agentchat_snapshot_builder *builder = test_snapshot_builder(g->env, g->ends[i]);

        crowd_meet(&g->arrived, i + 1);
        agentchat_snapshot_builder_add_message(builder, mine);
        CROWD_CHECK(agentchat_snapshot_builder_finish(builder, &g->longer[i][number], &err) == AGENTCHAT_OK);
    }
    agentchat_message_unref(mine);
    return NULL;
}

static void check_grown(grown *g)
{
    for (size_t i = 0; i < ENDS; i++) {
        for (size_t thread = 0; thread < CROWD_THREADS; thread++) {
            const agentchat_snapshot *longer = g->longer[i][thread];
            size_t last = agentchat_messages_count(agentchat_snapshot_history(g->ends[i]));
            agentchat_str text;

            assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(longer)), last + 1);
            text = agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(longer), last));
            assert_int_equal(text.len, 1);
            assert_int_equal(text.ptr[0], 'a' + (char)thread);
            agentchat_snapshot_unref(longer);
        }
        agentchat_snapshot_unref(g->ends[i]);
    }
}

static void test_histories__many_grow_from_one_end(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < rounds; round++) {
        grown *g = calloc(1, sizeof *g);

        assert_non_null(g);
        g->env = env;
        for (size_t i = 0; i < ENDS; i++) {
            agentchat_chat *chat = new_chat(env);
            agentchat_error err;

            assert_non_null(chat);
            assert_true(take_turns(chat, 1 + i % 7));
            test_ok(agentchat_chat_capture(chat, NULL, &g->ends[i], NULL, &err), &err);
            agentchat_chat_free(chat);
        }
        crowd_run(grow, g);
        check_grown(g);
        free(g);
    }
    crowd_env_end(env);
}

/* ---- one chat that goes on while others save it --------------------------------------------------------------------
 */

/* The chat's own thread. A lock hands references over; the snapshots themselves are used without one. */
static pthread_mutex_t handing_over = PTHREAD_MUTEX_INITIALIZER;

static void publish(shared *s, const agentchat_snapshot *snapshot)
{
    const agentchat_snapshot *old;

    pthread_mutex_lock(&handing_over);
    old = s->published;
    s->published = snapshot;
    pthread_mutex_unlock(&handing_over);
    agentchat_snapshot_unref(old);
}

static const char *talk(shared *s)
{
    agentchat_chat *chat = new_chat(s->env);
    agentchat_error err;
    bool works = chat != NULL && agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("begin"), &err) >= 0;

    for (size_t turn = 0; works && turn < 40; turn++) {
        agentchat_snapshot *captured;

        works = take_turns(chat, 1) && agentchat_chat_capture(chat, NULL, &captured, NULL, &err) >= 0;
        if (works)
            publish(s, captured);
    }
    agentchat_chat_free(chat);
    s->over = true;
    CROWD_CHECK(works);
    return NULL;
}

static const char *save_what_there_is(shared *s)
{
    size_t last = 0;

    for (bool over = false; !over;) {
        const agentchat_snapshot *mine;
        agentchat_bytes written = {NULL, 0, 0, s->env};
        agentchat_snapshot *again;
        agentchat_error err;

        over = s->over;
        pthread_mutex_lock(&handing_over);
        mine = agentchat_snapshot_ref(s->published);
        pthread_mutex_unlock(&handing_over);
        if (mine == NULL)
            continue;
        CROWD_CHECK(agentchat_messages_count(agentchat_snapshot_history(mine)) >= last);
        last = agentchat_messages_count(agentchat_snapshot_history(mine));
        CROWD_CHECK(agentchat_snapshot_write_memory(mine, NULL, &written, NULL, &err) == AGENTCHAT_OK);
        CROWD_CHECK(agentchat_snapshot_read_memory(s->env, (agentchat_str){written.ptr, written.len}, NULL, &again,
                                                   NULL, &err) == AGENTCHAT_OK);
        CROWD_CHECK(agentchat_messages_count(agentchat_snapshot_history(again)) == last);
        agentchat_snapshot_unref(again);
        agentchat_snapshot_unref(mine);
        agentchat_bytes_clear(&written);
    }
    return NULL;
}

static const char *talk_or_save(void *user, size_t number)
{
    return number == 0 ? talk(user) : save_what_there_is(user);
}

static void test_histories__a_chat_goes_on_while_others_save_it(void **state)
{
    agentchat_env *env = crowd_env();

    (void)state;
    for (size_t round = 0; round < rounds; round++) {
        shared s = {.env = env};

        crowd_run(talk_or_save, &s);
        assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(s.published)), 41);
        publish(&s, NULL);
    }
    crowd_env_end(env);
}

/* ---- keys and names ------------------------------------------------------------------------------------------------
 */

static const char *name_things(void *user, size_t number)
{
    const char *expected = user;

    (void)number;
    for (size_t i = 0; i < 200; i++) {
        agentchat_str keys[2] = {AGENTCHAT_STR("one"), AGENTCHAT_STR("two")};
        char key[AGENTCHAT_KEY_LEN + 1];

        CROWD_CHECK(agentchat_channel_key(keys, 2, key) == AGENTCHAT_OK && strcmp(key, expected) == 0);
        CROWD_CHECK(agentchat_format_find("semantic-kernel") == agentchat_format_at(2));
        CROWD_CHECK(agentchat_str_is_null(agentchat_str_null()));
        CROWD_CHECK(agentchat_status_text(AGENTCHAT_E_BUSY) != NULL && agentchat_status_name(AGENTCHAT_E_BUSY) != NULL);
        CROWD_CHECK(agentchat_status_is_retryable(AGENTCHAT_E_NOMEM) ==
                    agentchat_status_is_retryable(AGENTCHAT_E_NOMEM));
        CROWD_CHECK(strcmp(agentchat_version(), AGENTCHAT_VERSION_STRING) == 0);
    }
    return NULL;
}

static void test_histories__keys_and_names_are_made_by_all_threads(void **state)
{
    agentchat_str keys[2] = {AGENTCHAT_STR("one"), AGENTCHAT_STR("two")};
    char key[AGENTCHAT_KEY_LEN + 1];

    (void)state;
    assert_int_equal(agentchat_channel_key(keys, 2, key), AGENTCHAT_OK);
    for (size_t round = 0; round < 4 * rounds; round++)
        crowd_run(name_things, key);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histories__many_chats_go_on_from_one_snapshot),
        cmocka_unit_test(test_histories__many_grow_from_one_end),
        cmocka_unit_test(test_histories__a_chat_goes_on_while_others_save_it),
        cmocka_unit_test(test_histories__keys_and_names_are_made_by_all_threads),
    };

    rounds = crowd_rounds(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
