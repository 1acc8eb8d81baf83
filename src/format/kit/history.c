/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kit/history.h"

#include "base/error.h"

/* ---- reading --------------------------------------------------------------------------------------------------- */

bool aci_history_add(aci_history_in *h, agentchat_message *message)
{
    void *messages = h->messages;

    if (message == NULL)
        return false;
    if (h->count >= h->most) {
        h->a.status =
            aci_fail(h->a.err, AGENTCHAT_E_LIMIT, "the input has more than %llu messages", (unsigned long long)h->most);
        return false;
    }
    if (!aci_grow(h->a.env, &messages, &h->cap, h->count, sizeof(agentchat_message *)))
        return aci_raw_reader_nomem(&h->a);
    h->messages = messages;
    h->messages[h->count++] = message;
    return true;
}

bool aci_history_add_all(aci_history_in *h, const aci_location *path, agentchat_str raw, aci_message_reader *read)
{
    aci_location at = {path, {NULL, 0}, 0};
    aci_walk walk;

    aci_raw_reader_walk(&h->a, &walk, raw);
    for (; aci_walk_next(&walk); at.index++)
        if (!aci_history_add(h, read(&h->a, &at, walk.value)))
            return false;
    return true;
}

static agentchat_snapshot *make(const aci_history_in *h, const char *name)
{
    agentchat_snapshot *snapshot = aci_snapshot_new(h->a.env, aci_arena_ref(h->a.arena));

    if (snapshot == NULL)
        return NULL;
    snapshot->format = name;
    snapshot->extras = h->extras;
    snapshot->form = h->form;
    if (aci_list_from_arena(&snapshot->history, h->a.env, h->a.arena, h->messages, h->count))
        return snapshot;
    agentchat_snapshot_unref(snapshot);
    return NULL;
}

agentchat_status aci_history_read(const aci_read *in, const char *name, aci_history_reader *read,
                                  agentchat_snapshot **out, agentchat_error *err)
{
    aci_json_options options = {.env = aci_env(in->env),
                                .max_depth = in->limits.max_depth,
                                .flags = ACI_JSON_FILE | ACI_JSON_ONE_VALUE,
                                .source = in->source};
    aci_history_in h = {.most = in->limits.max_messages};
    aci_json_index index;
    aci_json_reader r;
    agentchat_status status;

    *out = NULL;
    aci_json_index_init(&index, options.env);
    aci_json_begin(&r, &options, in->data, in->len, err);
    h.a = (aci_raw_reader){.env = options.env,
                           .arena = in->arena,
                           .document = {in->data, in->len},
                           .index = &index,
                           .tag = agentchat_str_from(name),
                           .report = in->report,
                           .err = err};
    if (aci_json_index_read(&index, &r) && aci_json_end(&r)) {
        if (read(&h, aci_json_index_raw(&index, 0)))
            *out = make(&h, name);
        r.status = h.a.status < 0 ? h.a.status : *out == NULL ? aci_fail_nomem(err) : AGENTCHAT_OK;
    }
    status = aci_json_close(&r);
    aci_json_index_clear(&index);
    aci_free(h.a.env, h.messages, h.cap * sizeof(agentchat_message *));
    return status;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static void lost_part(aci_out *out, const char *name, size_t count)
{
    const aci_location at = {NULL, agentchat_str_from(name), 0};

    if (count > 0)
        aci_out_lost(out, &at, "%s holds messages alone: %zu %s left out", out->name, count,
                     count == 1 ? "entry was" : "entries were");
}

void aci_history_only(aci_out *out, const agentchat_snapshot *snapshot, bool extras)
{
    lost_part(out, "participants", snapshot->participant_count);
    lost_part(out, "channels", snapshot->channel_count);
    lost_part(out, "values", snapshot->value_count);
    lost_part(out, "turn", snapshot->next_turn > 0);
    lost_part(out, "complete", snapshot->is_complete);
    for (size_t i = 0; extras && snapshot->extras != NULL && i < snapshot->extras->count; i++)
        lost_part(out, "extras", 1);
}
