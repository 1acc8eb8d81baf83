/* SPDX-License-Identifier: Apache-2.0 */
/* Filters over documents. What they mean is said in docs/memory.md, and decided here for every store. */
#include "memory/memory_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/index.h"
#include "json/value.h"
#include <string.h>

typedef struct evaluation {
    const aci_json_index *filter, *document;
    aci_arena *arena; /* of texts with escapes; NULL: there was none yet */
    bool ok;          /* false: out of memory */
} evaluation;

enum { MISSING = 0 }; /* the node of a field that is not there: node 0 is the document itself */

/* ---- values --------------------------------------------------------------------------------------------------- */

static agentchat_str text_of(evaluation *e, const aci_json_index *index, uint32_t node)
{
    agentchat_str text = {NULL, 0};

    if (index->nodes[node].is_escaped && e->arena == NULL)
        e->arena = aci_arena_new(index->env, 0);
    e->ok = e->ok && (!index->nodes[node].is_escaped || e->arena != NULL) &&
            aci_json_index_string(index, node, e->arena, &text);
    return e->ok ? text : AGENTCHAT_STR("");
}

/* A number as sign, digits without zeros around them, and the power of ten that stands before the first of them. */
typedef struct decimal {
    int sign;
    agentchat_str digits, exponent;
    int64_t power;
} decimal;

static bool read_decimal(agentchat_str number, aci_buf *buf, decimal *out)
{
    const char *e;

    if (!aci_json_canonical_number(number, buf))
        return false;
    *out = (decimal){.sign = 1, .digits = aci_buf_str(buf)};
    if (agentchat_str_equal(out->digits, AGENTCHAT_STR("0")))
        out->sign = 0;
    if (*out->digits.ptr == '-') {
        out->sign = -1;
        out->digits.ptr++;
        out->digits.len--;
    }
    e = memchr(out->digits.ptr, 'e', out->digits.len);
    if (e != NULL) {
        out->exponent = (agentchat_str){e + 1, (size_t)(out->digits.ptr + out->digits.len - e - 1)};
        out->digits.len = (size_t)(e - out->digits.ptr);
        if (!aci_json_integer(out->exponent, &out->power) || out->power > INT64_MAX / 2 || out->power < -INT64_MAX / 2)
            out->power = *out->exponent.ptr == '-' ? -INT64_MAX / 2 : INT64_MAX / 2;
    }
    out->power += (int64_t)out->digits.len;
    return true;
}

/* Of numbers whose exponents are beyond any that can be written out, the longer exponent is the greater. */
static int compare_powers(const decimal *a, const decimal *b)
{
    if (a->power != b->power)
        return a->power < b->power ? -1 : 1;
    if (a->exponent.len != b->exponent.len && (a->power > INT64_MAX / 4 || a->power < -INT64_MAX / 4))
        return (a->exponent.len < b->exponent.len) == (a->power > 0) ? -1 : 1;
    return 0;
}

static int compare_numbers(evaluation *e, agentchat_str left, agentchat_str right)
{
    aci_buf buffers[2];
    decimal a, b;
    int order = 0;

    aci_buf_init(&buffers[0], e->filter->env, SIZE_MAX);
    aci_buf_init(&buffers[1], e->filter->env, SIZE_MAX);
    if (!read_decimal(left, &buffers[0], &a) || !read_decimal(right, &buffers[1], &b))
        e->ok = false;
    else if (a.sign != b.sign)
        order = a.sign - b.sign;
    else if (a.sign != 0)
        order = compare_powers(&a, &b);
    if (e->ok && order == 0 && a.sign == b.sign && a.sign != 0)
        order = aci_str_compare(a.digits, b.digits); /* no digits after others are less than any */
    if (e->ok && a.sign == b.sign)
        order *= a.sign;
    aci_buf_clear(&buffers[0]);
    aci_buf_clear(&buffers[1]);
    return order;
}

