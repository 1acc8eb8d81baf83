/* SPDX-License-Identifier: Apache-2.0 */
/* Digests of events and sessions: they change exactly when a conversion reports a loss. */
#include "session_data_test.h"

#include "format/event_canonical.h"
#include "snapshot/report.h"

typedef char digest[AGENTCHAT_DIGEST_LEN + 1];

static void digest_of(const agentchat_event *event, digest out)
{
    agentchat_error err;

    test_ok(agentchat_event_digest(event, out, &err), &err);
}

static size_t losses(const agentchat_report *report)
{
    return agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);
}

/* Pieces of events in the native format, among them what an ADK holds, what it holds in another shape, and what it
   cannot hold. */
static const char *const items[] = {
    "{\"type\":\"text\",\"text\":\"hi\"}",
    "{\"type\":\"text\",\"text\":\"\\ud800\"}",
    "{\"type\":\"text\"}",
    "{\"type\":\"text\",\"text\":\"m\",\"metadata\":{\"a\":1}}",
    "{\"type\":\"text\",\"text\":\"m\",\"model\":\"x\"}",
    "{\"type\":\"reasoning\",\"text\":\"t\",\"signature\":\"c2ln\"}",
    "{\"type\":\"reasoning\",\"text\":\"t\",\"signature\":\"not base64!\"}",
    "{\"type\":\"call\",\"id\":\"c1\",\"function\":\"f\",\"arguments\":{\"a\":[1,2.50]}}",
    "{\"type\":\"call\",\"id\":\"c1\",\"function\":\"f\",\"arguments\":[1]}",
    "{\"type\":\"call\",\"id\":\"c1\",\"plugin\":\"p\",\"function\":\"f\"}",
    "{\"type\":\"result\",\"id\":\"c1\",\"function\":\"f\",\"result\":\"text\"}",
    "{\"type\":\"result\",\"id\":\"c1\",\"result\":{\"ok\":true}}",
    "{\"type\":\"result\",\"id\":\"c9\",\"result\":7}",
    "{\"type\":\"result\",\"id\":\"c1\",\"function\":\"f\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}",
    "{\"type\":\"result\",\"id\":\"c1\",\"function\":\"f\",\"content\":[{\"type\":\"image\",\"data\":\"AAEC\"}]}",
    "{\"type\":\"result\",\"id\":\"c1\",\"function\":\"f\",\"result\":{},\"content\":[]}",
    "{\"type\":\"result\",\"id\":\"c1\",\"function\":\"f\",\"result\":{},\"failed\":true}",
    "{\"type\":\"result\",\"id\":\"c1\",\"function\":\"f\",\"result\":{},\"failed\":false}",
    "{\"type\":\"text\",\"text\":\"no\",\"refusal\":true,\"form\":{\"from\":\"x\",\"value\":1}}",
    "{\"type\":\"text\",\"text\":\"s\",\"signature\":\"c2ln\"}",
    "{\"type\":\"text\",\"text\":\"f\",\"form\":{\"from\":\"x\",\"value\":1}}",
    "{\"type\":\"reasoning\",\"redacted\":true,\"signature\":\"c2ln\",\"issuer\":\"anthropic\"}",
    "{\"type\":\"image\",\"data\":\"AAEC\",\"mimetype\":\"image/png\"}",
    "{\"type\":\"audio\",\"data\":\"AAEC\",\"mimetype\":\"image/png\"}",
    "{\"type\":\"binary\",\"uri\":\"data:text/plain;base64,aGk=\"}",
    "{\"type\":\"image\",\"uri\":\"https://x.example/y.png\",\"mimetype\":\"image/png\"}",
    "{\"type\":\"image\",\"uri\":\"https://x.example\",\"data\":\"AA==\"}",
    "{\"type\":\"image\"}",
    "{\"type\":\"annotation\",\"label\":\"l\"}",
    "{\"type\":\"file\",\"file\":\"f\"}",
    "null",
};
static const char *const contents[] = {
    "\"role\":\"user\"",
    "\"role\":\"assistant\"",
    "\"role\":\"model\"",
    "\"role\":null",
    "\"name\":\"Ana\"",
    "\"role\":\"user\",\"name\":\"Other\"",
    "\"role\":\"user\",\"metadata\":{}",
    "\"role\":\"user\",\"x\":1",
    "\"role\":\"user\",\"x\":null",
};
static const char *const times[] = {
    "",
    "\"time\":\"2026-01-02T03:04:05Z\",",
    "\"time\":\"2026-01-02t03:04:05.500+00:00\",",
    "\"time\":\"2026-01-02T03:04:05.123456789Z\",",
    "\"time\":\"2026-01-02T03:04:05.1234567891Z\",",
    "\"time\":\"2026-01-02T03:04:05+02:00\",",
    "\"time\":\"2016-12-31T23:59:60Z\",",
    "\"time\":\"0000-01-01T00:00:00+01:00\",",
    "\"time\":\"6000-01-01T00:00:00Z\",",
};
static const char *const actions[] = {
    "",
    "\"statedelta\":{\"a\":1,\"app:b\":null}",
    "\"statedelete\":[\"k\"]",
    "\"statedelta\":{\"b\":[2],\"a\":1.0},\"statedelete\":[\"k\"]",
    "\"stateadd\":{\"n\":3}",
    "\"artifacts\":{}",
    "\"artifacts\":{\"f\":1}",
    "\"artifacts\":{\"f\":1.5}",
    "\"transfer\":\"B\",\"escalate\":true,\"skipsummarization\":false",
    "\"compaction\":{\"start\":\"2026-01-02T03:04:05Z\",\"end\":\"2026-01-02T03:04:06.50Z\",\"content\":{\"role\":"
    "\"user\",\"items\":[{\"type\":\"text\",\"text\":\"s\"}]}}",
    "\"compaction\":{\"start\":\"2026-01-02T03:04:05+01:00\",\"end\":\"2026-01-02T03:04:06Z\",\"content\":{\"role\":"
    "\"model\",\"items\":[]}}",
    "\"compaction\":{\"other\":1}",
    "\"unknown\":1",
    "\"unknown\":null",
};
static const char *const others[] = {
    "",
    "\"branch\":\"a.b\",",
    "\"longrunning\":[\"c1\"],",
    "\"unknown\":{\"a\":null},",
    "\"partial\":false,",
    "\"extras\":[{\"name\":\"finishReason\",\"value\":\"STOP\",\"from\":\"adk\"}],",
    "\"extras\":[{\"name\":\"free\",\"value\":[1],\"from\":\"adk\"}],",
};
#define PICK(list) list[test_pick(sizeof(list) / sizeof *(list))]

