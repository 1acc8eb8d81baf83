/* SPDX-License-Identifier: Apache-2.0 */
/* Building events, looking at them, and what a builder refuses. */
#include "unit/format/event_test.h"

static agentchat_event *finish(agentchat_event_builder *builder)
{
    agentchat_event *event;
    agentchat_error err;

    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    return event;
}

static void set(agentchat_event_builder *builder, agentchat_event_field field, const char *value)
{
    agentchat_event_builder_set(builder, field, agentchat_str_from(value));
}

static agentchat_status full_builder(const agentchat_env *env, agentchat_event_builder **out, agentchat_error *err)
{
    agentchat_event_builder *builder = NULL;
    agentchat_message *message = NULL;
    agentchat_status status =
        agentchat_message_new_text(env, "assistant", AGENTCHAT_STR("Desk"), AGENTCHAT_STR("Hello"), &message, err);

    if (status >= 0)
        status = agentchat_event_builder_new(env, AGENTCHAT_STR("desk"), &builder, err);
    *out = builder;
    if (status < 0) {
        agentchat_message_unref(message);
        return status;
    }
    set(builder, AGENTCHAT_EVENT_ID, "e1");
    set(builder, AGENTCHAT_EVENT_INVOCATION, "i1");
    set(builder, AGENTCHAT_EVENT_TIME, "2026-11-21T10:02:00.5+01:00");
    set(builder, AGENTCHAT_EVENT_BRANCH, "root.desk");
    set(builder, AGENTCHAT_EVENT_PARTIAL, "false");
    set(builder, AGENTCHAT_EVENT_LONG_RUNNING, "[\"c1\",\"c\\u0032\"]");
    set(builder, AGENTCHAT_EVENT_TRANSFER, "other");
    set(builder, AGENTCHAT_EVENT_ESCALATE, "true");
    set(builder, AGENTCHAT_EVENT_SKIP_SUMMARIZATION, " true ");
    set(builder, AGENTCHAT_EVENT_ARTIFACTS, "{\"a.txt\":3}");
    set(builder, AGENTCHAT_EVENT_COMPACTION, "{\"start\":1}");
    agentchat_event_builder_set_content(builder, message);
    agentchat_event_builder_add_state(builder, "app:count", -3);
    agentchat_event_builder_delete_state(builder, "old");
    agentchat_event_builder_set_state(builder, "user:theme", AGENTCHAT_STR(" \"dark\" "));
    agentchat_event_builder_set_state(builder, "big", AGENTCHAT_STR("12345678901234567890123"));
    agentchat_event_builder_add_extra(builder, AGENTCHAT_STR("trace"), AGENTCHAT_STR(" [1, 2] "),
                                      (agentchat_str){NULL, 0});
    agentchat_event_builder_add_action_extra(builder, AGENTCHAT_STR("route"), AGENTCHAT_STR(" [1, 2] "),
                                             AGENTCHAT_STR("adk"));
    agentchat_message_unref(message);
    return AGENTCHAT_OK;
}