static bool are_equal(evaluation *e, const aci_json_index *a, uint32_t left, const aci_json_index *b, uint32_t right);

/* The members of an object by their names: of those of one name the last. */
static void list_members(evaluation *e, const aci_json_index *index, uint32_t object, aci_index *out)
{
    for (uint32_t key = aci_json_index_first(index, object); key != 0; key = aci_json_index_next(index, object, key))
        e->ok = e->ok && aci_index_put(out, index->env, text_of(e, index, key), key + 1);
}

/* Whether each member of an object is in another one: equal, or deeply: of an object in it, each of its members. */
static bool is_within(evaluation *e, const aci_json_index *a, uint32_t part, const aci_json_index *b, uint32_t whole,
                      bool deeply)
{
    aci_index mine = {NULL, 0, 0}, others = {NULL, 0, 0};
    bool is = true;

    list_members(e, a, part, &mine);
    list_members(e, b, whole, &others);
    is = e->ok && (deeply || mine.count == others.count);
    for (size_t i = 0; i < mine.cap && is; i++) {
        uint32_t value = (uint32_t)mine.slots[i].ordinal - 1;
        size_t other = mine.slots[i].ordinal != 0 ? aci_index_find(&others, mine.slots[i].text) : ACI_INDEX_NONE;

        if (mine.slots[i].ordinal == 0)
            continue;
        is = other != ACI_INDEX_NONE;
        if (is && deeply && aci_json_index_kind(a, value) == ACI_JSON_OBJECT &&
            aci_json_index_kind(b, (uint32_t)other) == ACI_JSON_OBJECT)
            is = is_within(e, a, value, b, (uint32_t)other, true);
        else if (is)
            is = are_equal(e, a, value, b, (uint32_t)other);
    }
    aci_index_clear(&mine, a->env);
    aci_index_clear(&others, b->env);
    return is;
}

static bool are_equal(evaluation *e, const aci_json_index *a, uint32_t left, const aci_json_index *b, uint32_t right)
{
    aci_json_kind kind = aci_json_index_kind(a, left);
    uint32_t x, y;

    if (kind != aci_json_index_kind(b, right))
        return false;
    switch (kind) {
    case ACI_JSON_NUMBER:
        return compare_numbers(e, aci_json_index_raw(a, left), aci_json_index_raw(b, right)) == 0 && e->ok;
    case ACI_JSON_STRING:
        return agentchat_str_equal(text_of(e, a, left), text_of(e, b, right)) && e->ok;
    case ACI_JSON_OBJECT:
        return is_within(e, a, left, b, right, false);
    case ACI_JSON_ARRAY:
        x = aci_json_index_first(a, left);
        y = aci_json_index_first(b, right);
        while (x != 0 && y != 0 && are_equal(e, a, x, b, y)) {
            x = aci_json_index_next(a, left, x);
            y = aci_json_index_next(b, right, y);
        }
        return x == 0 && y == 0;
    case ACI_JSON_TRUE:
    case ACI_JSON_FALSE:
    case ACI_JSON_NULL:
    case ACI_JSON_ERROR:
        break;
    }
    return agentchat_str_equal(aci_json_index_raw(a, left), aci_json_index_raw(b, right));
}

/* Which is greater, of two numbers or two texts; false: they are not. */
static bool compare(evaluation *e, uint32_t field, uint32_t operand, int *order)
{
    aci_json_kind kind = aci_json_index_kind(e->document, field);

    if (kind != aci_json_index_kind(e->filter, operand))
        return false;
    if (kind == ACI_JSON_NUMBER)
        *order = compare_numbers(e, aci_json_index_raw(e->document, field), aci_json_index_raw(e->filter, operand));
    else if (kind == ACI_JSON_STRING)
        *order = aci_str_compare(text_of(e, e->document, field), text_of(e, e->filter, operand));
    else
        return false;
    return e->ok;
}

