/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting the rows of numbers that no thread has. Nothing of them is read, so that what is damaged goes, too. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include "base/ids.h"

enum { MOST_PENDING = 64 }; /* values may be large */

/* ---- rows ----------------------------------------------------------------------------------------------------- */

agentchat_status aci_orphans_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_orphan_row *out = user;
    agentchat_error why;
    agentchat_status status;

    status = aci_transact_column_integer(columns, count, 0, &out->num, err); /* what the next search begins after */
    if (status < 0)
        return status;
    agentchat_error_clear(&why);
    status = aci_table_read(&aci_orphan_table, 0, columns, count, out, &why);
    out->found = true;
    out->is_damaged = status == AGENTCHAT_E_CORRUPT;
    return status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}

void aci_orphans_put(aci_tx *tx, aci_thread_statement which, int64_t num, int64_t until_us)
{
    const aci_orphan_row row = {.num = num, .until_us = until_us};

    aci_thread_statement_add(tx, which, NULL, NULL);
    aci_table_bind(tx, &aci_orphan_table, &row);
}

void aci_orphans_ask(aci_tx *tx, int64_t num, aci_orphan_row *out)
{
    *out = (aci_orphan_row){.num = num};
    ACI_THREAD_ASK(tx, ACI_ORPHAN_LOCK, aci_orphans_load, out, ACI_INT(num));
}

void aci_orphans_remove(aci_tx *tx, int64_t num)
{
    ACI_THREAD_ASK(tx, ACI_ORPHAN_DELETE, NULL, NULL, ACI_INT(num));
}

/* ---- deleting what belongs to one ------------------------------------------------------------------------------- */

typedef struct clearing { /* in one step */
    aci_tx *tx;
    int64_t num;
    size_t left;           /* rows that may be deleted yet */
    aci_number_set bodies; /* that are deleted */
} clearing;

/* A body is deleted for as long as the step may; those that are large count as many rows. */
static agentchat_status take_body(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    clearing *c = user;
    int64_t no = 0, length = 0;
    size_t cost;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &no, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &length, err);
    if (status < 0)
        return status;
    if (c->left == 0)
        return AGENTCHAT_OK;
    cost = aci_rows_cost(length);
    c->left -= cost < c->left ? cost : c->left;
    return aci_numbers_add(&c->bodies, c->tx->store->env, &no, 1) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status clear_bodies(clearing *c, agentchat_error *err)
{
    agentchat_status status;

    ACI_THREAD_ASK(c->tx, ACI_CLEAR_SIZES, take_body, c, ACI_INT(c->num), ACI_INT((int64_t)c->left));
    status = aci_transact_run(c->tx, false, err);
    for (size_t i = 0; i < c->bodies.count && status >= 0; i++)
        ACI_THREAD_ASK(c->tx, ACI_BODY_DELETE, NULL, NULL, ACI_INT(c->num), ACI_INT(c->bodies.list[i]));
    return status;
}

static agentchat_status clear_table(clearing *c, aci_thread_statement which, size_t most, agentchat_error *err)
{
    size_t limit = c->left < most ? c->left : most;
    agentchat_status status;

    ACI_THREAD_ASK(c->tx, which, NULL, NULL, ACI_INT(c->num), ACI_INT((int64_t)limit));
    status = aci_transact_run(c->tx, false, err);
    if (status >= 0)
        c->left = aci_transact_changed(c->tx, 0) < limit ? c->left - (size_t)aci_transact_changed(c->tx, 0) : 0;
    return status;
}

agentchat_status aci_orphans_clear_some(aci_steps *steps, aci_tx *tx, int64_t num, bool *is_done, agentchat_error *err)
{
    static const aci_thread_statement tables[] = {ACI_CLEAR_CHECKPOINTS, ACI_CLEAR_PENDING, ACI_CLEAR_ITEMS,
                                                  ACI_CLEAR_SEGMENTS, ACI_CLEAR_TERMS};
    clearing c = {.tx = tx, .num = num, .left = steps->rows};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < sizeof tables / sizeof *tables && c.left > 0 && status >= 0; i++)
        status = clear_table(&c, tables[i], tables[i] == ACI_CLEAR_PENDING ? MOST_PENDING : SIZE_MAX, err);
    if (status >= 0 && c.left > 0)
        status = clear_bodies(&c, err);
    *is_done = status >= 0 && c.left > 0; /* it was not used up */
    aci_numbers_clear(&c.bodies, steps->store->env);
    return status;
}

typedef struct orphan {
    aci_steps *steps;
    int64_t num;
    int64_t now_us; /* who holds it longer keeps it */
    bool is_done;
} orphan;

static agentchat_status clear_step(aci_tx *tx, void *user, agentchat_error *err)
{
    orphan *o = user;
    aci_orphan_row row;
    agentchat_status status;

    aci_orphans_ask(tx, o->num, &row);
    status = aci_steps_lock(o->steps, tx, err);
    o->is_done = status >= 0 && (!row.found || row.until_us > o->now_us); /* others have done it, or go on with it */
    if (status < 0 || o->is_done)
        return status;
    status = aci_orphans_clear_some(o->steps, tx, o->num, &o->is_done, err);
    if (status >= 0 && o->is_done)
        aci_orphans_remove(tx, o->num);
    else if (status >= 0 && row.until_us != 0) /* it is nobody's any more */
        aci_orphans_put(tx, ACI_ORPHAN_ADVANCE, o->num, 0);
    if (status >= 0)
        status = aci_steps_write(o->steps, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

static agentchat_status clear(aci_steps *steps, int64_t num, int64_t now_us, agentchat_error *err)
{
    orphan o = {steps, num, now_us, false};
    agentchat_status status;

    do
        status = aci_steps_run(steps, clear_step, &o, err);
    while (status >= 0 && !o.is_done);
    return status;
}

agentchat_status aci_orphans_clear(aci_steps *steps, int64_t num, agentchat_error *err)
{
    return clear(steps, num, INT64_MAX, err);
}

/* ---- deleting all of them --------------------------------------------------------------------------------------- */

typedef struct searching {
    int64_t after, now_us;
    aci_orphan_row row;
} searching;

static agentchat_status find_next(aci_tx *tx, void *user, agentchat_error *err)
{
    searching *s = user;
    agentchat_status status;

    s->row = (aci_orphan_row){.found = false};
    ACI_THREAD_ASK(tx, ACI_ORPHAN_NEXT, aci_orphans_load, &s->row, ACI_INT(s->after), ACI_INT(s->now_us));
    status = aci_transact_run(tx, true, err);
    if (s->row.num <= s->after) /* a database that answers another question would lead in a circle */
        s->row.found = false;
    return status;
}

void aci_orphans_clear_all(aci_steps *steps)
{
    searching s = {.after = -1, .now_us = aci_now_us(steps->store->env)};
    agentchat_error why;
    agentchat_status status;

    do {
        agentchat_error_clear(&why);
        status = aci_steps_look(steps, find_next, &s, &why);
        s.after = s.row.num;
        if (status >= 0 && s.row.found && !s.row.is_damaged)
            status = clear(steps, s.row.num, s.now_us, &why);
    } while (status >= 0 && s.row.found);
}
