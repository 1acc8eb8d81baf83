/* SPDX-License-Identifier: Apache-2.0 */
#include "list_edit/summary_state.h"

#include "base/error.h"
#include "base/utf8.h"
#include "json/escape.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <agentchat/list_edit.h>
#include <inttypes.h>

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_status fail(agentchat_error *err, const char *what)
{
    return aci_fail(err, AGENTCHAT_E_INVALID, "state of a summary: %s", what);
}

static agentchat_status read_text(const agentchat_env *env, agentchat_str value, const char *what, agentchat_bytes *out,
                                  agentchat_error *err)
{
    return agentchat_json_kind_of(value) == AGENTCHAT_JSON_STRING ? agentchat_json_decode(env, value, out, err)
                                                                  : fail(err, what);
}

static agentchat_status read_members(aci_summary_state *state, const agentchat_env *env, agentchat_str object,
                                     agentchat_error *err)
{
    agentchat_str id = agentchat_json_find(object, AGENTCHAT_STR("last_id"));
    agentchat_str covered = agentchat_json_find(object, AGENTCHAT_STR("covered"));
    agentchat_status status;
    int64_t count = 0;

    if (agentchat_json_kind_of(object) != AGENTCHAT_JSON_OBJECT)
        return fail(err, "it must be an object");
    if (covered.ptr != NULL &&
        (agentchat_json_kind_of(covered) != AGENTCHAT_JSON_NUMBER || !aci_json_integer(covered, &count) || count < 0))
        return fail(err, "\"covered\" must be a number of messages");
    state->covered = (uint64_t)count;
    state->has_last_id = id.ptr != NULL;
    status = read_text(env, agentchat_json_find(object, AGENTCHAT_STR("summary")), "\"summary\" must be a text",
                       &state->summary, err);
    if (status >= 0 && state->has_last_id)
        status = read_text(env, id, "\"last_id\" must be a text", &state->last_id, err);
    return status;
}

agentchat_status aci_summary_state_read(aci_summary_state *state, const agentchat_env *env, agentchat_str text,
                                        agentchat_error *err)
{
    agentchat_status status;

    *state = (aci_summary_state){AGENTCHAT_BYTES_INIT, AGENTCHAT_BYTES_INIT, false, 0};
    if (text.ptr == NULL)
        return AGENTCHAT_OK;
    status = agentchat_json_check(env, text, &text, err);
    if (status >= 0)
        status = read_members(state, env, text, err);
    if (status < 0)
        aci_summary_state_clear(state);
    return status;
}

void aci_summary_state_clear(aci_summary_state *state)
{
    agentchat_bytes_clear(&state->summary);
    agentchat_bytes_clear(&state->last_id);
}

size_t aci_summary_state_covered(const aci_summary_state *state, const agentchat_messages *messages)
{
    size_t count = agentchat_messages_count(messages), first = state->covered < count ? (size_t)state->covered : count;
    agentchat_str last_id = {state->last_id.ptr, state->last_id.len};
    agentchat_messages before;
    size_t index;
    bool found;

    if (!state->has_last_id)
        return first;
    aci_list_prefix(&before, messages, first);
    found =
        agentchat_messages_find_id(&before, last_id, &index) || agentchat_messages_find_id(messages, last_id, &index);
    aci_list_clear(&before);
    return found ? index + 1 : 0;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Appends UTF-8 as a JSON string. */
static bool add_string(aci_buf *out, agentchat_str text)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    char spelled[2 * ACI_JSON_SPELL_ROOM];
    bool ok = aci_buf_add_str(out, AGENTCHAT_STR("\""));

    while (ok && at < end)
        ok = aci_buf_add(out, spelled, aci_json_spell(&at, end, ACI_JSON_UTF8, spelled, sizeof spelled));
    return ok && aci_buf_add_str(out, AGENTCHAT_STR("\""));
}

agentchat_status aci_summary_state_write(aci_buf *out, agentchat_str summary, uint64_t covered, agentchat_str last_id,
                                         agentchat_error *err)
{
    bool ok;

    if (!aci_utf8_is_valid(summary, false))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the summary is not UTF-8");
    ok = aci_buf_add_str(out, AGENTCHAT_STR("{\"summary\":")) && add_string(out, summary) &&
         aci_buf_printf(out, ",\"covered\":%" PRIu64, covered);
    if (ok && last_id.ptr != NULL && !agentchat_str_is_null(last_id))
        ok = aci_buf_add_str(out, AGENTCHAT_STR(",\"last_id\":")) && add_string(out, last_id);
    return ok && aci_buf_add_str(out, AGENTCHAT_STR("}")) ? AGENTCHAT_OK : aci_fail_nomem(err);
}
