/* SPDX-License-Identifier: Apache-2.0 */
/* JSON values that events hold. Layer 5. What walks was validated before, so nothing is checked twice. */
#include "event/values.h"

#include "base/error.h"
#include "event/tokens.h"
#include "model/check.h"

/* ---- walking ---------------------------------------------------------------------------------------------------- */

void aci_walk_begin(aci_walk *walk, agentchat_str raw)
{
    walk->at = raw.len > 0 ? raw.ptr : "";
    walk->end = walk->at + raw.len;
    walk->key = walk->value = (agentchat_str){NULL, 0};
}

bool aci_walk_next(aci_walk *walk)
{
    /* Behind the opening bracket, or behind the comma that follows the value before. */
    const char *p = aci_behind_blanks(walk->value.ptr == NULL ? walk->at + 1 : walk->at, walk->end), *start;
    bool is_object;

    if (p < walk->end && *p == ',')
        p = aci_behind_blanks(p + 1, walk->end);
    if (p >= walk->end || *p == '}' || *p == ']')
        return false;
    start = p;
    is_object = false;
    if (*p == '"') {
        const char *behind = aci_behind_string(p, walk->end), *colon = aci_behind_blanks(behind, walk->end);

        is_object = colon < walk->end && *colon == ':';
        if (is_object) {
            walk->key = (agentchat_str){start, (size_t)(behind - start)};
            start = aci_behind_blanks(colon + 1, walk->end);
        }
    }
    if (!is_object)
        walk->key = (agentchat_str){NULL, 0};
    p = aci_behind_value(start, walk->end);
    walk->value = (agentchat_str){start, (size_t)(p - start)};
    walk->at = p;
    return true;
}

bool aci_object_is_empty(agentchat_str raw)
{
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    return *raw.ptr == '{' && !aci_walk_next(&walk);
}

/* ---- checking --------------------------------------------------------------------------------------------------- */

static bool is_strings(agentchat_str json)
{
    aci_walk walk;

    if (aci_json_kind_of(json) != ACI_JSON_ARRAY)
        return false;
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk))
        if (aci_json_kind_of(walk.value) != ACI_JSON_STRING)
            return false;
    return true;
}

const char *aci_event_wants(agentchat_event_field field, agentchat_str json)
{
    aci_json_kind kind = aci_json_kind_of(json);

    if (field == AGENTCHAT_EVENT_LONG_RUNNING)
        return is_strings(json) ? NULL : "an array of strings";
    if (field == AGENTCHAT_EVENT_ARTIFACTS || field == AGENTCHAT_EVENT_COMPACTION)
        return kind == ACI_JSON_OBJECT ? NULL : "an object";
    return kind == ACI_JSON_TRUE || kind == ACI_JSON_FALSE ? NULL : "true or false";
}

agentchat_status aci_event_check_json(const agentchat_env *env, agentchat_event_field field, agentchat_str *json,
                                      agentchat_error *err)
{
    agentchat_status status = aci_check_json(env, json, err);
    const char *wanted = status < 0 ? NULL : aci_event_wants(field, *json);

    if (wanted != NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the value must be %s", wanted);
    return status;
}

bool aci_integer(agentchat_str number, int64_t *out)
{
    bool negative = number.len > 0 && number.ptr[0] == '-';
    int64_t value = 0;

    for (size_t i = negative; i < number.len; i++) {
        int digit = number.ptr[i] - '0';

        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *out = value;
    return number.len > (size_t)negative;
}
