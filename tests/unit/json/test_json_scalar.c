/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every file that the tests have, token by token: the code that is used on this machine and the scalar code give the
 * same tokens, and the same errors at the same positions. Each file is read in full and in part, from its beginning, so
 * that tokens end where the input does; and the bytes are copied to a block of their size, so that a sanitizer sees
 * reading outside.
 */
#include "base/simd.h"
#include "support/test_support.h"
#include "json/escape.h"
#include "json/lex.h"

const char *portable_lex_string_slow(const char *p, const char *end, const char **bad);
const char *portable_lex_number_slow(const char *p, const char *end, const char **bad);
const char *portable_lex_decode(const char *in, const char *end, char *out, char **out_end, const char **bad);
size_t portable_spell(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap);

typedef struct corpus {
    size_t files, tokens, faults;
    size_t room;                    /* for the longest file */
    char *out, *scalar;             /* decoded */
    char *spelled, *scalar_spelled; /* spelled again, six bytes for one at most */
} corpus;

enum { SPELL_ROOM = 4096 };

static void compare_scans(const char *p, const char *end)
{
    size_t len = (size_t)(end - p) < 300 ? (size_t)(end - p) : 300; /* these two run on to the end of the file */

    assert_ptr_equal(aci_scan_text(p, end), aci_scan_text_portable(p, end));
    assert_ptr_equal(aci_scan_spaces(p, end), aci_scan_spaces_portable(p, end));
    assert_int_equal(aci_ascii_prefix(p, len), aci_ascii_prefix_portable(p, len));
    assert_int_equal(aci_alphabet_prefix(p, len), aci_alphabet_prefix_portable(p, len));
}

/* Spells what stands in c->out in pieces; how much a call takes may differ, what comes of all of them may not. */
static size_t spell(size_t (*some)(const char **, const char *, aci_json_profile, char *, size_t), const char *text,
                    const char *end, char *out)
{
    size_t done = 0, n = 1;

    while (text < end && n > 0) {
        n = some(&text, end, ACI_JSON_DOTNET, out + done, SPELL_ROOM);
        done += n;
    }
    return text < end ? SIZE_MAX : done;
}

static void compare_spelling(corpus *c, const char *end)
{
    size_t len = spell(aci_json_spell, c->out, end, c->spelled);

    assert_int_equal(spell(portable_spell, c->out, end, c->scalar_spelled), len);
    if (len != SIZE_MAX)
        assert_memory_equal(c->scalar_spelled, c->spelled, len);
}

/* The string whose content begins at p, checked, decoded and spelled again. Returns its closing quote, or NULL. */
static const char *compare_string(corpus *c, const char *p, const char *end)
{
    const char *bad = NULL, *scalar_bad = NULL, *decode_bad = NULL, *scalar_decode_bad = NULL;
    const char *close = aci_lex_string(p, end, &bad);
    char *out_end = c->out, *scalar_end = c->scalar;

    assert_ptr_equal(portable_lex_string_slow(p, end, &scalar_bad), close);
    assert_ptr_equal(aci_lex_decode(p, end, c->out, &out_end, &decode_bad), close);
    assert_ptr_equal(portable_lex_decode(p, end, c->scalar, &scalar_end, &scalar_decode_bad), close);
    if (close == NULL) {
        assert_ptr_equal(scalar_bad, bad);
        assert_ptr_equal(decode_bad, bad);
        assert_ptr_equal(scalar_decode_bad, bad);
        c->faults++;
        return NULL;
    }
    assert_int_equal(scalar_end - c->scalar, out_end - c->out);
    assert_memory_equal(c->scalar, c->out, (size_t)(out_end - c->out));
    compare_spelling(c, out_end);
    return close;
}

static void compare_number(corpus *c, const char *p, const char *end)
{
    const char *bad = NULL, *scalar_bad = NULL, *after = aci_lex_number(p, end, &bad);

    assert_ptr_equal(portable_lex_number_slow(p, end, &scalar_bad), after);
    if (after == NULL) {
        assert_ptr_equal(scalar_bad, bad);
        c->faults++;
    }
}

