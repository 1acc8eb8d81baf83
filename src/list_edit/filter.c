/* SPDX-License-Identifier: Apache-2.0 */
/* Filtering a list by names, roles, ids and calls, as LangChain's filter_messages does (langchain-core 1.7.2,
   langchain_core/messages/utils.py). */
#include "list_edit/list_edit.h"

#include "base/error.h"

void agentchat_filter_options_init(agentchat_filter_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

static bool is_given(const char *const *list)
{
    return list != NULL && *list != NULL;
}

static bool is_in(const char *const *list, agentchat_str text)
{
    for (; is_given(list) && text.ptr != NULL && !agentchat_str_is_null(text); list++)
        if (agentchat_str_equal(text, agentchat_str_from(*list)))
            return true;
    return false;
}

static bool has_role(const char *const *list, agentchat_str role)
{
    for (; is_given(list); list++)
        if (**list != '\0' && aci_roles_has(*list, role))
            return true;
    return false;
}

static bool has_items(const agentchat_message *message, agentchat_item_kind kind)
{
    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        if (agentchat_item_get_kind(agentchat_message_item(message, i)) == kind)
            return true;
    return false;
}

static bool is_excluded(const agentchat_filter_options *o, const agentchat_message *message)
{
    return is_in(o->exclude_names, agentchat_message_name(message)) ||
           has_role(o->exclude_roles, agentchat_message_role(message)) ||
           is_in(o->exclude_ids, agentchat_message_get(message, AGENTCHAT_FIELD_ID)) ||
           (o->exclude_calls && (has_items(message, AGENTCHAT_ITEM_CALL) || has_items(message, AGENTCHAT_ITEM_RESULT)));
}

/* Without any such condition every message is. */
static bool is_included(const agentchat_filter_options *o, const agentchat_message *message)
{
    bool any = is_given(o->include_names) || is_given(o->include_roles) || is_given(o->include_ids);

    return !any || is_in(o->include_names, agentchat_message_name(message)) ||
           has_role(o->include_roles, agentchat_message_role(message)) ||
           is_in(o->include_ids, agentchat_message_get(message, AGENTCHAT_FIELD_ID));
}

/* ---- calls by their ids ------------------------------------------------------------------------------------------ */

static bool is_pruned(const agentchat_filter_options *o, const agentchat_item *item)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    return (kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT) &&
           is_in(o->exclude_call_ids, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID));
}

/* The message without the calls and results that go. *out is NULL when it stays as it is; *goes: neither is left. */
static agentchat_status prune(const agentchat_filter_options *o, const agentchat_env *env,
                              const agentchat_message *message, agentchat_message **out, bool *goes,
                              agentchat_error *err)
{
    size_t pruned = 0, left = 0, count = agentchat_message_item_count(message);
    agentchat_message_builder *b;
    agentchat_status status;

    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_item_kind kind = agentchat_item_get_kind(item);

        pruned += is_pruned(o, item);
        left += (kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT) && !is_pruned(o, item);
    }
    *goes = pruned > 0 && left == 0;
    if (pruned == 0 || *goes)
        return AGENTCHAT_OK;
    status = agentchat_message_builder_from(env, message, &b, err);
    if (status < 0)
        return status;
    for (size_t i = count; i-- > 0;)
        if (is_pruned(o, agentchat_message_item(message, i)))
            agentchat_message_builder_remove_items(b, i, 1);
    return agentchat_message_builder_finish(b, out, err);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static agentchat_status filter_one(const agentchat_filter_options *o, const agentchat_env *env, size_t index,
                                   const agentchat_message *message, agentchat_list_edit *edit, agentchat_error *err)
{
    agentchat_message *pruned = NULL;
    bool goes = is_excluded(o, message);
    agentchat_status status = AGENTCHAT_OK;

    if (!goes)
        status = prune(o, env, message, &pruned, &goes, err);
    if (status < 0)
        return status;
    if (goes || !is_included(o, message))
        status = agentchat_list_edit_remove(edit, index, 1, err);
    else if (pruned != NULL)
        status = agentchat_list_edit_replace(edit, index, pruned, err);
    agentchat_message_unref(pruned);
    return status;
}

agentchat_status agentchat_messages_filter(const agentchat_env *env, const agentchat_messages *messages,
                                           const agentchat_filter_options *options, agentchat_list_edit **out,
                                           agentchat_error *err)
{
    agentchat_filter_options loaded;
    agentchat_status status;
    aci_list_cursor cursor;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (messages == NULL)
        return aci_fail_null(err, "messages");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status >= 0)
        status = agentchat_list_edit_new(env, messages->count, out, err);
    if (status < 0)
        return status;
    aci_list_cursor_begin(&cursor, messages);
    for (size_t i = 0; status >= 0 && i < messages->count; i++)
        status = filter_one(&loaded, env, i, aci_list_cursor_at(&cursor, i), *out, err);
    if (status < 0) {
        agentchat_list_edit_free(*out);
        *out = NULL;
    }
    return status;
}
