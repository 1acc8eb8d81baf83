/* SPDX-License-Identifier: Apache-2.0 */
/* Pending writes. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include "base/ids.h"
#include "base/result_page.h"
#include "format/native/message_json.h"
#include "state/state.h"
#include "json/value.h"
#include <string.h>

/* ==== rows of pending writes ===================================================================================== */

/* What no call writes is not from this library, whatever its checksum. */
static bool is_possible(const aci_pending_row *row)
{
    return (row->ns.len == 0 || aci_rows_is_name(row->ns)) && aci_rows_is_name(row->checkpoint) &&
           (row->path.len == 0 || aci_rows_is_name(row->path)) && aci_rows_is_name(row->task) &&
           aci_rows_is_name(row->channel) && (row->consumed_by.ptr == NULL || aci_rows_is_name(row->consumed_by));
}

agentchat_status aci_pending_read_row(aci_pending_row *row, const aci_sql_value *columns, size_t count,
                                      agentchat_error *err)
{
    agentchat_status status = aci_table_read(&aci_pending_table, 0, columns, count, row, err);

    if (status >= 0 && !is_possible(row))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored pending write has a name that none has");
    return status;
}

void aci_pending_put_row(aci_tx *tx, const aci_pending_row *row)
{
    aci_pending_row written = *row;

    if (written.value.len == 0)
        written.value = AGENTCHAT_STR("");
    aci_thread_statement_add(tx, ACI_PENDING_PUT, NULL, NULL);
    aci_table_bind(tx, &aci_pending_table, &written);
}

/* ---- messages of an answer ----------------------------------------------------------------------------------------
 */

agentchat_status aci_pending_write_message(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                           agentchat_error *err)
{
    return aci_message_json_write(env, message, out, err);
}

agentchat_status aci_pending_read_message(const agentchat_env *env, agentchat_str value, agentchat_message **out,
                                          agentchat_error *err)
{
    return aci_message_json_read(env, value, NULL, out, err);
}

/* ---- consuming ------------------------------------------------------------------------------------------------- */

struct aci_consumed {
    aci_pending_row key; /* without channel and value */
    int64_t sum;         /* of the whole row once it is consumed, or taken along */
    bool goes_along;
    struct aci_consumed *next;
};

static bool keep_key(struct aci_consumed *one, const aci_pending_row *row, aci_arena *arena)
{
    bool ok = true;

    one->key.num = row->num;
    one->key.index = row->index;
    one->key.ns = aci_arena_copy(arena, row->ns, &ok);
    one->key.checkpoint = aci_arena_copy(arena, row->checkpoint, &ok);
    one->key.path = aci_arena_copy(arena, row->path, &ok);
    one->key.task = aci_arena_copy(arena, row->task, &ok);
    return ok;
}

static bool has_answered(agentchat_str answered, agentchat_str agent)
{
    while (answered.len > 0) {
        size_t len = strlen(answered.ptr);

        if (agentchat_str_equal((agentchat_str){answered.ptr, len}, agent))
            return true;
        answered = (agentchat_str){answered.ptr + len + 1, answered.len - len - 1};
    }
    return false;
}

agentchat_status aci_pending_load_consumed(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_consumption *c = user;
    struct aci_consumed *one;
    aci_pending_row row;
    agentchat_status status = aci_pending_read_row(&row, columns, count, err);

    if (status < 0 || row.consumed_by.ptr != NULL)
        return status;
    one = aci_arena_alloc(c->arena, sizeof *one);
    if (one == NULL)
        return aci_fail_nomem(err);
    *one = (struct aci_consumed){.next = NULL};
    if (!keep_key(one, &row, c->arena))
        return aci_fail_nomem(err);
    one->goes_along = agentchat_str_equal(row.channel, ACI_PENDING_PARTIAL) && !has_answered(c->answered, row.path);
    *(one->goes_along ? &row.checkpoint : &row.consumed_by) = c->consumer;
    status = aci_table_sum_row(&aci_pending_table, &row, &one->sum, err);
    if (c->last != NULL)
        c->last->next = one;
    else
        c->first = one;
    c->last = one;
    return status;
}

void aci_pending_consume(const aci_consumption *consumption, aci_tx *tx, agentchat_str parent, bool continues)
{
    for (const struct aci_consumed *one = consumption->first; one != NULL; one = one->next) {
        if (!agentchat_str_equal(one->key.checkpoint, parent) || (one->goes_along && !continues))
            continue;
        ACI_THREAD_ASK(tx, one->goes_along ? ACI_PENDING_MOVE : ACI_PENDING_CONSUME, NULL, NULL,
                       ACI_TEXT(consumption->consumer), ACI_INT(one->sum), ACI_INT(one->key.num), ACI_TEXT(one->key.ns),
                       ACI_TEXT(one->key.checkpoint), ACI_TEXT(one->key.path), ACI_TEXT(one->key.task),
                       ACI_INT(one->key.index));
    }
}

