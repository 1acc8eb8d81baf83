/* SPDX-License-Identifier: Apache-2.0 */
/* The wide scans of src/json against the scalar code: the same answer on every input, and no byte read outside. */
#include "support/test_support.h"
#include "json/escape.h"
#include "json/lex.h"

const char *portable_lex_string_slow(const char *p, const char *end, const char **bad);
const char *portable_lex_decode(const char *in, const char *end, char *out, char **out_end, const char **bad);
const char *portable_lex_decode_in_place(const char *in, const char *end, char *out, char **out_end, const char **bad);
size_t portable_spell(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap);

static uint32_t random_state = 12345;

static uint32_t next_random(uint32_t below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

/* Pieces that a string may consist of, right and wrong ones. */
static const char *const pieces[] = {
    "a", "plain ascii text", " ", "\xC3\xA9", "\xD0\xBF\xD1\x80", "\xE4\xB8\xAD\xE6\x96\x87", "\xE4\xB8\xAD",
    "\xED\x9F\xBF", "\xEE\x80\x80", "\xE0\xA0\x80", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80", "\x7F",
    "/", "'+&<>`", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\u4E2D\\u6587", "\\uD83D\\uDE00", "\\ud800", "\\uDC00",
    "\\uD83D\\u0041", "\\u0000",
    /* from here on wrong ones */
    "\"", "\\", "\\x", "\\u12g4", "\\u", "\x1F", "\n", "\x80", "\xC0\xAF", "\xC1\x81", "\xC3", "\xE0\x9F\xBF",
    "\xE4\xB8", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF",
    "\xF0\x9F\x98", "\xE4"};
enum { PIECES = sizeof(pieces) / sizeof(pieces[0]), RIGHT_PIECES = 27 };

/* A text of pieces in a block of exactly its size, so that a sanitizer sees any reading outside. */
static char *random_text(size_t *len, uint32_t wrong_in)
{
    char text[512];
    size_t at = 0, wanted = next_random(200);

    while (at < wanted) {
        bool wrong = wrong_in != 0 && next_random(wrong_in) == 0;
        const char *piece =
            pieces[wrong ? RIGHT_PIECES + next_random(PIECES - RIGHT_PIECES) : next_random(RIGHT_PIECES)];

        for (uint32_t times = 1 + (next_random(4) == 0 ? next_random(12) : 0); times > 0 && at < wanted; times--) {
            memcpy(text + at, piece, strlen(piece));
            at += strlen(piece);
        }
    }
    *len = at;
    char *block = malloc(at > 0 ? at : 1);
    assert_non_null(block);
    memcpy(block, text, at);
    return block;
}

static void test_scan__every_two_bytes_at_every_position(void **state)
{
    char text[48];

    (void)state;
    for (unsigned at_byte = 0; at_byte < 34; at_byte += 3) {
        for (unsigned pair = 0; pair < 65536; pair++) {
            memset(text, 'x', sizeof(text));
            text[at_byte] = (char)(pair >> 8);
            text[at_byte + 1] = (char)pair;
            assert_ptr_equal(aci_scan_text(text, text + sizeof(text)),
                             aci_scan_text_portable(text, text + sizeof(text)));
        }
    }
}

static void test_scan__every_character_between_others(void **state)
{
    static const char *const around[] = {"abcdefghijklmnop", "\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97\xE7\xAC\xA6",
                                         "\xD0\xBF\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5",
                                         "\xF0\x9F\x98\x80\xF0\x9F\x98\x81"};
    char text[80];

    (void)state;
    for (uint32_t point = 0; point < 0x110000; point += point < 0x3000 ? 1 : 89) {
        const char *before = around[point % 4], *after = around[point / 4 % 4];
        size_t at = strlen(before), shift = point % 16, len;

        memset(text, 'y', shift);
        memcpy(text + shift, before, at);
        at += shift;
        at += aci_utf8_encode(point, text + at);
        memcpy(text + at, after, strlen(after));
        len = at + strlen(after);
        assert_ptr_equal(aci_scan_text(text, text + len), aci_scan_text_portable(text, text + len));
    }
}

static void test_scan__spaces(void **state)
{
    char text[64];

    (void)state;
    for (size_t len = 0; len <= sizeof(text); len++) {
        for (size_t stop = 0; stop <= len; stop++) {
            memset(text, ' ', sizeof(text));
            if (stop < len)
                text[stop] = '\t';
            assert_ptr_equal(aci_scan_spaces(text, text + len), text + stop);
            assert_ptr_equal(aci_scan_spaces_portable(text, text + len), text + stop);
        }
    }
}

static void test_scan__random_texts(void **state)
{
    (void)state;
    for (int round = 0; round < 60000; round++) {
        size_t len;
        char *text = random_text(&len, round % 3 == 0 ? 0 : 20);

        for (size_t from = 0; from <= len; from += 1 + len / 5)
            assert_ptr_equal(aci_scan_text(text + from, text + len), aci_scan_text_portable(text + from, text + len));
        free(text);
    }
}

/* All ways to decode one text: apart and in place, wide and scalar, and the check without decoding. */
static void test_decode__same_result_in_all_ways(void **state)
{
    (void)state;
    for (int round = 0; round < 60000; round++) {
        size_t len;
        char *text = random_text(&len, round % 2 == 0 ? 0 : 30), *quoted = malloc(len + 1), *copy = malloc(len + 1);
        char *out = malloc(len + 1 + ACI_LEX_SLACK), *scalar = malloc(len + 1 + ACI_LEX_SLACK);
        char *out_end = out, *scalar_end = scalar, *copy_end = copy;
        const char *bad = NULL, *scalar_bad = NULL, *copy_bad = NULL, *check_bad = NULL;
        const char *close, *scalar_close, *copy_close, *check;

        memcpy(quoted, text, len);
        quoted[len] = '"';
        memcpy(copy, quoted, len + 1);
        close = aci_lex_decode(quoted, quoted + len + 1, out, &out_end, &bad);
        scalar_close = portable_lex_decode(quoted, quoted + len + 1, scalar, &scalar_end, &scalar_bad);
        copy_close = aci_lex_decode_in_place(copy, copy + len + 1, copy, &copy_end, &copy_bad);
        check = aci_lex_string(quoted, quoted + len + 1, &check_bad);
        assert_ptr_equal(close, scalar_close);
        assert_ptr_equal(close, check);
        assert_ptr_equal(portable_lex_string_slow(quoted, quoted + len + 1, &scalar_bad), check);
        if (close == NULL) {
            assert_null(copy_close);
            assert_ptr_equal(bad, scalar_bad);
            assert_ptr_equal(bad, check_bad);
            assert_int_equal(copy_bad - copy, bad - quoted);
        } else {
            assert_int_equal(copy_close - copy, close - quoted);
            assert_int_equal(out_end - out, scalar_end - scalar);
            assert_int_equal(out_end - out, copy_end - copy);
            assert_memory_equal(out, scalar, (size_t)(out_end - out));
            assert_memory_equal(out, copy, (size_t)(out_end - out));
            assert_memory_equal(copy_close, close, (size_t)(quoted + len + 1 - close)); /* intact after it */
        }
        free(text);
        free(quoted);
        free(copy);
        free(out);
        free(scalar);
    }
}

static void test_decode__long_strings_in_place(void **state)
{
    (void)state;
    for (size_t before = 1; before < 9000; before += 61) {
        size_t len = before + 4 + 5000 + 1;
        char *text = malloc(len), *end;
        const char *bad;

        for (size_t i = 0; i < len; i++)
            text[i] = (char)('a' + i % 26);
        memcpy(text + before, "\\n\\t", 4);
        text[len - 1] = '"';
        assert_ptr_equal(aci_lex_decode_in_place(text + before, text + len, text + before, &end, &bad), text + len - 1);
        assert_int_equal(end - text, len - 3);
        assert_memory_equal(text + before, "\n\t", 2);
        for (size_t i = before + 2; i < len - 3; i++)
            assert_int_equal(text[i], 'a' + (char)((i + 2) % 26));
        free(text);
    }
}

static void test_plain_prefix__same_as_portable(void **state)
{
    char text[40];

    (void)state;
    for (int profile = ACI_JSON_UTF8; profile <= ACI_JSON_DOTNET; profile++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            for (size_t at_byte = 0; at_byte < sizeof(text); at_byte++) {
                memset(text, 'x', sizeof(text));
                text[at_byte] = (char)byte;
                assert_int_equal(aci_json_plain_prefix(text, sizeof(text), (aci_json_profile)profile),
                                 aci_json_plain_prefix_portable(text, sizeof(text), (aci_json_profile)profile));
            }
        }
        for (int round = 0; round < 20000; round++) {
            size_t len;
            char *some = random_text(&len, 15);

            assert_int_equal(aci_json_plain_prefix(some, len, (aci_json_profile)profile),
                             aci_json_plain_prefix_portable(some, len, (aci_json_profile)profile));
            free(some);
        }
    }
}

