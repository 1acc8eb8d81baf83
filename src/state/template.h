/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What templates are rendered with: placeholders, paths into values, values as text.
 *
 * A template is scanned twice: once to find out what it names, each name once however often it stands there, and once
 * to write the result. Between the two every value that a path leads into is walked once for all paths. So the cost is
 * that of the template, of the values that it names and of the result, whatever their shape.
 */
#ifndef ACI_STATE_TEMPLATE_H
#define ACI_STATE_TEMPLATE_H

#include "base/arena.h"
#include "base/error.h"
#include "state/state.h"
#include <agentchat/template.h>

/* ---- placeholders (template_placeholder.c) ---------------------------------------------------------------------- */

typedef enum aci_template_placeholder_kind {
    ACI_PLACEHOLDER_KEY,
    ACI_PLACEHOLDER_ARTIFACT,
    ACI_PLACEHOLDER_TEXT /* an escaped placeholder: `name` is what stands there in the result */
} aci_template_placeholder_kind;

typedef struct aci_template_placeholder {
    aci_template_placeholder_kind kind;
    bool optional;
    size_t begin, end;   /* in the template, braces included */
    agentchat_str name;  /* a view into the template; an artifact's without the prefix, which stands right before it */
    const char *refused; /* what the dialect has against it; NULL: nothing */
} aci_template_placeholder;

#define ACI_ARTIFACT_PREFIX "artifact."

/* The next placeholder at or after `from`; what stands before it is text. false: there is none. text is UTF-8. */
bool aci_template_placeholder_next(agentchat_template_dialect dialect, agentchat_str text, size_t from,
                                   aci_template_placeholder *placeholder);

/* Whether adk-python accepts text as an identifier, as well as can be decided without tables of all characters. */
bool aci_template_python_is_identifier(agentchat_str text);

/* ---- what is missing (template_missing.c) ---------------------------------------------------------------------- */

#define ACI_MISSING_SIZE sizeof(((agentchat_error *)NULL)->message)

/* All zero: nothing is. */
typedef struct aci_template_missing {
    size_t first;                /* offset of the first one in the template */
    size_t count, left_out;      /* left_out: of the count those that the list has no room for */
    char list[ACI_MISSING_SIZE]; /* `{name} at offset, …`, len bytes without a NUL */
    size_t len;
} aci_template_missing;

void aci_template_missing_add(aci_template_missing *missing, agentchat_str name, size_t offset);
void aci_template_missing_message(const aci_template_missing *missing, char out[ACI_MISSING_SIZE]);

/* ---- paths (template_path.c) ---------------------------------------------------------------------------------- */

typedef struct aci_template_path_node {
    size_t parent;       /* ACI_INDEX_NONE: the value of a key */
    agentchat_str value; /* what was found, newest visit */
    uint64_t visit, parent_visit;
    bool has_children;
} aci_template_path_node;

typedef struct aci_template_path_level {
    size_t node;
    size_t start; /* of the container in the value */
    size_t index; /* of the next element */
} aci_template_path_level;

/* Paths that are wanted, as a tree whose roots are keys: two paths share what they have in common. */
typedef struct aci_template_paths {
    const agentchat_env *env;
    aci_arena *arena; /* of the texts in the index; NULL until there is one */
    aci_index index;  /* nodes by parent and name */
    aci_buf scratch;  /* such a text while it is looked for */
    aci_template_path_node *nodes;
    size_t count, cap;
    aci_template_path_level *levels; /* the open containers of the value that is walked through */
    size_t depth, levels_cap;
    uint64_t visits;
} aci_template_paths;

void aci_template_paths_begin(aci_template_paths *paths, const agentchat_env *env);
/* Asks for what `path` (names and numbers between dots) leads to in the value of a key. *node is ACI_INDEX_NONE for a
   path that is deeper than any value. key and value must live as long as the paths. false: out of memory. */
bool aci_template_paths_want(aci_template_paths *paths, agentchat_str key, agentchat_str value, agentchat_str path,
                             size_t *node);
/* Walks through the values. false: out of memory. */
bool aci_template_paths_resolve(aci_template_paths *paths);
/* What a path leads to, as it is spelled; absent when it leads nowhere. */
agentchat_str aci_template_paths_value(const aci_template_paths *paths, size_t node);
void aci_template_paths_clear(aci_template_paths *paths);

/* ---- values (template_value.c, template_object.c, template_number.c, template_python.c) ------------------------- */

/* The text of validated JSON in a dialect: a view of it, or what was appended to `made`, which is empty before.
   false: out of memory. */
bool aci_template_value(agentchat_template_dialect dialect, agentchat_str json, aci_buf *made, agentchat_str *text);

/* Appends an object or array as the language of an ADK dialect writes it. false: out of memory. */
bool aci_template_object(agentchat_template_dialect dialect, agentchat_str json, aci_buf *out);
/* The same of a number, */
bool aci_template_number(agentchat_template_dialect dialect, agentchat_str number, aci_buf *out);
/* and of a string as Python shows it inside a container. */
bool aci_template_python_quote(agentchat_str wtf8, aci_buf *out);

#endif
