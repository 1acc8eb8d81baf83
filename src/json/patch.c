/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396) on text. What a patch does not touch stays as it is spelled:
 * a container is opened into its parts when a path leads through it, all else is a part of some text.
 *
 * An open container is written with the white space that it had before its first part, between its first two, and after
 * its last.
 */
#include <agentchat/json_text.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "json/value.h"
#include "json/walk.h"
#include <string.h>

/* What a patch may cost: parts that are looked at or moved, and bytes that are copied, beside some for each that is
 * given.
 */
#define MOST_STEPS 100000000
#define MOST_COPIED 1000000
#define COPIED_FOR_EACH 16

typedef struct part {
    agentchat_str name, raw; /* name: of a member, with its quotes; raw: unless it is open */
    struct opened *open;
} part;

typedef struct opened {
    part *parts;
    size_t count, cap;
    bool is_object;
    agentchat_str before, colon, between, after; /* as they are written */
} opened;

typedef struct patching {
    const agentchat_env *env;
    aci_arena *arena;
    part root;
    aci_buf name; /* of a member, decoded */
    size_t steps, copied, most_copied;
    bool is_too_deep;
    /* ---- for messages ---- */
    size_t number; /* of the operation, from 1; 0: of a merge */
    agentchat_str op, path;
} patching;

static agentchat_status refuse(const patching *p, agentchat_status status, const char *why, agentchat_error *err)
{
    aci_excerpt op, path;

    return aci_fail(err, status, "operation %zu (%s %s): %s", p->number, aci_error_excerpt(p->op, &op),
                    aci_error_excerpt(p->path, &path), why);
}

/* ==== containers ================================================================================================= */

static bool add_part(patching *p, opened *o, size_t at, part added)
{
    p->steps += o->count - at;
    if (o->count == o->cap) {
        size_t cap = o->cap < 4 ? 4 : 2 * o->cap;
        part *parts = aci_arena_alloc(p->arena, cap * sizeof *parts);

        if (parts == NULL)
            return false;
        if (o->count > 0)
            memcpy(parts, o->parts, o->count * sizeof *parts);
        o->parts = parts;
        o->cap = cap;
    }
    if (at < o->count)
        memmove(o->parts + at + 1, o->parts + at, (o->count - at) * sizeof *o->parts);
    o->parts[at] = added;
    o->count++;
    return true;
}

static void remove_part(patching *p, opened *o, size_t at)
{
    p->steps += o->count - at;
    memmove(o->parts + at, o->parts + at + 1, (o->count - at - 1) * sizeof *o->parts);
    o->count--;
}

static agentchat_str span(const char *begin, const char *end)
{
    return (agentchat_str){begin, (size_t)(end - begin)};
}

/* An empty container, written as the one that it is in, if that is on one line. */
static opened *new_container(patching *p, bool is_object, const opened *in)
{
    opened *o = aci_arena_alloc(p->arena, sizeof *o);
    bool is_tight = in != NULL && in->between.len == 1;

    if (o != NULL)
        *o = (opened){.is_object = is_object,
                      .before = AGENTCHAT_STR(""),
                      .colon = is_tight ? AGENTCHAT_STR(":") : AGENTCHAT_STR(": "),
                      .between = is_tight ? AGENTCHAT_STR(",") : AGENTCHAT_STR(", "),
                      .after = AGENTCHAT_STR("")};
    return o;
}

/* What stands between parts where there is only one: a comma, and the line of that one. */
static bool guess_between(patching *p, opened *o)
{
    char *text = aci_arena_text(p->arena, o->before.len + 1);

    if (text == NULL)
        return false;
    text[0] = ',';
    memcpy(text + 1, o->before.ptr, o->before.len);
    if (o->before.len > 0 || o->colon.len == 1)
        o->between = (agentchat_str){text, o->before.len + 1};
    return true;
}

/* Opens a container that is in another one, or in none; NULL: out of memory. */
static opened *open_part(patching *p, part *of, const opened *in)
{
    agentchat_str raw = of->raw;
    agentchat_json_walk walk;
    const char *end = raw.ptr + 1; /* of the part before */
    opened *o;

    if (of->open != NULL)
        return of->open;
    o = new_container(p, *raw.ptr == '{', in);
    if (o == NULL || !agentchat_json_walk_into(&walk, raw))
        return o;
    while (agentchat_json_walk_next(&walk)) {
        const char *begin = walk.key.ptr != NULL ? walk.key.ptr : walk.value.ptr;

        if (o->count == 0)
            o->before = span(end, begin);
        else if (o->count == 1)
            o->between = span(end, begin);
        if (o->count == 0 && walk.key.ptr != NULL)
            o->colon = span(walk.key.ptr + walk.key.len, walk.value.ptr);
        if (!add_part(p, o, o->count, (part){walk.key, walk.value, NULL}))
            return NULL;
        end = walk.value.ptr + walk.value.len;
    }
    if (o->count > 0)
        o->after = span(end, raw.ptr + raw.len - 1);
    if (o->count == 1 && !guess_between(p, o))
        return NULL;
    of->open = o;
    return o;
}

