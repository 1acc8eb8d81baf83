/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input as calls on a map beside a naive list of keys and values: setting, adding, deleting, copying, writing and
 * reading, taking scopes apart and putting them together. An allocation may fail on the way; then nothing has changed.
 */
#include "failing_memory.h"
#include "naive_text.h"

#include <agentchat/state.h>
#include <inttypes.h>
#include <string.h>

enum { KEYS = 200, MAX_DEPTH = 6 };

typedef struct entry {
    char *key, *value; /* NUL-terminated; a value has no NUL in it, since JSON has none */
} entry;

typedef struct world {
    fuzz_input in;
    fuzz_memory memory;
    agentchat_state *map;
    entry entries[KEYS];
    size_t count;
} world;

/* ---- the model ------------------------------------------------------------------------------------------------- */

static char *copied(agentchat_str text)
{
    char *copy = malloc(text.len + 1);

    FUZZ_CHECK(copy != NULL);
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

static size_t model_find(const world *w, const char *key)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->entries[i].key, key) == 0)
            return i;
    return KEYS;
}

static void model_set(world *w, const char *key, agentchat_str value)
{
    size_t at = model_find(w, key);

    if (at < KEYS) {
        free(w->entries[at].value);
        w->entries[at].value = copied(value);
    } else {
        w->entries[w->count++] = (entry){copied(agentchat_str_from(key)), copied(value)};
    }
}

static bool model_delete(world *w, const char *key)
{
    size_t at = model_find(w, key);

    if (at == KEYS)
        return false;
    free(w->entries[at].key);
    free(w->entries[at].value);
    w->count--;
    memmove(&w->entries[at], &w->entries[at + 1], (w->count - at) * sizeof *w->entries);
    return true;
}

static void model_clear(world *w)
{
    while (w->count > 0)
        (void)model_delete(w, w->entries[0].key);
}

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_key(const char *key)
{
    size_t len = strlen(key);

    if (len == 0 || len > AGENTCHAT_MAX_KEY_BYTES || !naive_is_text(agentchat_str_from(key)))
        return false;
    for (size_t i = 0; i + 1 < len; i++)
        if ((unsigned char)key[i] == 0xED && (unsigned char)key[i + 1] >= 0xA0)
            return false;
    return strcmp(key, "app:") != 0 && strcmp(key, "user:") != 0 && strcmp(key, "temp:") != 0;
}

static void check_same(const world *w)
{
    agentchat_str value;
    const char *key;
    size_t at = 0;

    FUZZ_CHECK(agentchat_state_count(w->map) == w->count);
    for (size_t i = 0; i < w->count; i++) {
        FUZZ_CHECK(agentchat_state_next(w->map, &at, &key, &value));
        FUZZ_CHECK(strcmp(key, w->entries[i].key) == 0);
        FUZZ_CHECK(agentchat_str_equal(value, agentchat_str_from(w->entries[i].value)));
        FUZZ_CHECK(agentchat_state_get(w->map, key).ptr == value.ptr);
    }
    FUZZ_CHECK(!agentchat_state_next(w->map, &at, &key, &value));
}

/* ---- choices ---------------------------------------------------------------------------------------------------- */

/* Keys of which many are there, keys of all scopes, and any text up to a NUL. To be freed. */
static char *any_key(world *w)
{
    static const char *const keys[] = {"a",         "app:a",  "user:a",   "temp:a",       "app:user:a",
                                       "user:app:", "User:a", "app:",     "user:",        "temp:",
                                       "",          "a.b",    "\xC3\xBC", "\xED\xA0\x80", "app:\xFF"};
    uint8_t choice = fuzz_byte(&w->in);
    char number[32];
    char *key;

    if (choice < 150) {
        (void)snprintf(number, sizeof number, "key-%d", choice);
        return copied(agentchat_str_from(number));
    }
    if (choice < 250)
        return copied(agentchat_str_from(keys[choice % (sizeof keys / sizeof *keys)]));
    if (choice < 253)
        return copied(fuzz_text(&w->in));
    key = malloc(600); /* about as long as can be */
    FUZZ_CHECK(key != NULL);
    memset(key, 'k', 600);
    memcpy(key, "app:", 4);
    key[500 + fuzz_below(&w->in, 20)] = '\0';
    return key;
}

