/* SPDX-License-Identifier: Apache-2.0 */
/* What a handle shows, and what has changed since. */
#include "session/session_internal.h"

#include "base/error.h"
#include "base/ids.h"
#include <string.h>

/* ==== scope ====================================================================================================== */
/*
 * The scopes of state: which a state has, their revisions, what of a handle is stored, reading them without a
 * session.
 */

void aci_scope_note(const agentchat_state *state, bool *has_app, bool *has_user)
{
    agentchat_str key;

    for (size_t at = 0; aci_state_next(state, &at, &key, NULL);) {
        agentchat_scope scope = aci_key_scope(key, NULL);

        *has_app = *has_app || scope == AGENTCHAT_SCOPE_APP;
        *has_user = *has_user || scope == AGENTCHAT_SCOPE_USER;
    }
}

int64_t aci_scope_revision_of(agentchat_scope scope, int64_t app, int64_t user, int64_t own)
{
    switch (scope) {
    case AGENTCHAT_SCOPE_APP:
        return app;
    case AGENTCHAT_SCOPE_USER:
        return user;
    case AGENTCHAT_SCOPE_SESSION:
        return own;
    case AGENTCHAT_SCOPE_TEMP:
    case AGENTCHAT_SCOPE_MAX_:
        break;
    }
    return 0;
}

agentchat_state *aci_scope_copy_stored(const agentchat_session *session, bool own_only)
{
    agentchat_state *copy = aci_state_new(session->env);
    agentchat_str key, value;

    for (size_t at = 0; copy != NULL && aci_state_next(session->view.state, &at, &key, &value);) {
        agentchat_scope scope = aci_key_scope(key, NULL);

        if (scope == AGENTCHAT_SCOPE_TEMP || (own_only && scope != AGENTCHAT_SCOPE_SESSION))
            continue;
        if (!aci_state_put(copy, key, value)) {
            agentchat_state_free(copy);
            return NULL;
        }
    }
    return copy;
}

/* ---- without a session ---------------------------------------------------------------------------------------- */

typedef struct scope_reading {
    const agentchat_env *env;
    aci_session_name name; /* user: absent for the application alone */
    agentchat_state *state, *revisions;
    aci_scope_loader loaders[2];
} scope_reading;

