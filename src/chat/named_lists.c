/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates of named lists of a live chat.
 *
 * A named value that is a JSON array becomes a list of its elements with its first update. From then on an update makes
 * a new list that shares what stays, and costs what is new; the text is made when somebody asks for it.
 */
#include "chat/chat.h"

#include "base/buf.h"
#include "base/error.h"
#include "list_edit/list_edit.h"
#include "model/check.h"
#include "json/walk.h"
#include <string.h>

typedef struct updating {
    agentchat_chat *chat;
    agentchat_str name, update;
    aci_arena *arena;           /* of what is needed on the way */
    const aci_value_list *list; /* as it is; NULL: there is none, or it is not one yet */
    aci_value_list *made;       /* of a text; one reference */
    agentchat_str text;         /* its text where that is known; absent: it must be made */
    aci_value_list *updated;    /* one reference */
    agentchat_error *err;
} updating;

/* ---- the list as it is ------------------------------------------------------------------------------------------- */

static agentchat_status fail_no_list(const updating *u)
{
    aci_excerpt excerpt;

    return aci_fail(u->err, AGENTCHAT_E_INVALID, "value %s is no list, so it cannot be updated as one",
                    aci_error_excerpt(u->name, &excerpt));
}

static agentchat_status find_list(updating *u)
{
    size_t index = aci_chat_value_find(u->chat, u->name), count = 0;
    const aci_value *value;
    agentchat_str *texts = NULL;

    if (index == u->chat->value_count) {
        u->text = AGENTCHAT_STR("[]");
        return AGENTCHAT_OK;
    }
    value = &u->chat->values[index];
    u->list = value->list;
    if (u->list != NULL)
        return AGENTCHAT_OK;
    if (value->media_type.ptr != NULL || value->value.len == 0 || value->value.ptr[0] != '[')
        return fail_no_list(u);
    u->text = value->value;
    if (!aci_value_list_split(value->value, u->arena, &texts, &count))
        return aci_fail_nomem(u->err);
    u->list = u->made = aci_value_list_make(u->chat->env, NULL, 0, 0, texts, count);
    return u->made != NULL ? AGENTCHAT_OK : aci_fail_nomem(u->err);
}

/* ---- the library's reducer --------------------------------------------------------------------------------------- */

static agentchat_status reduce(updating *u)
{
    aci_list_edit_update what;
    agentchat_status status = aci_list_edit_update_read(u->update, aci_value_list_count(u->list), &what, u->err);
    agentchat_str *texts = &what.value;
    size_t count = what.value.ptr != NULL;
    aci_walk walk;

    if (status < 0)
        return status;
    if (what.values.ptr != NULL) {
        if (!aci_value_list_split(what.values, u->arena, &texts, &count))
            return aci_fail_nomem(u->err);
        aci_walk_begin(&walk, what.values); /* what is appended comes without the whitespace around it */
        for (size_t i = 0; aci_walk_next(&walk); i++)
            texts[i] = walk.value;
    }
    u->updated = aci_value_list_make(u->chat->env, u->list, what.from, what.to - what.from, texts, count);
    return u->updated != NULL ? AGENTCHAT_OK : aci_fail_nomem(u->err);
}

/* ---- the caller's ------------------------------------------------------------------------------------------------ */

/* A list of these elements, which shares what it begins with. */
static agentchat_status take(updating *u, const agentchat_str *texts, size_t count)
{
    aci_value_list_cursor cursor;
    size_t same = 0;

    if (u->list != NULL) {
        aci_value_list_cursor_begin(&cursor, u->list);
        while (same < count && same < aci_value_list_count(u->list) &&
               agentchat_str_equal(aci_value_list_cursor_at(&cursor, same), texts[same]))
            same++;
    }
    u->updated = aci_value_list_make(u->chat->env, u->list, 0, same, texts + same, count - same);
    return u->updated != NULL ? AGENTCHAT_OK : aci_fail_nomem(u->err);
}

static agentchat_status take_made(updating *u, agentchat_str made)
{
    aci_excerpt excerpt;
    agentchat_str *texts = NULL;
    size_t count = 0;
    agentchat_status status = agentchat_json_check(u->chat->env, made, &made, u->err);

    if (status >= 0 && made.ptr[0] != '[')
        return aci_fail(u->err, AGENTCHAT_E_INVALID, "what the reducer of list %s made is no JSON array",
                        aci_error_excerpt(u->name, &excerpt));
    if (status < 0)
        return status;
    return aci_value_list_split(made, u->arena, &texts, &count) ? take(u, texts, count) : aci_fail_nomem(u->err);
}

/* DONE: the update is none that it understands. */
static agentchat_status reduce_by(updating *u, const agentchat_chat_reducer *reducer)
{
    agentchat_error own, *cause = &own; /* the chat's may be an answer's */
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    aci_excerpt excerpt;
    agentchat_status status;

    agentchat_error_clear(cause);
    if (u->text.ptr == NULL && !aci_value_list_text(u->list, &u->text))
        return aci_fail_nomem(u->err);
    made.env = u->chat->env;
    status = reducer->reduce(reducer->user, u->text, u->update, &made, cause);
    if (status < 0)
        status = aci_fail(u->err, status, "the reducer of list %s failed: %s", aci_error_excerpt(u->name, &excerpt),
                          cause->message[0] != '\0' ? cause->message : agentchat_status_text(status));
    else if (status != AGENTCHAT_DONE)
        status = take_made(u, (agentchat_str){made.ptr, made.len});
    agentchat_bytes_clear(&made);
    return status;
}

