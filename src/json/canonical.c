/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical text of values for digests: RFC 8785, but with numbers by exact value and repeated names kept.
 *
 * One pass over the text writes the canonical form; when an object ends, its members stand side by side in the output
 * and are put in order there, if they are not already. Memory: a record for each member of the objects that are open.
 *
 * Numbers: value = sign * DIGITS * 10^EXP, DIGITS without zeros at either end. Zero of any sign and spelling is `0`,
 * anything else is [-]DIGITS, and `e`EXP when EXP is not 0. EXP is computed in decimal, so it may have any length.
 */
#include "json/value.h"

#include "base/error.h"
#include "json/escape.h"
#include "json/reader_internal.h"
#include <math.h>
#include <stdlib.h>

/* ---- strings -------------------------------------------------------------------------------------------------- */

bool aci_json_canonical_string(agentchat_str wtf8, aci_buf *out)
{
    const char *p = wtf8.ptr, *end = p + wtf8.len;
    size_t before = out->len;
    bool ok = aci_buf_add(out, "\"", 1);

    while (ok && p < end) {
        size_t wanted = (size_t)(end - p), n = 0;

        ok = wanted < SIZE_MAX - ACI_JSON_SPELL_ROOM && aci_buf_reserve(out, wanted + ACI_JSON_SPELL_ROOM);
        if (ok)
            n = aci_json_spell(&p, end, ACI_JSON_UTF8, out->ptr + out->len, out->cap - out->len);
        ok = n > 0;
        out->len += n;
    }
    ok = ok && aci_buf_add(out, "\"", 1);
    if (!ok)
        out->len = before;
    return ok;
}

/* A string as spelled in checked text, quotes included. */
static bool put_string(agentchat_str raw, aci_buf *out, aci_buf *scratch)
{
    if (memchr(raw.ptr, '\\', raw.len) == NULL) /* without escapes it is canonical already */
        return aci_buf_add(out, raw.ptr, raw.len);
    scratch->len = 0;
    return aci_json_unquote(raw, scratch) && aci_json_canonical_string(aci_buf_str(scratch), out);
}

/* ---- numbers -------------------------------------------------------------------------------------------------- */

typedef struct number_parts {
    bool negative, exponent_negative;
    const char *integer, *integer_end, *fraction, *fraction_end, *exponent, *exponent_end;
} number_parts;

static number_parts split_number(agentchat_str text)
{
    const char *p = text.ptr, *end = p + text.len;
    number_parts parts = {0};

    parts.negative = p < end && *p == '-';
    p += parts.negative;
    parts.integer = p;
    parts.integer_end = p = aci_lex_digits(p, end);
    p += p < end && *p == '.';
    parts.fraction = p;
    parts.fraction_end = p = aci_lex_digits(p, end);
    p += p < end; /* e or E */
    parts.exponent_negative = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    while (p < end && *p == '0')
        p++;
    parts.exponent = p;
    parts.exponent_end = end;
    return parts;
}

/* Appends the exponent `text` (no leading zeros, sign apart) moved by `shift`. The text is longer than any shift, so
   the sign stays. */
static bool put_long_exponent(const number_parts *parts, int64_t shift, aci_buf *out)
{
    size_t len = (size_t)(parts->exponent_end - parts->exponent), start;
    bool add = (shift < 0) == parts->exponent_negative;
    uint64_t rest = shift < 0 ? (uint64_t)0 - (uint64_t)shift : (uint64_t)shift;
    unsigned carry = 0;

    if (!aci_buf_reserve(out, len + 3))
        return false;
    (void)aci_buf_add(out, parts->exponent_negative ? "e-" : "e", parts->exponent_negative ? 2 : 1);
    start = out->len;
    out->ptr[start] = '0'; /* for the carry */
    memcpy(out->ptr + start + 1, parts->exponent, len);
    for (size_t i = start + len; i > start && (rest > 0 || carry > 0); i--) {
        unsigned digit = (unsigned)(out->ptr[i] - '0'), operand = (unsigned)(rest % 10) + carry;

        rest /= 10;
        if (add) {
            digit += operand;
            carry = digit > 9;
            digit -= carry * 10;
        } else {
            carry = digit < operand;
            digit = digit + carry * 10 - operand;
        }
        out->ptr[i] = (char)('0' + digit);
    }
    if (carry > 0) /* only of an addition */
        out->ptr[start] = '1';
    out->len = start + 1 + len;
    for (len = 0; out->ptr[start + len] == '0';)
        len++;
    memmove(out->ptr + start, out->ptr + start + len, out->len - start - len);
    out->len -= len;
    return true;
}

static bool put_exponent(const number_parts *parts, int64_t shift, aci_buf *out)
{
    int64_t value = 0;

    if (parts->exponent_end - parts->exponent > 18)
        return put_long_exponent(parts, shift, out);
    for (const char *p = parts->exponent; p < parts->exponent_end; p++)
        value = value * 10 + (*p - '0');
    value = (parts->exponent_negative ? -value : value) + shift;
    return value == 0 || aci_buf_printf(out, "e%lld", (long long)value);
}

