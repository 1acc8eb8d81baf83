/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of sessions: order, pages, cursors while others write. */
#include "session/contract/contract.h"

#include <stdio.h>

static agentchat_session_list *page_of(scene *s, const char *user, size_t limit, const char *cursor)
{
    agentchat_session_list *list = NULL;

    test_ok(
        agentchat_session_list_read(
            s->store, s->app,
            &(agentchat_session_list_options){
                .struct_size = sizeof(agentchat_session_list_options), .user = user, .cursor = cursor, .limit = limit},
            &list, &s->err),
        &s->err);
    return list;
}

/* "user/id user/id" of a page. */
static void note_page(const agentchat_session_list *list, char *out, size_t size)
{
    size_t len = strlen(out);

    for (size_t i = 0; i < agentchat_session_list_count(list); i++) {
        const agentchat_session_info *info = agentchat_session_list_at(list, i);

        len += (size_t)snprintf(out + len, size - len, "%s%s/%s", len > 0 ? " " : "", info->user, info->id);
        assert_true(len < size);
    }
}

static void expect_list(scene *s, const char *user, size_t limit, const char *expected)
{
    agentchat_session_list *list;
    char found[4096] = "", cursor[4096] = "";

    do {
        list = page_of(s, user, limit, cursor[0] != '\0' ? cursor : NULL);
        assert_true(limit == 0 || agentchat_session_list_count(list) <= limit);
        note_page(list, found, sizeof found);
        snprintf(cursor, sizeof cursor, "%s",
                 agentchat_session_list_cursor(list) != NULL ? agentchat_session_list_cursor(list) : "");
        assert_true(cursor[0] == '\0' || agentchat_session_list_count(list) == limit);
        agentchat_session_list_free(list);
    } while (cursor[0] != '\0');
    assert_string_equal(found, expected);
}

static void make(scene *s, const char *user, const char *id, int64_t at_us)
{
    s->step_us = 0;
    s->now_us = at_us;
    agentchat_session_free(scene_create(s, user, id, NULL));
}

static void touch(scene *s, const char *user, const char *id, int64_t at_us)
{
    agentchat_session *session = scene_get(s, user, id);

    s->now_us = at_us;
    (void)scene_append(s, session, NULL, NULL);
    agentchat_session_free(session);
}

static void test_list__those_written_to_last_come_first(void **state)
{
    scene *s = *state;

    make(s, "u", "a", 1000);
    make(s, "u", "b", 2000);
    make(s, "u", "c", 3000);
    expect_list(s, "u", 0, "u/c u/b u/a");
    touch(s, "u", "a", 4000);
    expect_list(s, "u", 0, "u/a u/c u/b");
    touch(s, "u", "b", 5000);
    expect_list(s, "u", 0, "u/b u/a u/c");
}

static void test_list__equal_times_are_ordered_by_user_and_id_backwards(void **state)
{
    static const char *const users[] = {"a", "B", "\xC3\xA9", "aa"};
    static const char *const ids[] = {"x", "X", "\xE2\x82\xAC", "x0"};
    scene *s = *state;

    for (size_t u = 0; u < 4; u++)
        for (size_t i = 0; i < 4; i++)
            make(s, users[u], ids[i], 5000);
    expect_list(s, NULL, 0,
                "\xC3\xA9/\xE2\x82\xAC \xC3\xA9/x0 \xC3\xA9/x \xC3\xA9/X aa/\xE2\x82\xAC aa/x0 aa/x aa/X "
                "a/\xE2\x82\xAC a/x0 a/x a/X B/\xE2\x82\xAC B/x0 B/x B/X");
    expect_list(s, "a", 0, "a/\xE2\x82\xAC a/x0 a/x a/X");
    for (size_t limit = 1; limit <= 17; limit++)
        expect_list(s, NULL, limit,
                    "\xC3\xA9/\xE2\x82\xAC \xC3\xA9/x0 \xC3\xA9/x \xC3\xA9/X aa/\xE2\x82\xAC aa/x0 aa/x aa/X "
                    "a/\xE2\x82\xAC a/x0 a/x a/X B/\xE2\x82\xAC B/x0 B/x B/X");
}