static size_t find_reducer(const agentchat_chat *chat, agentchat_str name)
{
    size_t i = 0;

    while (i < chat->reducer_count &&
           !agentchat_str_equal((agentchat_str){chat->reducers[i].name, chat->reducers[i].name_len}, name))
        i++;
    return i;
}

/* ---- updating ---------------------------------------------------------------------------------------------------- */

/* The value with the new list, in an arena that holds its name alone. */
static agentchat_status put_list(updating *u)
{
    size_t index = aci_chat_value_find(u->chat, u->name);
    const aci_value *old = index < u->chat->value_count ? &u->chat->values[index] : NULL;
    agentchat_str none = {NULL, 0};
    aci_value made;

    if (old != NULL && old->list != NULL) {
        made = *old;
        aci_arena_ref(made.arena);
    } else if (!aci_chat_value_make(u->chat->env, u->name, none, none, &made)) {
        return aci_fail_nomem(u->err);
    }
    made.list = u->updated;
    u->updated = NULL;
    if (aci_chat_value_put(u->chat, &made))
        return AGENTCHAT_OK;
    aci_chat_value_clear(&made);
    return aci_fail_nomem(u->err);
}

static agentchat_status update_taken(updating *u)
{
    size_t reducer = find_reducer(u->chat, u->name);
    agentchat_status status = agentchat_json_check(u->chat->env, u->update, &u->update, u->err);

    if (status >= 0 && (u->name.len == 0 || aci_check_text(u->name, NULL) < 0))
        return aci_fail(u->err, AGENTCHAT_E_INVALID, "the name of a value must be UTF-8 and not empty");
    if (status >= 0)
        status = find_list(u);
    if (status >= 0 && reducer < u->chat->reducer_count)
        status = reduce_by(u, &u->chat->reducers[reducer].table);
    if (status >= 0 && u->updated == NULL)
        status = reduce(u);
    return status < 0 ? status : put_list(u);
}

agentchat_status aci_chat_value_update(agentchat_chat *chat, agentchat_str name, agentchat_str update,
                                       agentchat_error *err)
{
    updating u = {.chat = chat, .name = name, .update = update, .err = err, .arena = aci_arena_new(chat->env, 256)};
    agentchat_status status = u.arena != NULL ? update_taken(&u) : aci_fail_nomem(err);

    aci_value_list_unref(u.made);
    aci_value_list_unref(u.updated);
    aci_arena_unref(u.arena);
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status agentchat_chat_update(agentchat_chat *chat, agentchat_str name, agentchat_str update,
                                       agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = aci_chat_value_update(chat, name, update, err);
    aci_chat_leave(chat);
    return status;
}

/* ---- registering ------------------------------------------------------------------------------------------------- */

static void free_user(const agentchat_chat_reducer *table)
{
    if (table->free_user != NULL)
        table->free_user(table->user);
}

void aci_chat_drop_reducers(agentchat_chat *chat)
{
    while (chat->reducer_count > 0) {
        aci_chat_reducer *reducer = &chat->reducers[--chat->reducer_count];

        free_user(&reducer->table);
        aci_free(chat->env, reducer->name, reducer->name_len);
    }
    aci_free(chat->env, chat->reducers, chat->reducer_cap * sizeof *chat->reducers);
    chat->reducers = NULL;
    chat->reducer_cap = 0;
}

static agentchat_status add_reducer(agentchat_chat *chat, agentchat_str name, const agentchat_chat_reducer *table,
                                    agentchat_error *err)
{
    void *reducers = chat->reducers;
    char *copy;

    if (name.len == 0 || aci_check_text(name, NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the name of a value must be UTF-8 and not empty");
    if (!aci_grow(chat->env, &reducers, &chat->reducer_cap, chat->reducer_count, sizeof *chat->reducers))
        return aci_fail_nomem(err);
    chat->reducers = reducers;
    copy = aci_alloc(chat->env, name.len);
    if (copy == NULL)
        return aci_fail_nomem(err);
    memcpy(copy, name.ptr, name.len);
    chat->reducers[chat->reducer_count++] = (aci_chat_reducer){copy, name.len, *table};
    return AGENTCHAT_OK;
}

/* Sets what is registered for a name; *gone: what was. */
static agentchat_status set_reducer(agentchat_chat *chat, agentchat_str name, const agentchat_chat_reducer *table,
                                    agentchat_chat_reducer *gone, agentchat_error *err)
{
    size_t index = find_reducer(chat, name);
    aci_chat_reducer *held = index < chat->reducer_count ? &chat->reducers[index] : NULL;

    if (held == NULL)
        return table->reduce != NULL ? add_reducer(chat, name, table, err) : AGENTCHAT_OK;
    *gone = held->table;
    held->table = *table;
    if (table->reduce == NULL) {
        aci_free(chat->env, held->name, held->name_len);
        *held = chat->reducers[--chat->reducer_count];
    }
    return AGENTCHAT_OK;
}

void agentchat_chat_reducer_init(agentchat_chat_reducer *reducer, size_t size)
{
    aci_env_options_init(reducer, size);
}

agentchat_status agentchat_chat_set_reducer(agentchat_chat *chat, agentchat_str name,
                                            const agentchat_chat_reducer *reducer, agentchat_error *err)
{
    agentchat_chat_reducer given, gone = {.struct_size = sizeof gone};
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_env_options_load(&given, sizeof given, reducer, err);
    if (status >= 0)
        status = aci_chat_enter(chat, err);
    if (status < 0) {
        free_user(&given);
        return status;
    }
    status = set_reducer(chat, name, &given, &gone, err);
    aci_chat_leave(chat);
    if (status < 0 || given.reduce == NULL)
        free_user(&given);
    free_user(&gone); /* it may look at the chat */
    return status;
}
