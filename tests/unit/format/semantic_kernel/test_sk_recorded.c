/* SPDX-License-Identifier: Apache-2.0 */
/* Ring 1 of the semantic-kernel format: files that .NET wrote, read and written back; probes against what .NET held. */
#include "sk_test.h"

static char *path_of(const char *folder, const char *name)
{
    size_t room = strlen(test_data_dir()) + strlen(folder) + strlen(name) + 64;
    char *path = malloc(room);

    assert_non_null(path);
    snprintf(path, room, "%s/interop/semantic-kernel/recorded/%s%s%s", test_data_dir(), folder,
             name[0] != '\0' ? "/" : "", name);
    return path;
}

static const char *name_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

static agentchat_str load(const char *path)
{
    agentchat_str text;

    text.ptr = test_file_read(path, &text.len);
    return text;
}

/* ---- written back --------------------------------------------------------------------------------------------- */

static void writes_back(const char *path, void *user)
{
    agentchat_str text = load(path);
    agentchat_snapshot *snapshot = sk_read_view(text);
    agentchat_report *report = NULL;
    agentchat_bytes bytes = sk_write(snapshot, true, &report);
    size_t *equal = user;

    if (agentchat_report_count(report) != 0)
        sk_print_report(report);
    assert_int_equal(agentchat_report_count(report), 0);
    if (bytes.len == text.len && memcmp(bytes.ptr, text.ptr, text.len) == 0) {
        (*equal)++;
    } else if (strstr(path, "-camel") == NULL) { /* whose envelope has other names */
        assert_true(sk_equal((agentchat_str){bytes.ptr, bytes.len}, text));
    } else {
        char *plain = path_of("named", "two-completion-agents.json");
        agentchat_str expected = load(plain);

        assert_int_equal(bytes.len, expected.len);
        assert_memory_equal(bytes.ptr, expected.ptr, expected.len);
        free((char *)expected.ptr);
        free(plain);
    }
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    free((char *)text.ptr);
}

static void test_sk_recorded__strict_gives_the_bytes_of_dotnet(void **state)
{
    char *named = path_of("named", ""), *random = path_of("random", "");
    size_t equal = 0;

    (void)state;
    assert_int_equal(test_each_file(named, ".json", writes_back, &equal), 28);
    assert_int_equal(test_each_file(random, ".json", writes_back, &equal), 160);
    assert_int_equal(equal, 185); /* all but -camel, -compact and -relaxed */
    free(named);
    free(random);
}

/* What default mode adds and repairs is undone by our reader. */
static void comes_back(const char *path, void *user)
{
    agentchat_str text = load(path);
    agentchat_snapshot *before, *after;
    agentchat_error err;
    agentchat_bytes with_repairs, first, second;

    (void)user;
    if (sk_try_read(text, &before, NULL, &err) >= 0) {
        with_repairs = sk_write(before, false, NULL);
        after = sk_read_view((agentchat_str){with_repairs.ptr, with_repairs.len});
        first = sk_write(before, true, NULL);
        second = sk_write(after, true, NULL);
        if (first.len != second.len || memcmp(first.ptr, second.ptr, first.len) != 0)
            fail_msg("%s: %s", name_of(path), with_repairs.ptr);
        assert_int_equal(after->channel_count, before->channel_count);
        agentchat_bytes_clear(&with_repairs);
        agentchat_bytes_clear(&first);
        agentchat_bytes_clear(&second);
        agentchat_snapshot_unref(before);
        agentchat_snapshot_unref(after);
    }
    free((char *)text.ptr);
}

static void test_sk_recorded__repairs_are_undone_on_reading(void **state)
{
    char *root = path_of("named", "");

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        static const char *const folders[] = {"named", "random", "probes"};
        char *folder = path_of(folders[i], "");

        test_each_file(folder, ".json", comes_back, NULL);
        free(folder);
    }
    free(root);
}

/* ---- against what .NET held ----------------------------------------------------------------------------------- */

typedef struct restored {
    agentchat_str text;
    size_t histories;
} restored;