static void test_list__tells_what_a_session_is(void **state)
{
    scene *s = *state;
    agentchat_session_list *list;
    const agentchat_session_info *info;

    make(s, "u", "a", 1000);
    touch(s, "u", "a", 2000);
    touch(s, "u", "a", 3000);
    list = page_of(s, "u", 0, NULL);
    assert_int_equal(agentchat_session_list_count(list), 1);
    info = agentchat_session_list_at(list, 0);
    assert_int_equal(info->sequence, 2);
    assert_int_equal(info->created_us, 1000);
    assert_int_equal(info->updated_us, 3000);
    assert_string_equal(info->user, "u");
    assert_string_equal(info->id, "a");
    assert_null(agentchat_session_list_at(list, 1));
    assert_null(agentchat_session_list_cursor(list));
    agentchat_session_list_free(list);
}

static void test_list__pages_go_through_all(void **state)
{
    scene *s = *state;

    for (int i = 0; i < 37; i++) {
        char id[16];

        snprintf(id, sizeof id, "s%02d", i);
        make(s, i % 2 == 0 ? "u" : "v", id, 1000 + i / 5); /* equal times too */
    }
    expect_list(s, "u", 0,
                "u/s36 u/s34 u/s32 u/s30 u/s28 u/s26 u/s24 u/s22 u/s20 u/s18 u/s16 u/s14 u/s12 u/s10 u/s08 "
                "u/s06 u/s04 u/s02 u/s00");
    for (size_t limit = 1; limit < 20; limit++)
        expect_list(s, "u", limit,
                    "u/s36 u/s34 u/s32 u/s30 u/s28 u/s26 u/s24 u/s22 u/s20 u/s18 u/s16 u/s14 u/s12 u/s10 u/s08 "
                    "u/s06 u/s04 u/s02 u/s00");
}

static void test_list__an_exactly_full_last_page_has_no_cursor(void **state)
{
    scene *s = *state;
    agentchat_session_list *list;

    make(s, "u", "a", 1000);
    make(s, "u", "b", 2000);
    list = page_of(s, "u", 2, NULL);
    assert_int_equal(agentchat_session_list_count(list), 2);
    assert_null(agentchat_session_list_cursor(list));
    agentchat_session_list_free(list);
    list = page_of(s, "u", 1, NULL);
    assert_non_null(agentchat_session_list_cursor(list));
    agentchat_session_list_free(list);
}

static void test_list__the_default_page_has_100(void **state)
{
    scene *s = *state;
    agentchat_session_list *list;
    char id[16];

    for (int i = 0; i < 103; i++) {
        snprintf(id, sizeof id, "s%d", i);
        make(s, "u", id, 1000 + i);
    }
    list = page_of(s, "u", 0, NULL);
    assert_int_equal(agentchat_session_list_count(list), 100);
    assert_non_null(agentchat_session_list_cursor(list));
    agentchat_session_list_free(list);
    list = page_of(s, "u", SIZE_MAX, NULL);
    assert_int_equal(agentchat_session_list_count(list), 103);
    agentchat_session_list_free(list);
}

/* Sessions are written to, made and deleted between the pages: none comes twice, and none that stayed as it was is
   missing. */
static void test_list__through_pages_none_repeats_whatever_is_written(void **state)
{
    scene *s = *state;
    bool touched[60] = {false};
    int seen[80] = {0};
    char cursor[4096] = "", id[16];
    unsigned random = 7;
    int64_t now = 100000;

    for (int i = 0; i < 60; i++) {
        snprintf(id, sizeof id, "s%02d", i);
        make(s, "u", id, 1000 + i / 3);
    }
    for (int page = 0;; page++) {
        agentchat_session_list *list = page_of(s, "u", 7, cursor[0] != '\0' ? cursor : NULL);

        for (size_t i = 0; i < agentchat_session_list_count(list); i++)
            seen[atoi(agentchat_session_list_at(list, i)->id + 1)]++;
        snprintf(cursor, sizeof cursor, "%s",
                 agentchat_session_list_cursor(list) != NULL ? agentchat_session_list_cursor(list) : "");
        agentchat_session_list_free(list);
        if (cursor[0] == '\0')
            break;
        for (int i = 0; i < 5; i++) {
            random = random * 1103515245u + 12345u;
            snprintf(id, sizeof id, "s%02u", (random >> 16) % 60);
            touched[(random >> 16) % 60] = true;
            touch(s, "u", id, now++);
        }
        snprintf(id, sizeof id, "s%d", 60 + page);
        make(s, "u", id, now++);
    }
    for (int i = 0; i < 80; i++) {
        assert_true(seen[i] <= 1);
        if (i < 60 && !touched[i])
            assert_int_equal(seen[i], 1);
    }
}

