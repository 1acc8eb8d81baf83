/* SPDX-License-Identifier: Apache-2.0 */
/* Earlier values of documents: which are kept, and reading them. */
#include "memory/memory_internal.h"

#include "base/error.h"
#include <stdio.h>
#include <string.h>

/* ==== while a document changes =================================================================================== */

static agentchat_status load_keep(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_setting_row row;
    agentchat_status status;

    memset(&row, 0, sizeof row);
    status = aci_table_read(&aci_setting_table, 0, columns, count, &row, err);
    if (status >= 0 && (row.number <= 0 || row.number > UINT32_MAX))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a log keeps a number of steps that none keeps");
    *(int64_t *)user = row.number;
    return status;
}

void aci_log_ask(aci_tx *tx, agentchat_str ns, aci_arena *arena, int64_t *keep)
{
    const char *text = aci_space_print(ns, arena);

    *keep = 0;
    if (text == NULL) {
        tx->failed = true;
        return;
    }
    ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_KEEP, load_keep, keep, ACI_TEXT(AGENTCHAT_STR("/")));
    for (const char *end = text; ns.len > 0 && *end != '\0';) {
        end += strcspn(end + 1, "/") + 1;
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_KEEP, load_keep, keep, ACI_TEXT({text, (size_t)(end - text)}));
    }
}

void aci_log_step(aci_tx *tx, int64_t keep, const aci_document *before, aci_log_row *step)
{
    if (keep == 0)
        return;
    if (before != NULL) {
        step->was = before->rev;
        step->fields = before->fields;
        step->value = before->value;
        step->has_expires = before->has_expires;
        step->expires = before->expires;
        step->has_ttl = before->has_ttl;
        step->ttl = before->ttl;
    }
    aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_LOG_PUT], NULL, NULL);
    aci_table_bind(tx, &aci_log_table, step);
    ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_PRUNE, NULL, NULL, ACI_BYTES(step->ns), ACI_TEXT(step->key), ACI_INT(keep));
}

/* ==== which are kept ============================================================================================= */

typedef struct keeping {
    agentchat_str ns, name; /* name: of the setting */
    int64_t steps;
} keeping;

static agentchat_status keep(aci_tx *tx, void *user, agentchat_error *err)
{
    const keeping *k = user;
    const aci_setting_row row = {.name = k->name, .number = k->steps};
    agentchat_status status;

    ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_KEEP, NULL, NULL, ACI_TEXT(k->ns)); /* the first batch must not commit */
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    if (k->steps > 0) {
        aci_transact_add(tx, &aci_memory_statements[ACI_MEMORY_SETTING_PUT], NULL, NULL);
        aci_table_bind(tx, &aci_setting_table, &row);
    } else {
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_OFF, NULL, NULL, ACI_TEXT(k->ns));
    }
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_memory_log_keep(agentchat_store *store, const char *ns, uint32_t steps, agentchat_error *err)
{
    keeping k = {.steps = steps};
    aci_space space;
    aci_arena *arena;
    char name[4 + 2 * ACI_MOST_SPACE + 2] = "log ";
    const char *text;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || ns == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "ns");
    status = aci_space_read(ns, false, &space, err);
    if (status < 0)
        return status;
    arena = aci_arena_new(store->env, 0);
    text = arena != NULL ? aci_space_print(aci_space_bytes(&space), arena) : NULL;
    k.ns = agentchat_str_from(text);
    (void)snprintf(name + 4, sizeof name - 4, "%s", text != NULL ? text : "");
    k.name = agentchat_str_from(name);
    status = text != NULL ? aci_transact(store, true, keep, &k, err) : aci_fail_nomem(err);
    aci_arena_unref(arena);
    return status;
}

/* ==== reading ==================================================================================================== */

struct agentchat_memory_steps {
    aci_result_page page;
};

typedef struct reading {
    agentchat_str ns, end, key;
    int64_t limit;
    agentchat_memory_steps *out;
} reading;

