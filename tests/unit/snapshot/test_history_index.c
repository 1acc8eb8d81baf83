/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which messages of a list are those of a history: a table, random lists held against what a naive search of quadratic
 * cost allows, without memory, and what long lists cost.
 */
#include "support/test_support.h"

#include "snapshot/history_index.h"
#include <stdio.h>

enum { LETTERS = 26, COPIES = 3, MOST = 64 };

/* Each letter is a text of its own, in several messages that are equal and not the same. */
static agentchat_message *pool[COPIES][LETTERS];

static int make_pool(void **state)
{
    (void)state;
    for (size_t i = 0; i < COPIES * LETTERS; i++) {
        char text[2] = {(char)('a' + i % LETTERS), '\0'};

        if (agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, agentchat_str_from(text),
                                       &pool[i / LETTERS][i % LETTERS], NULL) < 0)
            return 1;
    }
    return 0;
}

static int free_pool(void **state)
{
    (void)state;
    for (size_t i = 0; i < COPIES * LETTERS; i++)
        agentchat_message_unref(pool[i / LETTERS][i % LETTERS]);
    return 0;
}

/* a message of the first copies for a small letter, of the second ones for a capital one. */
static agentchat_messages *list_of(const char *letters)
{
    const agentchat_message *array[MOST];
    agentchat_messages *list;
    size_t count = 0;
    agentchat_error err;

    for (const char *p = letters; *p != '\0'; p++)
        array[count++] = *p >= 'a' ? pool[0][*p - 'a'] : pool[1][*p - 'A'];
    test_ok(agentchat_messages_new(NULL, array, count, &list, &err), &err);
    return list;
}

/* ---- a table ---------------------------------------------------------------------------------------------------- */

static void check(const char *history_letters, const char *letters, const char *expected)
{
    agentchat_messages *history = list_of(history_letters), *list = list_of(letters);
    size_t match[MOST + 1];
    char found[MOST + 1] = "";
    aci_history_index index;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_history_index_make(&index, aci_env(NULL), history, &err), &err);
    for (int again = 0; again < 2; again++) { /* the index is for many lists */
        test_ok(aci_history_index_match(&index, list, match, &err), &err);
        for (size_t i = 0; i < strlen(letters); i++)
            found[i] = match[i] == ACI_NOT_IN_HISTORY ? '-' : (char)('0' + match[i]);
        assert_string_equal(found, expected);
    }
    aci_history_index_clear(&index);
    agentchat_messages_unref(history);
    agentchat_messages_unref(list);
}

static void test_history_index__shared_and_equal_ones(void **state)
{
    (void)state;
    check("", "", "");
    check("", "a", "-");
    check("abc", "", "");
    check("abc", "abc", "012"); /* shared */
    check("abc", "ABC", "012"); /* equal */
    check("abc", "aBc", "012");
    check("abc", "xyz", "---");
    check("abcd", "bd", "13");   /* filtered */
    check("abcd", "xcd", "-23"); /* reduced, with a summary in front */
    check("abcd", "cdx", "23-");
    check("abcd", "dabc", "-012"); /* what does not ascend is not the same */
    check("abcd", "dcba", "---0");
    check("abc", "aabc", "-012"); /* once in the history is once in the list */
    check("aaaa", "aa", "01");    /* repeated ones as far to the front as they can be */
    check("abaca", "aca", "234"); /* but next to those that occur once */
    check("abaca", "xaca", "-234");
    check("abacaa", "aaba", "-012"); /* there is one position before b */
    check("abaaacaad", "bac", "125");
    check("abaaacaad", "bxac", "1-45");
    check("abaaacaad", "baaac", "12345");
    check("abaaacaad", "aad", "678");
    check("ababab", "ab", "01");
    check("xaya", "xaa", "013");
    check("abaca", "ba", "12");
    check("abaca", "ca", "34");
    check("abaca", "aaaa", "024-");
    check("aab", "baa", "2--");
    check("aAa", "a", "0");
    check("aAa", "A", "1"); /* the very message, although others are equal */
    check("aAaA", "xAA", "-13");
    check("aaAb", "xAb", "-23");
}

/* What one list makes of a history is not what was made of it for another one. */
static void test_history_index__lists_do_not_depend_on_each_other(void **state)
{
    agentchat_messages *history = list_of("aAbB"), *shared = list_of("AB"), *equal = list_of("xab");
    size_t first[3], second[3];
    aci_history_index index;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_history_index_make(&index, aci_env(NULL), history, &err), &err);
    test_ok(aci_history_index_match(&index, shared, first, &err), &err);
    test_ok(aci_history_index_match(&index, equal, second, &err), &err);
    assert_int_equal(second[0], ACI_NOT_IN_HISTORY);
    assert_int_equal(second[1], 0);
    assert_int_equal(second[2], 2);
    test_ok(aci_history_index_match(&index, shared, second, &err), &err);
    assert_int_equal(first[0], 1);
    assert_int_equal(first[1], 3);
    assert_memory_equal(first, second, 2 * sizeof *first);
    aci_history_index_clear(&index);
    agentchat_messages_unref(history);
    agentchat_messages_unref(shared);
    agentchat_messages_unref(equal);
}

