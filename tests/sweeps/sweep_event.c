/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of agentchat/event.h: each call of a builder, whose failure comes out of finish; reading and writing in both
 * forms; and looking, which makes no allocation. What is set is longer than the room that a builder begins with.
 */
#include "sweep.h"

#include <agentchat/event.h>

/* Ends an event whose builder may have failed. */
static agentchat_status finish(agentchat_event_builder *builder, agentchat_event **out, agentchat_error *err)
{
    agentchat_status status;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_BRANCH, AGENTCHAT_STR("b"));
    status = agentchat_event_builder_finish(builder, out, err);
    assert_true((status < 0) == (*out == NULL));
    if (status >= 0)
        assert_str(agentchat_event_get(*out, AGENTCHAT_EVENT_BRANCH), "b");
    return status;
}

/* 0: a short author; 1: a long one. */
static agentchat_status builder_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str author = variant == 1 ? sweep_long() : AGENTCHAT_STR("a");
    agentchat_event_builder *builder = (agentchat_event_builder *)(uintptr_t)1;
    agentchat_event *event;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_event_builder_new(env, author, &builder, err);
    sweep_end();
    assert_int_equal(builder != NULL, status >= 0);
    if (status < 0)
        test_ok(agentchat_event_builder_new(env, author, &builder, &again), &again);
    test_ok(finish(builder, &event, &again), &again);
    assert_true(agentchat_str_equal(agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR), author));
    agentchat_event_unref(event);
    return status;
}

/* 0: text; 1: JSON with so many levels that checking it needs memory. */
static agentchat_status builder_set(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");
    agentchat_event_field field = variant == 0 ? AGENTCHAT_EVENT_TRANSFER : AGENTCHAT_EVENT_ARTIFACTS;
    char deep[212] = "{\"x\":";
    agentchat_str value = variant == 0 ? sweep_long() : (agentchat_str){deep, 206};
    agentchat_event *event;
    agentchat_status status;

    memset(deep + 5, '[', 100);
    memset(deep + 105, ']', 100);
    deep[205] = '}';
    sweep_begin();
    for (int i = 0; i < (variant == 0 ? 1 : 50); i++)
        agentchat_event_builder_set(builder, field, value);
    sweep_end();
    status = finish(builder, &event, err);
    if (status >= 0)
        assert_true(agentchat_str_equal(agentchat_event_get(event, field), value));
    agentchat_event_unref(event);
    return status;
}

static agentchat_status builder_set_content(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");
    agentchat_message *message = sweep_message(env, "inside");
    agentchat_event *event;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    agentchat_event_builder_set_content(builder, message);
    agentchat_event_builder_set_content(builder, message);
    sweep_end();
    agentchat_message_unref(message);
    status = finish(builder, &event, err);
    assert_str(agentchat_message_text(agentchat_event_content(event)), "inside");
    agentchat_event_unref(event);
    return status;
}

/* Changes of many keys: 0: set, to a long value; 1: deleted; 2: added to. */
static void change(agentchat_event_builder *builder, unsigned variant)
{
    static const char *const keys[] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (variant == 0)
            agentchat_event_builder_set_state(builder, keys[i], sweep_long());
        else if (variant == 1)
            agentchat_event_builder_delete_state(builder, keys[i]);
        else
            agentchat_event_builder_add_state(builder, keys[i], 5);
    }
}

static agentchat_status finish_changes(agentchat_event_builder *builder, agentchat_change_kind kind,
                                       agentchat_error *err)
{
    agentchat_event *event;
    agentchat_status status = finish(builder, &event, err);

    if (status >= 0) {
        assert_int_equal(agentchat_event_change_count(event), 10);
        assert_int_equal(agentchat_event_change(event, 9)->kind, kind);
        assert_string_equal(agentchat_event_change(event, 9)->key, "k9");
    }
    agentchat_event_unref(event);
    return status;
}

static agentchat_status builder_set_state(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");

    (void)variant;
    sweep_begin();
    change(builder, 0);
    sweep_end();
    return finish_changes(builder, AGENTCHAT_CHANGE_SET, err);
}

static agentchat_status builder_delete_state(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");

    (void)variant;
    sweep_begin();
    change(builder, 1);
    sweep_end();
    return finish_changes(builder, AGENTCHAT_CHANGE_DELETE, err);
}

static agentchat_status builder_add_state(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");

    (void)variant;
    sweep_begin();
    change(builder, 2);
    sweep_end();
    return finish_changes(builder, AGENTCHAT_CHANGE_ADD, err);
}

/* 0: a long name; 1: a long value. */
static agentchat_status builder_add_extra(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");
    const agentchat_extra *extra;
    agentchat_event *event;
    agentchat_status status;

    sweep_begin();
    agentchat_event_builder_add_extra(builder, sweep_nth(variant, 0), sweep_nth(variant, 1), AGENTCHAT_STR("adk"));
    sweep_end();
    status = finish(builder, &event, err);
    extra = agentchat_event_extra(event, 0);
    if (status >= 0)
        assert_true(agentchat_str_equal(extra->name, sweep_nth(variant, 0)) &&
                    agentchat_str_equal(extra->value, sweep_nth(variant, 1)));
    agentchat_event_unref(event);
    return status;
}