agentchat_status aci_log_read(const aci_sql_value *columns, size_t count, aci_log_row *row, agentchat_error *err)
{
    agentchat_status status;

    memset(row, 0, sizeof *row);
    status = aci_table_read(&aci_log_table, 0, columns, count, row, err);
    if (status >= 0 && (row->step <= 0 || row->rev < 0 || row->was < 0 || (row->was > 0) != (row->value.ptr != NULL)))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a logged step has numbers that none has");
    return aci_document_damage(status, &(aci_document){.ns = row->ns, .key = row->key}, err);
}

static agentchat_status show_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    const reading *r = user;
    agentchat_memory_step *step = aci_result_page_room(&r->out->page);
    aci_arena *arena = r->out->page.arena;
    aci_log_row row;
    bool ok = true;
    agentchat_status status = aci_log_read(columns, count, &row, err);

    if (status < 0 || step == NULL)
        return status < 0 ? status : aci_fail_nomem(err);
    memset(step, 0, sizeof *step);
    step->ns = aci_space_print(row.ns, arena);
    step->key = aci_arena_cstr(arena, row.key, &ok);
    step->revision = (uint64_t)row.rev;
    step->at_us = row.at;
    step->is_undo = row.undo != 0;
    step->before_revision = (uint64_t)row.was;
    if (row.value.ptr != NULL)
        step->before = (agentchat_str){aci_arena_cstr(arena, row.value, &ok), row.value.len};
    r->out->page.count += ok && step->ns != NULL;
    return ok && step->ns != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status read_steps(aci_tx *tx, void *user, agentchat_error *err)
{
    reading *r = user;
    int64_t now;
    agentchat_status status;

    r->out->page.count = 0;
    aci_memory_ask_now(tx, &now);
    status = tx->count > 0 ? aci_transact_run(tx, false, err) : AGENTCHAT_OK;
    if (status < 0)
        return status;
    if (r->key.ptr != NULL)
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_OF_KEY, show_row, r, ACI_INT(now), ACI_BYTES(r->ns), ACI_TEXT(r->key),
                       ACI_INT(r->limit));
    else
        ACI_MEMORY_ASK(tx, ACI_MEMORY_LOG_NEWEST, show_row, r, ACI_INT(now), ACI_BYTES(r->ns), ACI_BYTES(r->end),
                       ACI_INT(r->limit));
    return aci_transact_run(tx, true, err);
}

agentchat_status agentchat_memory_log(agentchat_store *store, const char *ns, const char *key, size_t limit,
                                      agentchat_memory_steps **out, agentchat_error *err)
{
    reading r = {.limit = (int64_t)aci_result_page_limit(limit)};
    aci_space space;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    if (store == NULL || out == NULL)
        return aci_fail_null(err, store == NULL ? "store" : "out");
    status = key != NULL ? aci_document_name(ns, key, &space, &r.key, err) : aci_space_read(ns, false, &space, err);
    if (status < 0)
        return status;
    r.out = aci_result_page_new(store->env, sizeof *r.out, sizeof(agentchat_memory_step));
    r.ns = aci_space_bytes(&space);
    status =
        r.out != NULL && aci_space_end(r.ns, false, r.out->page.arena, &r.end) ? AGENTCHAT_OK : aci_fail_nomem(err);
    if (status >= 0)
        status = aci_transact(store, false, read_steps, &r, err);
    if (status < 0)
        agentchat_memory_steps_free(r.out);
    else
        *out = r.out;
    return status;
}

size_t agentchat_memory_steps_count(const agentchat_memory_steps *steps)
{
    return steps != NULL ? steps->page.count : 0;
}

const agentchat_memory_step *agentchat_memory_steps_at(const agentchat_memory_steps *steps, size_t index)
{
    const agentchat_memory_step *items = steps != NULL ? steps->page.items : NULL;

    return index < agentchat_memory_steps_count(steps) ? &items[index] : NULL;
}

void agentchat_memory_steps_free(agentchat_memory_steps *steps)
{
    if (steps != NULL)
        aci_result_page_free(&steps->page, sizeof *steps);
}
