/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots built without a chat: what is in them, how edits move positions, what is refused. */
#include "snapshot_test.h"

#include "base/error.h"
#include "snapshot/snapshot.h"

static const agentchat_str absent = {NULL, 0};

static void add(agentchat_snapshot_builder *b, const char *text)
{
    agentchat_message *m;
    agentchat_error err;

    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, agentchat_str_from(text), &m, &err),
            &err);
    agentchat_snapshot_builder_add_message(b, m);
    agentchat_message_unref(m);
}

static void refused(agentchat_snapshot_builder *b, agentchat_status status, const char *path, const char *message)
{
    agentchat_snapshot *made = (agentchat_snapshot *)1;
    agentchat_error err;

    test_fails(agentchat_snapshot_builder_finish(b, &made, &err), &err, status, path, message);
    assert_null(made);
}

/* A chat with two messages, a participant, a channel of each simple kind and two values. */
static agentchat_snapshot *sample(void)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);

    add(b, "one");
    add(b, "two");
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("p1"), AGENTCHAT_STR("Desk"), AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("p2"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k1"), AGENTCHAT_STR("C"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("thread"), 1);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k2"), absent, AGENTCHAT_CHANNEL_BYTES,
                                           AGENTCHAT_STR("\0\xFF"), AGENTCHAT_SYNCED_UNKNOWN);
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("state"), absent, AGENTCHAT_STR(" {\"n\": 1} "));
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("file"), AGENTCHAT_STR("text/plain"), AGENTCHAT_STR("\xFF"));
    return finished(b);
}

static void check_sample(const agentchat_snapshot *s)
{
    const agentchat_channel_state *channel = agentchat_snapshot_channel(s, 0);
    agentchat_str media_type;

    assert_null(agentchat_snapshot_format(s));
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(s)), 2);
    assert_str(agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(s), 1)), "two");
    assert_null(agentchat_messages_at(agentchat_snapshot_history(s), 2));
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(s)), 2);
    assert_int_equal(agentchat_snapshot_participant_count(s), 2);
    assert_str(agentchat_participant_id(agentchat_snapshot_participant(s, 0)), "p1");
    assert_str(agentchat_participant_name(agentchat_snapshot_participant(s, 0)), "Desk");
    assert_str(agentchat_participant_type(agentchat_snapshot_participant(s, 0)), "T");
    assert_null(agentchat_participant_name(agentchat_snapshot_participant(s, 1)).ptr);
    assert_null(agentchat_snapshot_participant(s, 2));
    assert_int_equal(agentchat_snapshot_channel_count(s), 2);
    assert_str(agentchat_channel_state_key(channel), "k1");
    assert_str(agentchat_channel_state_type(channel), "C");
    assert_int_equal(agentchat_channel_state_kind(channel), AGENTCHAT_CHANNEL_TEXT);
    assert_str(agentchat_channel_state_data(channel), "thread");
    assert_null(agentchat_channel_state_messages(channel));
    assert_null(agentchat_channel_state_chat(channel));
    assert_int_equal(agentchat_channel_state_synced(channel), 1);
    assert_int_equal(agentchat_channel_state_pending_count(channel), 0);
    channel = agentchat_snapshot_channel(s, 1);
    assert_int_equal(agentchat_channel_state_data(channel).len, 2);
    assert_true(agentchat_channel_state_synced(channel) == AGENTCHAT_SYNCED_UNKNOWN);
    assert_null(agentchat_snapshot_channel(s, 2));
    assert_int_equal(agentchat_snapshot_value_count(s), 2);
    assert_str(agentchat_snapshot_value_name(s, 1), "file");
    assert_null(agentchat_snapshot_value_name(s, 2).ptr);
    assert_str(agentchat_snapshot_value(s, AGENTCHAT_STR("state"), &media_type), "{\"n\": 1}");
    assert_null(media_type.ptr);
    assert_str(agentchat_snapshot_value(s, AGENTCHAT_STR("file"), &media_type), "\xFF");
    assert_str(media_type, "text/plain");
    assert_null(agentchat_snapshot_value(s, AGENTCHAT_STR("none"), NULL).ptr);
    assert_int_equal(agentchat_snapshot_next_turn(s), 0);
    assert_false(agentchat_snapshot_is_complete(s));
}

static void test_snapshot__holds_what_was_put_in(void **state)
{
    agentchat_snapshot *s = sample();

    (void)state;
    check_sample(s);
    agentchat_snapshot_unref(s);
}

