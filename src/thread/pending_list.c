/* SPDX-License-Identifier: Apache-2.0 */
/* Reading pending writes. */
#include "thread/pending.h"

#include "base/error.h"
#include "base/result_page.h"

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
    aci_thread_statement_add(tx, l->id.ptr != NULL ? ACI_PENDING_ROWS : ACI_PENDING_NEWEST, load_row, l);
    aci_transact_text(tx, l->thread);
    aci_transact_text(tx, l->ns);
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
