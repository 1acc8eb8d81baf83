/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a message from an untrusted caller's values.
 *
 * Text is checked and copied into a scratch arena as it comes; finish puts the message together there and copies it
 * into an arena of fitting size, so that replaced values and spare room do not stay with it. The first failure sticks,
 * with its location in format 1 terms, and every later call does nothing.
 */
#include "model/builder.h"

#include "base/b64.h"
#include "base/buf.h"
#include "base/error.h"
#include "model/check.h"
#include "json/value.h"
#include <string.h>

void aci_builder_nomem(agentchat_message_builder *builder)
{
    builder->status = aci_fail_nomem(&builder->error);
}

void aci_builder_fail(agentchat_message_builder *builder, bool in_item, const char *member,
                      const agentchat_error *error)
{
    char path[64];

    builder->error = *error;
    builder->status = (agentchat_status)error->code;
    snprintf(path, sizeof path, "/%s", member);
    aci_error_path_prepend(&builder->error, agentchat_str_from(path));
    if (in_item && builder->selected != AGENTCHAT_NO_ITEM) {
        snprintf(path, sizeof path, "/items/%zu", builder->selected);
        aci_error_path_prepend(&builder->error, agentchat_str_from(path));
    }
}

void aci_builder_refuse(agentchat_message_builder *builder, bool in_item, const char *member, const char *message)
{
    agentchat_error error;

    agentchat_error_clear(&error);
    aci_fail(&error, AGENTCHAT_E_INVALID, "%s", message);
    aci_builder_fail(builder, in_item, member, &error);
}

static aci_built_item *selected_item(agentchat_message_builder *builder)
{
    return builder->selected != AGENTCHAT_NO_ITEM ? &builder->items[builder->selected] : NULL;
}

/* Checks a value against its form and copies it into the scratch arena. false: failed, with the failure in the
   builder. */
static bool take(agentchat_message_builder *builder, bool in_item, const char *member, aci_form form,
                 agentchat_str *value)
{
    agentchat_error error;
    agentchat_status status;
    bool ok = true;

    if (value->ptr == NULL || agentchat_str_is_null(*value))
        return true;
    agentchat_error_clear(&error);
    status = form == ACI_FORM_JSON ? aci_check_json(builder->env, value, &error) : aci_check_text(*value, &error);
    if (status < 0) {
        aci_builder_fail(builder, in_item, member, &error);
        return false;
    }
    *value = aci_arena_copy(builder->scratch, *value, &ok);
    if (!ok)
        aci_builder_nomem(builder);
    return ok;
}

/* The same of the name of a format, which absent and null leave out. */
static bool take_tag(agentchat_message_builder *builder, bool in_item, const char *member, agentchat_str *tag)
{
    if (aci_tag_check(tag))
        return take(builder, in_item, member, ACI_FORM_TEXT, tag);
    aci_builder_refuse(builder, in_item, member, aci_tag_rule);
    return false;
}

static void set_field(agentchat_message_builder *builder, bool in_item, agentchat_field field, agentchat_str value)
{
    aci_draft *draft = in_item ? &selected_item(builder)->draft : &builder->draft;
    aci_form form = aci_field_form(field);

    if (field == AGENTCHAT_FIELD_FROM ? !take_tag(builder, in_item, aci_field_name(field), &value)
                                      : !take(builder, in_item, aci_field_name(field), form, &value))
        return;
    if (value.ptr != NULL && !agentchat_str_is_null(value) && aci_field_mismatch(field, value) != NULL) {
        aci_builder_refuse(builder, in_item, aci_field_name(field), aci_field_mismatch(field, value));
        return;
    }
    aci_draft_set(draft, field, agentchat_str_is_null(value) ? ACI_FORM_NULL : form, value);
}

/* The selected item, if the builder has not failed and there is one; else the failure "no item". */
static aci_built_item *item_to_fill(agentchat_message_builder *builder, const char *member)
{
    if (aci_builder_is_broken(builder))
        return NULL;
    if (builder->selected == AGENTCHAT_NO_ITEM)
        aci_builder_refuse(builder, false, member, "no item is selected that this could be set on");
    return selected_item(builder);
}