static void test_snapshot__is_independent_of_the_one_it_started_from(void **state)
{
    agentchat_snapshot *s = sample();
    agentchat_snapshot *copy = finished(test_snapshot_builder(NULL, s));

    (void)state;
    assert_ptr_equal(agentchat_messages_at(agentchat_snapshot_history(copy), 0),
                     agentchat_messages_at(agentchat_snapshot_history(s), 0));
    agentchat_snapshot_unref(s);
    check_sample(copy);
    agentchat_snapshot_unref(copy);
}

static void test_snapshot__channels_are_replaced_and_removed(void **state)
{
    agentchat_snapshot *s = sample(), *made;
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, s);

    (void)state;
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("k1"), absent, agentchat_snapshot_history(s), 2);
    agentchat_snapshot_builder_set_channel_chat(b, AGENTCHAT_STR("k3"), AGENTCHAT_STR("A"), s, 0);
    agentchat_snapshot_builder_remove_channel(b, AGENTCHAT_STR("k2"));
    agentchat_snapshot_builder_remove_channel(b, AGENTCHAT_STR("nobody"));
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("state"), absent, absent);
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("file"), absent, agentchat_str_null());
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("nobody"), absent, absent);
    made = finished(b);
    agentchat_snapshot_unref(s);
    assert_int_equal(agentchat_snapshot_channel_count(made), 2);
    assert_int_equal(agentchat_channel_state_kind(agentchat_snapshot_channel(made, 0)), AGENTCHAT_CHANNEL_MESSAGES);
    assert_int_equal(agentchat_messages_count(agentchat_channel_state_messages(agentchat_snapshot_channel(made, 0))),
                     2);
    assert_null(agentchat_channel_state_data(agentchat_snapshot_channel(made, 0)).ptr);
    assert_str(agentchat_channel_state_key(agentchat_snapshot_channel(made, 1)), "k3");
    check_sample(agentchat_channel_state_chat(agentchat_snapshot_channel(made, 1)));
    assert_int_equal(agentchat_snapshot_value_count(made), 1);
    assert_str(agentchat_snapshot_value(made, AGENTCHAT_STR("file"), NULL), "null");
    agentchat_snapshot_unref(made);
}

/* Ten messages, a channel that knows `synced` of them and has those of `pending` queued. */
static agentchat_snapshot *ten(size_t synced, const size_t *pending, size_t count)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *s;

    for (size_t i = 0; i < 10; i++)
        add(b, "x");
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), absent, AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR(""),
                                           synced);
    s = finished(b);
    s->channels[0].pending = aci_arena_alloc(s->arena, 10 * sizeof(size_t));
    memcpy(s->channels[0].pending, pending, count * sizeof(size_t));
    s->channels[0].pending_count = count;
    return s;
}

static void check_edit(size_t synced, size_t first, size_t count, size_t with, size_t new_synced,
                       const char *new_pending)
{
    static const size_t pending[] = {1, 3, 4, 6};
    agentchat_snapshot *s = ten(synced, pending, 4), *made;
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, s);
    const agentchat_channel_state *channel;
    agentchat_messages inserted;
    char text[100] = "";

    aci_list_prefix(&inserted, &s->history, with);
    agentchat_snapshot_builder_replace(b, first, count, with > 0 ? &inserted : NULL);
    made = finished(b);
    aci_list_clear(&inserted);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(made)), 10 - count + with);
    for (size_t i = 0; i < 10 - count + with; i++)
        assert_ptr_equal(agentchat_messages_at(agentchat_snapshot_history(made), i),
                         agentchat_messages_at(agentchat_snapshot_history(s), i < first          ? i
                                                                              : i < first + with ? i - first
                                                                                                 : i - with + count));
    channel = agentchat_snapshot_channel(made, 0);
    assert_true(agentchat_channel_state_synced(channel) == new_synced);
    for (size_t i = 0; i < agentchat_channel_state_pending_count(channel); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%zu ", agentchat_channel_state_pending(channel, i));
    assert_string_equal(text, new_pending);
    assert_true(agentchat_channel_state_pending(channel, 9) == AGENTCHAT_SYNCED_UNKNOWN);
    agentchat_snapshot_unref(s);
    agentchat_snapshot_unref(made);
}

