/* SPDX-License-Identifier: Apache-2.0 */
/* What a document may be repeated in what is made of it: repairs, completed channels, messages that channels name. */
#include "unit/format/document_test.h"

#include <stdio.h>
#include <stdlib.h>

#define HISTORY_CHANNEL "Microsoft.SemanticKernel.Agents.ChatHistoryChannel"
#define AGGREGATOR "Microsoft.SemanticKernel.Agents.AggregatorAgent"

enum { MEGABYTE = 1000000, MESSAGE = 1000, MANY = 60 };

/* A document of about `bytes`: messages of `length`, between `head` and `middle`, and then `count` of `each`, in which
   %d stands for the number and then for the number of messages. To be freed with free(). */
static char *make(const char *head, const char *message, size_t length, size_t bytes, const char *middle,
                  const char *each, int count, const char *tail)
{
    size_t messages = bytes / length, room = bytes + (size_t)count * (strlen(each) + 16) + 4096;
    char *text = malloc(room), *end = text;

    assert_non_null(text);
    end += snprintf(end, 512, "%s", head);
    for (size_t i = 0; i < messages; i++)
        end += snprintf(end, length + 16, "%s%s", i > 0 ? "," : "", message);
    end += snprintf(end, 512, "%s", middle);
    for (int i = 0; i < count; i++) {
        end += snprintf(end, 2, "%s", i > 0 ? "," : "");
        end += snprintf(end, 512, each, i, (int)messages);
    }
    (void)snprintf(end, 64, "%s", tail);
    return text;
}

static const char *message_of(const char *head, const char *tail)
{
    static char text[MESSAGE];
    size_t used = strlen(head) + strlen(tail) + 1;

    (void)snprintf(text, sizeof text, "%s%*s%s", head, (int)(MESSAGE - 1 - used), "", tail);
    return text;
}

static char *silent_agents(int count)
{
    return make("{\"History\":[",
                message_of("{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"", "\"}]}"),
                MESSAGE, MEGABYTE, "],\"Channels\":[],\"Participants\":[",
                "{\"Name\":\"n%d\",\"Id\":\"%d\",\"Type\":\"" AGGREGATOR "\"}", count, "]}");
}

static char *stateless_channels(int count)
{
    return make("{\"Participants\":[],\"History\":[",
                message_of("{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"", "\"}]}"),
                MESSAGE, MEGABYTE, "],\"Channels\":[",
                "{\"ChannelKey\":\"%d\",\"ChannelType\":\"" HISTORY_CHANNEL "\",\"ChannelState\":null}", count, "]}");
}

#define FORMAT_1 "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["
#define FORMAT_1_CHANNELS "],\"participants\":[],\"channels\":["

static char *format_1(const char *each, int count, size_t bytes)
{
    return make(FORMAT_1, message_of("{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"", "\"}]}"), MESSAGE,
                bytes, FORMAT_1_CHANNELS, each, count, "]}");
}

static char *outdated_channels(int count)
{
    return format_1("{\"channelkey\":\"%d\",\"channeltype\":\"" HISTORY_CHANNEL
                    "\",\"statekind\":\"messages\",\"channelstate\":[],\"synced\":0}",
                    count, MEGABYTE);
}

static char *naming_channels(int count, size_t bytes)
{
    return format_1("{\"channelkey\":\"%d\",\"channeltype\":\"" HISTORY_CHANNEL
                    "\",\"statekind\":\"messages\",\"channelstate\":[[0,%d]]}",
                    count, bytes);
}

typedef struct outcome {
    agentchat_status status;
    size_t bytes, losses, repairs;
    agentchat_error err;
} outcome;

static outcome write_as(const agentchat_snapshot *snapshot, bool strict, uint32_t max_copies)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;
    outcome o = {.status = AGENTCHAT_OK};

    options.format = "semantic-kernel";
    options.strict = strict;
    options.max_copies = max_copies;
    o.status = agentchat_snapshot_write_memory(snapshot, &options, &bytes, &report, &o.err);
    o.bytes = bytes.len;
    if (o.status >= 0) {
        o.losses = agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);
        o.repairs = agentchat_report_count_of(report, AGENTCHAT_REPORT_REPAIR);
    }
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    return o;
}