/* ---- operators ------------------------------------------------------------------------------------------------ */

static bool equals_one_of(evaluation *e, uint32_t field, uint32_t list)
{
    for (uint32_t one = aci_json_index_first(e->filter, list); one != 0;
         one = aci_json_index_next(e->filter, list, one))
        if (are_equal(e, e->document, field, e->filter, one))
            return true;
    return false;
}

static bool has_part(agentchat_str text, agentchat_str part)
{
    for (size_t i = 0; i + part.len <= text.len; i++)
        if (part.len == 0 || memcmp(text.ptr + i, part.ptr, part.len) == 0)
            return true;
    return false;
}

static bool contains(evaluation *e, uint32_t field, uint32_t operand)
{
    aci_json_kind kind = aci_json_index_kind(e->document, field), other = aci_json_index_kind(e->filter, operand);

    if (kind == ACI_JSON_STRING)
        return other == ACI_JSON_STRING && has_part(text_of(e, e->document, field), text_of(e, e->filter, operand));
    if (kind == ACI_JSON_OBJECT)
        return other == ACI_JSON_OBJECT && is_within(e, e->filter, operand, e->document, field, true);
    if (kind != ACI_JSON_ARRAY)
        return false;
    for (uint32_t one = aci_json_index_first(e->document, field); one != 0;
         one = aci_json_index_next(e->document, field, one))
        if (are_equal(e, e->document, one, e->filter, operand))
            return true;
    return false;
}

typedef enum memory_operator {
    EQ,
    NE,
    GT,
    GTE,
    LT,
    LTE,
    IN,
    NIN,
    EXISTS,
    CONTAINS,
    AND,
    OR,
    NOT,
    NONE
} memory_operator;
static const char *const operators[] = {"$eq",  "$ne",     "$gt",       "$gte", "$lt", "$lte", "$in",
                                        "$nin", "$exists", "$contains", "$and", "$or", "$not"};

static memory_operator operator_of(const aci_json_index *index, uint32_t key)
{
    for (size_t i = 0; i < NONE; i++)
        if (aci_json_index_is(index, key, agentchat_str_from(operators[i])))
            return (memory_operator)i;
    return NONE;
}

static bool is_named_so(const aci_json_index *index, uint32_t key)
{
    return index->text[index->nodes[key].begin + 1] == '$' || operator_of(index, key) != NONE;
}

/* Whether a value is an object of operators: what else an object is stands for itself. */
static bool is_condition(const aci_json_index *index, uint32_t node)
{
    uint32_t key = aci_json_index_kind(index, node) == ACI_JSON_OBJECT ? aci_json_index_first(index, node) : 0;

    return key != 0 && is_named_so(index, key);
}

static bool meets(evaluation *e, uint32_t field, uint32_t condition);
static bool matches(evaluation *e, uint32_t filter);

/* of_field: what is combined are conditions of it; else filters. */
static bool combine(evaluation *e, memory_operator op, uint32_t operand, bool of_field, uint32_t field)
{
    if (op == NOT)
        return !(of_field ? meets(e, field, operand) : matches(e, operand));
    for (uint32_t one = aci_json_index_first(e->filter, operand); one != 0;
         one = aci_json_index_next(e->filter, operand, one))
        if ((of_field ? meets(e, field, one) : matches(e, one)) == (op == OR))
            return op == OR;
    return op == AND;
}

static bool apply(evaluation *e, memory_operator op, uint32_t field, uint32_t operand)
{
    bool is_null = aci_json_index_kind(e->filter, operand) == ACI_JSON_NULL;
    int order = 0;

    if (op == AND || op == OR || op == NOT)
        return combine(e, op, operand, true, field);
    if (op == EXISTS)
        return (field != MISSING) == (*aci_json_index_raw(e->filter, operand).ptr == 't');
    if (field == MISSING)
        return op == EQ && is_null;
    if (op == CONTAINS)
        return contains(e, field, operand);
    if (op == IN || op == NIN)
        return equals_one_of(e, field, operand) == (op == IN);
    if (op == EQ || op == NE)
        return are_equal(e, e->document, field, e->filter, operand) == (op == EQ);
    if (!compare(e, field, operand, &order))
        return false;
    return op == GT ? order > 0 : op == GTE ? order >= 0 : op == LT ? order < 0 : order <= 0;
}

