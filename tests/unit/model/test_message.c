/* SPDX-License-Identifier: Apache-2.0 */
/* Fields, drafts, data in two forms, copying and equality. */
#include "support/test_support.h"

#include "base/b64.h"
#include "base/error.h"
#include "model/model.h"
#include <pthread.h>

static void test_fields__table_agrees_with_the_interface(void **state)
{
    size_t on_message = 0, on_every_item = 0;

    (void)state;
    assert_null(aci_field_name((agentchat_field)0));
    assert_null(aci_field_name((agentchat_field)(AGENTCHAT_FIELD_FORM + 1)));
    for (int id = AGENTCHAT_FIELD_ROLE; id <= AGENTCHAT_FIELD_FORM; id++) {
        size_t kinds = 0;

        assert_non_null(aci_field_name((agentchat_field)id));
        on_message += aci_field_of_message((agentchat_field)id);
        for (int kind = AGENTCHAT_ITEM_TEXT; kind <= AGENTCHAT_ITEM_OPAQUE; kind++)
            kinds += aci_field_of_item((agentchat_item_kind)kind, (agentchat_field)id);
        on_every_item += kinds == 12;
        assert_true(kinds > 0 || aci_field_of_message((agentchat_field)id));
    }
    assert_int_equal(on_message, 8);
    assert_int_equal(on_every_item, 6);
    assert_string_equal(aci_field_name(AGENTCHAT_FIELD_MIME_TYPE), "mimetype");
    assert_string_equal(aci_field_name(AGENTCHAT_FIELD_CALL_ID), "id");
    assert_int_equal(aci_field_form(AGENTCHAT_FIELD_START_INDEX), ACI_FORM_JSON);
    assert_int_equal(aci_field_form(AGENTCHAT_FIELD_SIGNATURE), ACI_FORM_TEXT);
    assert_string_equal(aci_item_kind_name(AGENTCHAT_ITEM_CALL), "call");
    assert_null(aci_item_kind_name(AGENTCHAT_ITEM_OPAQUE));
    assert_null(aci_item_kind_name((agentchat_item_kind)77));
    assert_false(aci_field_of_item((agentchat_item_kind)0, AGENTCHAT_FIELD_MODEL_ID));
    assert_false(aci_field_of_item((agentchat_item_kind)13, AGENTCHAT_FIELD_MODEL_ID));
}

static void test_draft__puts_fields_in_order_and_makes_null_one_thing(void **state)
{
    aci_arena *arena = aci_arena_new(aci_env(NULL), 0);
    agentchat_message *m;
    agentchat_item *item;
    aci_draft d;

    (void)state;
    aci_draft_begin(&d);
    aci_draft_set(&d, AGENTCHAT_FIELD_RESULT, ACI_FORM_JSON, AGENTCHAT_STR("null"));
    aci_draft_set(&d, AGENTCHAT_FIELD_MODEL_ID, ACI_FORM_TEXT, AGENTCHAT_STR("null"));
    aci_draft_set(&d, AGENTCHAT_FIELD_RAW, ACI_FORM_JSON, AGENTCHAT_STR("null"));
    aci_draft_set(&d, AGENTCHAT_FIELD_CALL_ID, ACI_FORM_TEXT, AGENTCHAT_STR("one"));
    aci_draft_set(&d, AGENTCHAT_FIELD_CALL_ID, ACI_FORM_TEXT, AGENTCHAT_STR("two"));
    aci_draft_set(&d, AGENTCHAT_FIELD_PLUGIN, ACI_FORM_NULL, AGENTCHAT_STR("ignored"));
    aci_draft_set(&d, AGENTCHAT_FIELD_FUNCTION, ACI_FORM_TEXT, AGENTCHAT_STR("gone"));
    aci_draft_unset(&d, AGENTCHAT_FIELD_FUNCTION);
    aci_draft_unset(&d, AGENTCHAT_FIELD_FUNCTION);
    item = aci_draft_item(&d, arena, AGENTCHAT_ITEM_RESULT);
    assert_int_equal(item->field_count, 5);
    for (size_t i = 1; i < item->field_count; i++)
        assert_true(item->fields[i - 1].id < item->fields[i].id);
    assert_true(agentchat_str_is_null(agentchat_item_get(item, AGENTCHAT_FIELD_RESULT)));
    assert_true(agentchat_str_is_null(agentchat_item_get(item, AGENTCHAT_FIELD_PLUGIN)));
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_RAW), "null");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_MODEL_ID), "null");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), "two");
    aci_draft_begin(&d);
    aci_draft_set(&d, AGENTCHAT_FIELD_RAW, ACI_FORM_NULL, agentchat_str_null());
    assert_str(agentchat_item_get(aci_draft_item(&d, arena, AGENTCHAT_ITEM_OPAQUE), AGENTCHAT_FIELD_RAW), "null");
    aci_draft_begin(&d);
    m = aci_draft_message(&d, arena, &item, 1, ACI_MESSAGE_ITEMS_ABSENT);
    assert_null(agentchat_message_role(m).ptr); /* readers may leave it out */
    assert_ptr_equal(agentchat_message_item(m, 0), item);
    agentchat_message_ref(m);
    aci_arena_unref(arena);
    agentchat_message_unref(m);
}