/* Probes whose history we read differently; docs/formats/semantic-kernel.md says why. */
static const struct difference {
    const char *file, *history;
} differences[] = {
    {"author-blank.json",
     "[{\"AuthorName\":\"  \",\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"hi\"}]}]"},
    {"call-args-dup.json", "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"FunctionCallContent\","
                           "\"FunctionName\":\"F\",\"Arguments\":{\"a\":1,\"a\":2,\"A\":3}}]}]"},
    {"content-property.json",
     "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"hi\"}]}]"},
    {"image-data-and-datauri.json",
     "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"ImageContent\",\"MimeType\":\"image/png\","
     "\"Data\":\"AAEC\",\"DataUri\":\"data:image/jpeg;base64,/w==\"}]}]"},
    {"image-datauri.json", "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"ImageContent\","
                           "\"MimeType\":\"image/png\",\"Data\":\"AAEC\"}]}]"},
    {"item-unknown-property.json",
     "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"hi\",\"X\":1}]}]"},
    {"message-unknown-property.json",
     "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"hi\"}],"
     "\"X\":{\"a\":[1]},\"$schema\":\"x\"}]"},
    {"python-like.json", "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"hi\","
                         "\"content_type\":\"text\"}]}]"},
    {"text-encoding.json", "[{\"Role\":{\"Label\":\"user\"},\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"x\","
                           "\"Encoding\":\"utf-8\"}]}]"},
};

/* Appends the history lines of a file as one array. Returns their number. */
static size_t collect(agentchat_str lines, const char *file, aci_buf *out)
{
    const char *p = lines.ptr, *end = p + lines.len;
    char prefix[128];
    int len = snprintf(prefix, sizeof prefix, "%s history ", file);
    size_t count = 0;

    assert_true(aci_buf_add(out, "[", 1));
    while (p < end) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        size_t line = (size_t)((line_end != NULL ? line_end : end) - p);

        if (line > (size_t)len && memcmp(p, prefix, (size_t)len) == 0) {
            if (count++ > 0)
                assert_true(aci_buf_add(out, ",", 1));
            assert_true(aci_buf_add(out, p + len, line - (size_t)len));
        }
        p += line + 1;
    }
    assert_true(aci_buf_add(out, "]", 1));
    return count;
}

static void holds_the_same(const char *path, void *user)
{
    restored *all = user;
    agentchat_str text, expected;
    agentchat_snapshot *snapshot;
    agentchat_bytes bytes;
    aci_buf lines;

    aci_buf_init(&lines, aci_env(NULL), SIZE_MAX);
    if (collect(all->text, name_of(path), &lines) > 0) {
        expected = aci_buf_str(&lines);
        for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++)
            if (strcmp(differences[i].file, name_of(path)) == 0)
                expected = agentchat_str_from(differences[i].history);
        text = load(path);
        snapshot = sk_read_view(text);
        bytes = sk_history_text(snapshot);
        if (!sk_equal((agentchat_str){bytes.ptr, bytes.len}, expected))
            fail_msg("%s", name_of(path));
        all->histories++;
        agentchat_bytes_clear(&bytes);
        agentchat_snapshot_unref(snapshot);
        free((char *)text.ptr);
    }
    aci_buf_clear(&lines);
}

static void check_folder(const char *name, size_t histories)
{
    char *folder = path_of(name, ""), *lines = path_of(name, "restored.txt");
    restored all = {load(lines), 0};

    test_each_file(folder, ".json", holds_the_same, &all);
    assert_int_equal(all.histories, histories);
    free((char *)all.text.ptr);
    free(lines);
    free(folder);
}

static void test_sk_recorded__history_is_what_dotnet_restored(void **state)
{
    (void)state;
    check_folder("named", 21);
    check_folder("random", 123);
    check_folder("probes", 30);
}

/* ---- probes --------------------------------------------------------------------------------------------------- */

