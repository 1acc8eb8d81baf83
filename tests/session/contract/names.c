/* SPDX-License-Identifier: Apache-2.0 */
/* Names and keys at their limits, and what is refused on every way in. */
#include "session/contract/contract.h"

#include <stdio.h>

/* A text of `len` bytes that begins with `head` and is made of `with`, whose length divides the rest. */
static char *text_of(size_t len, const char *head, const char *with)
{
    char *text = malloc(len + 1);
    size_t at = strlen(head), step = strlen(with);

    assert_non_null(text);
    assert_int_equal((len - at) % step, 0);
    memcpy(text, head, at);
    for (; at < len; at += step)
        memcpy(text + at, with, step);
    text[len] = '\0';
    return text;
}

typedef struct bad_text {
    const char *text, *message;
} bad_text;

/* What no name and no key may be. */
static const bad_text bad_texts[] = {
    {"", "must not be empty"},
    {"a\xFF", "not UTF-8"},
    {"\x80", "not UTF-8"},
    {"\xC0\x80", "not UTF-8"},
    {"\xC3", "not UTF-8"},
    {"\xE2\x82", "not UTF-8"},
    {"\xF4\x90\x80\x80", "not UTF-8"},
    {"\xF0\x82\x82\xAC", "not UTF-8"},
    {"x\xED\xA0\x80", "surrogate"},
    {"\xED\xBF\xBF", "surrogate"},
    {"\xED\xA0\xBD\xED\xB8\x80", "surrogate"},
};
#define BAD_TEXTS (sizeof bad_texts / sizeof *bad_texts)

/* What is not refused, however odd. */
static const char *const odd_texts[] = {
    " ",
    "a b",
    "/",
    "../..",
    "a/b",
    "a:b",
    "%",
    "_",
    "'",
    "\"",
    "\\",
    "\x01",
    "\x1F\x7F",
    "\n",
    "\xC3\xA9",
    "e\xCC\x81",
    "\xF0\x9F\x98\x80",
    "\xEF\xBF\xBF",
    "\xEF\xBB\xBF",
    "$1",
    "?",
    "--",
    "';DROP TABLE session;--",
    "NULL",
    "temp:",
    "app:",
};
#define ODD_TEXTS (sizeof odd_texts / sizeof *odd_texts)

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* Every call that takes names, with one of them bad. which: 0 the application, 1 the user, 2 the id. */
static void expect_refused(scene *s, int which, const char *name, const char *message)
{
    const char *app = which == 0 ? name : s->app, *user = which == 1 ? name : "u", *id = which == 2 ? name : "s";
    agentchat_session *session = (agentchat_session *)s;
    agentchat_session_list *list = (agentchat_session_list *)s;
    agentchat_state *map = (agentchat_state *)s;
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    uint64_t count = 7;

    expect_fails(s, agentchat_session_id_check(&(agentchat_session_id){app, user, id}, &s->err), AGENTCHAT_E_INVALID,
                 message);
    expect_fails(s, agentchat_session_create(s->store, &(agentchat_session_id){app, user, id}, NULL, &session, &s->err),
                 AGENTCHAT_E_INVALID, message);
    assert_null(session);
    session = (agentchat_session *)s;
    expect_fails(s, agentchat_session_get(s->store, &(agentchat_session_id){app, user, id}, NULL, &session, &s->err),
                 AGENTCHAT_E_INVALID, message);
    assert_null(session);
    expect_fails(s, agentchat_session_copy(s->store, &(agentchat_session_id){app, user, id}, "new", &made, &s->err),
                 AGENTCHAT_E_INVALID, message);
    expect_fails(s, agentchat_session_delete(s->store, &(agentchat_session_id){app, user, id}, &s->err),
                 AGENTCHAT_E_INVALID, message);
    assert_int_equal(made.len, 0);
    if (which == 2)
        return;
    expect_fails(s, agentchat_user_delete(s->store, app, user, &count, &s->err), AGENTCHAT_E_INVALID, message);
    assert_int_equal(count, 0);
    expect_fails(s,
                 agentchat_session_list_read(s->store, app,
                                             &(agentchat_session_list_options){
                                                 .struct_size = sizeof(agentchat_session_list_options), .user = user},
                                             &list, &s->err),
                 AGENTCHAT_E_INVALID, message);
    assert_null(list);
    expect_fails(s, agentchat_scope_state(s->store, app, user, &map, &s->err), AGENTCHAT_E_INVALID, message);
    assert_null(map);
}