static void test_builder__makes_a_full_event(void **state)
{
    agentchat_event_builder *builder;
    const agentchat_change *change;
    agentchat_event *event;
    agentchat_error err;

    (void)state;
    test_ok(full_builder(NULL, &builder, &err), &err);
    event = finish(builder);
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR), "desk");
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_SKIP_SUMMARIZATION), "true");
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_LONG_RUNNING), "[\"c1\",\"c\\u0032\"]");
    assert_str(agentchat_message_text(agentchat_event_content(event)), "Hello");
    assert_int_equal(agentchat_event_time_ns(event), INT64_C(1795251720500000000));
    assert_int_equal(agentchat_event_sequence(event), 0);
    assert_int_equal(agentchat_event_revision(event, AGENTCHAT_SCOPE_APP), 0);

    assert_int_equal(agentchat_event_change_count(event), 4);
    change = agentchat_event_change(event, 0);
    assert_int_equal(change->kind, AGENTCHAT_CHANGE_SET);
    assert_string_equal(change->key, "user:theme");
    assert_str(change->value, "\"dark\"");
    change = agentchat_event_change(event, 1);
    assert_string_equal(change->key, "big");
    assert_str(change->value, "12345678901234567890123");
    change = agentchat_event_change(event, 2);
    assert_int_equal(change->kind, AGENTCHAT_CHANGE_DELETE);
    assert_null(change->value.ptr);
    change = agentchat_event_change(event, 3);
    assert_int_equal(change->kind, AGENTCHAT_CHANGE_ADD);
    assert_int_equal(change->amount, -3);
    assert_null(change->value.ptr);
    assert_null(agentchat_event_change(event, 4));

    assert_int_equal(agentchat_event_extra_count(event), 1);
    assert_str(agentchat_event_extra(event, 0)->name, "trace");
    assert_str(agentchat_event_extra(event, 0)->value, "[1, 2]");
    assert_null(agentchat_event_extra(event, 1));
    assert_int_equal(agentchat_event_action_extra_count(event), 1);
    assert_str(agentchat_event_action_extra(event, 0)->name, "route");
    assert_true(agentchat_str_equal(agentchat_event_action_extra(event, 0)->from, AGENTCHAT_STR("adk")));
    assert_null(agentchat_event_action_extra(event, 1));
    assert_text(event, "agentchat",
                "{\"id\":\"e1\",\"invocation\":\"i1\",\"author\":\"desk\",\"time\":\"2026-11-21T10:02:00.5+01:00\","
                "\"branch\":\"root.desk\",\"partial\":false,\"content\":{\"role\":\"assistant\",\"name\":\"Desk\","
                "\"items\":[{\"type\":\"text\",\"text\":\"Hello\"}]},\"actions\":{\"statedelta\":{\"user:theme\":"
                "\"dark\",\"big\":12345678901234567890123},\"statedelete\":[\"old\"],\"stateadd\":{\"app:count\":-3},"
                "\"artifacts\":{\"a.txt\":3},\"transfer\":\"other\",\"escalate\":true,\"skipsummarization\":true,"
                "\"compaction\":{\"start\":1},\"extras\":[{\"from\":\"adk\",\"name\":\"route\",\"value\":[1, 2]}]},"
                "\"longrunning\":[\"c1\",\"c\\u0032\"],\"extras\":[{\"name\":\"trace\",\"value\":[1, 2]}]}");
    agentchat_event_unref(event);
}

static void test_builder__little_is_enough(void **state)
{
    agentchat_event *event = finish(test_event_builder(NULL, "")), *again = agentchat_event_ref(event);

    (void)state;
    assert_ptr_equal(event, again);
    agentchat_event_unref(event);
    assert_text(again, "agentchat", "{\"author\":\"\"}");
    assert_null(agentchat_event_content(again));
    assert_int_equal(agentchat_event_time_ns(again), 0);
    assert_null(agentchat_event_get(again, AGENTCHAT_EVENT_ID).ptr);
    assert_null(agentchat_event_get(again, (agentchat_event_field)0).ptr);
    assert_null(agentchat_event_get(again, (agentchat_event_field)13).ptr);
    agentchat_event_unref(again);
}

static void test_builder__null_is_nothing(void **state)
{
    (void)state;
    assert_null(agentchat_event_ref(NULL));
    agentchat_event_unref(NULL);
    agentchat_event_builder_free(NULL);
    assert_null(agentchat_event_get(NULL, AGENTCHAT_EVENT_ID).ptr);
    assert_null(agentchat_event_content(NULL));
    assert_int_equal(agentchat_event_change_count(NULL), 0);
    assert_null(agentchat_event_change(NULL, 0));
    assert_int_equal(agentchat_event_extra_count(NULL), 0);
    assert_null(agentchat_event_extra(NULL, 0));
    assert_int_equal(agentchat_event_action_extra_count(NULL), 0);
    assert_null(agentchat_event_action_extra(NULL, 0));
    assert_int_equal(agentchat_event_sequence(NULL), 0);
    assert_int_equal(agentchat_event_revision(NULL, AGENTCHAT_SCOPE_USER), 0);
    assert_int_equal(agentchat_event_time_ns(NULL), 0);
}

