/* SPDX-License-Identifier: Apache-2.0 */
/* Filtering a list, and merging runs of messages of one role. */
#include "list_edit/list_edit.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/index.h"
#include "list_edit/list_edit_internal.h"
#include <string.h>

/* ==== filter ===================================================================================================== */
/*
 * Filtering a list by names, roles, ids and calls, as LangChain's filter_messages does (langchain-core 1.7.2,
 * langchain_core/messages/utils.py).
 */

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

/* ==== merge runs ================================================================================================= */
/*
 * Merging runs of messages of one role, as LangChain's merge_message_runs does (langchain-core 1.7.2,
 * langchain_core/messages/utils.py).
 */

void agentchat_merge_options_init(agentchat_merge_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

typedef struct merging {
    const agentchat_env *env;
    const agentchat_message **list;
    size_t count; /* of it */
    agentchat_str separator;
    agentchat_list_edit *edit;
    agentchat_error *err;
} merging;

/* ---- runs ------------------------------------------------------------------------------------------------------- */

static bool has_result(const agentchat_message *message)
{
    for (size_t i = 0; i < agentchat_message_item_count(message); i++)
        if (agentchat_item_get_kind(agentchat_message_item(message, i)) == AGENTCHAT_ITEM_RESULT)
            return true;
    return false;
}

/* Each result stays a message of its own, and so does what a tool says. */
static bool may_merge(const agentchat_message *message)
{
    return !agentchat_str_equal(agentchat_message_role(message), AGENTCHAT_STR("tool")) && !has_result(message);
}

static bool is_function(const agentchat_message *message)
{
    return agentchat_str_equal(agentchat_message_role(message), AGENTCHAT_STR("function"));
}

/* Whether a message goes on with the run of the one before it. */
static bool goes_on(const agentchat_message *before, const agentchat_message *message)
{
    return may_merge(before) && may_merge(message) &&
           agentchat_str_equal(aci_roles_plain(agentchat_message_role(before)),
                               aci_roles_plain(agentchat_message_role(message))) &&
           (!is_function(message) ||
            agentchat_str_equal(agentchat_message_name(before), agentchat_message_name(message)));
}

/* ---- what a run becomes ------------------------------------------------------------------------------------------ */

/* A text that is nothing but its text, and that its format spelled as a text, not as a part of a list. */
static bool is_bare_text(const agentchat_item *item)
{
    return agentchat_item_get_kind(item) == AGENTCHAT_ITEM_TEXT && agentchat_item_extra_count(item) == 0 &&
           agentchat_item_get(item, AGENTCHAT_FIELD_METADATA).ptr == NULL &&
           agentchat_item_get(item, AGENTCHAT_FIELD_MODEL_ID).ptr == NULL &&
           agentchat_item_get(item, AGENTCHAT_FIELD_MIME_TYPE).ptr == NULL &&
           agentchat_item_get(item, AGENTCHAT_FIELD_SIGNATURE).ptr == NULL &&
           agentchat_item_get(item, AGENTCHAT_FIELD_REFUSAL).ptr == NULL &&
           agentchat_item_get(item, AGENTCHAT_FIELD_FORM).ptr == NULL;
}

/* Whether the content of a message, without its calls, is one text, or nothing; that text. */
static bool is_one_text(const agentchat_message *message, agentchat_str *text)
{
    size_t texts = 0;

    *text = AGENTCHAT_STR("");
    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);

        if (agentchat_item_get_kind(item) == AGENTCHAT_ITEM_CALL)
            continue;
        if (!is_bare_text(item) || texts++ > 0)
            return false;
        *text = agentchat_item_get(item, AGENTCHAT_FIELD_TEXT);
    }
    return true;
}

/* Joins the texts of a run in which every message is one text; *joined: whether every one is. */
static agentchat_status join_texts(const merging *m, size_t from, size_t to, aci_buf *out, bool *joined)
{
    agentchat_str text;
    bool ok = true;

    for (size_t i = from; ok && i < to; i++) {
        *joined = is_one_text(m->list[i], &text);
        if (!*joined)
            return AGENTCHAT_OK;
        if (text.len > 0 && out->len > 0)
            ok = aci_buf_add_str(out, m->separator);
        ok = ok && aci_buf_add_str(out, text);
    }
    return ok ? AGENTCHAT_OK : aci_fail_nomem(m->err);
}

static void add_items(agentchat_message_builder *b, const agentchat_message *message, bool only_calls)
{
    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);

        if (!only_calls || agentchat_item_get_kind(item) == AGENTCHAT_ITEM_CALL)
            agentchat_message_builder_add_item_copy(b, item);
    }
}