static void test_list__a_clock_that_goes_back_repeats_nothing(void **state)
{
    scene *s = *state;
    char cursor[4096];
    agentchat_session_list *list;

    make(s, "u", "a", 1000);
    make(s, "u", "b", 2000);
    make(s, "u", "c", 3000);
    list = page_of(s, "u", 1, NULL);
    assert_string_equal(agentchat_session_list_at(list, 0)->id, "c");
    snprintf(cursor, sizeof cursor, "%s", agentchat_session_list_cursor(list));
    agentchat_session_list_free(list);
    touch(s, "u", "c", 10); /* stays where it is */
    list = page_of(s, "u", 10, cursor);
    assert_int_equal(agentchat_session_list_count(list), 2);
    assert_string_equal(agentchat_session_list_at(list, 0)->id, "b");
    assert_string_equal(agentchat_session_list_at(list, 1)->id, "a");
    agentchat_session_list_free(list);
}

static void test_list__continues_after_a_row_that_is_gone(void **state)
{
    scene *s = *state;
    char cursor[4096], id[8];
    agentchat_session_list *list;

    for (int i = 0; i < 6; i++) {
        snprintf(id, sizeof id, "s%d", i);
        make(s, "u", id, 1000 + i);
    }
    list = page_of(s, "u", 2, NULL);
    snprintf(cursor, sizeof cursor, "%s", agentchat_session_list_cursor(list));
    agentchat_session_list_free(list);
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s4"}, &s->err), &s->err);
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s2"}, &s->err), &s->err);
    list = page_of(s, "u", 10, cursor);
    assert_int_equal(agentchat_session_list_count(list), 3);
    assert_string_equal(agentchat_session_list_at(list, 0)->id, "s3");
    agentchat_session_list_free(list);
}

static void test_list__cursors_are_printable_and_belong_to_their_list(void **state)
{
    static const char *const bad[] = {
        "", "x", "AAAA", "MQ==", "!!!!", "MQAAAAAA", "MQBhAHUAMQBhAA==", "MQBhAHUAeABhAGI="};
    scene *s = *state;
    agentchat_session_list *list, *none = (agentchat_session_list *)s;
    char cursor[4096];

    make(s, "u", "a", 1000);
    make(s, "u", "b\x01\xE2\x82\xAC", 2000);
    list = page_of(s, "u", 1, NULL);
    snprintf(cursor, sizeof cursor, "%s", agentchat_session_list_cursor(list));
    agentchat_session_list_free(list);
    for (const char *p = cursor; *p != '\0'; p++)
        assert_true(*p > ' ' && *p < 127);
    expect_fails(s,
                 agentchat_session_list_read(
                     s->store, s->app,
                     &(agentchat_session_list_options){
                         .struct_size = sizeof(agentchat_session_list_options), .cursor = cursor, .limit = 1},
                     &none, &s->err),
                 AGENTCHAT_E_INVALID, "another list");
    assert_null(none);
    expect_fails(
        s,
        agentchat_session_list_read(
            s->store, s->app,
            &(agentchat_session_list_options){
                .struct_size = sizeof(agentchat_session_list_options), .user = "v", .cursor = cursor, .limit = 1},
            &none, &s->err),
        AGENTCHAT_E_INVALID, "another list");
    expect_fails(
        s,
        agentchat_session_list_read(
            s->store, "other",
            &(agentchat_session_list_options){
                .struct_size = sizeof(agentchat_session_list_options), .user = "u", .cursor = cursor, .limit = 1},
            &none, &s->err),
        AGENTCHAT_E_INVALID, "another list");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_fails(
            s,
            agentchat_session_list_read(
                s->store, s->app,
                &(agentchat_session_list_options){
                    .struct_size = sizeof(agentchat_session_list_options), .user = "u", .cursor = bad[i], .limit = 1},
                &none, &s->err),
            AGENTCHAT_E_INVALID, NULL);
    for (size_t i = 0; cursor[i] != '\0';
         i++) { /* one character damaged: refused, or another position in the same list */
        char kept = cursor[i];

        cursor[i] = kept == 'A' ? 'B' : 'A';
        if (agentchat_session_list_read(
                s->store, s->app,
                &(agentchat_session_list_options){
                    .struct_size = sizeof(agentchat_session_list_options), .user = "u", .cursor = cursor, .limit = 1},
                &none, &s->err) >= 0)
            agentchat_session_list_free(none);
        else
            assert_int_equal(s->err.code, AGENTCHAT_E_INVALID);
        cursor[i] = kept;
    }
}

