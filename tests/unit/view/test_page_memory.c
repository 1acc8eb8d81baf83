/* SPDX-License-Identifier: Apache-2.0 */
/* Whole pages: streams that fail, no memory, and how much of it a page takes. */
#include "page_test.h"

/* Of several windows of the writer. */
static agentchat_snapshot *long_chat(const agentchat_env *env)
{
    static char text[3000];
    agentchat_snapshot_builder *b = test_snapshot_builder(env, NULL);
    agentchat_message *message;
    agentchat_snapshot *chat;
    agentchat_error err;

    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < 60; i++) {
        text[0] = i % 2 == 0 ? '#' : 'x';
        test_ok(agentchat_message_new_text(env, "user", (agentchat_str){NULL, 0}, (agentchat_str){text, sizeof text},
                                           &message, &err),
                &err);
        agentchat_snapshot_builder_add_message(b, message);
        agentchat_message_unref(message);
    }
    test_ok(agentchat_snapshot_builder_finish(b, &chat, &err), &err);
    return chat;
}

static void test_page__a_stream_that_fails(void **state)
{
    agentchat_snapshot *chat = long_chat(NULL);
    agentchat_status status = AGENTCHAT_E_IO;
    agentchat_sink *sink;
    agentchat_error err;
    uint64_t writes = 0;

    (void)state;
    for (; status < 0; writes++) {
        sink = test_sink_failing(writes, false);
        status = agentchat_snapshot_write_html(chat, sink, NULL, &err);
        if (status < 0)
            test_fails(status, &err, AGENTCHAT_E_IO, NULL, "refuses this write");
        agentchat_sink_free(sink);
        assert_true(writes < 100);
    }
    assert_true(writes > 3);
    sink = test_sink_failing(writes, true);
    test_fails(agentchat_snapshot_write_html(chat, sink, NULL, &err), &err, AGENTCHAT_E_IO, NULL, "refuses to commit");
    agentchat_sink_free(sink);
    agentchat_snapshot_unref(chat);
}

static agentchat_snapshot *rich_chat(const agentchat_env *env)
{
    static const char text[] =
        CHAT("{\"role\":\"a\",\"items\":[" CALL("\"1\"") ",{\"type\":\"text\",\"text\":\"*b*\"},"
                                                         "{\"type\":\"message\",\"message\":" TEXT("u", "x") "}," DATA(
                                                             "image", "image/png",
                                                             "QUJD") ",null]},"
                                                                     "{\"role\":\"t\",\"items\":[" RESULT("\"1\"") "]}",
             HOLDER("k1", "own") ",{\"channelkey\":\"k2\",\"channeltype\":\"U\",\"statekind\":\"chat\","
                                 "\"channelstate\":{\"history\":[" TEXT(
                                     "u", "`inner`") "],\"participants\":[],\"channels\":[" HOLDER("k3", "own") "]}}");
    agentchat_snapshot *chat;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(env, agentchat_str_from(text), NULL, &chat, NULL, &err), &err);
    return chat;
}

static agentchat_status write_rich(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes page = {NULL, 0, 0, env};
    agentchat_snapshot *chat;
    agentchat_status status;

    (void)user;
    test_oom_running()->held = true;
    chat = rich_chat(env);
    test_oom_running()->held = false;
    {
        agentchat_sink *sink;

        status = agentchat_sink_memory(env, &page, &sink, err);
        if (status >= 0)
            status = agentchat_snapshot_write_html(chat, sink, NULL, err);
        agentchat_sink_free(sink);
    }
    assert_int_equal(page.len > 0, status >= 0);
    agentchat_bytes_clear(&page);
    agentchat_snapshot_unref(chat);
    return status;
}

static void test_page__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(write_rich, NULL) > 40);
}

/* What a page takes does not grow with the page. */
static void test_page__memory_for_a_long_chat(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_snapshot *chat = long_chat(env);
    uint64_t live = oom.live_bytes;
    agentchat_sink *sink = test_sink_failing(UINT64_MAX, false);
    agentchat_error err;

    (void)state;
    oom.peak_bytes = live;
    test_ok(agentchat_snapshot_write_html(chat, sink, NULL, &err), &err);
    assert_true(oom.peak_bytes - live < 160000);
    assert_int_equal(oom.live_bytes, live);
    agentchat_sink_free(sink);
    agentchat_snapshot_unref(chat);
    agentchat_env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page__a_stream_that_fails),
        cmocka_unit_test(test_page__out_of_memory),
        cmocka_unit_test(test_page__memory_for_a_long_chat),
    };

    return cmocka_run_group_tests_name("page_memory", tests, NULL, NULL);
}