/* A message with one binary item; `base64` says in which form the data is given. */
static agentchat_message *with_data(const agentchat_env *env, bool base64, agentchat_str data, agentchat_error *err)
{
    agentchat_message_builder *b;
    agentchat_message *m;

    if (agentchat_message_builder_new(env, "user", (agentchat_str){NULL, 0}, &b, err) < 0)
        return NULL;
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_BINARY);
    if (base64)
        agentchat_message_builder_set_data_base64(b, data);
    else
        agentchat_message_builder_set_data(b, data);
    return agentchat_message_builder_finish(b, &m, err) < 0 ? NULL : m;
}

static void test_data__gives_both_forms_once(void **state)
{
    agentchat_message *m = with_data(NULL, true, AGENTCHAT_STR("aGVsbG8="), NULL);
    const agentchat_item *item = agentchat_message_item(m, 0);
    agentchat_str bytes, again, text;
    agentchat_error err;

    (void)state;
    assert_true(agentchat_item_has_data(item));
    assert_int_equal(agentchat_item_data_size(item), 5);
    test_ok(agentchat_item_bytes(item, &bytes, &err), &err);
    assert_str(bytes, "hello");
    test_ok(agentchat_item_bytes(item, &again, &err), &err);
    assert_ptr_equal(bytes.ptr, again.ptr);
    test_ok(agentchat_item_base64(item, &text, &err), &err);
    assert_str(text, "aGVsbG8=");
    agentchat_message_unref(m);

    m = with_data(NULL, false, AGENTCHAT_STR("\0\1\2"), NULL);
    item = agentchat_message_item(m, 0);
    assert_int_equal(agentchat_item_data_size(item), 3);
    test_ok(agentchat_item_base64(item, &text, &err), &err);
    assert_str(text, "AAEC");
    test_ok(agentchat_item_base64(item, &again, &err), &err);
    assert_ptr_equal(text.ptr, again.ptr);
    agentchat_message_unref(m);
}

static void test_data__distinguishes_empty_from_none(void **state)
{
    agentchat_message *m = with_data(NULL, true, AGENTCHAT_STR(""), NULL);
    agentchat_str view;
    agentchat_error err;

    (void)state;
    assert_true(agentchat_item_has_data(agentchat_message_item(m, 0)));
    test_ok(agentchat_item_bytes(agentchat_message_item(m, 0), &view, &err), &err);
    assert_str(view, "");
    agentchat_message_unref(m);
    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &m, &err), &err);
    assert_false(agentchat_item_has_data(agentchat_message_item(m, 0)));
    assert_int_equal(agentchat_item_data_size(agentchat_message_item(m, 0)), 0);
    test_ok(agentchat_item_bytes(agentchat_message_item(m, 0), &view, &err), &err);
    assert_null(view.ptr);
    test_ok(agentchat_item_base64(NULL, &view, &err), &err);
    assert_null(view.ptr);
    agentchat_message_unref(m);
}

static agentchat_status convert(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_message *m = with_data(env, *(const bool *)user, AGENTCHAT_STR("AAECAwQF"), err);
    agentchat_status status;
    agentchat_str view;

    if (m == NULL)
        return (agentchat_status)err->code;
    status = agentchat_item_bytes(agentchat_message_item(m, 0), &view, err);
    if (status >= 0)
        status = agentchat_item_base64(agentchat_message_item(m, 0), &view, err);
    agentchat_message_unref(m);
    return status;
}

