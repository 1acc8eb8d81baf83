/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/state/scopes.c. */
#include "support/test_support.h"

#include "state/state.h"

static agentchat_state *map_of(const char *text)
{
    agentchat_state *map;
    agentchat_error err;

    test_ok(agentchat_state_read(NULL, agentchat_str_from(text), &map, &err), &err);
    return map;
}

static void check_written(const agentchat_state *map, const char *expected)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_state_write(map, &text, &err), &err);
    assert_string_equal(text.ptr, expected);
    agentchat_bytes_clear(&text);
}

static agentchat_state *part_of(const agentchat_state *map, agentchat_scope scope)
{
    agentchat_state *part;
    agentchat_error err;

    test_ok(agentchat_state_split(map, scope, &part, &err), &err);
    return part;
}

static void check_part(const agentchat_state *map, agentchat_scope scope, const char *expected)
{
    agentchat_state *part = part_of(map, scope);

    check_written(part, expected);
    agentchat_state_free(part);
}

static void test_state_scopes__splits(void **state)
{
    agentchat_state *map = map_of(
        "{\"x\":1,\"user:b\":2,\"app:a\":3,\"temp:t\":4,\"app:user:z\":5,\"User:q\":6,\"app:temp:\":7,\"user:c\":8}");

    (void)state;
    check_part(map, AGENTCHAT_SCOPE_SESSION, "{\"x\":1,\"User:q\":6}");
    check_part(map, AGENTCHAT_SCOPE_USER, "{\"b\":2,\"c\":8}");
    check_part(map, AGENTCHAT_SCOPE_APP, "{\"a\":3,\"user:z\":5,\"temp:\":7}");
    check_part(map, AGENTCHAT_SCOPE_TEMP, "{\"t\":4}");
    agentchat_state_free(map);
    check_part(NULL, AGENTCHAT_SCOPE_APP, "{}");
}

static void test_state_scopes__refuses_what_is_no_scope(void **state)
{
    static const int scopes[] = {0, -1, 5, 1000};
    agentchat_state *map = map_of("{}"), *part = map;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++) {
        test_fails(agentchat_state_split(map, (agentchat_scope)scopes[i], &part, &err), &err, AGENTCHAT_E_INVALID, "",
                   "is no scope");
        assert_null(part);
    }
    agentchat_state_free(map);
}

static void check_merged(const char *app, const char *user, const char *session, const char *expected)
{
    agentchat_state *a = app != NULL ? map_of(app) : NULL, *u = user != NULL ? map_of(user) : NULL;
    agentchat_state *s = session != NULL ? map_of(session) : NULL, *all;
    agentchat_error err;

    test_ok(agentchat_state_merge(NULL, a, u, s, &all, &err), &err);
    check_written(all, expected);
    agentchat_state_free(all);
    agentchat_state_free(a);
    agentchat_state_free(u);
    agentchat_state_free(s);
}

static void test_state_scopes__merges_in_order(void **state)
{
    (void)state;
    check_merged(NULL, NULL, NULL, "{}");
    check_merged("{\"k\":1}", "{\"k\":2}", "{\"k\":3}", "{\"app:k\":1,\"user:k\":2,\"k\":3}");
    check_merged("{\"user:z\":1,\"temp:t\":2}", NULL, "{\"a\":null}", "{\"app:user:z\":1,\"app:temp:t\":2,\"a\":null}");
}

static void test_state_scopes__refuses_a_prefix_in_a_session(void **state)
{
    static const char *const keys[] = {"app:k", "user:k", "temp:k"};
    agentchat_state *all;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        agentchat_state *session = test_state(NULL);
        char message[96];

        test_ok(agentchat_state_set(session, keys[i], AGENTCHAT_STR("1"), &err), &err);
        (void)snprintf(message, sizeof message, "the key \"%s\" has a prefix, so that it is none of a session's",
                       keys[i]);
        test_fails(agentchat_state_merge(NULL, NULL, NULL, session, &all, &err), &err, AGENTCHAT_E_INVALID, "",
                   message);
        assert_null(all);
        agentchat_state_free(session);
    }
}

static void test_state_scopes__refuses_keys_too_long_with_their_prefix(void **state)
{
    agentchat_error err;

    (void)state;
    for (size_t len = 500; len <= AGENTCHAT_MAX_KEY_BYTES; len++) {
        agentchat_state *part = test_state(NULL), *all;
        char key[AGENTCHAT_MAX_KEY_BYTES + 1];
        agentchat_status status;

        memset(key, 'k', len);
        key[len] = '\0';
        test_ok(agentchat_state_set(part, key, AGENTCHAT_STR("1"), &err), &err);
        status = agentchat_state_merge(NULL, part, NULL, NULL, &all, &err);
        assert_int_equal(status, len + 4 <= AGENTCHAT_MAX_KEY_BYTES ? AGENTCHAT_OK : AGENTCHAT_E_INVALID);
        agentchat_state_free(all);
        status = agentchat_state_merge(NULL, NULL, part, NULL, &all, &err);
        assert_int_equal(status, len + 5 <= AGENTCHAT_MAX_KEY_BYTES ? AGENTCHAT_OK : AGENTCHAT_E_INVALID);
        if (status < 0)
            assert_non_null(strstr(err.message, "bytes with the prefix \"user:\", but at most 512 are allowed"));
        agentchat_state_free(all);
        test_ok(agentchat_state_merge(NULL, NULL, NULL, part, &all, &err), &err);
        agentchat_state_free(all);
        agentchat_state_free(part);
    }
}

