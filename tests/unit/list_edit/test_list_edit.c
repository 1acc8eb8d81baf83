/* SPDX-License-Identifier: Apache-2.0 */
/* Edit lists against a naive model, their limits, adding by id, and what is refused. */
#include "support/test_support.h"

#include <agentchat/list_edit.h>
#include <string.h>

enum { MOST = 24 };

static agentchat_message *text(const char *content, const char *id)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_message *message;
    agentchat_error err;

    agentchat_message_builder_add_text(b, agentchat_str_from(content));
    if (id != NULL)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, agentchat_str_from(id));
    test_ok(agentchat_message_builder_finish(b, &message, &err), &err);
    return message;
}

static agentchat_messages *letters(size_t count)
{
    agentchat_message *list[MOST] = {NULL};
    agentchat_messages *messages;
    agentchat_error err;

    for (size_t i = 0; i < count; i++)
        list[i] = text((const char[]){(char)('a' + i), '\0'}, NULL);
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)list, count, &messages, &err), &err);
    for (size_t i = 0; i < count; i++)
        agentchat_message_unref(list[i]);
    return messages;
}

/* The texts of a list, one after the other. */
static void spell(const agentchat_messages *messages, char *out)
{
    *out = '\0';
    for (size_t i = 0; i < agentchat_messages_count(messages); i++)
        strncat(out, agentchat_message_text(agentchat_messages_at(messages, i)).ptr,
                agentchat_message_text(agentchat_messages_at(messages, i)).len);
}

static void check_applied(const agentchat_list_edit *edit, const agentchat_messages *messages, const char *expected)
{
    agentchat_messages *result;
    char found[1024];
    agentchat_error err;

    test_ok(agentchat_list_edit_apply(edit, messages, &result, &err), &err);
    spell(result, found);
    assert_string_equal(found, expected);
    assert_int_equal(agentchat_messages_count(result), agentchat_list_edit_result_length(edit));
    agentchat_messages_unref(result);
}

/* ---- a naive model ------------------------------------------------------------------------------------------------
 */

typedef struct model {
    char before[MOST + 1][512]; /* what is inserted before each element, and at the end */
    char element[MOST];         /* NUL: removed */
    size_t length;
} model;

static void spell_model(const model *m, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i <= m->length; i++) {
        len += (size_t)sprintf(out + len, "%s", m->before[i]);
        if (i < m->length && m->element[i] != '\0')
            out[len++] = m->element[i];
    }
    out[len] = '\0';
}

static void change_at_random(agentchat_list_edit *edit, model *m)
{
    size_t index = test_pick(m->length + 1), count = test_pick(m->length - index + 1);
    char letter = (char)('A' + test_pick(26));
    agentchat_message *message = text((const char[]){letter, '\0'}, NULL);
    agentchat_error err;

    switch (test_pick(3)) {
    case 0:
        test_ok(agentchat_list_edit_remove(edit, index, count, &err), &err);
        memset(m->element + index, 0, count);
        break;
    case 1:
        if (index == m->length) {
            test_fails(agentchat_list_edit_replace(edit, index, message, &err), &err, AGENTCHAT_E_INVALID, NULL,
                       "the list has");
            break;
        }
        test_ok(agentchat_list_edit_replace(edit, index, message, &err), &err);
        m->element[index] = letter;
        break;
    default:
        test_ok(agentchat_list_edit_insert(edit, index, message, &err), &err);
        strncat(m->before[index], &letter, 1);
    }
    agentchat_message_unref(message);
}

/* The steps cover the list, in order. */
static void check_steps(const agentchat_list_edit *edit)
{
    agentchat_edit_step step = {(agentchat_edit_kind)0, 0, 0, NULL, 0};
    agentchat_edit_kind last = (agentchat_edit_kind)0;
    size_t next = 0;

    while (agentchat_list_edit_next(edit, &step)) {
        assert_int_equal(step.index, next);
        assert_true(step.kind == AGENTCHAT_EDIT_INSERT ? step.count == 0 : step.count > 0);
        assert_int_equal(step.message != NULL,
                         step.kind == AGENTCHAT_EDIT_INSERT || step.kind == AGENTCHAT_EDIT_REPLACE);
        assert_false(step.kind == last && (last == AGENTCHAT_EDIT_KEEP || last == AGENTCHAT_EDIT_REMOVE));
        last = step.kind;
        next += step.count;
    }
    assert_int_equal(next, agentchat_list_edit_length(edit));
}