static void test_builder__the_last_value_counts(void **state)
{
    agentchat_event_builder *builder = test_event_builder(NULL, "a");
    agentchat_message *message;
    agentchat_event *event;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &message, &err),
            &err);
    set(builder, AGENTCHAT_EVENT_AUTHOR, "b");
    set(builder, AGENTCHAT_EVENT_BRANCH, "x");
    set(builder, AGENTCHAT_EVENT_BRANCH, NULL);
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ESCALATE, agentchat_str_null());
    agentchat_event_builder_set_content(builder, message);
    agentchat_event_builder_set_content(builder, message);
    agentchat_event_builder_set_content(builder, NULL);
    agentchat_event_builder_set_state(builder, "k", AGENTCHAT_STR("1"));
    agentchat_event_builder_set_state(builder, "l", agentchat_str_null());
    agentchat_event_builder_set_state(builder, "m", AGENTCHAT_STR("1"));
    agentchat_event_builder_delete_state(builder, "k");
    agentchat_event_builder_add_state(builder, "m", 7);
    agentchat_event_builder_set_state(builder, "m", AGENTCHAT_STR("2"));
    agentchat_message_unref(message);
    event = finish(builder);
    assert_text(event, "agentchat",
                "{\"author\":\"b\",\"actions\":{\"statedelta\":{\"l\":null,\"m\":2},\"statedelete\":[\"k\"]}}");
    agentchat_event_unref(event);
}

/* Each case spoils a builder in one way. */
typedef enum spoil { FIELD, SET, DELETE, ADD, EXTRA, ACTION_EXTRA } spoil;

