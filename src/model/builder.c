/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a message from an untrusted caller's values. Layer 2.
 *
 * Text is checked and copied into a scratch home as it comes; finish puts the message together there and copies it into
 * a home of fitting size, so that replaced values and spare room do not stay with it. The first failure sticks, with
 * the place in format 1 terms, and every later call does nothing.
 */
#include "model/builder.h"

#include "base/b64.h"
#include "base/buf.h"
#include "base/error.h"
#include "model/check.h"
#include <string.h>

typedef struct built_item {
    agentchat_item_kind kind;
    aci_draft draft;
    agentchat_str base64, bytes;
    agentchat_message *nested; /* one reference */
} built_item;

struct agentchat_builder {
    const agentchat_env *env;
    aci_home *scratch;
    agentchat_status status; /* OK or the first failure, told in error */
    aci_draft draft;
    built_item *items;
    size_t item_count, item_cap;
    agentchat_error error;
};

static bool is_broken(const agentchat_builder *builder)
{
    return builder == NULL || builder->status < 0;
}

static void out_of_memory(agentchat_builder *builder)
{
    builder->status = aci_fail_nomem(&builder->error);
}

static built_item *last_item(agentchat_builder *builder)
{
    return builder->item_count > 0 ? &builder->items[builder->item_count - 1] : NULL;
}

/* Puts "/items/N" before the path if the value belongs to the item added last. */
static void place_in_item(agentchat_builder *builder)
{
    char place[40];

    if (builder->item_count == 0)
        return;
    snprintf(place, sizeof place, "/items/%zu", builder->item_count - 1);
    aci_error_path_prepend(&builder->error, agentchat_str_from(place));
}

/* The sticky failure: `error` tells what is wrong with the value, its path where inside the value. */
static void fail_value(agentchat_builder *builder, bool in_item, const char *member, const agentchat_error *error,
                       agentchat_status status)
{
    char place[64];

    builder->error = *error;
    builder->error.code = status;
    builder->status = status;
    snprintf(place, sizeof place, "/%s", member);
    aci_error_path_prepend(&builder->error, agentchat_str_from(place));
    if (in_item)
        place_in_item(builder);
}

/* Checks a value against its form and copies it into the scratch home. false: failed, as the builder tells. */
static bool take(agentchat_builder *builder, bool in_item, const char *member, aci_form form, agentchat_str *value)
{
    agentchat_error error;
    agentchat_status status;
    bool ok = true;

    if (value->ptr == NULL || agentchat_str_is_null(*value))
        return true;
    agentchat_error_clear(&error);
    status = form == ACI_FORM_JSON ? aci_check_json(builder->env, value, &error) : aci_check_text(*value, &error);
    if (status < 0) {
        fail_value(builder, in_item, member, &error, status);
        return false;
    }
    *value = aci_home_copy(builder->scratch, *value, &ok);
    if (!ok)
        out_of_memory(builder);
    return ok;
}

static void set_field(agentchat_builder *builder, bool in_item, agentchat_field field, agentchat_str value)
{
    aci_draft *draft = in_item ? &last_item(builder)->draft : &builder->draft;
    aci_form form = aci_field_form(field);

    if (!take(builder, in_item, aci_field_name(field), form, &value))
        return;
    aci_draft_set(draft, field, agentchat_str_is_null(value) ? ACI_FORM_NULL : form, value);
}

static void refuse(agentchat_builder *builder, bool in_item, const char *member, const char *message)
{
    agentchat_error error;

    agentchat_error_clear(&error);
    aci_fail(&error, AGENTCHAT_E_INVALID, "%s", message);
    fail_value(builder, in_item, member, &error, AGENTCHAT_E_INVALID);
}

const agentchat_env *aci_builder_env(const agentchat_builder *builder)
{
    return is_broken(builder) ? NULL : builder->env;
}