static void test_edit__random_changes_do_what_the_model_does(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 3000; seed++) {
        agentchat_list_edit *edit;
        agentchat_messages *messages;
        char expected[1024];
        agentchat_error err;
        model m;

        test_seed(seed);
        memset(&m, 0, sizeof m);
        m.length = test_pick(10);
        memcpy(m.element, "abcdefghij", m.length);
        messages = letters(m.length);
        test_ok(agentchat_list_edit_new(NULL, m.length, &edit, &err), &err);
        assert_true(agentchat_list_edit_is_empty(edit));
        for (size_t i = test_pick(seed % 10 == 0 ? 300 : 12); i > 0; i--) {
            change_at_random(edit, &m);
            if (test_pick(20) > 0)
                continue;
            spell_model(&m, expected);
            assert_int_equal(agentchat_list_edit_result_length(edit), strlen(expected));
        }
        spell_model(&m, expected);
        check_applied(edit, messages, expected);
        check_steps(edit);
        agentchat_list_edit_free(edit);
        agentchat_messages_unref(messages);
    }
}

/* ---- single rules -------------------------------------------------------------------------------------------------
 */

static void test_edit__is_for_lists_of_its_length(void **state)
{
    agentchat_messages *messages = letters(3), *out;
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_list_edit_new(NULL, 2, &edit, &err), &err);
    test_fails(agentchat_list_edit_apply(edit, messages, &out, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "is for 2 messages, and there are 3");
    assert_null(out);
    test_fails(agentchat_list_edit_remove(edit, 1, 2, &err), &err, AGENTCHAT_E_INVALID, NULL, "no 2 from 1 on");
    test_fails(agentchat_list_edit_remove(edit, SIZE_MAX, SIZE_MAX, &err), &err, AGENTCHAT_E_INVALID, NULL, NULL);
    assert_true(agentchat_list_edit_is_empty(edit));
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
}

static void test_edit__what_stays_at_the_beginning_is_shared(void **state)
{
    agentchat_messages *messages = letters(5), *out;
    agentchat_list_edit *edit;
    int64_t from = -2;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_list_edit_new(NULL, 5, &edit, &err), &err);
    test_ok(agentchat_list_edit_remove(edit, 3, 1, &err), &err);
    test_ok(agentchat_list_edit_apply(edit, messages, &out, &err), &err);
    for (size_t i = 0; i < 3; i++)
        assert_ptr_equal(agentchat_messages_at(out, i), agentchat_messages_at(messages, i));
    agentchat_messages_unref(out);
    test_ok(agentchat_list_edit_keep(edit, &from, NULL, &err), &err);
    check_applied(edit, messages, "e");
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
}

static bool is_vowel(void *user, const agentchat_message *message)
{
    ++*(size_t *)user;
    return strchr("aeiou", *agentchat_message_text(message).ptr) != NULL;
}

static void test_messages__chosen_by_a_test_go(void **state)
{
    agentchat_messages *messages = letters(9);
    agentchat_list_edit *edit;
    size_t calls = 0;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_messages_remove_if(NULL, messages, is_vowel, &calls, &edit, &err), &err);
    check_applied(edit, messages, "bcdfgh");
    assert_int_equal(calls, 9);
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
}

static void test_messages__are_found_by_the_last_of_their_ids(void **state)
{
    agentchat_message *list[3] = {text("a", "1"), text("b", NULL), text("c", "1")};
    agentchat_messages *messages;
    size_t index = 9;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)list, 3, &messages, &err), &err);
    assert_true(agentchat_messages_find_id(messages, AGENTCHAT_STR("1"), &index));
    assert_int_equal(index, 2);
    assert_false(agentchat_messages_find_id(messages, AGENTCHAT_STR("2"), &index));
    assert_false(agentchat_messages_find_id(messages, AGENTCHAT_STR(""), NULL));
    for (size_t i = 0; i < 3; i++)
        agentchat_message_unref(list[i]);
    agentchat_messages_unref(messages);
}