/* ---- random lists ----------------------------------------------------------------------------------------------- */

typedef struct naive {
    const agentchat_message *history[MOST], *list[MOST];
    size_t history_count, count;
} naive;

static agentchat_messages *random_list(const agentchat_message **array, size_t *count, size_t letters, size_t copies)
{
    agentchat_messages *list;
    agentchat_error err;

    *count = test_pick(MOST);
    for (size_t i = 0; i < *count; i++)
        array[i] = pool[test_pick(copies)][test_pick(letters)];
    test_ok(agentchat_messages_new(NULL, array, *count, &list, &err), &err);
    return list;
}

/* Whether message i of the list may stand at a position: it is that one; or none is it, and it equals that one. */
static bool is_candidate(const naive *n, size_t i, size_t position)
{
    if (n->history[position] == n->list[i])
        return true;
    for (size_t k = 0; k < n->history_count; k++)
        if (n->history[k] == n->list[i])
            return false;
    return aci_message_equal(n->history[position], n->list[i]);
}

static size_t only_candidate(const naive *n, size_t i)
{
    size_t found = ACI_NOT_IN_HISTORY;

    for (size_t position = 0; position < n->history_count; position++) {
        if (!is_candidate(n, i, position))
            continue;
        if (found != ACI_NOT_IN_HISTORY)
            return ACI_NOT_IN_HISTORY;
        found = position;
    }
    return found;
}

/* Length of the longest ascending run of those that can stand at one position only. */
static size_t longest_run(const naive *n)
{
    size_t length[MOST] = {0}, longest = 0;

    for (size_t i = 0; i < n->count; i++) {
        if (only_candidate(n, i) == ACI_NOT_IN_HISTORY)
            continue;
        length[i] = 1;
        for (size_t k = 0; k < i; k++)
            if (length[k] >= length[i] && only_candidate(n, k) < only_candidate(n, i))
                length[i] = length[k] + 1;
        longest = length[i] > longest ? length[i] : longest;
    }
    return longest;
}

/* Whether message i of the list may stand at a position, given where those around it stand. */
static bool could_stand(const naive *n, const size_t *match, size_t i, size_t position)
{
    for (size_t k = 0; k < n->count; k++)
        if (k != i && match[k] != ACI_NOT_IN_HISTORY && (k < i ? match[k] >= position : match[k] <= position))
            return false;
    return position < n->history_count && is_candidate(n, i, position);
}

static bool is_match(const size_t *match, size_t i)
{
    return match[i] != ACI_NOT_IN_HISTORY;
}

/* A message that repeats and stands nowhere could stand nowhere; one that could be next to a match is next to one, as
   is everything between it and a message that occurs once. */
static void check_repeated(const naive *n, const size_t *match, size_t i)
{
    size_t before = i, after = i;

    for (size_t position = 0; !is_match(match, i) && position < n->history_count; position++)
        assert_false(could_stand(n, match, i, position));
    while (before > 0 && is_match(match, before) && match[before - 1] + 1 == match[before])
        before--;
    while (after + 1 < n->count && is_match(match, after) && match[after + 1] == match[after] + 1)
        after++;
    if (i > 0 && is_match(match, i - 1) && only_candidate(n, i - 1) != ACI_NOT_IN_HISTORY &&
        could_stand(n, match, i, match[i - 1] + 1))
        assert_int_equal(match[i], match[i - 1] + 1);
    if (i + 1 < n->count && is_match(match, i + 1) && only_candidate(n, i + 1) != ACI_NOT_IN_HISTORY &&
        match[i + 1] > 0 && could_stand(n, match, i, match[i + 1] - 1) &&
        only_candidate(n, before) == ACI_NOT_IN_HISTORY)
        assert_int_equal(after > i, 1);
}

static void check_naively(const naive *n, const size_t *match)
{
    size_t from = 0, single = 0;

    for (size_t i = 0; i < n->count; i++) {
        if (only_candidate(n, i) == ACI_NOT_IN_HISTORY)
            check_repeated(n, match, i);
        if (match[i] == ACI_NOT_IN_HISTORY)
            continue;
        assert_in_range(match[i], from, n->history_count - 1);
        assert_true(is_candidate(n, i, match[i]));
        single += only_candidate(n, i) != ACI_NOT_IN_HISTORY;
        from = match[i] + 1;
    }
    assert_int_equal(single, longest_run(n));
}