static bool is_container(const part *of)
{
    return of->open != NULL || *of->raw.ptr == '{' || *of->raw.ptr == '[';
}

/* The member of a name; SIZE_MAX: there is none. */
static size_t find_member(patching *p, const opened *o, agentchat_str name)
{
    size_t at = 0;

    while (at < o->count && !agentchat_json_equal(o->parts[at].name, name))
        at++;
    p->steps += at;
    return at < o->count ? at : SIZE_MAX;
}

/* false: out of memory, or it is too deep. */
static bool write_part(patching *p, const part *of, uint32_t depth, aci_buf *out)
{
    const opened *o = of->open;
    bool ok = true;

    if (o == NULL)
        return aci_buf_add_str(out, of->raw);
    p->is_too_deep = p->is_too_deep || depth == 0;
    if (depth == 0 || !aci_buf_add_str(out, o->is_object ? AGENTCHAT_STR("{") : AGENTCHAT_STR("[")))
        return false;
    for (size_t i = 0; i < o->count && ok; i++) {
        ok = aci_buf_add_str(out, i == 0 ? o->before : o->between);
        if (ok && o->is_object)
            ok = aci_buf_add_str(out, o->parts[i].name) && aci_buf_add_str(out, o->colon);
        ok = ok && write_part(p, &o->parts[i], depth - 1, out);
    }
    if (ok && o->count > 0)
        ok = aci_buf_add_str(out, o->after);
    return ok && aci_buf_add_str(out, o->is_object ? AGENTCHAT_STR("}") : AGENTCHAT_STR("]"));
}

/* ==== JSON Patch ================================================================================================= */

/* Where an operation works: a part that is there, or the location of one that may be added. */
typedef struct location {
    opened *in; /* NULL: the root */
    size_t at;
    bool is_there;
    agentchat_str name; /* of a member that is not there */
} location;

static part *part_at(patching *p, const location *where)
{
    return where->in != NULL ? &where->in->parts[where->at] : &p->root;
}

/* The index of an element, or of the location after the last; SIZE_MAX: it is none. */
static size_t read_index(const opened *o, agentchat_str token)
{
    size_t index = 0;

    if (agentchat_str_equal(token, AGENTCHAT_STR("-")))
        return o->count;
    if (token.len == 0 || token.len > 9 || (token.len > 1 && *token.ptr == '0'))
        return SIZE_MAX;
    for (size_t i = 0; i < token.len; i++) {
        if (token.ptr[i] < '0' || token.ptr[i] > '9')
            return SIZE_MAX;
        index = index * 10 + (size_t)(token.ptr[i] - '0');
    }
    return index <= o->count ? index : SIZE_MAX;
}

/* The next token of a pointer, decoded. */
static agentchat_status take_token(const patching *p, const char **at, const char *end, agentchat_str *out,
                                   agentchat_error *err)
{
    const char *from = *at + 1, *stop = memchr(from, '/', (size_t)(end - from));
    char *text;
    size_t len = 0;

    *at = stop = stop != NULL ? stop : end;
    text = aci_arena_text(p->arena, (size_t)(stop - from));
    if (text == NULL)
        return aci_fail_nomem(err);
    for (; from < stop; from++) {
        if (*from == '~' && (from + 1 == stop || (from[1] != '0' && from[1] != '1')))
            return refuse(p, AGENTCHAT_E_INVALID, "after ~ in a pointer comes 0 or 1", err);
        text[len++] = *from != '~' ? *from : *++from == '0' ? '~' : '/';
    }
    *out = (agentchat_str){text, len};
    return AGENTCHAT_OK;
}

