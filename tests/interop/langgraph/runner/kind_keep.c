/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of the list reducer of LangGraph's page, alone and in graphs. Values are taken as they are spelled: integers of
   any size are among them. */
#include "integers.h"
#include "kinds.h"

#include "support/test_support.h"
#include <agentchat/json_text.h>
#include <string.h>

static agentchat_str member(agentchat_str object, const char *name)
{
    return agentchat_json_find(object, agentchat_str_from(name));
}

static bool is_null(agentchat_str value)
{
    return agentchat_json_kind_of(value) == AGENTCHAT_JSON_NULL;
}

/* Whether two values are equal, however they are spelled. */
static bool is_equal(agentchat_str a, agentchat_str b)
{
    json_t *one = integers_load(a), *other = integers_load(b);
    bool same = one != NULL && json_equal(one, other);

    json_decref(one);
    json_decref(other);
    return same;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

#define UNKNOWN "an update that no reducer understands is refused here, there the list becomes null"

/* Updates that make null there. */
static bool is_unknown(agentchat_str update)
{
    agentchat_json_kind kind = agentchat_json_kind_of(update);
    agentchat_str type = member(update, "type");

    return kind == AGENTCHAT_JSON_OBJECT ? (type.ptr != NULL && !agentchat_json_equal(type, AGENTCHAT_STR("keep"))) ||
                                               member(update, "$tuple").ptr != NULL
                                         : kind != AGENTCHAT_JSON_ARRAY;
}

/* ---- one update -------------------------------------------------------------------------------------------------- */

static verdict decide(agentchat_str line, const json_t *one, agentchat_status status, const agentchat_bytes *list)
{
    static const verdict_rule none = {NULL, NULL, 0, NULL, AGENTCHAT_OK};
    agentchat_str output = member(line, "output");

    if (status == AGENTCHAT_E_INVALID && is_null(output) && is_unknown(member(line, "update")))
        return (verdict){VERDICT_DIFFERENT, UNKNOWN};
    if (status < 0 || output.ptr == NULL)
        return verdict_of_error(one, status, &none);
    return verdict_of(is_equal((agentchat_str){list->ptr, list->len}, output));
}

/* A text, or a tuple, of which Python takes a slice. */
static bool is_other_sequence(agentchat_str existing)
{
    return agentchat_json_kind_of(existing) == AGENTCHAT_JSON_STRING || member(existing, "$tuple").ptr != NULL;
}

static verdict keep_alone(const kind_case *c)
{
    agentchat_bytes list = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    agentchat_status status = agentchat_json_list_reduce(NULL, member(c->line, "existing"), member(c->line, "update"),
                                                         NULL, NULL, &list, &err);
    verdict found = decide(c->line, c->one, status, &list);

    agentchat_bytes_clear(&list);
    if (found.kind == VERDICT_FAILING && status == AGENTCHAT_E_INVALID &&
        is_other_sequence(member(c->line, "existing")) && !json_is_array(json_object_get(c->one, "output")))
        return (verdict){VERDICT_DIFFERENT, "what is updated must be a list, not a text or a tuple"};
    return found;
}

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

/* A graph's list while its updates come. */
typedef struct graph {
    agentchat_bytes list;
    agentchat_status status; /* of the last update */
    agentchat_str refused;   /* the update that was refused, if one was */
} graph;

/* An object for overwriting is spelled as LangGraph's dict. */
static void update_one(graph *g, agentchat_str update)
{
    agentchat_bytes next = AGENTCHAT_BYTES_INIT, spelled = AGENTCHAT_BYTES_INIT;
    agentchat_str value = member(update, "$overwrite");
    agentchat_error err;

    if (g->status < 0)
        return;
    if (value.ptr != NULL) {
        test_ok(agentchat_bytes_append(&spelled, AGENTCHAT_STR("{\"__overwrite__\":"), &err), &err);
        test_ok(agentchat_bytes_append(&spelled, value, &err), &err);
        test_ok(agentchat_bytes_append(&spelled, AGENTCHAT_STR("}"), &err), &err);
    }
    g->status = agentchat_json_list_reduce(NULL, (agentchat_str){g->list.ptr, g->list.len},
                                           value.ptr != NULL ? (agentchat_str){spelled.ptr, spelled.len} : update, NULL,
                                           NULL, &next, &err);
    g->refused = g->status < 0 ? update : (agentchat_str){NULL, 0};
    agentchat_bytes_clear(&spelled);
    if (g->status >= 0) {
        agentchat_bytes_clear(&g->list);
        g->list = next;
    }
}

static bool overwrites(agentchat_str update)
{
    agentchat_str type = member(update, "type");

    return member(update, "$overwrite").ptr != NULL || member(update, "__overwrite__").ptr != NULL ||
           agentchat_json_equal(type, AGENTCHAT_STR("__overwrite__"));
}

/* Whether nodes that run at once overwrite, which is a matter of the graph. */
static bool overwrites_together(agentchat_str updates)
{
    agentchat_json_walk step, node;

    agentchat_json_walk_into(&step, updates);
    while (agentchat_json_walk_next(&step)) {
        agentchat_json_walk_into(&node, member(step.value, "$together"));
        while (agentchat_json_walk_next(&node))
            if (overwrites(node.value))
                return true;
    }
    return false;
}

static void update_step(graph *g, agentchat_str step)
{
    agentchat_str together = member(step, "$together");
    agentchat_json_walk node;

    if (together.ptr == NULL) {
        update_one(g, step);
        return;
    }
    agentchat_json_walk_into(&node, together);
    while (agentchat_json_walk_next(&node))
        update_one(g, node.value);
}

/* What comes of a refused update: null there, or the case's error. */
static verdict decide_refused(const kind_case *c, const graph *g, agentchat_str state)
{
    static const verdict_rule none = {NULL, NULL, 0, NULL, AGENTCHAT_OK};
    agentchat_str value = member(g->refused, "$overwrite");

    if (state.ptr == NULL)
        return verdict_of_error(c->one, g->status, &none);
    if (value.ptr != NULL && agentchat_json_kind_of(value) != AGENTCHAT_JSON_ARRAY)
        return is_equal(value, state) ? (verdict){VERDICT_DIFFERENT, "a list is overwritten by a list only"}
                                      : verdict_of(false);
    return is_null(state) && is_unknown(g->refused) ? (verdict){VERDICT_DIFFERENT, UNKNOWN} : verdict_of(false);
}

static bool is_state(const graph *g, agentchat_str state)
{
    return is_equal(g->list.len > 0 ? (agentchat_str){g->list.ptr, g->list.len} : AGENTCHAT_STR("[]"), state);
}

static verdict keep_in_graph(const kind_case *c)
{
    graph g = {AGENTCHAT_BYTES_INIT, AGENTCHAT_OK, {NULL, 0}};
    agentchat_json_walk step, state;
    verdict found = verdict_of(true);
    bool more;

    if (overwrites_together(member(c->line, "updates")))
        return verdict_skipped("nodes that overwrite at once, which is a matter of graphs");
    if (member(c->line, "initial").ptr != NULL)
        update_one(&g, member(c->line, "initial"));
    agentchat_json_walk_into(&state, member(c->line, "states"));
    agentchat_json_walk_into(&step, member(c->line, "updates"));
    more = agentchat_json_walk_next(&state);
    if (!more || !is_state(&g, state.value))
        found = verdict_of(false);
    while (found.kind == VERDICT_EQUAL && g.status >= 0 && agentchat_json_walk_next(&step)) {
        more = agentchat_json_walk_next(&state);
        update_step(&g, step.value);
        if (g.status < 0)
            found = decide_refused(c, &g, more ? state.value : (agentchat_str){NULL, 0});
        else if (!more || !is_state(&g, state.value))
            found = verdict_of(false);
    }
    if (found.kind == VERDICT_EQUAL && g.status >= 0 &&
        (agentchat_json_walk_next(&state) || member(c->line, "error").ptr != NULL))
        found = verdict_of(false);
    agentchat_bytes_clear(&g.list);
    return found;
}

verdict kind_keep(const kind_case *c)
{
    return member(c->line, "updates").ptr != NULL ? keep_in_graph(c) : keep_alone(c);
}
