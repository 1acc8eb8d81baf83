/* SPDX-License-Identifier: Apache-2.0 */
/* What of a snapshot goes to which agent: participants by id, name and type, name; channels by key, resolver, type. */
#include "unit/chat/chat_mock.h"

#include "snapshot/snapshot.h"

static agentchat_agent *typed(const char *id, const char *name, const char *type, const char *key, mock *m)
{
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;

    options.id = agentchat_str_from(id);
    options.name = agentchat_str_from(name);
    options.type = type;
    options.channel = &mock_type;
    options.keys = &key;
    options.key_count = 1;
    options.user = m;
    return test_agent_new(NULL, &options);
}

static agentchat_str key_of(const char *text, char out[AGENTCHAT_KEY_LEN + 1])
{
    agentchat_str key = agentchat_str_from(text);

    assert_int_equal(agentchat_channel_key(&key, 1, out), AGENTCHAT_OK);
    return agentchat_str_from(out);
}

static void add_channel(agentchat_snapshot_builder *b, const char *key, const char *type, const char *seen)
{
    char out[AGENTCHAT_KEY_LEN + 1];

    agentchat_snapshot_builder_set_channel(b, key_of(key, out), agentchat_str_from(type), AGENTCHAT_CHANNEL_TEXT,
                                           agentchat_str_from(seen), AGENTCHAT_SYNCED_UNKNOWN);
}

static agentchat_snapshot *finish(agentchat_snapshot_builder *b)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    return snapshot;
}

static void add_participant(agentchat_snapshot_builder *b, const char *id, const char *name, const char *type)
{
    agentchat_snapshot_builder_add_participant(b, agentchat_str_from(id), agentchat_str_from(name),
                                               agentchat_str_from(type));
}

static agentchat_report *restored(agentchat_chat *chat, const agentchat_snapshot *snapshot,
                                  const agentchat_restore_options *options)
{
    agentchat_report *report = NULL;
    agentchat_error err;

    test_ok(agentchat_chat_restore(chat, snapshot, options, &report, &err), &err);
    return report;
}

static void expect_entry(const agentchat_report *report, size_t index, agentchat_report_kind kind,
                         agentchat_match match, const char *path)
{
    const agentchat_report_entry *entry = agentchat_report_at(report, index);

    assert_string_equal(agentchat_report_kind_name(entry->kind), agentchat_report_kind_name(kind));
    assert_string_equal(agentchat_match_name(entry->match), agentchat_match_name(match));
    assert_str(entry->path, path);
    assert_true(entry->text.len > 0);
}

static void test_match__participants(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot;
    agentchat_report *report;
    mock m = {.says = NULL};

    (void)state;
    add_agent(chat, typed("id-1", "Renamed", "t", "k", &m));     /* by id, although another has the name */
    add_agent(chat, typed("new-1", "Same", "t", "k", &m));       /* by name and type, the first of two */
    add_agent(chat, typed("new-2", "Same", "t", "k", &m));       /* … and the second */
    add_agent(chat, typed("new-3", "Unique", "other", "k", &m)); /* by name alone */
    add_agent(chat, typed("new-4", "Double", "other", "k", &m)); /* not: the name occurs twice on the other side */
    add_agent(chat, typed("new-5", NULL, "t", "k", &m));         /* not: no name */
    add_participant(b, "x-0", "Renamed", "t");
    add_participant(b, "id-1", "Original", "u");
    add_participant(b, "x-1", "Same", "t");
    add_participant(b, "x-2", "Same", "t");
    add_participant(b, "x-3", "Unique", "t");
    add_participant(b, "x-4", "Double", "t");
    add_participant(b, "x-5", "Double", "t");
    add_participant(b, "x-6", NULL, "t");
    snapshot = finish(b);
    report = restored(chat, snapshot, NULL);
    expect_entry(report, 0, AGENTCHAT_REPORT_PARTICIPANT_MISSING, AGENTCHAT_MATCH_NONE, "/participants/0");
    expect_entry(report, 1, AGENTCHAT_REPORT_PARTICIPANT_MATCHED, AGENTCHAT_MATCH_ID, "/participants/1");
    expect_entry(report, 2, AGENTCHAT_REPORT_PARTICIPANT_MATCHED, AGENTCHAT_MATCH_NAME_AND_TYPE, "/participants/2");
    expect_entry(report, 3, AGENTCHAT_REPORT_PARTICIPANT_MATCHED, AGENTCHAT_MATCH_NAME_AND_TYPE, "/participants/3");
    expect_entry(report, 4, AGENTCHAT_REPORT_PARTICIPANT_MATCHED, AGENTCHAT_MATCH_NAME, "/participants/4");
    expect_entry(report, 5, AGENTCHAT_REPORT_PARTICIPANT_MISSING, AGENTCHAT_MATCH_NONE, "/participants/5");
    expect_entry(report, 6, AGENTCHAT_REPORT_PARTICIPANT_MISSING, AGENTCHAT_MATCH_NONE, "/participants/6");
    expect_entry(report, 7, AGENTCHAT_REPORT_PARTICIPANT_MISSING, AGENTCHAT_MATCH_NONE, "/participants/7");
    expect_entry(report, 8, AGENTCHAT_REPORT_CHANNEL_EXTRA, AGENTCHAT_MATCH_NONE, ""); /* one for all: one key */
    assert_str(agentchat_report_at(report, 1)->key, "id-1");
    assert_int_equal(agentchat_report_count(report), 9);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_match__agents_of_one_key_are_restored_once(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot;
    agentchat_report *report;
    mock first = {.says = "1"}, second = {.says = "2"};

    (void)state;
    add_agent(chat, typed("a", "A", "t", "k", &first));
    add_agent(chat, typed("b", "B", "t", "k", &second));
    add_channel(b, "k", MOCK_TYPE, "s;");
    snapshot = finish(b);
    report = restored(chat, snapshot, NULL);
    expect_entry(report, 0, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_KEY, "/channels/0");
    assert_int_equal(agentchat_report_count(report), 1);
    assert_int_equal(first.restores, 1);
    assert_int_equal(second.restores, 0);
    invoke(chat, "B");
    assert_int_equal(second.invokes, 1);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static agentchat_snapshot *two_channels(const char *type_of_second)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);

    add_channel(b, "old-1", MOCK_TYPE, "first;");
    add_channel(b, "old-2", type_of_second, "second;");
    return finish(b);
}