static void test_snapshot__positions_follow_an_edit(void **state)
{
    (void)state;
    check_edit(7, 0, 0, 0, 7, "1 3 4 6 ");
    check_edit(7, 0, 0, 2, 9, "3 5 6 8 "); /* put in before all it knows */
    check_edit(7, 7, 0, 2, 7, "1 3 4 6 "); /* put in where its knowledge ends: something new */
    check_edit(7, 2, 2, 0, 5, "1 2 4 ");   /* 3 is gone, and no longer pending */
    check_edit(7, 2, 2, 1, 6, "1 3 5 ");
    check_edit(7, 5, 4, 1, 5, "1 3 4 "); /* known in part: the replacement is new */
    check_edit(7, 8, 2, 0, 7, "1 3 4 6 ");
    check_edit(7, 0, 10, 1, 0, "");
    check_edit(10, 0, 10, 1, 1, "");
    check_edit(AGENTCHAT_SYNCED_UNKNOWN, 0, 3, 0, AGENTCHAT_SYNCED_UNKNOWN, "0 1 3 ");
}

static void test_snapshot__edits_beyond_the_history_are_refused(void **state)
{
    agentchat_snapshot *s = sample();
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, s);

    (void)state;
    agentchat_snapshot_builder_replace(b, 1, 2, NULL);
    refused(b, AGENTCHAT_E_INVALID, "/history", "messages 1 to 3 are to be replaced, but there are only 2");
    b = test_snapshot_builder(NULL, s);
    agentchat_snapshot_builder_replace(b, 3, 0, NULL);
    refused(b, AGENTCHAT_E_INVALID, "/history", NULL);
    b = test_snapshot_builder(NULL, s);
    agentchat_snapshot_builder_replace(b, 1, SIZE_MAX, NULL);
    refused(b, AGENTCHAT_E_INVALID, "/history", NULL);
    b = test_snapshot_builder(NULL, s);
    agentchat_snapshot_builder_replace(b, 0, 2, NULL); /* k1 knows one message, of which none is left */
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k9"), absent, AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR(""),
                                           1);
    refused(b, AGENTCHAT_E_INVALID, "/channels/2/synced", "is said to know 1 messages, but the history has only 0");
    agentchat_snapshot_unref(s);
}

static void test_snapshot__bad_values_are_refused_where_they_stand(void **state)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);

    (void)state;
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_message(b, NULL); /* the first failure sticks */
    refused(b, AGENTCHAT_E_EXISTS, "/participants/1/id", "participant 0 has the same id");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR(""), absent, AGENTCHAT_STR("T"));
    refused(b, AGENTCHAT_E_INVALID, "/participants/0/id", "needs an id");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("a"), AGENTCHAT_STR("\xFF"), absent);
    refused(b, AGENTCHAT_E_INVALID, "/participants/0/name", "not UTF-8 at byte 0");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_add_message(b, NULL);
    refused(b, AGENTCHAT_E_INVALID, "/history/0", "the message to add is NULL");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_channel(b, absent, absent, AGENTCHAT_CHANNEL_TEXT, absent, 0);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/channelkey", "a channel needs a key");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), absent, AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("\xFF"),
                                           0);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/channelstate", "not UTF-8");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), absent, AGENTCHAT_CHANNEL_CHAT, absent, 0);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/statekind", "only text and bytes");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("k"), absent, NULL, 0);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/channelstate", "is NULL");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_channel_chat(b, AGENTCHAT_STR("k"), absent, NULL, 0);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/channelstate", "is NULL");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR(""), absent, AGENTCHAT_STR("1"));
    refused(b, AGENTCHAT_E_INVALID, "/values/0/name", "not empty");
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_value(b, AGENTCHAT_STR("v"), absent, AGENTCHAT_STR("{\"a\":x}"));
    refused(b, AGENTCHAT_E_INVALID, "/values/0/value/a", NULL);
}

static void test_snapshot__a_null_builder_is_refused(void **state)
{
    (void)state;
    agentchat_snapshot_builder_add_message(NULL, NULL);
    agentchat_snapshot_builder_replace(NULL, 0, 0, NULL);
    agentchat_snapshot_builder_add_participant(NULL, absent, absent, absent);
    agentchat_snapshot_builder_set_channel(NULL, absent, absent, AGENTCHAT_CHANNEL_TEXT, absent, 0);
    agentchat_snapshot_builder_set_channel_messages(NULL, absent, absent, NULL, 0);
    agentchat_snapshot_builder_set_channel_chat(NULL, absent, absent, NULL, 0);
    agentchat_snapshot_builder_remove_channel(NULL, absent);
    agentchat_snapshot_builder_set_value(NULL, absent, absent, absent);
    agentchat_snapshot_builder_free(NULL);
    refused(NULL, AGENTCHAT_E_INVALID, "", "builder must not be NULL");
    assert_null(agentchat_snapshot_ref(NULL));
    agentchat_snapshot_unref(NULL);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(NULL)), 0);
    assert_null(agentchat_messages_at(agentchat_snapshot_history(NULL), 0));
    assert_int_equal(agentchat_snapshot_value_count(NULL), 0);
}

