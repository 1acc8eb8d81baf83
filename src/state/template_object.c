/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects and arrays as the languages of the ADK dialects write them.
 *
 * Rust's maps are sorted by name; Python's keep the position at which a name came first. In both the last of several
 * members of one name counts. What an object holds is written as it comes and put in order when the object ends.
 */
#include "state/template.h"

#include "json/value.h"
#include <stdlib.h>

typedef struct member {
    agentchat_str name; /* WTF-8 */
    size_t at, len;     /* `name: value` in the output */
    size_t position;    /* among the members, in the end */
} member;

typedef struct level {
    bool is_object;
    size_t start; /* in the output, after the bracket */
    size_t first; /* its first member */
} level;

typedef struct container {
    const agentchat_env *env;
    bool python;
    aci_buf *out;
    aci_buf scratch;
    member *members; /* of all open objects */
    size_t member_count, member_cap;
    level *levels;
    size_t depth, level_cap;
    aci_arena *arena; /* of names with escapes */
    aci_json_reader r;
} container;

/* ---- order ---------------------------------------------------------------------------------------------------- */

static int compare_sizes(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int by_name(const void *left, const void *right)
{
    const member *a = left, *b = right;
    int order = memcmp(a->name.ptr, b->name.ptr, a->name.len < b->name.len ? a->name.len : b->name.len);

    if (order == 0)
        order = compare_sizes(a->name.len, b->name.len);
    return order != 0 ? order : compare_sizes(a->position, b->position);
}

static int by_position(const void *left, const void *right)
{
    return compare_sizes(((const member *)left)->position, ((const member *)right)->position);
}

/* Of members of one name, which are neighbours, the last one takes the place of the first. Returns how many are left.
 */
static size_t drop_doubles(member *list, size_t count)
{
    size_t kept = 1;

    for (size_t i = 1; i < count; i++) {
        if (agentchat_str_equal(list[i].name, list[kept - 1].name)) {
            list[kept - 1].at = list[i].at;
            list[kept - 1].len = list[i].len;
        } else {
            list[kept++] = list[i];
        }
    }
    return kept;
}

static agentchat_str comma(const container *c)
{
    return c->python ? AGENTCHAT_STR(", ") : AGENTCHAT_STR(",");
}

/* Writes the members of an object anew, in the order of the list. */
static bool put_in_order(container *c, size_t start, const member *list, size_t count)
{
    c->scratch.len = 0;
    for (size_t i = 0; i < count; i++)
        if ((i > 0 && !aci_buf_add_str(&c->scratch, comma(c))) ||
            !aci_buf_add(&c->scratch, c->out->ptr + list[i].at, list[i].len))
            return false;
    c->out->len = start;
    return aci_buf_add_str(c->out, aci_buf_str(&c->scratch));
}

static bool order_members(container *c, const level *l)
{
    size_t count = c->member_count - l->first, kept;
    member *list;

    if (count < 2)
        return true;
    list = c->members + l->first;
    qsort(list, count, sizeof *list, by_name);
    kept = drop_doubles(list, count);
    if (c->python && kept == count)
        return true; /* the text is in the right order already */
    if (c->python)
        qsort(list, kept, sizeof *list, by_position);
    return put_in_order(c, l->start, list, kept);
}

/* ---- walking -------------------------------------------------------------------------------------------------- */

static bool put_name(container *c, agentchat_str name)
{
    void *members = c->members;

    if (!aci_grow(c->env, &members, &c->member_cap, c->member_count, sizeof *c->members))
        return false;
    c->members = members;
    c->members[c->member_count] = (member){name, c->out->len, 0, c->member_count};
    c->member_count++;
    if (c->python)
        return aci_template_python_quote(name, c->out) && aci_buf_add(c->out, ": ", 2);
    return aci_json_canonical_string(name, c->out) && aci_buf_add(c->out, ":", 1);
}

static bool put_scalar(container *c, agentchat_str raw)
{
    aci_json_kind kind = aci_json_kind_of(raw);
    bool ok;

    if (kind == ACI_JSON_NUMBER)
        return aci_template_number(c->python ? AGENTCHAT_TEMPLATE_ADK_PYTHON : AGENTCHAT_TEMPLATE_ADK_RUST, raw,
                                   c->out);
    if (kind == ACI_JSON_STRING) {
        c->scratch.len = 0;
        ok = aci_json_unquote(raw, &c->scratch);
        return ok && (c->python ? aci_template_python_quote(aci_buf_str(&c->scratch), c->out)
                                : aci_json_canonical_string(aci_buf_str(&c->scratch), c->out));
    }
    if (c->python)
        raw = kind == ACI_JSON_TRUE    ? AGENTCHAT_STR("True")
              : kind == ACI_JSON_FALSE ? AGENTCHAT_STR("False")
                                       : AGENTCHAT_STR("None");
    return aci_buf_add_str(c->out, raw);
}

static bool open_container(container *c, bool is_object)
{
    void *levels = c->levels;

    if (!aci_grow(c->env, &levels, &c->level_cap, c->depth, sizeof *c->levels))
        return false;
    c->levels = levels;
    if (!aci_buf_add(c->out, is_object ? "{" : "[", 1))
        return false;
    c->levels[c->depth++] = (level){is_object, c->out->len, c->member_count};
    return is_object ? aci_json_object(&c->r) : aci_json_array(&c->r);
}

static bool put_value(container *c)
{
    aci_json_kind kind = aci_json_peek(&c->r);
    agentchat_str raw;

    if (kind == ACI_JSON_OBJECT || kind == ACI_JSON_ARRAY)
        return open_container(c, kind == ACI_JSON_OBJECT);
    return aci_json_raw(&c->r, &raw) && put_scalar(c, raw);
}

/* A value in the innermost container has ended: its member is complete. */
static void end_member(container *c)
{
    if (c->depth > 0 && c->levels[c->depth - 1].is_object && c->member_count > c->levels[c->depth - 1].first)
        c->members[c->member_count - 1].len = c->out->len - c->members[c->member_count - 1].at;
}

static bool close_container(container *c)
{
    const level *l = &c->levels[c->depth - 1];
    bool is_object = l->is_object;

    if (is_object && !order_members(c, l))
        return false;
    c->member_count = l->first;
    c->depth--;
    return aci_buf_add(c->out, is_object ? "}" : "]", 1);
}

/* Goes on after a value; false without a failure of the reader's: out of memory. */
static bool put_next(container *c)
{
    const level *l = &c->levels[c->depth - 1];
    bool first = c->out->len == l->start;
    agentchat_str name;

    end_member(c);
    if (!(l->is_object ? aci_json_member(&c->r, &name) : aci_json_element(&c->r)))
        return !aci_json_failed(&c->r) && close_container(c);
    return (first || aci_buf_add_str(c->out, comma(c))) && (!l->is_object || put_name(c, name)) && put_value(c);
}

bool aci_template_object(agentchat_template_dialect dialect, agentchat_str json, aci_buf *out)
{
    container c = {.env = out->env, .python = dialect == AGENTCHAT_TEMPLATE_ADK_PYTHON, .out = out};
    aci_json_options options = {.env = out->env, .max_depth = ACI_HIGHEST_MAX_DEPTH};
    bool ok;

    aci_buf_init(&c.scratch, out->env, SIZE_MAX);
    c.arena = options.arena = aci_arena_new(out->env, 0);
    /* The reader takes writable text for decoding in place, which is not asked for here. */
    aci_json_begin(&c.r, &options, (char *)(uintptr_t)json.ptr, json.len, NULL);
    ok = c.arena != NULL && put_value(&c);
    while (ok && c.depth > 0)
        ok = put_next(&c);
    (void)aci_json_close(&c.r);
    aci_arena_unref(c.arena);
    aci_buf_clear(&c.scratch);
    aci_free(c.env, c.members, c.member_cap * sizeof *c.members);
    aci_free(c.env, c.levels, c.level_cap * sizeof *c.levels);
    return ok;
}
