/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case files: accept/NAME.json must be read, refuse/NAME_at_OFFSET.json must be refused at that byte. Every file is
 * read as one raw value, into an index, and member by member, strings decoded in place and apart; all ways must agree.
 * A refusal names byte, line and column. With AGENTCHAT_REAL_FILES set, the public JSON parsing test suite is read as
 * well (docs/conformance.md has its table), and for each of its refused files there must be a case file here that is
 * refused for the same reason.
 */
#include "support/test_support.h"
#include "json/index.h"
#include "json/reader.h"
#include "json/value.h"

static void pull_all(aci_json_reader *r)
{
    uint32_t base = r->depth;
    agentchat_str text;

    do {
        aci_json_kind kind = aci_json_peek(r);

        if (kind == ACI_JSON_OBJECT)
            (void)aci_json_object(r);
        else if (kind == ACI_JSON_ARRAY)
            (void)aci_json_array(r);
        else if (kind == ACI_JSON_STRING)
            (void)aci_json_string(r, &text);
        else if (kind == ACI_JSON_NULL)
            (void)aci_json_null(r);
        else
            (void)aci_json_raw(r, &text);
        while (r->depth > base && !aci_json_failed(r) &&
               !(r->frames[r->depth - 1].is_object ? aci_json_member(r, &text) : aci_json_element(r)))
            ;
    } while (r->depth > base && !aci_json_failed(r));
}

typedef enum way { RAW, APART, IN_PLACE, INDEXED } way;

static agentchat_status read_in(way how, const char *text, size_t len, agentchat_error *err)
{
    char *copy = malloc(len > 0 ? len : 1);
    aci_arena *arena = aci_arena_new(NULL, 0);
    aci_json_options options = {.arena = arena, .flags = how == IN_PLACE ? ACI_JSON_IN_PLACE : 0};
    aci_json_index index;
    aci_json_reader r;
    agentchat_str span;
    agentchat_status status;

    aci_json_index_init(&index, NULL);
    assert_true(copy != NULL && arena != NULL);
    memcpy(copy, text, len);
    agentchat_error_clear(err);
    aci_json_begin(&r, &options, copy, len, err);
    if (how == RAW)
        (void)aci_json_raw(&r, &span);
    else if (how == INDEXED)
        (void)aci_json_index_read(&index, &r);
    else
        pull_all(&r);
    (void)aci_json_end(&r);
    status = aci_json_close(&r);
    assert_int_equal(status, err->code);
    aci_json_index_clear(&index);
    aci_arena_unref(arena);
    free(copy);
    return status;
}

/* Reads in all ways, which must agree in everything. Returns the status; *err is that of the raw reading. */
static agentchat_status read_file(const char *path, agentchat_error *err)
{
    size_t len;
    char *text = test_file_read(path, &len);
    agentchat_status status = read_in(RAW, text, len, err);

    for (way how = APART; how <= INDEXED; how++) {
        agentchat_error other;

        if (read_in(how, text, len, &other) != status || other.offset != err->offset || other.line != err->line ||
            other.column != err->column || strcmp(other.path, err->path) != 0 ||
            strcmp(other.message, err->message) != 0)
            fail_msg("%s: read in way %d: \"%s\" at %s, as raw value: \"%s\" at %s", path, (int)how, other.message,
                     other.path, err->message, err->path);
    }
    free(text);
    return status;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static void must_accept(const char *path, void *user)
{
    agentchat_error err;

    (void)user;
    if (read_file(path, &err) < 0)
        fail_msg("%s: refused at byte %llu: %s", path, (unsigned long long)err.offset, err.message);
}

/* Line and column must be those of the byte that the error names. */
static void check_location(const char *path, const agentchat_error *err)
{
    uint32_t line = 1, column = 1;
    size_t len;
    char *text = test_file_read(path, &len);

    if (err->offset > len)
        fail_msg("%s: refused at byte %llu of %zu", path, (unsigned long long)err->offset, len);
    for (size_t i = 0; i < err->offset; i++) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    free(text);
    if (err->line != line || err->column != column || err->message[0] == '\0')
        fail_msg("%s: refused at %u:%u instead of %u:%u", path, err->line, err->column, line, column);
}

static void must_refuse(const char *path, void *user)
{
    agentchat_error err;

    (void)user;
    if (read_file(path, &err) >= 0)
        fail_msg("%s: accepted", path);
    check_location(path, &err);
}

static void must_refuse_at(const char *path, void *user)
{
    const char *at = strstr(name_of(path), "_at_");
    agentchat_error err;

    must_refuse(path, user);
    (void)read_file(path, &err);
    assert_non_null(at);
    if (err.offset != strtoull(at + 4, NULL, 10))
        fail_msg("%s: refused at byte %llu: %s", path, (unsigned long long)err.offset, err.message);
}

static void test_conformance__accept(void **state)
{
    char *dir = test_path(test_data_dir(), "conformance/json/accept");

    (void)state;
    assert_true(test_each_file(dir, ".json", must_accept, NULL) >= 70);
    free(dir);
}

static void test_conformance__refuse(void **state)
{
    char *dir = test_path(test_data_dir(), "conformance/json/refuse");

    (void)state;
    assert_true(test_each_file(dir, ".json", must_refuse_at, NULL) >= 250);
    free(dir);
}

/* ---- the public suite ------------------------------------------------------------------------------------------- */

/* Why files were refused: the message without what was found instead. */
typedef struct reasons {
    char texts[64][sizeof(((agentchat_error *)0)->message)];
    size_t count;
} reasons;

static bool has_reason(const reasons *known, const char *text)
{
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->texts[i], text) == 0)
            return true;
    return false;
}

