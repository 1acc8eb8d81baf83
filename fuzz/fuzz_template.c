/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Templates in all dialects: a byte that says how, a byte of length and so much JSON for the state, the template. The
 * native dialect is compared with a naive renderer that searches anew for each placeholder; all of them are held to
 * what must be true: text without braces stays, the result is UTF-8, a failure leaves what was there. An allocation may
 * fail.
 */
#include "failing_memory.h"
#include "naive_text.h"

#include "base/utf8.h"
#include "json/value.h"
#include <agentchat/template.h>
#include <string.h>

/* Results that come near to the limit of the environment, 1 GiB, are too long for the naive one. */
enum { MOST_TEXT = 4000, NAIVE_ROOM = 1 << 22 };

static const char default_state[] = "{\"a\":\"x{b}y\",\"b\":{\"c\":[1,{\"d\":\"\\u0041\"}],\"c\":[2.50,{\"d\":"
                                    "\"\\ud800\",\"\":{}}],\"a\":null},\"a.b\":"
                                    "[true,[false,[null,[]]]],\"user:p\":{\"t\":\"dark\",\"0\":\"it's\"},\"app:x\":"
                                    "12345678901234567890,\"temp:n\":-0.0,"
                                    "\"\\u00fc\":\"\\\"\\\\\\n\"}";

static agentchat_status artifact(void *user, agentchat_str name, agentchat_bytes *out, agentchat_error *err)
{
    fuzz_memory *memory = user;
    size_t failures = memory->failures;
    agentchat_status status;

    if (name.len > 0 && name.ptr[0] == 'x')
        return AGENTCHAT_E_NOTFOUND;
    if (name.len > 0 && name.ptr[0] == 'y')
        return agentchat_error_set(err, AGENTCHAT_E_IO, "this one never comes");
    status = agentchat_bytes_append(out, AGENTCHAT_STR("{a}"), err);
    if (status == AGENTCHAT_OK)
        status = agentchat_bytes_append(out, name, err);
    FUZZ_CHECK(status == AGENTCHAT_OK || memory->failures > failures);
    return status;
}

/* ---- the naive renderer of the native dialect ------------------------------------------------------------------- */

typedef struct naive {
    const agentchat_state *map;
    agentchat_str text;
    char *out;
    size_t len;
    size_t first_missing; /* SIZE_MAX: nothing is */
    size_t io_error;      /* where the artifact that fails stands first */
} naive;

static void put(naive *n, const char *bytes, size_t len)
{
    FUZZ_CHECK(len <= NAIVE_ROOM - n->len);
    memcpy(n->out + n->len, bytes, len);
    n->len += len;
}

static const char *skip_whitespace(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
        p++;
    return p;
}

/* The first byte after the valid value at p. */
static const char *value_end(const char *p, const char *end)
{
    int depth = 0;

    do {
        if (*p == '"') {
            for (p++; *p != '"'; p++)
                p += *p == '\\';
            p++;
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            depth--;
            p++;
        } else {
            while (p < end && strchr("{}[]\",: \t\n\r", *p) == NULL)
                p++;
        }
        while (depth > 0 && p < end && strchr(",: \t\n\r", *p) != NULL)
            p++;
    } while (depth > 0);
    return p;
}

/* The last member of that name, or the element of that number; absent when there is none. */
static agentchat_str child(agentchat_str json, agentchat_str name)
{
    const char *p = json.ptr + 1, *end = json.ptr + json.len;
    agentchat_str found = {NULL, 0};

    if (*json.ptr != '{' && *json.ptr != '[')
        return found;
    p = skip_whitespace(p, end);
    for (size_t i = 0; *p != '}' && *p != ']'; i++) {
        const char *begin = p;
        aci_buf own;

        aci_buf_init(&own, NULL, SIZE_MAX);
        if (*json.ptr == '{') {
            const char *after = value_end(p, end);

            FUZZ_CHECK(aci_json_unquote((agentchat_str){p, (size_t)(after - p)}, &own));
            begin = skip_whitespace(skip_whitespace(after, end) + 1, end);
        } else {
            FUZZ_CHECK(aci_buf_printf(&own, "%zu", i));
        }
        p = value_end(begin, end);
        if (agentchat_str_equal(aci_buf_str(&own), name))
            found = (agentchat_str){begin, (size_t)(p - begin)};
        aci_buf_clear(&own);
        p = skip_whitespace(p, end);
        if (*p == ',')
            p = skip_whitespace(p + 1, end);
    }
    return found;
}

static agentchat_str follow(agentchat_str json, agentchat_str path)
{
    while (json.ptr != NULL) {
        const char *dot = memchr(path.ptr, '.', path.len);
        size_t len = dot != NULL ? (size_t)(dot - path.ptr) : path.len;

        json = child(json, (agentchat_str){path.ptr, len});
        if (dot == NULL)
            break;
        path = (agentchat_str){dot + 1, path.len - len - 1};
    }
    return json;
}