/* ---- there and back -------------------------------------------------------------------------------------------- */

enum { ROUNDS = 400, MOST_KEYS = 40 };

/* A key of prefixes and letters in any order, without temp: at its head, at times of the greatest length. */
static void random_key(uint32_t *random, char key[AGENTCHAT_MAX_KEY_BYTES + 1])
{
    static const char *const pieces[] = {"app:", "user:", "temp:", "a", "b.c", ":", "\xC3\xBC", "\"", " ", "{x}"};
    size_t len = 0, parts = 1 + test_next_random(random) % 4;
    agentchat_error err;

    for (size_t i = 0; i < parts; i++) {
        const char *piece = pieces[test_next_random(random) % (sizeof pieces / sizeof *pieces)];

        memcpy(key + len, piece, strlen(piece));
        len += strlen(piece);
    }
    if (test_next_random(random) % 16 == 0) {
        memset(key + len, 'z', AGENTCHAT_MAX_KEY_BYTES - len);
        len = AGENTCHAT_MAX_KEY_BYTES;
    }
    key[len] = '\0';
    if (agentchat_key_check(key, &err) < 0 || agentchat_key_scope(key, NULL) == AGENTCHAT_SCOPE_TEMP)
        memcpy(key, "k", 2);
}

static void check_same(const agentchat_state *a, const agentchat_state *b)
{
    agentchat_str value;
    const char *key;
    size_t at = 0;

    assert_int_equal(agentchat_state_count(a), agentchat_state_count(b));
    while (agentchat_state_next(a, &at, &key, &value))
        assert_true(agentchat_str_equal(agentchat_state_get(b, key), value));
}

/* First those of the application, then the user's, then the session's, each in its order before. */
static void check_order(const agentchat_state *merged, const agentchat_state *before)
{
    static const agentchat_scope order[] = {AGENTCHAT_SCOPE_APP, AGENTCHAT_SCOPE_USER, AGENTCHAT_SCOPE_SESSION};
    const char *key, *other;
    size_t at = 0;

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        size_t from = 0;

        while (agentchat_state_next(before, &from, &key, NULL)) {
            if (agentchat_key_scope(key, NULL) != order[i])
                continue;
            assert_true(agentchat_state_next(merged, &at, &other, NULL));
            assert_string_equal(key, other);
        }
    }
}

static void test_state_scopes__split_and_merge_lose_nothing(void **state)
{
    uint32_t random = 4711;
    size_t with_prefix_inside = 0;
    agentchat_error err;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        agentchat_state *map = test_state(NULL), *app, *user, *session, *temp, *back;
        size_t count = test_next_random(&random) % MOST_KEYS;

        for (size_t i = 0; i < count; i++) {
            char key[AGENTCHAT_MAX_KEY_BYTES + 64], value[32];

            random_key(&random, key);
            with_prefix_inside += strncmp(key, "app:user:", 9) == 0;
            (void)snprintf(value, sizeof value, "%d.%zu0", round, i);
            test_ok(agentchat_state_set(map, key, agentchat_str_from(value), &err), &err);
        }
        app = part_of(map, AGENTCHAT_SCOPE_APP);
        user = part_of(map, AGENTCHAT_SCOPE_USER);
        session = part_of(map, AGENTCHAT_SCOPE_SESSION);
        temp = part_of(map, AGENTCHAT_SCOPE_TEMP);
        assert_int_equal(agentchat_state_count(temp), 0);
        test_ok(agentchat_state_merge(NULL, app, user, session, &back, &err), &err);
        check_same(map, back);
        check_order(back, map);
        agentchat_state_free(back);
        agentchat_state_free(app);
        agentchat_state_free(user);
        agentchat_state_free(session);
        agentchat_state_free(temp);
        agentchat_state_free(map);
    }
    assert_true(with_prefix_inside > 20); /* else the keys are not what the test is about */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_scopes__splits),
        cmocka_unit_test(test_state_scopes__refuses_what_is_no_scope),
        cmocka_unit_test(test_state_scopes__merges_in_order),
        cmocka_unit_test(test_state_scopes__refuses_a_prefix_in_a_session),
        cmocka_unit_test(test_state_scopes__refuses_keys_too_long_with_their_prefix),
        cmocka_unit_test(test_state_scopes__split_and_merge_lose_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
