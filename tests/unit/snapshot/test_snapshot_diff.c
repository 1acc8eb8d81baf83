/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing snapshots: what is reported where, alignment, and agreement with the digest under random changes. */
#include "snapshot_test.h"

#include "base/buf.h"
#include "snapshot/snapshot.h"
#include <stdio.h>

static const agentchat_str absent = {NULL, 0};

/* ---- what a comparison said ----------------------------------------------------------------------------------- */

typedef struct record {
    aci_buf lines; /* "path | left | right\n", "-" for nothing */
    size_t count;
    size_t stop_after;
    agentchat_status answer; /* from then on */
} record;

static agentchat_status note(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                             agentchat_error *err)
{
    record *r = user;

    (void)err;
    assert_true(aci_buf_printf(&r->lines, "%.*s | %.*s | %.*s\n", AGENTCHAT_STR_ARG(path),
                               AGENTCHAT_STR_ARG(left.ptr != NULL ? left : AGENTCHAT_STR("-")),
                               AGENTCHAT_STR_ARG(right.ptr != NULL ? right : AGENTCHAT_STR("-"))));
    r->count++;
    return r->count > r->stop_after ? r->answer : AGENTCHAT_OK;
}

static void check_diff(const agentchat_snapshot *a, const agentchat_snapshot *b, const char *expected)
{
    record r = {.stop_after = SIZE_MAX};
    agentchat_error err;
    bool equal, first;

    aci_buf_init(&r.lines, aci_env(NULL), SIZE_MAX);
    test_ok(agentchat_snapshot_diff(a, b, note, &r, &equal, &err), &err);
    if (!agentchat_str_equal(aci_buf_str(&r.lines), agentchat_str_from(expected)))
        fail_msg("differences are\n%.*sbut should be\n%s", AGENTCHAT_STR_ARG(aci_buf_str(&r.lines)), expected);
    assert_int_equal(equal, *expected == '\0');
    test_ok(agentchat_snapshot_diff(a, b, NULL, NULL, &first, &err), &err);
    assert_int_equal(first, equal);
    aci_buf_clear(&r.lines);
}

/* ---- chats to compare ----------------------------------------------------------------------------------------- */

/* A chat of one-letter messages. */
static agentchat_snapshot_builder *letters(const char *text)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_message *m;
    agentchat_error err;

    for (; *text != '\0'; text++) {
        test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, (agentchat_str){text, 1}, &m, &err),
                &err);
        agentchat_snapshot_builder_add_message(b, m);
        agentchat_message_unref(m);
    }
    return b;
}

static agentchat_snapshot *one_message(agentchat_message_builder *mb)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_message *m;
    agentchat_error err;

    test_ok(agentchat_message_builder_finish(mb, &m, &err), &err);
    agentchat_snapshot_builder_add_message(b, m);
    agentchat_message_unref(m);
    return finished(b);
}

static void check_letters(const char *left, const char *right, const char *expected)
{
    agentchat_snapshot *a = finished(letters(left)), *b = finished(letters(right));

    check_diff(a, b, expected);
    agentchat_snapshot_unref(a);
    agentchat_snapshot_unref(b);
}

#define M(letter) "{\"items\":[{\"text\":\"" letter "\",\"type\":\"text\"}],\"role\":\"user\"}"

static void test_diff__aligns_messages(void **state)
{
    (void)state;
    check_letters("", "", "");
    check_letters("abc", "abc", "");
    check_letters("abc", "abXc", "/history/2 | - | " M("X") "\n");
    check_letters("abc", "ac", "/history/1 | " M("b") " | -\n");
    check_letters("abc", "aXc", "/history/1/items/0/text | \"b\" | \"X\"\n");
    check_letters("abcdef", "XabdeYf",
                  "/history/0 | - | " M("X") "\n/history/2 | " M("c") " | -\n/history/5 | - | " M("Y") "\n");
    check_letters("ab", "", "/history/0 | " M("a") " | -\n/history/1 | " M("b") " | -\n");
    check_letters("", "a", "/history/0 | - | " M("a") "\n");
    check_letters(
        "abXcd", "bYcdZ",
        "/history/0 | " M("a") " | -\n/history/2/items/0/text | \"X\" | \"Y\"\n/history/4 | - | " M("Z") "\n");
}

