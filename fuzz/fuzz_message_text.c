/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input as JSON text of a list of messages and of one message: what is accepted is written as text that gives the
 * same text again, and a builder that starts from a message makes one that is written alike.
 */
#include "documents.h"
#include "events.h"

static agentchat_bytes write_message(const agentchat_message *message)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;

    FUZZ_CHECK(agentchat_message_write(message, &out, NULL) == AGENTCHAT_OK);
    return out;
}

static void check_copy(const agentchat_message *message)
{
    agentchat_bytes left = write_message(message), right;
    agentchat_message_builder *builder;
    agentchat_message *copy;

    FUZZ_CHECK(agentchat_message_builder_from(NULL, message, &builder, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_message_builder_finish(builder, &copy, NULL) == AGENTCHAT_OK);
    right = write_message(copy);
    /* A message that is a null as a whole becomes one without anything in it. */
    FUZZ_CHECK(agentchat_str_equal(fuzz_view(&left), fuzz_view(&right)) ||
               agentchat_str_equal(fuzz_view(&left), AGENTCHAT_STR("null")));
    agentchat_message_unref(copy);
    agentchat_bytes_clear(&right);
    agentchat_bytes_clear(&left);
}

static void read_one(agentchat_str text)
{
    agentchat_message *message = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;
    agentchat_status status = agentchat_message_read(NULL, text, &message, &report, &err);

    FUZZ_CHECK(report != NULL && (message != NULL) == (status == AGENTCHAT_OK));
    if (status < 0)
        fuzz_check_location(status, &err, text.len);
    else
        check_copy(message);
    agentchat_report_free(report);
    agentchat_message_unref(message);
}

static agentchat_messages *read_list(agentchat_str text, bool may_fail)
{
    agentchat_messages *list = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;
    agentchat_status status = agentchat_messages_read(NULL, text, &list, &report, &err);

    FUZZ_CHECK(report != NULL && (list != NULL) == (status == AGENTCHAT_OK));
    /* An unknown property may stand deeper once it is an entry of `extras`. */
    FUZZ_CHECK(status == AGENTCHAT_OK || may_fail || status == AGENTCHAT_E_LIMIT);
    if (status < 0)
        fuzz_check_location(status, &err, text.len);
    agentchat_report_free(report);
    return list;
}

static void read_many(agentchat_str text)
{
    agentchat_messages *list = read_list(text, true), *back;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT, again = AGENTCHAT_BYTES_INIT;

    if (list == NULL)
        return;
    FUZZ_CHECK(agentchat_messages_write(list, &out, NULL) == AGENTCHAT_OK);
    back = read_list(fuzz_view(&out), false);
    if (back != NULL) {
        FUZZ_CHECK(agentchat_messages_count(back) == agentchat_messages_count(list));
        FUZZ_CHECK(agentchat_messages_write(back, &again, NULL) == AGENTCHAT_OK);
        FUZZ_CHECK(agentchat_str_equal(fuzz_view(&out), fuzz_view(&again)));
    }
    for (size_t i = 0; i < agentchat_messages_count(list); i++)
        check_copy(agentchat_messages_at(list, i));
    agentchat_messages_unref(back);
    agentchat_messages_unref(list);
    agentchat_bytes_clear(&again);
    agentchat_bytes_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_str text = {size > 0 ? (const char *)data : "", size};

    read_one(text);
    read_many(text);
    return 0;
}
