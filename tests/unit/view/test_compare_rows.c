/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories beside each other: a table, random ones of which every message must stand in a row, and no memory. */
#include "support/test_support.h"

#include "view/compare_rows.h"
#include <stdio.h>

enum { MOST = 64 };

/* One message for each letter; capital letters are by another author. Equal letters are equal, not the same. */
static agentchat_messages *list_of(const char *letters)
{
    agentchat_message *array[MOST] = {NULL};
    agentchat_messages *list;
    size_t count = 0;
    agentchat_error err;

    for (const char *p = letters; *p != '\0'; p++, count++) {
        char text[2] = {*p, '\0'};
        const char *author = *p < 'a' ? "Desk" : "Ana";

        test_ok(agentchat_message_new_text(NULL, "user", agentchat_str_from(author), agentchat_str_from(text),
                                           &array[count], &err),
                &err);
    }
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)array, count, &list, &err), &err);
    for (size_t i = 0; i < count; i++)
        agentchat_message_unref(array[i]);
    return list;
}

/* =3,4 ~3,4 -3 +4 >3,4 <3,4 */
static void print_rows(const aci_compare_rows *rows, char *out, size_t size)
{
    static const char signs[] = "=~-+><";
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < rows->count; i++) {
        const aci_row *row = &rows->list[i];

        len += (size_t)snprintf(out + len, size - len, "%s%c", i > 0 ? " " : "", signs[row->kind]);
        if (row->kind != ACI_ROW_ADDED)
            len += (size_t)snprintf(out + len, size - len, "%zu", row->left);
        if (row->kind != ACI_ROW_ADDED && row->kind != ACI_ROW_REMOVED)
            len += (size_t)snprintf(out + len, size - len, ",");
        if (row->kind != ACI_ROW_REMOVED)
            len += (size_t)snprintf(out + len, size - len, "%zu", row->right);
    }
}

static void check(const char *left_letters, const char *right_letters, const char *expected)
{
    agentchat_messages *left = list_of(left_letters), *right = list_of(right_letters);
    char found[1024];
    agentchat_error err;
    aci_compare_rows rows;

    agentchat_error_clear(&err);
    test_ok(aci_compare_rows_make(&rows, aci_env(NULL), left, right, &err), &err);
    print_rows(&rows, found, sizeof found);
    assert_string_equal(found, expected);
    aci_compare_rows_clear(&rows);
    agentchat_messages_unref(left);
    agentchat_messages_unref(right);
}

static void test_compare_rows__stand_side_by_side(void **state)
{
    (void)state;
    check("", "", "");
    check("abc", "abc", "=0,0 =1,1 =2,2");
    check("ab", "", "-0 -1");
    check("", "ab", "+0 +1");
    check("abc", "axc", "=0,0 ~1,1 =2,2");
    check("aBc", "axc", "=0,0 -1 +1 =2,2");
    check("abc", "ac", "=0,0 -1 =2,1");
    check("ac", "abc", "=0,0 +1 =1,2");
    check("abcd", "bcda", ">0,3 =1,0 =2,1 =3,2 <0,3");
    check("aab", "ab", "-0 =1,0 =2,1");
    check("aXbY", "aZbW", "=0,0 ~1,1 =2,2 ~3,3");
    check("axyB", "azB", "=0,0 ~1,1 -2 =3,2");
}

static void count_rows(const aci_compare_rows *rows, size_t left_count, size_t right_count)
{
    size_t seen_left[MOST] = {0}, seen_right[MOST] = {0}, next_left = 0, next_right = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const aci_row *row = &rows->list[i];
        bool is_left = row->kind != ACI_ROW_ADDED && row->kind != ACI_ROW_MOVED_HERE;
        bool is_right = row->kind != ACI_ROW_REMOVED && row->kind != ACI_ROW_MOVED_AWAY;

        if (is_left) {
            assert_int_equal(row->left, next_left++); /* each side in its own order */
            seen_left[row->left]++;
        }
        if (is_right) {
            assert_int_equal(row->right, next_right++);
            seen_right[row->right]++;
        }
    }
    for (size_t i = 0; i < left_count; i++)
        assert_int_equal(seen_left[i], 1);
    for (size_t i = 0; i < right_count; i++)
        assert_int_equal(seen_right[i], 1);
    assert_int_equal(aci_compare_rows_count(rows, ACI_ROW_MOVED_AWAY),
                     aci_compare_rows_count(rows, ACI_ROW_MOVED_HERE));
}

static void test_compare_rows__have_every_message_once_in_order(void **state)
{
    uint32_t seed = 7;

    (void)state;
    for (int round = 0; round < 500; round++) {
        char letters[2][MOST] = {"", ""};
        agentchat_messages *lists[2];
        agentchat_error err;
        aci_compare_rows rows;

        for (int side = 0; side < 2; side++) {
            size_t count = (seed = seed * 1664525 + 1013904223) >> 27;

            for (size_t i = 0; i < count; i++) {
                seed = seed * 1664525 + 1013904223;
                letters[side][i] = (char)((seed >> 31 ? 'a' : 'A') + (seed >> 24) % 9);
            }
            letters[side][count] = '\0';
            lists[side] = list_of(letters[side]);
        }
        agentchat_error_clear(&err);
        test_ok(aci_compare_rows_make(&rows, aci_env(NULL), lists[0], lists[1], &err), &err);
        count_rows(&rows, strlen(letters[0]), strlen(letters[1]));
        for (size_t i = 0; i < rows.count; i++) {
            const aci_row *row = &rows.list[i];
            bool says_equal = row->kind == ACI_ROW_SAME || row->kind >= ACI_ROW_MOVED_AWAY;

            if (says_equal)
                assert_int_equal(letters[0][row->left], letters[1][row->right]);
            else if (row->kind == ACI_ROW_CHANGED)
                assert_int_not_equal(letters[0][row->left], letters[1][row->right]);
        }
        aci_compare_rows_clear(&rows);
        agentchat_messages_unref(lists[0]);
        agentchat_messages_unref(lists[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare_rows__stand_side_by_side),
        cmocka_unit_test(test_compare_rows__have_every_message_once_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
