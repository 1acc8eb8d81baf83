/* SPDX-License-Identifier: Apache-2.0 */
/* Unknown properties of a snapshot, its participants and its channels: set, looked at, taken away, and back from every
   format. */
#include "unit/snapshot/snapshot_test.h"

static const agentchat_str absent = {NULL, 0};

static agentchat_snapshot_builder *start(void)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    const agentchat_message *none = NULL;
    agentchat_messages *list = NULL;
    agentchat_error err;

    test_ok(agentchat_messages_new(NULL, &none, 0, &list, &err), &err);
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("p"), AGENTCHAT_STR("P"), AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("q"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("C"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("thread"), 0);
    agentchat_snapshot_builder_set_channel_messages(b, AGENTCHAT_STR("l"),
                                                    AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL), list, 0);
    agentchat_messages_unref(list);
    return b;
}

static agentchat_snapshot_builder *again(const agentchat_snapshot *from)
{
    return test_snapshot_builder(NULL, from);
}

static void refused(agentchat_snapshot_builder *b, agentchat_status status, const char *path, const char *message)
{
    agentchat_snapshot *made = (agentchat_snapshot *)1;
    agentchat_error err;

    test_fails(agentchat_snapshot_builder_finish(b, &made, &err), &err, status, path, message);
    assert_null(made);
}

static bool is(const agentchat_extra *extra, const char *name, const char *value, agentchat_str from)
{
    return extra != NULL && agentchat_str_equal(extra->name, agentchat_str_from(name)) &&
           agentchat_str_equal(extra->value, agentchat_str_from(value)) && agentchat_str_equal(extra->from, from);
}

