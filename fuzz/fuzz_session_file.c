/* SPDX-License-Identifier: Apache-2.0 */
/* A session's file in any format: what is accepted comes back from both formats. */
#include "events.h"

#include "format/session_chat.h"
#include "format/session_io.h"
#include "io/stream.h"
#include "snapshot/report.h"

/* *far (NULL: not wanted): a time was written that is read back as another one. */
static agentchat_bytes write_data(const aci_session_data *data, const char *format, bool *far)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink;
    agentchat_error err;

    FUZZ_CHECK(agentchat_sink_memory(NULL, &out, &sink, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(aci_session_io_write(data, format, sink, report, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(aci_sink_commit(sink, &err) == AGENTCHAT_OK);
    agentchat_sink_free(sink);
    if (far != NULL)
        *far = fuzz_reports(report, "milliseconds") || fuzz_reports(report, "the time was written as");
    agentchat_report_free(report);
    return out;
}

/* Reads and writes in one format; the second file is as the first. Native ones are the same bytes, those of the ADKs
   the same JSON. */
static void check_form(const aci_session_data *data, const char *format)
{
    bool far;
    agentchat_bytes first = write_data(data, format, &far), second;
    aci_session_data back;
    agentchat_error err;
    agentchat_status status;

    agentchat_error_clear(&err);
    status = aci_session_io_read(NULL, fuzz_bytes(&first), NULL, &back, &err);
    if (status < 0) { /* what is put into an object, and two extras of one name, may become too deep */
        FUZZ_CHECK(status == AGENTCHAT_E_LIMIT);
    } else {
        FUZZ_CHECK(back.event_count == data->event_count);
        second = write_data(&back, format, NULL);
        if (strcmp(format, "adk") == 0)
            FUZZ_CHECK(far || fuzz_same_json(fuzz_bytes(&first), fuzz_bytes(&second)));
        else
            FUZZ_CHECK(agentchat_str_equal(fuzz_bytes(&first), fuzz_bytes(&second)));
        agentchat_bytes_clear(&second);
    }
    aci_session_data_clear(&back);
    agentchat_bytes_clear(&first);
}

/* The chat has a message for each content, and comes back from its own form. */
static void check_chat(const aci_session_data *data)
{
    char before[AGENTCHAT_DIGEST_LEN + 1], after[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_bytes written = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *chat, *again;
    agentchat_error err;
    size_t count = 0;
    agentchat_status status = aci_session_chat_make(data, AGENTCHAT_STR("state"), NULL, &chat, &err);

    FUZZ_CHECK(status == AGENTCHAT_OK || status == AGENTCHAT_E_LIMIT); /* the state is one value there */
    if (status < 0)
        return;
    for (size_t i = 0; i < data->event_count; i++)
        count += aci_session_chat_has_message(data->events[i]);
    FUZZ_CHECK(agentchat_messages_count(agentchat_snapshot_history(chat)) == count);
    FUZZ_CHECK(agentchat_snapshot_write_memory(chat, NULL, &written, NULL, &err) == AGENTCHAT_OK);
    status = agentchat_snapshot_read_memory(NULL, fuzz_bytes(&written), NULL, &again, NULL, &err);
    FUZZ_CHECK(status == AGENTCHAT_OK || status == AGENTCHAT_E_LIMIT); /* a message stands a level deeper there */
    if (status >= 0) {
        FUZZ_CHECK(agentchat_snapshot_digest(chat, true, before, &err) == AGENTCHAT_OK);
        FUZZ_CHECK(agentchat_snapshot_digest(again, true, after, &err) == AGENTCHAT_OK);
        FUZZ_CHECK(strcmp(before, after) == 0);
    }
    agentchat_snapshot_unref(again);
    agentchat_snapshot_unref(chat);
    agentchat_bytes_clear(&written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_report *report = aci_report_new(aci_env(NULL));
    aci_session_data read;
    agentchat_error err;
    agentchat_status status;

    agentchat_error_clear(&err);
    status = aci_session_io_read(NULL, (agentchat_str){(const char *)data, size}, report, &read, &err);
    if (status < 0) {
        fuzz_check_location(status, &err, size);
        FUZZ_CHECK(read.arena == NULL && read.events == NULL);
    } else {
        check_form(&read, "agentchat");
        check_form(&read, "adk");
        check_chat(&read);
    }
    aci_session_data_clear(&read);
    agentchat_report_free(report);
    return 0;
}