/* Finds a location. E_NOTFOUND: what it would be in is not there. */
static agentchat_status find(patching *p, agentchat_str pointer, location *out, agentchat_error *err)
{
    const char *at = pointer.ptr, *end = pointer.ptr + pointer.len;

    *out = (location){.is_there = true};
    if (pointer.len > 0 && *at != '/')
        return refuse(p, AGENTCHAT_E_INVALID, "a pointer is empty or begins with /", err);
    while (at < end) {
        part *of = out->is_there ? part_at(p, out) : NULL;
        agentchat_str token;
        agentchat_status status = take_token(p, &at, end, &token, err);

        if (status < 0)
            return status;
        if (of == NULL || !is_container(of))
            return refuse(p, AGENTCHAT_E_NOTFOUND, "there is nothing that this could be in", err);
        out->in = open_part(p, of, out->in);
        if (out->in == NULL)
            return aci_fail_nomem(err);
        out->at = out->in->is_object ? find_member(p, out->in, token) : read_index(out->in, token);
        if (out->at == SIZE_MAX && !out->in->is_object)
            return refuse(p, AGENTCHAT_E_NOTFOUND, "an array has no such index", err);
        out->is_there = out->at < out->in->count;
        out->name = token;
    }
    return AGENTCHAT_OK;
}

static agentchat_status find_there(patching *p, agentchat_str pointer, location *out, agentchat_error *err)
{
    agentchat_status status = find(p, pointer, out, err);

    return status < 0 || out->is_there ? status : refuse(p, AGENTCHAT_E_NOTFOUND, "there is no such value", err);
}

static agentchat_status put(patching *p, agentchat_str pointer, part value, agentchat_error *err)
{
    location where;
    aci_buf name;
    bool ok = true;
    agentchat_status status = find(p, pointer, &where, err);

    if (status < 0)
        return status;
    if (where.in == NULL || (where.in->is_object && where.is_there)) {
        value.name = part_at(p, &where)->name;
        *part_at(p, &where) = value;
        return AGENTCHAT_OK;
    }
    if (!where.in->is_object)
        return add_part(p, where.in, where.at, value) ? AGENTCHAT_OK : aci_fail_nomem(err);
    aci_buf_init(&name, p->env, SIZE_MAX);
    status = aci_json_quote(where.name, &name, err);
    if (status >= 0)
        value.name = aci_arena_copy(p->arena, aci_buf_str(&name), &ok);
    aci_buf_clear(&name);
    return status < 0                                            ? status
           : ok && add_part(p, where.in, where.in->count, value) ? AGENTCHAT_OK
                                                                 : aci_fail_nomem(err);
}