static bool meets(evaluation *e, uint32_t field, uint32_t condition)
{
    bool is = true;

    if (!is_condition(e->filter, condition))
        return apply(e, EQ, field, condition);
    for (uint32_t key = aci_json_index_first(e->filter, condition); key != 0 && is;
         key = aci_json_index_next(e->filter, condition, key))
        is = apply(e, operator_of(e->filter, key), field, key + 1);
    return is;
}

/* At each object the longest member that the rest of the name begins with, up to a dot or the end. */
static uint32_t find_field(evaluation *e, agentchat_str name)
{
    uint32_t node = 0;

    for (;;) {
        uint32_t best = MISSING;
        size_t longest = 0;

        if (aci_json_index_kind(e->document, node) != ACI_JSON_OBJECT)
            return MISSING;
        for (uint32_t key = aci_json_index_first(e->document, node); key != 0;
             key = aci_json_index_next(e->document, node, key)) {
            agentchat_str member = text_of(e, e->document, key);

            if (member.len > name.len || (member.len < name.len && name.ptr[member.len] != '.') ||
                (member.len > 0 && memcmp(member.ptr, name.ptr, member.len) != 0))
                continue;
            if (best == MISSING || member.len >= longest) {
                best = key + 1;
                longest = member.len;
            }
        }
        if (best == MISSING || longest == name.len)
            return best;
        node = best;
        name = (agentchat_str){name.ptr + longest + 1, name.len - longest - 1};
    }
}

static bool matches(evaluation *e, uint32_t filter)
{
    bool is = true;

    for (uint32_t key = aci_json_index_first(e->filter, filter); key != 0 && is && e->ok;
         key = aci_json_index_next(e->filter, filter, key)) {
        memory_operator op = operator_of(e->filter, key);

        is = op != NONE ? combine(e, op, key + 1, false, MISSING)
                        : meets(e, find_field(e, text_of(e, e->filter, key)), key + 1);
    }
    return is;
}

