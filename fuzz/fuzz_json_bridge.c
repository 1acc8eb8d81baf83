/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text to jansson and back: what passes is the same value, what does not says where; the library's own reader and
   jansson agree on what is JSON, but for what jansson cannot hold. The public walk puts a valid text together again and
   ends in any other. */
#include "fuzz.h"

#include "json/index.h"
#include "json/value.h"
#include <agentchat/json.h>
#include <agentchat/json_text.h>
#include <string.h>

enum { DEEPEST = 10000 }; /* deeper than jansson reads */

static void check_same(agentchat_str before, agentchat_str after)
{
    aci_buf left, right;

    aci_buf_init(&left, NULL, SIZE_MAX);
    aci_buf_init(&right, NULL, SIZE_MAX);
    FUZZ_CHECK(aci_json_canonical(before, &left, NULL, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(aci_json_canonical(after, &right, NULL, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(left.len == right.len && memcmp(left.ptr, right.ptr, left.len) == 0);
    aci_buf_clear(&left);
    aci_buf_clear(&right);
}

/* An environment that lets values be as deep as jansson reads them. */
static agentchat_env *deep_env(void)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;

    limits.max_depth = DEEPEST;
    options.limits = &limits;
    FUZZ_CHECK(agentchat_env_new(&options, &env, NULL) >= 0);
    return env;
}

static void dump_and_load(agentchat_str span, json_t *value)
{
    agentchat_bytes dumped = AGENTCHAT_BYTES_INIT, again = AGENTCHAT_BYTES_INIT;
    json_t *back = NULL;
    agentchat_env *env = deep_env();

    FUZZ_CHECK(agentchat_json_dump(env, value, &dumped, NULL) == AGENTCHAT_OK);
    check_same(span, (agentchat_str){dumped.ptr, dumped.len});
    FUZZ_CHECK(agentchat_json_load((agentchat_str){dumped.ptr, dumped.len}, &back, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(json_equal(value, back));
    FUZZ_CHECK(agentchat_json_dump(env, back, &again, NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(dumped.len == again.len && memcmp(dumped.ptr, again.ptr, again.len) == 0);
    json_decref(back);
    agentchat_bytes_clear(&dumped);
    agentchat_bytes_clear(&again);
    agentchat_env_free(env);
}

static void compare_with_jansson(agentchat_str text, bool accepted, agentchat_str span)
{
    json_error_t error;
    json_t *value;
    bool theirs;

    memset(&error, 0, sizeof(error));
    value = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    theirs = value != NULL;
    json_decref(value);
    if (!theirs && accepted)
        FUZZ_CHECK(json_error_code(&error) == json_error_numeric_overflow ||
                   json_error_code(&error) == json_error_null_byte_in_key || aci_json_has_lone_surrogates(span));
    /* jansson takes a bare NUL after the value for the end of the text. */
    if (theirs && !accepted)
        FUZZ_CHECK(memchr(text.ptr, '\0', text.len) != NULL);
}

/* The index takes what the reader takes, and says the same of what it does not. */
static void compare_index(agentchat_str text)
{
    agentchat_error err, expected;
    agentchat_str span;
    aci_json_index index;

    agentchat_error_clear(&err);
    agentchat_error_clear(&expected);
    aci_json_index_init(&index, NULL);
    FUZZ_CHECK(aci_json_index_text(&index, text, DEEPEST, 0, &err) ==
               aci_json_check(NULL, text, DEEPEST, &span, NULL, &expected));
    FUZZ_CHECK(err.offset == expected.offset && err.line == expected.line && err.column == expected.column);
    FUZZ_CHECK(strcmp(err.message, expected.message) == 0 && strcmp(err.path, expected.path) == 0);
    aci_json_index_clear(&index);
}

static void add(aci_buf *out, agentchat_str text)
{
    FUZZ_CHECK(aci_buf_add(out, text.ptr, text.len));
}

/* What a walk finds, as compact text. */
static void respell(agentchat_str text, aci_buf *out)
{
    agentchat_json_step step, before = AGENTCHAT_JSON_END;
    agentchat_json_walk walk;

    agentchat_json_walk_begin(&walk, text);
    for (; (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END; before = step) {
        FUZZ_CHECK(walk.value.ptr >= text.ptr && walk.value.ptr + walk.value.len <= text.ptr + text.len);
        if ((before == AGENTCHAT_JSON_SCALAR || before == AGENTCHAT_JSON_CLOSE) && step != AGENTCHAT_JSON_CLOSE)
            add(out, AGENTCHAT_STR(","));
        if (walk.key.ptr != NULL) {
            add(out, walk.key);
            add(out, AGENTCHAT_STR(":"));
        }
        add(out, walk.value);
    }
}

static void check_walk(agentchat_str text, bool accepted, agentchat_str span)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    agentchat_json_walk walk;
    aci_buf seen, expected;

    aci_buf_init(&seen, NULL, SIZE_MAX);
    aci_buf_init(&expected, NULL, SIZE_MAX);
    respell(text, &seen);
    FUZZ_CHECK(!accepted || aci_json_compact(span, &expected));
    FUZZ_CHECK(!accepted || (seen.len == expected.len && memcmp(aci_buf_str(&seen).ptr, expected.ptr, seen.len) == 0));
    (void)agentchat_json_walk_into(&walk, text);
    while (agentchat_json_walk_next(&walk)) { /* parts of the text, one after the other */
        FUZZ_CHECK(walk.value.len > 0 && walk.value.ptr >= at && walk.value.ptr + walk.value.len <= end);
        FUZZ_CHECK(walk.key.ptr == NULL || (walk.key.ptr >= at && walk.key.ptr + walk.key.len <= walk.value.ptr));
        at = walk.value.ptr + walk.value.len;
    }
    aci_buf_clear(&seen);
    aci_buf_clear(&expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    agentchat_str text = {size > 0 ? (const char *)data : "", size}, span = {NULL, 0};
    agentchat_error err;
    json_t *value = NULL;
    agentchat_status status = aci_json_check(NULL, text, DEEPEST, &span, NULL, NULL);
    bool accepted = status == AGENTCHAT_OK;

    compare_index(text);
    check_walk(text, accepted, span);
    if (status != AGENTCHAT_E_LIMIT) /* neither reads deeper */
        compare_with_jansson(text, accepted, span);
    agentchat_error_clear(&err);
    status = agentchat_json_load(text, &value, &err);
    if (status < 0) {
        FUZZ_CHECK(value == NULL && err.code == (int32_t)status && err.offset <= size);
        /* The first fault counts: after what jansson cannot hold, the rest of a text is not read. */
        FUZZ_CHECK(status == AGENTCHAT_E_UNSUPPORTED || status == AGENTCHAT_E_SYNTAX || status == AGENTCHAT_E_LIMIT);
    } else {
        FUZZ_CHECK(accepted);
        dump_and_load(span, value);
    }
    json_decref(value);
    return 0;
}