/* Spells the complete text in steps of `cap` bytes. Returns the length, or SIZE_MAX when it is refused. */
static size_t spell_all(size_t (*spell)(const char **, const char *, aci_json_profile, char *, size_t),
                        const char *text, size_t len, aci_json_profile profile, size_t cap, char *out)
{
    const char *p = text, *end = text + len;
    size_t done = 0;

    while (p < end) {
        char *piece = malloc(cap);
        size_t n = spell(&p, end, profile, piece, cap);

        assert_true(n <= cap);
        memcpy(out + done, piece, n);
        free(piece);
        if (n == 0)
            return SIZE_MAX;
        done += n;
    }
    return done;
}

static void test_spell__same_as_portable_and_decodes_back(void **state)
{
    (void)state;
    for (int round = 0; round < 30000; round++) {
        size_t len, wide, portable;
        char *text = random_text(&len, round % 2 == 0 ? 0 : 25), *out = malloc(6 * len + 1),
             *scalar = malloc(6 * len + 1);
        aci_json_profile profile = (aci_json_profile)(round % 3);

        wide = spell_all(aci_json_spell, text, len, profile, ACI_JSON_SPELL_ROOM + next_random(100), out);
        portable = spell_all(portable_spell, text, len, profile, ACI_JSON_SPELL_ROOM + next_random(100), scalar);
        assert_int_equal(wide, portable);
        if (wide != SIZE_MAX) {
            assert_memory_equal(out, scalar, wide);
            out[wide] = '"';
            if (aci_utf8_is_valid((agentchat_str){text, len}, true)) {
                char *back = malloc(wide + ACI_LEX_SLACK + 1), *back_end;
                const char *bad;

                assert_ptr_equal(aci_lex_decode(out, out + wide + 1, back, &back_end, &bad), out + wide);
                assert_int_equal(back_end - back, len);
                assert_memory_equal(back, text, len);
                free(back);
            }
        }
        free(text);
        free(out);
        free(scalar);
    }
}