agentchat_message_builder *aci_builder_start(const agentchat_env *env)
{
    agentchat_message_builder *builder;

    env = aci_env(env);
    builder = aci_alloc(env, sizeof *builder);
    if (builder == NULL)
        return NULL;
    memset(builder, 0, offsetof(agentchat_message_builder, error));
    agentchat_error_clear(&builder->error);
    builder->env = env;
    builder->selected = AGENTCHAT_NO_ITEM;
    aci_draft_begin(&builder->draft);
    builder->scratch = aci_arena_new(env, 0);
    if (builder->scratch == NULL) {
        aci_free(env, builder, sizeof *builder);
        return NULL;
    }
    return builder;
}

void aci_builder_drop_item(const agentchat_message_builder *builder, aci_built_item *item)
{
    aci_draft_clear(&item->draft, builder->env);
    agentchat_message_unref(item->nested);
    aci_arena_unref(item->source);
}

void agentchat_message_builder_free(agentchat_message_builder *builder)
{
    const agentchat_env *env;

    if (builder == NULL)
        return;
    env = builder->env;
    for (size_t i = 0; i < builder->item_count; i++)
        aci_builder_drop_item(builder, &builder->items[i]);
    aci_free(env, builder->items, builder->item_cap * sizeof *builder->items);
    aci_draft_clear(&builder->draft, env);
    aci_arena_unref(builder->source);
    aci_arena_unref(builder->scratch);
    aci_free(env, builder, sizeof *builder);
}

agentchat_status aci_builder_hand_out(agentchat_message_builder *builder, agentchat_message_builder **out,
                                      agentchat_error *err)
{
    agentchat_status status = builder->status;

    if (status >= 0) {
        *out = builder;
        return AGENTCHAT_OK;
    }
    if (err != NULL)
        *err = builder->error;
    agentchat_message_builder_free(builder);
    return status;
}

void aci_builder_check_role(agentchat_message_builder *builder)
{
    const aci_field *role = aci_field_find(builder->draft.fields, builder->draft.field_count, AGENTCHAT_FIELD_ROLE);

    if (!aci_builder_is_broken(builder) && !builder->lacks_role && aci_field_view(role).len == 0)
        aci_builder_refuse(builder, false, "role", "a message needs a role that is not empty");
}

agentchat_status agentchat_message_builder_new(const agentchat_env *env, const char *role, agentchat_str name,
                                               agentchat_message_builder **out, agentchat_error *err)
{
    agentchat_message_builder *builder;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (role == NULL)
        return aci_fail_null(err, "role");
    builder = aci_builder_start(env);
    if (builder == NULL)
        return aci_fail_nomem(err);
    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_ROLE, agentchat_str_from(role));
    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_NAME, name);
    aci_builder_check_role(builder);
    return aci_builder_hand_out(builder, out, err);
}

void agentchat_message_builder_set(agentchat_message_builder *builder, agentchat_field field, agentchat_str value)
{
    const char *name = aci_field_name(field);

    if (aci_builder_is_broken(builder))
        return;
    if (!aci_field_of_message(field)) {
        aci_builder_refuse(builder, false, name != NULL ? name : "", "a message has no such field");
        return;
    }
    set_field(builder, false, field, value);
}

aci_built_item *aci_builder_add_item(agentchat_message_builder *builder, agentchat_item_kind kind)
{
    void *array = builder->items;
    aci_built_item *item;

    if (!aci_grow(builder->env, &array, &builder->item_cap, builder->item_count, sizeof *builder->items)) {
        aci_builder_nomem(builder);
        return NULL;
    }
    builder->items = array;
    builder->selected = builder->item_count++;
    item = selected_item(builder);
    memset(item, 0, sizeof *item);
    item->kind = kind;
    aci_draft_begin(&item->draft);
    return item;
}

