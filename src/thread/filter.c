/* SPDX-License-Identifier: Apache-2.0 */
/* Which metadata a list of checkpoints, or of threads, asks for. Values are compared as the digest does
 * (docs/formats/digest.md). */
#include "thread/filter.h"

#include "base/buf.h"
#include "base/error.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>

static agentchat_status add_member(aci_filter *filter, uint32_t key, aci_arena *arena, agentchat_error *err)
{
    aci_filter_member *member = &filter->members[filter->count++];
    agentchat_status status;
    bool ok = true;
    aci_buf text;

    aci_buf_init(&text, filter->env, SIZE_MAX);
    status = aci_json_canonical(aci_json_index_raw(&filter->index, key + 1), &text, filter->env, err);
    if (status >= 0) {
        member->value = aci_arena_copy(arena, aci_buf_str(&text), &ok);
        text.len = 0;
        ok = ok && aci_json_unquote(aci_json_index_raw(&filter->index, key), &text);
        if (ok)
            member->name = aci_arena_copy(arena, aci_buf_str(&text), &ok);
    }
    aci_buf_clear(&text);
    return status < 0 || ok ? status : aci_fail_nomem(err);
}

static agentchat_status read_members(aci_filter *filter, aci_arena *arena, agentchat_error *err)
{
    const aci_json_index *index = &filter->index;
    agentchat_status status = AGENTCHAT_OK;
    size_t count = 0;

    for (uint32_t key = aci_json_index_first(index, 0); key != 0; key = aci_json_index_next(index, 0, key))
        count++;
    if (count == 0)
        return AGENTCHAT_OK;
    filter->members = aci_arena_alloc(arena, count * sizeof *filter->members);
    if (filter->members == NULL)
        return aci_fail_nomem(err);
    for (uint32_t key = aci_json_index_first(index, 0); key != 0 && status >= 0;
         key = aci_json_index_next(index, 0, key))
        status = add_member(filter, key, arena, err);
    return status;
}

agentchat_status aci_filter_begin(aci_filter *filter, const agentchat_env *env, agentchat_str json, aci_arena *arena,
                                  agentchat_error *err)
{
    agentchat_status status;
    agentchat_error why;

    *filter = (aci_filter){.env = env};
    aci_json_index_init(&filter->index, env);
    if (json.ptr == NULL)
        return AGENTCHAT_OK;
    agentchat_error_clear(&why);
    status = aci_json_index_text(&filter->index, json, 0, 0, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0 || aci_json_index_kind(&filter->index, 0) != ACI_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a filter must be a JSON object");
    return read_members(filter, arena, err);
}

/* The metadata comes from the store: it was checked before it went there. */
static agentchat_status read_metadata(aci_filter *filter, agentchat_str metadata, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_json_index_text(&filter->index, metadata, 0, 0, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0 || aci_json_index_kind(&filter->index, 0) != ACI_JSON_OBJECT)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored metadata of a checkpoint is no JSON object");
    return AGENTCHAT_OK;
}

/* Whether the value of a member is that text. */
static agentchat_status compare(const aci_filter *filter, const aci_filter_member *member, agentchat_str json,
                                bool *matches, agentchat_error *err)
{
    agentchat_status status;
    aci_buf text;

    aci_buf_init(&text, filter->env, SIZE_MAX);
    status = aci_json_canonical(json, &text, filter->env, err);
    if (status >= 0)
        *matches = agentchat_str_equal(aci_buf_str(&text), member->value);
    aci_buf_clear(&text);
    return status;
}

/* Whether a checkpoint itself has what a member asks for. *has: it has something under that name. */
static agentchat_status match_own(const aci_filter *filter, const aci_filter_member *member,
                                  const aci_checkpoint_row *row, bool *has, bool *matches, agentchat_error *err)
{
    bool is_source = agentchat_str_equal(member->name, AGENTCHAT_STR("source"));
    bool is_word = is_source || agentchat_str_equal(member->name, AGENTCHAT_STR("run")), ok;
    agentchat_str word = is_source ? row->source : row->run;
    char step[24];
    aci_buf text;

    *has = is_word ? word.ptr != NULL : row->has_step && agentchat_str_equal(member->name, AGENTCHAT_STR("step"));
    if (!*has)
        return AGENTCHAT_OK;
    if (!is_word) {
        (void)snprintf(step, sizeof step, "%" PRId64, row->step);
        return compare(filter, member, agentchat_str_from(step), matches, err);
    }
    aci_buf_init(&text, filter->env, SIZE_MAX);
    *matches = member->value.ptr[0] == '"';
    ok = !*matches || aci_json_unquote(member->value, &text);
    *matches = *matches && agentchat_str_equal(aci_buf_str(&text), word);
    aci_buf_clear(&text);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_filter_match(aci_filter *filter, const aci_checkpoint_row *row, bool *matches,
                                  agentchat_error *err)
{
    agentchat_status status;

    *matches = true;
    if (filter->count == 0)
        return AGENTCHAT_OK;
    status = read_metadata(filter, row->meta, err);
    for (size_t i = 0; i < filter->count && status >= 0 && *matches; i++) {
        const aci_filter_member *member = &filter->members[i];
        uint32_t node = aci_json_index_find(&filter->index, 0, member->name);
        bool has = false;

        status = match_own(filter, member, row, &has, matches, err);
        if (status >= 0 && !has && node != 0)
            status = compare(filter, member, aci_json_index_raw(&filter->index, node), matches, err);
        else if (!has)
            *matches = false;
    }
    return status;
}

void aci_filter_clear(aci_filter *filter)
{
    if (filter->env != NULL)
        aci_json_index_clear(&filter->index);
}