/* What a document is in default mode; frees the text. */
static outcome convert(char *text, uint32_t max_copies)
{
    agentchat_snapshot *snapshot = read_text(text);
    outcome o = write_as(snapshot, false, max_copies);

    test_ok(o.status, &o.err);
    agentchat_snapshot_unref(snapshot);
    free(text);
    return o;
}

static void test_copies__repairs_of_an_ordinary_chat_are_complete(void **state)
{
    char *(*const makers[])(int) = {outdated_channels, stateless_channels};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        outcome o = convert(makers[i](17), 0);

        assert_int_equal(o.losses, 0);
        assert_int_equal(o.repairs, 17);
        assert_true(o.bytes > 18 * (size_t)MEGABYTE);
    }
}

static void test_copies__beyond_the_budget_is_a_loss(void **state)
{
    char *(*const makers[])(int) = {outdated_channels, stateless_channels, silent_agents};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        outcome o = convert(makers[i](MANY), 0);

        assert_true(o.repairs > 0);
        assert_int_equal(o.losses + o.repairs, MANY);
        assert_true(o.bytes < 22 * (size_t)MEGABYTE);
    }
}

static void test_copies__the_writing_option_sets_the_budget(void **state)
{
    (void)state;
    assert_int_equal(convert(outdated_channels(17), 1).repairs, 3);
    assert_int_equal(convert(outdated_channels(40), 100).losses, 0);
}

static void test_copies__what_was_not_repaired_reads_back_as_it_was(void **state)
{
    char *text = stateless_channels(3 * 17);
    agentchat_snapshot *snapshot = read_text(text), *back;
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    bool equal;

    (void)state;
    options.format = "semantic-kernel";
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    back = read_text(bytes.ptr);
    test_ok(agentchat_snapshot_diff(snapshot, back, NULL, NULL, &equal, &err), &err);
    assert_true(equal);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(back);
    agentchat_snapshot_unref(snapshot);
    free(text);
}

static void test_copies__channels_that_name_the_history_cost_nothing_to_read_and_keep(void **state)
{
    char *text = naming_channels(MANY, MEGABYTE), *again;
    agentchat_snapshot *snapshot = read_text(text), *same = read_text(text);
    agentchat_error err;
    bool equal;

    (void)state;
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), MANY);
    again = write_text(snapshot, "agentchat");
    assert_true(strlen(again) < 2 * (size_t)MEGABYTE);
    test_ok(agentchat_snapshot_diff(snapshot, same, NULL, NULL, &equal, &err), &err);
    assert_true(equal);
    agentchat_snapshot_unref(same);
    agentchat_snapshot_unref(snapshot);
    free(again);
    free(text);
}

static agentchat_status digest(const agentchat_snapshot *snapshot, bool all, agentchat_error *err)
{
    char hex[AGENTCHAT_DIGEST_LEN + 1];

    return agentchat_snapshot_digest(snapshot, all, hex, err);
}

static void test_copies__spelling_out_what_channels_name_is_limited(void **state)
{
    char *text = naming_channels(MANY, MEGABYTE);
    agentchat_snapshot *snapshot = read_text(text), *other;
    agentchat_error err;
    outcome o;
    bool equal;

    (void)state;
    for (int strict = 0; strict < 2; strict++) {
        o = write_as(snapshot, strict != 0, 0);
        test_fails(o.status, &o.err, AGENTCHAT_E_LIMIT, "/channels/18/channelstate", "max_copies");
        o = write_as(snapshot, strict != 0, MANY);
        test_ok(o.status, &o.err);
    }
    test_ok(digest(snapshot, false, &err), &err);
    test_fails(digest(snapshot, true, &err), &err, AGENTCHAT_E_LIMIT, "", "max_copies");
    memset(strchr(text, ' '), 'x', 1); /* the first message differs, and so does each channel */
    other = read_text(text);
    test_ok(agentchat_snapshot_diff(snapshot, other, NULL, NULL, &equal, &err), &err);
    assert_false(equal);
    agentchat_snapshot_unref(other);
    agentchat_snapshot_unref(snapshot);
    free(text);
    text = naming_channels(15, MEGABYTE);
    snapshot = read_text(text);
    test_ok(digest(snapshot, true, &err), &err);
    o = write_as(snapshot, true, 0);
    test_ok(o.status, &o.err);
    agentchat_snapshot_unref(snapshot);
    free(text);
}

