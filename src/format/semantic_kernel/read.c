/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a document: the state of a chat as AgentChatSerializer writes it, or a bare array of messages (a
 * ChatHistory).
 */
#include "format/semantic_kernel/semantic_kernel.h"

#include "format/kit/marks.h"
#include "format/semantic_kernel/form.h"
#include "format/semantic_kernel/read_chat.h"
#include "json/walk.h"
#include <agentchat/json_text.h>

/* The library of which a message's members are, or those of its items; NULL: none that is known. */
static const char *library_of(const agentchat_message *message)
{
    const char *found = NULL;

    for (size_t i = 0; message->extras != NULL && i < message->extras->count && found == NULL; i++)
        found = aci_marks_library_of(ACI_MARK_MESSAGE, message->extras->list[i].name, message->extras->list[i].value);
    for (size_t i = 0; i < message->item_count && found == NULL; i++) {
        const aci_extras *extras = message->items[i]->extras;

        for (size_t k = 0; extras != NULL && k < extras->count && found == NULL; k++)
            found = aci_marks_library_of(ACI_MARK_PART, extras->list[k].name, extras->list[k].value);
    }
    return found;
}

/* Whether a value is a list of parts of a provider's format, whose types are no $type. */
static bool is_of_parts(agentchat_str value)
{
    aci_walk walk;

    if (*value.ptr != '[')
        return false;
    aci_walk_begin(&walk, value);
    return aci_walk_next(&walk) && agentchat_json_find(walk.value, AGENTCHAT_STR("type")).ptr != NULL;
}

/* What a message that is read as empty has instead of a text; NULL: nothing that speaks against it. */
static const char *problem_of(const agentchat_message *message)
{
    if (message->extras == NULL || (message->flags & ACI_MESSAGE_ITEMS_ABSENT) == 0)
        return NULL;
    if (message->field_count == 0)
        return "expected a message: the object has no Role, Content or Items";
    for (size_t i = 0; i < message->extras->count; i++)
        if (agentchat_str_equal(message->extras->list[i].name, AGENTCHAT_STR("content")) &&
            is_of_parts(message->extras->list[i].value))
            return "expected a text or null as content: a list of parts is of another format";
    return NULL;
}

static bool check_bare(aci_json_reader *r, const aci_sk_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        size_t at = (size_t)(list->spans[i].ptr - r->begin);
        const char *library = library_of(list->messages[i]), *problem = problem_of(list->messages[i]);

        if (library != NULL)
            return aci_json_fail_at(r, at, AGENTCHAT_E_SCHEMA, "this looks like %s, which agentchat does not read",
                                    library);
        if (problem != NULL)
            return aci_json_fail_at(r, at, AGENTCHAT_E_SCHEMA, "%s", problem);
    }
    return true;
}

static bool read_bare(aci_sk_reader *s, aci_json_reader *r, agentchat_snapshot **out)
{
    aci_sk_list list = {0};
    agentchat_snapshot *snapshot = aci_snapshot_new(s->env, aci_arena_ref(s->arena));
    bool ok;

    if (snapshot == NULL)
        return aci_sk_nomem(r);
    snapshot->format = aci_sk_name;
    snapshot->form = ACI_SK_BARE_HISTORY;
    ok = aci_sk_read_messages(s, r, ACI_AT(NULL, "history"), NULL, &list) && check_bare(r, &list) &&
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
    options.flags = ACI_JSON_FILE | ACI_JSON_ONE_VALUE;
    aci_json_begin(&r, &options, in->data, in->len, err);
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
