/* SPDX-License-Identifier: Apache-2.0 */
/* Named lists of a live chat: updates by the library's reducer and by the caller's, and where the chat goes with them.
 */
#include "chat_mock.h"

static const agentchat_str ABSENT = {NULL, 0};

static void set(agentchat_chat *chat, const char *name, const char *value)
{
    agentchat_error err;

    test_ok(agentchat_chat_set_value(chat, agentchat_str_from(name), ABSENT, agentchat_str_from(value), &err), &err);
}

static void update(agentchat_chat *chat, const char *name, const char *what)
{
    agentchat_error err;

    test_ok(agentchat_chat_update(chat, agentchat_str_from(name), agentchat_str_from(what), &err), &err);
}

static void expect_json(const agentchat_chat *chat, const char *name, const char *expected)
{
    agentchat_str media = AGENTCHAT_STR("x");

    assert_str(agentchat_chat_value(chat, agentchat_str_from(name), &media), expected);
    assert_null(media.ptr);
}

static void refuse(agentchat_chat *chat, const char *name, const char *what, agentchat_status status,
                   const char *message)
{
    agentchat_error err;

    test_fails(agentchat_chat_update(chat, agentchat_str_from(name), agentchat_str_from(what), &err), &err, status,
               NULL, message);
}

static void test_named_list__is_updated(void **state)
{
    static const struct {
        const char *update, *then;
    } steps[] = {
        {"[1, {\"a\" : 2} ]", "[1,{\"a\" : 2}]"},
        {"{\"type\":\"append\",\"value\":1.50}", "[1,{\"a\" : 2},1.50]"},
        {"[]", "[1,{\"a\" : 2},1.50]"},
        {"{\"type\":\"keep\",\"from\":-2,\"to\":null}", "[{\"a\" : 2},1.50]"},
        {" {\"type\":\"keep\",\"from\":0,\"to\":1} ", "[{\"a\" : 2}]"},
        {"[[1],null]", "[{\"a\" : 2},[1],null]"},
        {"{\"type\":\"keep\",\"from\":2,\"to\":1}", "[]"},
        {"[\"x\"]", "[\"x\"]"},
        {"{\"__overwrite__\":[ 5,6 ]}", "[5,6]"},
        {"{\"type\":\"clear\"}", "[]"},
        {"[7]", "[7]"},
    };
    agentchat_chat *chat = test_chat_new(NULL);

    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        update(chat, "list", steps[i].update);
        expect_json(chat, "list", steps[i].then);
    }
    agentchat_chat_free(chat);
}

static void test_named_list__keeps_the_spelling_of_a_value_that_was_set(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);

    (void)state;
    set(chat, "list", " [ 1 ,\n2.0] ");
    update(chat, "list", "[ 3 ]");
    expect_json(chat, "list", "[ 1 ,\n2.0,3]");
    set(chat, "list", "[ ]");
    update(chat, "list", "[4]");
    expect_json(chat, "list", "[4]");
    set(chat, "list", "\"text\""); /* replaces the list */
    expect_json(chat, "list", "\"text\"");
    agentchat_chat_free(chat);
}

static void test_named_list__is_unchanged_by_what_is_refused(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    set(chat, "list", "[1]");
    set(chat, "number", "1");
    refuse(chat, "list", "2", AGENTCHAT_E_INVALID,
           "update of a list: it must be a list, or an object whose type is "
           "keep, append, clear or __overwrite__");
    refuse(chat, "list", "{\"type\":\"append\"}", AGENTCHAT_E_INVALID, NULL);
    refuse(chat, "list", "[1", AGENTCHAT_E_SYNTAX, NULL);
    refuse(chat, "number", "[2]", AGENTCHAT_E_INVALID, "value number is no list, so it cannot be updated as one");
    refuse(chat, "", "[2]", AGENTCHAT_E_INVALID, NULL);
    refuse(chat, "none", "5", AGENTCHAT_E_INVALID, NULL);
    assert_null(agentchat_chat_value(chat, AGENTCHAT_STR("none"), NULL).ptr);
    test_ok(
        agentchat_chat_set_value(chat, AGENTCHAT_STR("bytes"), AGENTCHAT_STR("text/plain"), AGENTCHAT_STR("[1]"), &err),
        &err);
    refuse(chat, "bytes", "[2]", AGENTCHAT_E_INVALID, NULL);
    expect_json(chat, "list", "[1]");
    update(chat, "list", "[2]");
    refuse(chat, "list", "true", AGENTCHAT_E_INVALID, NULL);
    expect_json(chat, "list", "[1,2]");
    agentchat_chat_free(chat);
}

