/* SPDX-License-Identifier: Apache-2.0 */
/* Values that several members of the sidecar have in common (read_sidecar_parts.h). */
#include "format/semantic_kernel/read_sidecar_parts.h"

#include "json/value.h"

bool aci_sk_read_sidecar_text(aci_sk_sidecar_reader *o, agentchat_str *out)
{
    if (aci_json_peek(o->r) != ACI_JSON_NULL)
        return aci_json_string(o->r, out);
    *out = agentchat_str_null();
    return aci_json_null(o->r);
}

bool aci_sk_read_sidecar_size(aci_sk_sidecar_reader *o, size_t *out)
{
    uint64_t value;

    if (!aci_json_u64(o->r, &value))
        return false;
    if (value >= SIZE_MAX) {
        (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "the number is too large");
        return false;
    }
    *out = (size_t)value;
    return true;
}

bool aci_sk_read_sidecar_positions(aci_sk_sidecar_reader *o, size_t **out, size_t *out_count)
{
    size_t *array = NULL, count = 0, cap = 0;
    bool ok = aci_json_array(o->r);

    while (ok && aci_json_element(o->r)) {
        void *grown = array;

        ok = aci_grow(o->s->env, &grown, &cap, count, sizeof *array) || aci_sk_nomem(o->r);
        array = grown;
        ok = ok && aci_sk_read_sidecar_size(o, &array[count]);
        if (ok && count > 0 && array[count] <= array[count - 1]) {
            (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "positions must ascend");
            ok = false;
        }
        count++;
    }
    ok = ok && !aci_json_failed(o->r);
    if (ok && count > 0) {
        *out = aci_arena_alloc(o->s->arena, count * sizeof *array);
        *out_count = count;
        if (*out != NULL)
            memcpy(*out, array, count * sizeof *array);
        else
            ok = aci_sk_nomem(o->r);
    }
    aci_free(o->s->env, array, cap * sizeof *array);
    return ok;
}

bool aci_sk_read_sidecar_refuse(aci_sk_sidecar_reader *o)
{
    (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "unknown member");
    return false;
}

bool aci_sk_read_sidecar_json(aci_sk_sidecar_reader *o, agentchat_str key, agentchat_str *out)
{
    agentchat_str text;

    if (aci_sk_view_is(key, "value") || aci_sk_view_is(key, "raw"))
        return aci_json_raw(o->r, out);
    if (!aci_sk_view_is(key, "text"))
        return aci_sk_read_sidecar_refuse(o);
    if (!aci_json_string(o->r, &text))
        return false;
    if (aci_json_check(o->s->env, text, o->s->in->limits.max_depth, out, NULL, NULL) < 0) {
        (void)aci_json_fail(o->r, AGENTCHAT_E_SCHEMA, "the text is no JSON value");
        return false;
    }
    return true;
}