static void test_history_index__like_a_naive_search(void **state)
{
    (void)state;
    for (size_t round = 0; round < 400; round++) {
        size_t letters = 1 + test_pick(LETTERS), copies = 1 + test_pick(COPIES), match[MOST + 1];
        naive n = {.count = 0};
        agentchat_messages *history = random_list(n.history, &n.history_count, letters, copies);
        aci_history_index index;
        agentchat_error err;

        agentchat_error_clear(&err);
        test_ok(aci_history_index_make(&index, aci_env(NULL), history, &err), &err);
        for (int lists = 0; lists < 3; lists++) {
            agentchat_messages *list = random_list(n.list, &n.count, letters, COPIES);

            test_ok(aci_history_index_match(&index, list, match, &err), &err);
            check_naively(&n, match);
            agentchat_messages_unref(list);
        }
        aci_history_index_clear(&index);
        agentchat_messages_unref(history);
    }
}

/* ---- cost ------------------------------------------------------------------------------------------------------- */

static agentchat_messages *long_list(size_t count, const agentchat_message *(*at)(size_t i, size_t count))
{
    const agentchat_message **array = calloc(count, sizeof *array);
    agentchat_messages *list;
    agentchat_error err;

    assert_non_null(array);
    for (size_t i = 0; i < count; i++)
        array[i] = at(i, count);
    test_ok(agentchat_messages_new(NULL, array, count, &list, &err), &err);
    free(array);
    return list;
}

static const agentchat_message *one_letter(size_t i, size_t count)
{
    return pool[0][i == count - 1]; /* a, a, …, a, b */
}

static const agentchat_message *two_letters(size_t i, size_t count)
{
    (void)count;
    return pool[0][i % 2];
}

static const agentchat_message *copies_in_turn(size_t i, size_t count)
{
    return pool[i % COPIES][i * 7 % LETTERS * (i < count)];
}

/* Seconds for a history and many lists, each of the two last letters of the first history in the wrong order, which has
   to look for a position after all others. */
static double measure(size_t count, const agentchat_message *(*at)(size_t i, size_t count), bool short_lists)
{
    agentchat_messages *history = long_list(count, at), *list = short_lists ? list_of("ba") : long_list(count, at);
    size_t *match = calloc(count + 2, sizeof *match), lists = short_lists ? count : 1;
    double begin = test_seconds();
    aci_history_index index;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_history_index_make(&index, aci_env(NULL), history, &err), &err);
    for (size_t i = 0; i < lists; i++)
        test_ok(aci_history_index_match(&index, list, match, &err), &err);
    aci_history_index_clear(&index);
    begin = test_seconds() - begin;
    free(match);
    agentchat_messages_unref(history);
    agentchat_messages_unref(list);
    return begin;
}

static void check_cost(const char *what, const agentchat_message *(*at)(size_t i, size_t count), bool short_lists)
{
    enum { SMALL = 2000, STEP = 8, WORST = 30, TRIES = 2 };
    double small = 1e9, large = 1e9;

    for (int k = 0; k < TRIES; k++) {
        double a = measure(SMALL, at, short_lists), b = measure(SMALL * STEP, at, short_lists);

        small = a < small ? a : small;
        large = b < large ? b : large;
    }
    printf("%-40s %10.6f s for %d, %10.6f s for %d\n", what, small, SMALL, large, SMALL * STEP);
    assert_true(large < WORST * (small > 0.0001 ? small : 0.0001));
}

static void test_history_index__long_lists_cost_their_length(void **state)
{
    (void)state;
    check_cost("all equal", one_letter, false);
    check_cost("in turn", two_letters, false);
    check_cost("copies", copies_in_turn, false);
    check_cost("many lists after equal ones", one_letter, true);
    check_cost("many lists of what repeats", two_letters, true);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static agentchat_status find(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_messages *history = list_of("abaCA"), *shared = list_of("ab"), *equal = list_of("xABc");
    agentchat_status status;
    aci_history_index index;
    size_t match[4];

    (void)user;
    status = aci_history_index_make(&index, env, history, err);
    if (status >= 0)
        status = aci_history_index_match(&index, shared, match, err);
    if (status >= 0 && (status = aci_history_index_match(&index, equal, match, err)) < 0) {
        uint64_t fail_at = test_oom_running()->fail_at;

        /* What failed half-way can be asked again. */
        test_oom_running()->held = true;
        assert_int_equal(aci_history_index_match(&index, equal, match, NULL), AGENTCHAT_OK);
        assert_int_equal(match[2], 1);
        assert_int_equal(match[3], 3);
        assert_true(fail_at == test_oom_running()->fail_at);
        test_oom_running()->held = false;
    }
    aci_history_index_clear(&index);
    agentchat_messages_unref(history);
    agentchat_messages_unref(shared);
    agentchat_messages_unref(equal);
    return status;
}

static void test_history_index__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(find, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_history_index__shared_and_equal_ones),
        cmocka_unit_test(test_history_index__lists_do_not_depend_on_each_other),
        cmocka_unit_test(test_history_index__like_a_naive_search),
        cmocka_unit_test(test_history_index__long_lists_cost_their_length),
        cmocka_unit_test(test_history_index__out_of_memory),
    };

    test_seed(815);
    return cmocka_run_group_tests_name("history_index", tests, make_pool, free_pool);
}