/* A value as text, in the arena. */
static agentchat_status copy_text(patching *p, const part *of, agentchat_str *out, agentchat_error *err)
{
    bool ok = true;
    aci_buf text;

    *out = of->raw;
    if (of->open == NULL)
        return AGENTCHAT_OK;
    aci_buf_init(&text, p->env, SIZE_MAX);
    ok = write_part(p, of, p->env->limits.max_depth, &text);
    p->copied += text.len;
    *out = aci_arena_copy(p->arena, aci_buf_str(&text), &ok);
    aci_buf_clear(&text);
    if (p->is_too_deep)
        return refuse(p, AGENTCHAT_E_LIMIT, "the value is nested too deeply", err);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status test(patching *p, const part *of, agentchat_str value, agentchat_error *err)
{
    agentchat_str text;
    aci_buf here, expected;
    agentchat_status status = copy_text(p, of, &text, err);

    aci_buf_init(&here, p->env, SIZE_MAX);
    aci_buf_init(&expected, p->env, SIZE_MAX);
    if (status >= 0)
        status = aci_json_canonical(text, &here, p->env, err);
    if (status >= 0)
        status = aci_json_canonical(value, &expected, p->env, err);
    p->copied += here.len;
    if (status >= 0 && !agentchat_str_equal(aci_buf_str(&here), aci_buf_str(&expected)))
        status = refuse(p, AGENTCHAT_E_CONFLICT, "another value is there", err);
    aci_buf_clear(&here);
    aci_buf_clear(&expected);
    return status;
}

typedef struct operation {
    agentchat_str op, path, from, value; /* the first three decoded; absent: not given */
} operation;

static agentchat_status take_out(patching *p, agentchat_str pointer, part *out, agentchat_error *err)
{
    location where;
    agentchat_status status = find_there(p, pointer, &where, err);

    if (status < 0)
        return status;
    if (where.in == NULL)
        return refuse(p, AGENTCHAT_E_INVALID, "the whole document cannot be removed", err);
    *out = *part_at(p, &where);
    remove_part(p, where.in, where.at);
    return AGENTCHAT_OK;
}

static bool is_op(const operation *o, const char *name)
{
    return agentchat_str_equal(o->op, agentchat_str_from(name));
}

static agentchat_status move(patching *p, const operation *o, agentchat_error *err)
{
    part moved;
    agentchat_status status;

    if (o->path.len > o->from.len && memcmp(o->path.ptr, o->from.ptr, o->from.len) == 0 &&
        o->path.ptr[o->from.len] == '/')
        return refuse(p, AGENTCHAT_E_INVALID, "a value cannot be moved into itself", err);
    if (agentchat_str_equal(o->path, o->from)) {
        location where;

        return find_there(p, o->from, &where, err);
    }
    status = take_out(p, o->from, &moved, err);
    return status < 0 ? status : put(p, o->path, moved, err);
}

static agentchat_status apply(patching *p, const operation *o, agentchat_error *err)
{
    location where;
    part one = {.raw = o->value};
    agentchat_status status;

    if (is_op(o, "add"))
        return put(p, o->path, one, err);
    if (is_op(o, "remove"))
        return take_out(p, o->path, &one, err);
    if (is_op(o, "move"))
        return move(p, o, err);
    status = find_there(p, is_op(o, "copy") ? o->from : o->path, &where, err);
    if (status < 0)
        return status;
    if (is_op(o, "test"))
        return test(p, part_at(p, &where), o->value, err);
    if (is_op(o, "copy")) {
        status = copy_text(p, part_at(p, &where), &one.raw, err);
        p->copied += one.raw.len;
        return status < 0 ? status : put(p, o->path, one, err);
    }
    one.name = part_at(p, &where)->name;
    *part_at(p, &where) = one;
    return AGENTCHAT_OK;
}

/* A member of an operation, which is given once. */
static agentchat_status take_member(patching *p, agentchat_str *out, agentchat_str value, bool is_text,
                                    agentchat_error *err)
{
    aci_buf text;
    bool ok;

    if (out->ptr != NULL)
        return refuse(p, AGENTCHAT_E_INVALID, "a member is given twice", err);
    *out = value;
    if (!is_text)
        return AGENTCHAT_OK;
    if (*value.ptr != '"')
        return refuse(p, AGENTCHAT_E_INVALID, "op, path and from are texts", err);
    aci_buf_init(&text, p->env, SIZE_MAX);
    ok = aci_json_unquote(value, &text);
    *out = aci_arena_copy(p->arena, (agentchat_str){text.len > 0 ? aci_buf_str(&text).ptr : "", text.len}, &ok);
    aci_buf_clear(&text);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status read_operation(patching *p, agentchat_str raw, operation *out, agentchat_error *err)
{
    static const char *const names[] = {"op", "path", "from", "value"};
    static const struct {
        const char *name;
        bool has_from, has_value;
    } ops[] = {{"add", false, true},  {"remove", false, false}, {"replace", false, true},
               {"move", true, false}, {"copy", true, false},    {"test", false, true}};
    size_t op = 0;
    agentchat_str *const members[] = {&out->op, &out->path, &out->from, &out->value};
    agentchat_status status = AGENTCHAT_OK;
    agentchat_json_walk walk;

    *out = (operation){.op = {NULL, 0}};
    if (*raw.ptr != '{')
        return refuse(p, AGENTCHAT_E_INVALID, "an operation is an object", err);
    (void)agentchat_json_walk_into(&walk, raw);
    while (status >= 0 && agentchat_json_walk_next(&walk))
        for (size_t i = 0; i < 4 && status >= 0; i++)
            if (agentchat_json_equal(walk.key, agentchat_str_from(names[i])))
                status = take_member(p, members[i], walk.value, i < 3, err);
    if (status < 0)
        return status;
    p->op = out->op.ptr != NULL ? out->op : AGENTCHAT_STR("?");
    p->path = out->path.ptr != NULL ? out->path : AGENTCHAT_STR("?");
    while (op < 6 && !is_op(out, ops[op].name))
        op++;
    if (op == 6)
        return refuse(p, AGENTCHAT_E_INVALID, "op is add, remove, replace, move, copy or test", err);
    if (out->path.ptr == NULL || (ops[op].has_from && out->from.ptr == NULL) ||
        (ops[op].has_value && out->value.ptr == NULL))
        return refuse(p, AGENTCHAT_E_INVALID,
                      out->path.ptr == NULL ? "it has no path"
                      : ops[op].has_from    ? "it has no from"
                                            : "it has no value",
                      err);
    return AGENTCHAT_OK;
}

static agentchat_status apply_all(patching *p, agentchat_str patch, agentchat_error *err)
{
    agentchat_json_walk walk;
    agentchat_status status = AGENTCHAT_OK;

    if (*patch.ptr != '[')
        return aci_fail(err, AGENTCHAT_E_INVALID, "a JSON Patch is an array of operations");
    (void)agentchat_json_walk_into(&walk, patch);
    while (status >= 0 && agentchat_json_walk_next(&walk)) {
        operation o;

        p->number++;
        p->op = p->path = AGENTCHAT_STR("?");
        status = read_operation(p, walk.value, &o, err);
        if (status >= 0)
            status = apply(p, &o, err);
        if (status >= 0 && (p->steps > MOST_STEPS || p->copied > p->most_copied))
            status = refuse(p, AGENTCHAT_E_LIMIT, "the patch moves or copies too much", err);
    }
    return status;
}

/* ==== JSON Merge Patch =========================================================================================== */

/* Merges an object into a part, which becomes one. false: out of memory, or it costs too much. */
static bool merge(patching *p, part *into, const opened *in, agentchat_str patch)
{
    agentchat_json_walk walk;
    opened *o;

    if (*patch.ptr != '{') {
        into->raw = patch;
        into->open = NULL;
        return true;
    }
    if (into->raw.ptr == NULL || !(into->open != NULL ? into->open->is_object : *into->raw.ptr == '{')) {
        into->open = new_container(p, true, in);
        into->raw = AGENTCHAT_STR("{}");
    }
    o = open_part(p, into, in);
    if (o == NULL || !agentchat_json_walk_into(&walk, patch))
        return o != NULL;
    while (agentchat_json_walk_next(&walk) && p->steps <= MOST_STEPS) {
        size_t at;

        p->name.len = 0;
        if (!aci_json_unquote(walk.key, &p->name))
            return false;
        at = find_member(p, o, aci_buf_str(&p->name));
        at = at < o->count ? at : o->count;
        if (*walk.value.ptr == 'n') {
            if (at < o->count)
                remove_part(p, o, at);
        } else if ((at == o->count && !add_part(p, o, at, (part){.name = walk.key})) ||
                   !merge(p, &o->parts[at], o, walk.value)) {
            return false;
        }
    }
    return true;
}

/* ==== calls ====================================================================================================== */

static agentchat_status patch_text(patching *p, agentchat_str patch, bool merges, aci_buf *out, agentchat_error *err)
{
    uint32_t depth = p->env->limits.max_depth;
    agentchat_str ignored;
    agentchat_status status = AGENTCHAT_OK;

    if (!merges)
        status = apply_all(p, patch, err);
    else if (!merge(p, &p->root, NULL, patch))
        status = aci_fail_nomem(err);
    if (status < 0)
        return status;
    if (p->steps > MOST_STEPS)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the merge patch looks at too many members");
    if (write_part(p, &p->root, depth, out))
        return aci_json_check(p->env, aci_buf_str(out), depth, &ignored, NULL, err);
    return p->is_too_deep ? aci_fail(err, AGENTCHAT_E_LIMIT, "the patched document is nested too deeply")
                          : aci_fail_nomem(err);
}

static agentchat_status patch_document(const agentchat_env *env, agentchat_str document, agentchat_str patch,
                                       bool merges, agentchat_bytes *out, agentchat_error *err)
{
    patching p = {.env = aci_env(env)};
    agentchat_status status;
    aci_buf text;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    status = aci_json_check(p.env, document, p.env->limits.max_depth, &p.root.raw, NULL, err);
    if (status < 0)
        aci_error_prefix(err, "the document");
    if (status >= 0) {
        status = aci_json_check(p.env, patch, p.env->limits.max_depth, &patch, NULL, err);
        if (status < 0)
            aci_error_prefix(err, "the patch");
    }
    if (status < 0)
        return status;
    p.most_copied = MOST_COPIED + COPIED_FOR_EACH * (p.root.raw.len + patch.len);
    p.arena = aci_arena_new(p.env, 0);
    if (p.arena == NULL)
        return aci_fail_nomem(err);
    aci_buf_init(&text, p.env, SIZE_MAX);
    aci_buf_init(&p.name, p.env, SIZE_MAX);
    status = patch_text(&p, patch, merges, &text, err);
    if (status >= 0)
        status = aci_buf_append_bytes(out, p.env, aci_buf_str(&text), err);
    aci_buf_clear(&text);
    aci_buf_clear(&p.name);
    aci_arena_unref(p.arena);
    return status;
}

agentchat_status agentchat_json_patch(const agentchat_env *env, agentchat_str document, agentchat_str patch,
                                      agentchat_bytes *out, agentchat_error *err)
{
    return patch_document(env, document, patch, false, out, err);
}

agentchat_status agentchat_json_merge_patch(const agentchat_env *env, agentchat_str document, agentchat_str patch,
                                            agentchat_bytes *out, agentchat_error *err)
{
    return patch_document(env, document, patch, true, out, err);
}