static agentchat_status read_scopes(aci_tx *tx, void *user, agentchat_error *err)
{
    scope_reading *s = user;
    int scopes = s->name.user.ptr != NULL ? 2 : 1;

    agentchat_state_free(s->state);
    agentchat_state_free(s->revisions);
    s->state = aci_state_new(s->env);
    s->revisions = aci_state_new(s->env);
    if (s->state == NULL || s->revisions == NULL)
        return aci_fail_nomem(err);
    for (int i = 0; i < scopes; i++) {
        agentchat_scope scope = i == 0 ? AGENTCHAT_SCOPE_APP : AGENTCHAT_SCOPE_USER;

        s->loaders[i] = (aci_scope_loader){.scope = scope, .state = s->state, .revisions = s->revisions};
        aci_statement_add(tx, ACI_STATEMENT_STATE, aci_load_state, &s->loaders[i]);
        aci_statement_scope(tx, &s->name, scope);
    }
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_scope_state(agentchat_store *store, const char *app, const char *user, agentchat_state **out,
                                       agentchat_error *err)
{
    scope_reading s;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (store == NULL)
        return aci_fail_null(err, "store");
    memset(&s, 0, sizeof s);
    status = aci_session_name_load(&(agentchat_session_id){app, user != NULL ? user : "-", NULL}, false, &s.name, err);
    if (status < 0)
        return status;
    s.env = store->env;
    s.name.user = agentchat_str_from(user);
    status = aci_transact(store, false, read_scopes, &s, err);
    if (status >= 0) {
        *out = s.state;
        s.state = NULL;
    }
    agentchat_state_free(s.state);
    agentchat_state_free(s.revisions);
    return status;
}

/* ==== invocations, in which `temp:` keys live ==================================================================== */

agentchat_status agentchat_invocation_begin(agentchat_session *session, const char *id, agentchat_error *err)
{
    char made[ACI_ID_LEN + 1];
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(err);
    if (session == NULL)
        return aci_fail_null(err, "session");
    if (session->invocation != NULL)
        return aci_fail(err, AGENTCHAT_E_BUSY, "an invocation is under way on this handle");
    if (id == NULL) {
        status = aci_id_new(session->env, made, err);
        id = made;
    } else {
        status = aci_label_check(agentchat_str_from(id), "invocation id", err);
    }
    if (status < 0)
        return status;
    session->invocation = aci_strdup(session->env, agentchat_str_from(id));
    if (session->invocation == NULL)
        return aci_fail_nomem(err);
    session->invocation_len = strlen(id);
    return AGENTCHAT_OK;
}

/* Taking keys out may move the others together, so that some are passed over; few passes find them all. */
static void drop_temporary(agentchat_state *state)
{
    bool found = true;

    while (found) {
        agentchat_str key;

        found = false;
        for (size_t at = 0; aci_state_next(state, &at, &key, NULL);) {
            if (aci_key_scope(key, NULL) == AGENTCHAT_SCOPE_TEMP)
                found = aci_state_remove(state, key);
        }
    }
}

void agentchat_invocation_end(agentchat_session *session)
{
    if (session == NULL || session->invocation == NULL)
        return;
    drop_temporary(session->view.state);
    aci_free(session->env, session->invocation, session->invocation_len + 1);
    session->invocation = NULL;
}

const char *agentchat_invocation_id(const agentchat_session *session)
{
    return session != NULL ? session->invocation : NULL;
}

/* ==== what handles show, and how it is brought up to date ======================================================== */

enum { UNKNOWN_REVISION = -2 }; /* nothing ever has it, nor such a sequence: all is loaded */

/* ---- views ---------------------------------------------------------------------------------------------------- */

bool aci_view_init(aci_view *view, const agentchat_env *env)
{
    memset(view, 0, sizeof *view);
    view->state = aci_state_new(env);
    view->revisions = aci_state_new(env);
    if (view->state != NULL && view->revisions != NULL)
        return true;
    aci_view_clear(view, env);
    return false;
}

void aci_view_clear(aci_view *view, const agentchat_env *env)
{
    agentchat_state_free(view->state);
    agentchat_state_free(view->revisions);
    aci_load_events_clear(env, &view->events);
    memset(view, 0, sizeof *view);
}

static bool copy_name(const agentchat_env *env, agentchat_str *to, agentchat_str from)
{
    to->ptr = aci_strdup(env, from);
    to->len = from.len;
    return to->ptr != NULL;
}

static void free_name(const agentchat_env *env, agentchat_str name)
{
    char *block = NULL;

    if (name.ptr == NULL)
        return;
    memcpy(&block, &name.ptr, sizeof block); /* the handle's own block, shown as const */
    aci_free(env, block, name.len + 1);
}

agentchat_session *aci_session_new(agentchat_store *store, const aci_session_name *name, bool collects, aci_view *view)
{
    const agentchat_env *env = store->env;
    agentchat_session *session = aci_alloc_zero(env, sizeof(*session));

    if (session == NULL)
        return NULL;
    session->env = env;
    session->store = store;
    session->collects = collects;
    if (!copy_name(env, &session->name.app, name->app) || !copy_name(env, &session->name.user, name->user) ||
        !copy_name(env, &session->name.id, name->id)) {
        agentchat_session_free(session);
        return NULL;
    }
    session->id = (agentchat_session_id){session->name.app.ptr, session->name.user.ptr, session->name.id.ptr};
    session->view = *view;
    memset(view, 0, sizeof *view);
    return session;
}

void agentchat_session_free(agentchat_session *session)
{
    if (session == NULL)
        return;
    agentchat_invocation_end(session);
    aci_view_clear(&session->view, session->env);
    free_name(session->env, session->name.app);
    free_name(session->env, session->name.user);
    free_name(session->env, session->name.id);
    aci_free(session->env, session, sizeof(*session));
}

/* ---- asking --------------------------------------------------------------------------------------------------- */

bool aci_view_update_begin(aci_update *stage, agentchat_session *session)
{
    const agentchat_env *env = session->env;

    memset(stage, 0, sizeof *stage);
    stage->session = session;
    stage->app = aci_state_new(env);
    stage->user = aci_state_new(env);
    stage->own = aci_state_new(env);
    stage->revisions = aci_state_new(env);
    stage->event_loader.env = env;
    stage->event_loader.events = &stage->events;
    stage->event_loader.origin = &stage->now.row.origin;
    return stage->app != NULL && stage->user != NULL && stage->own != NULL && stage->revisions != NULL;
}

void aci_view_update_clear(aci_update *stage)
{
    const agentchat_env *env = stage->session->env;

    agentchat_state_free(stage->app);
    agentchat_state_free(stage->user);
    agentchat_state_free(stage->own);
    agentchat_state_free(stage->revisions);
    agentchat_state_free(stage->state);
    aci_load_events_clear(env, &stage->events);
    aci_free(env, stage->left, stage->left_cap * sizeof(*stage->left));
    memset(stage, 0, sizeof *stage);
}

static agentchat_status load_left(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_update *stage = user;
    void *left = stage->left;

    if (!aci_grow(stage->session->env, &left, &stage->left_cap, stage->left_count, sizeof(*stage->left)))
        return aci_fail_nomem(err);
    stage->left = left;
    return aci_transact_column_integer(columns, count, 0, &stage->left[stage->left_count++], err);
}

/* Whether nobody else can change what is read of the state of an application or a user. */
static bool is_held(const aci_update *stage, agentchat_scope scope)
{
    return scope == AGENTCHAT_SCOPE_APP ? stage->raises_app || stage->holds_app
                                        : stage->raises_user || stage->holds_user;
}

static void ask_row(aci_update *stage, aci_tx *tx, agentchat_scope scope, aci_scope_row *row)
{
    aci_load_ask_scope(tx, is_held(stage, scope) ? ACI_STATEMENT_SCOPE_HOLD : ACI_STATEMENT_SCOPE,
                       &stage->session->name, scope, row);
}

/* known: a revision or sequence at which the keys need not be loaded. */
static void ask_state(aci_update *stage, aci_tx *tx, agentchat_scope scope, int64_t known)
{
    aci_session_name name = stage->session->name;
    bool own = scope == AGENTCHAT_SCOPE_SESSION;
    aci_scope_loader *loader = &stage->loaders[own ? 2 : scope == AGENTCHAT_SCOPE_APP ? 0 : 1];

    loader->scope = scope;
    loader->state = own ? stage->own : scope == AGENTCHAT_SCOPE_APP ? stage->app : stage->user;
    loader->revisions = stage->revisions;
    aci_statement_add(tx, own ? ACI_STATEMENT_STATE_IF_SEQUENCE : ACI_STATEMENT_STATE_IF_REVISION, aci_load_state,
                      loader);
    aci_statement_scope(tx, &name, scope);
    aci_transact_integer(tx, known);
}

static void ask_events(aci_update *stage, aci_tx *tx)
{
    const agentchat_session *session = stage->session;
    const aci_view *view = &session->view;

    if (!session->collects)
        return;
    ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENTS_AFTER, aci_load_event, &stage->event_loader, ACI_TEXT(session->name.app),
                    ACI_INT(view->row.num), ACI_INT(view->row.seq));
    if (view->events.count == 0)
        return;
    ACI_SESSION_ASK(tx, ACI_STATEMENT_EVENTS_LEFT, load_left, stage, ACI_TEXT(session->name.app),
                    ACI_INT(view->row.num), ACI_INT((int64_t)agentchat_event_sequence(view->events.list[0])),
                    ACI_INT(view->row.seq), ACI_INT(view->row.rewinds));
}

