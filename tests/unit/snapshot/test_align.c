/* SPDX-License-Identifier: Apache-2.0 */
/* Alignment, against the plain quadratic longest common subsequence. */
#include "support/test_support.h"

#include "snapshot/align.h"

static aci_hash hash_of(size_t value)
{
    aci_hash hash = {{0}};

    memcpy(hash.bytes, &value, sizeof value);
    return hash;
}

static size_t longest_common(const size_t *a, size_t n, const size_t *b, size_t m)
{
    static size_t table[64][64];

    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            size_t left = i > 0 ? table[i - 1][j] : 0, up = j > 0 ? table[i][j - 1] : 0;

            table[i][j] = left > up ? left : up;
            if (i > 0 && j > 0 && a[i - 1] == b[j - 1] && table[i - 1][j - 1] + 1 > table[i][j])
                table[i][j] = table[i - 1][j - 1] + 1;
            if (i == 0 || j == 0)
                table[i][j] = 0;
        }
    return table[n][m];
}

/* Checks that matches ascend and are of equals; returns their number. */
static size_t checked(const aci_hash *a, size_t n, const aci_hash *b, size_t m, const size_t *match)
{
    size_t count = 0, next = 0;

    for (size_t i = 0; i < n; i++) {
        if (match[i] == ACI_UNMATCHED)
            continue;
        assert_true(match[i] >= next && match[i] < m);
        assert_memory_equal(a[i].bytes, b[match[i]].bytes, sizeof a[i].bytes);
        next = match[i] + 1;
        count++;
    }
    return count;
}

static void test_align__finds_a_longest_common_subsequence(void **state)
{
    (void)state;
    for (size_t round = 0; round < 5000; round++) {
        size_t a[40], b[40], match[40], n = test_pick(40), m = test_pick(40), letters = 1 + test_pick(12);
        aci_hash x[40], y[40];

        for (size_t i = 0; i < n; i++)
            x[i] = hash_of(a[i] = test_pick(letters));
        for (size_t j = 0; j < m; j++)
            y[j] = hash_of(b[j] = test_pick(letters));
        assert_true(aci_align(aci_env(NULL), x, n, y, m, match));
        assert_int_equal(checked(x, n, y, m, match), longest_common(a, n, b, m));
    }
}

static void test_align__gives_up_in_bounded_time(void **state)
{
    enum { MANY = 200000 };
    aci_hash *x = calloc(MANY, sizeof *x), *y = calloc(MANY, sizeof *y);
    size_t *match = calloc(MANY, sizeof *match), count;

    (void)state;
    for (size_t i = 0; i < MANY; i++) { /* nothing in common but every third element */
        x[i] = hash_of(2 * i);
        y[i] = hash_of(i % 3 == 0 ? 2 * i : 2 * i + 1);
    }
    assert_true(aci_align(aci_env(NULL), x, MANY, y, MANY, match));
    count = checked(x, MANY, y, MANY, match);
    assert_int_equal(count, (MANY + 2) / 3);
    for (size_t i = 0; i < MANY; i++) { /* snakes everywhere */
        x[i] = hash_of(i % 2);
        y[i] = hash_of(i % 3 == 0);
    }
    assert_true(aci_align(aci_env(NULL), x, MANY, y, MANY, match));
    assert_true(checked(x, MANY, y, MANY, match) > 0);
    free(x);
    free(y);
    free(match);
}

static void test_align__finds_few_edits_in_a_long_history(void **state)
{
    enum { MANY = 100000 };
    aci_hash *x = calloc(MANY, sizeof *x), *y = calloc(MANY, sizeof *y);
    size_t *match = calloc(MANY, sizeof *match), j = 0;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        x[i] = hash_of(i + 1);
        if (i % 1000 != 500) /* 100 of them are gone */
            y[j++] = x[i];
    }
    assert_true(aci_align(aci_env(NULL), x, MANY, y, j, match));
    assert_int_equal(checked(x, MANY, y, j, match), j);
    free(x);
    free(y);
    free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_align__finds_a_longest_common_subsequence),
        cmocka_unit_test(test_align__gives_up_in_bounded_time),
        cmocka_unit_test(test_align__finds_few_edits_in_a_long_history),
    };

    test_seed(99);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