bool aci_json_canonical_number(agentchat_str number, aci_buf *out)
{
    number_parts n = split_number(number);
    size_t before = out->len;
    int64_t shift = -(int64_t)(n.fraction_end - n.fraction);
    bool ok;

    while (n.fraction_end > n.fraction && n.fraction_end[-1] == '0') {
        n.fraction_end--;
        shift++;
    }
    if (n.fraction_end == n.fraction)
        for (; n.integer_end > n.integer && n.integer_end[-1] == '0'; n.integer_end--)
            shift++;
    while (n.integer < n.integer_end && *n.integer == '0')
        n.integer++;
    if (n.integer == n.integer_end)
        while (n.fraction < n.fraction_end && *n.fraction == '0')
            n.fraction++;
    if (n.integer == n.integer_end && n.fraction == n.fraction_end)
        return aci_buf_add(out, "0", 1);
    ok = (!n.negative || aci_buf_add(out, "-", 1)) &&
         (n.integer == n.integer_end || aci_buf_add(out, n.integer, (size_t)(n.integer_end - n.integer))) &&
         (n.fraction == n.fraction_end || aci_buf_add(out, n.fraction, (size_t)(n.fraction_end - n.fraction))) &&
         put_exponent(&n, shift, out);
    if (!ok)
        out->len = before;
    return ok;
}

/* ---- order of members ----------------------------------------------------------------------------------------- */

typedef struct member {
    agentchat_str name; /* as spelled, without the quotes */
    size_t at, len;     /* `"name":value` in the output */
    bool ascii;         /* the name has no escapes and nothing above 0x7F */
} member;

/* Goes through a name as spelled, one UTF-16 unit a call; -1 at its end. *low holds the second half of a pair. */
static int32_t next_unit(const char **p, const char *end, int32_t *low)
{
    uint32_t point = 0;
    size_t len;

    if (*low >= 0) {
        int32_t unit = *low;

        *low = -1;
        return unit;
    }
    if (*p == end)
        return -1;
    if (**p == '\\') {
        bool is_unit = (*p)[1] == 'u';
        int32_t unit = is_unit ? (int32_t)aci_lex_hex4(*p + 2) : aci_lex_escapes[(unsigned char)(*p)[1] & 127];

        *p += is_unit ? 6 : 2;
        return unit;
    }
    len = aci_utf8_decode((const unsigned char *)*p, (const unsigned char *)end, false, &point);
    *p += len > 0 ? len : 1;
    if (point < 0x10000)
        return (int32_t)point;
    *low = (int32_t)(0xDC00 + (point & 0x3FF));
    return (int32_t)(0xD800 + ((point - 0x10000) >> 10));
}

static int compare_names(const member *a, const member *b)
{
    const char *pa = a->name.ptr, *pb = b->name.ptr;
    int32_t low_a = -1, low_b = -1;

    if (a->ascii && b->ascii) {
        size_t common = a->name.len < b->name.len ? a->name.len : b->name.len;
        int order = memcmp(pa, pb, common);

        return order != 0 ? order : (a->name.len > b->name.len) - (a->name.len < b->name.len);
    }
    for (;;) {
        int32_t unit_a = next_unit(&pa, a->name.ptr + a->name.len, &low_a);
        int32_t unit_b = next_unit(&pb, b->name.ptr + b->name.len, &low_b);

        if (unit_a != unit_b || unit_a < 0)
            return (unit_a > unit_b) - (unit_a < unit_b);
    }
}

/* For qsort: the position in the text decides between equal names, which makes the order stable. */
static int compare_members(const void *a, const void *b)
{
    const member *first = a, *second = b;
    int order = compare_names(first, second);

    return order != 0 ? order : (first->at > second->at) - (first->at < second->at);
}

/* ---- values --------------------------------------------------------------------------------------------------- */

typedef struct level {
    bool is_object;
    size_t first; /* of its members */
} level;

typedef struct canonical {
    const agentchat_env *env;
    aci_buf *out;
    aci_buf scratch;
    member *members; /* of all open objects, the innermost one's last */
    size_t member_count, member_cap;
    level *levels;
    size_t level_count, level_cap;
} canonical;

static bool sort_members(canonical *c, size_t first)
{
    member *list = c->members + first;
    size_t count = c->member_count - first, i = 1, at, len;

    while (i < count && compare_names(&list[i - 1], &list[i]) <= 0)
        i++;
    if (i >= count)
        return true;
    at = list[0].at;
    len = list[count - 1].at + list[count - 1].len - at;
    c->scratch.len = 0;
    if (!aci_buf_add(&c->scratch, c->out->ptr + at, len))
        return false;
    qsort(list, count, sizeof(*list), compare_members);
    c->out->len = at;
    for (i = 0; i < count; i++) { /* as many bytes as were there, so there is room */
        size_t from = list[i].at - at;

        if (i > 0)
            c->out->ptr[c->out->len++] = ',';
        memcpy(c->out->ptr + c->out->len, c->scratch.ptr + from, list[i].len);
        c->out->len += list[i].len;
    }
    return true;
}

