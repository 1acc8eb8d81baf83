/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaving `temp:` members out of JSON text.
 *
 * The text was validated before, so tokens are found without checking them again. Commas are put where something is
 * kept, not copied, so it does not matter which members of an object go.
 */
#include "session/temporary.h"

#include <agentchat/json_text.h>
#include <agentchat/state.h>
#include <string.h>

static const char prefix[] = AGENTCHAT_KEY_PREFIX_TEMP;
enum { PREFIX_LEN = sizeof prefix - 1 };

bool aci_is_temporary(agentchat_str name)
{
    return name.len >= PREFIX_LEN && memcmp(name.ptr, prefix, PREFIX_LEN) == 0;
}

/* The same of a name as it is spelled. */
static bool is_temporary_spelled(agentchat_str key)
{
    agentchat_str rest = {key.ptr + 1, key.len - 2}, part;
    uint32_t code_point;
    size_t i = 0;

    while (i < PREFIX_LEN && agentchat_json_string_part(&rest, &part, &code_point)) {
        size_t len = code_point != UINT32_MAX ? 1 : part.len < PREFIX_LEN - i ? part.len : PREFIX_LEN - i;

        if (code_point != UINT32_MAX ? code_point != (unsigned char)prefix[i] : memcmp(part.ptr, prefix + i, len) != 0)
            return false;
        i += len;
    }
    return i == PREFIX_LEN;
}

/* Whether the text can have such a name at all: a look that most texts end with. */
static bool may_have(agentchat_str json)
{
    const char *p = json.ptr, *end = p + json.len;

    if (memchr(p, '\\', json.len) != NULL)
        return true;
    for (; end - p >= PREFIX_LEN && (p = memchr(p, prefix[0], (size_t)(end - p) - PREFIX_LEN + 1)) != NULL; p++)
        if (memcmp(p, prefix, PREFIX_LEN) == 0)
            return true;
    return false;
}

static bool add(aci_buf *out, agentchat_str text)
{
    return aci_buf_add(out, text.ptr, text.len);
}

bool aci_temporary_strip(agentchat_str json, aci_buf *out, bool *any)
{
    size_t before = out->len;
    bool comma = false, ok = true;
    agentchat_json_step step;
    agentchat_json_walk walk;

    *any = false;
    if (!may_have(json))
        return true;
    agentchat_json_walk_begin(&walk, json);
    while (ok && (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END) {
        if (walk.key.ptr != NULL && is_temporary_spelled(walk.key)) {
            agentchat_json_walk_skip(&walk);
            *any = true;
            continue;
        }
        if (comma && step != AGENTCHAT_JSON_CLOSE)
            ok = aci_buf_add(out, ",", 1);
        if (ok && walk.key.ptr != NULL)
            ok = add(out, walk.key) && aci_buf_add(out, ":", 1);
        ok = ok && add(out, walk.value);
        comma = step != AGENTCHAT_JSON_OPEN;
    }
    if (!*any)
        out->len = before;
    return ok;
}
