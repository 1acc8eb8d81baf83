/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a store: whether the keys of a session, a user or an application are those of their checksum. */
#include "session/check.h"

#include "base/error.h"
#include <string.h>

typedef struct keys_read { /* of one scope, as of one moment */
    aci_check *c;
    const char *part;
    agentchat_scope scope;
    aci_loaded_row session;
    aci_scope_row row;
    int64_t keys;
    aci_buf last; /* the key read last: damaged pages may give rows that they gave before, again and again */
    uint64_t rows;
} keys_read;

static bool is_after(const aci_buf *last, agentchat_str key)
{
    aci_check_position a = {.key = key}, b = {.key = aci_buf_str(last)};

    return aci_check_is_after(&a, &b);
}

static agentchat_status add_key(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    keys_read *k = user;
    agentchat_str key, value;
    int64_t revision;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &key, err);

    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &value, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &revision, err);
    if (status >= 0 && !is_after(&k->last, key))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "keys are not in their order");
    if (status < 0)
        return status;
    k->rows++;
    k->last.len = 0;
    if (!aci_buf_add_str(&k->last, key))
        return aci_fail_nomem(err);
    return aci_sums_toggle_key(&k->keys, key, value, revision, err);
}

/* Page by page in one transaction. */
static agentchat_status read_keys(keys_read *k, aci_tx *tx, const aci_session_name *name, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    bool ok = true;

    k->keys = 0;
    k->last.len = 0;
    do {
        agentchat_str after = aci_arena_copy(k->c->arena, aci_buf_str(&k->last), &ok);

        if (!ok)
            return aci_fail_nomem(err);
        k->rows = 0;
        aci_statement_add(tx, ACI_STATEMENT_STATE_AFTER, add_key, k);
        aci_statement_scope(tx, name, k->scope);
        aci_transact_text(tx, after);
        aci_transact_integer(tx, ACI_CHECK_PAGE);
        status = aci_transact_run(tx, false, err);
    } while (status >= 0 && k->rows == ACI_CHECK_PAGE);
    return status;
}

static agentchat_status keys_page(aci_tx *tx, void *user, agentchat_error *err)
{
    keys_read *k = user;
    aci_check *c = k->c;
    aci_session_name name = {c->at.app, c->at.usr, c->at.id};
    bool own = k->scope == AGENTCHAT_SCOPE_SESSION;
    agentchat_error why;
    agentchat_status status;

    aci_check_begin_page(c);
    status = read_keys(k, tx, &name, err);
    if (status < 0)
        return status;
    if (own)
        aci_load_ask_session(tx, ACI_STATEMENT_SESSION, &name, &k->session);
    else
        aci_load_ask_scope(tx, ACI_STATEMENT_SCOPE, &name, k->scope, &k->row);
    status = aci_transact_run(tx, true, err);
    if (status < 0 || !(own ? k->session.found && k->session.row.is_summed : k->row.is_summed))
        return status;
    agentchat_error_clear(&why);
    if (aci_sums_check_keys(k->keys, own ? k->session.row.keys : k->row.keys, k->scope, &why) >= 0)
        return AGENTCHAT_OK;
    return aci_check_problem(c->all, k->part, err, "%s", why.message);
}

agentchat_status aci_check_keys(aci_check *c, const char *part, agentchat_scope scope, agentchat_error *err)
{
    keys_read k = {.c = c, .part = part, .scope = scope};
    agentchat_status status;

    aci_buf_init(&k.last, c->env, SIZE_MAX);
    status = aci_check_run_page(c, part, keys_page, &k, err);
    aci_buf_clear(&k.last);
    return status;
}