/* The string at p, which begins a member: writes the name and the colon. Returns the beginning of the value. */
static const char *put_name(canonical *c, const char *p, const char *end)
{
    const char *bad, *close = aci_lex_string(p + 1, end, &bad);
    member *m;

    if (close == NULL || !aci_grow(c->env, (void **)&c->members, &c->member_cap, c->member_count, sizeof(*m)))
        return NULL;
    m = &c->members[c->member_count++];
    m->name = (agentchat_str){p + 1, (size_t)(close - p) - 1};
    m->at = c->out->len;
    m->len = 0;
    m->ascii = memchr(m->name.ptr, '\\', m->name.len) == NULL;
    for (size_t i = 0; m->ascii && i < m->name.len; i++)
        m->ascii = (unsigned char)m->name.ptr[i] < 0x80;
    if (!put_string((agentchat_str){p, (size_t)(close - p) + 1}, c->out, &c->scratch) || !aci_buf_add(c->out, ":", 1))
        return NULL;
    for (p = close + 1; *p != ':';)
        p++;
    return p + 1;
}

static const char *put_scalar(canonical *c, const char *p, const char *end)
{
    const char *bad, *after;
    bool ok;

    if (*p == '"') {
        after = aci_lex_string(p + 1, end, &bad);
        after = after != NULL ? after + 1 : end;
        ok = put_string((agentchat_str){p, (size_t)(after - p)}, c->out, &c->scratch);
    } else if (*p == 't' || *p == 'f' || *p == 'n') {
        after = p + (*p == 'f' ? 5 : 4);
        ok = aci_buf_add(c->out, p, (size_t)(after - p));
    } else {
        after = aci_lex_number(p, end, &bad);
        after = after != NULL ? after : end;
        ok = aci_json_canonical_number((agentchat_str){p, (size_t)(after - p)}, c->out);
    }
    return ok ? after : NULL;
}

static const char *put_open(canonical *c, const char *p)
{
    if (!aci_grow(c->env, (void **)&c->levels, &c->level_cap, c->level_count, sizeof(level)) ||
        !aci_buf_add(c->out, p, 1))
        return NULL;
    c->levels[c->level_count++] = (level){*p == '{', c->member_count};
    return p + 1;
}

/* A value has ended, or a container has just begun: what follows in the innermost container. */
static void end_member(canonical *c)
{
    const level *l = &c->levels[c->level_count - 1];

    if (l->is_object && c->member_count > l->first) {
        member *m = &c->members[c->member_count - 1];

        m->len = c->out->len - m->at;
    }
}

static const char *put_close(canonical *c, const char *p)
{
    const level *l = &c->levels[c->level_count - 1];

    if (l->is_object && c->member_count > l->first && !sort_members(c, l->first))
        return NULL;
    c->member_count = l->first;
    c->level_count--;
    return aci_buf_add(c->out, p, 1) ? p + 1 : NULL;
}

static bool put_value(canonical *c, const char *p, const char *end)
{
    while (p != NULL && p < end) {
        bool named = c->level_count > 0 && c->levels[c->level_count - 1].is_object;

        switch (*p) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            p++;
            continue;
        case ',':
            end_member(c);
            p = aci_buf_add(c->out, ",", 1) ? p + 1 : NULL;
            continue;
        case '}':
        case ']':
            end_member(c);
            p = put_close(c, p);
            continue;
        default:
            break;
        }
        /* In an object, a string that does not follow a colon is a name; put_name() goes beyond the colon. */
        if (named && *p == '"' && (c->out->ptr[c->out->len - 1] == '{' || c->out->ptr[c->out->len - 1] == ','))
            p = put_name(c, p, end);
        else if (*p == '{' || *p == '[')
            p = put_open(c, p);
        else
            p = put_scalar(c, p, end);
    }
    return p != NULL;
}

agentchat_status aci_json_canonical(agentchat_str raw, aci_buf *out, const agentchat_env *env, agentchat_error *err)
{
    canonical c = {.env = aci_env(env), .out = out};
    size_t before = out->len;
    bool ok;

    aci_buf_init(&c.scratch, c.env, SIZE_MAX);
    ok = put_value(&c, raw.ptr, raw.ptr + raw.len);
    aci_buf_clear(&c.scratch);
    aci_free(c.env, c.members, c.member_cap * sizeof(member));
    aci_free(c.env, c.levels, c.level_cap * sizeof(level));
    if (!ok)
        out->len = before;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

bool aci_json_nearest(agentchat_str number, const agentchat_env *env, double *out)
{
    aci_buf spelled; /* it has no point, which strtod would expect in the spelling of the locale */
    bool ok;

    aci_buf_init(&spelled, env, SIZE_MAX);
    ok = aci_json_canonical_number(number, &spelled) && aci_buf_add(&spelled, "", 1);
    *out = ok ? copysign(strtod(spelled.ptr, NULL), number.ptr[0] == '-' ? -1.0 : 1.0) : 0.0;
    aci_buf_clear(&spelled);
    return ok;
}
