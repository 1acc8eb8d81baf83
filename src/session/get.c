/* SPDX-License-Identifier: Apache-2.0 */
/* Getting and listing sessions. */
#include "session/session_internal.h"

#include "base/error.h"
#include "base/result_page.h"
#include "format/session_chat.h"
#include "store/core/sql.h"
#include <stdlib.h>
#include <string.h>

/* ==== getting a session, looking at a handle, bringing it up to date ============================================= */

/* ---- getting -------------------------------------------------------------------------------------------------- */

typedef struct getting {
    const agentchat_env *env;
    aci_session_name name;
    agentchat_session_get_options options;
    aci_loaded_row row;
    aci_scope_row app, user;
    aci_view view;
    aci_scope_loader loaders[3];
    aci_event_loader event_loader;
    int64_t spanned; /* events from the first one on that the handle holds; when they are chosen by their time */
} getting;

static int64_t capped(uint64_t value)
{
    return value > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)value;
}

static bool is_timed(const getting *g)
{
    return g->options.has_since;
}

static agentchat_status load_count(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    return aci_transact_column_integer(columns, count, 0, user, err);
}

/* One of the statements that choose events by the options. */
static void queue_choice(getting *g, aci_tx *tx, aci_session_statement which, aci_sql_row_fn row, void *user)
{
    ACI_SESSION_ASK(tx, which, row, user, ACI_NAMES(&g->name), ACI_INT(capped(g->options.after_sequence)));
    if (is_timed(g))
        aci_transact_integer(tx, g->options.since_ns);
    aci_transact_integer(tx, g->options.last > 0 ? capped(g->options.last) : INT64_MAX);
}

static void queue_events(getting *g, aci_tx *tx)
{
    g->event_loader.env = g->env;
    g->event_loader.events = &g->view.events;
    g->event_loader.origin = &g->row.row.origin;
    queue_choice(g, tx, is_timed(g) ? ACI_STATEMENT_EVENTS_LAST_SINCE : ACI_STATEMENT_EVENTS_LAST, aci_load_event,
                 &g->event_loader);
    if (is_timed(g))
        queue_choice(g, tx, ACI_STATEMENT_EVENTS_SPANNED, load_count, &g->spanned);
}

static void queue_all(getting *g, aci_tx *tx)
{
    static const agentchat_scope scopes[] = {AGENTCHAT_SCOPE_APP, AGENTCHAT_SCOPE_USER, AGENTCHAT_SCOPE_SESSION};

    aci_load_ask_session(tx, ACI_STATEMENT_SESSION, &g->name, &g->row);
    aci_load_ask_scope(tx, ACI_STATEMENT_SCOPE, &g->name, AGENTCHAT_SCOPE_APP, &g->app);
    aci_load_ask_scope(tx, ACI_STATEMENT_SCOPE, &g->name, AGENTCHAT_SCOPE_USER, &g->user);
    for (size_t i = 0; i < 3; i++) {
        g->loaders[i] = (aci_scope_loader){.scope = scopes[i], .state = g->view.state, .revisions = g->view.revisions};
        aci_statement_add(tx, ACI_STATEMENT_STATE, aci_load_state, &g->loaders[i]);
        aci_statement_scope(tx, &g->name, scopes[i]);
    }
    if (!g->options.no_events)
        queue_events(g, tx);
}

static void reverse(aci_event_array *events)
{
    for (size_t i = 0, j = events->count; i + 1 < j; i++) {
        agentchat_event *event = events->list[i];

        events->list[i] = events->list[--j];
        events->list[j] = event;
    }
}

static agentchat_status get(aci_tx *tx, void *user, agentchat_error *err)
{
    getting *g = user;
    agentchat_status status;

    aci_view_clear(&g->view, g->env);
    g->spanned = 0;
    if (!aci_view_init(&g->view, g->env))
        return aci_fail_nomem(err);
    queue_all(g, tx);
    status = aci_transact_run(tx, true, err);
    if (status < 0)
        return status;
    if (!g->row.found)
        return aci_name_fail_no_session(&g->name, err);
    g->view.row = g->row.row;
    g->view.app_revision = g->app.revision;
    g->view.user_revision = g->user.revision;
    reverse(&g->view.events);
    return AGENTCHAT_OK;
}

