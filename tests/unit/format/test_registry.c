/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats: what it says of them is what they have. */
#include "support/test_support.h"

#include "format/registry.h"
#include "model/model.h"

static void test_registry__describes_what_formats_have(void **state)
{
    enum { CHATS = AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY };
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);

    (void)state;
    assert_int_equal(agentchat_format_count(), count);
    assert_null(agentchat_format_at(count));
    for (size_t i = 0; i < count; i++) {
        const aci_format *f = formats[i];

        assert_ptr_equal(agentchat_format_at(i), &f->about);
        assert_ptr_equal(agentchat_format_find(f->about.name), &f->about);
        assert_true(aci_tag_is_valid(agentchat_str_from(f->about.name)));
        assert_true(strlen(f->about.summary) > 10 && strchr(f->about.summary, '\n') == NULL);
        assert_true(((f->about.reads & CHATS) != 0) == (f->read_chat != NULL));
        assert_true(((f->about.writes & CHATS) != 0) == (f->write_chat != NULL));
        assert_true(((f->about.reads & AGENTCHAT_HOLDS_EVENT) != 0) == (f->read_event != NULL));
        assert_true(((f->about.writes & AGENTCHAT_HOLDS_EVENT) != 0) == (f->write_event != NULL));
        assert_true(((f->about.reads & AGENTCHAT_HOLDS_SESSION) != 0) == (f->read_session != NULL));
        assert_true(((f->about.writes & AGENTCHAT_HOLDS_SESSION) != 0) == (f->write_session != NULL));
        assert_true((f->probe_chat != NULL) == (f->read_chat != NULL));
        /* adk-rust has no marks of its own: its documents are detected as adk */
        assert_true(f->has_event_name == NULL || f->read_event != NULL);
        assert_true((f->has_event_name != NULL) == (f->probe_session != NULL));
    }
}

static void test_registry__finds_by_name(void **state)
{
    static const char *const names[] = {"agentchat", "agentchat-encoded", "semantic-kernel", "adk", "adk-rust"};
    const aci_format *format;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(agentchat_format_find(names[i])->name, names[i]);
    assert_null(agentchat_format_find("Agentchat"));
    assert_null(agentchat_format_find(""));
    assert_null(agentchat_format_find(NULL));
    test_ok(aci_registry_choose("adk", ACI_WRITE_EVENT, &format, &err), &err);
    assert_string_equal(format->about.name, "adk");
    test_fails(
        aci_registry_choose("adk", ACI_WRITE_CHAT, &format, &err), &err, AGENTCHAT_E_INVALID, "",
        "chats are not written as \"adk\", but as agentchat, agentchat-encoded, semantic-kernel, openai-responses, "
        "openai-chat or anthropic");
    assert_null(format);
    agentchat_error_clear(&err);
    test_fails(aci_registry_choose("x\n", ACI_READ_SESSION, &format, &err), &err, AGENTCHAT_E_INVALID, "",
               "sessions are not read as \"x\\u000a\", but as agentchat, adk or adk-rust");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registry__describes_what_formats_have),
        cmocka_unit_test(test_registry__finds_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