static agentchat_status go_on(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                              agentchat_error *err)
{
    (void)path, (void)err;
    *(size_t *)user += left.len + right.len;
    return AGENTCHAT_OK;
}

static void test_copies__a_comparison_is_limited(void **state)
{
    char *text = naming_channels(MANY, MEGABYTE), *other_text = strdup(text);
    agentchat_snapshot *snapshot, *other;
    size_t shown = 0;
    agentchat_error err;
    bool equal;

    (void)state;
    assert_non_null(other_text);
    for (char *p = other_text; *p != '\0'; p++)
        *p = *p == ' ' ? 'x' : *p;
    snapshot = read_text(text);
    other = read_text(other_text);
    test_fails(agentchat_snapshot_diff(snapshot, other, go_on, &shown, &equal, &err), &err, AGENTCHAT_E_LIMIT, "",
               "max_copies");
    assert_true(shown < 40 * (size_t)MEGABYTE);
    agentchat_snapshot_unref(other);
    agentchat_snapshot_unref(snapshot);
    free(other_text);
    free(text);
}

static void test_copies__references_are_limited_by_the_size(void **state)
{
    static const char gaps[] = "{\"channelkey\":\"%d\",\"statekind\":\"messages\",\"channelstate\":[[0,1],[2,998]]}";
    static const char later[] = "{\"channelkey\":\"%d\",\"statekind\":\"messages\",\"channelstate\":[[1,999]]}";
    char small[] = "{\"role\":\"user\"}";
    const char *const each[] = {gaps, later};
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    options.limits = &limits;
    limits.max_copies = 100;
    for (size_t i = 0; i < 2; i++) {
        char *text = make(FORMAT_1, small, sizeof small - 1, 1000 * (sizeof small - 1), FORMAT_1_CHANNELS, each[i],
                          10 * MANY, "]}");

        assert_int_equal(try_read(text, &snapshot, &err), AGENTCHAT_E_LIMIT);
        assert_non_null(strstr(err.message, "max_copies"));
        test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), &options, &snapshot, NULL, &err), &err);
        agentchat_snapshot_unref(snapshot);
        free(text);
    }
}

/* A list that names itself through an edit or a builder keeps its budget. */
static void test_copies__what_was_edited_is_limited_too(void **state)
{
    char *text = naming_channels(MANY, MEGABYTE);
    agentchat_snapshot *snapshot = read_text(text), *edited;
    agentchat_error err;

    (void)state;
    edited = finish(test_snapshot_builder(NULL, snapshot));
    agentchat_snapshot_unref(snapshot);
    test_fails(digest(edited, true, &err), &err, AGENTCHAT_E_LIMIT, "", "max_copies");
    agentchat_snapshot_unref(edited);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies__repairs_of_an_ordinary_chat_are_complete),
        cmocka_unit_test(test_copies__beyond_the_budget_is_a_loss),
        cmocka_unit_test(test_copies__the_writing_option_sets_the_budget),
        cmocka_unit_test(test_copies__what_was_not_repaired_reads_back_as_it_was),
        cmocka_unit_test(test_copies__channels_that_name_the_history_cost_nothing_to_read_and_keep),
        cmocka_unit_test(test_copies__spelling_out_what_channels_name_is_limited),
        cmocka_unit_test(test_copies__a_comparison_is_limited),
        cmocka_unit_test(test_copies__references_are_limited_by_the_size),
        cmocka_unit_test(test_copies__what_was_edited_is_limited_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