void aci_builder_fail(agentchat_builder *builder, bool in_item, agentchat_field field, const agentchat_error *error)
{
    const char *name = aci_field_name(field);

    fail_value(builder, in_item, name != NULL ? name : "", error, (agentchat_status)error->code);
}

/* The item added last, if the builder is whole and there is one; else the failure "no item". */
static built_item *item_to_fill(agentchat_builder *builder, const char *member)
{
    if (is_broken(builder))
        return NULL;
    if (builder->item_count == 0)
        refuse(builder, false, member, "no item has been added yet that this could be set on");
    return last_item(builder);
}

agentchat_builder *agentchat_builder_new(const agentchat_env *env, const char *role, const char *name)
{
    agentchat_builder *builder;

    env = aci_env(env);
    builder = aci_alloc(env, sizeof *builder);
    if (builder == NULL)
        return NULL;
    memset(builder, 0, offsetof(agentchat_builder, error));
    agentchat_error_clear(&builder->error);
    builder->env = env;
    aci_draft_begin(&builder->draft);
    builder->scratch = aci_home_new(env, 0);
    if (builder->scratch == NULL) {
        aci_free(env, builder, sizeof *builder);
        return NULL;
    }
    agentchat_builder_set(builder, AGENTCHAT_FIELD_ROLE, agentchat_str_from(role));
    if (name != NULL)
        agentchat_builder_set(builder, AGENTCHAT_FIELD_NAME, agentchat_str_from(name));
    return builder;
}

void agentchat_builder_set(agentchat_builder *builder, agentchat_field field, agentchat_str value)
{
    const char *name = aci_field_name(field);

    if (is_broken(builder))
        return;
    if (!aci_message_may_have(field)) {
        refuse(builder, false, name != NULL ? name : "", "a message has no such field");
        return;
    }
    set_field(builder, false, field, value);
}

static built_item *add_item(agentchat_builder *builder, agentchat_item_kind kind)
{
    void *array = builder->items;
    built_item *item;

    if (!aci_grow(builder->env, &array, &builder->item_cap, builder->item_count, sizeof *builder->items)) {
        out_of_memory(builder);
        return NULL;
    }
    builder->items = array;
    item = &builder->items[builder->item_count++];
    memset(item, 0, sizeof *item);
    item->kind = kind;
    aci_draft_begin(&item->draft);
    return item;
}

void agentchat_builder_add_item(agentchat_builder *builder, agentchat_item_kind kind)
{
    if (is_broken(builder))
        return;
    if (kind < AGENTCHAT_ITEM_TEXT || kind > AGENTCHAT_ITEM_OPAQUE || kind == AGENTCHAT_ITEM_MESSAGE) {
        refuse(builder, false, "items",
               kind == AGENTCHAT_ITEM_MESSAGE ? "a message goes in with agentchat_builder_add_message()"
                                              : "there is no such kind of item");
        return;
    }
    add_item(builder, kind);
}

void agentchat_builder_set_item(agentchat_builder *builder, agentchat_field field, agentchat_str value)
{
    const char *name = aci_field_name(field);
    built_item *item = item_to_fill(builder, name != NULL ? name : "items");

    if (item == NULL)
        return;
    if (!aci_item_may_have(item->kind, field)) {
        refuse(builder, true, name != NULL ? name : "", "this kind of item has no such field");
        return;
    }
    set_field(builder, true, field, value);
}

/* The item added last, if it may have data. */
static built_item *item_with_data(agentchat_builder *builder)
{
    built_item *item = item_to_fill(builder, "data");

    if (item == NULL)
        return NULL;
    if (!aci_item_may_have(item->kind, AGENTCHAT_FIELD_URI)) {
        refuse(builder, true, "data", "only image, audio and binary items have data");
        return NULL;
    }
    return item;
}

static void set_data(agentchat_builder *builder, built_item *item, agentchat_str base64, agentchat_str bytes)
{
    bool ok = true;

    item->base64 = aci_home_copy(builder->scratch, base64, &ok);
    item->bytes = aci_home_copy(builder->scratch, bytes, &ok);
    if (!ok)
        out_of_memory(builder);
}