void aci_view_update_ask(aci_update *stage, aci_tx *tx, bool lock)
{
    aci_session_name name = stage->session->name;

    aci_load_ask_session(tx, lock ? ACI_STATEMENT_SESSION_LOCK : ACI_STATEMENT_SESSION, &name, &stage->now);
    ask_row(stage, tx, AGENTCHAT_SCOPE_APP, &stage->app_row);
    ask_row(stage, tx, AGENTCHAT_SCOPE_USER, &stage->user_row);
}

void aci_view_update_ask_all(aci_update *stage, aci_tx *tx)
{
    const agentchat_session *session = stage->session;
    const aci_view *view = &session->view;

    aci_view_update_ask(stage, tx, false);
    ask_state(stage, tx, AGENTCHAT_SCOPE_APP, session->is_unloaded ? UNKNOWN_REVISION : view->app_revision);
    ask_state(stage, tx, AGENTCHAT_SCOPE_USER, session->is_unloaded ? UNKNOWN_REVISION : view->user_revision);
    ask_state(stage, tx, AGENTCHAT_SCOPE_SESSION, session->is_unloaded ? UNKNOWN_REVISION : view->row.seq);
    ask_events(stage, tx);
}

agentchat_status aci_view_update_compare(aci_update *stage, agentchat_error *err)
{
    const agentchat_session *session = stage->session;
    const aci_view *view = &session->view;
    aci_session_name name = session->name;

    if (!stage->now.found || stage->now.row.num != view->row.num)
        return aci_name_fail_no_session(&name, err);
    stage->was = stage->now.row;
    stage->app_revision = stage->app_row.revision + (stage->raises_app ? 1 : 0);
    stage->user_revision = stage->user_row.revision + (stage->raises_user ? 1 : 0);
    stage->app_changed = session->is_unloaded || stage->app_row.revision != view->app_revision;
    stage->user_changed = session->is_unloaded || stage->user_row.revision != view->user_revision;
    stage->own_changed = session->is_unloaded || stage->now.row.seq != view->row.seq;
    return AGENTCHAT_OK;
}

