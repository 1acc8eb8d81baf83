/* SPDX-License-Identifier: Apache-2.0 */
/* Chats inside chats inside chats: the five cases one and two levels down, and a failure at every step, after which
   everything is as it was. */
#include "unit/chat/chat_mock.h"

/* A chat with a history agent H, an aggregator and a mock; in the aggregator the same again, down to `levels`. */
typedef struct level {
    int levels;             /* aggregators from here downwards */
    bool no_agents;         /* make gives a chat without agents */
    bool used;              /* make gives a chat that has been used */
    bool extra;             /* one more agent */
    bool reduced;           /* without the mock */
    agentchat_status fails; /* make fails */
    mock m, n;
    struct level *below;
    int makes;
} level;

static agentchat_chat *build(level *l);

static agentchat_status make(void *user, agentchat_chat **out, agentchat_error *err)
{
    level *l = user;

    l->makes++;
    if (l->fails < 0)
        return agentchat_error_set(err, l->fails, "make is down");
    *out = l->no_agents ? test_chat_new(NULL) : build(l);
    if (l->used)
        add_text(*out, "used");
    return AGENTCHAT_OK;
}

static agentchat_status run_all(void *user, agentchat_chat *inner, agentchat_error *err)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;

    (void)user;
    options.max_turns = (uint32_t)agentchat_chat_agent_count(inner);
    return options.max_turns > 0 ? agentchat_chat_run(inner, &options, err) : AGENTCHAT_OK;
}

static agentchat_chat *build(level *l)
{
    agentchat_chat *chat = test_chat_new(NULL);

    add_agent(chat, speaker(NULL, "H", "h"));
    if (l->levels > 0) {
        agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

        options.name = AGENTCHAT_STR("G");
        options.make = make;
        options.run = run_all;
        options.user = l->below;
        add_agent(chat, test_aggregator_new(NULL, &options));
    }
    if (!l->reduced)
        add_agent(chat, mock_agent(NULL, "M", &l->m));
    if (l->extra)
        add_agent(chat, mock_agent(NULL, "N", &l->n));
    return chat;
}

/* Three chats, each but the last with one inside. */
typedef struct tower {
    level levels[3];
} tower;

static void tower_init(tower *t)
{
    memset(t, 0, sizeof *t);
    for (int i = 0; i < 3; i++) {
        t->levels[i].levels = 2 - i;
        t->levels[i].m.says = i == 0 ? "m0" : i == 1 ? "m1" : "m2";
        t->levels[i].n.says = "n";
        t->levels[i].below = i < 2 ? &t->levels[i + 1] : NULL;
    }
}

#define ONE_RUN "h;h;h;m2;m1;m0;"

static agentchat_snapshot *saved_tower(void)
{
    tower t;
    agentchat_chat *chat;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    tower_init(&t);
    chat = build(&t.levels[0]);
    test_ok(run_all(NULL, chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), ONE_RUN);
    snapshot = through_bytes(capture(chat));
    agentchat_chat_free(chat);
    return snapshot;
}

static agentchat_chat *inner_of(agentchat_chat *chat, int depth)
{
    for (int i = 0; i < depth; i++)
        chat = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 1));
    return chat;
}

