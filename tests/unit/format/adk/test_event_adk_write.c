/* SPDX-License-Identifier: Apache-2.0 */
/* Writing events of a store as adk-python writes them: what only a store knows. (tests/format/adk has the rest.) */
#include "unit/format/event_test.h"

#include "session/session_internal.h"

static void test_adk_write__a_known_sum(void **state)
{
    agentchat_event *event;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;
    agentchat_error err;
    char *entries;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_stored_event_read(NULL, 1, AGENTCHAT_STR("{\"author\":\"a\",\"actions\":{\"stateadd\":{\"n\":3}}}"),
                                  AGENTCHAT_STR("{\"sums\":{\"n\":45}}"), &event, &err),
            &err);
    test_ok(agentchat_event_write(event, "adk", &out, &report, &err), &err);
    assert_non_null(strstr(out.ptr, "\"stateDelta\":{\"n\":45}"));
    entries = entries_of(report);
    assert_non_null(strstr(entries, "repair /actions/stateadd/n: the counter was written as its sum\n"));
    free(entries);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    agentchat_event_unref(event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adk_write__a_known_sum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
