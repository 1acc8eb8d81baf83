/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of threads by pages. A cursor holds the last row of its page. A thread that is put to only moves towards the
 * beginning, since the time of its last put never goes back; so a page after a cursor cannot show it again.
 */
#include "thread/rows.h"

#include "base/error.h"
#include "state/state.h"
#include "store/core/cursor.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdio.h>

enum { DEFAULT_LIMIT = 100, CURSOR_PARTS = 2 };

struct agentchat_thread_list {
    const agentchat_env *env;
    aci_arena *arena;
    agentchat_thread_info *items;
    size_t count, cap;
    const char *cursor; /* NULL on the last page */
};

typedef struct listing {
    agentchat_thread_list *page;
    size_t limit;
    bool continues;
    int64_t after_us;
    agentchat_str after_id;
} listing;

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    agentchat_thread_list *page = ((listing *)user)->page;
    void *items = page->items;
    aci_thread_row row;
    agentchat_str id = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &id, err);

    if (status >= 0)
        status = aci_rows_read_thread(&row, id, columns, count, 1, err);
    if (status < 0)
        return status;
    if (!aci_grow(page->env, &items, &page->cap, page->count, sizeof *page->items))
        return aci_fail_nomem(err);
    page->items = items;
    page->items[page->count] = (agentchat_thread_info){.id = aci_rows_copy_name(page->arena, id, &ok),
                                                       .sequence = (uint64_t)row.seq,
                                                       .messages = (uint64_t)row.messages,
                                                       .bytes = (uint64_t)row.bytes,
                                                       .created_us = row.created_us,
                                                       .updated_us = row.updated_us};
    page->count += ok;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status list_work(aci_tx *tx, void *user, agentchat_error *err)
{
    listing *l = user;
    const agentchat_thread_info *last;
    agentchat_status status;
    char time[24];

    l->page->count = 0;
    aci_thread_statement_add(tx, l->continues ? ACI_THREADS_AFTER : ACI_THREADS, load_row, l);
    if (l->continues) {
        aci_transact_integer(tx, l->after_us);
        aci_transact_text(tx, l->after_id);
    }
    aci_transact_integer(tx, (int64_t)l->limit + 1); /* one more shows whether there is a next page */
    status = aci_transact_run(tx, true, err);
    if (status < 0 || l->page->count <= l->limit)
        return status;
    l->page->count = l->limit;
    last = &l->page->items[l->limit - 1];
    snprintf(time, sizeof time, "%" PRId64, last->updated_us);
    l->page->cursor = aci_cursor_make(
        l->page->arena, (agentchat_str[]){agentchat_str_from(time), agentchat_str_from(last->id)}, CURSOR_PARTS);
    return l->page->cursor != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status read_cursor(listing *l, const char *cursor, agentchat_error *err)
{
    agentchat_str parts[CURSOR_PARTS];
    agentchat_status status = aci_cursor_read(l->page->arena, cursor, parts, CURSOR_PARTS, "threads", err);

    if (status < 0)
        return status;
    if (!aci_json_integer(parts[0], &l->after_us) || aci_label_check(parts[1], "thread", NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of threads");
    l->after_id = parts[1];
    l->continues = true;
    return AGENTCHAT_OK;
}

static agentchat_thread_list *page_new(const agentchat_env *env)
{
    agentchat_thread_list *page = aci_alloc_zero(env, sizeof *page);

    if (page == NULL)
        return NULL;
    page->env = env;
    page->arena = aci_arena_new(env, 0);
    if (page->arena != NULL)
        return page;
    aci_free(env, page, sizeof *page);
    return NULL;
}

void agentchat_thread_list_options_init(agentchat_thread_list_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_thread_list_read(agentchat_store *store, const agentchat_thread_list_options *options,
                                            agentchat_thread_list **out, agentchat_error *err)
{
    agentchat_thread_list_options loaded;
    listing l = {.limit = DEFAULT_LIMIT};
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status < 0)
        return status;
    if (loaded.limit > 0)
        l.limit = loaded.limit < INT32_MAX ? loaded.limit : INT32_MAX;
    l.page = page_new(store->env);
    if (l.page == NULL)
        return aci_fail_nomem(err);
    if (loaded.cursor != NULL)
        status = read_cursor(&l, loaded.cursor, err);
    if (status >= 0)
        status = aci_transact(store, false, list_work, &l, err);
    if (status >= 0)
        *out = l.page;
    else
        agentchat_thread_list_free(l.page);
    return status;
}

size_t agentchat_thread_list_count(const agentchat_thread_list *list)
{
    return list != NULL ? list->count : 0;
}

const agentchat_thread_info *agentchat_thread_list_at(const agentchat_thread_list *list, size_t index)
{
    return index < agentchat_thread_list_count(list) ? &list->items[index] : NULL;
}

const char *agentchat_thread_list_cursor(const agentchat_thread_list *list)
{
    return list != NULL ? list->cursor : NULL;
}

void agentchat_thread_list_free(agentchat_thread_list *list)
{
    if (list == NULL)
        return;
    aci_free(list->env, list->items, list->cap * sizeof *list->items);
    aci_arena_unref(list->arena);
    aci_free(list->env, list, sizeof *list);
}