static void compare_tokens(corpus *c, const char *text, size_t len)
{
    const char *p = text, *end = text + len;

    while (p < end) {
        if (p == text || *p == '"' || *p == '\n')
            compare_scans(p, end);
        if (*p == '"') {
            const char *close = compare_string(c, p + 1, end);

            compare_scans(p + 1, end);
            p = close != NULL ? close : p;
            c->tokens++;
        } else if (*p == '-' || (*p >= '0' && *p <= '9')) {
            compare_number(c, p, end);
            while (p + 1 < end && strchr("+-.0123456789Ee", p[1]) != NULL && p[1] != '\0')
                p++;
            c->tokens++;
        }
        p++;
    }
}

/* The first `len` bytes in a block of that size. */
static void compare_beginning(corpus *c, const char *text, size_t len)
{
    char *block = malloc(len > 0 ? len : 1);

    assert_non_null(block);
    memcpy(block, text, len);
    compare_tokens(c, block, len);
    free(block);
}

static void make_room(corpus *c, size_t room)
{
    c->room = room;
    c->out = malloc(room + ACI_LEX_SLACK);
    c->scalar = malloc(room + ACI_LEX_SLACK);
    c->spelled = malloc(6 * room + SPELL_ROOM);
    c->scalar_spelled = malloc(6 * room + SPELL_ROOM);
    assert_true(c->out != NULL && c->scalar != NULL && c->spelled != NULL && c->scalar_spelled != NULL);
}

static void free_room(corpus *c)
{
    free(c->out);
    free(c->scalar);
    free(c->spelled);
    free(c->scalar_spelled);
}

static void compare_file(const char *path, void *user)
{
    corpus *c = user;
    size_t len;
    char *text = test_file_read(path, &len);

    if (len > c->room) {
        free_room(c);
        make_room(c, len);
    }
    c->files++;
    compare_beginning(c, text, len);
    for (size_t i = 1; i <= 4; i++)
        compare_beginning(c, text, len * i / 5);
    free(text);
}

static corpus compare_directory(const char *dir)
{
    corpus c = {0};

    make_room(&c, 1 << 16);
    test_each_file(dir, "", compare_file, &c);
    free_room(&c);
    print_message("%zu files, %zu tokens, %zu faults\n", c.files, c.tokens, c.faults);
    return c;
}

static void test_json_scalar__agrees_on_the_files_of_the_tests(void **state)
{
    static const char *const dirs[] = {"data", "conformance", "interop"};

    (void)state;
    for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        char *dir = test_path(test_data_dir(), dirs[i]);
        corpus c = compare_directory(dir);

        assert_true(c.files > 10 && c.tokens > 100 && c.faults > 0);
        free(dir);
    }
}

static void test_json_scalar__agrees_on_real_files(void **state)
{
    (void)state;
    if (test_real_files() == NULL)
        skip();
    assert_true(compare_directory(test_real_files()).files > 0);
}

/* Numbers right and wrong, followed by each byte that stands next to a digit or ends a number. */
static void test_json_scalar__agrees_on_numbers(void **state)
{
    static const char alphabet[] = "00112345678999..--+eE,}] :/\n";
    uint32_t random_state = 4711;
    corpus c = {0};

    (void)state;
    for (int round = 0; round < 400000; round++) {
        char text[24];
        size_t digits = 1 + (unsigned)round % 20;

        for (size_t i = 0; i < sizeof text; i++) {
            random_state = random_state * 1664525u + 1013904223u;
            /* Mostly digits up to some position, anything after it. */
            text[i] = alphabet[(random_state >> 8) % (i < digits ? 14 : sizeof alphabet - 1)];
        }
        compare_number(&c, text, text + sizeof text);
        compare_number(&c, text, text + digits);
    }
    assert_true(c.faults > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_scalar__agrees_on_the_files_of_the_tests),
        cmocka_unit_test(test_json_scalar__agrees_on_real_files),
        cmocka_unit_test(test_json_scalar__agrees_on_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