void agentchat_message_builder_add_item(agentchat_message_builder *builder, agentchat_item_kind kind)
{
    if (aci_builder_is_broken(builder))
        return;
    if (kind < AGENTCHAT_ITEM_TEXT || kind > AGENTCHAT_ITEM_OPAQUE || kind == AGENTCHAT_ITEM_MESSAGE) {
        aci_builder_refuse(builder, false, "items",
                           kind == AGENTCHAT_ITEM_MESSAGE
                               ? "a message goes in with agentchat_message_builder_add_message()"
                               : "there is no such kind of item");
        return;
    }
    aci_builder_add_item(builder, kind);
}

void agentchat_message_builder_set_item(agentchat_message_builder *builder, agentchat_field field, agentchat_str value)
{
    const char *name = aci_field_name(field);
    aci_built_item *item = item_to_fill(builder, name != NULL ? name : "items");

    if (item == NULL)
        return;
    if (!aci_field_of_item(item->kind, field)) {
        aci_builder_refuse(builder, true, name != NULL ? name : "", "this kind of item has no such field");
        return;
    }
    item->is_null = 0; /* from now on it is what it is set to */
    set_field(builder, true, field, value);
}

/* The selected item, if it may have data. */
static aci_built_item *item_with_data(agentchat_message_builder *builder)
{
    aci_built_item *item = item_to_fill(builder, "data");

    if (item == NULL)
        return NULL;
    if (!aci_field_of_item(item->kind, AGENTCHAT_FIELD_URI)) {
        aci_builder_refuse(builder, true, "data", "only image, audio and binary items have data");
        return NULL;
    }
    return item;
}

static void set_data(agentchat_message_builder *builder, aci_built_item *item, agentchat_str base64,
                     agentchat_str bytes)
{
    bool ok = true;

    item->base64 = aci_arena_copy(builder->scratch, base64, &ok);
    item->bytes = aci_arena_copy(builder->scratch, bytes, &ok);
    if (!ok)
        aci_builder_nomem(builder);
}

void agentchat_message_builder_set_data(agentchat_message_builder *builder, agentchat_str bytes)
{
    aci_built_item *item = item_with_data(builder);
    agentchat_str none = {NULL, 0};

    if (item != NULL)
        set_data(builder, item, none, agentchat_str_is_null(bytes) ? none : bytes);
}

void agentchat_message_builder_set_data_base64(agentchat_message_builder *builder, agentchat_str text)
{
    aci_built_item *item = item_with_data(builder);
    agentchat_str none = {NULL, 0};
    agentchat_error error;
    size_t bad = 0;

    if (item == NULL)
        return;
    if (text.len > 0 && !aci_b64_check(text, &bad)) {
        agentchat_error_clear(&error);
        aci_fail(&error, AGENTCHAT_E_INVALID, "this is not base64 (RFC 4648, padded, no line breaks) at byte %zu", bad);
        aci_error_at(&error, bad, 0, 0);
        aci_builder_fail(builder, true, "data", &error);
        return;
    }
    set_data(builder, item, agentchat_str_is_null(text) ? none : text, none);
}

void agentchat_message_builder_add_text(agentchat_message_builder *builder, agentchat_str text)
{
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_TEXT);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_TEXT, text);
}

void agentchat_message_builder_add_call(agentchat_message_builder *builder, agentchat_str id, agentchat_str plugin,
                                        agentchat_str function, agentchat_str arguments)
{
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_CALL);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_CALL_ID, id);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_PLUGIN, plugin);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FUNCTION, function);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_ARGUMENTS, arguments);
}

void agentchat_message_builder_add_result(agentchat_message_builder *builder, agentchat_str id, agentchat_str plugin,
                                          agentchat_str function, agentchat_str result)
{
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_CALL_ID, id);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_PLUGIN, plugin);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FUNCTION, function);
    if (builder == NULL || builder->status < 0)
        return;
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_RESULT, result);
    aci_json_cure(&builder->error, builder->status, AGENTCHAT_STR("the result"),
                  "agentchat_message_builder_add_result_text");
}