static void test_builder__refuses_what_is_wrong(void **state)
{
    static const struct {
        spoil what;
        agentchat_event_field field;
        const char *name, *value;
        const char *path, *message;
    } cases[] = {
        {FIELD, AGENTCHAT_EVENT_ID, NULL, "", "/id", "event id must not be empty"},
        {FIELD, AGENTCHAT_EVENT_ID, NULL, "a\xED\xA0\x80", "/id", "surrogate"},
        {FIELD, AGENTCHAT_EVENT_ID, NULL, "\xFF", "/id", "not UTF-8"},
        {FIELD, AGENTCHAT_EVENT_INVOCATION, NULL, "", "/invocation", "invocation id must not be empty"},
        {FIELD, AGENTCHAT_EVENT_AUTHOR, NULL, "\xC3", "/author", "not UTF-8"},
        {FIELD, AGENTCHAT_EVENT_AUTHOR, NULL, NULL, "/author", "needs an author"},
        {FIELD, AGENTCHAT_EVENT_TIME, NULL, "yesterday", "/time", "\"yesterday\" is no time"},
        {FIELD, AGENTCHAT_EVENT_TIME, NULL, "", "/time", "no time"},
        {FIELD, AGENTCHAT_EVENT_PARTIAL, NULL, "1", "/partial", "true or false"},
        {FIELD, AGENTCHAT_EVENT_PARTIAL, NULL, "null", "/partial", "true or false"},
        {FIELD, AGENTCHAT_EVENT_PARTIAL, NULL, "tru", "/partial", ""},
        {FIELD, AGENTCHAT_EVENT_LONG_RUNNING, NULL, "[\"a\",1]", "/longrunning", "array of strings"},
        {FIELD, AGENTCHAT_EVENT_LONG_RUNNING, NULL, "{}", "/longrunning", "array of strings"},
        {FIELD, AGENTCHAT_EVENT_LONG_RUNNING, NULL, "[1,", "/longrunning/1", ""},
        {FIELD, AGENTCHAT_EVENT_ESCALATE, NULL, "\"true\"", "/actions/escalate", "true or false"},
        {FIELD, AGENTCHAT_EVENT_ARTIFACTS, NULL, "[]", "/actions/artifacts", "an object"},
        {FIELD, AGENTCHAT_EVENT_COMPACTION, NULL, "{\"a\":}", "/actions/compaction/a", ""},
        {FIELD, (agentchat_event_field)13, NULL, "x", "", "no such field"},
        {FIELD, (agentchat_event_field)0, NULL, "x", "", "no such field"},
        {SET, 0, "", "1", "/actions/statedelta/", "must not be empty"},
        {SET, 0, NULL, "1", "/actions/statedelta", "must not be empty"},
        {SET, 0, "app:", "1", "/actions/statedelta/app:", "app:"},
        {SET, 0, "a/b", "{\"x\":[1,}", "/actions/statedelta/a~1b/x/1", ""},
        {SET, 0, "k", NULL, "/actions/statedelta/k", ""},
        {DELETE, 0, "user:", NULL, "/actions/statedelete/user:", "user:"},
        {ADD, 0, "\xFF", NULL, "/actions/stateadd/\xFF", "UTF-8"},
        {EXTRA, 0, NULL, "1", "/extras/0", "needs a name"},
        {EXTRA, 0, "x", NULL, "/extras/0", "needs a value"},
        {EXTRA, 0, "\xFF", "1", "/extras/0/name", "UTF-8"},
        {ACTION_EXTRA, 0, "x", "{", "/actions/extras/0/value", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_event_builder *builder = test_event_builder(NULL, "a");
        agentchat_str value = agentchat_str_from(cases[i].value);
        agentchat_str name = agentchat_str_from(cases[i].name);
        agentchat_event *event = (agentchat_event *)(uintptr_t)1;
        agentchat_error err;

        switch (cases[i].what) {
        case FIELD:
            agentchat_event_builder_set(builder, cases[i].field, value);
            break;
        case SET:
            agentchat_event_builder_set_state(builder, cases[i].name, value);
            break;
        case DELETE:
            agentchat_event_builder_delete_state(builder, cases[i].name);
            break;
        case ADD:
            agentchat_event_builder_add_state(builder, cases[i].name, 1);
            break;
        case EXTRA:
            agentchat_event_builder_add_extra(builder, name, value, (agentchat_str){NULL, 0});
            break;
        case ACTION_EXTRA:
            agentchat_event_builder_add_action_extra(builder, name, value, (agentchat_str){NULL, 0});
            break;
        }
        /* The first failure stays; a value that would be right does not mend it. */
        agentchat_event_builder_set_state(builder, "later", AGENTCHAT_STR("["));
        agentchat_event_builder_delete_state(builder, "");
        agentchat_event_builder_add_state(builder, "", 1);
        agentchat_event_builder_add_extra(builder, name, value, (agentchat_str){NULL, 0});
        agentchat_event_builder_set_content(builder, NULL);
        if (cases[i].field != AGENTCHAT_EVENT_AUTHOR || cases[i].value != NULL)
            set(builder, AGENTCHAT_EVENT_AUTHOR, "b");
        if (cases[i].field == AGENTCHAT_EVENT_AUTHOR && cases[i].value == NULL) {
            agentchat_event_builder_free(builder);
            builder = test_event_builder(NULL, "a");
            agentchat_event_builder_set(builder, AGENTCHAT_EVENT_AUTHOR, value);
        }
        test_fails(agentchat_event_builder_finish(builder, &event, &err), &err, AGENTCHAT_E_INVALID, cases[i].path,
                   cases[i].message);
        assert_null(event);
    }
}

static void test_builder__ids_have_limits(void **state)
{
    char id[AGENTCHAT_MAX_KEY_BYTES + 2];
    agentchat_event_builder *builder = test_event_builder(NULL, "a");
    agentchat_event *event;
    agentchat_error err;

    (void)state;
    memset(id, 'x', sizeof id);
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, (agentchat_str){id, AGENTCHAT_MAX_KEY_BYTES});
    agentchat_event_unref(finish(builder));
    builder = test_event_builder(NULL, "a");
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, (agentchat_str){id, AGENTCHAT_MAX_KEY_BYTES + 1});
    test_fails(agentchat_event_builder_finish(builder, &event, &err), &err, AGENTCHAT_E_INVALID, "/id", "513 bytes");
    builder = test_event_builder(NULL, "a");
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_INVOCATION, AGENTCHAT_STR("a\0b"));
    test_fails(agentchat_event_builder_finish(builder, &event, &err), &err, AGENTCHAT_E_INVALID, "/invocation", "NUL");
}

