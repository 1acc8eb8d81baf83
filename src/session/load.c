/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the store as what they stand for. Stored data is checked like any other input. */
#include "session/session.h"

#include "base/error.h"
#include "session/stored_event.h"
#include "json/value.h"
#include <stdlib.h>

/* Sequence numbers, revisions and numbers of rewinds count up from 0 and never come near this; a larger number is not
   from this library, and is not counted on from. */
#define HIGHEST_COUNT (INT64_MAX / 2)

static agentchat_status check_count(int64_t count, int64_t lowest, const char *what, agentchat_error *err)
{
    if (count >= lowest && count <= HIGHEST_COUNT)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored %s is %lld, which cannot be", what, (long long)count);
}

agentchat_status aci_load_row_read(aci_session_row *row, const aci_session_name *name, const aci_sql_value *columns,
                                   size_t count, size_t first, agentchat_error *err)
{
    int64_t *members[] = {&row->num, &row->seq, &row->rewinds, &row->created_us, &row->updated_us};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < sizeof members / sizeof *members && status >= 0; i++)
        status = aci_transact_column_integer(columns, count, first + i, members[i], err);
    if (status >= 0)
        status = aci_sums_read_session(name, row, columns, count, first + sizeof members / sizeof *members, err);
    if (status >= 0)
        status = check_count(row->seq, 0, "sequence of the session", err);
    return status < 0 ? status : check_count(row->rewinds, 0, "number of rewinds", err);
}

static agentchat_status load_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_loaded_row *loaded = user;
    agentchat_status status = aci_load_row_read(&loaded->row, &loaded->name, columns, count, 0, err);

    loaded->found = status >= 0;
    return status;
}

void aci_load_ask_session(aci_tx *tx, aci_session_statement which, const aci_session_name *name, aci_loaded_row *loaded)
{
    *loaded = (aci_loaded_row){.name = *name};
    aci_statement_add(tx, which, load_row, loaded);
    aci_statement_name(tx, name);
}

agentchat_status aci_load_scope_read(aci_scope_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err)
{
    agentchat_status status = aci_transact_column_integer(columns, count, first, &row->revision, err);

    if (status >= 0)
        status = aci_sums_read_scope(row, columns, count, first + 1, err);
    return status < 0 ? status : check_count(row->revision, 0, "revision of the state", err);
}

static agentchat_status load_scope(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    return aci_load_scope_read(user, columns, count, 0, err);
}