static void test_names__bad_ones_are_refused_by_every_call(void **state)
{
    static const char *const which[] = {"application", "user", "session id"};
    scene *s = *state;
    char *longer = text_of(513, "", "x"), *umlauts = text_of(513, "x", "\xC3\xA4");

    for (int i = 0; i < 3; i++) {
        for (size_t j = 0; j < BAD_TEXTS; j++) {
            expect_refused(s, i, bad_texts[j].text, bad_texts[j].message);
            assert_non_null(strstr(s->err.message, which[i]));
        }
        expect_refused(s, i, longer, "512");
        expect_refused(s, i, umlauts, "512");
    }
    free(longer);
    free(umlauts);
}

static void test_names__can_be_checked_without_a_store(void **state)
{
    scene *s = *state;

    test_ok(agentchat_session_id_check(&(agentchat_session_id){"a", "u", "s"}, &s->err), &s->err);
    test_ok(agentchat_session_id_check(&(agentchat_session_id){"a", "u", NULL}, &s->err), &s->err);
    test_ok(agentchat_session_id_check(&(agentchat_session_id){"a", "u", "s"}, NULL), &s->err);
    expect_fails(s, agentchat_session_id_check(&(agentchat_session_id){NULL, "u", "s"}, &s->err), AGENTCHAT_E_INVALID,
                 "application");
    expect_fails(s, agentchat_session_id_check(&(agentchat_session_id){"a", NULL, "s"}, &s->err), AGENTCHAT_E_INVALID,
                 "user");
    expect_fails(s, agentchat_session_id_check(&(agentchat_session_id){"a", "u", ""}, &s->err), AGENTCHAT_E_INVALID,
                 "session id");
    assert_int_equal(agentchat_session_id_check(&(agentchat_session_id){"a", "", NULL}, NULL), AGENTCHAT_E_INVALID);
    expect_fails(s, agentchat_session_id_check(NULL, &s->err), AGENTCHAT_E_INVALID, "who");
}

static void test_names__have_up_to_512_bytes(void **state)
{
    scene *s = *state;
    char *user = text_of(512, "", "\xF0\x9F\x98\x80"), *id = text_of(512, "", "x"), app[520];
    agentchat_session *session = NULL, *again = NULL;
    agentchat_session_list *list = NULL;

    snprintf(app, sizeof app, "%s", s->app);
    memset(app + strlen(app), 'y', sizeof app - strlen(app));
    app[512] = '\0';
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){app, user, id}, NULL, &session, &s->err),
            &s->err);
    (void)scene_append(s, session, id, "k=1 app:k=2 user:k=3");
    test_ok(agentchat_session_get(s->store, &(agentchat_session_id){app, user, id}, NULL, &again, &s->err), &s->err);
    expect_events(again, id);
    expect_state(again, "{\"k\":1,\"app:k\":2,\"user:k\":3}");
    agentchat_session_free(again);
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){app, user, id}, NULL, NULL, &s->err), &s->err);
    test_ok(agentchat_session_list_read(
                s->store, app,
                &(agentchat_session_list_options){
                    .struct_size = sizeof(agentchat_session_list_options), .user = user, .limit = 1},
                &list, &s->err),
            &s->err);
    assert_int_equal(agentchat_session_list_count(list), 1);
    {
        agentchat_session_list *rest = NULL;

        test_ok(agentchat_session_list_read(
                    s->store, app,
                    &(agentchat_session_list_options){.struct_size = sizeof(agentchat_session_list_options),
                                                      .user = user,
                                                      .cursor = agentchat_session_list_cursor(list),
                                                      .limit = 1},
                    &rest, &s->err),
                &s->err);
        assert_int_equal(agentchat_session_list_count(rest), 1);
        assert_string_equal(agentchat_session_list_at(rest, 0)->id, id);
        agentchat_session_list_free(rest);
    }
    agentchat_session_list_free(list);
    agentchat_session_free(session);
    free(user);
    free(id);
}