/* ---- snapshots --------------------------------------------------------------------------------------------------- */

static agentchat_str value_of(const agentchat_snapshot *snapshot)
{
    return agentchat_snapshot_value(snapshot, AGENTCHAT_STR("list"), NULL);
}

static void test_named_list__a_snapshot_has_it_as_it_was(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL), *other = test_chat_new(NULL);
    agentchat_snapshot *first, *second, *copy = NULL;
    agentchat_snapshot_builder *builder = NULL;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(other, speaker(NULL, "H", "h"));
    update(chat, "list", "[1,2]");
    first = capture(chat);
    update(chat, "list", "[3]");
    update(chat, "list", "{\"type\":\"keep\",\"from\":1,\"to\":null}");
    second = capture(chat);
    assert_str(value_of(first), "[1,2]");
    assert_str(value_of(second), "[2,3]");
    assert_ptr_equal(value_of(second).ptr, value_of(second).ptr); /* made once */
    test_ok(agentchat_chat_restore(other, first, NULL, NULL, &err), &err);
    agentchat_chat_free(chat); /* what others have of it stays */
    update(other, "list", "[9]");
    expect_json(other, "list", "[1,2,9]");
    test_ok(agentchat_chat_reset(other, &err), &err);
    expect_json(other, "list", "[1,2,9]");
    test_ok(agentchat_snapshot_builder_new(NULL, second, &builder, &err), &err);
    agentchat_snapshot_unref(second);
    test_ok(agentchat_snapshot_builder_finish(builder, &copy, &err), &err);
    assert_str(value_of(copy), "[2,3]");
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(copy);
    agentchat_chat_free(other);
}

/* A builder that begins with a list may replace or remove it. */
static void test_named_list__a_builder_replaces_it(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot *from, *made = NULL;
    agentchat_snapshot_builder *builder = NULL;
    agentchat_error err;

    (void)state;
    update(chat, "list", "[1]");
    update(chat, "other", "[2]");
    from = capture(chat);
    test_ok(agentchat_snapshot_builder_new(NULL, from, &builder, &err), &err);
    agentchat_snapshot_builder_set_value(builder, AGENTCHAT_STR("list"), ABSENT, AGENTCHAT_STR("5"));
    agentchat_snapshot_builder_set_value(builder, AGENTCHAT_STR("other"), ABSENT, ABSENT);
    test_ok(agentchat_snapshot_builder_finish(builder, &made, &err), &err);
    assert_str(value_of(made), "5");
    assert_int_equal(agentchat_snapshot_value_count(made), 1);
    agentchat_snapshot_unref(made);
    agentchat_snapshot_unref(from);
    agentchat_chat_free(chat);
}

/* ---- written ----------------------------------------------------------------------------------------------------- */

/* Each format writes a list that was updated as it writes one that was set. */
static void test_named_list__is_written_as_a_value_that_was_set(void **state)
{
    static const char *const formats[] = {"agentchat", "agentchat-encoded", "semantic-kernel"};
    agentchat_chat *updated = test_chat_new(NULL), *plain = test_chat_new(NULL);
    agentchat_snapshot *one, *two;
    agentchat_error err;

    (void)state;
    update(updated, "list", "[1,{\"a\":[]}]");
    update(updated, "empty", "[]");
    set(plain, "list", "[1,{\"a\":[]}]");
    set(plain, "empty", "[]");
    one = capture(updated);
    two = capture(plain);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
        agentchat_bytes a = AGENTCHAT_BYTES_INIT, b = AGENTCHAT_BYTES_INIT;

        options.format = formats[i];
        test_ok(agentchat_snapshot_write_memory(one, &options, &a, NULL, &err), &err);
        test_ok(agentchat_snapshot_write_memory(two, &options, &b, NULL, &err), &err);
        assert_string_equal(a.ptr, b.ptr);
        agentchat_bytes_clear(&a);
        agentchat_bytes_clear(&b);
    }
    agentchat_snapshot_unref(one);
    agentchat_snapshot_unref(two);
    agentchat_chat_free(updated);
    agentchat_chat_free(plain);
}