void agentchat_builder_set_data(agentchat_builder *builder, agentchat_str bytes)
{
    built_item *item = item_with_data(builder);
    agentchat_str none = {NULL, 0};

    if (item != NULL)
        set_data(builder, item, none, agentchat_str_is_null(bytes) ? none : bytes);
}

void agentchat_builder_set_data_base64(agentchat_builder *builder, agentchat_str text)
{
    built_item *item = item_with_data(builder);
    agentchat_str none = {NULL, 0};
    agentchat_error error;
    size_t bad = 0;

    if (item == NULL)
        return;
    if (text.len > 0 && !aci_b64_check(text, &bad)) {
        agentchat_error_clear(&error);
        aci_fail(&error, AGENTCHAT_E_INVALID, "this is not base64 (RFC 4648, padded, no line breaks) at byte %zu", bad);
        aci_error_at(&error, bad, 0, 0);
        fail_value(builder, true, "data", &error, AGENTCHAT_E_INVALID);
        return;
    }
    set_data(builder, item, agentchat_str_is_null(text) ? none : text, none);
}

void agentchat_builder_add_text(agentchat_builder *builder, agentchat_str text)
{
    agentchat_builder_add_item(builder, AGENTCHAT_ITEM_TEXT);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_TEXT, text);
}

void agentchat_builder_add_call(agentchat_builder *builder, agentchat_str id, agentchat_str plugin,
                                agentchat_str function, agentchat_str arguments)
{
    agentchat_builder_add_item(builder, AGENTCHAT_ITEM_CALL);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_CALL_ID, id);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_PLUGIN, plugin);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_FUNCTION, function);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_ARGUMENTS, arguments);
}

void agentchat_builder_add_result(agentchat_builder *builder, agentchat_str id, agentchat_str plugin,
                                  agentchat_str function, agentchat_str result)
{
    agentchat_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_CALL_ID, id);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_PLUGIN, plugin);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_FUNCTION, function);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_RESULT, result);
}

void agentchat_builder_add_data(agentchat_builder *builder, agentchat_item_kind kind, agentchat_str mime_type,
                                agentchat_str bytes)
{
    agentchat_builder_add_item(builder, kind);
    agentchat_builder_set_data(builder, bytes);
    agentchat_builder_set_item(builder, AGENTCHAT_FIELD_MIME_TYPE, mime_type);
}

void agentchat_builder_add_message(agentchat_builder *builder, const agentchat_message *message)
{
    agentchat_error error;
    built_item *item;

    if (is_broken(builder))
        return;
    if (message == NULL) {
        refuse(builder, false, "items", "the message to add is NULL");
        return;
    }
    item = add_item(builder, AGENTCHAT_ITEM_MESSAGE);
    if (item == NULL)
        return;
    if (builder->env->limits.max_depth < ACI_MESSAGE_LEVELS ||
        !aci_message_fits(message, builder->env->limits.max_depth - ACI_MESSAGE_LEVELS)) {
        agentchat_error_clear(&error);
        aci_fail(&error, AGENTCHAT_E_LIMIT, "messages are nested deeper than the limit of %lu levels allows",
                 (unsigned long)builder->env->limits.max_depth);
        fail_value(builder, true, "message", &error, AGENTCHAT_E_LIMIT);
        return;
    }
    item->nested = agentchat_message_ref(message);
}

