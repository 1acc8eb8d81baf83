/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON schemas of schemas/, built into the tool by embed_schemas.cmake. */
#ifndef CLI_CHAT_SCHEMAS_H
#define CLI_CHAT_SCHEMAS_H

#include <stddef.h>

typedef struct cli_schema {
    const char *name; /* the file's name without ".schema.json" */
    const unsigned char *text;
    size_t len;
} cli_schema;

extern const cli_schema cli_schemas[];
extern const size_t cli_schema_count;

#endif
