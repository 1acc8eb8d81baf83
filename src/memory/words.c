/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of documents, and the words in them: how often each is there. */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include "text/tokenizer.h"
#include "json/value.h"
#include <string.h>

bool aci_words_begin(aci_word_list *words, const agentchat_env *env)
{
    *words = (aci_word_list){.env = env, .arena = aci_arena_new(env, 0)};
    return words->arena != NULL;
}

void aci_words_end(aci_word_list *words)
{
    aci_arena_unref(words->arena);
    aci_index_clear(&words->index, words->env);
    aci_free(words->env, words->list, words->cap * sizeof *words->list);
}

static bool add(aci_word_list *words, agentchat_str term)
{
    size_t at = aci_index_find(&words->index, term);
    void *list = words->list;
    bool ok = true;

    words->total++;
    if (at != ACI_INDEX_NONE) {
        words->list[at].count++;
        return true;
    }
    if (!aci_grow(words->env, &list, &words->cap, words->count, sizeof *words->list))
        return false;
    words->list = list;
    term = aci_arena_copy(words->arena, term, &ok);
    words->list[words->count] = (aci_word_count){term, 1};
    return ok && aci_index_put(&words->index, words->env, term, words->count++);
}

bool aci_words_add_text(aci_word_list *words, agentchat_str text, bool as_query)
{
    aci_tokenizer tokenizer;
    aci_token token;
    bool ok = true;

    aci_tokenizer_begin(&tokenizer, text, !as_query);
    while (ok && aci_tokenizer_next(&tokenizer, &token))
        ok = add(words, token.text);
    return ok;
}

/* ---- values --------------------------------------------------------------------------------------------------- */

/* The strings and numbers of a value at any depth, never the names of members. Nodes stand in the order of the text. */
static bool add_value(void *user, const aci_json_index *document, uint32_t value)
{
    aci_word_list *words = user;
    bool ok = true;

    for (uint32_t node = value; node < document->nodes[value].after && ok; node++) {
        agentchat_str text;

        if (document->nodes[node].is_key)
            continue;
        if (aci_json_index_kind(document, node) == ACI_JSON_STRING)
            ok = aci_json_index_string(document, node, words->arena, &text) && aci_words_add_text(words, text, false);
        else if (aci_json_index_kind(document, node) == ACI_JSON_NUMBER)
            ok = aci_words_add_text(words, aci_json_index_raw(document, node), false);
    }
    return ok;
}

/* ---- paths ---------------------------------------------------------------------------------------------------- */

/* A step of a path: a member (text), an element (index, below 0: from the end), each ("*"), or several paths ("{…}").
 */
typedef enum step_kind { MEMBER, ELEMENT, EACH, SEVERAL } step_kind;
typedef struct step {
    step_kind kind;
    agentchat_str text;
    int64_t index;
} step;

/* Takes the first step from a path; false: it is none. */
static bool take_step(agentchat_str *path, step *out)
{
    const char *p = path->ptr, *end = p + path->len, *stop = p;

    if (p < end && *p == '.') /* after a step */
        stop = ++p;
    if (p < end && (*p == '[' || *p == '{')) {
        int depth = 0;

        do
            depth += (*stop == '[' || *stop == '{') - (*stop == ']' || *stop == '}');
        while (++stop < end && depth > 0);
        if (depth != 0 || stop - p < 3)
            return false;
        *out = (step){*p == '{' ? SEVERAL : ELEMENT, {p + 1, (size_t)(stop - p) - 2}, 0};
        if (out->kind == ELEMENT && agentchat_str_equal(out->text, AGENTCHAT_STR("*")))
            out->kind = EACH;
        if (out->kind == ELEMENT && !aci_json_integer(out->text, &out->index))
            return false;
    } else {
        while (stop < end && strchr(".[{", *stop) == NULL)
            stop++;
        if (stop == p)
            return false;
        *out = (step){MEMBER, {p, (size_t)(stop - p)}, 0};
        if (agentchat_str_equal(out->text, AGENTCHAT_STR("*")))
            out->kind = EACH;
    }
    *path = (agentchat_str){stop, (size_t)(end - stop)};
    return stop == end || *stop == '.' || *stop == '[' || *stop == '{';
}

/* The next of several paths, which stand between commas. */
static bool take_path(agentchat_str *list, agentchat_str *path)
{
    size_t at = 0;
    int depth = 0;

    if (list->ptr == NULL)
        return false;
    while (at < list->len && (depth > 0 || list->ptr[at] != ',')) {
        depth += (list->ptr[at] == '{') - (list->ptr[at] == '}');
        at++;
    }
    *path = (agentchat_str){list->ptr, at};
    *list = at < list->len ? (agentchat_str){list->ptr + at + 1, list->len - at - 1} : (agentchat_str){NULL, 0};
    return true;
}

enum { DEEPEST = 64 };

static bool is_whole(agentchat_str path)
{
    return path.len == 0 || agentchat_str_equal(path, AGENTCHAT_STR("$"));
}

