/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/json.h and agentchat/json_text.h: jansson's own allocations are failure points as well.
   agentchat_json_load() takes no environment, so what it needs besides is malloc's. */
#include "sweep.h"

#include <agentchat/json.h>
#include <agentchat/json_text.h>

#define RICH                                                                                                           \
    "{\"a\":[1,2.5,-0.1e-7,{\"b\":\"text\"}],\"longer\":\"0123456789012345678901234567890123456789\",\"e\":"           \
    "\"\\u00e9\","                                                                                                     \
    "\"n\":null,\"t\":[true,false]}"

/* Nested so deep that the reader's own room for levels is not enough. */
static agentchat_str deep(char *text, size_t levels)
{
    memset(text, '[', levels);
    memset(text + levels, ']', levels);
    return (agentchat_str){text, 2 * levels};
}

static void assert_equals(const json_t *value, agentchat_str text)
{
    json_t *expected = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);

    assert_non_null(expected);
    assert_true(json_equal((json_t *)(uintptr_t)value, expected));
    json_decref(expected);
}

/* 0: a scalar; 1: many values; 2: many levels; 3: many members of one object, whose table grows; 4: a long string. */
static agentchat_str load_text(unsigned variant, char *room, size_t size)
{
    size_t len = 1;

    switch (variant) {
    case 0:
        return AGENTCHAT_STR("2.5");
    case 1:
        return AGENTCHAT_STR(RICH);
    case 2:
        return deep(room, size / 2);
    case 3:
        room[0] = '{';
        for (int i = 0; i < 40; i++)
            len += (size_t)snprintf(room + len, size - len, "%s\"k%d\":%d", i > 0 ? "," : "", i, i);
        room[len] = '}';
        return (agentchat_str){room, len + 1};
    default:
        memset(room, 'x', size);
        room[0] = room[size - 1] = '"';
        return (agentchat_str){room, size};
    }
}

static agentchat_status json_load(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    char room[600];
    agentchat_str text = load_text(variant, room, sizeof room);
    json_t *value = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)env;
    sweep_begin();
    status = agentchat_json_load(text, &value, err);
    sweep_end();
    if (status < 0) {
        assert_null(value);
        test_ok(agentchat_json_load(text, &value, &again), &again);
    }
    assert_equals(value, text);
    json_decref(value);
    return status;
}

/* A value that jansson cannot hold: it is refused for that reason or for want of memory, never for another one, and
   never taken. 0: a duplicate key, spelled in two ways; 1: a number; 2: a NUL in a key. */
static agentchat_status json_refuse(unsigned variant, agentchat_error *err)
{
    static const char *const texts[] = {
        "{\"a\":{\"bcdefghijklmnopqrstuvwxyz\":1,\"b\\u0063defghijklmnopqrstuvwxyz\":2}}",
        "[0.1000000000000000055511151231257827]", "{\"x\":{\"a\\u0000\":1}}"};
    json_t *value = NULL;
    agentchat_status status;

    sweep_begin();
    status = agentchat_json_load(agentchat_str_from(texts[variant]), &value, err);
    sweep_end();
    assert_null(value);
    assert_true(status == AGENTCHAT_E_UNSUPPORTED || status == AGENTCHAT_E_NOMEM);
    assert_int_equal(err->code, status);
    if (status == AGENTCHAT_E_NOMEM)
        return status;
    agentchat_error_clear(err);
    return AGENTCHAT_OK;
}

/* 0 to 4 as json_load(), 5 to 7 as json_refuse(). */
static agentchat_status json_load_or_refuse(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    return variant < 5 ? json_load(env, variant, err) : json_refuse(variant - 5, err);
}

/* Made with jansson alone. */
static json_t *made(unsigned variant)
{
    char room[200];
    agentchat_str text = variant == 1 ? deep(room, sizeof room / 2) : AGENTCHAT_STR(RICH);
    json_t *value = json_loadb(text.ptr, text.len, JSON_DECODE_ANY, NULL);

    assert_non_null(value);
    return value;
}