static void add_random_event(char *text, size_t size, unsigned number)
{
    size_t count = test_pick(4), len = strlen(text);

    len +=
        (size_t)snprintf(text + len, size - len, "{\"id\":\"e%u\",%s\"author\":\"Ana\",%s\"content\":{%s,\"items\":[",
                         number, PICK(times), PICK(others), PICK(contents));
    for (size_t i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%s", i > 0 ? "," : "", PICK(items));
    (void)snprintf(text + len, size - len, "]},\"actions\":{%s}}", PICK(actions));
}

static void test_event_digest__changes_exactly_when_there_is_a_loss(void **state)
{
    size_t kept = 0, changed = 0;

    (void)state;
    test_seed(7);
    for (unsigned i = 0; i < 20000; i++) {
        char text[4096] = "";
        agentchat_bytes out = AGENTCHAT_BYTES_INIT;
        agentchat_report *writing, *reading;
        agentchat_event *event, *back;
        agentchat_error err;
        digest before, after;
        bool equal;

        add_random_event(text, sizeof text, i);
        event = event_of(text, "agentchat");
        test_ok(agentchat_event_write(event, "adk", &out, &writing, &err), &err);
        test_ok(agentchat_event_read(NULL, (agentchat_str){out.ptr, out.len}, "adk", &back, &reading, &err), &err);
        digest_of(event, before);
        digest_of(back, after);
        equal = strcmp(before, after) == 0;
        if (equal != (losses(writing) + losses(reading) == 0))
            fail_msg("%s\nbecame %s\nand the digests %s\n%s", text, out.ptr, equal ? "are equal" : "differ",
                     entries_of(writing));
        kept += equal;
        changed += !equal;
        agentchat_report_free(writing);
        agentchat_report_free(reading);
        agentchat_event_unref(event);
        agentchat_event_unref(back);
        agentchat_bytes_clear(&out);
    }
    assert_true(kept > 100 && changed > 100);
}

static void random_session(char *text, size_t size)
{
    size_t events = test_pick(4), len;

    (void)snprintf(text, size,
                   "{\"agentchatsession\":{\"format\":1},\"app\":\"shop\",\"user\":\"ana\",%s\"state\":{\"a\":1,"
                   "\"app:b\":null,\"z\":[2]},%s\"events\":[",
                   test_pick(2) != 0 ? "\"time\":\"2026-01-02T03:04:05+01:00\"," : "",
                   test_pick(3) != 0 ? "" : "\"initial\":{\"z\":[2],\"a\":1},");
    for (size_t i = 0; i < events; i++) {
        len = strlen(text);
        (void)snprintf(text + len, size - len, "%s", i > 0 ? "," : "");
        add_random_event(text, size, (unsigned)i);
    }
    len = strlen(text);
    (void)snprintf(text + len, size - len, "]}");
}

static void test_session_digest__changes_exactly_when_there_is_a_loss(void **state)
{
    size_t kept = 0, changed = 0;

    (void)state;
    test_seed(8);
    for (unsigned i = 0; i < 10000; i++) {
        char text[16384];
        agentchat_report *report = aci_report_new(aci_env(NULL));
        aci_session_data data, back;
        agentchat_bytes out;
        agentchat_error err;
        digest before, after;
        bool equal;

        random_session(text, sizeof text);
        data = read_session(agentchat_str_from(text), NULL);
        agentchat_error_clear(&err);
        out = written(&data, "adk", report);
        back = read_session(view(&out), report);
        agentchat_error_clear(&err);
        test_ok(aci_event_canonical_digest(&data, before, &err), &err);
        test_ok(aci_event_canonical_digest(&back, after, &err), &err);
        equal = strcmp(before, after) == 0;
        if (equal != (losses(report) == 0))
            fail_msg("%s\nbecame %s\nand the digests %s\n%s", text, out.ptr, equal ? "are equal" : "differ",
                     entries_of(report));
        kept += equal;
        changed += !equal;
        agentchat_report_free(report);
        agentchat_bytes_clear(&out);
        aci_session_data_clear(&data);
        aci_session_data_clear(&back);
    }
    assert_true(kept > 100 && changed > 100);
}

static void test_event_digest__needs_its_arguments(void **state)
{
    agentchat_event *event = event_of("{\"author\":\"a\"}", "agentchat");
    agentchat_error err;
    digest out;

    (void)state;
    assert_int_equal(agentchat_event_digest(NULL, out, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_event_digest(event, NULL, &err), AGENTCHAT_E_INVALID);
    agentchat_event_unref(event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_digest__changes_exactly_when_there_is_a_loss),
        cmocka_unit_test(test_session_digest__changes_exactly_when_there_is_a_loss),
        cmocka_unit_test(test_event_digest__needs_its_arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