/* Tries every part of the name that ends where a dot stands, the longest one first. */
static agentchat_str look_up(const agentchat_state *map, agentchat_str name)
{
    for (size_t len = name.len; len > 0; len--) {
        char key[MOST_TEXT + 1];
        agentchat_str value;

        if (len < name.len && name.ptr[len] != '.')
            continue;
        memcpy(key, name.ptr, len);
        key[len] = '\0';
        value = agentchat_state_get(map, key);
        if (value.ptr != NULL && len == name.len)
            return value;
        if (value.ptr != NULL)
            return follow(value, (agentchat_str){name.ptr + len + 1, name.len - len - 1});
    }
    return (agentchat_str){NULL, 0};
}

static void put_value(naive *n, agentchat_str json)
{
    aci_buf paired, text;

    if (*json.ptr != '"') {
        put(n, json.ptr, json.len);
        return;
    }
    aci_buf_init(&paired, NULL, SIZE_MAX);
    aci_buf_init(&text, NULL, SIZE_MAX);
    FUZZ_CHECK(aci_json_replace_lone_surrogates(json, &paired) && aci_json_unquote(aci_buf_str(&paired), &text));
    put(n, aci_buf_str(&text).ptr, text.len);
    aci_buf_clear(&paired);
    aci_buf_clear(&text);
}

static bool is_whitespace_at(agentchat_str name, bool last)
{
    for (size_t len = 1; len <= 4 && len <= name.len; len++) {
        agentchat_str part = {last ? name.ptr + name.len - len : name.ptr, len};

        if (aci_utf8_is_valid(part, false))
            return aci_utf8_is_whitespace(part);
    }
    return false;
}

/* Whether a name has whitespace anywhere. */
static bool has_whitespace(agentchat_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (is_whitespace_at((agentchat_str){name.ptr + i, name.len - i}, false))
            return true;
    return false;
}

/* Whether {inside} is a placeholder. */
static bool is_placeholder(agentchat_str inside)
{
    static const char *const prefixes[] = {"app:", "user:", "temp:"};

    if (inside.len > 0 && inside.ptr[inside.len - 1] == '?')
        inside.len--;
    for (size_t i = 0; i < inside.len; i++)
        if ((unsigned char)inside.ptr[i] < 0x20 || inside.ptr[i] == 0x7F || inside.ptr[i] == '"' ||
            inside.ptr[i] == '\'')
            return false;
    if (inside.len > 9 && memcmp(inside.ptr, "artifact.", 9) == 0)
        return !is_whitespace_at((agentchat_str){inside.ptr + 9, inside.len - 9}, false) &&
               !is_whitespace_at(inside, true);
    if (has_whitespace(inside))
        return false;
    for (size_t i = 0; i < 3; i++)
        if (inside.len >= strlen(prefixes[i]) && memcmp(inside.ptr, prefixes[i], strlen(prefixes[i])) == 0) {
            inside.ptr += strlen(prefixes[i]);
            inside.len -= strlen(prefixes[i]);
            break;
        }
    if (inside.len == 0 || (inside.ptr[0] >= '0' && inside.ptr[0] <= '9'))
        return false;
    for (size_t i = 0; i < inside.len; i++)
        if (strchr(",!<>=;", inside.ptr[i]) != NULL ||
            (inside.ptr[i] == ':' && i + 1 < inside.len && inside.ptr[i + 1] >= '0' && inside.ptr[i + 1] <= '9'))
            return false;
    return true;
}

static void put_placeholder(naive *n, size_t at, agentchat_str name)
{
    bool optional = name.ptr[name.len - 1] == '?';
    agentchat_str json;

    name.len -= optional;
    if (name.len > 9 && memcmp(name.ptr, "artifact.", 9) == 0) {
        if (name.ptr[9] == 'y' && n->io_error == SIZE_MAX)
            n->io_error = at;
        if (name.ptr[9] != 'x') {
            put(n, "{a}", 3);
            put(n, name.ptr + 9, name.len - 9);
            return;
        }
        json.ptr = NULL;
    } else {
        json = look_up(n->map, name);
    }
    if (json.ptr != NULL)
        put_value(n, json);
    else if (!optional && n->first_missing == SIZE_MAX)
        n->first_missing = at;
}

static void render_naively(naive *n)
{
    const char *p = n->text.ptr, *end = p + n->text.len;

    n->first_missing = n->io_error = SIZE_MAX;
    while (p < end) {
        size_t braces = *p == '{' ? (end - p > 1 && p[1] == '{' ? 2 : 1) : 0;
        const char *inside = p + braces, *close = inside;

        while (close < end && *close != '{' && *close != '}')
            close++;
        if (braces > 0 && (size_t)(end - close) >= braces && memcmp(close, "}}", braces) == 0 &&
            is_placeholder((agentchat_str){inside, (size_t)(close - inside)})) {
            if (braces == 2)
                put(n, p + 1, (size_t)(close - p));
            else
                put_placeholder(n, (size_t)(p - n->text.ptr), (agentchat_str){inside, (size_t)(close - inside)});
            p = close + braces;
        } else {
            put(n, p++, 1);
        }
    }
}