/* Whatever the room, nothing after it is written, and what is written is the beginning of the complete text. */
static void test_decode__a_part_stays_in_its_room(void **state)
{
    char in[160], out[256], expected[256];

    (void)state;
    for (size_t plain = 0; plain < 64; plain++) {
        for (size_t escape = 18; escape < RIGHT_PIECES; escape++) {
            size_t len = 0;
            char *end;
            const char *bad;

            memset(in, 'x', plain);
            for (len = plain; len < plain + 60;) {
                memcpy(in + len, pieces[escape], strlen(pieces[escape]));
                len += strlen(pieces[escape]);
            }
            in[len] = '"';
            assert_non_null(aci_lex_decode(in, in + len + 1, expected, &end, &bad));
            for (size_t room = 0; room < plain + 60; room++) {
                memset(out, '!', sizeof(out));
                (void)aci_lex_decode_part(in, in + len + 1, out, room, &end);
                assert_in_range(end - out, 0, room);
                assert_memory_equal(out, expected, (size_t)(end - out));
                for (size_t i = room; i < sizeof(out); i++)
                    assert_int_equal(out[i], '!');
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan__every_two_bytes_at_every_position),
        cmocka_unit_test(test_scan__every_character_between_others),
        cmocka_unit_test(test_scan__spaces),
        cmocka_unit_test(test_scan__random_texts),
        cmocka_unit_test(test_decode__same_result_in_all_ways),
        cmocka_unit_test(test_decode__long_strings_in_place),
        cmocka_unit_test(test_decode__a_part_stays_in_its_room),
        cmocka_unit_test(test_plain_prefix__same_as_portable),
        cmocka_unit_test(test_spell__same_as_portable_and_decodes_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