agentchat_status aci_filter_matches(const aci_filter *filter, const aci_json_index *document, bool *out,
                                    agentchat_error *err)
{
    evaluation e = {.filter = &filter->index, .document = document, .ok = true};

    *out = !filter->is_set || matches(&e, 0);
    aci_arena_unref(e.arena);
    return e.ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_filter_refuse(agentchat_status status, const char *what, agentchat_error *err)
{
    if (status != AGENTCHAT_E_SYNTAX)
        return status;
    aci_error_prefix(err, "%s is no JSON", what);
    if (err != NULL)
        err->code = (int32_t)AGENTCHAT_E_INVALID;
    return AGENTCHAT_E_INVALID;
}

/* ---- whether it is one ---------------------------------------------------------------------------------------- */

static agentchat_status check_condition(evaluation *e, uint32_t node, agentchat_error *err);
static agentchat_status check_filter(evaluation *e, uint32_t node, agentchat_error *err);

static agentchat_status fail_filter(evaluation *e, uint32_t key, const char *why, agentchat_error *err)
{
    aci_excerpt excerpt;

    if (!e->ok)
        return aci_fail_nomem(err);
    return aci_fail(err, AGENTCHAT_E_INVALID, "the filter's \"%s\" %s",
                    aci_error_excerpt(text_of(e, e->filter, key), &excerpt), why);
}

/* The members of an object: their names are all operators or none, and each is there once. */
static agentchat_status check_names(evaluation *e, uint32_t object, bool has_operators, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_index names = {NULL, 0, 0};

    list_members(e, e->filter, object, &names);
    for (uint32_t key = aci_json_index_first(e->filter, object); key != 0 && status >= 0;
         key = aci_json_index_next(e->filter, object, key)) {
        if (is_named_so(e->filter, key) != has_operators)
            status = fail_filter(e, key, "stands beside names of another kind: an object has operators or fields", err);
        else if (has_operators && operator_of(e->filter, key) == NONE)
            status = fail_filter(e, key, "is no operator", err);
        else if (e->ok && aci_index_find(&names, text_of(e, e->filter, key)) != key + 1)
            status = fail_filter(e, key, "is there twice", err);
    }
    aci_index_clear(&names, e->filter->env);
    return status < 0 || e->ok ? status : aci_fail_nomem(err);
}

static agentchat_status check_operator(evaluation *e, uint32_t key, bool of_field, agentchat_error *err)
{
    memory_operator op = operator_of(e->filter, key);
    aci_json_kind kind = aci_json_index_kind(e->filter, key + 1);
    agentchat_status status = AGENTCHAT_OK;

    if (op == EXISTS && kind != ACI_JSON_TRUE && kind != ACI_JSON_FALSE)
        return fail_filter(e, key, "takes true or false", err);
    if ((op == IN || op == NIN || op == AND || op == OR) && kind != ACI_JSON_ARRAY)
        return fail_filter(e, key, "takes a list", err);
    if (!of_field && op < AND)
        return fail_filter(e, key, "belongs to a field: {\"field\": {\"$…\": …}}", err);
    if (op == NOT)
        return of_field ? check_condition(e, key + 1, err) : check_filter(e, key + 1, err);
    if (op != AND && op != OR)
        return AGENTCHAT_OK;
    for (uint32_t one = aci_json_index_first(e->filter, key + 1); one != 0 && status >= 0;
         one = aci_json_index_next(e->filter, key + 1, one))
        status = of_field ? check_condition(e, one, err) : check_filter(e, one, err);
    return status;
}

static agentchat_status check_condition(evaluation *e, uint32_t node, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (aci_json_index_kind(e->filter, node) != ACI_JSON_OBJECT)
        return AGENTCHAT_OK;
    status = check_names(e, node, is_condition(e->filter, node), err);
    for (uint32_t key = aci_json_index_first(e->filter, node); key != 0 && status >= 0 && is_condition(e->filter, node);
         key = aci_json_index_next(e->filter, node, key))
        status = check_operator(e, key, true, err);
    return status;
}

static agentchat_status check_filter(evaluation *e, uint32_t node, agentchat_error *err)
{
    agentchat_status status;

    if (aci_json_index_kind(e->filter, node) != ACI_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a filter is a JSON object");
    status = check_names(e, node, is_condition(e->filter, node), err);
    for (uint32_t key = aci_json_index_first(e->filter, node); key != 0 && status >= 0;
         key = aci_json_index_next(e->filter, node, key))
        status = is_named_so(e->filter, key) ? check_operator(e, key, false, err) : check_condition(e, key + 1, err);
    return status;
}

agentchat_status aci_filter_begin(aci_filter *filter, const agentchat_env *env, agentchat_str text,
                                  agentchat_error *err)
{
    evaluation e = {.filter = &filter->index, .ok = true};
    agentchat_status status;

    aci_json_index_init(&filter->index, env);
    filter->is_set = text.ptr != NULL;
    if (!filter->is_set)
        return AGENTCHAT_OK;
    status = aci_json_index_text(&filter->index, text, 0, 0, err);
    if (status < 0)
        return aci_filter_refuse(status, "the filter", err);
    status = check_filter(&e, 0, err);
    aci_arena_unref(e.arena);
    return status;
}

void aci_filter_end(aci_filter *filter)
{
    aci_json_index_clear(&filter->index);
}
