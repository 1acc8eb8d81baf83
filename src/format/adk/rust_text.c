/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text and JSON that serde_json, with which ADK-Rust reads, takes: what it refuses fails the whole event. It has no
 * lone surrogates, no number beyond a double's range, and no more than 127 levels of arrays and objects.
 */
#include "format/adk/rust.h"

#include "json/value.h"

enum {
    MOST_LEVELS = 127,
    DOUBLE_PLACES = 309 /* before the point of the greatest double */
};
/* serde_json rounds long numbers on the way, so those that are near the greatest double are taken for greater. */
static const char greatest[] = "1797693134862315";

void aci_adk_rust_text(aci_out *out, const aci_location *path, agentchat_str text)
{
    aci_out_clean_text(out, path, text, "ADK-Rust");
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* The next number of a raw value that is long or has an exponent; absent when there is none. */
static agentchat_str next_number(const char *at, const char *end)
{
    while (at < end) {
        const char *from = at;

        if (*at == '"') {
            for (at++; *at != '"'; at++)
                at += *at == '\\';
            at++;
            continue;
        }
        while (at < end && strchr("+-.eE0123456789", *at) != NULL && *at != '\0')
            at++;
        if (at > from && *from != 'e' && /* of true and false */
            (at - from >= DOUBLE_PLACES || memchr(from, 'e', (size_t)(at - from)) != NULL ||
             memchr(from, 'E', (size_t)(at - from)) != NULL))
            return (agentchat_str){from, (size_t)(at - from)};
        at += at == from;
    }
    return (agentchat_str){NULL, 0};
}

/* Whether a number in its canonical form (docs/formats/digest.md) is too great for a double. */
static bool is_too_great(agentchat_str canonical)
{
    size_t sign = *canonical.ptr == '-', digits = 0, len;
    int64_t exponent = 0;
    int order;

    while (sign + digits < canonical.len && canonical.ptr[sign + digits] != 'e')
        digits++;
    len = sign + digits;
    if (len < canonical.len &&
        !aci_json_integer((agentchat_str){canonical.ptr + len + 1, canonical.len - len - 1}, &exponent))
        return canonical.ptr[len + 1] != '-';
    if (exponent > DOUBLE_PLACES || (int64_t)digits + exponent > DOUBLE_PLACES)
        return true;
    if ((int64_t)digits + exponent < DOUBLE_PLACES)
        return false;
    len = digits < sizeof greatest - 1 ? digits : sizeof greatest - 1;
    order = memcmp(canonical.ptr + sign, greatest, len);
    return order > 0 || (order == 0 && digits > sizeof greatest - 1);
}

/* Appends json with numbers that are too great replaced by the greatest. *count: how many. false: out of memory. */
static bool with_smaller_numbers(agentchat_str json, aci_buf *scratch, aci_buf *out, size_t *count)
{
    const char *at = json.ptr, *end = json.ptr + json.len;
    agentchat_str number;
    bool ok = true;

    *count = 0;
    while (ok && (number = next_number(at, end)).ptr != NULL) {
        const char *rest = number.ptr + number.len;

        scratch->len = 0;
        ok = aci_json_canonical_number(number, scratch);
        if (ok && is_too_great(aci_buf_str(scratch))) {
            const char *smaller = *number.ptr == '-' ? "-1.797693134862315e308" : "1.797693134862315e308";

            ok = aci_buf_add(out, at, (size_t)(number.ptr - at)) && aci_buf_add(out, smaller, strlen(smaller));
            (*count)++;
        } else {
            ok = ok && aci_buf_add(out, at, (size_t)(rest - at));
        }
        at = rest;
    }
    return ok && aci_buf_add(out, at, (size_t)(end - at));
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

bool aci_adk_rust_is_too_deep(const aci_out *out, agentchat_str json)
{
    return out->w.depth + json.len / 2 > MOST_LEVELS && /* a level takes two bytes at least */
           out->w.depth + aci_json_depth_of(json) > MOST_LEVELS;
}

void aci_adk_rust_json(aci_out *out, const aci_location *path, agentchat_str json)
{
    aci_buf clean, scratch, smaller;
    size_t count = 0;

    if (aci_adk_rust_is_too_deep(out, json)) {
        aci_out_lost(out, path, "the value was left out: ADK-Rust reads no more than %d levels", MOST_LEVELS);
        aci_writer_null(&out->w);
        return;
    }
    aci_buf_init(&clean, out->env, SIZE_MAX);
    aci_buf_init(&scratch, out->env, SIZE_MAX);
    aci_buf_init(&smaller, out->env, SIZE_MAX);
    json = aci_out_clean_json(out, path, json, "ADK-Rust", &clean);
    if (json.len > 0 && next_number(json.ptr, json.ptr + json.len).ptr != NULL) {
        if (!with_smaller_numbers(json, &scratch, &smaller, &count))
            aci_out_nomem(out);
        json = aci_buf_str(&smaller);
    }
    if (count > 0)
        aci_out_lost(out, path, "a number that is too great for a double was replaced by the greatest");
    aci_writer_raw(&out->w, json);
    aci_buf_clear(&clean);
    aci_buf_clear(&scratch);
    aci_buf_clear(&smaller);
}