static void test_nested__equivalent(void **state)
{
    agentchat_snapshot *snapshot = saved_tower();
    agentchat_report *report = NULL;
    agentchat_chat *chat;
    tower t;
    agentchat_error err;

    (void)state;
    tower_init(&t);
    chat = build(&t.levels[0]);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_PARTICIPANT_MATCHED), 8);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_RESTORED), 8);
    assert_int_equal(agentchat_report_count(report), 16);
    assert_str(agentchat_report_at(report, 3)->path, "/channels/0");
    assert_str(agentchat_report_at(report, 4)->path, "/channels/1/channelstate/participants/0");
    assert_str(agentchat_report_at(report, 8)->path, "/channels/1/channelstate/channels/1/channelstate/participants/0");
    assert_texts(agentchat_chat_history(chat), ONE_RUN);
    assert_texts(agentchat_chat_history(inner_of(chat, 1)), "h;h;h;m2;m1;m0;");
    assert_texts(agentchat_chat_history(inner_of(chat, 2)), "h;h;h;m2;m1;m0;");
    test_ok(run_all(NULL, chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), ONE_RUN ONE_RUN);
    assert_texts(agentchat_chat_history(inner_of(chat, 2)), ONE_RUN ONE_RUN);
    assert_string_equal(t.levels[2].m.given, "h;h;h;m1;m0;");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_nested__enhanced_and_reduced(void **state)
{
    agentchat_snapshot *snapshot = saved_tower(), *again;
    agentchat_report *report = NULL;
    agentchat_chat *chat;
    tower t;
    const agentchat_snapshot *inner;
    agentchat_error err;

    (void)state;
    tower_init(&t);
    t.levels[2].extra = true;
    t.levels[1].reduced = true;
    chat = build(&t.levels[0]);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_EXTRA), 1);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_KEPT), 1);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_PARTICIPANT_MISSING), 1);
    assert_int_equal(agentchat_chat_kept_count(inner_of(chat, 1)), 1);
    invoke(inner_of(chat, 2), "N");
    assert_string_equal(t.levels[2].n.given, ONE_RUN);
    again = through_bytes(capture(chat));
    inner = agentchat_channel_state_chat(agentchat_snapshot_channel(again, 1));
    assert_int_equal(agentchat_snapshot_participant_count(inner), 3); /* the missing one too */
    assert_int_equal(agentchat_snapshot_channel_count(inner), 3);     /* the kept one is saved again */
    agentchat_snapshot_unref(again);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

