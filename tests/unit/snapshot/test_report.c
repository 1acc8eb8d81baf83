/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: entries, names, the bound per kind, running out of memory. */
#include "support/test_support.h"

#include "base/error.h"
#include "snapshot/report.h"

static const agentchat_str absent = {NULL, 0};

static void test_report__keeps_entries_in_order(void **state)
{
    agentchat_report *r = aci_report_new(aci_env(NULL));
    const agentchat_report_entry *entry;

    (void)state;
    assert_true(aci_report_add(r, AGENTCHAT_REPORT_LOSS, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR("/history/3"), absent,
                               "%s is lost", "it"));
    assert_true(aci_report_add(r, AGENTCHAT_REPORT_CHANNEL_RESTORED, AGENTCHAT_MATCH_KEY, AGENTCHAT_STR("/channels/0"),
                               AGENTCHAT_STR("k"), "restored"));
    assert_int_equal(agentchat_report_count(r), 2);
    assert_int_equal(agentchat_report_count_of(r, AGENTCHAT_REPORT_LOSS), 1);
    assert_int_equal(agentchat_report_count_of(r, AGENTCHAT_REPORT_NOTE), 0);
    assert_int_equal(agentchat_report_count_of(r, (agentchat_report_kind)99), 0);
    entry = agentchat_report_at(r, 0);
    assert_int_equal(entry->kind, AGENTCHAT_REPORT_LOSS);
    assert_str(entry->path, "/history/3");
    assert_str(entry->text, "it is lost");
    assert_null(entry->key.ptr);
    entry = agentchat_report_at(r, 1);
    assert_int_equal(entry->match, AGENTCHAT_MATCH_KEY);
    assert_str(entry->key, "k");
    assert_null(agentchat_report_at(r, 2));
    agentchat_report_free(r);
}

static void test_report__counts_what_is_beyond_the_bound(void **state)
{
    agentchat_report *r = aci_report_new(aci_env(NULL));

    (void)state;
    for (size_t i = 0; i < ACI_REPORT_MAX + 25; i++)
        assert_true(aci_report_add(r, AGENTCHAT_REPORT_REPAIR, AGENTCHAT_MATCH_NONE, absent, absent, "n %zu", i));
    assert_true(aci_report_add(r, AGENTCHAT_REPORT_LOSS, AGENTCHAT_MATCH_NONE, absent, absent, "other"));
    assert_true(aci_report_add(r, AGENTCHAT_REPORT_REPAIR, AGENTCHAT_MATCH_NONE, absent, absent, "last"));
    assert_int_equal(agentchat_report_count(r), ACI_REPORT_MAX + 2);
    assert_int_equal(agentchat_report_count_of(r, AGENTCHAT_REPORT_REPAIR), ACI_REPORT_MAX + 1);
    assert_str(agentchat_report_at(r, ACI_REPORT_MAX - 1)->text, "n 999");
    assert_str(agentchat_report_at(r, ACI_REPORT_MAX)->text, "26 more of this kind are not listed");
    assert_str(agentchat_report_at(r, ACI_REPORT_MAX + 1)->text, "other");
    agentchat_report_free(r);
}

static void test_report__accepts_nothing(void **state)
{
    (void)state;
    assert_true(aci_report_add(NULL, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, absent, absent, "x"));
    assert_int_equal(agentchat_report_count(NULL), 0);
    assert_int_equal(agentchat_report_count_of(NULL, AGENTCHAT_REPORT_NOTE), 0);
    assert_null(agentchat_report_at(NULL, 0));
    agentchat_report_free(NULL);
}

static void test_report__names_are_stable(void **state)
{
    static const char *const kinds[] = {"unknown",
                                        "note",
                                        "repair",
                                        "loss",
                                        "participant matched",
                                        "participant missing",
                                        "channel restored",
                                        "channel extra",
                                        "channel kept",
                                        "channel unedited",
                                        "unknown"};
    static const char *const matches[] = {"none", "id", "name and type", "name", "key", "resolver", "type", "unknown"};

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_string_equal(agentchat_report_kind_name((agentchat_report_kind)i), kinds[i]);
    for (size_t i = 0; i < sizeof matches / sizeof *matches; i++)
        assert_string_equal(agentchat_match_name((agentchat_match)i), matches[i]);
    assert_string_equal(agentchat_match_name((agentchat_match)-1), "unknown");
}

static agentchat_status fill(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_report *r = aci_report_new(env);
    bool ok = r != NULL;

    (void)user;
    for (size_t i = 0; ok && i < ACI_REPORT_MAX + 2; i++)
        ok = aci_report_add(r, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE, AGENTCHAT_STR("/history/1000/items/100"),
                            AGENTCHAT_STR("key"), "a sentence about what was done in another way");
    agentchat_report_free(r);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void test_report__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(fill, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report__keeps_entries_in_order),
        cmocka_unit_test(test_report__counts_what_is_beyond_the_bound),
        cmocka_unit_test(test_report__accepts_nothing),
        cmocka_unit_test(test_report__names_are_stable),
        cmocka_unit_test(test_report__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