static void test_names__odd_ones_are_names_like_others(void **state)
{
    scene *s = *state;

    for (size_t i = 0; i < ODD_TEXTS; i++) {
        agentchat_session *session = scene_create(s, odd_texts[i], odd_texts[i], NULL);
        agentchat_session_list *list = NULL;

        test_ok(agentchat_session_id_check(&(agentchat_session_id){odd_texts[i], odd_texts[i], odd_texts[i]}, &s->err),
                &s->err);
        (void)scene_append(s, session, odd_texts[i], "k=1 user:k=2");
        expect_stored(s, odd_texts[i], odd_texts[i], "{\"k\":1,\"user:k\":2}", odd_texts[i]);
        test_ok(agentchat_session_list_read(
                    s->store, s->app,
                    &(agentchat_session_list_options){.struct_size = sizeof(agentchat_session_list_options),
                                                      .user = odd_texts[i]},
                    &list, &s->err),
                &s->err);
        assert_int_equal(agentchat_session_list_count(list), 1);
        assert_string_equal(agentchat_session_list_at(list, 0)->id, odd_texts[i]);
        assert_string_equal(agentchat_session_list_at(list, 0)->user, odd_texts[i]);
        agentchat_session_list_free(list);
        agentchat_session_free(session);
    }
}

/* Equal for a person, a collation or a normalisation, but not by their bytes. */
static void test_names__compare_by_their_bytes(void **state)
{
    static const char *const names[] = {"a",        "A",  "a ",       " a", "\xC3\xA9", "e\xCC\x81",
                                        "\xC3\xA4", "ss", "\xC3\x9F", "1",  "01"};
    scene *s = *state;
    size_t count = sizeof names / sizeof *names;

    for (size_t i = 0; i < count; i++) {
        agentchat_session *session = scene_create(s, names[i], names[i], NULL);
        char changes[32];

        snprintf(changes, sizeof changes, "k=%zu user:k=%zu", i, i);
        (void)scene_append(s, session, "e", changes);
        agentchat_session_free(session);
    }
    for (size_t i = 0; i < count; i++) {
        char wanted[32];

        snprintf(wanted, sizeof wanted, "{\"k\":%zu,\"user:k\":%zu}", i, i);
        expect_stored(s, names[i], names[i], wanted, "e");
    }
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static void expect_key_refused(scene *s, agentchat_session *session, const char *key, const char *message)
{
    agentchat_event_builder *builder;
    agentchat_event *event = NULL;
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    int64_t sum = 7;

    expect_fails(s, agentchat_session_set(session, key, AGENTCHAT_STR("1"), &s->err), AGENTCHAT_E_INVALID, message);
    expect_fails(s, agentchat_session_add(session, key, 1, &sum, &s->err), AGENTCHAT_E_INVALID, message);
    assert_int_equal(sum, 0);
    expect_fails(s, agentchat_session_delete_key(session, key, &s->err), AGENTCHAT_E_INVALID, message);
    for (int kind = 0; kind < 3; kind++) {
        builder = test_event_builder(s->env, "a");
        if (kind == 0)
            agentchat_event_builder_set_state(builder, key, AGENTCHAT_STR("1"));
        else if (kind == 1)
            agentchat_event_builder_delete_state(builder, key);
        else
            agentchat_event_builder_add_state(builder, key, 1);
        expect_fails(s, agentchat_event_builder_finish(builder, &event, &s->err), AGENTCHAT_E_INVALID, message);
        assert_null(event);
    }
    event = scene_event(s, NULL, NULL, NULL);
    options.expect_key = key;
    expect_fails(s, agentchat_session_append(session, event, &options, NULL, &s->err), AGENTCHAT_E_INVALID, message);
    agentchat_event_unref(event);
}

static void test_keys__bad_ones_are_refused_by_every_call(void **state)
{
    static const char *const prefixes[] = {"", "user:", "app:", "temp:"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char key[600];

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    for (size_t p = 0; p < 4; p++) {
        char *longer = text_of(513, prefixes[p], "x");

        expect_key_refused(s, session, longer, "512");
        free(longer);
        for (size_t i = 0; i < BAD_TEXTS; i++) {
            snprintf(key, sizeof key, "%s%s", prefixes[p], bad_texts[i].text);
            expect_key_refused(s, session, key,
                               key[0] != '\0' && bad_texts[i].text[0] == '\0' ? "nothing after its prefix"
                                                                              : bad_texts[i].message);
        }
    }
    expect_state(session, "{}");
    expect_stored(s, "u", "s", "{}", "");
    agentchat_session_free(session);
}

static void test_keys__have_up_to_512_bytes_with_their_prefix(void **state)
{
    static const char *const prefixes[] = {"", "user:", "app:"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;

    for (size_t p = 0; p < 3; p++) {
        char *key = text_of(512, prefixes[p], "x");

        test_ok(agentchat_session_set(session, key, AGENTCHAT_STR("1"), &s->err), &s->err);
        test_ok(agentchat_session_add(session, key, 1, NULL, &s->err), &s->err);
        again = scene_get(s, "u", "s");
        expect_key(again, key, "2");
        agentchat_session_free(again);
        test_ok(agentchat_session_delete_key(session, key, &s->err), &s->err);
        free(key);
    }
    expect_state(session, "{}");
    agentchat_session_free(session);
}

static void test_keys__odd_ones_are_keys_like_others(void **state)
{
    static const char *const prefixes[] = {"", "user:", "app:"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    char key[64], value[32];

    for (size_t p = 0; p < 3; p++) {
        for (size_t i = 0; i < ODD_TEXTS; i++) {
            snprintf(key, sizeof key, "%s%s", prefixes[p], odd_texts[i]);
            if (p == 0 && agentchat_key_scope(key, NULL) != AGENTCHAT_SCOPE_SESSION)
                continue;
            snprintf(value, sizeof value, "%zu", p * 100 + i);
            test_ok(agentchat_session_set(session, key, agentchat_str_from(value), &s->err), &s->err);
        }
    }
    again = scene_get(s, "u", "s");
    for (size_t p = 0; p < 3; p++) {
        for (size_t i = 0; i < ODD_TEXTS; i++) {
            snprintf(key, sizeof key, "%s%s", prefixes[p], odd_texts[i]);
            if (p == 0 && agentchat_key_scope(key, NULL) != AGENTCHAT_SCOPE_SESSION)
                continue;
            snprintf(value, sizeof value, "%zu", p * 100 + i);
            expect_key(again, key, value);
            assert_true(agentchat_session_revision(again, key) > 0);
        }
    }
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_keys__compare_by_their_bytes(void **state)
{
    static const char initial[] = "{\"a\":1,\"A\":2,\"\xC3\xA9\":3,\"e\xCC\x81\":4,\"a \":5,\"\xC3\x9F\":6,\"ss\":7,"
                                  "\"app:a\":1,\"app:A\":2,\"user:a\":1,\"user:A\":2,\"App:a\":8,\"USER:a\":9}";
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", initial);

    expect_stored(s, "u", "s", initial, "");
    agentchat_session_free(session);
}

/* ---- other ids -------------------------------------------------------------------------------------------------- */

static void test_names__event_ids_follow_the_same_rules(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char *longest = text_of(512, "", "x"), *longer = text_of(513, "", "x");
    agentchat_event *event = NULL;
    agentchat_event_builder *builder;

    (void)scene_append(s, session, longest, NULL);
    expect_stored(s, "u", "s", "{}", longest);
    for (size_t i = 0; i <= BAD_TEXTS; i++) {
        builder = test_event_builder(s->env, "a");
        agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID,
                                    agentchat_str_from(i < BAD_TEXTS ? bad_texts[i].text : longer));
        expect_fails(s, agentchat_event_builder_finish(builder, &event, &s->err), AGENTCHAT_E_INVALID, NULL);
    }
    for (size_t i = 1; i <= BAD_TEXTS; i++)
        expect_fails(s, agentchat_session_rewind(session, i < BAD_TEXTS ? bad_texts[i].text : longer, NULL, &s->err),
                     AGENTCHAT_E_INVALID, i < BAD_TEXTS ? bad_texts[i].message : "512");
    expect_stored(s, "u", "s", "{}", longest);
    builder = test_event_builder(s->env, "a");
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, (agentchat_str){"a\0b", 3});
    expect_fails(s, agentchat_event_builder_finish(builder, &event, &s->err), AGENTCHAT_E_INVALID, "NUL");
    free(longest);
    free(longer);
    agentchat_session_free(session);
}

/* NUL and surrogates can only come in as escapes of JSON text. */
static void test_names__escapes_bring_in_nothing_that_is_refused(void **state)
{
    static const char *const events[] = {
        "{\"author\":\"a\",\"id\":\"x\\u0000y\"}",
        "{\"author\":\"a\",\"id\":\"x\\ud800\"}",
        "{\"author\":\"a\",\"id\":\"\"}",
        "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"k\\u0000\":1}}}",
        "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"\\udfff\":1}}}",
        "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"\":1}}}",
        "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"app:\":1}}}",
        "{\"author\":\"a\",\"actions\":{\"statedelete\":[\"user:\"]}}",
        "{\"author\":\"a\",\"actions\":{\"stateadd\":{\"\\u0061pp:\":1}}}",
    };
    scene *s = *state;
    agentchat_event *event = (agentchat_event *)s;
    agentchat_state *map = (agentchat_state *)s;

    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        agentchat_status status =
            agentchat_event_read(s->env, agentchat_str_from(events[i]), "agentchat", &event, NULL, &s->err);

        if (status != AGENTCHAT_E_INVALID)
            print_error("%s: %s\n", events[i], agentchat_status_name(status));
        assert_int_equal(status, AGENTCHAT_E_INVALID);
        assert_null(event);
    }
    expect_fails(s, agentchat_state_read(s->env, AGENTCHAT_STR("{\"a\\u0000\":1}"), &map, &s->err), AGENTCHAT_E_INVALID,
                 "NUL");
    assert_null(map);
    expect_fails(s, agentchat_state_read(s->env, AGENTCHAT_STR("{\"\\ud83d\":1}"), &map, &s->err), AGENTCHAT_E_INVALID,
                 "surrogate");
}

int contract_names(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_names__bad_ones_are_refused_by_every_call),
        SCENE_TEST(test_names__can_be_checked_without_a_store),
        SCENE_TEST(test_names__have_up_to_512_bytes),
        SCENE_TEST(test_names__odd_ones_are_names_like_others),
        SCENE_TEST(test_names__compare_by_their_bytes),
        SCENE_TEST(test_keys__bad_ones_are_refused_by_every_call),
        SCENE_TEST(test_keys__have_up_to_512_bytes_with_their_prefix),
        SCENE_TEST(test_keys__odd_ones_are_keys_like_others),
        SCENE_TEST(test_keys__compare_by_their_bytes),
        SCENE_TEST(test_names__event_ids_follow_the_same_rules),
        SCENE_TEST(test_names__escapes_bring_in_nothing_that_is_refused),
    };

    return CONTRACT_GROUP("names", tests);
}