/* The same. */
static agentchat_status builder_add_action_extra(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");
    const agentchat_extra *extra;
    agentchat_event *event;
    agentchat_status status;

    sweep_begin();
    agentchat_event_builder_add_action_extra(builder, sweep_nth(variant, 0), sweep_nth(variant, 1),
                                             AGENTCHAT_STR("adk"));
    sweep_end();
    status = finish(builder, &event, err);
    extra = agentchat_event_action_extra(event, 0);
    if (status >= 0)
        assert_true(agentchat_str_equal(extra->name, sweep_nth(variant, 0)) &&
                    agentchat_str_equal(extra->value, sweep_nth(variant, 1)));
    agentchat_event_unref(event);
    return status;
}

/* 0: an empty event; 1: one with everything in it. */
static agentchat_status builder_finish(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");
    agentchat_message *message = sweep_rich_message(env);
    agentchat_event *event = NULL;
    agentchat_status status;

    if (variant == 1) {
        change(builder, 0);
        agentchat_event_builder_add_extra(builder, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), AGENTCHAT_STR("adk"));
        agentchat_event_builder_add_action_extra(builder, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), AGENTCHAT_STR("adk"));
        agentchat_event_builder_set_content(builder, message);
    }
    sweep_begin();
    status = agentchat_event_builder_finish(builder, &event, err);
    sweep_end();
    assert_true((status < 0) == (event == NULL));
    assert_int_equal(agentchat_event_change_count(event), status >= 0 && variant == 1 ? 10 : 0);
    agentchat_event_unref(event);
    assert_int_equal(agentchat_message_item_count(message), 12);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status builder_free(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(env, "a");

    (void)variant;
    (void)err;
    change(builder, 0);
    sweep_begin();
    agentchat_event_builder_free(NULL);
    agentchat_event_builder_free(builder);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status event_from_message(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_message(env, "said");
    agentchat_event *event;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_event_from_message(env, message, "i", &event, err);
    sweep_end();
    assert_true((status < 0) == (event == NULL));
    if (status < 0)
        test_ok(agentchat_event_from_message(env, message, "i", &event, &again), &again);
    agentchat_message_unref(message);
    assert_str(agentchat_message_text(agentchat_event_content(event)), "said");
    agentchat_event_unref(event);
    return status;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

static const char own_text[] =
    "{\"sequence\":1,\"id\":\"e\",\"author\":\"a\",\"time\":\"2026-11-21T10:02:00Z\",\"content\":{\"items\":[{\"text\":"
    "\"x\","
    "\"type\":\"text\"},{\"type\":\"later\"}]},\"actions\":{\"statedelta\":{\"k\":[\n1],\"l\":2},\"stateadd\":{\"n\":1}"
    ","
    "\"extras\":[{\"from\":\"mars\",\"name\":\"x\",\"value\":1}]},\"longrunning\":[\"\\n\"],\"foo\":1}";
static const char adk_text[] =
    "{\"id\":\"e\",\"author\":\"a\\n\",\"timestamp\":1734292270899,\"content\":{\"role\":\"assistant\",\"parts\":[{"
    "\"text\":"
    "\"\\ud800\"},{\"inlineData\":{\"data\":\"-_8\",\"displayName\":\"n\"}},{\"functionCall\":{\"name\":\"f\",\"args\":"
    "1},"
    "\"thoughtSignature\":\"a "
    "b\"},{\"executableCode\":{}}]},\"actions\":{\"stateDelta\":{\"k\":\n1},\"artifactDelta\":{\"a\":"
    "\"x\"},\"compaction\":{\"startTimestamp\":1,\"endTimestamp\":2,\"compactedContent\":{}},\"new\":1},\"usage_"
    "metadata\":"
    "{\"cost\":1},\"finish_reason\":\"Stop\"}";

/* An event in the text's format, made without failures. */
static agentchat_event *event_of(const agentchat_env *env, const char *text)
{
    agentchat_event *event;
    agentchat_error err;

    test_ok(agentchat_event_read(env, agentchat_str_from(text), NULL, &event, NULL, &err), &err);
    return event;
}

/* 0: the native format; 1: that of the ADKs; each without and with a report. */
static agentchat_status event_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str text = agentchat_str_from(variant % 2 == 0 ? own_text : adk_text);
    agentchat_report *report = NULL;
    agentchat_event *event;
    agentchat_status status;

    sweep_begin();
    status = agentchat_event_read(env, text, NULL, &event, variant >= 2 ? &report : NULL, err);
    sweep_end();
    assert_true((status < 0) == (event == NULL));
    agentchat_report_free(report);
    if (status < 0)
        event = event_of(env, text.ptr);
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_ID), "e");
    agentchat_event_unref(event);
    return status;
}