/* Probes that we refuse; every other one is read. */
static const struct refusal {
    const char *file;
    agentchat_status status;
    const char *path, *message;
} refusals[] = {
    {"comments.json", AGENTCHAT_E_SYNTAX, "", "expected the name of a member"},
    {"empty-file.json", AGENTCHAT_E_SYNTAX, "", "empty"},
    {"image-bad-base64.json", AGENTCHAT_E_SCHEMA, "/History/0/Items/0/Data",
     "base64 has an invalid character at byte 0 of the value"},
    {"image-base64-unpadded.json", AGENTCHAT_E_SCHEMA, "/History/0/Items/0/Data",
     "base64 has an invalid character at byte 3 of the value"},
    {"image-base64-url.json", AGENTCHAT_E_SCHEMA, "/History/0/Items/0/Data",
     "base64 has an invalid character at byte 0 of the value"},
    {"invalid-utf8.json", AGENTCHAT_E_SYNTAX, "/History/0/AuthorName", "not UTF-8"},
    {"raw-control.json", AGENTCHAT_E_SYNTAX, "/History/0/AuthorName", "control character 0x01"},
    {"root-null.json", AGENTCHAT_E_SCHEMA, "", "neither the state of a chat nor a list of messages"},
    {"trailing-comma.json", AGENTCHAT_E_SYNTAX, "", "expected the name of a member"},
    {"trailing-text.json", AGENTCHAT_E_SYNTAX, "", "expected the end of the input"},
    {"utf16.json", AGENTCHAT_E_SYNTAX, "", "UTF-8"},
};

static void reads_or_refuses(const char *path, void *user)
{
    agentchat_str text = load(path);
    agentchat_snapshot *snapshot;
    agentchat_error err;
    agentchat_status status = sk_try_read(text, &snapshot, NULL, &err);
    const struct refusal *expected = NULL;
    size_t *refused = user;

    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        if (strcmp(refusals[i].file, name_of(path)) == 0)
            expected = &refusals[i];
    if (expected == NULL) {
        test_ok(status, &err);
        agentchat_snapshot_unref(snapshot);
    } else {
        assert_null(snapshot);
        test_fails(status, &err, expected->status, expected->path, expected->message);
        (*refused)++;
    }
    free((char *)text.ptr);
}

static void test_sk_recorded__probes_are_read_or_refused_as_documented(void **state)
{
    char *folder = path_of("probes", "");
    size_t refused = 0;

    (void)state;
    assert_int_equal(test_each_file(folder, ".json", reads_or_refuses, &refused), 75);
    assert_int_equal(refused, sizeof refusals / sizeof refusals[0]);
    free(folder);
}

/* ---- sharing -------------------------------------------------------------------------------------------------- */

static void test_sk_recorded__channels_share_the_messages_of_the_history(void **state)
{
    char *path = path_of("named", "four-hundred-messages.json");
    agentchat_str text = load(path);
    agentchat_snapshot *snapshot = sk_read_view(text);
    size_t shared = 0;

    (void)state;
    assert_true(snapshot->channel_count > 0);
    assert_int_equal(snapshot->channels[0].kind, AGENTCHAT_CHANNEL_MESSAGES);
    for (size_t i = 0, at = 0; i < snapshot->channels[0].messages.count; i++) {
        const agentchat_message *message = agentchat_messages_at(&snapshot->channels[0].messages, i);

        while (at < snapshot->history.count && agentchat_messages_at(&snapshot->history, at) != message)
            at++;
        shared += at < snapshot->history.count;
    }
    assert_int_equal(shared, snapshot->channels[0].messages.count);
    agentchat_snapshot_unref(snapshot);
    free((char *)text.ptr);
    free(path);
}

static void test_sk_recorded__a_reduced_channel_shares_what_is_left(void **state)
{
    char *path = path_of("named", "reducer-channel-differs-from-history.json");
    agentchat_str text = load(path);
    agentchat_snapshot *snapshot = sk_read_view(text);

    (void)state;
    assert_int_equal(snapshot->channel_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const agentchat_messages *messages = &snapshot->channels[i].messages;
        const agentchat_message *last = agentchat_messages_at(messages, messages->count - 1);
        bool found = false;

        assert_true(messages->count > 0);
        for (size_t j = 0; j < snapshot->history.count; j++)
            found = found || agentchat_messages_at(&snapshot->history, j) == last;
        assert_true(found);
    }
    agentchat_snapshot_unref(snapshot);
    free((char *)text.ptr);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_recorded__strict_gives_the_bytes_of_dotnet),
        cmocka_unit_test(test_sk_recorded__repairs_are_undone_on_reading),
        cmocka_unit_test(test_sk_recorded__history_is_what_dotnet_restored),
        cmocka_unit_test(test_sk_recorded__probes_are_read_or_refused_as_documented),
        cmocka_unit_test(test_sk_recorded__channels_share_the_messages_of_the_history),
        cmocka_unit_test(test_sk_recorded__a_reduced_channel_shares_what_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