bool aci_view_update_ask_changed(aci_update *stage, aci_tx *tx)
{
    if (stage->app_changed)
        ask_state(stage, tx, AGENTCHAT_SCOPE_APP, UNKNOWN_REVISION);
    if (stage->user_changed)
        ask_state(stage, tx, AGENTCHAT_SCOPE_USER, UNKNOWN_REVISION);
    if (stage->own_changed) {
        ask_state(stage, tx, AGENTCHAT_SCOPE_SESSION, UNKNOWN_REVISION);
        ask_events(stage, tx);
    }
    return stage->app_changed || stage->user_changed || stage->own_changed;
}

/* ---- applying ------------------------------------------------------------------------------------------------- */

static bool copy_scope(const agentchat_state *from, agentchat_scope scope, agentchat_state *to)
{
    agentchat_str key, value;

    for (size_t at = 0; aci_state_next(from, &at, &key, &value);) {
        if (aci_key_scope(key, NULL) == scope && !aci_state_put(to, key, value))
            return false;
    }
    return true;
}

/* One scope of the new state, and the revisions of its keys where they are the old ones. */
static bool merge_scope(aci_update *stage, agentchat_scope scope, bool changed, const agentchat_state *loaded)
{
    const aci_view *view = &stage->session->view;

    return copy_scope(changed ? loaded : view->state, scope, stage->state) &&
           (changed || copy_scope(view->revisions, scope, stage->revisions));
}

agentchat_status aci_view_update_finish(aci_update *stage, agentchat_error *err)
{
    agentchat_session *session = stage->session;

    if (!aci_load_events_reserve(session->env, &session->view.events, stage->events.count + 1))
        return aci_fail_nomem(err);
    if (!stage->app_changed && !stage->user_changed && !stage->own_changed)
        return AGENTCHAT_OK;
    stage->state = aci_state_new(session->env);
    if (stage->state != NULL && merge_scope(stage, AGENTCHAT_SCOPE_APP, stage->app_changed, stage->app) &&
        merge_scope(stage, AGENTCHAT_SCOPE_USER, stage->user_changed, stage->user) &&
        merge_scope(stage, AGENTCHAT_SCOPE_SESSION, stage->own_changed, stage->own) &&
        copy_scope(session->view.state, AGENTCHAT_SCOPE_TEMP, stage->state))
        return AGENTCHAT_OK;
    agentchat_state_free(stage->state);
    stage->state = NULL;
    return aci_fail_nomem(err);
}

agentchat_status aci_view_update_prefetch(aci_update *update, aci_tx *tx, agentchat_error *err)
{
    agentchat_session *session = update->session;
    agentchat_status status;

    aci_view_update_clear(update);
    if (!aci_view_update_begin(update, session))
        return aci_fail_nomem(err);
    aci_view_update_ask_all(update, tx);
    status = aci_transact_run(tx, false, err);
    if (status >= 0)
        status = aci_view_update_compare(update, err);
    if (status < 0)
        return status;
    /* In a transaction that writes on PostgreSQL each statement sees what is committed when it runs: somebody may have
       raised a revision after it was first read. What was loaded counts. */
    update->app_changed = update->app_changed || agentchat_state_count(update->app) > 0;
    update->user_changed = update->user_changed || agentchat_state_count(update->user) > 0;
    return aci_view_update_finish(update, err);
}

/* Removes the events that were rewound: those that are not in the list of what is left. */
static void drop_rewound(aci_update *stage)
{
    aci_event_array *events = &stage->session->view.events;
    size_t kept = 0, next = 0;

    for (size_t i = 0; i < events->count; i++) {
        int64_t sequence = (int64_t)agentchat_event_sequence(events->list[i]);

        while (next < stage->left_count && stage->left[next] < sequence)
            next++;
        if (next < stage->left_count && stage->left[next] == sequence)
            events->list[kept++] = events->list[i];
        else
            agentchat_event_unref(events->list[i]);
    }
    events->count = kept;
}

void aci_view_update_apply(aci_update *stage, bool committed)
{
    agentchat_session *session = stage->session;
    aci_view *view = &session->view;

    if (stage->now.row.rewinds != view->row.rewinds)
        drop_rewound(stage);
    if (stage->events.count > 0)
        memcpy(view->events.list + view->events.count, stage->events.list,
               stage->events.count * sizeof(*stage->events.list));
    view->events.count += stage->events.count;
    stage->events.count = 0;
    if (stage->state != NULL) {
        agentchat_state_free(view->state);
        agentchat_state_free(view->revisions);
        view->state = stage->state;
        view->revisions = stage->revisions;
        stage->state = stage->revisions = NULL;
        session->is_unloaded = false;
    }
    view->row = stage->now.row;
    view->app_revision = stage->app_revision - (stage->raises_app && !committed ? 1 : 0);
    view->user_revision = stage->user_revision - (stage->raises_user && !committed ? 1 : 0);
}