static void test_diff__names_each_member(void **state)
{
    agentchat_message_builder *left = test_message_builder(NULL, "assistant", "Desk");
    agentchat_message_builder *right = test_message_builder(NULL, "user", NULL);
    agentchat_extra extra = {AGENTCHAT_STR("e"), AGENTCHAT_STR("1.0"), {NULL, 0}};
    agentchat_snapshot *a, *b;

    (void)state;
    agentchat_message_builder_set(left, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m1"));
    agentchat_message_builder_set(left, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"b\":1, \"a\":2.0}"));
    agentchat_message_builder_set(right, AGENTCHAT_FIELD_METADATA,
                                  AGENTCHAT_STR("{\"a\":2,\"b\":10e-1}"));               /* the same */
    agentchat_message_builder_set(left, AGENTCHAT_FIELD_MODEL_ID, agentchat_str_null()); /* the same */
    agentchat_message_builder_set(left, AGENTCHAT_FIELD_MIME_TYPE, AGENTCHAT_STR(""));
    agentchat_message_builder_add_extra(left, extra.name, extra.value, extra.from);
    extra.from = AGENTCHAT_STR("semantic-kernel");
    extra.value = AGENTCHAT_STR("1"); /* the same */
    agentchat_message_builder_add_extra(right, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_call(left, AGENTCHAT_STR("c"), absent, AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{\"x\": [1, 2]}"));
    agentchat_message_builder_add_call(right, AGENTCHAT_STR("c"), absent, AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{\"x\":[1, 3]}"));
    agentchat_message_builder_add_text(left, AGENTCHAT_STR("t"));
    agentchat_message_builder_add_data(right, AGENTCHAT_ITEM_IMAGE, absent, AGENTCHAT_STR("abc"));
    agentchat_message_builder_add_data(left, AGENTCHAT_ITEM_IMAGE, absent, AGENTCHAT_STR("abc"));
    agentchat_message_builder_add_data(right, AGENTCHAT_ITEM_IMAGE, absent, AGENTCHAT_STR("abd"));
    agentchat_message_builder_add_extra(right, extra.name, extra.value, extra.from);
    a = one_message(left);
    b = one_message(right);
    check_diff(a, b,
               "/history/0/role | \"assistant\" | \"user\"\n"
               "/history/0/name | \"Desk\" | -\n"
               "/history/0/items/0/arguments | {\"x\":[1,2]} | {\"x\":[1,3]}\n"
               "/history/0/items/1 | {\"text\":\"t\",\"type\":\"text\"} | {\"data\":\"YWJj\",\"type\":\"image\"}\n"
               "/history/0/items/2/data | \"YWJj\" | \"YWJk\"\n"
               "/history/0/items/2/extras | - | [{\"name\":\"e\",\"value\":1}]\n"
               "/history/0/mimetype | \"\" | -\n"
               "/history/0/id | \"m1\" | -\n");
    agentchat_snapshot_unref(a);
    agentchat_snapshot_unref(b);
}

static agentchat_snapshot *nested_message(const char *text, size_t items)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_message *inner;
    agentchat_error err;

    test_ok(agentchat_message_new_text(NULL, "tool", (agentchat_str){NULL, 0}, agentchat_str_from(text), &inner, &err),
            &err);
    for (size_t i = 0; i < items; i++)
        agentchat_message_builder_add_text(b, AGENTCHAT_STR("same"));
    agentchat_message_builder_add_message(b, inner);
    agentchat_message_unref(inner);
    return one_message(b);
}

static void test_diff__looks_into_nested_messages_and_past_common_items(void **state)
{
    agentchat_snapshot *a = nested_message("x", 0), *b = nested_message("y", 0), *c = nested_message("x", 1);

    (void)state;
    check_diff(a, b, "/history/0/items/0/message/items/0/text | \"x\" | \"y\"\n");
    check_diff(a, c, "/history/0/items/0 | - | {\"text\":\"same\",\"type\":\"text\"}\n");
    agentchat_snapshot_unref(a);
    agentchat_snapshot_unref(b);
    agentchat_snapshot_unref(c);
}