/* Restores into a tower that `spoil` has prepared: it must fail, and leave all as it was; then a good one works. */
static void fails_and_leaves_all(void (*spoil)(tower *t), agentchat_status expected, const char *path,
                                 const char *message)
{
    agentchat_snapshot *snapshot = saved_tower();
    agentchat_report *report = NULL;
    agentchat_chat *chat;
    char *before, *after;
    tower t, good;
    int live = 0;
    agentchat_error err;

    tower_init(&t);
    tower_init(&good);
    spoil(&t);
    chat = build(&t.levels[0]);
    before = picture(chat);
    test_fails(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err, expected, path, message);
    assert_true(agentchat_report_count(report) > 0); /* what was matched before the failure */
    agentchat_report_free(report);
    after = picture(chat);
    assert_string_equal(before, after);
    assert_null(inner_of(chat, 1));
    for (int i = 0; i < 3; i++) {
        live += t.levels[i].m.restores - t.levels[i].m.frees;
        t.levels[i].m.fail_restore = 0;
        t.levels[i].no_agents = good.levels[i].no_agents;
        t.levels[i].used = false;
        t.levels[i].fails = AGENTCHAT_OK;
    }
    assert_in_range(live, 0, 1); /* the one that failed made nothing; all others are gone */
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    assert_texts(agentchat_chat_history(inner_of(chat, 2)), ONE_RUN);
    free(before);
    free(after);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void no_agents_1(tower *t)
{
    t->levels[1].no_agents = true;
}

static void no_agents_2(tower *t)
{
    t->levels[2].no_agents = true;
}

static void used_2(tower *t)
{
    t->levels[2].used = true;
}

static void make_fails_2(tower *t)
{
    t->levels[2].fails = AGENTCHAT_E_IO;
}

static void mock_fails_0(tower *t)
{
    t->levels[0].m.fail_restore = 1; /* the last channel of all: everything else is staged by then */
}

static void mock_fails_1(tower *t)
{
    t->levels[1].m.fail_restore = 1;
}

static void mock_fails_2(tower *t)
{
    t->levels[2].m.fail_restore = 1;
}

static void test_nested__failure_anywhere_leaves_all_as_it_was(void **state)
{
    static const char one[] = "/channels/1/channelstate", two[] = "/channels/1/channelstate/channels/1/channelstate";

    (void)state;
    fails_and_leaves_all(no_agents_1, AGENTCHAT_E_NO_AGENTS, one, "no agents");
    fails_and_leaves_all(no_agents_2, AGENTCHAT_E_NO_AGENTS, two, "no agents");
    fails_and_leaves_all(used_2, AGENTCHAT_E_IN_USE, two, "unused");
    fails_and_leaves_all(make_fails_2, AGENTCHAT_E_IO, "/channels/1/channelstate/channels/1", "make is down");
    fails_and_leaves_all(mock_fails_0, AGENTCHAT_E_CALLBACK, "/channels/2", "restore is down");
    fails_and_leaves_all(mock_fails_1, AGENTCHAT_E_CALLBACK, "/channels/1/channelstate/channels/2", "restore is down");
    fails_and_leaves_all(mock_fails_2, AGENTCHAT_E_CALLBACK,
                         "/channels/1/channelstate/channels/1/channelstate/channels/1", "restore is down");
}

static void test_nested__empty_chat_inside_needs_no_agents(void **state)
{
    level outer = {.levels = 1, .reduced = true}, inner = {.no_agents = true};
    agentchat_chat *chat, *next;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    outer.below = &inner;
    chat = build(&outer);
    add_text(chat, "1");
    invoke(chat, "G"); /* says nothing, but its channel holds a chat without agents */
    snapshot = through_bytes(capture(chat));
    next = build(&outer);
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    assert_texts(agentchat_chat_history(inner_of(next, 1)), "1;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

static void test_nested__save_fails_deep_down(void **state)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_chat *chat;
    char *before, *after;
    tower t;
    agentchat_error err;

    (void)state;
    tower_init(&t);
    chat = build(&t.levels[0]);
    test_ok(run_all(NULL, chat, &err), &err);
    before = picture(chat);
    t.levels[2].m.fail_save = 1;
    test_fails(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err, AGENTCHAT_E_CALLBACK,
               "/channels/1/channelstate/channels/1/channelstate/channels/1", "could not be saved: save is down");
    assert_null(snapshot);
    after = picture(chat);
    assert_string_equal(before, after);
    test_ok(run_all(NULL, chat, &err), &err); /* the flags of all three were given back */
    assert_texts(agentchat_chat_history(inner_of(chat, 2)), ONE_RUN ONE_RUN);
    free(before);
    free(after);
    agentchat_chat_free(chat);
}

static void test_nested__pending_inside_is_saved(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_chat *chat, *next;
    tower t, u;
    agentchat_error err;

    (void)state;
    tower_init(&t);
    tower_init(&u);
    chat = build(&t.levels[0]);
    test_ok(run_all(NULL, chat, &err), &err);
    t.levels[2].m.fail_receive = -1;
    add_text(chat, "late"); /* reaches the innermost chat, not its mock */
    snapshot = through_bytes(capture(chat));
    next = build(&u.levels[0]);
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    assert_texts(agentchat_chat_history(inner_of(next, 2)), ONE_RUN "late;");
    invoke(inner_of(next, 2), "M");
    assert_string_equal(u.levels[2].m.given, "late;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

/* An aggregator whose chat holds such an aggregator, and so on for ever. */
static agentchat_status make_endless(void *user, agentchat_chat **out, agentchat_error *err)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = AGENTCHAT_STR("E");
    options.make = make_endless;
    options.user = user;
    *out = test_chat_new(user);
    return test_add_agent(*out, test_aggregator_new(user, &options), err);
}

static void test_nested__depth_is_limited(void **state)
{
    agentchat_capture_options capture_options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_env_options env_options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_chat *chat = NULL;
    agentchat_env *env;
    agentchat_error err;

    (void)state;
    limits.max_depth = 5;
    env_options.limits = &limits;
    env = test_env(&env_options);
    test_ok(make_endless(env, &chat, &err), &err);
    capture_options.all_channels = true;
    test_fails(agentchat_chat_capture(chat, &capture_options, &snapshot, NULL, &err), &err, AGENTCHAT_E_LIMIT, NULL,
               "nested more than 5 deep");
    assert_null(snapshot);
    agentchat_chat_free(chat);
    agentchat_env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nested__equivalent),
        cmocka_unit_test(test_nested__enhanced_and_reduced),
        cmocka_unit_test(test_nested__failure_anywhere_leaves_all_as_it_was),
        cmocka_unit_test(test_nested__empty_chat_inside_needs_no_agents),
        cmocka_unit_test(test_nested__save_fails_deep_down),
        cmocka_unit_test(test_nested__pending_inside_is_saved),
        cmocka_unit_test(test_nested__depth_is_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