/* ==== reading pending writes ===================================================================================== */

struct agentchat_pending_list {
    aci_result_page page;
};

typedef struct listing {
    agentchat_pending_list *list;
    agentchat_str thread, ns, id; /* id absent: the newest checkpoint */
    bool all;
    uint64_t bytes;
} listing;

static bool fill(agentchat_pending_write *write, const aci_pending_row *row, aci_arena *arena)
{
    bool ok = true;

    write->path = aci_arena_cstr(arena, row->path, &ok);
    write->task = aci_arena_cstr(arena, row->task, &ok);
    write->channel = aci_arena_cstr(arena, row->channel, &ok);
    write->index = row->index;
    write->media_type = aci_arena_copy(arena, row->media, &ok);
    write->value = aci_arena_copy(arena, row->value, &ok);
    write->consumed_by = aci_arena_cstr(arena, row->consumed_by, &ok);
    return ok;
}

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    listing *l = user;
    aci_result_page *page = &l->list->page;
    agentchat_pending_write *item;
    aci_pending_row row;
    agentchat_status status = aci_pending_read_row(&row, columns, count, err);

    if (status < 0 || (row.consumed_by.ptr != NULL && !l->all))
        return status;
    l->bytes += row.value.len;
    if (l->bytes > page->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the pending writes have more than %llu bytes",
                        (unsigned long long)page->env->limits.max_bytes);
    item = aci_result_page_room(page);
    if (item == NULL || !fill(item, &row, page->arena))
        return aci_fail_nomem(err);
    page->count++;
    return AGENTCHAT_OK;
}

static agentchat_status list_work(aci_tx *tx, void *user, agentchat_error *err)
{
    listing *l = user;

    l->list->page.count = 0; /* of an attempt that failed */
    l->bytes = 0;
    ACI_THREAD_ASK(tx, l->id.ptr != NULL ? ACI_PENDING_ROWS : ACI_PENDING_NEWEST, load_row, l, ACI_TEXT(l->thread),
                   ACI_TEXT(l->ns));
    if (l->id.ptr != NULL)
        aci_transact_text(tx, l->id);
    return aci_transact_run(tx, false, err);
}

void agentchat_pending_options_init(agentchat_pending_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status read_list(agentchat_store *store, listing *l, agentchat_error *err)
{
    agentchat_status status;

    l->list = aci_result_page_new(store->env, sizeof *l->list, sizeof(agentchat_pending_write));
    if (l->list == NULL)
        return aci_fail_nomem(err);
    status = aci_transact(store, false, list_work, l, err);
    if (status < 0)
        agentchat_pending_list_free(l->list);
    return status;
}

agentchat_status agentchat_checkpoint_pending(agentchat_store *store, const char *thread,
                                              const agentchat_pending_options *options, agentchat_pending_list **out,
                                              agentchat_error *err)
{
    agentchat_pending_options loaded;
    listing l = {.bytes = 0};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status >= 0)
        status = aci_rows_check_thread(thread, &l.thread, err);
    if (status >= 0)
        status = aci_rows_check_namespace(loaded.ns, &l.ns, err);
    if (status >= 0)
        status = aci_rows_check_optional(loaded.id, "checkpoint", &l.id, err);
    if (status < 0)
        return status;
    l.all = loaded.all;
    status = aci_rows_name_damage(read_list(store, &l, err), l.thread, l.ns, l.id, err);
    if (status >= 0)
        *out = l.list;
    return status;
}

size_t agentchat_pending_list_count(const agentchat_pending_list *list)
{
    return list != NULL ? list->page.count : 0;
}

const agentchat_pending_write *agentchat_pending_list_at(const agentchat_pending_list *list, size_t index)
{
    const agentchat_pending_write *items = list != NULL ? list->page.items : NULL;

    return index < agentchat_pending_list_count(list) ? &items[index] : NULL;
}

void agentchat_pending_list_free(agentchat_pending_list *list)
{
    if (list != NULL)
        aci_result_page_free(&list->page, sizeof *list);
}

/* ==== keeping pending writes with a checkpoint =================================================================== */

typedef struct writing {
    agentchat_str thread, ns, checkpoint;
    const agentchat_pending_write *writes;
    size_t count;
} writing;

static bool is_json(const agentchat_pending_write *write)
{
    return write->media_type.ptr == NULL || agentchat_str_is_null(write->media_type);
}

/* ---- the transaction ------------------------------------------------------------------------------------------- */