static bool is_path(agentchat_str path, int depth)
{
    agentchat_str inner;
    bool ok = depth < DEEPEST;
    step one;

    if (agentchat_str_equal(path, AGENTCHAT_STR("$")))
        return true;
    ok = ok && path.len > 0 && *path.ptr != '.';
    for (int steps = 0; ok && path.len > 0; steps++) {
        ok = steps < DEEPEST && take_step(&path, &one);
        while (ok && one.kind == SEVERAL && take_path(&one.text, &inner))
            ok = is_path(inner, depth + 1);
        ok = ok && (one.kind != SEVERAL || path.len == 0);
    }
    return ok;
}

/* The element of a list; 0: there is none. */
static uint32_t element_of(const aci_json_index *document, uint32_t list, int64_t index)
{
    int64_t count = 0;
    uint32_t node;

    for (node = aci_json_index_first(document, list); node != 0 && index < 0;
         node = aci_json_index_next(document, list, node))
        count++;
    index += index < 0 ? count : 0;
    node = index >= 0 ? aci_json_index_first(document, list) : 0;
    while (node != 0 && index-- > 0)
        node = aci_json_index_next(document, list, node);
    return node;
}

/* Calls the function for all that a path leads to from a value. What is not there is passed over. */
static bool visit(const aci_json_index *document, uint32_t value, agentchat_str path, aci_field_fn each, void *user)
{
    aci_json_kind kind = aci_json_index_kind(document, value);
    uint32_t found = 0;
    agentchat_str inner;
    bool ok = true;
    step one;

    if (is_whole(path))
        return each(user, document, value);
    if (!take_step(&path, &one))
        return true;
    if (one.kind == SEVERAL) {
        while (ok && take_path(&one.text, &inner))
            ok = visit(document, value, inner, each, user);
        return ok;
    }
    if (kind != ACI_JSON_ARRAY && kind != ACI_JSON_OBJECT)
        return true;
    if (one.kind == ELEMENT)
        found = kind == ACI_JSON_ARRAY ? element_of(document, value, one.index) : 0;
    for (uint32_t node = one.kind != ELEMENT ? aci_json_index_first(document, value) : 0; node != 0 && ok;
         node = aci_json_index_next(document, value, node)) {
        uint32_t is_key = document->nodes[node].is_key;

        if (one.kind == EACH)
            ok = visit(document, node + is_key, path, each, user);
        else if (is_key && aci_json_index_is(document, node, one.text))
            found = node + 1; /* the last of that name */
    }
    return ok && (found == 0 || visit(document, found, path, each, user));
}

agentchat_status aci_fields_visit(const aci_json_index *document, agentchat_str fields, aci_arena *arena,
                                  aci_field_begin_fn begin, aci_field_fn each, void *user, agentchat_error *err)
{
    aci_json_index paths;
    agentchat_status status;
    bool ok = true;

    aci_json_index_init(&paths, aci_arena_env(arena));
    status = aci_json_index_text(&paths, fields, 0, 0, err);
    for (uint32_t node = status >= 0 ? aci_json_index_first(&paths, 0) : 0; node != 0 && ok && status >= 0;
         node = aci_json_index_next(&paths, 0, node)) {
        agentchat_str path;

        if (aci_json_index_kind(&paths, node) != ACI_JSON_STRING) {
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored field is no text");
            break;
        }
        ok = aci_json_index_string(&paths, node, arena, &path);
        if (ok && !is_path(path, 0))
            status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored field is no path");
        if (ok && begin != NULL)
            begin(user, path);
        ok = ok && (status < 0 || visit(document, 0, path, each, user));
    }
    aci_json_index_clear(&paths);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

agentchat_status aci_words_add_document(aci_word_list *words, const aci_json_index *document, agentchat_str fields,
                                        agentchat_error *err)
{
    if (fields.ptr == NULL)
        return add_value(words, document, 0) ? AGENTCHAT_OK : aci_fail_nomem(err);
    return aci_fields_visit(document, fields, words->arena, NULL, add_value, words, err);
}

agentchat_status aci_words_fields(const char *const *fields, size_t count, aci_arena *arena, agentchat_str *out,
                                  agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_excerpt excerpt;
    aci_buf text;
    bool ok;

    aci_buf_init(&text, aci_arena_env(arena), SIZE_MAX);
    ok = aci_buf_add(&text, "[", 1);
    for (size_t i = 0; i < count && ok && status >= 0; i++) {
        agentchat_str path = agentchat_str_from(fields[i]);

        if (path.ptr == NULL || !is_path(path, 0))
            status =
                aci_fail(err, AGENTCHAT_E_INVALID, "the field \"%s\" is no path", aci_error_excerpt(path, &excerpt));
        ok = i == 0 || aci_buf_add(&text, ",", 1);
        if (status >= 0 && ok)
            status = aci_json_quote(path, &text, err);
    }
    ok = ok && aci_buf_add(&text, "]", 1);
    if (ok && status >= 0)
        *out = aci_arena_copy(arena, aci_buf_str(&text), &ok);
    aci_buf_clear(&text);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}