static void test_data__survives_running_out_of_memory(void **state)
{
    bool base64 = true;

    (void)state;
    assert_true(test_oom_sweep(convert, &base64) > 3);
    base64 = false;
    assert_true(test_oom_sweep(convert, &base64) > 3);
}

static void *convert_in_thread(void *user)
{
    const agentchat_item *item = agentchat_message_item(user, 0);
    agentchat_str bytes;
    const char *result = NULL;

    if (agentchat_item_bytes(item, &bytes, NULL) >= 0 && bytes.len == 3)
        result = bytes.ptr;
    agentchat_message_unref(user);
    return (void *)(uintptr_t)result;
}

static void test_data__is_converted_once_for_all_threads(void **state)
{
    (void)state;
    for (size_t round = 0; round < 50; round++) {
        agentchat_message *m = with_data(NULL, true, AGENTCHAT_STR("AAEC"), NULL);
        pthread_t threads[4];
        void *results[4];

        for (size_t i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, convert_in_thread, agentchat_message_ref(m)), 0);
        for (size_t i = 0; i < 4; i++)
            pthread_join(threads[i], &results[i]);
        assert_non_null(results[0]);
        for (size_t i = 1; i < 4; i++)
            assert_ptr_equal(results[i], results[0]);
        assert_memory_equal(results[0], "\0\1\2", 3);
        agentchat_message_unref(m);
    }
}

/* One of everything that equality looks at; `variant` changes one thing. */
static agentchat_message *sample(const agentchat_env *env, int variant, agentchat_error *err)
{
    static const agentchat_str none = {NULL, 0};
    agentchat_extra extra = {AGENTCHAT_STR("x"), AGENTCHAT_STR("[1]"), AGENTCHAT_STR("semantic-kernel")};
    agentchat_message *inner, *m;
    agentchat_message_builder *b;

    if (agentchat_message_new_text(env, variant == 1 ? "tool" : "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("in"),
                                   &inner, err) < 0)
        return NULL;
    if (agentchat_message_builder_new(env, "user", agentchat_str_from(variant == 2 ? "Bo" : "Ana"), &b, err) < 0) {
        agentchat_message_unref(inner);
        return NULL;
    }
    if (variant != 3)
        agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"a\":1}"));
    if (variant == 4)
        extra.from = (agentchat_str){NULL, 0};
    if (variant == 5)
        extra.value = AGENTCHAT_STR("[1 ]");
    if (variant == 6)
        extra.name = AGENTCHAT_STR("y");
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    if (variant == 7)
        agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_message(b, inner);
    agentchat_message_unref(inner);
    agentchat_message_builder_add_data(b, variant == 8 ? AGENTCHAT_ITEM_AUDIO : AGENTCHAT_ITEM_IMAGE, none,
                                       variant == 9 ? AGENTCHAT_STR("qwertz") : AGENTCHAT_STR("qwerty"));
    if (variant == 10)
        agentchat_message_builder_set_data_base64(b, AGENTCHAT_STR("cXdlcnR5")); /* the same bytes */
    if (variant == 11)
        agentchat_message_builder_set_data(b, none);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI,
                                       variant == 12 ? AGENTCHAT_STR("") : agentchat_str_null());
    if (variant == 13)
        agentchat_message_builder_add_text(b, AGENTCHAT_STR("more"));
    if (agentchat_message_builder_finish(b, &m, err) < 0)
        return NULL;
    return m;
}

static void test_message__equality_sees_every_part(void **state)
{
    agentchat_message *base = sample(NULL, 0, NULL);

    (void)state;
    assert_true(aci_message_equal(base, base));
    assert_false(aci_message_equal(base, NULL));
    for (int variant = 0; variant <= 13; variant++) {
        agentchat_message *other = sample(NULL, variant, NULL);
        bool expected = variant == 0 || variant == 10;

        if (aci_message_equal(base, other) != expected || aci_message_equal(other, base) != expected)
            fail_msg("variant %d", variant);
        agentchat_message_unref(other);
    }
    agentchat_message_unref(base);
}