static void test_builder__needs_an_author_from_the_start(void **state)
{
    static const struct {
        agentchat_str author;
        const char *message;
    } cases[] = {{{NULL, 0}, "needs an author"}, {{"\xC3", 1}, "not UTF-8"}};
    agentchat_event_builder *builder;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        builder = (agentchat_event_builder *)(uintptr_t)1;
        test_fails(agentchat_event_builder_new(NULL, cases[i].author, &builder, &err), &err, AGENTCHAT_E_INVALID,
                   "/author", cases[i].message);
        assert_null(builder);
    }
    test_fails(agentchat_event_builder_new(NULL, agentchat_str_null(), &builder, &err), &err, AGENTCHAT_E_INVALID,
               "/author", "needs an author");
    test_fails(agentchat_event_builder_new(NULL, AGENTCHAT_STR("a"), NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
}

static void test_builder__null_builds_nothing(void **state)
{
    agentchat_event *event = (agentchat_event *)(uintptr_t)1;
    agentchat_event_builder *builder;
    agentchat_error err;

    (void)state;
    agentchat_event_builder_set(NULL, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("x"));
    agentchat_event_builder_set_content(NULL, NULL);
    agentchat_event_builder_set_state(NULL, "k", AGENTCHAT_STR("1"));
    agentchat_event_builder_delete_state(NULL, "k");
    agentchat_event_builder_add_state(NULL, "k", 1);
    agentchat_event_builder_add_extra(NULL, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), (agentchat_str){NULL, 0});
    agentchat_event_builder_add_action_extra(NULL, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), (agentchat_str){NULL, 0});
    test_ok(agentchat_event_builder_new(NULL, AGENTCHAT_STR("a"), &builder, &err), &err);
    agentchat_event_builder_add_extra(builder, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), AGENTCHAT_STR("No Name"));
    test_fails(agentchat_event_builder_finish(builder, &event, &err), &err, AGENTCHAT_E_INVALID, "/extras/0",
               "the name of a format is 1 to 64 of");
    test_fails(agentchat_event_builder_finish(NULL, &event, &err), &err, AGENTCHAT_E_INVALID, "",
               "builder must not be NULL");
    assert_null(event);
}