static void test_diff__matches_participants_by_id_and_channels_by_key(void **state)
{
    agentchat_snapshot_builder *left = letters("ab"), *right = letters("ab");
    agentchat_snapshot *inner_left = finished(letters("a")), *inner_right = finished(letters("ab")), *a, *b;

    (void)state;
    agentchat_snapshot_builder_add_participant(left, AGENTCHAT_STR("1"), AGENTCHAT_STR("One"), AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_participant(left, AGENTCHAT_STR("2"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_participant(right, AGENTCHAT_STR("3"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_add_participant(right, AGENTCHAT_STR("1"), AGENTCHAT_STR("Uno"), AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_set_channel_messages(left, AGENTCHAT_STR("h"), absent, &inner_left->history, 0);
    agentchat_snapshot_builder_set_channel_chat(left, AGENTCHAT_STR("c"), absent, inner_left, 0);
    agentchat_snapshot_builder_set_channel(left, AGENTCHAT_STR("t"), absent, AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("x"),
                                           1); /* what it was given does not count */
    agentchat_snapshot_builder_set_channel(left, AGENTCHAT_STR("k"), absent, AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("A"),
                                           0);
    agentchat_snapshot_builder_set_channel(left, AGENTCHAT_STR("gone"), absent, AGENTCHAT_CHANNEL_TEXT, absent, 0);
    agentchat_snapshot_builder_set_channel(right, AGENTCHAT_STR("k"), AGENTCHAT_STR("C"), AGENTCHAT_CHANNEL_BYTES,
                                           AGENTCHAT_STR("A"), 0);
    agentchat_snapshot_builder_set_channel(right, AGENTCHAT_STR("t"), absent, AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("x"), 2);
    agentchat_snapshot_builder_set_channel_chat(right, AGENTCHAT_STR("c"), absent, inner_right, 0);
    agentchat_snapshot_builder_set_channel_messages(right, AGENTCHAT_STR("h"), absent, &inner_right->history, 0);
    a = finished(left);
    b = finished(right);
    check_diff(a, b,
               "/participants/0/name | \"One\" | \"Uno\"\n"
               "/participants/1 | {\"id\":\"2\",\"type\":\"T\"} | -\n"
               "/participants/0 | - | {\"id\":\"3\",\"type\":\"T\"}\n"
               "/channels/0/channelstate/1 | - | " M(
                   "b") "\n"
                        "/channels/1/channelstate/history/1 | - | " M(
                            "b") "\n"
                                 "/channels/3/channeltype | - | \"C\"\n"
                                 "/channels/3/statekind | \"text\" | \"bytes\"\n"
                                 "/channels/3/channelstate | \"A\" | \"QQ==\"\n"
                                 "/channels/4 | {\"channelkey\":\"gone\",\"statekind\":\"text\"} | -\n");
    agentchat_snapshot_unref(a);
    agentchat_snapshot_unref(b);
    agentchat_snapshot_unref(inner_left);
    agentchat_snapshot_unref(inner_right);
}

static void test_diff__stops_when_asked(void **state)
{
    agentchat_snapshot *a = finished(letters("abc")), *b = finished(letters(""));
    record r = {.stop_after = 1, .answer = AGENTCHAT_DONE};
    agentchat_error err;
    bool equal = true;

    (void)state;
    aci_buf_init(&r.lines, aci_env(NULL), SIZE_MAX);
    test_ok(agentchat_snapshot_diff(a, b, note, &r, &equal, &err), &err);
    assert_false(equal);
    assert_int_equal(r.count, 2);
    r.count = 0;
    r.stop_after = 0;
    r.answer = AGENTCHAT_E_CALLBACK;
    test_fails(agentchat_snapshot_diff(a, b, note, &r, &equal, &err), &err, AGENTCHAT_E_CALLBACK, "",
               "the caller's function for differences failed");
    assert_false(equal);
    assert_int_equal(r.count, 1);
    aci_buf_clear(&r.lines);
    agentchat_snapshot_unref(a);
    agentchat_snapshot_unref(b);
}

static void test_diff__is_fast_on_long_histories_that_differ_everywhere(void **state)
{
    enum { MANY = 20000 };
    char *text = malloc(MANY + 1);
    agentchat_snapshot *a, *b;
    record r = {.stop_after = SIZE_MAX};
    agentchat_error err;
    bool equal;

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        text[i] = (char)('a' + i % 3);
    text[MANY] = '\0';
    a = finished(letters(text));
    for (size_t i = 0; i < MANY; i++)
        text[i] = (char)('A' + i % 5);
    b = finished(letters(text));
    aci_buf_init(&r.lines, aci_env(NULL), SIZE_MAX);
    test_ok(agentchat_snapshot_diff(a, b, note, &r, &equal, &err), &err);
    assert_int_equal(r.count, MANY);
    aci_buf_clear(&r.lines);
    agentchat_snapshot_unref(a);
    agentchat_snapshot_unref(b);
    free(text);
}

/* ---- agreement with the digest -------------------------------------------------------------------------------- */

static agentchat_str any(const agentchat_str *list, size_t count)
{
    return list[test_pick(count)];
}

#define ANY(list) any(list, sizeof(list) / sizeof *(list))

/* Values among which many pairs have one meaning. */
static agentchat_message *random_message(void)
{
    const agentchat_str texts[] = {absent, absent, agentchat_str_null(), AGENTCHAT_STR(""), AGENTCHAT_STR("x")};
    const agentchat_str values[] = {absent,
                                    agentchat_str_null(),
                                    AGENTCHAT_STR("null"),
                                    AGENTCHAT_STR("{\"a\":1,\"b\":2}"),
                                    AGENTCHAT_STR("{\"b\":2.0, \"a\":1}"),
                                    AGENTCHAT_STR("[]")};
    const agentchat_str data[] = {absent, absent, AGENTCHAT_STR(""), AGENTCHAT_STR("AAAA"), AGENTCHAT_STR("AAAB")};
    agentchat_message_builder *b = test_message_builder(NULL, test_pick(2) == 0 ? "user" : "tool", NULL);
    const agentchat_str origins[] = {{NULL, 0}, AGENTCHAT_STR("agentchat"), AGENTCHAT_STR("later-format")};
    agentchat_extra extra = {AGENTCHAT_STR("e"), AGENTCHAT_STR("1"), ANY(origins)};
    agentchat_message *m;
    agentchat_error err;

    agentchat_message_builder_set(b, AGENTCHAT_FIELD_NAME, ANY(texts));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, ANY(values));
    if (test_pick(4) == 0)
        agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    for (size_t n = test_pick(3); n > 0; n--) {
        switch (test_pick(3)) {
        case 0:
            agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_TEXT);
            agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, ANY(texts));
            break;
        case 1:
            agentchat_message_builder_add_result(b, absent, ANY(texts), absent, ANY(values));
            break;
        default:
            agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_BINARY);
            if (test_pick(2) == 0)
                agentchat_message_builder_set_data_base64(b, ANY(data));
            else
                agentchat_message_builder_set_data(b, test_pick(2) == 0 ? AGENTCHAT_STR("\0\0\0") : absent);
        }
        if (test_pick(5) == 0)
            agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    }
    test_ok(agentchat_message_builder_finish(b, &m, &err), &err);
    return m;
}

static void change(agentchat_snapshot_builder *b, const agentchat_snapshot *s, size_t depth)
{
    static const agentchat_str keys[] = {{"k1", 2}, {"k2", 2}, {"k3", 2}};
    const agentchat_str states[] = {absent, agentchat_str_null(), AGENTCHAT_STR(""), AGENTCHAT_STR("AA==")};
    agentchat_message *m = random_message();
    agentchat_messages *list;
    agentchat_error err;

    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)&m, 1, &list, &err), &err);
    switch (test_pick(depth > 0 ? 7 : 6)) {
    case 0:
        agentchat_snapshot_builder_add_message(b, m);
        break;
    case 1:
        if (s->history.count > 0)
            agentchat_snapshot_builder_replace(b, test_pick(s->history.count), test_pick(2),
                                               test_pick(2) == 0 ? list : NULL);
        break;
    case 2:
        agentchat_snapshot_builder_set_channel(b, ANY(keys), ANY(states),
                                               test_pick(2) == 0 ? AGENTCHAT_CHANNEL_TEXT : AGENTCHAT_CHANNEL_BYTES,
                                               ANY(states), 0);
        break;
    case 3:
        agentchat_snapshot_builder_set_channel_messages(b, ANY(keys), absent, list, 0);
        break;
    case 4:
        agentchat_snapshot_builder_remove_channel(b, ANY(keys));
        break;
    case 5:
        if (s->participant_count < 3) {
            char id[3] = {'p', (char)('0' + s->participant_count), '\0'};

            agentchat_snapshot_builder_add_participant(b, agentchat_str_from(id), ANY(states), ANY(states));
        }
        break;
    default:
        agentchat_snapshot_builder_set_channel_chat(b, ANY(keys), absent, s, 0);
    }
    agentchat_message_unref(m);
    agentchat_messages_unref(list);
}

