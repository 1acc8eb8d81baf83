/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One event in any form: what is accepted comes back from the native format to the byte, comes back from that of the
 * ADKs as the same JSON, and has nothing temporary in it once it is to be stored.
 */
#include "events.h"

#include "format/native/event.h"
#include "session/session_internal.h"

/* What may be wrong with a text. */
typedef enum fault { NOTHING, TOO_DEEP, ANYTHING } fault;

static agentchat_event *read_event(agentchat_str text, const char *format, fault may_be)
{
    agentchat_report *report = NULL;
    agentchat_event *event = NULL;
    agentchat_error err;
    agentchat_status status = agentchat_event_read(NULL, text, format, &event, &report, &err);

    FUZZ_CHECK(report != NULL && (event != NULL) == (status == AGENTCHAT_OK));
    if (status < 0) {
        FUZZ_CHECK(may_be == ANYTHING || (may_be == TOO_DEEP && status == AGENTCHAT_E_LIMIT));
        fuzz_check_location(status, &err, text.len);
    }
    agentchat_report_free(report);
    return event;
}

/* *far (NULL: not wanted): a time was written that is read back as another one. */
static agentchat_bytes write_event(const agentchat_event *event, const char *format, bool *far)
{
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report;
    agentchat_error err;

    FUZZ_CHECK(agentchat_event_write(event, format, &out, &report, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(memchr(out.ptr, '\n', out.len) == NULL && memchr(out.ptr, '\r', out.len) == NULL);
    for (size_t i = 0; i < agentchat_report_count(report); i++)
        FUZZ_CHECK(agentchat_report_at(report, i)->text.len > 0);
    if (far != NULL)
        *far = fuzz_reports(report, "milliseconds");
    agentchat_report_free(report);
    return out;
}

static void check_nothing_temporary(agentchat_str json)
{
    aci_buf out;
    bool any;

    aci_buf_init(&out, NULL, SIZE_MAX);
    FUZZ_CHECK(json.ptr == NULL || (aci_temporary_strip(json, &out, &any) && !any));
    aci_buf_clear(&out);
}

static void check_extra(const agentchat_extra *extra)
{
    FUZZ_CHECK(!aci_is_temporary(extra->name));
    check_nothing_temporary(extra->value);
}

static void check_stored(const agentchat_event *event)
{
    agentchat_event *stored, *back;
    agentchat_error err;
    agentchat_status status;
    unsigned made;
    aci_buf text, again;

    agentchat_error_clear(&err);
    FUZZ_CHECK(aci_stored_event_of(NULL, event, "i", &made, &stored, &err) == AGENTCHAT_OK);
    for (size_t i = 0; i < stored->change_count; i++)
        FUZZ_CHECK(!aci_is_temporary(agentchat_str_from(stored->changes[i].key)));
    for (size_t i = 0; i < agentchat_event_extra_count(stored); i++)
        check_extra(agentchat_event_extra(stored, i));
    for (size_t i = 0; i < agentchat_event_action_extra_count(stored); i++)
        check_extra(agentchat_event_action_extra(stored, i));
    check_nothing_temporary(stored->fields[AGENTCHAT_EVENT_ARTIFACTS]);
    check_nothing_temporary(stored->fields[AGENTCHAT_EVENT_COMPACTION]);

    aci_buf_init(&text, NULL, SIZE_MAX);
    aci_buf_init(&again, NULL, SIZE_MAX);
    status = aci_stored_event_text(stored, &text, &err);
    if (status < 0) { /* two extras of one name are deeper than a property */
        FUZZ_CHECK(status == AGENTCHAT_E_LIMIT && text.len == 0);
        agentchat_event_unref(stored);
        aci_buf_clear(&text);
        return;
    }
    FUZZ_CHECK(aci_stored_event_read(NULL, 1, aci_buf_str(&text), AGENTCHAT_STR("{}"), &back, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(aci_event_text(back, &again, &err) == AGENTCHAT_OK);
    FUZZ_CHECK(again.len == text.len && memcmp(again.ptr, text.ptr, text.len) == 0);
    FUZZ_CHECK(back->time_ns == stored->time_ns && back->change_count == stored->change_count);
    aci_buf_clear(&text);
    aci_buf_clear(&again);
    agentchat_event_unref(back);
    agentchat_event_unref(stored);
}

/* The levels that an event may have. */
static bool fits(agentchat_str json)
{
    return aci_json_depth_of(json) <= aci_env(NULL)->limits.max_depth;
}

static void check_own(const agentchat_event *event)
{
    agentchat_bytes first = write_event(event, "agentchat", NULL), second;
    agentchat_event *back = read_event(fuzz_bytes(&first), "agentchat", fits(fuzz_bytes(&first)) ? NOTHING : TOO_DEEP);

    if (back != NULL) {
        second = write_event(back, "agentchat", NULL);
        FUZZ_CHECK(agentchat_str_equal(fuzz_bytes(&first), fuzz_bytes(&second)));
        agentchat_bytes_clear(&second);
    }
    agentchat_bytes_clear(&first);
    agentchat_event_unref(back);
}

/* An argument that is no object gets one around it, so that what the library can read may become too deep for it. */
static void check_adk(const agentchat_event *event)
{
    bool far;
    agentchat_bytes first = write_event(event, "adk", &far), second;
    agentchat_event *back = read_event(fuzz_bytes(&first), "adk", TOO_DEEP);

    if (back != NULL) {
        second = write_event(back, "adk", NULL);
        FUZZ_CHECK(far || fuzz_same_json(fuzz_bytes(&first), fuzz_bytes(&second)));
        agentchat_bytes_clear(&second);
    }
    agentchat_bytes_clear(&first);
    agentchat_event_unref(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {NULL, "agentchat", "adk"};
    agentchat_str text = {(const char *)data, size};

    for (int i = 0; i < 3; i++) {
        agentchat_event *event = read_event(text, formats[i], ANYTHING);

        if (event == NULL)
            continue;
        check_own(event);
        check_adk(event);
        check_stored(event);
        agentchat_event_unref(event);
    }
    return 0;
}
