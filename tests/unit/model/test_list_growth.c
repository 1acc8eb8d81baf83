/* SPDX-License-Identifier: Apache-2.0 */
/* What reading lists that were forked again and again costs as they grow: their chains of segments are the longest. */
#include "support/growth.h"

#include "base/error.h"
#include "model/model.h"
#include "model/value_list.h"

enum { COPIED = 64 }; /* a fork copies no more elements than that */

static size_t mixed(size_t i, size_t n)
{
    return (size_t)((uint64_t)i * 7919 % n); /* a prime number that divides no size */
}

static double read_messages(size_t n)
{
    agentchat_messages list, other;
    agentchat_message *message;
    agentchat_error err;
    double start, took;

    test_ok(agentchat_message_new_text(NULL, "user", AGENTCHAT_STR("u"), AGENTCHAT_STR("x"), &message, &err), &err);
    aci_list_init(&list, aci_env(NULL));
    for (size_t i = 0; i < n; i++) {
        assert_true(aci_list_append(&list, message));
        if (i % (COPIED + 1) != COPIED)
            continue;
        aci_list_copy(&other, &list);
        assert_true(aci_list_append(&other, message)); /* takes the slot */
        aci_list_clear(&other);
    }
    start = test_seconds();
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(agentchat_messages_at(&list, mixed(i, n)), message);
    took = test_seconds() - start;
    aci_list_clear(&list);
    agentchat_message_unref(message);
    return took;
}

static double read_values(size_t n)
{
    agentchat_str added[COPIED + 1];
    aci_value_list *list = NULL, *longer, *other;
    aci_value_list_cursor cursor;
    double start, took;

    for (size_t i = 0; i <= COPIED; i++)
        added[i] = AGENTCHAT_STR("1");
    for (size_t count = 0; count < n; count += COPIED + 1) {
        longer = aci_value_list_make(aci_env(NULL), list, 0, count, added, COPIED + 1);
        assert_non_null(longer);
        other = aci_value_list_make(aci_env(NULL), longer, 0, count + COPIED + 1, added, 1); /* takes the slot */
        assert_non_null(other);
        aci_value_list_unref(other);
        aci_value_list_unref(list);
        list = longer;
    }
    aci_value_list_cursor_begin(&cursor, list);
    start = test_seconds();
    for (size_t i = 0; i < n; i++)
        assert_int_equal(aci_value_list_cursor_at(&cursor, mixed(i, n)).len, 1);
    took = test_seconds() - start;
    aci_value_list_unref(list);
    return took;
}

static void test_list__is_read_anywhere_at_a_cost_that_hardly_grows(void **state)
{
    (void)state;
    growth_check("messages of a list that was forked often", read_messages);
    growth_check("values of a list that was forked often", read_values);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_list__is_read_anywhere_at_a_cost_that_hardly_grows)};

    growth_begin(argc, argv);
    return cmocka_run_group_tests_name("list_growth", tests, NULL, NULL);
}