static void reason_of(const char *path, char *out)
{
    agentchat_error err;
    char *found;

    (void)read_file(path, &err);
    memcpy(out, err.message, sizeof(err.message));
    found = strstr(out, ", found");
    if (found != NULL)
        *found = '\0';
}

static void add_reason(const char *path, void *user)
{
    reasons *known = user;

    assert_true(known->count < sizeof(known->texts) / sizeof(known->texts[0]));
    reason_of(path, known->texts[known->count]);
    if (!has_reason(known, known->texts[known->count]))
        known->count++;
}

/* What the suite leaves open and the library accepts: numbers are kept as text, lone surrogate escapes as they are.
   Everything else that it leaves open is refused: what is no UTF-8, a byte-order mark, more than 128 levels. */
static const char *const accepted[] = {
    "i_number_double_huge_neg_exp.json",
    "i_number_huge_exp.json",
    "i_number_neg_int_huge_exp.json",
    "i_number_pos_double_huge_exp.json",
    "i_number_real_neg_overflow.json",
    "i_number_real_pos_overflow.json",
    "i_number_real_underflow.json",
    "i_number_too_big_neg_int.json",
    "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json",
    "i_object_key_lone_2nd_surrogate.json",
    "i_string_1st_surrogate_but_2nd_missing.json",
    "i_string_1st_valid_surrogate_2nd_invalid.json",
    "i_string_incomplete_surrogate_and_escape_valid.json",
    "i_string_incomplete_surrogate_pair.json",
    "i_string_incomplete_surrogates_escape_valid.json",
    "i_string_invalid_lonely_surrogate.json",
    "i_string_invalid_surrogate.json",
    "i_string_inverted_surrogates_U+1D11E.json",
    "i_string_lone_second_surrogate.json",
};

static void check_suite_file(const char *path, void *user)
{
    const char *name = name_of(path);
    bool accept = name[0] == 'y';

    for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++)
        accept = accept || strcmp(name, accepted[i]) == 0;
    if (accept) {
        must_accept(path, user);
    } else {
        char reason[sizeof(((agentchat_error *)0)->message)];

        must_refuse(path, user);
        reason_of(path, reason);
        if (!has_reason(user, reason))
            fail_msg("%s: no case file here is refused like this: %s", path, reason);
    }
}

static void test_conformance__public_suite(void **state)
{
    reasons known = {.count = 0};
    char *dir;

    (void)state;
    if (test_real_files() == NULL) {
        print_message("AGENTCHAT_REAL_FILES is not set\n");
        skip();
    }
    dir = test_path(test_data_dir(), "conformance/json/refuse");
    (void)test_each_file(dir, ".json", add_reason, &known);
    free(dir);
    dir = test_path(test_real_files(), "json-test-suite/test_parsing");
    assert_true(test_each_file(dir, ".json", check_suite_file, &known) >= 300);
    free(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conformance__accept),
        cmocka_unit_test(test_conformance__refuse),
        cmocka_unit_test(test_conformance__public_suite),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