static void check_naively(const agentchat_state *map, agentchat_str text, agentchat_status status,
                          const agentchat_bytes *out, const agentchat_error *err)
{
    naive n = {.map = map, .text = text, .out = malloc(NAIVE_ROOM)};

    FUZZ_CHECK(n.out != NULL);
    render_naively(&n);
    if (n.io_error != SIZE_MAX) {
        FUZZ_CHECK(status == AGENTCHAT_E_IO && err->offset == n.io_error);
    } else if (n.first_missing != SIZE_MAX) {
        FUZZ_CHECK(status == AGENTCHAT_E_NOTFOUND && err->offset == n.first_missing);
    } else {
        FUZZ_CHECK(status == AGENTCHAT_OK && out->len == n.len + 3);
        FUZZ_CHECK(memcmp(out->ptr + 3, n.out, n.len) == 0);
    }
    free(n.out);
}

/* ---- what must hold --------------------------------------------------------------------------------------------- */

static void check_failure(agentchat_str text, agentchat_status status, const agentchat_bytes *out,
                          const agentchat_error *err)
{
    uint32_t line = 1, column = 1;

    FUZZ_CHECK(status == AGENTCHAT_E_NOTFOUND || status == AGENTCHAT_E_INVALID || status == AGENTCHAT_E_IO);
    FUZZ_CHECK(err->code == (int32_t)status && err->message[0] != '\0' && err->offset < text.len);
    for (size_t i = 0; i < err->offset; i++) {
        column = text.ptr[i] == '\n' ? 1 : column + 1;
        line += text.ptr[i] == '\n';
    }
    FUZZ_CHECK(err->line == line && err->column == column);
    FUZZ_CHECK(out->len == 3 && memcmp(out->ptr, "pre", 4) == 0);
}

static void render(fuzz_memory *memory, const agentchat_state *map, agentchat_str text, int dialect)
{
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
    agentchat_bytes out = {NULL, 0, 0, memory->env};
    size_t failures = memory->failures, until = memory->until_fails;
    bool valid = aci_utf8_is_valid(text, false);
    agentchat_error err;
    agentchat_status status;

    memory->until_fails = SIZE_MAX;
    FUZZ_CHECK(agentchat_bytes_append(&out, AGENTCHAT_STR("pre"), NULL) == AGENTCHAT_OK);
    memory->until_fails = until;
    options.dialect = (agentchat_template_dialect)dialect;
    options.artifact = artifact;
    options.user = memory;
    status = agentchat_template_render(map, text, &options, &out, &err);
    fuzz_memory_calm(memory);
    if (status == AGENTCHAT_E_NOMEM) {
        FUZZ_CHECK(memory->failures > failures && out.len == 3);
    } else if (!valid) {
        FUZZ_CHECK(status == AGENTCHAT_E_INVALID);
        check_failure(text, status, &out, &err);
    } else {
        if (status < 0)
            check_failure(text, status, &out, &err);
        else
            FUZZ_CHECK(aci_utf8_is_valid((agentchat_str){out.ptr, out.len}, false) && out.ptr[out.len] == '\0');
        if (memchr(text.ptr, '{', text.len) == NULL)
            FUZZ_CHECK(status == AGENTCHAT_OK && out.len == text.len + 3 &&
                       memcmp(out.ptr + 3, text.ptr, text.len) == 0);
        if (dialect == AGENTCHAT_TEMPLATE_AGENTCHAT)
            check_naively(map, text, status, &out, &err);
    }
    agentchat_bytes_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    fuzz_memory memory;
    agentchat_state *map = NULL;
    agentchat_str json, text;
    uint8_t settings = fuzz_byte(&in);
    char *block;

    fuzz_memory_begin(&memory, 0);
    json = fuzz_text(&in);
    if (json.len == 0 || agentchat_state_read(memory.env, json, &map, NULL) < 0)
        FUZZ_CHECK(agentchat_state_read(memory.env, agentchat_str_from(default_state), &map, NULL) == AGENTCHAT_OK);
    text = (agentchat_str){in.size > 0 ? (const char *)in.data : "", in.size < MOST_TEXT ? in.size : MOST_TEXT};
    block = naive_lend(&text);
    for (int dialect = AGENTCHAT_TEMPLATE_AGENTCHAT; dialect <= AGENTCHAT_TEMPLATE_ADK_PYTHON; dialect++) {
        if (settings & 1)
            fuzz_memory_fail(&memory, settings >> 2, (settings & 2) != 0);
        render(&memory, map, text, dialect);
    }
    free(block);
    agentchat_state_free(map);
    fuzz_memory_end(&memory);
    return 0;
}
