/* SPDX-License-Identifier: Apache-2.0 */
/* Remote agents: a pretended service keeps the conversation, the channel holds its id. */
#include "chat_mock.h"

/* A service with threads t1, t2, …; agents of one service share it. */
typedef struct service {
    int threads;
    char posted[4][256]; /* by thread */
    agentchat_status create_fails, post_fails;
    const char *odd_id; /* instead of a proper id */
    agentchat_remote_decision decision;
    agentchat_remote_info info; /* what check was given, without the id */
    char info_id[16];
    int checks;
} service;

static int number_of(agentchat_str id)
{
    assert_int_equal(id.len, 2);
    assert_int_equal(id.ptr[0], 't');
    return id.ptr[1] - '0';
}

static agentchat_status create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    service *s = user;
    char id[3] = {'t', (char)('0' + ++s->threads), '\0'};

    if (s->create_fails < 0)
        return agentchat_error_set(err, s->create_fails, "quota");
    return agentchat_bytes_append(out_id, agentchat_str_from(s->odd_id != NULL ? s->odd_id : id), err);
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    service *s = user;
    int n = number_of(id);

    if (s->post_fails < 0)
        return agentchat_error_set(err, s->post_fails, "offline");
    for (size_t i = 0; i < agentchat_messages_count(batch); i++)
        mock_note(s->posted[n], sizeof s->posted[n], agentchat_message_text(agentchat_messages_at(batch, i)));
    return AGENTCHAT_OK;
}

static agentchat_status answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    service *s = user;

    mock_note(s->posted[number_of(id)], sizeof s->posted[0], AGENTCHAT_STR("r"));
    return agentchat_replies_add_text(out, AGENTCHAT_STR("r"), err);
}

static agentchat_status check(void *user, const agentchat_remote_info *info, agentchat_remote_decision *out,
                              agentchat_error *err)
{
    service *s = user;

    s->checks++;
    s->info = *info;
    memcpy(s->info_id, info->id.ptr, info->id.len);
    s->info_id[info->id.len] = '\0';
    if (s->decision == AGENTCHAT_REMOTE_MAX_)
        return agentchat_error_set(err, AGENTCHAT_E_CONFLICT, "the thread is ahead");
    *out = s->decision;
    return AGENTCHAT_OK;
}

static const agentchat_remote_ops ops = {sizeof(agentchat_remote_ops), create, post, answer, NULL};
static const agentchat_remote_ops checking = {sizeof(agentchat_remote_ops), create, post, answer, check};

static agentchat_agent *remote(service *s, const char *name, const agentchat_remote_ops *which)
{
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(name);
    options.type = "test.RemoteAgent";
    options.channel_type = "test.RemoteChannel";
    options.ops = which;
    options.user = s;
    return test_remote_agent_new(NULL, &options);
}

