/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What channels had been given: every standing, reductions and filters, random channels against a naive account of each
 * message, many channels of a long history, and without memory.
 */
#include "support/test_support.h"

#include "view/channel_view.h"
#include <stdio.h>

enum { LETTERS = 26, MOST = 48 };

/* Each letter is a text of its own; capital ones are others that equal the small ones. */
static agentchat_message *pool[2 * LETTERS];

static int make_pool(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * LETTERS; i++) {
        char text[2] = {(char)('a' + i % LETTERS), '\0'};

        if (agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, agentchat_str_from(text), &pool[i],
                                       NULL) < 0)
            return 1;
    }
    return 0;
}

static int free_pool(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * LETTERS; i++)
        agentchat_message_unref(pool[i]);
    return 0;
}

static const agentchat_message *message_of(char letter)
{
    return letter >= 'a' ? pool[letter - 'a'] : pool[LETTERS + letter - 'A'];
}

static agentchat_snapshot_builder *history_of(const agentchat_env *env, const char *letters)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(env, NULL);

    for (const char *p = letters; *p != '\0'; p++)
        agentchat_snapshot_builder_add_message(b, message_of(*p));
    return b;
}

/* Adds a channel that holds messages. */
static void add_holder(agentchat_snapshot_builder *b, const char *key, const char *letters, size_t synced)
{
    const agentchat_message *array[MOST];
    agentchat_messages *list;
    size_t count = 0;
    agentchat_error err;

    for (const char *p = letters; *p != '\0'; p++)
        array[count++] = message_of(*p);
    test_ok(agentchat_messages_new(NULL, array, count, &list, &err), &err);
    agentchat_snapshot_builder_set_channel_messages(b, agentchat_str_from(key), AGENTCHAT_STR("t"), list, synced);
    agentchat_messages_unref(list);
}

static void add_plain(agentchat_snapshot_builder *b, const char *key, size_t synced)
{
    agentchat_snapshot_builder_set_channel(b, agentchat_str_from(key), AGENTCHAT_STR("t"), AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("id"), synced);
}

static agentchat_snapshot *finish(agentchat_snapshot_builder *b)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    return snapshot;
}

/* `hhl+0n`: a letter for each message of the history, and before it a plus and a number for each message that only the
   channel holds. */
static void describe(const aci_channel_view *view, size_t history_count, char *out)
{
    size_t own = 0, at = 0;

    for (size_t run = 0; run <= view->run_count; run++) {
        size_t count = run < view->run_count ? view->runs[run].count : 1;

        assert_true(count > 0);
        for (size_t i = 0; i < count; i++, at++) {
            for (; own < view->own_count && view->owns[own].before == at; own++)
                out += sprintf(out, "+%zu", view->owns[own].index);
            if (run < view->run_count)
                *out++ = (char)view->runs[run].standing;
        }
        if (run + 1 < view->run_count)
            assert_true(view->runs[run].standing != view->runs[run + 1].standing);
    }
    assert_int_equal(at, history_count + 1);
    assert_int_equal(own, view->own_count);
    *out = '\0';
}

static void check(agentchat_snapshot *snapshot, const char *const *expected, size_t count)
{
    static const aci_standing standings[] = {ACI_HELD, ACI_LEFT, ACI_NOT_HELD, ACI_WAITING, ACI_NOT_GIVEN, ACI_UNKNOWN};
    aci_channel_views views;
    char found[8 * MOST];
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_channel_views_make(&views, snapshot, &err), &err);
    assert_int_equal(views.count, count);
    for (size_t i = 0; i < count; i++) {
        size_t all = 0;

        describe(&views.list[i], agentchat_messages_count(agentchat_snapshot_history(snapshot)), found);
        assert_string_equal(found, expected[i]);
        for (size_t k = 0; k < sizeof standings / sizeof *standings; k++)
            all += aci_channel_view_count(&views.list[i], standings[k]);
        assert_int_equal(all, agentchat_messages_count(agentchat_snapshot_history(snapshot)));
    }
    aci_channel_views_clear(&views);
    assert_null(views.list);
    agentchat_snapshot_unref(snapshot);
}

/* ---- cases ------------------------------------------------------------------------------------------------------ */

static void test_channel_view__of_channels_that_hold_no_messages(void **state)
{
    static const size_t pending[] = {1, 4}, late[] = {4, 5};
    static const char *const expected[] = {"hhhhhh", "hhhnnn", "nnnnnn", "uuuuuu", "hwhhwh", "hhhnww"};
    agentchat_snapshot_builder *b = history_of(NULL, "abcdef");

    (void)state;
    add_plain(b, "0", 6);
    add_plain(b, "1", 3);
    add_plain(b, "2", 0);
    add_plain(b, "3", AGENTCHAT_SYNCED_UNKNOWN);
    add_plain(b, "4", 6);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("4"), pending, 2);
    add_plain(b, "5", 3);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("5"), late, 2);
    check(finish(b), expected, 6);
}

