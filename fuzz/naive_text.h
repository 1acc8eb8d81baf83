/* SPDX-License-Identifier: Apache-2.0 */
/* What text, JSON and base64 are, said as plainly as possible: what the library accepts is held against this. */
#ifndef AGENTCHAT_FUZZ_NAIVE_TEXT_H
#define AGENTCHAT_FUZZ_NAIVE_TEXT_H

#include "fuzz.h"

/* UTF-8 in which a lone surrogate may stand, as one of an escape does; two that make a pair may not. */
bool naive_is_text(agentchat_str text);

typedef enum naive_json {
    NAIVE_JSON_GOOD,
    NAIVE_JSON_BAD,
    NAIVE_JSON_DEEP,        /* good, but with more than max_depth containers inside each other */
    NAIVE_JSON_BAD_AND_DEEP /* either may be found first */
} naive_json;

/* One JSON value (RFC 8259) with whitespace around it; *value is it without that. */
naive_json naive_json_check(agentchat_str text, size_t max_depth, agentchat_str *value);

/* Decodes base64 (RFC 4648, section 4, padded, spare bits zero) into out, which has room for text.len bytes. */
bool naive_base64_decode(agentchat_str text, char *out, size_t *len);
/* Encodes; out has room for bytes.len / 3 * 4 + 4. Returns the length. */
size_t naive_base64_encode(agentchat_str bytes, char *out);

/* A copy in a block of exactly its size, so that a sanitizer sees what is read beyond it or kept. free() it. */
char *naive_lend(agentchat_str *text);

#endif
