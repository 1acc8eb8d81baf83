/* SPDX-License-Identifier: Apache-2.0 */
/* Who speaks in a chat: participants first, then whoever speaks in its history, its channels and the chats inside, each
   once; of several chats together; and without memory. */
#include "view_test.h"

#include "view/authors.h"

#define SAYS(name) "{\"role\":\"user\",\"name\":\"" name "\",\"items\":[]}"
#define TAKES_PART(name) "{\"id\":\"i\",\"name\":\"" name "\",\"type\":\"t\"}"
#define HOLDER(key, message)                                                                                           \
    "{\"channelkey\":\"" key                                                                                           \
    "\",\"channeltype\":\"T\",\"statekind\":\"messages\",\"synced\":0,\"channelstate\":[" message "]}"
#define PARTS(history, participants, channels)                                                                         \
    "\"history\":[" history "],\"participants\":[" participants "],\"channels\":[" channels "]}"
#define CHAT(history, participants, channels)                                                                          \
    "{\"agentchat\":{\"format\":1,\"reader\":1}," PARTS(history, participants, channels)
#define INSIDE(key, chat)                                                                                              \
    "{\"channelkey\":\"" key "\",\"channeltype\":\"T\",\"statekind\":\"chat\",\"channelstate\":{" chat "}"

#define INNER PARTS(SAYS("Cleo"), TAKES_PART("Dora"), HOLDER("c", SAYS("Eve")))
#define NAMELESS "{\"role\":\"tool\",\"items\":[]}"

static const char outer[] = CHAT(SAYS("Ben") "," SAYS("Ann") "," NAMELESS, TAKES_PART("Ann"),
                                 HOLDER("a", SAYS("Summary")) "," INSIDE("b", INNER));
static const char another[] = CHAT(SAYS("Ben") "," SAYS("Fay"), "", "");
static const char *const expected[] = {"Ann", "Ben", "tool", "Summary", "Dora", "Cleo", "Eve", "Fay"};

enum { OF_OUTER = 7, OF_BOTH = 8 };

static void assert_authors(const aci_authors *authors, size_t count)
{
    assert_int_equal(authors->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(agentchat_str_equal(authors->names[i], agentchat_str_from(expected[i])));
        assert_int_equal(aci_author_number(authors, agentchat_str_from(expected[i])), i);
    }
    assert_int_equal(aci_author_number(authors, AGENTCHAT_STR("nobody")), ACI_INDEX_NONE);
}

static void test_authors__of_chats_and_of_those_inside(void **state)
{
    agentchat_snapshot *first = read_text(outer), *second = read_text(another);
    aci_authors authors = {.env = aci_env(NULL)};

    (void)state;
    assert_true(aci_authors_add(&authors, first));
    assert_authors(&authors, OF_OUTER);
    assert_true(aci_authors_add(&authors, second));
    assert_authors(&authors, OF_BOTH);
    assert_true(aci_authors_add(&authors, first));
    assert_authors(&authors, OF_BOTH);
    aci_authors_clear(&authors);
    assert_int_equal(authors.count, 0);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
}

static agentchat_status add(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_authors authors = {.env = env};
    bool ok = aci_authors_add(&authors, user);

    aci_authors_clear(&authors);
    return ok ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

static void test_authors__out_of_memory(void **state)
{
    agentchat_snapshot *chat = read_text(outer);

    (void)state;
    assert_true(test_oom_sweep(add, chat) > 1);
    agentchat_snapshot_unref(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_authors__of_chats_and_of_those_inside),
        cmocka_unit_test(test_authors__out_of_memory),
    };

    return cmocka_run_group_tests_name("authors", tests, NULL, NULL);
}