/* The same, written in the other form too. */
static agentchat_status event_write(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, variant % 2 == 0 ? own_text : adk_text);
    const char *format = variant < 2 ? "agentchat" : "adk";
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_event_write(event, format, &out, &report, err);
    sweep_end();
    agentchat_report_free(report);
    assert_true((status < 0) == (out.ptr == NULL));
    if (status < 0)
        test_ok(agentchat_event_write(event, format, &out, NULL, &again), &again);
    assert_true(out.len > 50);
    agentchat_bytes_clear(&out);
    agentchat_event_unref(event);
    return status;
}

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static agentchat_status event_ref(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text), *again;

    (void)variant;
    (void)err;
    sweep_begin();
    again = agentchat_event_ref(event);
    sweep_end();
    assert_ptr_equal(again, event);
    agentchat_event_unref(again);
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_unref(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);

    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_event_unref(NULL);
    agentchat_event_unref(event);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status event_get(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    agentchat_str id;

    (void)variant;
    (void)err;
    sweep_begin();
    id = agentchat_event_get(event, AGENTCHAT_EVENT_ID);
    sweep_end();
    assert_str(id, "e");
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_content(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    const agentchat_message *content;

    (void)variant;
    (void)err;
    sweep_begin();
    content = agentchat_event_content(event);
    sweep_end();
    assert_str(agentchat_message_text(content), "x");
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_change_count(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    size_t count;

    (void)variant;
    (void)err;
    sweep_begin();
    count = agentchat_event_change_count(event);
    sweep_end();
    assert_int_equal(count, 3);
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_change(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    const agentchat_change *change_of_n;

    (void)variant;
    (void)err;
    sweep_begin();
    change_of_n = agentchat_event_change(event, 2);
    sweep_end();
    assert_int_equal(change_of_n->amount, 1);
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_extra(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    const agentchat_extra *extra;
    size_t count, action_count;

    (void)variant;
    (void)err;
    sweep_begin();
    count = agentchat_event_extra_count(event);
    extra = agentchat_event_extra(event, 0);
    action_count = agentchat_event_action_extra_count(event);
    assert_null(agentchat_event_action_extra(event, action_count));
    sweep_end();
    assert_int_equal(count, 1);
    assert_str(extra->name, "foo");
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_sequence(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    uint64_t sequence;

    (void)variant;
    (void)err;
    sweep_begin();
    sequence = agentchat_event_sequence(event);
    sweep_end();
    assert_int_equal(sequence, 0);
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_revision(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    uint64_t revision;

    (void)variant;
    (void)err;
    sweep_begin();
    revision = agentchat_event_revision(event, AGENTCHAT_SCOPE_APP);
    sweep_end();
    assert_int_equal(revision, 0);
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static agentchat_status event_time_ns(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_event *event = event_of(env, own_text);
    int64_t ns;

    (void)variant;
    (void)err;
    sweep_begin();
    ns = agentchat_event_time_ns(event);
    sweep_end();
    assert_int_equal(ns, INT64_C(1795255320000000000));
    agentchat_event_unref(event);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_event_builder_new", builder_new, SWEEP_ALLOCATES, 2},
    {"agentchat_event_builder_set", builder_set, SWEEP_ALLOCATES, 2},
    {"agentchat_event_builder_set_content", builder_set_content, SWEEP_NEVER, 0},
    {"agentchat_event_builder_set_state", builder_set_state, SWEEP_ALLOCATES, 0},
    {"agentchat_event_builder_delete_state", builder_delete_state, SWEEP_ALLOCATES, 0},
    {"agentchat_event_builder_add_state", builder_add_state, SWEEP_ALLOCATES, 0},
    {"agentchat_event_builder_add_extra", builder_add_extra, SWEEP_ALLOCATES, 2},
    {"agentchat_event_builder_add_action_extra", builder_add_action_extra, SWEEP_ALLOCATES, 2},
    {"agentchat_event_builder_finish", builder_finish, SWEEP_ALLOCATES, 2},
    {"agentchat_event_builder_free", builder_free, SWEEP_NEVER, 0},
    {"agentchat_event_from_message", event_from_message, SWEEP_ALLOCATES, 0},
    {"agentchat_event_read", event_read, SWEEP_ALLOCATES, 4},
    {"agentchat_event_write", event_write, SWEEP_ALLOCATES, 4},
    {"agentchat_event_ref", event_ref, SWEEP_NEVER, 0},
    {"agentchat_event_unref", event_unref, SWEEP_NEVER, 0},
    {"agentchat_event_get", event_get, SWEEP_NEVER, 0},
    {"agentchat_event_content", event_content, SWEEP_NEVER, 0},
    {"agentchat_event_change_count", event_change_count, SWEEP_NEVER, 0},
    {"agentchat_event_change", event_change, SWEEP_NEVER, 0},
    {"agentchat_event_extra_count", event_extra, SWEEP_NEVER, 0},
    {"agentchat_event_extra", event_extra, SWEEP_NEVER, 0},
    {"agentchat_event_action_extra_count", event_extra, SWEEP_NEVER, 0},
    {"agentchat_event_action_extra", event_extra, SWEEP_NEVER, 0},
    {"agentchat_event_sequence", event_sequence, SWEEP_NEVER, 0},
    {"agentchat_event_revision", event_revision, SWEEP_NEVER, 0},
    {"agentchat_event_time_ns", event_time_ns, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.event", rows, sizeof rows / sizeof *rows);
}
