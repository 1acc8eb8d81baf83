/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reading, storing and writing an event costs as it grows. Each case is run with a size and with eight times that
 * size; where the cost grew by its square, it would be 64 times as much. The first argument is the greater size: 40,000
 * without one.
 */
#include "event_test.h"

#include "session/session_internal.h"

enum { STEP = 8, WORST = 30, DEFAULT_SIZE = 40000, TRIES = 3 };

static size_t greater_size = DEFAULT_SIZE;

/* An event is a beginning, pieces, each with its number for a #, and an end. */
static const struct {
    const char *what, *begin, *piece, *end;
} cases[] = {
    {"keys set", "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"k\":1", ",\"k#\":1", "}}}"},
    {"keys deleted", "{\"author\":\"a\",\"actions\":{\"statedelete\":[\"k\"", ",\"k#\"", "]}}"},
    {"counters", "{\"author\":\"a\",\"actions\":{\"stateadd\":{\"k\":1", ",\"k#\":1", "}}}"},
    {"temporary keys", "{\"author\":\"a\",\"actions\":{\"statedelta\":{\"k\":1", ",\"temp:k#\":1", "}}}"},
    {"temporary members", "{\"author\":\"a\",\"x\":[0", ",{\"temp:#\":[]}", "]}"},
    {"extras of one name", "{\"author\":\"a\",\"extras\":[{\"name\":\"x\",\"value\":1}",
     ",{\"from\":\"adk\",\"name\":\"n\",\"value\":#}", "]}"},
    {"items", "{\"author\":\"a\",\"content\":{\"items\":[null", ",{\"type\":\"text\",\"text\":\"#\"}", "]}}"},
    {"an ADK's keys", "{\"timestamp\":1,\"actions\":{\"stateDelta\":{\"k\":1", ",\"k#\":1", "}}}"},
    {"an ADK's properties", "{\"timestamp\":1", ",\"k#\":1", "}"},
    {"an ADK's actions", "{\"timestamp\":1,\"actions\":{\"x\":1", ",\"k#\":1", "}}"},
    {"parts", "{\"timestamp\":1,\"content\":{\"parts\":[null", ",{\"functionCall\":{\"x\":#}}", "]}}"},
    {"properties of a part", "{\"timestamp\":1,\"content\":{\"parts\":[{\"text\":\"x\"", ",\"k#\":1", "}]}}"},
    {"members of a call", "{\"timestamp\":1,\"content\":{\"parts\":[{\"functionCall\":{\"x\":1", ",\"k#\":1", "}}]}}"},
    {"bytes as numbers", "{\"timestamp\":1,\"content\":{\"parts\":[{\"inlineData\":{\"data\":[1", ",7", "]}}]}}"},
    {"digits of a time", "{\"timestamp\":1.0", "#", "}"},
    {"usage", "{\"usage_metadata\":{\"cost\":1", ",\"thinking_token_count\":#", "}}"},
};
enum { CASES = sizeof cases / sizeof *cases };

static char *text_of_case(int i, size_t n)
{
    const char *piece = cases[i].piece, *number = strchr(piece, '#');
    size_t before = number != NULL ? (size_t)(number - piece) : strlen(piece);
    const char *after = number != NULL ? number + 1 : "";
    size_t room = strlen(cases[i].begin) + strlen(cases[i].end) + n * (strlen(piece) + 20) + 1, len;
    char *text = malloc(room);

    len = (size_t)snprintf(text, room, "%s", cases[i].begin);
    for (size_t k = 0; k < n; k++) {
        memcpy(text + len, piece, before);
        len += before;
        if (number != NULL)
            len += (size_t)snprintf(text + len, room - len, "%zu%s", k, after);
    }
    (void)snprintf(text + len, room - len, "%s", cases[i].end);
    return text;
}

/* Seconds that everything takes that can be done with the event. */
static double measure(int i, size_t n)
{
    char *text = text_of_case(i, n);
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_event *event, *stored;
    agentchat_report *report;
    agentchat_error err;
    unsigned made;
    double begin = test_seconds();

    test_ok(agentchat_event_read(NULL, agentchat_str_from(text), NULL, &event, &report, &err), &err);
    agentchat_report_free(report);
    test_ok(aci_stored_event_of(NULL, event, "i", &made, &stored, &err), &err);
    test_ok(agentchat_event_write(stored, "agentchat", &out, NULL, &err), &err);
    test_ok(agentchat_event_write(stored, "adk", &out, &report, &err), &err);
    agentchat_report_free(report);
    agentchat_event_unref(stored);
    agentchat_event_unref(event);
    begin = test_seconds() - begin;
    agentchat_bytes_clear(&out);
    free(text);
    return begin;
}

static double best(int i, size_t n)
{
    double least = measure(i, n);

    for (int k = 1; k < TRIES; k++) {
        double again = measure(i, n);

        least = again < least ? again : least;
    }
    return least;
}

static void test_growth__is_linear(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++) {
        double small = best(i, greater_size / STEP), large = best(i, greater_size);

        printf("%-24s %10.6f s for %zu, %10.6f s for %zu\n", cases[i].what, small, greater_size / STEP, large,
               greater_size);
        if (small < 0.0001) /* what takes no time cannot be measured: then the greater size takes little, or too long */
            small = 0.0001;
        assert_true(large < WORST * small);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth__is_linear),
    };

    if (argc > 1)
        greater_size = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
