/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The named values that a restore will put into a chat.
 *
 * Where the contents of a chat are replaced there are three versions of a value: the chat's, the stored one, and what
 * both come from. What was changed on one side alone is what it became there.
 */
#include "restore/restore.h"

#include "base/error.h"

typedef struct staging {
    aci_stage *stage;
    const aci_replacing *replacing; /* NULL: the chat is unused */
    const agentchat_chat *chat;
    const agentchat_snapshot *snapshot;
    aci_index stored, based; /* names in the snapshot, and in what both come from: of each the first */
    agentchat_error *err;
} staging;

/* ---- looking for values ------------------------------------------------------------------------------------------ */

/* Of several of one name the first is the one that a look-up finds. */
static bool index_names(aci_index *names, const agentchat_env *env, const aci_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!aci_index_add(names, env, values[i].name, i))
            return false;
    return true;
}

static const aci_value *value_at(const aci_index *names, const aci_value *values, agentchat_str name)
{
    size_t index = aci_index_find(names, name);

    return index != ACI_INDEX_NONE ? &values[index] : NULL;
}

static const aci_value *base_of(const staging *s, agentchat_str name)
{
    return s->replacing->base != NULL ? value_at(&s->based, s->replacing->base->values, name) : NULL;
}

/* ---- comparing them ---------------------------------------------------------------------------------------------- */

/* How many elements two lists have in common at their beginning. */
static size_t common(const aci_value_list *a, const aci_value_list *b)
{
    aci_value_list_cursor left, right;
    size_t skipped, run;

    aci_value_list_shared(a, b, &skipped, &run);
    run = skipped == 0 ? run : 0;
    aci_value_list_cursor_begin(&left, a);
    aci_value_list_cursor_begin(&right, b);
    while (run < aci_value_list_count(a) && run < aci_value_list_count(b) &&
           agentchat_str_equal(aci_value_list_cursor_at(&left, run), aci_value_list_cursor_at(&right, run)))
        run++;
    return run;
}

/* Whether two values are the same; NULL is none. *ok is set false when out of memory. */
static bool is_same(const aci_value *a, const aci_value *b, bool *ok)
{
    agentchat_str left, right;

    if (a == NULL || b == NULL)
        return a == b;
    if (a->list != NULL && b->list != NULL)
        return aci_value_list_count(a->list) == aci_value_list_count(b->list) &&
               common(a->list, b->list) == aci_value_list_count(a->list);
    if (!aci_snapshot_value_text(a, &left) || !aci_snapshot_value_text(b, &right)) {
        *ok = false;
        return false;
    }
    return agentchat_str_equal(a->media_type, b->media_type) &&
           (left.ptr == right.ptr || agentchat_str_equal(left, right));
}

/* ---- three versions ---------------------------------------------------------------------------------------------- */

static agentchat_status fail_conflict(const staging *s, agentchat_str name)
{
    aci_excerpt excerpt;

    return aci_fail(
        s->err, AGENTCHAT_E_CONFLICT,
        "the thread went on and changed value %s, which was changed here, too, and not saved; save the chat "
        "as a branch",
        aci_error_excerpt(name, &excerpt));
}

static agentchat_status stage_one(const staging *s, const aci_value *value)
{
    if (!aci_chat_value_share(s->stage->env, value, &s->stage->values[s->stage->value_count]))
        return aci_fail_nomem(s->err);
    s->stage->value_count++;
    return AGENTCHAT_OK;
}

/* A value as a list: its own, or one made of its text; one reference. NULL: it is none, or *ok is set false. */
static aci_value_list *list_of(const staging *s, const aci_value *value, bool *ok)
{
    const agentchat_env *env = s->stage->env;
    agentchat_str *texts = NULL;
    aci_value_list *list = NULL;
    size_t count = 0;
    aci_arena *arena;

    if (value == NULL || value->list != NULL)
        return value != NULL ? aci_value_list_ref(value->list) : NULL;
    if (value->media_type.ptr != NULL || value->value.len == 0 || value->value.ptr[0] != '[')
        return NULL;
    arena = aci_arena_new(env, 0);
    if (arena != NULL && aci_value_list_split(value->value, arena, &texts, &count))
        list = aci_value_list_make(env, NULL, 0, 0, texts, count);
    aci_arena_unref(arena);
    *ok = *ok && list != NULL;
    return list;
}

/* theirs, and then the elements of mine from `first` on. */
static aci_value_list *joined(const staging *s, const aci_value_list *theirs, const aci_value_list *mine, size_t first)
{
    size_t count = aci_value_list_count(mine) - first, size = (count + 1) * sizeof(agentchat_str);
    agentchat_str *texts = aci_alloc(s->stage->env, size);
    aci_value_list *list = NULL;
    aci_value_list_cursor cursor;

    if (texts == NULL)
        return NULL;
    aci_value_list_cursor_begin(&cursor, mine);
    for (size_t i = 0; i < count; i++)
        texts[i] = aci_value_list_cursor_at(&cursor, first + i);
    list = aci_value_list_make(s->stage->env, theirs, 0, aci_value_list_count(theirs), texts, count);
    aci_free(s->stage->env, texts, size);
    return list;
}

