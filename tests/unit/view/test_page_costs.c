/* SPDX-License-Identifier: Apache-2.0 */
/* What whole pages cost as chats grow. */
#include "page_test.h"

/* Adds one piece again and again, with its number for each %zu of it (at most two). */
static void repeat(agentchat_bytes *text, const char *piece, size_t count)
{
    agentchat_error err;
    char one[512];

    for (size_t i = 0; i < count; i++) {
        int len = snprintf(one, sizeof one, i > 0 ? "," : "");

        len += snprintf(one + len, sizeof one - (size_t)len, piece, i, i);
        test_ok(agentchat_bytes_append(text, (agentchat_str){one, (size_t)len}, &err), &err);
    }
}

/* So many messages and channels, or messages and participants. */
static agentchat_snapshot *large_chat(const char *message, const char *channel, const char *participant, size_t count)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *chat;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(
        agentchat_bytes_append(&text, AGENTCHAT_STR("{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["), &err),
        &err);
    repeat(&text, message, count);
    test_ok(agentchat_bytes_append(&text, AGENTCHAT_STR("],\"participants\":["), &err), &err);
    repeat(&text, participant, *participant != '\0' ? count : 0);
    test_ok(agentchat_bytes_append(&text, AGENTCHAT_STR("],\"channels\":["), &err), &err);
    repeat(&text, channel, *channel != '\0' ? count : 0);
    test_ok(agentchat_bytes_append(&text, AGENTCHAT_STR("]}"), &err), &err);
    chat = read_text(text.ptr);
    agentchat_bytes_clear(&text);
    return chat;
}

static double seconds_for(const agentchat_snapshot *chat, size_t *len)
{
    agentchat_bytes page = AGENTCHAT_BYTES_INIT;
    double begin = test_seconds();
    agentchat_error err;

    test_ok(write_page(chat, NULL, &page, &err), &err);
    begin = test_seconds() - begin;
    *len = page.len;
    agentchat_bytes_clear(&page);
    return begin;
}

/* What grows in two parts of a chat at once, so that either may be gone through for the other one. What grows in one
   part is measured by hostile.growth. */
static void test_page__costs_what_the_chat_has(void **state)
{
    enum { SMALL = 250, STEP = 8, WORST = 30, TRIES = 2 };
    static const char *const cases[][3] = {
        {TEXT("user", "%zu"),
         "{\"channelkey\":\"k%zu\",\"channeltype\":\"T\",\"statekind\":\"text\",\"channelstate\":\"s\"}", ""},
        {TEXT("user", "%zu"), HOLDER("k%zu", "0"), ""},
        {TEXT("user", "same"), HOLDER("k%zu", "same"), ""},
        {TEXT("user", "%zu"), HOLDER("k%zu", "own %zu"), ""},
        {"{\"role\":\"user\",\"name\":\"n%zu\"}", "", "{\"id\":\"%zu\",\"name\":\"n%zu\",\"type\":\"t\"}"},
        {TEXT("user", "%zu"),
         "{\"channelkey\":\"k%zu\",\"channeltype\":\"T\",\"statekind\":\"chat\",\"channelstate\":{\"history\":[" TEXT(
             "user", "%zu") "],\"participants\":[],\"channels\":[]}}",
         ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_snapshot *little = large_chat(cases[i][0], cases[i][1], cases[i][2], SMALL);
        agentchat_snapshot *much = large_chat(cases[i][0], cases[i][1], cases[i][2], SMALL * STEP);
        size_t small_len = 0, large_len = 0;
        double small = 1e9, large = 1e9;

        for (int k = 0; k < TRIES; k++) {
            double a = seconds_for(little, &small_len), b = seconds_for(much, &large_len);

            small = a < small ? a : small;
            large = b < large ? b : large;
        }
        printf("case %zu: %10.6f s and %zu bytes, %10.6f s and %zu bytes\n", i, small, small_len, large, large_len);
        assert_true(large < WORST * (small > 0.0005 ? small : 0.0005));
        assert_true(large_len < (STEP + 2) * small_len);
        agentchat_snapshot_unref(little);
        agentchat_snapshot_unref(much);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page__costs_what_the_chat_has),
    };

    return cmocka_run_group_tests_name("page_costs", tests, NULL, NULL);
}