void agentchat_message_builder_add_result_text(agentchat_message_builder *builder, agentchat_str id,
                                               agentchat_str plugin, agentchat_str function, agentchat_str text)
{
    agentchat_error error;
    aci_buf quoted;

    if (builder == NULL)
        return;
    agentchat_message_builder_add_result(builder, id, plugin, function, (agentchat_str){NULL, 0});
    if (text.ptr == NULL)
        return;
    agentchat_error_clear(&error);
    aci_buf_init(&quoted, builder->env, SIZE_MAX);
    if (aci_json_quote(text, &quoted, &error) >= 0)
        agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_RESULT, aci_buf_str(&quoted));
    else if (builder->status >= 0)
        aci_builder_fail(builder, true, "result", &error);
    aci_buf_clear(&quoted);
}

void agentchat_message_builder_add_data(agentchat_message_builder *builder, agentchat_item_kind kind,
                                        agentchat_str mime_type, agentchat_str bytes)
{
    agentchat_message_builder_add_item(builder, kind);
    agentchat_message_builder_set_data(builder, bytes);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_MIME_TYPE, mime_type);
}

void aci_builder_nest(agentchat_message_builder *builder, aci_built_item *item, const agentchat_message *message)
{
    bool is_message = item->kind == AGENTCHAT_ITEM_MESSAGE;
    uint32_t around = is_message ? ACI_MESSAGE_LEVELS : ACI_CONTENT_LEVELS;
    agentchat_error error;

    if (builder->env->limits.max_depth < around ||
        !aci_message_depth_fits_nested(message, builder->env->limits.max_depth - around)) {
        agentchat_error_clear(&error);
        aci_fail(&error, AGENTCHAT_E_LIMIT, "messages are nested deeper than the limit of %lu levels allows",
                 (unsigned long)builder->env->limits.max_depth);
        aci_builder_fail(builder, true, is_message ? "message" : "content", &error);
        return;
    }
    item->nested = agentchat_message_ref(message);
}

void agentchat_message_builder_add_message(agentchat_message_builder *builder, const agentchat_message *message)
{
    aci_built_item *item;

    if (aci_builder_is_broken(builder))
        return;
    if (message == NULL) {
        aci_builder_refuse(builder, false, "items", "the message to add is NULL");
        return;
    }
    item = aci_builder_add_item(builder, AGENTCHAT_ITEM_MESSAGE);
    if (item != NULL)
        aci_builder_nest(builder, item, message);
}

void agentchat_message_builder_set_content(agentchat_message_builder *builder, const agentchat_message *items)
{
    aci_built_item *item = item_to_fill(builder, "content");

    if (item == NULL)
        return;
    if (item->kind != AGENTCHAT_ITEM_RESULT) {
        aci_builder_refuse(builder, true, "content", "only results have a content");
        return;
    }
    agentchat_message_unref(item->nested);
    item->nested = NULL;
    if (items != NULL)
        aci_builder_nest(builder, item, items);
}

void agentchat_message_builder_add_extra(agentchat_message_builder *builder, agentchat_str name, agentchat_str value,
                                         agentchat_str from)
{
    bool in_item;
    aci_draft *draft;
    char member[48];

    if (aci_builder_is_broken(builder))
        return;
    in_item = builder->selected != AGENTCHAT_NO_ITEM;
    draft = in_item ? &selected_item(builder)->draft : &builder->draft;
    snprintf(member, sizeof member, "extras/%zu/name", draft->extra_count);
    if (name.ptr == NULL || agentchat_str_is_null(name)) {
        aci_builder_refuse(builder, in_item, member, "an extra needs a name");
        return;
    }
    if (!take(builder, in_item, member, ACI_FORM_TEXT, &name))
        return;
    snprintf(member, sizeof member, "extras/%zu/value", draft->extra_count);
    if (agentchat_str_is_null(value))
        value = AGENTCHAT_STR("null");
    if (value.ptr == NULL) {
        aci_builder_refuse(builder, in_item, member, "an extra needs a value");
        return;
    }
    if (!take(builder, in_item, member, ACI_FORM_JSON, &value))
        return;
    snprintf(member, sizeof member, "extras/%zu/from", draft->extra_count);
    if (!take_tag(builder, in_item, member, &from))
        return;
    if (!aci_draft_add_extra(draft, builder->env, (agentchat_extra){name, value, from}))
        aci_builder_nomem(builder);
}