static agentchat_str any_value(world *w)
{
    static const char *const values[] = {"1",
                                         "null",
                                         "\"x\"",
                                         "[1, 2]",
                                         "{\"a\": 1, \"a\":2}",
                                         "-0",
                                         "1.50",
                                         "1e2",
                                         " 7 ",
                                         "",
                                         "nul",
                                         "[[[[[1]]]]]",
                                         "[[[[[[",
                                         "\"\\ud800\"",
                                         "01",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808"};
    uint8_t choice = fuzz_byte(&w->in);

    return choice < 200 ? agentchat_str_from(values[choice % (sizeof values / sizeof *values)]) : fuzz_text(&w->in);
}

/* Whether a call that failed did so for want of memory, which leaves all as it was. */
static bool lacked_memory(const world *w, agentchat_status status, size_t failures_before)
{
    FUZZ_CHECK(status != AGENTCHAT_E_NOMEM || w->memory.failures > failures_before);
    return status == AGENTCHAT_E_NOMEM;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static void set(world *w)
{
    char *key = any_key(w);
    agentchat_str value = any_value(w), lent = value, span;
    char *block = naive_lend(&lent);
    naive_json json = naive_json_check(value, MAX_DEPTH - 1, &span);
    size_t failures = w->memory.failures;
    agentchat_error err;
    agentchat_status status;

    if (w->count < KEYS || model_find(w, key) < KEYS) {
        status = agentchat_state_set(w->map, key, lent, &err);
        FUZZ_CHECK(err.code == (int32_t)status);
        if (!lacked_memory(w, status, failures)) {
            if (!is_key(key) || json == NAIVE_JSON_BAD)
                FUZZ_CHECK(status == AGENTCHAT_E_INVALID);
            else if (json == NAIVE_JSON_GOOD)
                FUZZ_CHECK(status == AGENTCHAT_OK);
            else
                FUZZ_CHECK(status == AGENTCHAT_E_LIMIT ||
                           (json == NAIVE_JSON_BAD_AND_DEEP && status == AGENTCHAT_E_INVALID));
            if (status == AGENTCHAT_OK)
                model_set(w, key, span);
        }
    }
    free(block);
    free(key);
}

/* The sum as text, or the status that adding must give. */
static agentchat_status model_sum(const char *value, int64_t amount, char out[32])
{
    const char *digits = value[0] == '-' ? value + 1 : value;
    int64_t sum = 0;

    if (digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return AGENTCHAT_E_INVALID;
    for (; *digits != '\0'; digits++) {
        int64_t digit = value[0] == '-' ? '0' - *digits : *digits - '0';

        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, digit, &sum))
            return AGENTCHAT_E_LIMIT;
    }
    if (__builtin_add_overflow(sum, amount, &sum))
        return AGENTCHAT_E_LIMIT;
    (void)snprintf(out, 32, "%" PRId64, sum);
    return AGENTCHAT_OK;
}

static void add(world *w)
{
    static const int64_t amounts[] = {0, 1, -1, 1000, INT64_MAX, INT64_MIN};
    char *key = any_key(w), text[32] = "";
    int64_t amount = amounts[fuzz_below(&w->in, 6)], result = 0;
    size_t at = model_find(w, key), failures = w->memory.failures;
    agentchat_status expected = model_sum(at < KEYS ? w->entries[at].value : "0", amount, text), status;

    if (w->count < KEYS || at < KEYS) {
        status = agentchat_state_add(w->map, key, amount, &result, NULL);
        if (!lacked_memory(w, status, failures)) {
            FUZZ_CHECK(status == (is_key(key) ? expected : AGENTCHAT_E_INVALID));
            if (status == AGENTCHAT_OK) {
                FUZZ_CHECK(result == strtoll(text, NULL, 10));
                model_set(w, key, agentchat_str_from(text));
            }
        }
    }
    free(key);
}

/* Deletes one key, or many in a row. */
static void delete (world *w)
{
    char *key = any_key(w);
    uint32_t first = fuzz_byte(&w->in), many = first < 200 ? 0 : fuzz_byte(&w->in);
    char number[32];

    FUZZ_CHECK(agentchat_state_delete(w->map, key) == model_delete(w, key));
    for (uint32_t i = 0; i < many; i++) {
        (void)snprintf(number, sizeof number, "key-%u", (unsigned)(first + i * 7) % 150);
        FUZZ_CHECK(agentchat_state_delete(w->map, number) == model_delete(w, number));
    }
    free(key);
}

static void fill(world *w)
{
    uint32_t many = fuzz_byte(&w->in) / 2;
    char number[32];

    for (uint32_t i = 0; i < many && w->count < KEYS; i++) {
        (void)snprintf(number, sizeof number, "key-%u", (unsigned)i);
        if (agentchat_state_set(w->map, number, AGENTCHAT_STR("1"), NULL) == AGENTCHAT_OK)
            model_set(w, number, AGENTCHAT_STR("1"));
    }
}

static void take(world *w, agentchat_state *other)
{
    if (other != NULL) {
        agentchat_state_free(w->map);
        w->map = other;
    }
}

static void copy(world *w)
{
    size_t failures = w->memory.failures;
    agentchat_state *other = NULL;
    agentchat_status status = agentchat_state_copy(w->map, &other, NULL);

    FUZZ_CHECK((other != NULL) == (status == AGENTCHAT_OK));
    FUZZ_CHECK(status == AGENTCHAT_OK || lacked_memory(w, status, failures));
    take(w, other);
}

static void write_and_read(world *w)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    size_t failures = w->memory.failures;
    agentchat_state *other = NULL;
    agentchat_status status = agentchat_state_write(w->map, &text, NULL);

    if (status == AGENTCHAT_OK) {
        agentchat_str view = {text.ptr, text.len}, span;

        FUZZ_CHECK(naive_json_check(view, MAX_DEPTH, &span) == NAIVE_JSON_GOOD && span.len == view.len);
        status = agentchat_state_read(w->memory.env, view, &other, NULL);
    }
    FUZZ_CHECK(status == AGENTCHAT_OK || lacked_memory(w, status, failures));
    take(w, other);
    agentchat_bytes_clear(&text);
}

