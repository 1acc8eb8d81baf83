/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Going from token to token of JSON text that was validated before: no checks, no allocation, no recursion. Each
 * function is given a position before `end` and returns that of the first byte after what stands there.
 */
#ifndef ACI_JSON_TOKENS_H
#define ACI_JSON_TOKENS_H

#include "json/lex.h"

/* The position may be the end here. */
static inline const char *aci_after_whitespace(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p <= ' ')
        p++;
    return p;
}

static inline const char *aci_after_string(const char *p, const char *end)
{
    const char *bad, *close = aci_lex_string(p + 1, end, &bad);

    return close != NULL ? close + 1 : end;
}

/* A string, a number or a word. */
static inline const char *aci_after_scalar(const char *p, const char *end)
{
    if (*p == '"')
        return aci_after_string(p, end);
    while (p < end && *p != ',' && *p != ':' && *p != '}' && *p != ']' && (unsigned char)*p > ' ')
        p++;
    return p;
}

/* Any value. A container is skipped at the speed of aci_json_raw(). */
const char *aci_json_value_end(const char *p, const char *end);

#endif