/* ---- the caller's reducers --------------------------------------------------------------------------------------- */

typedef struct counted {
    int asked, freed;
} counted;

/* The number after the first `skip` bytes of a text, which does not end with a NUL. */
static long number_in(agentchat_str text, size_t skip)
{
    char copy[64];

    assert_true(text.len < sizeof copy && skip <= text.len);
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return strtol(copy + skip, NULL, 10);
}

/* A number is added to the sum that the list has as its only element; "fail" and "odd" do what they say. */
static agentchat_status sum(void *user, agentchat_str existing, agentchat_str what, agentchat_bytes *out,
                            agentchat_error *err)
{
    counted *c = user;
    char text[64];

    c->asked++;
    if (agentchat_json_equal(what, AGENTCHAT_STR("fail")))
        return agentchat_error_set(err, AGENTCHAT_E_CONFLICT, "as was asked");
    if (agentchat_json_equal(what, AGENTCHAT_STR("odd")))
        return agentchat_bytes_append(out, AGENTCHAT_STR("{}"), err);
    if (agentchat_json_kind_of(what) != AGENTCHAT_JSON_NUMBER)
        return AGENTCHAT_DONE;
    snprintf(text, sizeof text, "[%ld]", number_in(existing, 1) + number_in(what, 0));
    return agentchat_bytes_append(out, agentchat_str_from(text), err);
}

static void free_counted(void *user)
{
    ((counted *)user)->freed++;
}

static agentchat_chat_reducer reducer_of(counted *c)
{
    agentchat_chat_reducer reducer = AGENTCHAT_CHAT_REDUCER_INIT;

    reducer.reduce = sum;
    reducer.user = c;
    reducer.free_user = free_counted;
    return reducer;
}

static void test_reducer__belongs_to_its_name(void **state)
{
    counted one = {0, 0}, two = {0, 0};
    agentchat_chat_reducer reducer = reducer_of(&one);
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    test_ok(agentchat_chat_set_reducer(chat, AGENTCHAT_STR("sum"), &reducer, &err), &err);
    update(chat, "sum", "5");
    update(chat, "sum", "6");
    expect_json(chat, "sum", "[11]");
    update(chat, "sum", "[1]"); /* is left to the library */
    expect_json(chat, "sum", "[11,1]");
    assert_int_equal(one.asked, 3);
    refuse(chat, "other", "5", AGENTCHAT_E_INVALID, NULL);
    refuse(chat, "sum", "\"fail\"", AGENTCHAT_E_CONFLICT, "the reducer of list sum failed: as was asked");
    refuse(chat, "sum", "\"odd\"", AGENTCHAT_E_INVALID, "what the reducer of list sum made is no JSON array");
    refuse(chat, "sum", "null", AGENTCHAT_E_INVALID, NULL);
    expect_json(chat, "sum", "[11,1]");
    reducer.user = &two;
    test_ok(agentchat_chat_set_reducer(chat, AGENTCHAT_STR("sum"), &reducer, &err), &err);
    assert_int_equal(one.freed, 1);
    update(chat, "sum", "1");
    assert_int_equal(two.asked, 1);
    test_ok(agentchat_chat_set_reducer(chat, AGENTCHAT_STR("sum"), NULL, &err), &err);
    assert_int_equal(two.freed, 1);
    refuse(chat, "sum", "1", AGENTCHAT_E_INVALID, NULL);
    reducer.user = &one;
    test_ok(agentchat_chat_set_reducer(chat, AGENTCHAT_STR("sum"), &reducer, &err), &err);
    agentchat_chat_free(chat);
    assert_int_equal(one.freed, 2);
}

