/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a document: the state of a chat as AgentChatSerializer writes it, or a bare array of messages (a
 * ChatHistory).
 */
#include "format/semantic_kernel/form.h"
#include "format/semantic_kernel/read_chat.h"
#include "format/semantic_kernel/semantic_kernel.h"

static bool read_bare(aci_sk_reader *s, aci_json_reader *r, agentchat_snapshot **out)
{
    aci_sk_list list = {0};
    agentchat_snapshot *snapshot = aci_snapshot_new(s->env, aci_arena_ref(s->arena));
    bool ok;

    if (snapshot == NULL)
        return aci_sk_nomem(r);
    snapshot->format = aci_sk_name;
    snapshot->form = ACI_SK_BARE_HISTORY;
    ok = aci_sk_read_messages(s, r, ACI_AT(NULL, "history"), NULL, &list) &&
         (aci_list_from_arena(&snapshot->history, s->env, s->arena, list.messages, list.count) || aci_sk_nomem(r));
    aci_sk_list_clear(&list, s->env);
    if (ok)
        *out = snapshot;
    else
        agentchat_snapshot_unref(snapshot);
    return ok;
}

static bool read_document(aci_sk_reader *s, aci_json_reader *r, agentchat_snapshot **out)
{
    aci_json_kind kind = aci_json_peek(r);

    if (kind == ACI_JSON_OBJECT)
        return aci_sk_read_chat(s, r, NULL, NULL, out);
    if (kind == ACI_JSON_ARRAY)
        return read_bare(s, r, out);
    if (kind != ACI_JSON_ERROR)
        (void)aci_json_fail_at(r, aci_json_offset(r), AGENTCHAT_E_SCHEMA,
                               "the document is neither the state of a chat nor a list of messages");
    return false;
}

agentchat_status aci_sk_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    aci_sk_reader s = {0};
    aci_json_reader r;
    aci_json_options options = {0};
    size_t bom = in->len >= 3 && memcmp(in->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status;

    *out = NULL;
    s.in = in;
    s.env = aci_env(in->env);
    s.arena = in->arena;
    s.report = in->report;
    s.read_content = aci_sk_read_content;
    options.env = s.env;
    options.arena = in->arena;
    options.max_depth = in->limits.max_depth;
    options.source = in->source;
    aci_json_begin(&r, &options, in->data, in->len, err);
    r.cursor += bom;
    if (read_document(&s, &r, &snapshot))
        (void)aci_json_end(&r);
    status = aci_json_close(&r);
    aci_free(s.env, s.items, s.item_cap * sizeof *s.items);
    if (status < 0) {
        agentchat_snapshot_unref(snapshot);
        return status;
    }
    *out = snapshot;
    return AGENTCHAT_OK;
}
