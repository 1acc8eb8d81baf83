/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flat index of a JSON value: one pass checks the value and makes an array of nodes, whose members are then reached
 * without a second look at the text.
 *
 * The nodes stand in the order of the text: node 0 is the value itself, a container is followed by what it holds, and
 * in an object each value is preceded by the node of its name. What is valid is what the pull reader accepts, and a
 * fault is reported as the pull reader reports it. An index is made again and again for one record after the other; its
 * nodes refer to the text of the last one, which must stay where it is.
 *
 *     aci_json_index ix;
 *     aci_json_index_init(&ix, env);
 *     while (aci_json_element(&r) && aci_json_index_read(&ix, &r))
 *         for (uint32_t key = aci_json_index_first(&ix, 0); key != 0; key = aci_json_index_next(&ix, 0, key))
 *             if (aci_json_index_is(&ix, key, AGENTCHAT_STR("text")))
 *                 aci_json_index_string(&ix, key + 1, arena, &text);
 *     aci_json_index_clear(&ix);
 */
#ifndef ACI_JSON_INDEX_H
#define ACI_JSON_INDEX_H

#include "json/reader.h"

typedef struct aci_json_node {
    uint32_t begin, end; /* in the text; of a string with its quotes */
    uint32_t after;      /* the first node that is no part of this value; of a name: its value */
    uint8_t kind;        /* aci_json_kind */
    bool is_escaped;     /* a string with escapes: it must be decoded */
    bool is_key;         /* the name of a member, whose value is the next node */
} aci_json_node;

typedef struct aci_json_index {
    const agentchat_env *env;
    const char *text; /* where the value begins */
    aci_json_node *nodes;
    uint32_t count;
    size_t cap;
} aci_json_index;

void aci_json_index_init(aci_json_index *index, const agentchat_env *env); /* env may be NULL */
void aci_json_index_clear(aci_json_index *index);                          /* frees; may be used again */

/* Indexes the value that comes next, as aci_json_raw() takes it. A value of 4 GiB or more is E_LIMIT. */
bool aci_json_index_read(aci_json_index *index, aci_json_reader *r);
/* Indexes a text that is one value, whitespace around it allowed. max_depth 0: the environment's. */
agentchat_status aci_json_index_text(aci_json_index *index, agentchat_str text, uint32_t max_depth, uint32_t flags,
                                     agentchat_error *err);
/* Makes the index of one value of another index, whose text was copied to `text`. false: out of memory. */
bool aci_json_index_part(aci_json_index *index, const aci_json_index *whole, uint32_t node, const char *text);

/* The text of a value or name. */
static inline agentchat_str aci_json_index_raw(const aci_json_index *index, uint32_t node)
{
    const aci_json_node *n = &index->nodes[node];

    return (agentchat_str){index->text + n->begin, n->end - n->begin};
}
static inline aci_json_kind aci_json_index_kind(const aci_json_index *index, uint32_t node)
{
    return (aci_json_kind)index->nodes[node].kind;
}
/* The first element of an array, or the name of the first member of an object; 0 when there is none. */
static inline uint32_t aci_json_index_first(const aci_json_index *index, uint32_t container)
{
    return container + 1 < index->nodes[container].after ? container + 1 : 0;
}
/* The element after an element, or the name after a member's name; 0 after the last. */
static inline uint32_t aci_json_index_next(const aci_json_index *index, uint32_t container, uint32_t node)
{
    uint32_t next = index->nodes[node + index->nodes[node].is_key].after;

    return next < index->nodes[container].after ? next : 0;
}
/* The node of the value or name that begins at a byte; false when none does, or when the byte is of another text. */
bool aci_json_index_at(const aci_json_index *index, const char *begin, uint32_t *node);
/* A string or name, decoded into the arena if it has escapes, else a part of the text. false: out of memory. */
bool aci_json_index_string(const aci_json_index *index, uint32_t node, aci_arena *arena, agentchat_str *out);
/* Whether a string or name is this text once it is decoded. */
bool aci_json_index_is(const aci_json_index *index, uint32_t node, agentchat_str text);
/* The value of the first member with a name; 0 when there is none, or when the node is no object. */
uint32_t aci_json_index_find(const aci_json_index *index, uint32_t object, agentchat_str name);

#endif
