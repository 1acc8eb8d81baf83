/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random documents, intact and damaged, read by the library and by jansson: both accept or both refuse, but for the
 * differences that docs/conformance.md lists, each of which must be seen; and then both hold the same value, string by
 * string, number by number. What agentchat_json_load() lets pass comes out of agentchat_json_dump() with the same
 * meaning. AGENTCHAT_TEST_DOCUMENTS sets how many, AGENTCHAT_TEST_SEED where to start.
 */
#include "support/test_support.h"

#include "random_json.h"
#include "json/value.h"
#include <agentchat/json.h>
#include <stdio.h>

/* How the two verdicts relate. All but the first two are differences that are meant. */
typedef enum relation {
    BOTH_ACCEPT,
    BOTH_REFUSE,
    BIG_NUMBER,     /* beyond jansson's range: we keep the text */
    LONE_SURROGATE, /* we keep the escape */
    NUL_IN_NAME,    /* we keep it, some versions of jansson do not */
    NUL_SKIPPED,    /* jansson skips a bare NUL after a number or word */
    TOO_DEEP,       /* beyond our limit, within jansson's */
    RELATIONS
} relation;

enum { JANSSON_LEVELS = 2048 };

static const char *const relation_names[RELATIONS] = {"accepted by both",
                                                      "refused by both",
                                                      "numbers that jansson refuses",
                                                      "half surrogate pairs that jansson refuses",
                                                      "U+0000 in names that jansson refuses",
                                                      "bare NUL that jansson skips",
                                                      "deeper than our limit"};

static void show_failure(const char *what, agentchat_str text)
{
    fprintf(stderr, "%s: ", what);
    for (size_t i = 0; i < text.len; i++)
        fprintf(stderr, (unsigned char)text.ptr[i] - 0x20u < 0x5F ? "%c" : "\\x%02x", (unsigned char)text.ptr[i]);
    fail_msg("\n");
}

/* ---- the same value ------------------------------------------------------------------------------------------- */

/* Whether a value that the reader stands before is the one that jansson made. Strings are decoded by our reader. */
static bool same_value(aci_json_reader *r, const json_t *theirs);

static bool same_number(agentchat_str text, const json_t *theirs)
{
    char *copy = malloc(text.len + 1), *end;
    bool same;

    assert_non_null(copy);
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    if (strpbrk(copy, ".eE") == NULL)
        same = json_is_integer(theirs) && json_integer_value(theirs) == strtoll(copy, &end, 10);
    else
        same = json_is_real(theirs) && json_real_value(theirs) == strtod(copy, &end);
    same = same && *end == '\0';
    free(copy);
    return same;
}

/* jansson keeps the last of several members with one name; so a member counts when none of its name follows. The
   generator makes at most 60 members, and damage a few more. */
static bool same_object(aci_json_reader *r, const json_t *theirs)
{
    struct {
        agentchat_str name, raw;
    } members[128];
    size_t count = 0, distinct = 0;

    if (!json_is_object(theirs) || !aci_json_object(r))
        return false;
    while (aci_json_member(r, &members[count].name)) {
        assert_true(count + 1 < sizeof(members) / sizeof(members[0]));
        if (!aci_json_raw(r, &members[count].raw))
            return false;
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        aci_json_options options = {.arena = r->options.arena, .max_depth = 128};
        const json_t *value = json_object_getn(theirs, members[i].name.ptr, members[i].name.len);
        aci_json_reader inner;
        bool last = true, same;

        for (size_t k = i + 1; k < count; k++)
            last = last && !agentchat_str_equal(members[i].name, members[k].name);
        if (!last)
            continue;
        distinct++;
        aci_json_begin(&inner, &options, (char *)(uintptr_t)members[i].raw.ptr, members[i].raw.len, NULL);
        same = value != NULL && same_value(&inner, value) && aci_json_end(&inner);
        if (aci_json_close(&inner) < 0 || !same)
            return false;
    }
    return distinct == json_object_size(theirs);
}