static void test_builder_extras__are_added_and_looked_at(void **state)
{
    agentchat_snapshot_builder *b = start();
    const agentchat_channel_state *channel;
    const agentchat_participant *p;
    agentchat_snapshot *made;

    (void)state;
    agentchat_snapshot_builder_add_extra(b, AGENTCHAT_STR("a"), AGENTCHAT_STR(" {\"x\": 1.50} "),
                                         (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_add_extra(b, AGENTCHAT_STR("a"), agentchat_str_null(), AGENTCHAT_STR("agentchat"));
    agentchat_snapshot_builder_add_participant_extra(b, AGENTCHAT_STR("q"), AGENTCHAT_STR("b"), AGENTCHAT_STR("2"),
                                                     AGENTCHAT_STR("semantic-kernel"));
    agentchat_snapshot_builder_add_channel_extra(b, AGENTCHAT_STR("l"), AGENTCHAT_STR("c"), AGENTCHAT_STR("3"),
                                                 (agentchat_str){NULL, 0});
    made = finished(b);
    assert_int_equal(agentchat_snapshot_extra_count(made), 2);
    assert_true(is(agentchat_snapshot_extra(made, 0), "a", "{\"x\": 1.50}", (agentchat_str){NULL, 0}));
    assert_true(is(agentchat_snapshot_extra(made, 1), "a", "null", AGENTCHAT_STR("agentchat")));
    assert_null(agentchat_snapshot_extra(made, 2));
    assert_int_equal(agentchat_participant_extra_count(agentchat_snapshot_participant(made, 0)), 0);
    p = agentchat_snapshot_participant(made, 1);
    assert_int_equal(agentchat_participant_extra_count(p), 1);
    assert_true(is(agentchat_participant_extra(p, 0), "b", "2", AGENTCHAT_STR("semantic-kernel")));
    assert_null(agentchat_participant_extra(p, SIZE_MAX));
    assert_int_equal(agentchat_channel_state_extra_count(agentchat_snapshot_channel(made, 0)), 0);
    channel = agentchat_snapshot_channel(made, 1);
    assert_int_equal(agentchat_channel_state_extra_count(channel), 1);
    assert_true(is(agentchat_channel_state_extra(channel, 0), "c", "3", (agentchat_str){NULL, 0}));
    assert_null(agentchat_channel_state_extra(channel, 1));
    agentchat_snapshot_unref(made);
    assert_int_equal(agentchat_snapshot_extra_count(NULL), 0);
    assert_null(agentchat_snapshot_extra(NULL, 0));
    assert_int_equal(agentchat_participant_extra_count(NULL), 0);
    assert_null(agentchat_participant_extra(NULL, 0));
    assert_int_equal(agentchat_channel_state_extra_count(NULL), 0);
    assert_null(agentchat_channel_state_extra(NULL, 0));
}

/* Lists of every small length, each lengthened in a copy: the room that they have is not that of the original. */
static void test_builder_extras__grow_from_any_length(void **state)
{
    (void)state;
    for (size_t length = 0; length < 20; length++) {
        agentchat_snapshot_builder *b = start();
        agentchat_snapshot *first, *second;

        for (size_t i = 0; i < length; i++)
            agentchat_snapshot_builder_add_extra(b, AGENTCHAT_STR("first"), AGENTCHAT_STR("1"),
                                                 (agentchat_str){NULL, 0});
        first = finished(b);
        b = again(first);
        for (size_t i = 0; i < 20; i++)
            agentchat_snapshot_builder_add_extra(b, AGENTCHAT_STR("second"), AGENTCHAT_STR("2"),
                                                 (agentchat_str){NULL, 0});
        second = finished(b);
        assert_int_equal(agentchat_snapshot_extra_count(first), length);
        assert_int_equal(agentchat_snapshot_extra_count(second), length + 20);
        agentchat_snapshot_unref(first);
        for (size_t i = 0; i < length + 20; i++)
            assert_true(is(agentchat_snapshot_extra(second, i), i < length ? "first" : "second", i < length ? "1" : "2",
                           (agentchat_str){NULL, 0}));
        agentchat_snapshot_unref(second);
    }
}

/* The name of a format that the library does not know lives in the snapshot, too. */
static void test_builder_extras__have_copies_of_their_formats_names(void **state)
{
    agentchat_snapshot_builder *b = start();
    const agentchat_extra *first;
    agentchat_snapshot *made, *copy;
    const char *name;

    (void)state;
    agentchat_snapshot_builder_add_participant_extra(b, AGENTCHAT_STR("p"), AGENTCHAT_STR("a"), AGENTCHAT_STR("1"),
                                                     AGENTCHAT_STR("some-format"));
    agentchat_snapshot_builder_add_extra(b, AGENTCHAT_STR("b"), AGENTCHAT_STR("2"), AGENTCHAT_STR("some-format"));
    made = finished(b);
    name = agentchat_snapshot_extra(made, 0)->from.ptr;
    copy = finished(again(made));
    assert_ptr_not_equal(agentchat_snapshot_extra(copy, 0)->from.ptr, name);
    agentchat_snapshot_unref(made);
    first = agentchat_participant_extra(agentchat_snapshot_participant(copy, 0), 0);
    assert_true(is(first, "a", "1", AGENTCHAT_STR("some-format")));
    assert_true(is(agentchat_snapshot_extra(copy, 0), "b", "2", AGENTCHAT_STR("some-format")));
    agentchat_snapshot_unref(copy);
}

static void test_builder_extras__are_taken_away(void **state)
{
    agentchat_snapshot_builder *b = start();
    const agentchat_str origins[] = {{NULL, 0}, AGENTCHAT_STR("agentchat"), AGENTCHAT_STR("later-format")};
    agentchat_snapshot *first, *second;

    (void)state;
    for (int i = 0; i < 6; i++) {
        agentchat_str name = {&"xyxzxy"[i], 1};

        agentchat_snapshot_builder_add_extra(b, name, AGENTCHAT_STR("1"), origins[i % 3]);
        agentchat_snapshot_builder_add_participant_extra(b, AGENTCHAT_STR("p"), name, AGENTCHAT_STR("1"),
                                                         (agentchat_str){NULL, 0});
        agentchat_snapshot_builder_add_channel_extra(b, AGENTCHAT_STR("k"), name, AGENTCHAT_STR("1"),
                                                     (agentchat_str){NULL, 0});
    }
    first = finished(b);
    b = again(first);
    agentchat_snapshot_builder_remove_extra(b, AGENTCHAT_STR("x"));
    agentchat_snapshot_builder_remove_extra(b, AGENTCHAT_STR("none"));
    agentchat_snapshot_builder_remove_participant_extra(b, AGENTCHAT_STR("p"), AGENTCHAT_STR("z"));
    agentchat_snapshot_builder_remove_participant_extra(b, AGENTCHAT_STR("q"), AGENTCHAT_STR("z"));
    for (int i = 0; i < 3; i++)
        agentchat_snapshot_builder_remove_channel_extra(b, AGENTCHAT_STR("k"), (agentchat_str){&"xyz"[i], 1});
    agentchat_snapshot_builder_add_extra(b, AGENTCHAT_STR("new"), AGENTCHAT_STR("2"), (agentchat_str){NULL, 0});
    second = finished(b);
    assert_int_equal(agentchat_snapshot_extra_count(first), 6);
    assert_int_equal(agentchat_snapshot_extra_count(second), 4);
    assert_str(agentchat_snapshot_extra(second, 1)->name, "z");
    assert_str(agentchat_snapshot_extra(second, 3)->name, "new");
    assert_int_equal(agentchat_participant_extra_count(agentchat_snapshot_participant(second, 0)), 5);
    assert_int_equal(agentchat_channel_state_extra_count(agentchat_snapshot_channel(second, 0)), 0);
    agentchat_snapshot_unref(second);
    agentchat_snapshot_unref(first);
}

static void test_builder_extras__go_with_the_channel_that_is_set_again(void **state)
{
    agentchat_snapshot_builder *b = start();
    agentchat_snapshot *made;

    (void)state;
    agentchat_snapshot_builder_add_channel_extra(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("x"), AGENTCHAT_STR("1"),
                                                 (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), AGENTCHAT_STR("C"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("other"), 0);
    made = finished(b);
    assert_int_equal(agentchat_channel_state_extra_count(agentchat_snapshot_channel(made, 0)), 0);
    agentchat_snapshot_unref(made);
}

static void test_builder_extras__are_refused_with_their_location(void **state)
{
    static const struct {
        agentchat_str name, value;
        agentchat_status status;
        const char *member, *message;
    } cases[] = {
        {{NULL, 0}, {"1", 1}, AGENTCHAT_E_INVALID, "/extras/1/name", "needs a name"},
        {{"\xFF", 1}, {"1", 1}, AGENTCHAT_E_INVALID, "/extras/1/name", "not UTF-8"},
        {{"x", 1}, {NULL, 0}, AGENTCHAT_E_INVALID, "/extras/1/value", "needs a value"},
        {{"x", 1}, {"[1", 2}, AGENTCHAT_E_INVALID, NULL, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int to = 0; to < 3; to++) {
            agentchat_snapshot_builder *b = start();
            char path[64] = "";

            for (int time = 0; time < 2; time++) {
                agentchat_str name = time == 0 ? AGENTCHAT_STR("good") : cases[i].name;
                agentchat_str value = time == 0 ? AGENTCHAT_STR("1") : cases[i].value;

                if (to == 0)
                    agentchat_snapshot_builder_add_extra(b, name, value, (agentchat_str){NULL, 0});
                else if (to == 1)
                    agentchat_snapshot_builder_add_participant_extra(b, AGENTCHAT_STR("q"), name, value,
                                                                     (agentchat_str){NULL, 0});
                else
                    agentchat_snapshot_builder_add_channel_extra(b, AGENTCHAT_STR("l"), name, value,
                                                                 (agentchat_str){NULL, 0});
            }
            if (cases[i].member != NULL)
                (void)snprintf(path, sizeof path, "%s%s",
                               to == 0   ? ""
                               : to == 1 ? "/participants/1"
                                         : "/channels/1",
                               cases[i].member);
            refused(b, cases[i].status, cases[i].member != NULL ? path : NULL, cases[i].message);
        }
}

static void test_builder_extras__need_an_owner_that_is_there(void **state)
{
    agentchat_snapshot_builder *b = start();

    (void)state;
    agentchat_snapshot_builder_add_participant_extra(b, AGENTCHAT_STR("r"), AGENTCHAT_STR("x"), AGENTCHAT_STR("1"),
                                                     (agentchat_str){NULL, 0});
    refused(b, AGENTCHAT_E_INVALID, "/participants/2", "no participant of the snapshot has this id");
    b = start();
    agentchat_snapshot_builder_remove_participant_extra(b, absent, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/participants/2", "no participant of the snapshot has this id");
    b = start();
    agentchat_snapshot_builder_add_channel_extra(b, AGENTCHAT_STR("m"), AGENTCHAT_STR("x"), AGENTCHAT_STR("1"),
                                                 (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_remove_channel_extra(b, AGENTCHAT_STR("m"), AGENTCHAT_STR("x")); /* the first sticks */
    agentchat_snapshot_builder_remove_extra(b, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/channels/2", "no channel of the snapshot has this key");
    b = start();
    agentchat_snapshot_builder_add_extra(b, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), AGENTCHAT_STR("No Name"));
    refused(b, AGENTCHAT_E_INVALID, "/extras/0/from", "the name of a format is 1 to 64 of");
    agentchat_snapshot_builder_add_extra(NULL, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_remove_extra(NULL, AGENTCHAT_STR("x"));
    agentchat_snapshot_builder_add_participant_extra(NULL, AGENTCHAT_STR("p"), AGENTCHAT_STR("x"), AGENTCHAT_STR("1"),
                                                     (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_remove_participant_extra(NULL, AGENTCHAT_STR("p"), AGENTCHAT_STR("x"));
    agentchat_snapshot_builder_add_channel_extra(NULL, AGENTCHAT_STR("k"), AGENTCHAT_STR("x"), AGENTCHAT_STR("1"),
                                                 (agentchat_str){NULL, 0});
    agentchat_snapshot_builder_remove_channel_extra(NULL, AGENTCHAT_STR("k"), AGENTCHAT_STR("x"));
}

/* ---- through the formats ---------------------------------------------------------------------------------------- */

/* Names that formats give to their own properties, and others. */
static const char *const names[] = {
    "x",
    "",
    "agentchat",
    "history",
    "History",
    "participants",
    "Participants",
    "channels",
    "Channels",
    "extras",
    "values",
    "turn",
    "complete",
    "id",
    "Id",
    "name",
    "Name",
    "type",
    "Type",
    "key",
    "state",
    "channelstate",
    "ChannelState",
    "channeltype",
    "ChannelType",
    "channelkey",
    "ChannelKey",
    "synced",
    "pending",
    "$type",
    "statekind",
    "raw",
    "\xC3\xA9\"\\\n",
};
enum { NAMES = (int)(sizeof names / sizeof *names), FROM = 5 };
static const agentchat_str origins[FROM] = {
    {NULL, 0}, {"agentchat", 9}, {"agentchat-encoded", 17}, {"semantic-kernel", 15}, {"x-1", 3}};

static agentchat_snapshot *with_everything(void)
{
    agentchat_snapshot_builder *b = start();

    for (int i = 0; i < NAMES; i++)
        for (int from = 0; from < FROM; from++) {
            agentchat_str name = agentchat_str_from(names[i]);
            char value[32];
            agentchat_str json = {value, (size_t)snprintf(value, sizeof value, "{\"n\": %d.%d0}", i, from)};

            /* In a document of that format this is the sidecar, and its members are looked for there. */
            if (from == 3 && agentchat_str_equal(name, AGENTCHAT_STR("agentchat")))
                continue;
            agentchat_snapshot_builder_add_extra(b, name, json, origins[from]);
            agentchat_snapshot_builder_add_participant_extra(b, AGENTCHAT_STR("p"), name, json, origins[from]);
            agentchat_snapshot_builder_add_channel_extra(b, AGENTCHAT_STR("k"), name, json, origins[from]);
            agentchat_snapshot_builder_add_channel_extra(b, AGENTCHAT_STR("l"), name, json, origins[from]);
        }
    return finished(b);
}

typedef const agentchat_extra *extra_at(const void *owner, size_t index);

static const agentchat_extra *of_snapshot(const void *owner, size_t index)
{
    return agentchat_snapshot_extra(owner, index);
}

static const agentchat_extra *of_participant(const void *owner, size_t index)
{
    return agentchat_participant_extra(owner, index);
}

static const agentchat_extra *of_channel(const void *owner, size_t index)
{
    return agentchat_channel_state_extra(owner, index);
}

/* The same extras, in whatever order. */
static void assert_same_extras(const void *left, const void *right, extra_at *at)
{
    size_t count = 0;

    for (const agentchat_extra *a; (a = at(left, count)) != NULL; count++) {
        size_t i = 0;

        for (const agentchat_extra *b; (b = at(right, i)) != NULL; i++)
            if (agentchat_str_equal(a->name, b->name) && agentchat_str_equal(a->value, b->value) &&
                agentchat_str_equal(a->from, b->from))
                break;
        if (at(right, i) == NULL)
            fail_msg("lost: \"%.*s\" of format %.*s", (int)a->name.len, a->name.ptr, (int)a->from.len, a->from.ptr);
    }
    assert_true(count > 100);
    assert_null(at(right, count));
}

static void test_builder_extras__come_back_from_every_format(void **state)
{
    static const char *const formats[] = {"agentchat", "agentchat-encoded", "semantic-kernel"};
    agentchat_snapshot *made = with_everything();

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
        agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
        agentchat_snapshot *back = NULL;
        agentchat_error err;

        options.format = formats[i];
        test_ok(agentchat_snapshot_write_memory(made, &options, &bytes, NULL, &err), &err);
        test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &back, NULL, &err),
                &err);
        assert_same_extras(made, back, of_snapshot);
        assert_same_extras(agentchat_snapshot_participant(made, 0), agentchat_snapshot_participant(back, 0),
                           of_participant);
        for (size_t k = 0; k < 2; k++)
            assert_same_extras(agentchat_snapshot_channel(made, k), agentchat_snapshot_channel(back, k), of_channel);
        agentchat_snapshot_unref(back);
        agentchat_bytes_clear(&bytes);
    }
    agentchat_snapshot_unref(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder_extras__are_added_and_looked_at),
        cmocka_unit_test(test_builder_extras__grow_from_any_length),
        cmocka_unit_test(test_builder_extras__have_copies_of_their_formats_names),
        cmocka_unit_test(test_builder_extras__are_taken_away),
        cmocka_unit_test(test_builder_extras__go_with_the_channel_that_is_set_again),
        cmocka_unit_test(test_builder_extras__are_refused_with_their_location),
        cmocka_unit_test(test_builder_extras__need_an_owner_that_is_there),
        cmocka_unit_test(test_builder_extras__come_back_from_every_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
