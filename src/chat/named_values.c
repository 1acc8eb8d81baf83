/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Named values of a live chat.
 *
 * Each value lives in an arena of its own and is never changed, only replaced: a capture shares it whatever its size.
 */
#include "chat/chat.h"

#include "base/buf.h"
#include "base/error.h"
#include "model/check.h"
#include "json/value.h"
#include <string.h>

void aci_chat_value_clear(aci_value *value)
{
    aci_arena_unref(value->arena);
    aci_value_list_unref(value->list);
}

void aci_chat_values_free(const agentchat_env *env, aci_value *values, size_t count, size_t cap)
{
    for (size_t i = 0; i < count; i++)
        aci_chat_value_clear(&values[i]);
    aci_free(env, values, cap * sizeof *values);
}

size_t aci_chat_value_find(const agentchat_chat *chat, agentchat_str name)
{
    size_t index = aci_index_find(&chat->value_names, name);

    return index != ACI_INDEX_NONE ? index : chat->value_count;
}

static agentchat_status check(const agentchat_chat *chat, agentchat_str name, agentchat_str media_type,
                              agentchat_str *value, agentchat_error *err)
{
    aci_excerpt excerpt;

    if (name.len == 0 || aci_check_text(name, NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the name of a value must be UTF-8 and not empty");
    if (agentchat_str_is_null(*value) || agentchat_str_is_null(media_type))
        return aci_fail(err, AGENTCHAT_E_INVALID, "value %s: give the JSON text null to store a null",
                        aci_error_excerpt(name, &excerpt));
    if (media_type.ptr != NULL && (media_type.len == 0 || aci_check_text(media_type, NULL) < 0))
        return aci_fail(err, AGENTCHAT_E_INVALID, "value %s: its media type must be UTF-8 and not empty",
                        aci_error_excerpt(name, &excerpt));
    if (value->ptr != NULL && media_type.ptr == NULL) {
        agentchat_status status = aci_check_json(chat->env, value, err);

        if (status < 0)
            aci_json_cure(err, status, name, "agentchat_chat_set_value_text or agentchat_json_quote");
        return status;
    }
    return AGENTCHAT_OK;
}

bool aci_chat_value_make(const agentchat_env *env, agentchat_str name, agentchat_str media_type, agentchat_str value,
                         aci_value *out)
{
    aci_arena *arena = aci_arena_new(env, 256);
    bool ok = true;

    if (arena == NULL)
        return false;
    *out = (aci_value){.arena = arena};
    out->name = aci_arena_copy(arena, name, &ok);
    out->media_type = aci_arena_copy(arena, media_type, &ok);
    out->value = aci_arena_copy(arena, value, &ok);
    if (!ok)
        aci_arena_unref(arena);
    return ok;
}

bool aci_chat_value_share(const agentchat_env *env, const aci_value *value, aci_value *out)
{
    bool is_apart = value->arena != NULL && aci_arena_env(value->arena) == env;

    if (is_apart)
        *out = (aci_value){.arena = aci_arena_ref(value->arena),
                           .name = value->name,
                           .media_type = value->media_type,
                           .value = value->value};
    else if (!aci_chat_value_make(env, value->name, value->media_type, value->value, out))
        return false;
    out->list = aci_value_list_ref(value->list);
    return true;
}

bool aci_chat_value_put(agentchat_chat *chat, const aci_value *value)
{
    size_t index = aci_chat_value_find(chat, value->name);
    void *values = chat->values;

    if (!aci_grow(chat->env, &values, &chat->value_cap, chat->value_count, sizeof *chat->values))
        return false;
    chat->values = values;
    if (!aci_index_put(&chat->value_names, chat->env, value->name, index))
        return false;
    if (index < chat->value_count)
        aci_chat_value_clear(&chat->values[index]);
    else
        chat->value_count++;
    chat->values[index] = *value;
    return true;
}

static agentchat_status put(agentchat_chat *chat, agentchat_str name, agentchat_str media_type, agentchat_str value,
                            agentchat_error *err)
{
    aci_value made;

    if (!aci_chat_value_make(chat->env, name, media_type, value, &made))
        return aci_fail_nomem(err);
    if (aci_chat_value_put(chat, &made))
        return AGENTCHAT_OK;
    aci_chat_value_clear(&made);
    return aci_fail_nomem(err);
}

static void drop(agentchat_chat *chat, agentchat_str name)
{
    size_t index = aci_chat_value_find(chat, name);

    if (index == chat->value_count)
        return;
    aci_index_remove(&chat->value_names, name, index);
    aci_chat_value_clear(&chat->values[index]);
    chat->value_count--;
    memmove(&chat->values[index], &chat->values[index + 1], (chat->value_count - index) * sizeof *chat->values);
    for (size_t i = index; i < chat->value_count; i++) /* a document may have two of a name; there is room for one */
        if (agentchat_str_equal(chat->values[i].name, name))
            (void)aci_index_add(&chat->value_names, chat->env, chat->values[i].name, i);
}

agentchat_status aci_chat_value_set(agentchat_chat *chat, agentchat_str name, agentchat_str media_type,
                                    agentchat_str value, agentchat_error *err)
{
    agentchat_status status = check(chat, name, media_type, &value, err);

    if (status >= 0 && value.ptr != NULL)
        return put(chat, name, media_type, value, err);
    if (status >= 0)
        drop(chat, name);
    return status;
}

agentchat_status agentchat_chat_set_value(agentchat_chat *chat, agentchat_str name, agentchat_str media_type,
                                          agentchat_str value, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = aci_chat_value_set(chat, name, media_type, value, err);
    aci_chat_leave(chat);
    return status;
}

agentchat_status agentchat_chat_set_value_text(agentchat_chat *chat, agentchat_str name, agentchat_str text,
                                               agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    aci_buf quoted;

    agentchat_error_clear(err);
    if (chat == NULL)
        return aci_fail_null(err, "chat");
    aci_buf_init(&quoted, chat->env, SIZE_MAX);
    if (text.ptr != NULL)
        status = aci_json_quote(text, &quoted, err);
    if (status >= 0)
        status = agentchat_chat_set_value(chat, name, (agentchat_str){NULL, 0},
                                          text.ptr != NULL ? aci_buf_str(&quoted) : text, err);
    aci_buf_clear(&quoted);
    return status;
}

/* ---- values as they were before an answer ------------------------------------------------------------------------ */

void aci_chat_values_forget(const agentchat_env *env, aci_saved_values *saved)
{
    if (!saved->is_saved)
        return;
    aci_chat_values_free(env, saved->values, saved->count, saved->cap);
    aci_index_clear(&saved->names, env);
    *saved = (aci_saved_values){.is_saved = false};
}

bool aci_chat_values_save(agentchat_chat *chat, aci_saved_values *saved)
{
    size_t cap = chat->value_count > 0 ? chat->value_count : 1;
    aci_saved_values copy = {.is_saved = true, .cap = cap};
    bool ok;

    if (saved->is_saved)
        return true;
    copy.values = aci_alloc(chat->env, cap * sizeof *copy.values);
    ok = copy.values != NULL;
    while (ok && copy.count < chat->value_count) {
        ok = aci_chat_value_share(chat->env, &chat->values[copy.count], &copy.values[copy.count]);
        copy.count += ok;
        ok = ok && aci_index_add(&copy.names, chat->env, copy.values[copy.count - 1].name, copy.count - 1);
    }
    if (!ok) {
        aci_chat_values_forget(chat->env, &copy);
        return false;
    }
    *saved = (aci_saved_values){true, chat->values, chat->value_count, chat->value_cap, chat->value_names};
    chat->values = copy.values;
    chat->value_count = copy.count;
    chat->value_cap = copy.cap;
    chat->value_names = copy.names;
    return true;
}

void aci_chat_values_restore(agentchat_chat *chat, aci_saved_values *saved)
{
    aci_saved_values now = {true, chat->values, chat->value_count, chat->value_cap, chat->value_names};

    if (!saved->is_saved)
        return;
    chat->values = saved->values;
    chat->value_count = saved->count;
    chat->value_cap = saved->cap;
    chat->value_names = saved->names;
    *saved = now;
    aci_chat_values_forget(chat->env, saved);
}

agentchat_str agentchat_chat_value(const agentchat_chat *chat, agentchat_str name, agentchat_str *media_type)
{
    size_t index = chat != NULL ? aci_chat_value_find(chat, name) : 0;
    const aci_value *value = chat != NULL && index < chat->value_count ? &chat->values[index] : NULL;
    agentchat_str text = value != NULL ? value->value : (agentchat_str){NULL, 0};

    if (media_type != NULL)
        *media_type = value != NULL ? value->media_type : (agentchat_str){NULL, 0};
    if (value != NULL && value->list != NULL && !aci_value_list_text(value->list, &text))
        return (agentchat_str){NULL, 0};
    return text;
}