static bool same_array(aci_json_reader *r, const json_t *theirs)
{
    size_t count = 0;

    if (!json_is_array(theirs) || !aci_json_array(r))
        return false;
    while (aci_json_element(r))
        if (!same_value(r, json_array_get(theirs, count++)))
            return false;
    return count == json_array_size(theirs);
}

static bool same_value(aci_json_reader *r, const json_t *theirs)
{
    agentchat_str text;
    bool value;

    switch (aci_json_peek(r)) {
    case ACI_JSON_OBJECT:
        return same_object(r, theirs);
    case ACI_JSON_ARRAY:
        return same_array(r, theirs);
    case ACI_JSON_STRING:
        return aci_json_string(r, &text) && json_is_string(theirs) && text.len == json_string_length(theirs) &&
               memcmp(text.ptr, json_string_value(theirs), text.len) == 0;
    case ACI_JSON_NUMBER:
        return aci_json_raw(r, &text) && same_number(text, theirs);
    case ACI_JSON_TRUE:
    case ACI_JSON_FALSE:
        return aci_json_bool(r, &value) && json_is_boolean(theirs) && value == json_is_true(theirs);
    case ACI_JSON_NULL:
        return aci_json_null(r) && json_is_null(theirs);
    case ACI_JSON_ERROR:
        break;
    }
    return false;
}

static void compare_values(agentchat_str span, const json_t *theirs)
{
    aci_arena *arena = aci_arena_new(NULL, 0);
    aci_json_options options = {.arena = arena};
    aci_json_reader r;
    bool same;

    assert_non_null(arena);
    aci_json_begin(&r, &options, (char *)(uintptr_t)span.ptr, span.len, NULL);
    same = same_value(&r, theirs) && aci_json_end(&r);
    if (aci_json_close(&r) < 0 || !same)
        show_failure("jansson holds another value", span);
    aci_arena_unref(arena);
}

/* ---- verdicts ------------------------------------------------------------------------------------------------- */

static bool ends_a_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/* Whether the text is refused for nothing but NULs that stand directly after numbers and words, one after each; then
   jansson's value is compared with that of the text without them. */
static bool skipped_nuls(agentchat_str text, const json_t *theirs)
{
    char *copy = malloc(text.len);
    agentchat_str rest = {copy, text.len}, span;
    agentchat_status status;
    bool nul = true;

    assert_non_null(copy);
    memcpy(copy, text.ptr, text.len);
    do {
        agentchat_error err;
        size_t at;

        agentchat_error_clear(&err);
        status = aci_json_check(NULL, rest, 0, &span, NULL, &err);
        at = (size_t)err.offset;
        nul = status < 0 && at > 0 && at < rest.len && copy[at] == '\0' && ends_a_word(copy[at - 1]) &&
              (at + 1 == rest.len || copy[at + 1] != '\0');
        if (nul)
            memmove(copy + at, copy + at + 1, --rest.len - at);
    } while (nul);
    if (status >= 0)
        compare_values(span, theirs);
    free(copy);
    return status >= 0;
}

static relation relate(agentchat_str text, agentchat_str span, agentchat_status status, const agentchat_error *err,
                       const json_t *theirs, const json_error_t *their_error)
{
    if (status >= 0 && theirs != NULL)
        return BOTH_ACCEPT;
    if (status < 0 && theirs == NULL)
        return BOTH_REFUSE;
    if (status >= 0) {
        if (json_error_code(their_error) == json_error_numeric_overflow)
            return BIG_NUMBER;
        if (json_error_code(their_error) == json_error_null_byte_in_key)
            return NUL_IN_NAME;
        if (json_error_code(their_error) == json_error_invalid_syntax && aci_json_has_lone_surrogates(span))
            return LONE_SURROGATE;
    } else if (status == AGENTCHAT_E_LIMIT) {
        return TOO_DEEP;
    } else if (skipped_nuls(text, theirs)) {
        return NUL_SKIPPED;
    }
    fprintf(stderr, "we: %s; jansson: %s\n", status < 0 ? err->message : "accepted",
            theirs == NULL ? their_error->text : "accepted");
    show_failure("another verdict", text);
    return RELATIONS;
}