static void test_match__channel_by_type_where_unambiguous(void **state)
{
    agentchat_restore_options options = AGENTCHAT_RESTORE_OPTIONS_INIT;
    agentchat_snapshot *one = two_channels("other.Type"), *both = two_channels(MOCK_TYPE);
    mock m = {.says = NULL}, n = {.says = NULL};
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_report *report;

    (void)state;
    add_agent(chat, typed("a", "A", "t", "new", &m));
    report = restored(chat, one, NULL);
    expect_entry(report, 0, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_TYPE, "/channels/0");
    expect_entry(report, 1, AGENTCHAT_REPORT_CHANNEL_KEPT, AGENTCHAT_MATCH_NONE, "/channels/1");
    agentchat_report_free(report);
    agentchat_chat_free(chat);

    chat = test_chat_new(NULL); /* asked not to */
    add_agent(chat, typed("a", "A", "t", "new", &m));
    options.no_type_match = true;
    report = restored(chat, one, &options);
    expect_entry(report, 0, AGENTCHAT_REPORT_CHANNEL_KEPT, AGENTCHAT_MATCH_NONE, "/channels/0");
    expect_entry(report, 2, AGENTCHAT_REPORT_CHANNEL_EXTRA, AGENTCHAT_MATCH_NONE, "");
    agentchat_report_free(report);
    agentchat_chat_free(chat);

    chat = test_chat_new(NULL); /* two stored */
    add_agent(chat, typed("a", "A", "t", "new", &m));
    report = restored(chat, both, NULL);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_KEPT), 2);
    agentchat_report_free(report);
    agentchat_chat_free(chat);

    chat = test_chat_new(NULL); /* two stored, one of them is taken by key: one is left */
    add_agent(chat, typed("a", "A", "t", "new", &m));
    add_agent(chat, typed("b", "B", "t", "old-1", &n));
    report = restored(chat, both, NULL);
    expect_entry(report, 0, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_KEY, "/channels/0");
    expect_entry(report, 1, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_TYPE, "/channels/1");
    agentchat_report_free(report);
    agentchat_chat_free(chat);

    chat = test_chat_new(NULL); /* two agents' keys want it */
    add_agent(chat, typed("a", "A", "t", "new-1", &m));
    add_agent(chat, typed("b", "B", "t", "new-2", &n));
    report = restored(chat, one, NULL);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_RESTORED), 0);
    agentchat_report_free(report);
    agentchat_chat_free(chat);

    chat = test_chat_new(NULL); /* two agents of one new key are one */
    add_agent(chat, typed("a", "A", "t", "new", &m));
    add_agent(chat, typed("b", "B", "t", "new", &n));
    report = restored(chat, one, NULL);
    expect_entry(report, 0, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_TYPE, "/channels/0");
    agentchat_report_free(report);
    agentchat_chat_free(chat);
    agentchat_snapshot_unref(one);
    agentchat_snapshot_unref(both);
}

typedef struct resolver {
    const char *key; /* NULL: none */
    agentchat_status fails;
    int asked;
} resolver;

static agentchat_status resolve(void *user, const agentchat_snapshot *snapshot, const agentchat_agent *agent,
                                agentchat_str *out_key, agentchat_error *err)
{
    resolver *r = user;
    static char key[AGENTCHAT_KEY_LEN + 1];

    r->asked++;
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 2);
    assert_non_null(agent);
    if (r->fails < 0)
        return agentchat_error_set(err, r->fails, "no directory");
    if (r->key == NULL)
        return AGENTCHAT_DONE;
    *out_key = key_of(r->key, key);
    return AGENTCHAT_OK;
}