/* ---- adding by id -------------------------------------------------------------------------------------------------
 */

static void test_add__says_what_is_wrong(void **state)
{
    agentchat_message *message = text("x", "1");
    const agentchat_message_update both = {message, AGENTCHAT_STR("1")}, none = {NULL, {NULL, 0}},
                                   unknown = {NULL, AGENTCHAT_STR("9")};
    const agentchat_message_update after_all[] = {{NULL, AGENTCHAT_REMOVE_ALL}, {NULL, AGENTCHAT_STR("1")}};
    agentchat_messages *messages = letters(2);
    agentchat_list_edit *edit;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_messages_add(NULL, messages, &both, 1, &edit, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "update 0");
    test_fails(agentchat_messages_add(NULL, messages, &none, 1, &edit, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "update 0");
    test_fails(agentchat_messages_add(NULL, messages, &unknown, 1, &edit, &err), &err, AGENTCHAT_E_NOTFOUND, NULL,
               "\"9\"");
    test_fails(agentchat_messages_add(NULL, messages, after_all, 2, &edit, &err), &err, AGENTCHAT_E_NOTFOUND, NULL,
               "\"1\"");
    assert_null(edit);
    agentchat_message_unref(message);
    agentchat_messages_unref(messages);
}

/* Updates by a script: "1a" is a message with an id and a text, "-1" a removal, "-*" that of all. */
static void check_added(const char *list, const char *script, const char *expected)
{
    agentchat_message *made[MOST];
    agentchat_message_update updates[MOST];
    agentchat_messages *messages;
    agentchat_list_edit *edit;
    size_t made_count = 0, count = 0;
    agentchat_error err;

    for (; *list != '\0'; list += 2)
        made[made_count++] = text((const char[]){list[1], '\0'}, (const char[]){list[0], '\0'});
    test_ok(agentchat_messages_new(NULL, (const agentchat_message *const *)made, made_count, &messages, &err), &err);
    for (; *script != '\0'; script += 2, count++) {
        updates[count] = (agentchat_message_update){NULL, {script + 1, 1}};
        if (script[0] == '-' && script[1] == '*')
            updates[count].remove = AGENTCHAT_REMOVE_ALL;
        else if (script[0] != '-')
            updates[count] = (agentchat_message_update){
                made[made_count++] = text((const char[]){script[1], '\0'}, (const char[]){script[0], '\0'}), {NULL, 0}};
    }
    if (expected == NULL) {
        test_fails(agentchat_messages_add(NULL, messages, updates, count, &edit, &err), &err, AGENTCHAT_E_NOTFOUND,
                   NULL, "no message with the id");
    } else {
        test_ok(agentchat_messages_add(NULL, messages, updates, count, &edit, &err), &err);
        check_applied(edit, messages, expected);
    }
    agentchat_list_edit_free(edit);
    agentchat_messages_unref(messages);
    while (made_count > 0)
        agentchat_message_unref(made[--made_count]);
}

static void test_add__replaces_and_removes_by_id(void **state)
{
    (void)state;
    check_added("1a2b1c", "1d", "abd"); /* the last one of an id */
    check_added("1a2b1c", "-1", "b");   /* all of them */
    check_added("1a2b", "-11c", "cb");  /* there again */
    check_added("1a", "2b-2", "a");
    check_added("1a", "2b-2-2", "a");
    check_added("1a", "-2", NULL);
    check_added("1a2b", "-*1c1d", "d"); /* after the removal of all an id names one message too */
    check_added("1a2b", "-*1c2d-1", "d");
    check_added("1a2b", "-*1c2d1e-2", "e");
    check_added("1a2b", "-*1c1d2e-11f", "fe");
    check_added("1a2b", "-*1c-1-1", "");
    check_added("1a2b", "-*-1", NULL);
    check_added("1a2b", "-9-*3c", "c"); /* what comes before it is not looked at */
}

/* The environment's random bytes, which may be the same again and again. */
static int not_random(void *user, void *bytes, size_t len)
{
    (void)user;
    memset(bytes, 7, len);
    return 0;
}

/* An update may have the very id that was made for a message of the list. */
static void test_add__id_that_was_made(void **state)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_messages *messages = letters(1), *with_id = NULL;
    agentchat_message_update updates[3] = {{NULL, {NULL, 0}}};
    agentchat_list_edit *edit = NULL;
    agentchat_message *again, *twice;
    char made[64];
    agentchat_str id;
    agentchat_env *env;
    agentchat_error err;

    (void)state;
    options.random = not_random;
    test_ok(agentchat_env_new(&options, &env, &err), &err);
    test_ok(agentchat_messages_add(env, messages, NULL, 0, &edit, &err), &err);
    test_ok(agentchat_list_edit_apply(edit, messages, &with_id, &err), &err);
    agentchat_list_edit_free(edit);
    id = agentchat_message_get(agentchat_messages_at(with_id, 0), AGENTCHAT_FIELD_ID);
    (void)snprintf(made, sizeof made, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(id));
    again = text("x", made);
    twice = text("y", made);
    updates[0].message = again;
    updates[1].message = twice;
    updates[2].remove = id;
    test_ok(agentchat_messages_add(env, messages, updates, 2, &edit, &err), &err);
    check_applied(edit, messages, "y");
    agentchat_list_edit_free(edit);
    test_ok(agentchat_messages_add(env, messages, updates, 3, &edit, &err), &err);
    check_applied(edit, messages, "");
    agentchat_list_edit_free(edit);
    agentchat_message_unref(again);
    agentchat_message_unref(twice);
    agentchat_messages_unref(with_id);
    agentchat_messages_unref(messages);
    agentchat_env_free(env);
}