static void test_list__of_nothing_is_empty(void **state)
{
    scene *s = *state;

    expect_list(s, NULL, 0, "");
    expect_list(s, "nobody", 0, "");
    assert_int_equal(agentchat_session_list_count(NULL), 0);
    assert_null(agentchat_session_list_cursor(NULL));
    assert_null(agentchat_session_list_at(NULL, 0));
    agentchat_session_list_free(NULL);
}

static void test_list__rewinding_and_copying_are_writes(void **state)
{
    scene *s = *state;
    agentchat_session *session;

    make(s, "u", "a", 1000);
    touch(s, "u", "a", 1500);
    make(s, "u", "b", 2000);
    session = scene_get(s, "u", "a");
    s->now_us = 3000;
    test_ok(agentchat_session_rewind(session, NULL, NULL, &s->err), &s->err);
    expect_list(s, "u", 0, "u/a u/b");
    s->now_us = 4000;
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "b"}, "c", NULL, &s->err), &s->err);
    expect_list(s, "u", 0, "u/c u/a u/b");
    agentchat_session_free(session);
}

static void test_list__options_of_zeros_list_all_users(void **state)
{
    scene *s = *state;
    agentchat_session_list_options zeros = {.struct_size = sizeof zeros};
    agentchat_session_list *list = NULL;
    char plain[4096] = "", with[4096] = "";

    make(s, "u", "a", 1000);
    make(s, "v", "b", 2000);
    test_ok(agentchat_session_list_read(s->store, s->app, NULL, &list, &s->err), &s->err);
    note_page(list, plain, sizeof plain);
    agentchat_session_list_free(list);
    test_ok(agentchat_session_list_read(s->store, s->app, &zeros, &list, &s->err), &s->err);
    note_page(list, with, sizeof with);
    agentchat_session_list_free(list);
    assert_string_equal(plain, "v/b u/a");
    assert_string_equal(with, plain);
}

static void test_list__says_which_argument_is_wrong(void **state)
{
    scene *s = *state;
    agentchat_session_list_options options = {.struct_size = 0};
    agentchat_session_list *list = (agentchat_session_list *)s;

    expect_fails(s, agentchat_session_list_read(NULL, s->app, NULL, &list, &s->err), AGENTCHAT_E_INVALID, "store");
    assert_null(list);
    expect_fails(s, agentchat_session_list_read(s->store, NULL, NULL, &list, &s->err), AGENTCHAT_E_INVALID,
                 "application");
    expect_fails(s, agentchat_session_list_read(s->store, s->app, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "out");
    expect_fails(s, agentchat_session_list_read(s->store, s->app, &options, &list, &s->err), AGENTCHAT_E_INVALID,
                 "struct_size");
}

int contract_list(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_list__those_written_to_last_come_first),
        SCENE_TEST(test_list__equal_times_are_ordered_by_user_and_id_backwards),
        SCENE_TEST(test_list__tells_what_a_session_is),
        SCENE_TEST(test_list__pages_go_through_all),
        SCENE_TEST(test_list__an_exactly_full_last_page_has_no_cursor),
        SCENE_TEST(test_list__the_default_page_has_100),
        SCENE_TEST(test_list__through_pages_none_repeats_whatever_is_written),
        SCENE_TEST(test_list__a_clock_that_goes_back_repeats_nothing),
        SCENE_TEST(test_list__continues_after_a_row_that_is_gone),
        SCENE_TEST(test_list__cursors_are_printable_and_belong_to_their_list),
        SCENE_TEST(test_list__of_nothing_is_empty),
        SCENE_TEST(test_list__options_of_zeros_list_all_users),
        SCENE_TEST(test_list__says_which_argument_is_wrong),
        SCENE_TEST(test_list__rewinding_and_copying_are_writes),
    };

    return CONTRACT_GROUP("list", tests);
}