/* A chat in a chat in a chat, so deep; NULL when one is refused, for the reason in err. */
static agentchat_snapshot *nested(size_t levels, agentchat_error *err)
{
    agentchat_snapshot *s = finished(test_snapshot_builder(NULL, NULL));

    while (levels-- > 0 && s != NULL) {
        agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
        agentchat_snapshot *outer;

        agentchat_snapshot_builder_set_channel_chat(b, AGENTCHAT_STR("k"), absent, s, 0);
        agentchat_snapshot_unref(s);
        s = agentchat_snapshot_builder_finish(b, &outer, err) < 0 ? NULL : outer;
    }
    return s;
}

static void test_snapshot__chats_nest_up_to_the_limit(void **state)
{
    agentchat_snapshot *s;
    agentchat_error err;

    (void)state;
    s = nested(42, &err);
    assert_non_null(s);
    agentchat_snapshot_unref(s);
    assert_null(nested(43, &err));
    assert_int_equal(err.code, AGENTCHAT_E_LIMIT);
    assert_string_equal(err.path, "/channels/0/channelstate");
}

static void test_snapshot__chats_of_any_depth_are_taken_apart(void **state)
{
    agentchat_snapshot *s = finished(test_snapshot_builder(NULL, NULL));

    (void)state;
    for (size_t i = 0; i < 300000; i++) { /* as no builder and no reader would make one */
        agentchat_snapshot *outer = aci_snapshot_new(aci_env(NULL), aci_arena_new(aci_env(NULL), 200));

        outer->channels = aci_arena_alloc(outer->arena, sizeof *outer->channels);
        memset(outer->channels, 0, sizeof *outer->channels);
        outer->channels[0].kind = AGENTCHAT_CHANNEL_CHAT;
        outer->channels[0].chat = s;
        outer->channel_count = 1;
        s = outer;
    }
    agentchat_snapshot_unref(s);
}

static agentchat_status build_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(env, user);
    const agentchat_snapshot *from = user;
    agentchat_snapshot *made;
    agentchat_status status;

    if (b == NULL)
        return AGENTCHAT_E_NOMEM;
    for (size_t i = 0; i < 20; i++) {
        char id[20];

        snprintf(id, sizeof id, "id%zu", i);
        agentchat_snapshot_builder_add_message(b, agentchat_messages_at(agentchat_snapshot_history(from), 0));
        agentchat_snapshot_builder_add_participant(b, agentchat_str_from(id), absent, AGENTCHAT_STR("T"));
        agentchat_snapshot_builder_set_value(b, agentchat_str_from(id), absent, AGENTCHAT_STR("[1]"));
        agentchat_snapshot_builder_set_channel_messages(b, agentchat_str_from(id), absent, &from->history, 0);
    }
    agentchat_snapshot_builder_set_channel_chat(b, AGENTCHAT_STR("id3"), absent, from, 0);
    agentchat_snapshot_builder_replace(b, 1, 2, &from->history);
    status = agentchat_snapshot_builder_finish(b, &made, err);
    agentchat_snapshot_unref(made);
    return status;
}

static void test_snapshot__survives_running_out_of_memory(void **state)
{
    static const size_t pending[] = {1, 3, 4, 6};
    agentchat_snapshot *s = ten(7, pending, 4);

    (void)state;
    assert_true(test_oom_sweep(build_scenario, s) > 15);
    agentchat_snapshot_unref(s);
}

static void test_builder__sets_pending_and_progress(void **state)
{
    agentchat_snapshot *from = sample(), *made;
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, from);
    const size_t both[] = {0, 1};

    (void)state;
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("k1"), both, 2);
    agentchat_snapshot_builder_set_progress(b, 3, true);
    made = finished(b);
    assert_int_equal(agentchat_channel_state_pending_count(agentchat_snapshot_channel(made, 0)), 2);
    assert_int_equal(agentchat_channel_state_pending(agentchat_snapshot_channel(made, 0), 1), 1);
    assert_int_equal(agentchat_snapshot_next_turn(made), 3);
    assert_true(agentchat_snapshot_is_complete(made));
    agentchat_snapshot_unref(made);
    agentchat_snapshot_unref(from);
}