/* ---- failing memory -----------------------------------------------------------------------------------------------
 */

static agentchat_status edit_everything(const agentchat_env *env, void *user, agentchat_error *err)
{
    const agentchat_messages *messages = user;
    const agentchat_message_update updates[] = {{agentchat_messages_at(messages, 0), {NULL, 0}},
                                                {NULL, AGENTCHAT_REMOVE_ALL},
                                                {agentchat_messages_at(messages, 1), {NULL, 0}}};
    agentchat_trim_options options = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_list_edit *edits[4] = {NULL, NULL, NULL, NULL};
    agentchat_messages *out = NULL;
    agentchat_status status;
    int64_t from = 2;

    options.max_tokens = 20;
    status = agentchat_messages_trim(env, messages, &options, &edits[0], err);
    if (status >= 0)
        status = agentchat_list_edit_apply(edits[0], messages, &out, err);
    if (status >= 0)
        status = agentchat_messages_keep_last(env, messages, 2, &edits[1], err);
    if (status >= 0)
        status = agentchat_messages_add(env, messages, updates, 1, &edits[2], err);
    if (status >= 0)
        status = agentchat_messages_add(env, messages, updates, 3, &edits[3], err);
    if (status >= 0)
        status = agentchat_list_edit_keep(edits[2], &from, NULL, err);
    for (size_t i = 0; i < 4; i++)
        agentchat_list_edit_free(edits[i]);
    agentchat_messages_unref(out);
    return status;
}

static void test_edit__survives_running_out_of_memory(void **state)
{
    agentchat_messages *messages = letters(8);

    (void)state;
    assert_true(test_oom_sweep(edit_everything, messages) > 20);
    agentchat_messages_unref(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edit__random_changes_do_what_the_model_does),
        cmocka_unit_test(test_edit__is_for_lists_of_its_length),
        cmocka_unit_test(test_edit__what_stays_at_the_beginning_is_shared),
        cmocka_unit_test(test_messages__chosen_by_a_test_go),
        cmocka_unit_test(test_messages__are_found_by_the_last_of_their_ids),
        cmocka_unit_test(test_add__says_what_is_wrong),
        cmocka_unit_test(test_add__replaces_and_removes_by_id),
        cmocka_unit_test(test_add__id_that_was_made),
        cmocka_unit_test(test_edit__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests_name("list_edit", tests, NULL, NULL);
}