static void test_remote_agent__posts_and_answers(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    service s = {.threads = 0};
    agentchat_snapshot *snapshot;
    const agentchat_channel_state *channel;
    agentchat_error err;

    (void)state;
    add_agent(chat, remote(&s, "R", &ops));
    add_agent(chat, remote(&s, "Q", &ops));
    add_agent(chat, speaker(NULL, "A", "a"));
    add_text(chat, "1");
    invoke(chat, "R");
    invoke(chat, "A");
    invoke(chat, "Q"); /* of another name: a thread of its own */
    assert_string_equal(s.posted[1], "1;r;a;r;");
    assert_string_equal(s.posted[2], "1;r;a;r;");
    snapshot = capture(chat);
    channel = agentchat_snapshot_channel(snapshot, 0);
    assert_str(agentchat_channel_state_type(channel), "test.RemoteChannel");
    assert_int_equal(agentchat_channel_state_kind(channel), AGENTCHAT_CHANNEL_TEXT);
    assert_str(agentchat_channel_state_data(channel), "t1");
    assert_int_equal(agentchat_channel_state_synced(channel), 4);
    assert_str(agentchat_participant_type(agentchat_snapshot_participant(snapshot, 0)), "test.RemoteAgent");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    invoke(chat, "R");
    assert_string_equal(s.posted[3], "r;"); /* a new thread; the old one is left alone */
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_remote_agent__failures(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    service s = {.create_fails = AGENTCHAT_E_LIMIT};
    agentchat_error err;

    (void)state;
    add_agent(chat, remote(&s, "R", &ops));
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("R"), &err), &err, AGENTCHAT_E_LIMIT, "", "quota");
    s.create_fails = AGENTCHAT_OK;
    s.odd_id = "";
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("R"), &err), &err, AGENTCHAT_E_CALLBACK, "", "no id");
    s.odd_id = "\xFF";
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("R"), &err), &err, AGENTCHAT_E_CALLBACK, "", "not UTF-8");
    s.odd_id = NULL;
    s.threads = 0;
    invoke(chat, "R");
    s.post_fails = AGENTCHAT_E_IO;
    add_text(chat, "1");
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("R"), &err), &err, AGENTCHAT_E_IO, "", "offline");
    s.post_fails = AGENTCHAT_OK;
    invoke(chat, "R");
    assert_string_equal(s.posted[1], "r;1;r;");
    agentchat_chat_free(chat);
}

/* A checkpoint with two messages that the thread knows. */
static agentchat_snapshot *checkpoint(service *s)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot *snapshot;

    add_agent(chat, remote(s, "R", &ops));
    add_text(chat, "1");
    invoke(chat, "R");
    snapshot = capture(chat);
    agentchat_chat_free(chat);
    return snapshot;
}

static void test_remote_agent__ahead_of_an_old_checkpoint(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    service s = {.decision = AGENTCHAT_REMOTE_MAX_};
    agentchat_snapshot *old = checkpoint(&s);
    agentchat_report *report = NULL;
    const agentchat_report_entry *entry;
    agentchat_error err;

    (void)state;
    add_agent(chat, remote(&s, "R", &checking));
    test_fails(agentchat_chat_restore(chat, old, NULL, &report, &err), &err, AGENTCHAT_E_CONFLICT, "/channels/0",
               "the thread is ahead");
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_PARTICIPANT_MATCHED), 1);
    agentchat_report_free(report);
    assert_int_equal(agentchat_chat_message_count(chat), 0);
    assert_string_equal(s.info_id, "t1");
    assert_int_equal(s.info.synced, 2);
    assert_int_equal(s.info.history_count, 2);
    s.decision = (agentchat_remote_decision)9;
    test_fails(agentchat_chat_restore(chat, old, NULL, NULL, &err), &err, AGENTCHAT_E_CALLBACK, "/channels/0",
               "no decision");
    /* Made anew: the channel is one more that synchronises at first use. */
    s.decision = AGENTCHAT_REMOTE_RECREATE;
    test_ok(agentchat_chat_restore(chat, old, NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_EXTRA), 1);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_RESTORED), 0);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_KEPT), 0);
    entry = agentchat_report_at(report, 0);
    assert_int_equal(entry->kind, AGENTCHAT_REPORT_PARTICIPANT_MATCHED);
    assert_int_equal(entry->match, AGENTCHAT_MATCH_NAME_AND_TYPE);
    assert_int_equal(s.threads, 1); /* not before it is needed */
    invoke(chat, "R");
    assert_string_equal(s.posted[2], "1;r;r;");
    assert_string_equal(s.posted[1], "1;r;");
    agentchat_report_free(report);
    agentchat_snapshot_unref(old);
    agentchat_chat_free(chat);
}

