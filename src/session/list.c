/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of sessions by pages. A cursor holds the last row of its page. A session that is written to only moves towards
 * the beginning, since the time of its last write never goes back; so a page after a cursor cannot show it again.
 */
#include "session/session.h"

#include "base/error.h"
#include "base/result_page.h"
#include "store/core/cursor.h"
#include <stdlib.h>
#include <string.h>

struct agentchat_session_list {
    aci_result_page page;
};

typedef struct listing {
    agentchat_str app, user; /* user: absent for all */
    size_t limit;
    bool continues;
    int64_t after_us;
    agentchat_str after_user, after_id;
    aci_result_page *page;
} listing;

/* ---- cursors: application, user, time, the row's user, the row's id -------------------------------------------- */

enum { CURSOR_PARTS = 5 };

static bool make_cursor(const listing *l, aci_result_page *page)
{
    const agentchat_session_info *items = page->items, *last = &items[page->count - 1];
    char time[24];
    size_t len = aci_load_print_integer(last->updated_us, time);
    const agentchat_str parts[CURSOR_PARTS] = {
        l->app, l->user, {time, len}, agentchat_str_from(last->user), agentchat_str_from(last->id)};

    page->cursor = aci_cursor_make(page->arena, parts, CURSOR_PARTS);
    return page->cursor != NULL;
}

static agentchat_status read_cursor(listing *l, const char *cursor, agentchat_error *err)
{
    agentchat_str parts[CURSOR_PARTS];
    char *stop = NULL;
    agentchat_status status = aci_cursor_read(l->page->arena, cursor, parts, CURSOR_PARTS, "sessions", err);

    if (status < 0)
        return status;
    l->after_us = strtoll(parts[2].ptr, &stop, 10);
    if (stop != parts[2].ptr + parts[2].len || parts[2].len == 0 || aci_label_check(parts[3], "user", NULL) < 0 ||
        aci_label_check(parts[4], "session id", NULL) < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of sessions");
    if (!agentchat_str_equal(parts[0], l->app) || parts[1].len != l->user.len ||
        (l->user.len > 0 && memcmp(parts[1].ptr, l->user.ptr, l->user.len) != 0))
        return aci_fail(err, AGENTCHAT_E_INVALID, "the cursor belongs to another list of sessions");
    l->after_user = parts[3];
    l->after_id = parts[4];
    l->continues = true;
    return AGENTCHAT_OK;
}

/* ---- pages ---------------------------------------------------------------------------------------------------- */

static agentchat_status load_item(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    listing *l = user;
    agentchat_session_info *info;
    aci_session_name name = {.app = l->app};
    aci_session_row row;
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &name.user, err);

    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &name.id, err);
    if (status >= 0)
        status = aci_name_damage(aci_load_row_read(&row, &name, columns, count, 2, err), &name, err);
    if (status < 0)
        return status;
    info = aci_result_page_room(l->page);
    if (info == NULL)
        return aci_fail_nomem(err);
    *info = (agentchat_session_info){.user = aci_arena_cstr(l->page->arena, name.user, &ok),
                                     .id = aci_arena_cstr(l->page->arena, name.id, &ok),
                                     .sequence = (uint64_t)row.seq,
                                     .created_us = row.created_us,
                                     .updated_us = row.updated_us};
    l->page->count += ok;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status list_work(aci_tx *tx, void *user, agentchat_error *err)
{
    listing *l = user;
    bool all = l->user.ptr == NULL;
    agentchat_status status;

    l->page->count = 0;
    aci_statement_add(tx,
                      all            ? l->continues ? ACI_STATEMENT_LIST_APP_AFTER : ACI_STATEMENT_LIST_APP
                      : l->continues ? ACI_STATEMENT_LIST_USER_AFTER
                                     : ACI_STATEMENT_LIST_USER,
                      load_item, l);
    aci_transact_text(tx, l->app);
    if (!all)
        aci_transact_text(tx, l->user);
    if (l->continues) {
        aci_transact_integer(tx, l->after_us);
        if (all)
            aci_transact_text(tx, l->after_user);
        aci_transact_text(tx, l->after_id);
    }
    aci_transact_integer(tx, (int64_t)l->limit + 1); /* one more shows whether there is a next page */
    status = aci_transact_run(tx, true, err);
    if (status < 0 || l->page->count <= l->limit)
        return status;
    l->page->count = l->limit;
    return make_cursor(l, l->page) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void agentchat_session_list_options_init(agentchat_session_list_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

static agentchat_status read_page(agentchat_store *store, const char *app,
                                  const agentchat_session_list_options *options, agentchat_session_list **out,
                                  agentchat_error *err)
{
    agentchat_session_id asked = {app, options->user != NULL ? options->user : "-", NULL};
    agentchat_session_list *list;
    aci_session_name name;
    listing l;
    agentchat_status status = aci_session_name_load(&asked, false, &name, err);

    if (status < 0)
        return status;
    memset(&l, 0, sizeof l);
    l.app = name.app;
    l.user = agentchat_str_from(options->user);
    l.limit = aci_result_page_limit(options->limit);
    list = aci_result_page_new(store->env, sizeof *list, sizeof(agentchat_session_info));
    if (list == NULL)
        return aci_fail_nomem(err);
    l.page = &list->page;
    if (options->cursor != NULL)
        status = read_cursor(&l, options->cursor, err);
    if (status >= 0)
        status = aci_transact(store, false, list_work, &l, err);
    if (status >= 0)
        *out = list;
    else
        agentchat_session_list_free(list);
    return status;
}

agentchat_status agentchat_session_list_read(agentchat_store *store, const char *app,
                                             const agentchat_session_list_options *options,
                                             agentchat_session_list **out, agentchat_error *err)
{
    agentchat_session_list_options loaded;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    return status < 0 ? status : read_page(store, app, &loaded, out, err);
}

size_t agentchat_session_list_count(const agentchat_session_list *list)
{
    return list != NULL ? list->page.count : 0;
}

const agentchat_session_info *agentchat_session_list_at(const agentchat_session_list *list, size_t index)
{
    const agentchat_session_info *items = list != NULL ? list->page.items : NULL;

    return index < agentchat_session_list_count(list) ? &items[index] : NULL;
}

const char *agentchat_session_list_cursor(const agentchat_session_list *list)
{
    return list != NULL ? list->page.cursor : NULL;
}

void agentchat_session_list_free(agentchat_session_list *list)
{
    if (list != NULL)
        aci_result_page_free(&list->page, sizeof *list);
}