static agentchat_snapshot *changed(const agentchat_snapshot *s, size_t depth)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, s);

    change(b, s, depth);
    return finished(b);
}

static agentchat_status count_only(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                   agentchat_error *err)
{
    (void)err;
    assert_true(path.len > 0 && path.ptr[0] == '/');
    assert_true(left.ptr != NULL || right.ptr != NULL);
    ++*(size_t *)user;
    return AGENTCHAT_OK;
}

static void test_diff__agrees_with_the_digest(void **state)
{
    enum { CHATS = 40 };
    agentchat_snapshot *chats[CHATS];
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    size_t alike = 0, different = 0;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < CHATS; i++)
        chats[i] = finished(test_snapshot_builder(NULL, NULL));
    for (size_t round = 0; round < 6000; round++) {
        size_t i = test_pick(CHATS), j = test_pick(CHATS), count = 0;
        bool deep = chats[j]->history.count < 4 && chats[j]->channel_count < 2;
        agentchat_snapshot *next = changed(chats[j], deep && round % 50 == 0);
        bool equal;

        if (round % 300 == 299) {
            agentchat_snapshot_unref(next);
            next = finished(test_snapshot_builder(NULL, NULL));
        }
        agentchat_snapshot_unref(chats[i]);
        chats[i] = next;
        j = test_pick(CHATS);
        test_ok(agentchat_snapshot_digest(chats[i], true, left, &err), &err);
        test_ok(agentchat_snapshot_digest(chats[j], true, right, &err), &err);
        test_ok(agentchat_snapshot_diff(chats[i], chats[j], count_only, &count, &equal, &err), &err);
        assert_int_equal(equal, count == 0);
        assert_int_equal(equal, strcmp(left, right) == 0);
        alike += equal && i != j;
        different += !equal;
    }
    assert_true(alike > 20 && different > 1000);
    for (size_t i = 0; i < CHATS; i++)
        agentchat_snapshot_unref(chats[i]);
}