/* Both were changed: lists that only grew can be joined. */
static agentchat_status stage_joined(const staging *s, const aci_value *mine, const aci_value *theirs,
                                     const aci_value *base)
{
    bool ok = true;
    aci_value_list *list = list_of(s, mine, &ok), *other = list_of(s, theirs, &ok), *from = list_of(s, base, &ok);
    size_t first = aci_value_list_count(from);
    bool grew = list != NULL && other != NULL && (base == NULL || from != NULL) &&
                (first == 0 || (common(from, list) == first && common(from, other) == first));
    aci_value made = {.list = NULL};
    agentchat_status status = ok ? AGENTCHAT_OK : aci_fail_nomem(s->err);

    if (status >= 0 && !grew)
        status = fail_conflict(s, mine->name);
    if (status >= 0) {
        made = *theirs;
        made.arena = NULL; /* its text is not that of the new one */
        made.value = (agentchat_str){NULL, 0};
        made.list = joined(s, other, list, first);
        status = made.list != NULL ? stage_one(s, &made) : aci_fail_nomem(s->err);
        aci_value_list_unref(made.list);
    }
    aci_value_list_unref(list);
    aci_value_list_unref(other);
    aci_value_list_unref(from);
    return status;
}

/* Whether a list got elements by updates. Equal ones that others have added are others. */
static bool has_grown(const aci_value *mine, const aci_value *base)
{
    return mine != NULL && mine->list != NULL &&
           aci_value_list_count(mine->list) > aci_value_list_count(base != NULL ? base->list : NULL);
}

/* A value that is stored; a second one of a name is nothing that a chat could have changed. */
static agentchat_status stage_stored(const staging *s, const aci_value *theirs)
{
    size_t index = aci_chat_value_find(s->chat, theirs->name);
    const aci_value *mine = index < s->chat->value_count ? &s->chat->values[index] : NULL, *base;
    bool ok = true, mine_is_old, theirs_is_old, is_equal;

    if (s->replacing == NULL || value_at(&s->stored, s->snapshot->values, theirs->name) != theirs)
        return stage_one(s, theirs);
    base = base_of(s, theirs->name);
    mine_is_old = is_same(mine, base, &ok);
    is_equal = !mine_is_old && is_same(mine, theirs, &ok);
    theirs_is_old = !mine_is_old && !is_equal && is_same(theirs, base, &ok);
    if (!ok)
        return aci_fail_nomem(s->err);
    if (mine_is_old || (is_equal && !has_grown(mine, base)))
        return stage_one(s, theirs);
    if (theirs_is_old)
        return mine != NULL ? stage_one(s, mine) : AGENTCHAT_OK; /* it was removed here */
    if (mine == NULL || !s->replacing->append)
        return fail_conflict(s, theirs->name);
    return stage_joined(s, mine, theirs, base);
}

/* A value of the chat that is not stored. */
static agentchat_status stage_own(const staging *s, const aci_value *mine)
{
    const aci_value *base = s->replacing != NULL ? base_of(s, mine->name) : NULL;
    bool ok = true, is_old = base != NULL && is_same(mine, base, &ok);

    if (!ok)
        return aci_fail_nomem(s->err);
    if (base == NULL)
        return stage_one(s, mine);
    return is_old ? AGENTCHAT_OK : fail_conflict(s, mine->name); /* it was removed there */
}

/* ---- all of them --------------------------------------------------------------------------------------------------
 */

/* The snapshot's keep their positions, by which the next put compares them. */
static agentchat_status stage_all(staging *s)
{
    const agentchat_env *env = s->stage->env;
    const agentchat_snapshot *base = s->replacing != NULL ? s->replacing->base : NULL;
    agentchat_status status = AGENTCHAT_OK;

    if (!index_names(&s->stored, env, s->snapshot->values, s->snapshot->value_count) ||
        (base != NULL && !index_names(&s->based, env, base->values, base->value_count)))
        return aci_fail_nomem(s->err);
    for (size_t i = 0; i < s->snapshot->value_count && status >= 0; i++)
        status = stage_stored(s, &s->snapshot->values[i]);
    for (size_t i = 0; i < s->chat->value_count && status >= 0; i++)
        if (aci_index_find(&s->stored, s->chat->values[i].name) == ACI_INDEX_NONE)
            status = stage_own(s, &s->chat->values[i]);
    if (status >= 0 && !index_names(&s->stage->value_names, env, s->stage->values, s->stage->value_count))
        status = aci_fail_nomem(s->err);
    return status;
}

agentchat_status aci_stage_values(aci_stage *stage, const aci_restoring *restoring, const agentchat_chat *chat,
                                  const agentchat_snapshot *snapshot, agentchat_error *err)
{
    staging s = {.stage = stage,
                 .replacing = restoring->depth == 0 ? restoring->replacing : NULL,
                 .chat = chat,
                 .snapshot = snapshot,
                 .err = err};
    size_t room = snapshot->value_count + chat->value_count;
    agentchat_status status;

    if (room == 0)
        return AGENTCHAT_OK;
    stage->values = aci_alloc(stage->env, room * sizeof *stage->values);
    if (stage->values == NULL)
        return aci_fail_nomem(err);
    stage->value_cap = room;
    status = stage_all(&s);
    aci_index_clear(&s.stored, stage->env);
    aci_index_clear(&s.based, stage->env);
    return status;
}