static void test_channel_view__of_channels_that_hold_messages(void **state)
{
    static const size_t pending[] = {2, 3};
    static const char *const expected[] = {
        "hhhhhh",       /* all of it */
        "hhhhhh",       /* all of it, as copies */
        "llhhhh",       /* reduced: the first ones were dropped */
        "llll+0hh",     /* reduced to a summary and the last ones */
        "hlhlhl",       /* filtered */
        "hhhnnn",       /* not given the last ones */
        "hhhhnn",       /* holds one that it had not been given, as far as the source says */
        "ddddhd",       /* the source does not say what it was given */
        "hhwwnn",       /* some wait */
        "llllll",       /* emptied */
        "+0+1+2nnnnnn", /* nothing of it */
        "llllll+0",     /* reduced to a summary alone */
        "hhll+2nn",     /* to the first ones and a summary, not given the last ones */
        "hl+1wwnn",     /* the same, of which some wait */
        "ddhd+1+2hd",   /* the source does not say what it was given */
        "hl+1hlhl+4",   /* between and after them */
        "h+1hhlll",     /* a message of its own between those of the history */
    };
    agentchat_snapshot_builder *b = history_of(NULL, "abcdef");

    (void)state;
    add_holder(b, "00", "abcdef", 6);
    add_holder(b, "01", "ABCDEF", 6);
    add_holder(b, "02", "cdef", 6);
    add_holder(b, "03", "zEf", 6);
    add_holder(b, "04", "aCe", 6);
    add_holder(b, "05", "abc", 3);
    add_holder(b, "06", "abcd", 3);
    add_holder(b, "07", "e", AGENTCHAT_SYNCED_UNKNOWN);
    add_holder(b, "08", "ab", 4);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("08"), pending, 2);
    add_holder(b, "09", "", 6);
    add_holder(b, "10", "xyz", 0);
    add_holder(b, "11", "x", 6);
    add_holder(b, "12", "abx", 4);
    add_holder(b, "13", "ax", 4);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("13"), pending, 2);
    add_holder(b, "14", "cxye", AGENTCHAT_SYNCED_UNKNOWN);
    add_holder(b, "15", "axcez", 6);
    add_holder(b, "16", "axbc", 6);
    check(finish(b), expected, 17);
}

static void test_channel_view__without_a_history_or_channels(void **state)
{
    static const char *const expected[] = {"", "+0+1", ""};
    agentchat_snapshot_builder *b = history_of(NULL, "");

    (void)state;
    add_plain(b, "0", 0);
    add_holder(b, "1", "ab", 0);
    add_plain(b, "2", AGENTCHAT_SYNCED_UNKNOWN);
    check(finish(b), expected, 3);
    check(finish(history_of(NULL, "abc")), expected, 0);
}

/* ---- random channels -------------------------------------------------------------------------------------------- */

/* The standing of each message that is not held, by the words of channel_view.h. */
static char naive_standing(const agentchat_channel_state *channel, size_t message)
{
    bool holds = agentchat_channel_state_kind(channel) == AGENTCHAT_CHANNEL_MESSAGES;
    size_t synced = agentchat_channel_state_synced(channel);

    for (size_t i = 0; i < agentchat_channel_state_pending_count(channel); i++)
        if (agentchat_channel_state_pending(channel, i) == message)
            return 'w';
    if (synced == AGENTCHAT_SYNCED_UNKNOWN)
        return holds ? 'd' : 'u';
    if (message >= synced)
        return 'n';
    return holds ? 'l' : 'h';
}

static void random_channel(agentchat_snapshot_builder *b, const char *key, size_t history_count)
{
    size_t pending[MOST], pending_count = 0, synced = test_pick(history_count + 1);
    char letters[MOST / 2 + 1] = "";

    if (test_pick(4) == 0)
        synced = AGENTCHAT_SYNCED_UNKNOWN;
    for (size_t i = 0, len = test_pick(MOST / 2); i < len; i++)
        letters[i] = (char)((test_pick(4) == 0 ? 'A' : 'a') + test_pick(LETTERS));
    if (test_pick(2) == 0)
        add_holder(b, key, letters, synced);
    else
        add_plain(b, key, synced);
    for (size_t i = 0; i < history_count; i++)
        if (test_pick(3) == 0)
            pending[pending_count++] = i;
    if (test_pick(2) == 0)
        agentchat_snapshot_builder_set_pending(b, agentchat_str_from(key), pending, pending_count);
}