static void test_reducer__is_freed_when_it_is_refused(void **state)
{
    counted c = {0, 0};
    agentchat_chat_reducer reducer = reducer_of(&c);
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    test_fails(agentchat_chat_set_reducer(chat, AGENTCHAT_STR(""), &reducer, &err), &err, AGENTCHAT_E_INVALID, NULL,
               NULL);
    assert_int_equal(c.freed, 1);
    test_fails(agentchat_chat_set_reducer(NULL, AGENTCHAT_STR("x"), &reducer, &err), &err, AGENTCHAT_E_INVALID, NULL,
               NULL);
    assert_int_equal(c.freed, 2);
    reducer.reduce = NULL; /* one that reduces nothing is none */
    test_ok(agentchat_chat_set_reducer(chat, AGENTCHAT_STR("x"), &reducer, &err), &err);
    assert_int_equal(c.freed, 3);
    agentchat_chat_free(chat);
    assert_int_equal(c.freed, 3);
}

static agentchat_status calls_back(void *user, agentchat_str existing, agentchat_str what, agentchat_bytes *out,
                                   agentchat_error *err)
{
    (void)existing;
    (void)out;
    return agentchat_chat_update(user, AGENTCHAT_STR("list"), what, err);
}

static void test_reducer__finds_the_chat_busy(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_chat_reducer reducer = AGENTCHAT_CHAT_REDUCER_INIT;
    agentchat_error err;

    (void)state;
    reducer.reduce = calls_back;
    reducer.user = chat;
    test_ok(agentchat_chat_set_reducer(chat, AGENTCHAT_STR("list"), &reducer, &err), &err);
    refuse(chat, "list", "[1]", AGENTCHAT_E_BUSY, NULL);
    agentchat_chat_free(chat);
}

/* ---- cost -------------------------------------------------------------------------------------------------------- */

static uint64_t bytes_of_update(size_t before)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_chat *chat = test_chat_new(env);
    agentchat_snapshot *held;
    agentchat_error err;
    uint64_t calls;

    for (size_t i = 0; i < before; i++)
        update(chat, "list", "[{\"turn\":1}]");
    held = capture(chat);
    calls = oom.calls;
    update(chat, "list", "[{\"turn\":2}]");
    calls = oom.calls - calls;
    agentchat_snapshot_unref(held);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("list"), ABSENT, ABSENT, &err), &err);
    agentchat_chat_free(chat);
    agentchat_env_free(env);
    return calls;
}

static void test_named_list__an_update_costs_what_is_new(void **state)
{
    (void)state;
    assert_true(bytes_of_update(20000) <= bytes_of_update(10) + 4);
}

static void test_named_value__that_is_no_json_says_what_to_do(void **state)
{
    agentchat_str absent = {NULL, 0};
    agentchat_chat *chat = NULL;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_chat_new(NULL, &chat, &err), &err);
    test_fails(
        agentchat_chat_set_value(chat, AGENTCHAT_STR("city"), absent, AGENTCHAT_STR("Lyon"), &err), &err,
        AGENTCHAT_E_INVALID, "",
        "the value of city is not JSON; quote it, or use agentchat_chat_set_value_text or agentchat_json_quote: ");
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_list__is_updated),
        cmocka_unit_test(test_named_list__keeps_the_spelling_of_a_value_that_was_set),
        cmocka_unit_test(test_named_list__is_unchanged_by_what_is_refused),
        cmocka_unit_test(test_named_list__a_snapshot_has_it_as_it_was),
        cmocka_unit_test(test_named_list__a_builder_replaces_it),
        cmocka_unit_test(test_named_list__is_written_as_a_value_that_was_set),
        cmocka_unit_test(test_reducer__belongs_to_its_name),
        cmocka_unit_test(test_reducer__is_freed_when_it_is_refused),
        cmocka_unit_test(test_reducer__finds_the_chat_busy),
        cmocka_unit_test(test_named_list__an_update_costs_what_is_new),
        cmocka_unit_test(test_named_value__that_is_no_json_says_what_to_do),
    };

    return cmocka_run_group_tests_name("chat.named_lists", tests, NULL, NULL);
}
