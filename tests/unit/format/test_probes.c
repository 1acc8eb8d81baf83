/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's and Anthropic's documents by their marks, told from each other and from those of others. */
#include "support/test_support.h"

#include "format/kit/marks.h"

typedef struct expected {
    const char *text;
    aci_likeness openai, anthropic;
} expected;

#define U ACI_UNLIKE
#define L ACI_LIKELY
#define C ACI_CERTAIN
#define BODY(rest) "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]" rest "}"
#define PART(part) "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}," part "]}]"

static const expected cases[] = {
    /* truly ambiguous */
    {"[]", L, L},
    {"[{\"role\":\"user\",\"content\":\"hi\"}]", L, L},
    {BODY(",\"max_tokens\":5"), L, L},
    /* OpenAI's */
    {BODY(""), L, U},
    {BODY(",\"seed\":1,\"max_tokens\":5"), C, U},
    {BODY(",\"tools\":[{\"type\":\"function\",\"function\":{}}]"), C, U},
    {"[{\"role\":\"system\",\"content\":\"x\"}]", C, U},
    {"[{\"role\":\"user\"},{\"role\":\"assistant\",\"content\":null}]", C, U},
    {"[{\"role\":\"user\"},{\"r\\u006fle\":\"to\\u006fl\"}]", C, U},
    {PART("{\"type\":\"image_url\"}"), C, U},
    {"{\"object\":\"chat.completion\",\"choices\":[]}", C, U},
    /* Anthropic's */
    {BODY(",\"max_tokens\":5,\"system\":\"x\""), U, C},
    {BODY(",\"max_tokens\":5,\"tools\":[{\"name\":\"t\",\"input_schema\":{}}]"), U, C},
    {PART("{\"type\":\"image\",\"source\":{}}"), U, C},
    {PART("{\"type\":\"thinking\"}"), U, C},
    {"[{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"a\"", U, C},
    {"{\"type\":\"message\",\"role\":\"assistant\",\"content\":[]}", U, C},
    /* other people's */
    {"", U, U},
    {"{", U, U},
    {"{}", U, U},
    {"[", U, U},
    {"[{}]", U, U},
    {"[null]", U, U},
    {"[{\"a\":1}]", U, U},
    {"{\"messages\":5}", U, U},
    {"{\"contents\":[{\"role\":\"user\",\"parts\":[]}]}", U, U},
    {"{\"input\":[{\"role\":\"user\",\"content\":\"x\"}]}", U, U},
    {"[{\"role\":\"user\",\"parts\":[]}]", U, U},
    {"[{\"type\":\"human\",\"role\":\"user\",\"content\":\"x\"}]", U, U},
    {"[{\"Role\":{\"Label\":\"user\"}}]", U, U},
    {PART("{\"type\":\"input_text\"}"), U, U},
};

static void test_probes__marks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = strlen(cases[i].text);
        char *exact = malloc(len != 0 ? len : 1); /* no byte after the text may be looked at */

        assert_non_null(exact);
        memcpy(exact, cases[i].text, len);
        if (aci_marks_probe(ACI_MARKED_OPENAI_CHAT, exact, len) != cases[i].openai ||
            aci_marks_probe(ACI_MARKED_ANTHROPIC, exact, len) != cases[i].anthropic)
            fail_msg("%s: %d, %d", cases[i].text, (int)aci_marks_probe(ACI_MARKED_OPENAI_CHAT, exact, len),
                     (int)aci_marks_probe(ACI_MARKED_ANTHROPIC, exact, len));
        free(exact);
    }
}

/* ---- requests and answers that were recorded ------------------------------------------------------------------- */

/* With nothing but roles, text and max_tokens: in what format they are only a model's name tells. */
static const char *const ambiguous[] = {
    "answer-advisor-answer-thinking.request",
    "answer-code-answer-web-fetch.request",
    "answer-cut-3turns.request",
    "answer-web-fetch-cached-text.request",
    "answer-web-search-answer-citations-answer-thinking-cached-text.request",
    "assistant-assistant-cached-text-4turns.request",
    "metadata.request",
    "prefill-2turns.request",
    "starts-with-assistant-2turns.request",
    "answer-cut-3turns.conversation",
    "assistant-assistant-cached-text-4turns.conversation",
    "metadata.conversation",
    "starts-with-assistant-2turns.conversation",
};

typedef struct tally {
    bool openai, anthropic, responses; /* what the files of the folder are */
    size_t files, ambiguous;
} tally;

static bool is_listed(const char *path)
{
    const char *name = strrchr(path, '/') + 1;

    for (size_t i = 0; i < sizeof ambiguous / sizeof *ambiguous; i++)
        if (strncmp(name, ambiguous[i], strlen(ambiguous[i])) == 0 && strcmp(name + strlen(ambiguous[i]), ".json") == 0)
            return true;
    return false;
}

static void check_file(const char *path, void *user)
{
    tally *t = user;
    size_t len;
    char *text = test_file_read(path, &len);
    bool responses = aci_marks_probe(ACI_MARKED_OPENAI_RESPONSES, text, len) == ACI_CERTAIN,
         openai = aci_marks_probe(ACI_MARKED_OPENAI_CHAT, text, len) != ACI_UNLIKE,
         theirs = aci_marks_probe(ACI_MARKED_ANTHROPIC, text, len) != ACI_UNLIKE;

    t->files++;
    if (openai && theirs && !responses && is_listed(path))
        t->ambiguous++;
    else if (openai != t->openai || theirs != t->anthropic || responses != t->responses)
        fail_msg("%s: OpenAI's %d and %d, Anthropic's %d", path, openai, responses, theirs);
    free(text);
}

static void check_folder(const char *name, tally *t)
{
    char *providers = test_path(test_real_files(), "providers"), *dir = test_path(providers, name);

    (void)test_each_file(dir, ".json", check_file, t);
    free(dir);
    free(providers);
}

static void test_probes__recorded_files(void **state)
{
    tally openai = {.openai = true}, anthropic = {.anthropic = true}, responses = {.responses = true}, others = {0};

    (void)state;
    if (test_real_files() == NULL)
        skip();
    check_folder("openai-chat", &openai);
    check_folder("anthropic", &anthropic);
    check_folder("gemini", &others);
    check_folder("openai-responses", &responses);
    assert_true(openai.files > 115 && anthropic.files > 114 && others.files > 80 && responses.files > 150);
    assert_int_equal(openai.ambiguous, 0);
    assert_int_equal(anthropic.ambiguous, sizeof ambiguous / sizeof *ambiguous);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probes__marks),
        cmocka_unit_test(test_probes__recorded_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