static void test_match__channel_by_resolver(void **state)
{
    agentchat_restore_options options = AGENTCHAT_RESTORE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = two_channels(MOCK_TYPE);
    resolver r = {.key = "old-2"};
    mock m = {.says = NULL}, n = {.says = NULL};
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_report *report;
    agentchat_error err;

    (void)state;
    options.resolve = resolve;
    options.user = &r;
    options.no_type_match = true;
    add_agent(chat, typed("a", "A", "t", "new", &m));
    add_agent(chat, typed("b", "B", "t", "old-1", &n)); /* its key is there: nobody is asked */
    r.key = "nowhere";
    test_fails(agentchat_chat_restore(chat, snapshot, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "not stored");
    r.key = "old-1";
    test_fails(agentchat_chat_restore(chat, snapshot, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "another agent's");
    r.fails = AGENTCHAT_E_IO;
    test_fails(agentchat_chat_restore(chat, snapshot, &options, NULL, &err), &err, AGENTCHAT_E_IO, "", "no directory");
    assert_int_equal(m.restores + n.restores, 0);
    assert_int_equal(r.asked, 3);
    r = (resolver){.key = "old-2"};
    report = restored(chat, snapshot, &options);
    expect_entry(report, 0, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_KEY, "/channels/0");
    expect_entry(report, 1, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_RESOLVER, "/channels/1");
    agentchat_report_free(report);
    {
        /* From now on the channel has its agent's own key. */
        agentchat_snapshot *again = capture(chat);

        assert_true(agentchat_str_equal(agentchat_channel_state_key(agentchat_snapshot_channel(again, 1)),
                                        agentchat_agent_channel_key(agentchat_chat_agent(chat, 0))));
        assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(again, 1)), "second;");
        agentchat_snapshot_unref(again);
    }
    agentchat_chat_free(chat);

    chat = test_chat_new(NULL); /* "none" leaves it to the type */
    add_agent(chat, typed("a", "A", "t", "new", &m));
    add_agent(chat, typed("b", "B", "t", "old-1", &n));
    r = (resolver){.key = NULL};
    options.no_type_match = false;
    report = restored(chat, snapshot, &options);
    expect_entry(report, 1, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_TYPE, "/channels/1");
    agentchat_report_free(report);
    agentchat_chat_free(chat);
    agentchat_snapshot_unref(snapshot);
}

static void test_match__state_of_another_kind_does_not_fit(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *history = speaker(NULL, "H", "h");
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    agentchat_snapshot_builder_set_channel(b, agentchat_agent_channel_key(history), (agentchat_str){NULL, 0},
                                           AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("not a list"),
                                           AGENTCHAT_SYNCED_UNKNOWN);
    snapshot = finish(b);
    add_agent(chat, history);
    test_fails(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err, AGENTCHAT_E_SCHEMA, "/channels/0",
               "no list of messages");
    assert_non_null(strstr(err.message, AGENTCHAT_TYPE_HISTORY_CHANNEL));
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

/* Snapshots that no builder makes: whatever a reader lets through, a restore must not trust positions and keys. */
static void test_match__damaged_snapshots(void **state)
{
    size_t beyond[1] = {0}, twice[2] = {0, 0};
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot *snapshot = two_channels(MOCK_TYPE);
    agentchat_channel_state *channel = &snapshot->channels[1];
    agentchat_str key = channel->key;
    agentchat_message *message = NULL;
    mock m = {.says = NULL};
    agentchat_error err;

    (void)state;
    add_agent(chat, typed("a", "A", "t", "old-1", &m));
    channel->key = snapshot->channels[0].key;
    test_fails(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err, AGENTCHAT_E_SCHEMA,
               "/channels/1/channelkey", "same key");
    channel->key = key;
    channel->synced = 1;
    test_fails(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err, AGENTCHAT_E_SCHEMA, "/channels/1",
               "more messages");
    channel->synced = AGENTCHAT_SYNCED_UNKNOWN;
    channel->pending = beyond;
    channel->pending_count = 1;
    test_fails(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err, AGENTCHAT_E_SCHEMA, "/channels/1",
               "positions");
    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &message, &err),
            &err);
    assert_true(aci_list_append(&snapshot->history, message));
    channel->pending = twice;
    channel->pending_count = 2;
    test_fails(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err, AGENTCHAT_E_SCHEMA, "/channels/1",
               "positions");
    assert_int_equal(m.restores, m.frees);
    channel->pending_count = 1;
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    agentchat_message_unref(message);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_match__damaged_snapshots),
        cmocka_unit_test(test_match__participants),
        cmocka_unit_test(test_match__agents_of_one_key_are_restored_once),
        cmocka_unit_test(test_match__channel_by_type_where_unambiguous),
        cmocka_unit_test(test_match__channel_by_resolver),
        cmocka_unit_test(test_match__state_of_another_kind_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
