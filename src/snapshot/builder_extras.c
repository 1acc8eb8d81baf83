/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unknown properties of a snapshot being built, of its participants and of its channels.
 *
 * A list has room for at least the next power of two of its count, so that adding one by one costs no more memory than
 * adding all at once, and a list without additions none.
 */
#include "snapshot/builder.h"

#include "base/checked.h"
#include "base/error.h"
#include "model/check.h"
#include <string.h>

/* Whose extras are changed; list is NULL when the builder has failed, or fails because there is no such thing. */
typedef struct owner {
    aci_extras **list;
    const char *kind; /* "participants" or "channels"; NULL: the snapshot itself */
    size_t index;
} owner;

static owner snapshot_itself(agentchat_snapshot_builder *b)
{
    return (owner){aci_snapshot_builder_is_broken(b) ? NULL : &b->extras, NULL, 0};
}

static owner participant(agentchat_snapshot_builder *b, agentchat_str id)
{
    size_t index = aci_snapshot_builder_is_broken(b) ? ACI_INDEX_NONE : aci_index_find(&b->participant_ids, id);

    if (index != ACI_INDEX_NONE)
        return (owner){&b->participants[index].extras, "participants", index};
    if (!aci_snapshot_builder_is_broken(b))
        aci_snapshot_builder_refuse(b, "participants", b->participant_count, "",
                                    "no participant of the snapshot has this id");
    return (owner){NULL, NULL, 0};
}

static owner channel(agentchat_snapshot_builder *b, agentchat_str key)
{
    size_t index = aci_snapshot_builder_is_broken(b) ? ACI_INDEX_NONE : aci_index_find(&b->channel_keys, key);

    if (index != ACI_INDEX_NONE)
        return (owner){&b->channels[index].extras, "channels", index};
    if (!aci_snapshot_builder_is_broken(b))
        aci_snapshot_builder_refuse(b, "channels", b->channel_count, "", "no channel of the snapshot has this key");
    return (owner){NULL, NULL, 0};
}

/* A copy of a list (NULL: an empty one) with room for so many; its text is not copied. NULL: out of memory. */
static aci_extras *with_room(aci_arena *arena, const aci_extras *list, size_t room)
{
    size_t size, count = aci_extras_count(list);
    aci_extras *copy;

    if (!aci_mul(room, sizeof *list->list, &size) || !aci_add(size, sizeof *list, &size))
        return NULL;
    copy = aci_arena_alloc(arena, size);
    if (copy == NULL)
        return NULL;
    copy->count = count;
    if (count > 0)
        memcpy(copy->list, list->list, count * sizeof *list->list);
    return copy;
}

aci_extras *aci_snapshot_builder_copy_extras(agentchat_snapshot_builder *b, const aci_extras *list, bool *ok)
{
    size_t room = 1;
    aci_extras *copy;

    if (list == NULL)
        return NULL;
    while (room < list->count)
        room *= 2;
    copy = with_room(b->arena, list, room);
    for (size_t i = 0; copy != NULL && i < copy->count; i++) {
        copy->list[i].name = aci_arena_copy(b->arena, copy->list[i].name, ok);
        copy->list[i].value = aci_arena_copy(b->arena, copy->list[i].value, ok);
        copy->list[i].from = aci_arena_copy(b->arena, copy->list[i].from, ok);
    }
    *ok = *ok && copy != NULL;
    return copy;
}

/* Makes the failure in b->error stick, at a member of the extra to add. */
static void fail(agentchat_snapshot_builder *b, const owner *of, agentchat_status status, const char *member)
{
    size_t index = aci_extras_count(*of->list);
    char path[48];

    if (of->kind == NULL) {
        aci_snapshot_builder_fail(b, status, "extras", index, member);
        return;
    }
    snprintf(path, sizeof path, "extras/%zu/%s", index, member);
    aci_snapshot_builder_fail(b, status, of->kind, of->index, path);
}

/* Checks name and value and copies them. */
static bool take(agentchat_snapshot_builder *b, const owner *of, agentchat_extra *extra)
{
    agentchat_status status;

    if (!aci_is_given(extra->name)) {
        fail(b, of, aci_fail(&b->error, AGENTCHAT_E_INVALID, "an extra needs a name"), "name");
        return false;
    }
    status = aci_check_text(extra->name, &b->error);
    if (status < 0) {
        fail(b, of, status, "name");
        return false;
    }
    if (agentchat_str_is_null(extra->value))
        extra->value = AGENTCHAT_STR("null");
    if (extra->value.ptr == NULL)
        status = aci_fail(&b->error, AGENTCHAT_E_INVALID, "an extra needs a value");
    else
        status = aci_check_json(b->env, &extra->value, &b->error);
    if (status < 0) {
        fail(b, of, status, "value");
        return false;
    }
    if (!aci_tag_check(&extra->from)) {
        fail(b, of, aci_fail(&b->error, AGENTCHAT_E_INVALID, "%s", aci_tag_rule), "from");
        return false;
    }
    aci_snapshot_builder_copy(b, &extra->name);
    if (!aci_snapshot_builder_is_broken(b))
        aci_snapshot_builder_copy(b, &extra->value);
    if (!aci_snapshot_builder_is_broken(b))
        aci_snapshot_builder_copy(b, &extra->from);
    return !aci_snapshot_builder_is_broken(b);
}

static void add(agentchat_snapshot_builder *b, owner of, agentchat_str name, agentchat_str value, agentchat_str from)
{
    agentchat_extra extra = {name, value, from};
    aci_extras *list;
    size_t count;

    if (of.list == NULL || !take(b, &of, &extra))
        return;
    list = *of.list;
    count = aci_extras_count(list);
    if ((count & (count - 1)) == 0) { /* 0, 1, 2, 4, …: it may be full */
        list = with_room(b->arena, list, count > 0 ? 2 * count : 1);
        if (list == NULL) {
            aci_snapshot_builder_nomem(b);
            return;
        }
        *of.list = list;
    }
    list->list[list->count++] = extra;
}

static void remove_named(owner of, agentchat_str name)
{
    aci_extras *list = of.list != NULL ? *of.list : NULL;
    size_t kept = 0;

    if (list == NULL)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (!agentchat_str_equal(list->list[i].name, name))
            list->list[kept++] = list->list[i];
    list->count = kept;
    if (kept == 0)
        *of.list = NULL;
}

void agentchat_snapshot_builder_add_extra(agentchat_snapshot_builder *builder, agentchat_str name, agentchat_str value,
                                          agentchat_str from)
{
    add(builder, snapshot_itself(builder), name, value, from);
}

void agentchat_snapshot_builder_remove_extra(agentchat_snapshot_builder *builder, agentchat_str name)
{
    remove_named(snapshot_itself(builder), name);
}

void agentchat_snapshot_builder_add_participant_extra(agentchat_snapshot_builder *builder, agentchat_str id,
                                                      agentchat_str name, agentchat_str value, agentchat_str from)
{
    add(builder, participant(builder, id), name, value, from);
}

void agentchat_snapshot_builder_remove_participant_extra(agentchat_snapshot_builder *builder, agentchat_str id,
                                                         agentchat_str name)
{
    remove_named(participant(builder, id), name);
}

void agentchat_snapshot_builder_add_channel_extra(agentchat_snapshot_builder *builder, agentchat_str key,
                                                  agentchat_str name, agentchat_str value, agentchat_str from)
{
    add(builder, channel(builder, key), name, value, from);
}

void agentchat_snapshot_builder_remove_channel_extra(agentchat_snapshot_builder *builder, agentchat_str key,
                                                     agentchat_str name)
{
    remove_named(channel(builder, key), name);
}
