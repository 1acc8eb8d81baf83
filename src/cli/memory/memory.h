/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on the long-term memory of a store. */
#ifndef CLI_MEMORY_MEMORY_H
#define CLI_MEMORY_MEMORY_H

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include <agentchat/memory.h>

extern const cli_command cli_memory_group, cli_work_group;
extern const cli_command cli_memory_put, cli_memory_get, cli_memory_delete, cli_memory_search, cli_memory_namespaces,
    cli_memory_stats, cli_memory_sweep, cli_memory_reindex, cli_memory_export, cli_memory_import, cli_memory_log,
    cli_memory_undo;

/* ==== arguments and pages ======================================================================================== */

/* The exit status of a failure, which is reported: a conflict and what is not there are answers. */
int cli_memory_fail(cli_store *s, agentchat_status status);
/* An option's number, or time, where it is given. false: it is none, which was reported. */
bool cli_memory_limit(const cli_command *self, const char *name, const char *text, bool may_be_zero, size_t *out);
bool cli_memory_span(const cli_command *self, const char *name, const char *text, int64_t *out);
/* The end of a page, as text and as JSON: how to get the next one. */
void cli_memory_print_cursor(const char *cursor);
void cli_memory_end_items(cli_json *json, const char *cursor);

/* The labels of a namespace as a member of a JSON object. */
void cli_memory_print_labels(cli_json *json, const char *ns);
/* A number, as text or as the only member of a JSON object. */
void cli_memory_print_number(const char *name, uint64_t number, bool as_json);

/* ==== vectors ==================================================================================================== */

/* Vectors of a file, one after the other. */
typedef struct cli_vectors {
    float *numbers;
    size_t count, dimensions;
} cli_vectors;
/* Reads a JSON array of numbers, or an array of such arrays; "-" is standard input, NULL no vector. false: that was
   reported. */
bool cli_vectors_read(const char *name, cli_vectors *out);
void cli_vectors_free(cli_vectors *vectors);

/* What runs a shell command as an embedder: it reads a JSON string a line, and writes a JSON array of numbers a line.
   command NULL: that of the variable AGENTCHAT_EMBEDDER. NULL: there is none. */
const agentchat_memory_embedder *cli_embedder(const char *command, const char *model, agentchat_memory_embedder *out);

#endif