static void test_remote_agent__kept_thread_goes_on(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    service s = {.decision = AGENTCHAT_REMOTE_KEEP};
    agentchat_snapshot *old = checkpoint(&s);
    agentchat_error err;

    (void)state;
    add_agent(chat, remote(&s, "R", &checking));
    test_ok(agentchat_chat_restore(chat, old, NULL, NULL, &err), &err);
    add_text(chat, "2");
    invoke(chat, "R");
    assert_string_equal(s.posted[1], "1;r;2;r;");
    assert_int_equal(s.threads, 1);
    agentchat_snapshot_unref(old);
    agentchat_chat_free(chat);
}

static void test_remote_agent__state_that_is_no_id(void **state)
{
    const agentchat_channel_kind kinds[2] = {AGENTCHAT_CHANNEL_BYTES, AGENTCHAT_CHANNEL_TEXT};
    service s = {.threads = 0};
    agentchat_error err;

    (void)state;
    for (int i = 0; i < 2; i++) {
        agentchat_chat *chat = test_chat_new(NULL);
        agentchat_agent *agent = remote(&s, "R", &ops);
        agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
        agentchat_snapshot *snapshot = NULL;

        agentchat_snapshot_builder_set_channel(b, agentchat_agent_channel_key(agent), AGENTCHAT_STR("x"), kinds[i],
                                               i == 0 ? AGENTCHAT_STR("t1") : (agentchat_str){NULL, 0},
                                               AGENTCHAT_SYNCED_UNKNOWN);
        test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
        add_agent(chat, agent);
        test_fails(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err, AGENTCHAT_E_SCHEMA, "/channels/0",
                   "no id of a thread");
        agentchat_snapshot_unref(snapshot);
        agentchat_chat_free(chat);
    }
}

/* .NET saves whatever its agents call an id, an empty one too. */
static void test_remote_agent__empty_id_is_kept(void **state)
{
    service s = {.threads = 0};
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *agent = remote(&s, "R", &ops);
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot = NULL, *again = NULL;
    agentchat_error err;

    (void)state;
    agentchat_snapshot_builder_set_channel(b, agentchat_agent_channel_key(agent), AGENTCHAT_STR("x"),
                                           AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR(""), AGENTCHAT_SYNCED_UNKNOWN);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    add_agent(chat, agent);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    test_ok(agentchat_chat_capture(chat, NULL, &again, NULL, &err), &err);
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(again, 0)), "");
    agentchat_snapshot_unref(again);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void refuses(const agentchat_remote_agent_options *options, const char *message)
{
    agentchat_agent *agent = (agentchat_agent *)(uintptr_t)1;
    agentchat_error err;

    test_fails(agentchat_remote_agent_new(NULL, options, &agent, &err), &err, AGENTCHAT_E_INVALID, "", message);
    assert_null(agent);
}

static void test_remote_agent__invalid_options(void **state)
{
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_remote_ops broken = ops;
    agentchat_error err;

    (void)state;
    options.name = AGENTCHAT_STR("Ann");
    options.type = "t";
    options.channel_type = "c";
    refuses(&options, "the options of agent Ann lack ops");
    broken.answer = NULL;
    options.ops = &broken;
    refuses(&options, "the options of agent Ann lack ops->answer");
    broken.struct_size = 0;
    refuses(&options, "struct_size of ops is not set");
    options.ops = &ops;
    options.type = NULL;
    refuses(&options, "the options of agent Ann lack type");
    options.type = "t";
    options.channel_type = NULL;
    refuses(&options, "the options of agent Ann lack channel_type");
    options.channel_type = "c";
    test_fails(agentchat_remote_agent_new(NULL, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remote_agent__posts_and_answers),
        cmocka_unit_test(test_remote_agent__failures),
        cmocka_unit_test(test_remote_agent__ahead_of_an_old_checkpoint),
        cmocka_unit_test(test_remote_agent__kept_thread_goes_on),
        cmocka_unit_test(test_remote_agent__state_that_is_no_id),
        cmocka_unit_test(test_remote_agent__empty_id_is_kept),
        cmocka_unit_test(test_remote_agent__invalid_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