static bool is_absent(agentchat_str text)
{
    return text.ptr == NULL || agentchat_str_is_null(text);
}

/* Ids that LangChain made give way to ids of a model's. */
static bool is_made_id(agentchat_str id)
{
    return id.len >= 3 && memcmp(id.ptr, "lc_", 3) == 0;
}

/* The id of a run: the first one's, or of an assistant's run the best one that there is. */
static agentchat_str id_of_run(const merging *m, size_t from, size_t to)
{
    agentchat_str best = agentchat_message_get(m->list[from], AGENTCHAT_FIELD_ID);
    agentchat_str role = agentchat_message_role(m->list[from]);

    if (!agentchat_str_equal(aci_roles_plain(role), AGENTCHAT_STR("assistant")))
        return best;
    for (size_t i = from + 1; i < to && (is_absent(best) || is_made_id(best)); i++) {
        agentchat_str id = agentchat_message_get(m->list[i], AGENTCHAT_FIELD_ID);

        if (!is_absent(id) && (is_absent(best) || !is_made_id(id)))
            best = id;
    }
    return best;
}

/* The author of a run, when all of it has one. */
static agentchat_str name_of_run(const merging *m, size_t from, size_t to)
{
    agentchat_str name = agentchat_message_name(m->list[from]);

    for (size_t i = from + 1; i < to; i++)
        if (!agentchat_str_equal(name, agentchat_message_name(m->list[i])))
            return (agentchat_str){NULL, 0};
    return name;
}

/* The first message of a run with the content of all of it. */
static agentchat_status merge(const merging *m, size_t from, size_t to, agentchat_message **out)
{
    const agentchat_message *first = m->list[from];
    agentchat_message_builder *b;
    agentchat_status status;
    bool joined = true;
    aci_buf text;

    aci_buf_init(&text, m->env, SIZE_MAX);
    status = join_texts(m, from, to, &text, &joined);
    if (status >= 0)
        status = agentchat_message_builder_from(m->env, first, &b, m->err);
    if (status < 0) {
        aci_buf_clear(&text);
        return status;
    }
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, id_of_run(m, from, to));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_NAME, name_of_run(m, from, to));
    if (joined) {
        agentchat_message_builder_remove_items(b, 0, agentchat_message_item_count(first));
        agentchat_message_builder_add_text(b, aci_buf_str(&text));
        add_items(b, first, true);
    }
    for (size_t i = from + 1; i < to; i++)
        add_items(b, m->list[i], joined);
    aci_buf_clear(&text);
    return agentchat_message_builder_finish(b, out, m->err);
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status merge_run(const merging *m, size_t from, size_t to)
{
    agentchat_message *merged;
    agentchat_status status;

    if (to - from < 2)
        return AGENTCHAT_OK;
    status = merge(m, from, to, &merged);
    if (status < 0)
        return status;
    status = agentchat_list_edit_replace(m->edit, from, merged, m->err);
    agentchat_message_unref(merged);
    return status < 0 ? status : agentchat_list_edit_remove(m->edit, from + 1, to - from - 1, m->err);
}

static agentchat_status merge_all(const merging *m)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t from = 0, to; status >= 0 && from < m->count; from = to) {
        to = from + 1;
        while (to < m->count && goes_on(m->list[to - 1], m->list[to]))
            to++;
        status = merge_run(m, from, to);
    }
    return status;
}

agentchat_status agentchat_messages_merge_runs(const agentchat_env *env, const agentchat_messages *messages,
                                               const agentchat_merge_options *options, agentchat_list_edit **out,
                                               agentchat_error *err)
{
    agentchat_merge_options loaded;
    merging m = {.env = aci_env(env), .separator = AGENTCHAT_STR("\n"), .err = err};
    agentchat_status status;
    size_t size;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (messages == NULL)
        return aci_fail_null(err, "messages");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status < 0)
        return status;
    if (loaded.separator != NULL)
        m.separator = agentchat_str_from(loaded.separator);
    m.count = messages->count;
    m.list = aci_alloc_array(m.env, m.count, sizeof *m.list, &size);
    if (m.list == NULL)
        return aci_fail_nomem(err);
    aci_list_flatten(messages, m.list);
    status = agentchat_list_edit_new(env, m.count, &m.edit, err);
    if (status >= 0)
        status = merge_all(&m);
    aci_free(m.env, (void *)m.list, size);
    if (status < 0)
        agentchat_list_edit_free(m.edit);
    else
        *out = m.edit;
    return status;
}