/* 0: many values, appended to text that is there; 1: many levels; 2: a value that is no UTF-8. */
static agentchat_status json_dump(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    json_t *value = variant == 2 ? json_pack("{s:[o]}", "k", json_stringn_nocheck("\xC3(", 2)) : made(variant);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error again;
    agentchat_status status;

    if (variant == 0)
        test_ok(agentchat_json_dump(env, json_true(), &bytes, &again), &again);
    if (variant == 2)
        sweep_may_swallow(); /* the Pointer in the error record is left out when there is no memory for it */
    sweep_begin();
    status = agentchat_json_dump(env, value, &bytes, err);
    sweep_end();
    if (status < 0)
        assert_true(variant == 0 ? strcmp(bytes.ptr, "true") == 0 : bytes.ptr == NULL);
    if (variant == 2) {
        assert_true(status == AGENTCHAT_E_INVALID || status == AGENTCHAT_E_NOMEM);
        if (status == AGENTCHAT_E_INVALID) {
            agentchat_error_clear(err);
            status = AGENTCHAT_OK;
        }
    } else {
        if (status < 0)
            test_ok(agentchat_json_dump(env, value, &bytes, &again), &again);
        assert_equals(value, (agentchat_str){bytes.ptr + (variant == 0 ? 4 : 0), bytes.len - (variant == 0 ? 4 : 0)});
    }
    json_decref(value);
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status builder_set_json(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_message *message = NULL;
    json_t *value = made(variant);
    agentchat_status status;

    sweep_begin();
    agentchat_message_builder_set_json(builder, AGENTCHAT_FIELD_METADATA, value);
    sweep_end();
    status = agentchat_message_builder_finish(builder, &message, err);
    if (status >= 0)
        assert_equals(value, agentchat_message_get(message, AGENTCHAT_FIELD_METADATA));
    assert_true((status < 0) == (message == NULL));
    agentchat_message_unref(message);
    json_decref(value);
    return status;
}

static agentchat_status builder_set_item_json(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_message *message = NULL;
    json_t *value = made(variant);
    agentchat_status status;

    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    sweep_begin();
    agentchat_message_builder_set_item_json(builder, AGENTCHAT_FIELD_RESULT, value);
    sweep_end();
    status = agentchat_message_builder_finish(builder, &message, err);
    if (status >= 0)
        assert_equals(value, agentchat_item_get(agentchat_message_item(message, 0), AGENTCHAT_FIELD_RESULT));
    assert_true((status < 0) == (message == NULL));
    agentchat_message_unref(message);
    json_decref(value);
    return status;
}

/* A message whose metadata and whose result are the value: 0: many values; 1: many levels; 2: null. */
static agentchat_message *message_of(const agentchat_env *env, unsigned variant)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_message *message = NULL;
    json_t *value = variant == 2 ? json_null() : made(variant);
    agentchat_error err;

    agentchat_message_builder_set_json(builder, AGENTCHAT_FIELD_METADATA, value);
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    agentchat_message_builder_set_item_json(builder, AGENTCHAT_FIELD_RESULT, value);
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    json_decref(value);
    return message;
}