void aci_load_ask_scope(aci_tx *tx, aci_session_statement which, const aci_session_name *name, agentchat_scope scope,
                        aci_scope_row *row)
{
    if (row != NULL)
        *row = (aci_scope_row){
            .app = name->app, .user = scope == AGENTCHAT_SCOPE_APP ? AGENTCHAT_STR("") : name->user, .is_summed = true};
    aci_statement_add(tx, which, row != NULL ? load_scope : NULL, row);
    aci_statement_owner(tx, name, scope);
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

bool aci_load_full_key(agentchat_scope scope, agentchat_str rest, aci_buf *buffer)
{
    buffer->len = 0;
    return aci_buf_add_str(buffer, aci_key_scope_prefix(scope)) && aci_buf_add_str(buffer, rest);
}

size_t aci_load_print_integer(int64_t value, char out[24])
{
    uint64_t left = value < 0 ? ~(uint64_t)value + 1 : (uint64_t)value;
    char reversed[24];
    size_t count = 0, len = 0;

    do {
        reversed[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0)
        out[len++] = '-';
    while (count > 0)
        out[len++] = reversed[--count];
    out[len] = '\0';
    return len;
}

bool aci_load_revision_put(agentchat_state *revisions, agentchat_str key, int64_t revision)
{
    char digits[24];
    size_t len = aci_load_print_integer(revision, digits);

    return aci_state_put(revisions, key, (agentchat_str){digits, len});
}

int64_t aci_load_revision_find(const agentchat_state *revisions, agentchat_str key)
{
    agentchat_str digits = aci_state_find(revisions, key);
    char text[24];

    if (digits.ptr == NULL || digits.len >= sizeof text)
        return 0;
    memcpy(text, digits.ptr, digits.len);
    text[digits.len] = '\0';
    return (int64_t)strtoll(text, NULL, 10);
}

agentchat_status aci_load_check_stored(const agentchat_env *env, agentchat_str key, agentchat_str *value,
                                       int64_t revision, agentchat_error *err)
{
    agentchat_error why;
    aci_excerpt excerpt;
    agentchat_status status;

    if (revision <= 0 || revision > HIGHEST_COUNT)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored revision of key %s is %lld, which cannot be",
                        aci_error_excerpt(key, &excerpt), (long long)revision);
    agentchat_error_clear(&why);
    status = aci_json_check(env, *value, env->limits.max_depth, value, NULL, &why);
    if (status >= 0 || status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return status < 0 ? aci_fail(err, status, "%s", why.message) : status;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored value of key %s is not JSON: %s",
                    aci_error_excerpt(key, &excerpt), why.message);
}

agentchat_status aci_load_state(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_scope_loader *loader = user;
    const agentchat_env *env = aci_state_env(loader->state);
    agentchat_str rest, value, key;
    agentchat_status status;
    aci_excerpt excerpt;
    int64_t revision;
    aci_buf buffer;

    aci_buf_init(&buffer, env, SIZE_MAX);
    status = aci_transact_column_text(columns, count, 0, &rest, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &value, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &revision, err);
    if (status < 0)
        return status;
    if (!aci_load_full_key(loader->scope, rest, &buffer)) {
        aci_buf_clear(&buffer);
        return aci_fail_nomem(err);
    }
    key = aci_buf_str(&buffer);
    status = aci_key_check(key, err);
    if (status == AGENTCHAT_E_INVALID && err != NULL)
        err->code = (int32_t)(status = AGENTCHAT_E_CORRUPT);
    if (status >= 0 && aci_key_scope(key, NULL) != loader->scope)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored key %s stands among those of a session",
                          aci_error_excerpt(key, &excerpt));
    if (status >= 0)
        status = aci_load_check_stored(env, key, &value, revision, err);
    if (status >= 0)
        status = aci_sums_toggle_key(&loader->keys, rest, value, revision, err);
    if (status >= 0 &&
        !(aci_state_put(loader->state, key, value) && aci_load_revision_put(loader->revisions, key, revision)))
        status = aci_fail_nomem(err);
    aci_buf_clear(&buffer);
    return status;
}

/* ---- events --------------------------------------------------------------------------------------------------- */

bool aci_load_events_reserve(const agentchat_env *env, aci_event_array *events, size_t more)
{
    void *list = events->list;

    while (events->cap - events->count < more) {
        if (!aci_grow(env, &list, &events->cap, events->cap, sizeof(*events->list)))
            return false;
        events->list = list;
    }
    return true;
}

void aci_load_events_clear(const agentchat_env *env, aci_event_array *events)
{
    for (size_t i = 0; i < events->count; i++)
        agentchat_event_unref(events->list[i]);
    aci_free(env, events->list, events->cap * sizeof(*events->list));
    memset(events, 0, sizeof *events);
}

agentchat_status aci_load_event_columns(aci_event_row *row, const aci_sql_value *columns, size_t count,
                                        agentchat_error *err)
{
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &row->seq, err);

    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &row->id, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &row->time_ns, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 3, &row->json, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 4, &row->effect, err);
    return status < 0 ? status : aci_sums_read_event(row, columns, count, 5, err);
}

agentchat_status aci_load_event(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_event_loader *loader = user;
    agentchat_event *event = NULL;
    aci_event_row row;
    agentchat_status status = aci_load_event_columns(&row, columns, count, err);

    if (status >= 0)
        status = aci_sums_check_event(&row, err);
    if (status >= 0 && !aci_load_events_reserve(loader->env, loader->events, 1))
        status = aci_fail_nomem(err);
    if (status >= 0)
        status = aci_stored_event_read(loader->env, (uint64_t)row.seq, row.json, row.effect, &event, err);
    if (status < 0)
        return status;
    event->sums = row.sums;
    loader->events->list[loader->events->count++] = event;
    return AGENTCHAT_OK;
}