/* ---- without memory ------------------------------------------------------------------------------------------- */

static agentchat_status never_mind(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                   agentchat_error *err)
{
    (void)user, (void)path, (void)left, (void)right, (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status diff_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_snapshot_builder *b = test_snapshot_builder(env, user);
    const agentchat_snapshot *from = user;
    agentchat_snapshot *left;
    agentchat_status status;
    bool equal;

    if (b == NULL)
        return AGENTCHAT_E_NOMEM;
    agentchat_snapshot_builder_replace(b, 1, 1, NULL);
    agentchat_snapshot_builder_replace(b, 3, 1, &from->history);
    agentchat_snapshot_builder_add_participant(b, AGENTCHAT_STR("p"), absent, AGENTCHAT_STR("T"));
    agentchat_snapshot_builder_set_channel(b, AGENTCHAT_STR("k"), absent, AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("x"),
                                           0);
    status = agentchat_snapshot_builder_finish(b, &left, err);
    if (status < 0)
        return status;
    status = agentchat_snapshot_diff(left, from, never_mind, NULL, &equal, err);
    assert_false(equal);
    agentchat_snapshot_unref(left);
    return status;
}

static void test_diff__survives_running_out_of_memory(void **state)
{
    agentchat_snapshot *s = finished(letters("abcdefgh"));

    (void)state;
    assert_true(test_oom_sweep(diff_scenario, s) > 20);
    agentchat_snapshot_unref(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diff__aligns_messages),
        cmocka_unit_test(test_diff__names_each_member),
        cmocka_unit_test(test_diff__looks_into_nested_messages_and_past_common_items),
        cmocka_unit_test(test_diff__matches_participants_by_id_and_channels_by_key),
        cmocka_unit_test(test_diff__stops_when_asked),
        cmocka_unit_test(test_diff__is_fast_on_long_histories_that_differ_everywhere),
        cmocka_unit_test(test_diff__agrees_with_the_digest),
        cmocka_unit_test(test_diff__survives_running_out_of_memory),
    };

    test_seed(4711);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