static agentchat_status message_get_json(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = message_of(env, variant);
    json_t *value = NULL;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_message_get_json(message, AGENTCHAT_FIELD_METADATA, &value, err);
    sweep_end();
    if (status < 0) {
        assert_null(value);
        test_ok(agentchat_message_get_json(message, AGENTCHAT_FIELD_METADATA, &value, &again), &again);
    }
    assert_equals(value, agentchat_message_get(message, AGENTCHAT_FIELD_METADATA));
    json_decref(value);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status item_get_json(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = message_of(env, variant);
    const agentchat_item *item = agentchat_message_item(message, 0);
    json_t *value = NULL;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_item_get_json(item, AGENTCHAT_FIELD_RESULT, &value, err);
    sweep_end();
    if (status < 0) {
        assert_null(value);
        test_ok(agentchat_item_get_json(item, AGENTCHAT_FIELD_RESULT, &value, &again), &again);
    }
    assert_equals(value, agentchat_item_get(item, AGENTCHAT_FIELD_RESULT));
    json_decref(value);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status json_look(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_json_walk walk, inside;
    agentchat_str rest = AGENTCHAT_STR("a"), value;
    bool ok;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_json_walk_begin(&walk, AGENTCHAT_STR(RICH));
    ok = agentchat_json_walk_step(&walk) == AGENTCHAT_JSON_OPEN;
    agentchat_json_walk_skip(&walk);
    ok = ok && agentchat_json_walk_into(&inside, walk.value) && agentchat_json_walk_next(&inside);
    ok = ok && agentchat_json_equal(inside.key, AGENTCHAT_STR("a"));
    ok = ok && agentchat_json_kind_of(inside.value) == AGENTCHAT_JSON_ARRAY;
    ok = ok && agentchat_json_string_part(&rest, NULL, NULL);
    value = agentchat_json_find(walk.value, AGENTCHAT_STR("n"));
    sweep_end();
    assert_true(ok);
    assert_str(value, "null");
    return AGENTCHAT_OK;
}

/* 0: many values; 1: many levels. */
static agentchat_status json_check(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    char room[200];
    agentchat_str text = variant == 1 ? deep(room, sizeof room / 2) : AGENTCHAT_STR(RICH), value;
    agentchat_status status;

    sweep_begin();
    status = agentchat_json_check(env, text, &value, err);
    sweep_end();
    assert_true(agentchat_str_equal(value, status < 0 ? (agentchat_str){NULL, 0} : text));
    return status;
}

static agentchat_status json_decode(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_json_decode(env, AGENTCHAT_STR("\"a\\u00e9\""), &bytes, err);
    sweep_end();
    if (status < 0)
        assert_null(bytes.ptr);
    else
        assert_string_equal(bytes.ptr, "a\xC3\xA9");
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status json_patch(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_json_patch(env, AGENTCHAT_STR("{\"a\":[1,2],\"b\":{\"c\":3}}"),
                                  AGENTCHAT_STR("[{\"op\":\"add\",\"path\":\"/a/0\",\"value\":0},"
                                                "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b/n\"},"
                                                "{\"op\":\"test\",\"path\":\"/b/n\",\"value\":[0,1,2]},"
                                                "{\"op\":\"move\",\"from\":\"/b/c\",\"path\":\"/d\"}]"),
                                  &bytes, err);
    sweep_end();
    assert_true((bytes.len > 0) == (status >= 0));
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status json_merge_patch(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_json_merge_patch(env, AGENTCHAT_STR("{\"a\":1,\"b\":{\"c\":3}}"),
                                        AGENTCHAT_STR("{\"a\":null,\"b\":{\"d\":{\"e\":4}}}"), &bytes, err);
    sweep_end();
    assert_true((bytes.len > 0) == (status >= 0));
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status json_quote(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = {NULL, 0, 0, env};
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_json_quote(env, AGENTCHAT_STR("say \"\xC3\xA9\"\n"), &bytes, err);
    sweep_end();
    if (status < 0)
        assert_null(bytes.ptr);
    else
        assert_string_equal(bytes.ptr, "\"say \\\"\xC3\xA9\\\"\\n\"");
    agentchat_bytes_clear(&bytes);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_json_load", json_load_or_refuse, SWEEP_ALLOCATES | SWEEP_DEFAULT_MEMORY, 8},
    /* May swallow: the detail of another error. */
    {"agentchat_json_dump", json_dump, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 3},
    {"agentchat_message_builder_set_json", builder_set_json, SWEEP_ALLOCATES, 2},
    {"agentchat_message_builder_set_item_json", builder_set_item_json, SWEEP_ALLOCATES, 2},
    {"agentchat_message_get_json", message_get_json, SWEEP_ALLOCATES | SWEEP_DEFAULT_MEMORY, 2},
    {"agentchat_json_check", json_check, SWEEP_NEVER, 2},
    {"agentchat_json_decode", json_decode, SWEEP_ALLOCATES, 0},
    {"agentchat_json_quote", json_quote, SWEEP_ALLOCATES, 0},
    {"agentchat_json_patch", json_patch, SWEEP_ALLOCATES, 0},
    {"agentchat_json_merge_patch", json_merge_patch, SWEEP_ALLOCATES, 0},
    {"agentchat_json_equal", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_find", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_kind_of", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_string_part", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_walk_begin", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_walk_into", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_walk_next", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_walk_skip", json_look, SWEEP_NEVER, 0},
    {"agentchat_json_walk_step", json_look, SWEEP_NEVER, 0},
    {"agentchat_item_get_json", item_get_json, SWEEP_ALLOCATES | SWEEP_DEFAULT_MEMORY, 2},
};

int main(void)
{
    return sweep_main("sweep.json", rows, sizeof rows / sizeof *rows);
}
