/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random chats through a format: what is read of the document is equal to what was written, or a loss in the writer's
 * report is at or above each location that differs. Where the format has events, the same of the messages as events, by
 * their digest. usage: test_random_chats FORMAT [CHATS [SEED]]
 */
#include "support/test_support.h"

#include "format/random_chat.h"
#include "format/unreported.h"
#include <agentchat/repair.h>
#include <stdio.h>

static const agentchat_format *format;
static size_t chats = 3000;
static uint32_t first_seed = 1;

static size_t pick(void *user, size_t below)
{
    (void)user;
    return test_pick(below);
}

static agentchat_snapshot *chat_of(uint32_t seed)
{
    const random_source random = {pick, NULL};
    agentchat_snapshot *chat;

    test_seed(seed);
    chat = random_chat(&random, NULL);
    assert_non_null(chat);
    return chat;
}

static agentchat_snapshot *read_back(agentchat_str text, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *back = NULL;

    options.format = format->name;
    return agentchat_snapshot_read_memory(NULL, text, &options, &back, NULL, err) >= 0 ? back : NULL;
}

/* Prints what is wrong; whether that is nothing. */
static bool check(const agentchat_snapshot *chat, bool strict, uint32_t seed)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *back;
    agentchat_error err;
    char *unreported = NULL;
    bool good;

    options.format = format->name;
    options.strict = strict || agentchat_repair_profile_find(format->name) != NULL;
    test_ok(agentchat_snapshot_write_memory(chat, &options, &text, &report, &err), &err);
    back = read_back((agentchat_str){text.ptr, text.len}, &err);
    if (back != NULL)
        unreported = unreported_difference(chat, back, report);
    good = back != NULL && unreported == NULL;
    if (!good)
        print_error("%s%s, seed %u: %s\n", format->name, strict ? " (strict)" : "", (unsigned)seed,
                    unreported != NULL ? unreported : err.message);
    if (!good && chats == 1)
        print_error("%.*s\n", (int)text.len, text.ptr);
    free(unreported);
    agentchat_snapshot_unref(back);
    agentchat_report_free(report);
    agentchat_bytes_clear(&text);
    return good;
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

/* Prints what is wrong; whether that is nothing. */
static bool check_event(const agentchat_message *message, uint32_t seed)
{
    char before[AGENTCHAT_DIGEST_LEN + 1], after[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_event *event, *back;
    agentchat_error err;
    bool good;

    test_ok(agentchat_event_from_message(NULL, message, "i", &event, &err), &err);
    test_ok(agentchat_event_write(event, format->name, &text, &report, &err), &err);
    test_ok(agentchat_event_read(NULL, (agentchat_str){text.ptr, text.len}, format->name, &back, NULL, &err), &err);
    test_ok(agentchat_event_digest(event, before, &err), &err);
    test_ok(agentchat_event_digest(back, after, &err), &err);
    good = strcmp(before, after) == 0 || agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS) > 0 ||
           agentchat_report_count_of(report, AGENTCHAT_REPORT_REPAIR) > 0;
    if (!good)
        print_error("%s, seed %u: an event is another one: %s\n", format->name, (unsigned)seed, text.ptr);
    agentchat_event_unref(event);
    agentchat_event_unref(back);
    agentchat_report_free(report);
    agentchat_bytes_clear(&text);
    return good;
}

static void test_random_messages__come_back_as_events(void **state)
{
    size_t failures = 0;

    (void)state;
    if ((format->reads & format->writes & AGENTCHAT_HOLDS_EVENT) == 0)
        skip();
    for (size_t n = 0; n < chats && failures < 20; n++) {
        uint32_t seed = first_seed + (uint32_t)n;
        agentchat_snapshot *chat = chat_of(seed);
        const agentchat_messages *history = agentchat_snapshot_history(chat);

        for (size_t i = 0; i < agentchat_messages_count(history); i++)
            failures += !check_event(agentchat_messages_at(history, i), seed);
        agentchat_snapshot_unref(chat);
    }
    assert_int_equal(failures, 0);
}

static void test_random_chats__come_back_or_are_reported(void **state)
{
    uint32_t both = format->reads & format->writes & (AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY);
    size_t failures = 0;

    (void)state;
    if (both == 0)
        skip();
    for (size_t n = 0; n < chats && failures < 20; n++) {
        uint32_t seed = first_seed + (uint32_t)n;
        agentchat_snapshot *chat = chat_of(seed);

        for (int strict = 0; strict <= format->has_strict; strict++)
            failures += !check(chat, strict != 0, seed);
        agentchat_snapshot_unref(chat);
    }
    assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_chats__come_back_or_are_reported),
        cmocka_unit_test(test_random_messages__come_back_as_events),
    };

    format = agentchat_format_find(argc > 1 ? argv[1] : NULL);
    if (format == NULL)
        return 2;
    if (argc > 2)
        chats = strtoull(argv[2], NULL, 10);
    if (argc > 3)
        first_seed = (uint32_t)strtoul(argv[3], NULL, 10);
    return cmocka_run_group_tests_name("random_chats", tests, NULL, NULL);
}