/* What passes to jansson and back is the same value: its canonical text is that of the original. */
static void compare_bridge(agentchat_str text, aci_buf *ours, aci_buf *theirs)
{
    agentchat_bytes dumped = AGENTCHAT_BYTES_INIT;
    agentchat_str span;
    agentchat_status status;
    agentchat_error err;
    json_t *loaded;

    if (agentchat_json_load(text, &loaded, &err) < 0) {
        assert_true(err.code == AGENTCHAT_E_SYNTAX || err.code == AGENTCHAT_E_UNSUPPORTED);
        assert_true(err.offset <= text.len || (err.code == AGENTCHAT_E_UNSUPPORTED && err.path[0] == '\0'));
        return;
    }
    test_ok(aci_json_check(NULL, text, JANSSON_LEVELS, &span, NULL, &err), &err);
    status = agentchat_json_dump(NULL, loaded, &dumped, &err);
    json_decref(loaded);
    if (status == AGENTCHAT_E_LIMIT && aci_json_depth_of(span) > 128)
        return; /* beyond the default environment's limit */
    test_ok(status, &err);
    ours->len = theirs->len = 0;
    test_ok(aci_json_canonical(span, ours, NULL, &err), &err);
    test_ok(aci_json_canonical((agentchat_str){dumped.ptr, dumped.len}, theirs, NULL, &err), &err);
    if (ours->len != theirs->len || memcmp(ours->ptr, theirs->ptr, ours->len) != 0)
        show_failure("another value after the way through jansson", text);
    agentchat_bytes_clear(&dumped);
}

static relation compare(agentchat_str text, aci_buf *ours, aci_buf *theirs)
{
    agentchat_str span;
    agentchat_error err;
    json_error_t their_error;
    agentchat_status status;
    json_t *value;
    relation seen;

    agentchat_error_clear(&err);
    status = aci_json_check(NULL, text, 0, &span, NULL, &err);
    if (status < 0 && (err.offset > text.len || err.line == 0 || err.column == 0 || err.message[0] == '\0'))
        show_failure("refused without a location", text);
    memset(&their_error, 0, sizeof(their_error));
    value = json_loadb(text.ptr, text.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &their_error);
    seen = relate(text, span, status, &err, value, &their_error);
    if (seen == BOTH_ACCEPT)
        compare_values(span, value);
    json_decref(value);
    compare_bridge(text, ours, theirs);
    return seen;
}

static void test_differential__jansson(void **state)
{
    uint64_t documents = test_number("AGENTCHAT_TEST_DOCUMENTS", 40000), seed = test_number("AGENTCHAT_TEST_SEED", 1);
    uint64_t seen[RELATIONS] = {0};
    random_json random;
    aci_buf ours, theirs;

    (void)state;
    random_json_init(&random);
    aci_buf_init(&ours, NULL, SIZE_MAX);
    aci_buf_init(&theirs, NULL, SIZE_MAX);
    for (uint64_t n = 0; n < documents; n++) {
        char *block;

        random_json_seed(&random, seed + n);
        random_json_document(&random);
        for (uint32_t i = random_json_below(&random, 3); i > 0 && random.text.len > 0; i--)
            random_json_damage(&random);
        /* In a block of its own size, so that a sanitizer sees any reading outside. */
        block = malloc(random.text.len > 0 ? random.text.len : 1);
        assert_non_null(block);
        memcpy(block, aci_buf_str(&random.text).ptr, random.text.len);
        seen[compare((agentchat_str){block, random.text.len}, &ours, &theirs)]++;
        free(block);
    }
    for (int i = 0; i < RELATIONS; i++) {
        print_message("%10llu %s\n", (unsigned long long)seen[i], relation_names[i]);
        /* A generator that no longer reaches something makes this test blind. */
        if (documents >= 40000 && i != NUL_IN_NAME)
            assert_true(seen[i] > 0);
    }
    random_json_clear(&random);
    aci_buf_clear(&ours);
    aci_buf_clear(&theirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_differential__jansson)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