static void test_data__equality_compares_long_data_across_forms(void **state)
{
    enum { LEN = 5000 };
    char *bytes = malloc(LEN), *text = malloc(LEN * 2);

    (void)state;
    for (size_t i = 0; i < LEN; i++)
        bytes[i] = (char)(i * 7);
    for (size_t len = LEN - 3; len <= LEN; len++) {
        agentchat_str data = {bytes, len}, encoded = {text, aci_b64_encoded_size(len)};
        agentchat_message *plain = with_data(NULL, false, data, NULL), *base64, *other;

        aci_b64_encode(bytes, len, text);
        base64 = with_data(NULL, true, encoded, NULL);
        assert_true(aci_message_equal(plain, base64));
        text[4000] = text[4000] == 'A' ? 'B' : 'A';
        other = with_data(NULL, true, encoded, NULL);
        assert_false(aci_message_equal(plain, other));
        assert_false(aci_message_equal(base64, other));
        agentchat_message_unref(plain);
        agentchat_message_unref(base64);
        agentchat_message_unref(other);
    }
    free(bytes);
    free(text);
}

static void test_message__copy_is_equal_and_independent(void **state)
{
    (void)state;
    for (int variant = 0; variant <= 13; variant++) {
        agentchat_message *m = sample(NULL, variant, NULL), *copy, *again = sample(NULL, variant, NULL);
        aci_arena *arena = aci_arena_new(aci_env(NULL), 0);

        copy = aci_message_copy(m, arena);
        agentchat_message_unref(m);
        assert_true(aci_message_equal(copy, again));
        assert_ptr_equal(copy->arena, arena);
        for (size_t i = 0; i < copy->item_count; i++)
            assert_ptr_equal(copy->items[i]->arena, arena);
        agentchat_message_unref(again);
        agentchat_message_unref(copy);
    }
}

static agentchat_status copy_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_message *m = sample(env, 7, err);
    agentchat_status status = AGENTCHAT_OK;
    aci_arena *arena;

    (void)user;
    if (m == NULL)
        return (agentchat_status)err->code;
    arena = aci_arena_new(env, 16); /* so that the copy needs many blocks */
    if (arena == NULL || aci_message_copy(m, arena) == NULL)
        status = aci_fail_nomem(err);
    aci_arena_unref(arena);
    agentchat_message_unref(m);
    return status;
}

static void test_message__copy_survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(copy_scenario, NULL) > 10);
}

static void test_message__built_one_has_one_allocation(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    uint64_t before = oom.live_blocks;
    agentchat_message *m = sample(env, 0, NULL);

    (void)state;
    assert_non_null(m);
    assert_int_equal(oom.live_blocks, before + 1); /* the footprint is never too small */
    agentchat_message_unref(m);
    assert_int_equal(oom.live_blocks, before);
    agentchat_env_free(env);
}

static void test_message__views_of_nothing_are_absent(void **state)
{
    (void)state;
    assert_null(agentchat_message_ref(NULL));
    agentchat_message_unref(NULL);
    assert_null(agentchat_message_get(NULL, AGENTCHAT_FIELD_ROLE).ptr);
    assert_null(agentchat_message_text(NULL).ptr);
    assert_int_equal(agentchat_message_item_count(NULL), 0);
    assert_null(agentchat_message_item(NULL, 0));
    assert_int_equal(agentchat_message_extra_count(NULL), 0);
    assert_null(agentchat_item_get(NULL, AGENTCHAT_FIELD_TEXT).ptr);
    assert_null(agentchat_item_message(NULL));
    assert_false(agentchat_item_has_data(NULL));
    assert_int_equal(agentchat_item_extra_count(NULL), 0);
    assert_null(agentchat_item_extra(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields__table_agrees_with_the_interface),
        cmocka_unit_test(test_draft__puts_fields_in_order_and_makes_null_one_thing),
        cmocka_unit_test(test_data__gives_both_forms_once),
        cmocka_unit_test(test_data__distinguishes_empty_from_none),
        cmocka_unit_test(test_data__survives_running_out_of_memory),
        cmocka_unit_test(test_data__is_converted_once_for_all_threads),
        cmocka_unit_test(test_data__equality_compares_long_data_across_forms),
        cmocka_unit_test(test_message__equality_sees_every_part),
        cmocka_unit_test(test_message__copy_is_equal_and_independent),
        cmocka_unit_test(test_message__copy_survives_running_out_of_memory),
        cmocka_unit_test(test_message__built_one_has_one_allocation),
        cmocka_unit_test(test_message__views_of_nothing_are_absent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
