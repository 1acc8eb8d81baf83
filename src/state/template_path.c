/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding what many paths lead to in one walk through each value.
 *
 * Of members of one name the last one counts. Each time a value is met for a node it counts as a visit, and a child
 * remembers the visit of its parent in which it was met: what was found below an earlier member of the same name is
 * known by that, and need not be taken back.
 */
#include "state/template.h"

#include "base/error.h"
#include "json/reader.h"
#include <stdio.h>
#include <string.h>

void aci_template_paths_begin(aci_template_paths *paths, const agentchat_env *env)
{
    memset(paths, 0, sizeof *paths);
    paths->env = env;
    aci_buf_init(&paths->scratch, env, SIZE_MAX);
}

void aci_template_paths_clear(aci_template_paths *paths)
{
    aci_arena_unref(paths->arena);
    aci_index_clear(&paths->index, paths->env);
    aci_buf_clear(&paths->scratch);
    aci_free(paths->env, paths->nodes, paths->cap * sizeof *paths->nodes);
    aci_free(paths->env, paths->levels, paths->levels_cap * sizeof *paths->levels);
}

/* ---- asking --------------------------------------------------------------------------------------------------- */

/* Finds the node of a name below a parent; ACI_INDEX_NONE when there is none. Its text in the index is left in scratch.
   false: out of memory. */
static bool find(aci_template_paths *paths, size_t parent, agentchat_str name, size_t *node)
{
    paths->scratch.len = 0;
    if (!aci_buf_add(&paths->scratch, &parent, sizeof parent) || !aci_buf_add_str(&paths->scratch, name))
        return false;
    *node = aci_index_find(&paths->index, aci_buf_str(&paths->scratch));
    return true;
}

static bool add_node(aci_template_paths *paths, size_t parent, agentchat_str value, size_t *node)
{
    void *nodes = paths->nodes;
    agentchat_str text;
    bool ok = true;

    if (paths->arena == NULL)
        paths->arena = aci_arena_new(paths->env, 0);
    if (paths->arena == NULL || !aci_grow(paths->env, &nodes, &paths->cap, paths->count, sizeof *paths->nodes))
        return false;
    paths->nodes = nodes;
    text = aci_arena_copy(paths->arena, aci_buf_str(&paths->scratch), &ok);
    if (!ok || !aci_index_put(&paths->index, paths->env, text, paths->count))
        return false;
    *node = paths->count++;
    paths->nodes[*node] = (aci_template_path_node){parent, value, 0, 0, false};
    if (parent != ACI_INDEX_NONE)
        paths->nodes[parent].has_children = true;
    return true;
}

static bool find_or_add(aci_template_paths *paths, size_t parent, agentchat_str name, agentchat_str value, size_t *node)
{
    return find(paths, parent, name, node) && (*node != ACI_INDEX_NONE || add_node(paths, parent, value, node));
}

static bool is_too_deep(agentchat_str path)
{
    size_t names = 1;

    for (size_t i = 0; i < path.len; i++)
        names += path.ptr[i] == '.';
    return names > ACI_HIGHEST_MAX_DEPTH;
}

bool aci_template_paths_want(aci_template_paths *paths, agentchat_str key, agentchat_str value, agentchat_str path,
                             size_t *node)
{
    static const agentchat_str absent = {NULL, 0};
    const char *name = path.ptr, *end = path.ptr + path.len;

    *node = ACI_INDEX_NONE;
    if (is_too_deep(path))
        return true;
    if (!find_or_add(paths, ACI_INDEX_NONE, key, value, node))
        return false;
    for (;;) {
        const char *dot = memchr(name, '.', (size_t)(end - name));
        agentchat_str step = {name, (size_t)((dot != NULL ? dot : end) - name)};

        if (!find_or_add(paths, *node, step, absent, node))
            return false;
        if (dot == NULL)
            return true;
        name = dot + 1;
    }
}

/* ---- walking -------------------------------------------------------------------------------------------------- */

/* The next value is one for this node: opens it when something inside is wanted, else keeps its raw text. */
static bool meet(aci_template_paths *paths, aci_json_reader *r, size_t node)
{
    aci_template_path_node *n = &paths->nodes[node];
    aci_json_kind kind = aci_json_peek(r);
    void *levels = paths->levels;

    n->visit = ++paths->visits;
    if (n->parent != ACI_INDEX_NONE)
        n->parent_visit = paths->nodes[n->parent].visit;
    if (!n->has_children || (kind != ACI_JSON_OBJECT && kind != ACI_JSON_ARRAY))
        return aci_json_raw(r, &n->value);
    if (!aci_grow(paths->env, &levels, &paths->levels_cap, paths->depth, sizeof *paths->levels))
        return false;
    paths->levels = levels;
    paths->levels[paths->depth++] = (aci_template_path_level){node, aci_json_offset(r), 0};
    return kind == ACI_JSON_OBJECT ? aci_json_object(r) : aci_json_array(r);
}

/* Goes to the next member or element of the innermost container; false at its end. */
static bool next_inside(aci_template_path_level *level, aci_json_reader *r, char digits[24], agentchat_str *name)
{
    if (r->frames[r->depth - 1].is_object)
        return aci_json_member(r, name);
    if (!aci_json_element(r))
        return false;
    *name = (agentchat_str){digits, (size_t)snprintf(digits, 24, "%zu", level->index++)};
    return true;
}

static bool walk_inside(aci_template_paths *paths, aci_json_reader *r)
{
    while (paths->depth > 0 && !aci_json_failed(r)) {
        aci_template_path_level *level = &paths->levels[paths->depth - 1];
        agentchat_str name, ignored;
        char digits[24];
        size_t node;

        if (!next_inside(level, r, digits, &name)) {
            paths->nodes[level->node].value =
                (agentchat_str){r->begin + level->start, (size_t)(r->cursor - r->begin) - level->start};
            paths->depth--;
        } else if (!find(paths, level->node, name, &node) ||
                   !(node != ACI_INDEX_NONE ? meet(paths, r, node) : aci_json_raw(r, &ignored))) {
            return false;
        }
    }
    return !aci_json_failed(r);
}

static bool walk(aci_template_paths *paths, size_t root)
{
    agentchat_str value = paths->nodes[root].value;
    aci_json_options options = {.env = paths->env, .arena = paths->arena, .max_depth = ACI_HIGHEST_MAX_DEPTH};
    aci_json_reader r;
    bool ok;

    paths->depth = 0;
    /* The reader takes writable text for decoding in place, which is not asked for here. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)value.ptr, value.len, NULL);
    ok = meet(paths, &r, root) && walk_inside(paths, &r);
    (void)aci_json_close(&r);
    return ok;
}

bool aci_template_paths_resolve(aci_template_paths *paths)
{
    for (size_t node = 0; node < paths->count; node++)
        if (paths->nodes[node].parent == ACI_INDEX_NONE && !walk(paths, node))
            return false;
    return true;
}

agentchat_str aci_template_paths_value(const aci_template_paths *paths, size_t node)
{
    static const agentchat_str absent = {NULL, 0};

    for (size_t at = node; at != ACI_INDEX_NONE; at = paths->nodes[at].parent) {
        const aci_template_path_node *n = &paths->nodes[at];

        if (n->value.ptr == NULL || (n->parent != ACI_INDEX_NONE && n->parent_visit != paths->nodes[n->parent].visit))
            return absent;
    }
    return node != ACI_INDEX_NONE ? paths->nodes[node].value : absent;
}