void agentchat_session_get_options_init(agentchat_session_get_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_session_get(agentchat_store *store, const agentchat_session_id *who,
                                       const agentchat_session_get_options *options, agentchat_session **out,
                                       agentchat_error *err)
{
    getting g;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&g, 0, sizeof g);
    status = aci_session_name_load(who, true, &g.name, err);
    if (status >= 0)
        status = aci_env_options_load(&g.options, sizeof g.options, options, err);
    if (status < 0)
        return status;
    g.env = store->env;
    status = aci_name_damage(aci_transact(store, false, get, &g, err), &g.name, err);
    if (status >= 0) {
        bool has_holes = g.spanned > (int64_t)g.view.events.count;

        *out = aci_session_new(store, &g.name, !g.options.no_events, &g.view);
        if (*out == NULL)
            status = aci_fail_nomem(err);
        else
            (*out)->has_holes = has_holes;
    }
    aci_view_clear(&g.view, g.env);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ---- bringing up to date -------------------------------------------------------------------------------------- */

static agentchat_status refresh(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_update *stage = user;
    agentchat_session *session = stage->session;
    agentchat_status status;

    aci_view_update_clear(stage);
    if (!aci_view_update_begin(stage, session))
        return aci_fail_nomem(err);
    aci_view_update_ask_all(stage, tx);
    status = aci_transact_run(tx, true, err);
    if (status >= 0)
        status = aci_view_update_compare(stage, err);
    return status < 0 ? status : aci_view_update_finish(stage, err);
}

agentchat_status agentchat_session_refresh(agentchat_session *session, agentchat_error *err)
{
    aci_update stage;
    agentchat_status status;

    agentchat_error_clear(err);
    if (session == NULL)
        return aci_fail_null(err, "session");
    memset(&stage, 0, sizeof stage);
    stage.session = session;
    status = aci_name_damage(aci_transact(session->store, false, refresh, &stage, err), &session->name, err);
    if (status >= 0)
        aci_view_update_apply(&stage, true);
    aci_view_update_clear(&stage);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ---- looking -------------------------------------------------------------------------------------------------- */

const agentchat_session_id *agentchat_session_get_id(const agentchat_session *session)
{
    return session != NULL ? &session->id : NULL;
}

uint64_t agentchat_session_sequence(const agentchat_session *session)
{
    return session != NULL ? (uint64_t)session->view.row.seq : 0;
}

int64_t agentchat_session_updated_us(const agentchat_session *session)
{
    return session != NULL ? session->view.row.updated_us : 0;
}

size_t agentchat_session_event_count(const agentchat_session *session)
{
    return session != NULL ? session->view.events.count : 0;
}

const agentchat_event *agentchat_session_event(const agentchat_session *session, size_t index)
{
    return index < agentchat_session_event_count(session) ? session->view.events.list[index] : NULL;
}

const agentchat_state *agentchat_session_state(const agentchat_session *session)
{
    return session != NULL ? session->view.state : NULL;
}

uint64_t agentchat_session_revision(const agentchat_session *session, const char *key)
{
    if (session == NULL || key == NULL)
        return 0;
    return (uint64_t)aci_load_revision_find(session->view.revisions, agentchat_str_from(key));
}

/* ==== lists of sessions by pages ================================================================================= */

/* A cursor holds the last row of its page. A session that is written to only moves towards the beginning, since the
   time of its last write never goes back; so a page after a cursor cannot show it again. */

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

    page->cursor = aci_sql_cursor_make(page->arena, parts, CURSOR_PARTS);
    return page->cursor != NULL;
}

static agentchat_status read_cursor(listing *l, const char *cursor, agentchat_error *err)
{
    agentchat_str parts[CURSOR_PARTS];
    char *stop = NULL;
    agentchat_status status = aci_sql_cursor_read(l->page->arena, cursor, parts, CURSOR_PARTS, "sessions", err);

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
    aci_session_row row = {.num = 0};
    bool ok = true;
    agentchat_status status = aci_load_row_read(&row, columns, count, err);

    if (status < 0)
        return aci_name_damage(status, &(aci_session_name){row.app, row.user, row.id}, err);
    info = aci_result_page_room(l->page);
    if (info == NULL)
        return aci_fail_nomem(err);
    *info = (agentchat_session_info){.user = aci_arena_cstr(l->page->arena, row.user, &ok),
                                     .id = aci_arena_cstr(l->page->arena, row.id, &ok),
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
    ACI_SESSION_ASK(tx,
                    all            ? l->continues ? ACI_STATEMENT_LIST_APP_AFTER : ACI_STATEMENT_LIST_APP
                    : l->continues ? ACI_STATEMENT_LIST_USER_AFTER
                                   : ACI_STATEMENT_LIST_USER,
                    load_item, l, ACI_TEXT(l->app));
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

/* ==== A session as a chat: what a handle shows =================================================================== */

static agentchat_status make_chat(const agentchat_session *session, agentchat_str state_name, agentchat_report *report,
                                  agentchat_snapshot **out, agentchat_error *err)
{
    aci_session_data data = {.env = session->env,
                             .state = aci_scope_copy_stored(session, false),
                             .events = session->view.events.list,
                             .event_count = session->view.events.count};
    agentchat_status status =
        data.state != NULL ? aci_session_chat_make(&data, state_name, report, out, err) : aci_fail_nomem(err);

    agentchat_state_free(data.state);
    return status;
}

agentchat_status agentchat_session_snapshot(const agentchat_session *session, agentchat_str state_name,
                                            agentchat_snapshot **out, agentchat_report **report, agentchat_error *err)
{
    agentchat_report *filled;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (session == NULL)
        return aci_fail_null(err, "session");
    filled = aci_report_new(session->env);
    status = filled != NULL ? make_chat(session, state_name, filled, out, err) : aci_fail_nomem(err);
    aci_report_hand_over(filled, report);
    return status;
}
