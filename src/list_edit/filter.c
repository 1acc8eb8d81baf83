/* SPDX-License-Identifier: Apache-2.0 */
/* Filtering a list by names, roles, ids and calls, as LangChain's filter_messages does (langchain-core 1.7.2,
   langchain_core/messages/utils.py). */
#include "list_edit/list_edit.h"
#include "list_edit/shared.h"

#include "base/error.h"
#include "base/index.h"

void agentchat_filter_options_init(agentchat_filter_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

enum { EXCLUDED_NAMES, EXCLUDED_IDS, EXCLUDED_CALLS, INCLUDED_NAMES, INCLUDED_IDS, SETS };

typedef struct filtering {
    const agentchat_env *env;
    agentchat_filter_options options;
    aci_index sets[SETS]; /* of the texts of lists, so that a long list costs no message more than a short one */
    agentchat_error *err;
} filtering;

static agentchat_status make_sets(filtering *f)
{
    const agentchat_filter_options *o = &f->options;
    const char *const *const lists[SETS] = {o->exclude_names, o->exclude_ids, o->exclude_call_ids, o->include_names,
                                            o->include_ids};

    for (size_t i = 0; i < SETS; i++)
        for (const char *const *at = lists[i]; at != NULL && *at != NULL; at++)
            if (!aci_index_put(&f->sets[i], f->env, agentchat_str_from(*at), 0))
                return aci_fail_nomem(f->err);
    return AGENTCHAT_OK;
}

static bool is_in(const filtering *f, size_t set, agentchat_str text)
{
    return f->sets[set].count > 0 && text.ptr != NULL && !agentchat_str_is_null(text) &&
           aci_index_find(&f->sets[set], text) != ACI_INDEX_NONE;
}

static bool has_role(const char *const *list, agentchat_str role)
{
    for (; list != NULL && *list != NULL; list++)
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

static bool is_excluded(const filtering *f, const agentchat_message *message)
{
    return is_in(f, EXCLUDED_NAMES, agentchat_message_name(message)) ||
           has_role(f->options.exclude_roles, agentchat_message_role(message)) ||
           is_in(f, EXCLUDED_IDS, agentchat_message_get(message, AGENTCHAT_FIELD_ID)) ||
           (f->options.exclude_calls &&
            (has_items(message, AGENTCHAT_ITEM_CALL) || has_items(message, AGENTCHAT_ITEM_RESULT)));
}

/* Without any such condition every message is. */
static bool is_included(const filtering *f, const agentchat_message *message)
{
    const char *const *roles = f->options.include_roles;
    bool any =
        f->sets[INCLUDED_NAMES].count > 0 || f->sets[INCLUDED_IDS].count > 0 || (roles != NULL && *roles != NULL);

    return !any || is_in(f, INCLUDED_NAMES, agentchat_message_name(message)) ||
           has_role(roles, agentchat_message_role(message)) ||
           is_in(f, INCLUDED_IDS, agentchat_message_get(message, AGENTCHAT_FIELD_ID));
}

/* ---- calls by their ids ------------------------------------------------------------------------------------------ */

static bool is_pruned(const filtering *f, const agentchat_item *item)
{
    agentchat_item_kind kind = agentchat_item_get_kind(item);

    return (kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT) &&
           is_in(f, EXCLUDED_CALLS, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID));
}

/* The message without the calls and results that go. *out is NULL when it stays as it is; *goes: neither is left. */
static agentchat_status prune(const filtering *f, const agentchat_message *message, agentchat_message **out, bool *goes)
{
    size_t pruned = 0, left = 0, count = agentchat_message_item_count(message);
    agentchat_message_builder *b;
    agentchat_status status;

    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_item_kind kind = agentchat_item_get_kind(item);

        pruned += is_pruned(f, item);
        left += (kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT) && !is_pruned(f, item);
    }
    *goes = pruned > 0 && left == 0;
    if (pruned == 0 || *goes)
        return AGENTCHAT_OK;
    status = agentchat_message_builder_from(f->env, message, &b, f->err);
    if (status < 0)
        return status;
    agentchat_message_builder_remove_items(b, 0, count);
    for (size_t i = 0; i < count; i++)
        if (!is_pruned(f, agentchat_message_item(message, i)))
            agentchat_message_builder_add_item_copy(b, agentchat_message_item(message, i));
    return agentchat_message_builder_finish(b, out, f->err);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static agentchat_status filter_one(const filtering *f, size_t index, const agentchat_message *message,
                                   agentchat_list_edit *edit)
{
    agentchat_message *pruned = NULL;
    bool goes = is_excluded(f, message);
    agentchat_status status = AGENTCHAT_OK;

    if (!goes)
        status = prune(f, message, &pruned, &goes);
    if (status < 0)
        return status;
    if (goes || !is_included(f, message))
        status = agentchat_list_edit_remove(edit, index, 1, f->err);
    else if (pruned != NULL)
        status = agentchat_list_edit_replace(edit, index, pruned, f->err);
    agentchat_message_unref(pruned);
    return status;
}

static agentchat_status filter(filtering *f, const agentchat_messages *messages, agentchat_list_edit **out)
{
    agentchat_status status = make_sets(f);
    aci_list_cursor cursor;

    if (status >= 0)
        status = agentchat_list_edit_new(f->env, messages->count, out, f->err);
    aci_list_cursor_begin(&cursor, messages);
    for (size_t i = 0; status >= 0 && i < messages->count; i++)
        status = filter_one(f, i, aci_list_cursor_at(&cursor, i), *out);
    return status;
}

agentchat_status agentchat_messages_filter(const agentchat_env *env, const agentchat_messages *messages,
                                           const agentchat_filter_options *options, agentchat_list_edit **out,
                                           agentchat_error *err)
{
    filtering f = {.env = aci_env(env), .err = err};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (messages == NULL)
        return aci_fail_null(err, "messages");
    status = aci_env_options_load(&f.options, sizeof f.options, options, err);
    if (status >= 0)
        status = filter(&f, messages, out);
    for (size_t i = 0; i < SETS; i++)
        aci_index_clear(&f.sets[i], f.env);
    if (status < 0) {
        agentchat_list_edit_free(*out);
        *out = NULL;
    }
    return status;
}