/* Few are looked through, many have an index; it is the first of a name that counts, as in a file. */
static void test_snapshot__finds_values_however_many(void **state)
{
    static const size_t counts[] = {1, 16, 17, 1000};
    char text[60000], name[24];

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        agentchat_snapshot *snapshot;
        agentchat_str media_type;
        agentchat_error err;
        char *p = text;

        p += sprintf(p, "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":[],"
                        "\"channels\":[],\"values\":[");
        for (size_t n = 0; n < counts[i]; n++)
            p += sprintf(p, "{\"name\":\"n%zu\",\"value\":%zu},", n, n);
        sprintf(p, "{\"name\":\"n0\",\"value\":\"again\"}]}");
        test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
        for (size_t n = 0; n < counts[i]; n++) {
            agentchat_str value;

            sprintf(name, "n%zu", n);
            value = agentchat_snapshot_value(snapshot, agentchat_str_from(name), &media_type);
            assert_true(value.ptr != NULL && strtoull(value.ptr, NULL, 10) == n && media_type.ptr == NULL);
        }
        assert_null(agentchat_snapshot_value(snapshot, AGENTCHAT_STR("n"), &media_type).ptr);
        assert_null(agentchat_snapshot_value(snapshot, (agentchat_str){NULL, 0}, NULL).ptr);
        agentchat_snapshot_unref(snapshot);
    }
}

static void test_builder__turns_end_where_the_formats_end(void **state)
{
    const uint64_t highest = (UINT64_C(1) << 53) - 1;
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *made;

    (void)state;
    agentchat_snapshot_builder_set_progress(b, highest, false);
    made = finished(b);
    assert_int_equal(agentchat_snapshot_next_turn(made), highest);
    agentchat_snapshot_unref(made);
    b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot_builder_set_progress(b, highest + 1, false);
    refused(b, AGENTCHAT_E_INVALID, "/turn", "above 9007199254740991");
}

/* Where sums would overflow. */
static void test_builder__positions_far_past_the_history_stay_there(void **state)
{
    const size_t far[] = {SIZE_MAX - 2};
    agentchat_snapshot *from = sample();
    agentchat_messages *five = NULL;
    const agentchat_message *message = agentchat_messages_at(agentchat_snapshot_history(from), 0),
                            *list[] = {message, message, message, message, message};
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, from);
    agentchat_error err;

    (void)state;
    test_ok(agentchat_messages_new(NULL, list, 5, &five, &err), &err);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("k1"), far, 1);
    agentchat_snapshot_builder_replace(b, 0, 1, five);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/pending", "does not have");
    b = test_snapshot_builder(NULL, from);
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k1"), AGENTCHAT_STR("T"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("x"), SIZE_MAX - 2);
    agentchat_snapshot_builder_replace(b, 0, 1, five);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/synced", NULL);
    agentchat_messages_unref(five);
    agentchat_snapshot_unref(from);
}

static void test_builder__refuses_wrong_pending(void **state)
{
    const size_t beyond[] = {0, 2}, falling[] = {1, 0};
    agentchat_snapshot *from = sample();
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, from);

    (void)state;
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("k1"), beyond, 2);
    refused(b, AGENTCHAT_E_INVALID, "/channels/0/pending", "does not have");
    b = test_snapshot_builder(NULL, from);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("k2"), falling, 2);
    refused(b, AGENTCHAT_E_INVALID, "/channels/1/pending", "do not ascend");
    b = test_snapshot_builder(NULL, from);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("none"), falling, 0);
    refused(b, AGENTCHAT_E_INVALID, "/channels/2", "no channel");
    agentchat_snapshot_unref(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder__sets_pending_and_progress),
        cmocka_unit_test(test_snapshot__finds_values_however_many),
        cmocka_unit_test(test_builder__turns_end_where_the_formats_end),
        cmocka_unit_test(test_builder__positions_far_past_the_history_stay_there),
        cmocka_unit_test(test_builder__refuses_wrong_pending),
        cmocka_unit_test(test_snapshot__holds_what_was_put_in),
        cmocka_unit_test(test_snapshot__is_independent_of_the_one_it_started_from),
        cmocka_unit_test(test_snapshot__channels_are_replaced_and_removed),
        cmocka_unit_test(test_snapshot__positions_follow_an_edit),
        cmocka_unit_test(test_snapshot__edits_beyond_the_history_are_refused),
        cmocka_unit_test(test_snapshot__bad_values_are_refused_where_they_stand),
        cmocka_unit_test(test_snapshot__a_null_builder_is_refused),
        cmocka_unit_test(test_snapshot__chats_nest_up_to_the_limit),
        cmocka_unit_test(test_snapshot__chats_of_any_depth_are_taken_apart),
        cmocka_unit_test(test_snapshot__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