static void check_naively(const agentchat_channel_state *channel, const char *found)
{
    const agentchat_messages *held = agentchat_channel_state_messages(channel);
    size_t at = 0, own_or_held = 0;

    for (const char *p = found; *p != '\0'; p++) {
        if (*p == '+') {
            assert_int_equal(strtoull(p + 1, (char **)&p, 10), own_or_held++);
            p--;
            continue;
        }
        if (*p == 'h' && held != NULL)
            own_or_held++;
        else
            assert_int_equal(*p, naive_standing(channel, at));
        at++;
    }
    assert_int_equal(own_or_held, agentchat_messages_count(held));
}

static void test_channel_view__like_a_naive_account(void **state)
{
    (void)state;
    for (size_t round = 0; round < 500; round++) {
        char letters[MOST + 1] = "", found[8 * MOST];
        size_t count = test_pick(MOST);
        agentchat_snapshot_builder *b;
        agentchat_snapshot *snapshot;
        aci_channel_views views;
        agentchat_error err;

        for (size_t i = 0; i < count; i++)
            letters[i] = (char)('a' + test_pick(LETTERS));
        b = history_of(NULL, letters);
        for (size_t i = 0; i < 4; i++)
            random_channel(b, (const char[]){(char)('0' + i), '\0'}, count);
        snapshot = finish(b);
        agentchat_error_clear(&err);
        test_ok(aci_channel_views_make(&views, snapshot, &err), &err);
        for (size_t i = 0; i < 4; i++) {
            describe(&views.list[i], count, found);
            check_naively(agentchat_snapshot_channel(snapshot, i), found);
        }
        aci_channel_views_clear(&views);
        agentchat_snapshot_unref(snapshot);
    }
}

/* ---- cost ------------------------------------------------------------------------------------------------------- */

/* Seconds for so many messages and as many channels, each of which holds little. */
static double measure(size_t count)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot;
    aci_channel_views views;
    agentchat_error err;
    double begin;

    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_builder_add_message(b, pool[i + 1 == count]);
    for (size_t i = 0; i < count; i++) {
        char key[24];

        (void)snprintf(key, sizeof key, "%zu", i);
        if (i % 2 == 0)
            add_holder(b, key, "ba", count);
        else
            add_plain(b, key, i % 4 == 1 ? AGENTCHAT_SYNCED_UNKNOWN : count);
    }
    snapshot = finish(b);
    begin = test_seconds();
    agentchat_error_clear(&err);
    test_ok(aci_channel_views_make(&views, snapshot, &err), &err);
    aci_channel_views_clear(&views);
    begin = test_seconds() - begin;
    agentchat_snapshot_unref(snapshot);
    return begin;
}

static void test_channel_view__many_channels_of_a_long_history(void **state)
{
    enum { SMALL = 1000, STEP = 8, WORST = 30, TRIES = 2 };
    double small = 1e9, large = 1e9;

    (void)state;
    for (int k = 0; k < TRIES; k++) {
        double a = measure(SMALL), b = measure(SMALL * STEP);

        small = a < small ? a : small;
        large = b < large ? b : large;
    }
    printf("%.6f s for %d, %.6f s for %d\n", small, SMALL, large, SMALL * STEP);
    assert_true(large < WORST * (small > 0.0001 ? small : 0.0001));
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static agentchat_status make(const agentchat_env *env, void *user, agentchat_error *err)
{
    static const size_t pending[] = {0, 2};
    agentchat_snapshot_builder *b;
    agentchat_snapshot *snapshot;
    aci_channel_views views;
    agentchat_status status;

    (void)user;
    test_oom_running()->held = true;
    b = history_of(env, "abcdefabc");
    add_plain(b, "0", 3);
    agentchat_snapshot_builder_set_pending(b, AGENTCHAT_STR("0"), pending, 2);
    add_holder(b, "1", "aXcYeZ", 6);
    add_holder(b, "2", "abcdef", 6);
    snapshot = finish(b);
    test_oom_running()->held = false;
    status = aci_channel_views_make(&views, snapshot, err);
    aci_channel_views_clear(&views);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static void test_channel_view__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(make, NULL) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channel_view__of_channels_that_hold_no_messages),
        cmocka_unit_test(test_channel_view__of_channels_that_hold_messages),
        cmocka_unit_test(test_channel_view__without_a_history_or_channels),
        cmocka_unit_test(test_channel_view__like_a_naive_account),
        cmocka_unit_test(test_channel_view__many_channels_of_a_long_history),
        cmocka_unit_test(test_channel_view__out_of_memory),
    };

    test_seed(99);
    return cmocka_run_group_tests_name("channel_view", tests, make_pool, free_pool);
}