/* Moves the model's entries of a prefix after those that are in order already. */
static size_t model_gather(world *w, size_t ordered, const char *prefix)
{
    for (size_t i = ordered; i < w->count; i++) {
        entry moved = w->entries[i];

        if (!begins_with(moved.key, prefix))
            continue;
        memmove(&w->entries[ordered + 1], &w->entries[ordered], (i - ordered) * sizeof moved);
        w->entries[ordered++] = moved;
    }
    return ordered;
}

static void split_and_merge(world *w)
{
    agentchat_state *parts[4] = {NULL}, *other = NULL;
    size_t failures = w->memory.failures, in_parts = 0;
    agentchat_status status = AGENTCHAT_OK;

    for (int scope = AGENTCHAT_SCOPE_SESSION; status == AGENTCHAT_OK && scope <= AGENTCHAT_SCOPE_TEMP; scope++) {
        status = agentchat_state_split(w->map, (agentchat_scope)scope, &parts[scope - 1], NULL);
        in_parts += agentchat_state_count(parts[scope - 1]);
    }
    if (status == AGENTCHAT_OK) {
        FUZZ_CHECK(in_parts == w->count);
        status = agentchat_state_merge(w->memory.env, parts[AGENTCHAT_SCOPE_APP - 1], parts[AGENTCHAT_SCOPE_USER - 1],
                                       parts[AGENTCHAT_SCOPE_SESSION - 1], &other, NULL);
    }
    if (!lacked_memory(w, status, failures)) {
        FUZZ_CHECK(status == AGENTCHAT_OK);
        for (size_t i = 0; i < w->count;)
            if (begins_with(w->entries[i].key, "temp:"))
                (void)model_delete(w, w->entries[i].key);
            else
                i++;
        (void)model_gather(w, model_gather(w, 0, "app:"), "user:");
        take(w, other);
    }
    for (int i = 0; i < 4; i++)
        agentchat_state_free(parts[i]);
}

/* Reads any text; the result replaces the map. */
static void read_any(world *w)
{
    agentchat_str text = fuzz_text(&w->in), value, span;
    const char *key;
    char *block = naive_lend(&text);
    size_t failures = w->memory.failures, at = 0;
    agentchat_state *other = NULL;
    agentchat_error err;
    agentchat_status status = agentchat_state_read(w->memory.env, text, &other, &err);

    FUZZ_CHECK((other != NULL) == (status == AGENTCHAT_OK) && err.code == (int32_t)status);
    if (status == AGENTCHAT_OK) {
        FUZZ_CHECK(naive_json_check(text, MAX_DEPTH, &span) == NAIVE_JSON_GOOD);
        model_clear(w);
        while (agentchat_state_next(other, &at, &key, &value)) {
            FUZZ_CHECK(is_key(key) && naive_json_check(value, MAX_DEPTH - 1, &span) == NAIVE_JSON_GOOD);
            FUZZ_CHECK(span.len == value.len && w->count < KEYS);
            model_set(w, key, value);
        }
        take(w, other);
    } else if (!lacked_memory(w, status, failures)) {
        FUZZ_CHECK(err.offset <= text.len && err.line > 0 && err.column > 0 && err.message[0] != '\0');
        FUZZ_CHECK(naive_json_check(text, MAX_DEPTH, &span) != NAIVE_JSON_GOOD || status == AGENTCHAT_E_INVALID ||
                   status == AGENTCHAT_E_SCHEMA);
    }
    free(block);
}

static void call(world *w)
{
    uint8_t choice = fuzz_byte(&w->in);

    if (choice < 120)
        set(w);
    else if (choice < 170)
        delete (w);
    else if (choice < 200)
        add(w);
    else if (choice < 210)
        fill(w);
    else if (choice < 220)
        copy(w);
    else if (choice < 230)
        write_and_read(w);
    else if (choice < 240)
        split_and_merge(w);
    else if (choice < 250)
        read_any(w);
    else
        fuzz_memory_fail(&w->memory, fuzz_byte(&w->in) % 32, choice % 2 == 0);
    if (choice >= 252)
        fuzz_memory_calm(&w->memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world *w = calloc(1, sizeof *w);

    FUZZ_CHECK(w != NULL);
    w->in = (fuzz_input){data, size};
    fuzz_memory_begin(&w->memory, MAX_DEPTH);
    FUZZ_CHECK(agentchat_state_new(w->memory.env, &w->map, NULL) == AGENTCHAT_OK);
    while (w->in.size > 0) {
        call(w);
        check_same(w);
    }
    agentchat_state_free(w->map);
    model_clear(w);
    fuzz_memory_end(&w->memory);
    free(w);
    return 0;
}