static agentchat_status lock_thread(aci_tx *tx, aci_thread_found *found, agentchat_error *err)
{
    ACI_THREAD_ASK(tx, ACI_THREAD_LOCK, aci_rows_load_thread, found, ACI_TEXT(found->id));
    return aci_transact_run(tx, false, err);
}

/* Locks the thread, which is made if there is none; somebody else may make it at the same moment. */
static agentchat_status find_thread(aci_tx *tx, aci_thread_found *found, agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    aci_thread_row row = {.created_us = aci_now_us(env)};
    agentchat_status status = lock_thread(tx, found, err);

    if (status < 0 || found->found)
        return status;
    row.updated_us = row.created_us;
    status = aci_rows_new_number(env, &row.num, err);
    if (status < 0)
        return status;
    aci_rows_insert_thread(tx, found->id, &row);
    status = lock_thread(tx, found, err);
    if (status >= 0 && !found->found)
        status = aci_fail(err, AGENTCHAT_E_INTERNAL, "a thread that was made cannot be found");
    return status;
}

static agentchat_status write_work(aci_tx *tx, void *user, agentchat_error *err)
{
    const writing *w = user;
    aci_thread_found thread = {.id = w->thread};
    agentchat_status status = find_thread(tx, &thread, err);

    for (size_t i = 0; i < w->count && status >= 0; i++) {
        const agentchat_pending_write *write = &w->writes[i];
        aci_pending_row row = {.num = thread.row.num,
                               .index = write->index,
                               .ns = w->ns,
                               .checkpoint = w->checkpoint,
                               .path = agentchat_str_from(write->path),
                               .task = agentchat_str_from(write->task),
                               .channel = agentchat_str_from(write->channel),
                               .media = write->media_type,
                               .value = write->value};

        if (is_json(write))
            row.media = (agentchat_str){NULL, 0};
        aci_pending_put_row(tx, &row);
    }
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* ---- what was given -------------------------------------------------------------------------------------------- */

static agentchat_status check_name(const char *name, const char *what, agentchat_error *err)
{
    return name != NULL ? aci_label_check(agentchat_str_from(name), what, err) : aci_fail_null(err, what);
}

static agentchat_status check_value(const agentchat_env *env, const agentchat_pending_write *write,
                                    agentchat_error *err)
{
    agentchat_str span;
    agentchat_status status;
    agentchat_error why;

    if (write->value.ptr == NULL && write->value.len > 0)
        return aci_fail_null(err, "value");
    if (!is_json(write))
        return aci_label_check(write->media_type, "media type", err);
    agentchat_error_clear(&why);
    status = aci_json_check(env, write->value, env->limits.max_depth, &span, NULL, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a pending write without a media type must be JSON: %s", why.message);
    return AGENTCHAT_OK;
}

static agentchat_status check_write(const agentchat_env *env, const agentchat_pending_write *write,
                                    agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (write->path == NULL)
        return aci_fail_null(err, "path");
    if (write->path[0] != '\0')
        status = check_name(write->path, "path", err);
    if (status >= 0)
        status = check_name(write->task, "task", err);
    if (status >= 0)
        status = check_name(write->channel, "channel", err);
    return status < 0 ? status : check_value(env, write, err);
}

static agentchat_status check_all(writing *w, const agentchat_env *env, const char *thread,
                                  const agentchat_checkpoint_options *options, agentchat_error *err)
{
    agentchat_checkpoint_options loaded;
    agentchat_status status = aci_env_options_load(&loaded, sizeof loaded, options, err);

    if (status >= 0)
        status = aci_rows_check_thread(thread, &w->thread, err);
    if (status >= 0)
        status = aci_rows_check_namespace(loaded.ns, &w->ns, err);
    if (status >= 0 && loaded.id == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the id of the checkpoint is needed that the writes belong to");
    if (status >= 0)
        status = aci_rows_check_optional(loaded.id, "checkpoint", &w->checkpoint, err);
    if (status < 0 || w->count == 0)
        return status;
    if (w->writes == NULL)
        return aci_fail_null(err, "writes");
    for (size_t i = 0; i < w->count && status >= 0; i++)
        status = check_write(env, &w->writes[i], err);
    return status;
}

agentchat_status agentchat_checkpoint_put_writes(agentchat_store *store, const char *thread,
                                                 const agentchat_checkpoint_options *options,
                                                 const agentchat_pending_write *writes, size_t count,
                                                 agentchat_error *err)
{
    writing w = {.writes = writes, .count = count};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = check_all(&w, store->env, thread, options, err);
    return status < 0 || count == 0 ? status : aci_transact(store, true, write_work, &w, err);
}
