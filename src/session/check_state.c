/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a store: the keys and values of every scope, and whether they belong to something. */
#include "session/check.h"

#include "base/error.h"
#include "json/value.h"
#include <inttypes.h>

static agentchat_status check_value(aci_check *c, const char *part, agentchat_str key, agentchat_str value,
                                    int64_t revision, const aci_sql_value *owner, agentchat_error *err)
{
    agentchat_status status;
    agentchat_error why;
    aci_excerpt excerpt;
    agentchat_str span;

    agentchat_error_clear(&why);
    status = aci_json_check(c->env, value, c->env->limits.max_depth, &span, NULL, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0)
        return aci_check_problem(c->all, part, err, "the value of key %s is not JSON: %s",
                                 aci_error_excerpt(key, &excerpt), why.message);
    if (owner->type != ACI_SQL_INTEGER)
        return aci_check_problem(c->all, part, err, "key %s belongs to nothing that is there",
                                 aci_error_excerpt(key, &excerpt));
    if (revision <= 0 || revision > owner->integer)
        return aci_check_problem(c->all, part, err, "key %s has revision %" PRId64 ", its owner is at %" PRId64,
                                 aci_error_excerpt(key, &excerpt), revision, owner->integer);
    return AGENTCHAT_OK;
}

/* rest: the key as it stands in a scope. *right: whether it can stand there. */
static agentchat_status check_key(aci_check *c, const char *part, agentchat_scope scope, agentchat_str rest,
                                  bool *right, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error why;
    aci_excerpt excerpt;
    aci_buf full;

    *right = false;
    agentchat_error_clear(&why);
    aci_buf_init(&full, c->env, SIZE_MAX);
    if (!aci_load_full_key(scope, rest, &full))
        status = aci_fail_nomem(err);
    else if (aci_key_check(aci_buf_str(&full), &why) < 0)
        status = aci_check_problem(c->all, part, err, "%s", why.message);
    else if (aci_key_scope(aci_buf_str(&full), NULL) != scope)
        status = aci_check_problem(c->all, part, err, "key %s stands among those of a session",
                                   aci_error_excerpt(rest, &excerpt));
    else
        *right = true;
    aci_buf_clear(&full);
    return status;
}

static agentchat_status check_state(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_check *c = user;
    agentchat_str texts[5];
    agentchat_scope scope;
    int64_t revision = 0;
    bool right;
    char part[400];
    agentchat_status status =
        count == 7 ? AGENTCHAT_OK : aci_fail(err, AGENTCHAT_E_CORRUPT, "a row has too few columns");

    for (size_t i = 0; i < 5 && status >= 0; i++)
        status = aci_transact_column_text(columns, count, i, &texts[i], err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 5, &revision, err);
    if (status < 0)
        return status;
    c->rows++;
    scope = texts[2].len > 0 ? AGENTCHAT_SCOPE_SESSION : texts[1].len > 0 ? AGENTCHAT_SCOPE_USER : AGENTCHAT_SCOPE_APP;
    (void)aci_check_part(part,
                         scope == AGENTCHAT_SCOPE_SESSION ? "state of session"
                         : scope == AGENTCHAT_SCOPE_USER  ? "state of user"
                                                          : "state of application",
                         texts[0], texts[1], texts[2]);
    status = check_key(c, part, scope, texts[3], &right, err);
    if (status >= 0 && right)
        status = check_value(c, part, texts[3], texts[4], revision, &columns[6], err);
    if (status < 0 || c->rows < (uint64_t)c->limit) /* only where the next page begins is worth keeping */
        return status;
    status = aci_check_keep(c, &c->last.app, texts[0], err);
    if (status >= 0)
        status = aci_check_keep(c, &c->last.usr, texts[1], err);
    if (status >= 0)
        status = aci_check_keep(c, &c->last.id, texts[2], err);
    return status < 0 ? status : aci_check_keep(c, &c->last.key, texts[3], err);
}

static agentchat_status state_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;

    aci_check_begin_page(c);
    aci_statement_add(tx, ACI_STATEMENT_ALL_STATE, check_state, c);
    aci_transact_text(tx, c->at.app);
    aci_transact_text(tx, c->at.usr);
    aci_transact_text(tx, c->at.id);
    aci_transact_text(tx, c->at.key);
    aci_check_limit_page(c, tx);
    return aci_transact_run(tx, true, err);
}

agentchat_status aci_check_state(aci_check *c, agentchat_error *err)
{
    agentchat_status status;

    aci_check_start_over(c);
    c->all->bad = 0;
    status = aci_check_run_pages(c, "state", state_page, err);
    if (status >= 0 && !c->all->stopped)
        status = aci_check_sessions(c, true, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = aci_check_note(c->all, "state", NULL, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}