void agentchat_builder_add_extra(agentchat_builder *builder, agentchat_extra extra)
{
    bool in_item;
    aci_draft *draft;
    char member[48];

    if (is_broken(builder))
        return;
    in_item = builder->item_count > 0;
    draft = in_item ? &last_item(builder)->draft : &builder->draft;
    snprintf(member, sizeof member, "extras/%zu/name", draft->extra_count);
    if (extra.name.ptr == NULL || agentchat_str_is_null(extra.name)) {
        refuse(builder, in_item, member, "an extra needs a name");
        return;
    }
    if (!take(builder, in_item, member, ACI_FORM_TEXT, &extra.name))
        return;
    snprintf(member, sizeof member, "extras/%zu/value", draft->extra_count);
    if (agentchat_str_is_null(extra.value))
        extra.value = AGENTCHAT_STR("null");
    if (extra.value.ptr == NULL) {
        refuse(builder, in_item, member, "an extra needs a value");
        return;
    }
    if (!take(builder, in_item, member, ACI_FORM_JSON, &extra.value))
        return;
    if (!aci_draft_add_extra(draft, builder->env, extra))
        out_of_memory(builder);
}

/* The item as the scratch message has it. A nested message is only pointed to: the copy that follows takes it over. */
static agentchat_item *assemble_item(const built_item *built, aci_home *home)
{
    agentchat_item *item = aci_draft_item(&built->draft, home, built->kind);

    if (item == NULL)
        return NULL;
    if (built->kind == AGENTCHAT_ITEM_MESSAGE) {
        item->u.message = built->nested;
    } else if (built->base64.ptr != NULL || built->bytes.ptr != NULL) {
        item->u.data = aci_data_new(home, built->base64, built->bytes);
        if (item->u.data == NULL)
            return NULL;
    }
    return item;
}

static agentchat_message *assemble(agentchat_builder *builder)
{
    agentchat_message *message, *result;
    agentchat_item **items = NULL;
    aci_home *home;

    if (builder->item_count > 0) {
        items = aci_home_alloc(builder->scratch, builder->item_count * sizeof *items);
        if (items == NULL)
            return NULL;
    }
    for (size_t i = 0; i < builder->item_count; i++) {
        items[i] = assemble_item(&builder->items[i], builder->scratch);
        if (items[i] == NULL)
            return NULL;
    }
    message = aci_draft_message(&builder->draft, builder->scratch, items, builder->item_count, 0);
    if (message == NULL)
        return NULL;
    home = aci_home_new(builder->env, aci_message_footprint(message));
    if (home == NULL)
        return NULL;
    result = aci_message_copy(message, home);
    if (result == NULL)
        aci_home_unref(home);
    return result; /* the reference on the home is the message's */
}

agentchat_status agentchat_builder_finish(agentchat_builder *builder, agentchat_message **out, agentchat_error *err)
{
    const aci_field *role;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL) {
        agentchat_builder_free(builder);
        return aci_fail_null(err, "out");
    }
    *out = NULL;
    if (builder == NULL)
        return aci_fail_nomem(err);
    role = aci_find(builder->draft.fields, builder->draft.field_count, AGENTCHAT_FIELD_ROLE);
    if (!is_broken(builder) && aci_field_view(role).len == 0)
        refuse(builder, false, "role", "a message needs a role that is not empty");
    if (!is_broken(builder)) {
        *out = assemble(builder);
        if (*out == NULL)
            out_of_memory(builder);
    }
    status = builder->status;
    if (status < 0 && err != NULL)
        *err = builder->error;
    agentchat_builder_free(builder);
    return status;
}

void agentchat_builder_free(agentchat_builder *builder)
{
    const agentchat_env *env;

    if (builder == NULL)
        return;
    env = builder->env;
    for (size_t i = 0; i < builder->item_count; i++) {
        aci_draft_clear(&builder->items[i].draft, env);
        agentchat_message_unref(builder->items[i].nested);
    }
    aci_free(env, builder->items, builder->item_cap * sizeof *builder->items);
    aci_draft_clear(&builder->draft, env);
    aci_home_unref(builder->scratch);
    aci_free(env, builder, sizeof *builder);
}

agentchat_status agentchat_message_new_text(const agentchat_env *env, const char *role, const char *name,
                                            agentchat_str text, agentchat_message **out, agentchat_error *err)
{
    agentchat_builder *builder = agentchat_builder_new(env, role, name);

    agentchat_builder_add_text(builder, text);
    return agentchat_builder_finish(builder, out, err);
}
