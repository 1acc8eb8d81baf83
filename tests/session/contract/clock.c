/* SPDX-License-Identifier: Apache-2.0 */
/* The environment's clock goes back, stands still, or shows nonsense: nothing is decided by it. */
#include "session/contract/contract.h"

static void test_clock__going_back_moves_no_write_time_back(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    int64_t before = agentchat_session_updated_us(session);

    for (int i = 0; i < 5; i++) {
        s->now_us -= 1000000;
        (void)scene_append(s, session, NULL, "n+=1");
        assert_true(agentchat_session_updated_us(session) == before);
    }
    test_ok(agentchat_session_rewind(session, NULL, NULL, &s->err), &s->err);
    assert_true(agentchat_session_updated_us(session) == before);
    s->now_us = before + 1;
    (void)scene_append(s, session, NULL, NULL);
    assert_true(agentchat_session_updated_us(session) > before);
    agentchat_session_free(session);
}

static void test_clock__going_back_changes_no_order_of_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    (void)scene_append(s, session, "e1", NULL);
    s->now_us -= INT64_C(3600000000);
    (void)scene_append(s, session, "e2", NULL);
    s->now_us -= INT64_C(3600000000);
    (void)scene_append(s, session, "e3", NULL);
    expect_stored(s, "u", "s", "{}", "e1 e2 e3");
    assert_true(agentchat_event_time_ns(agentchat_session_event(session, 2)) <
                agentchat_event_time_ns(agentchat_session_event(session, 0)));
    agentchat_session_free(session);
}

static void test_clock__two_writers_with_different_clocks_lose_nothing(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two = scene_get(s, "u", "s");
    int64_t base = s->now_us;

    for (int i = 0; i < 10; i++) {
        s->now_us = base + 1000000;
        (void)scene_append(s, one, NULL, "n+=1 last=\"one\"");
        s->now_us = base - 1000000;
        (void)scene_append(s, two, NULL, "n+=1 last=\"two\"");
    }
    expect_state(two, "{\"n\":20,\"last\":\"two\"}");
    assert_int_equal(agentchat_session_sequence(two), 20);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_clock__before_1970_and_at_the_ends(void **state)
{
    static const int64_t clocks[] = {0, -1, INT64_C(-62135596800000000), INT64_C(253402300799999999)};
    scene *s = *state;

    s->step_us = 0;
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        agentchat_session *session, *again;

        s->now_us = clocks[i];
        session = scene_create(s, "u", NULL, NULL);
        assert_true(agentchat_session_updated_us(session) == clocks[i]);
        (void)scene_append(s, session, "e1", "k=1");
        again = scene_get(s, "u", agentchat_session_get_id(session)->id);
        expect_events(again, "e1");
        assert_true(agentchat_session_updated_us(again) == clocks[i]);
        agentchat_session_free(again);
        agentchat_session_free(session);
    }
}

static void test_clock__standing_still_repeats_no_made_id(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    s->step_us = 0;
    for (int i = 0; i < 50; i++)
        (void)scene_append(s, session, NULL, "n+=1");
    assert_int_equal(agentchat_session_event_count(session), 50);
    expect_state(session, "{\"n\":50}");
    agentchat_session_free(session);
}

int contract_clock(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_clock__going_back_moves_no_write_time_back),
        SCENE_TEST(test_clock__going_back_changes_no_order_of_events),
        SCENE_TEST(test_clock__two_writers_with_different_clocks_lose_nothing),
        SCENE_TEST(test_clock__before_1970_and_at_the_ends),
        SCENE_TEST(test_clock__standing_still_repeats_no_made_id),
    };

    return CONTRACT_GROUP("clock", tests);
}