/* Whatever a builder makes within a limit of depth must be readable within the same limit. */
static void test_builder__depth_is_that_of_the_text(void **state)
{
    enum { MAX_DEPTH = 12 };
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;
    size_t made = 0, refused = 0;

    (void)state;
    limits.max_depth = MAX_DEPTH;
    options.limits = &limits;
    env = test_env(&options);
    for (int what = 0; what < 6; what++)
        for (int depth = 1; depth <= MAX_DEPTH; depth++) {
            agentchat_event_builder *builder = test_event_builder(env, "a");
            agentchat_message_builder *message = test_message_builder(env, "user", NULL);
            agentchat_message *content = NULL;
            agentchat_event *event, *again;
            char json[MAX_DEPTH * 8];
            agentchat_error err;
            agentchat_str value;
            size_t len = 0;

            for (int i = 0; i < depth; i++)
                len += (size_t)sprintf(json + len, "{\"a\":");
            len += (size_t)sprintf(json + len, "1");
            for (int i = 0; i < depth; i++)
                len += (size_t)sprintf(json + len, "}");
            value = (agentchat_str){json, len};
            agentchat_message_builder_add_call(message, AGENTCHAT_STR("1"), (agentchat_str){NULL, 0},
                                               AGENTCHAT_STR("f"), value);
            test_ok(agentchat_message_builder_finish(message, &content, &err), &err);
            if (what == 0)
                agentchat_event_builder_set_state(builder, "k", value);
            else if (what == 1)
                agentchat_event_builder_set(builder, AGENTCHAT_EVENT_COMPACTION, value);
            else if (what == 2)
                agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ARTIFACTS, value);
            else if (what == 3)
                agentchat_event_builder_add_action_extra(builder, AGENTCHAT_STR("x"), value, AGENTCHAT_STR("adk"));
            else if (what == 4)
                agentchat_event_builder_add_extra(builder, AGENTCHAT_STR("x"), value, AGENTCHAT_STR("adk"));
            else
                agentchat_event_builder_set_content(builder, content);
            agentchat_message_unref(content);
            if (agentchat_event_builder_finish(builder, &event, &err) < 0) {
                assert_int_equal(err.code, AGENTCHAT_E_LIMIT);
                assert_true(err.path[0] == '/');
                refused++;
            } else {
                char *text = text_of(event, "agentchat");

                test_ok(agentchat_event_read(env, agentchat_str_from(text), "agentchat", &again, NULL, &err), &err);
                agentchat_event_unref(again);
                agentchat_event_unref(event);
                free(text);
                made++;
            }
        }
    assert_int_equal(made, 6 * MAX_DEPTH - 3 - 2 - 2 - 4 - 3 - 4);
    assert_int_equal(refused, 3 + 2 + 2 + 4 + 3 + 4);
    agentchat_env_free(env);
}

static agentchat_status build(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_event_builder *builder;
    agentchat_event *event = NULL;
    agentchat_status status = full_builder(env, &builder, err);

    (void)user;
    if (status >= 0)
        status = agentchat_event_builder_finish(builder, &event, err);
    assert_int_equal(event != NULL, status == AGENTCHAT_OK);
    agentchat_event_unref(event);
    return status;
}

static agentchat_status build_wrongly(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_event_builder *builder;
    agentchat_event *event;
    agentchat_status status = full_builder(env, &builder, err);

    (void)user;
    if (status < 0)
        return status;
    agentchat_event_builder_set_state(builder, "key", AGENTCHAT_STR("[1,"));
    status = agentchat_event_builder_finish(builder, &event, err);
    assert_null(event);
    if (status != AGENTCHAT_E_INVALID)
        return status;
    agentchat_error_clear(err);
    return AGENTCHAT_OK;
}

static agentchat_status build_much(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_event_builder *builder;
    agentchat_event *event;
    agentchat_status status = agentchat_event_builder_new(env, AGENTCHAT_STR("a"), &builder, err);

    (void)user;
    if (status < 0)
        return status;
    for (int i = 0; i < 40; i++) {
        char key[16];

        (void)snprintf(key, sizeof key, "key%d", i);
        agentchat_event_builder_add_state(builder, key, i);
        (i % 2 == 0 ? agentchat_event_builder_add_action_extra : agentchat_event_builder_add_extra)(
            builder, agentchat_str_from(key), AGENTCHAT_STR("[0]"), AGENTCHAT_STR("agentchat"));
    }
    status = agentchat_event_builder_finish(builder, &event, err);
    agentchat_event_unref(event);
    return status;
}

static void test_builder__memory_may_run_out(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(build, NULL) > 5);
    assert_true(test_oom_sweep(build_wrongly, NULL) > 5);
    assert_true(test_oom_sweep(build_much, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder__makes_a_full_event),
        cmocka_unit_test(test_builder__little_is_enough),
        cmocka_unit_test(test_builder__null_is_nothing),
        cmocka_unit_test(test_builder__the_last_value_counts),
        cmocka_unit_test(test_builder__refuses_what_is_wrong),
        cmocka_unit_test(test_builder__ids_have_limits),
        cmocka_unit_test(test_builder__needs_an_author_from_the_start),
        cmocka_unit_test(test_builder__null_builds_nothing),
        cmocka_unit_test(test_builder__depth_is_that_of_the_text),
        cmocka_unit_test(test_builder__memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
