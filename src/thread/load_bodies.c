/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the bodies that are needed, each once. */
#include "thread/loading.h"

#include "base/error.h"
#include "thread/bodies.h"
#include <string.h>

bool aci_loading_begin(aci_loading *l, aci_tx *tx, const agentchat_env *env, int64_t num)
{
    *l = (aci_loading){.tx = tx, .env = env, .num = num, .arena = aci_arena_new(env, 0)};
    aci_list_init(&l->made, l->env);
    return l->arena != NULL && aci_large_data_begin(&l->large, l->env, l->arena);
}

void aci_loading_end(aci_loading *l)
{
    aci_numbers_clear(&l->set, l->env);
    aci_numbers_clear(&l->messages, l->env);
    aci_large_data_clear(&l->large);
    aci_list_clear(&l->made);
    aci_arena_unref(l->arena);
}

agentchat_status aci_loading_fail_missing(int64_t no, agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "body %lld of a thread is missing", (long long)no);
}

/* Counts bytes against the environment's limit. */
static agentchat_status count_bytes(aci_loading *l, size_t bytes, agentchat_error *err)
{
    l->bytes += bytes;
    if (l->bytes > l->env->limits.max_bytes)
        return aci_fail(err, AGENTCHAT_E_LIMIT, "the checkpoint has more than %llu bytes",
                        (unsigned long long)l->env->limits.max_bytes);
    return AGENTCHAT_OK;
}

static agentchat_status load_body(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_loading *l = user;
    aci_body_row row;
    size_t at;
    bool ok = true;
    agentchat_status status = aci_body_row_read(&row, columns, count, err);

    if (status < 0)
        return status;
    at = aci_numbers_find(&l->set, row.no);
    if (at == l->set.count || l->bodies[at].bytes.ptr != NULL) /* a row between those that were asked for */
        return AGENTCHAT_OK;
    status = aci_body_row_check(&row, l->num, columns, count, err);
    if (status >= 0)
        status = count_bytes(l, row.bytes.len, err);
    if (status < 0)
        return status;
    l->bodies[at].bytes = aci_arena_copy(l->arena, row.bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_loading_find(const aci_loading *l, int64_t no, agentchat_str *out, agentchat_error *err)
{
    size_t at = aci_numbers_find(&l->set, no);

    if (at == l->set.count || l->bodies[at].bytes.ptr == NULL)
        return aci_loading_fail_missing(no, err);
    *out = l->bodies[at].bytes;
    return AGENTCHAT_OK;
}

/* Takes what was read ahead; *missing: the numbers of the others. */
static agentchat_status take_ahead(aci_loading *l, aci_number_set *missing, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t left = l->ahead_count;

    for (size_t i = 0; i < l->set.count && status >= 0; i++) {
        int64_t no = l->set.list[i];

        while (left > 0 && l->ahead[left - 1].no < no)
            left--;
        if (left > 0 && l->ahead[left - 1].no == no) {
            l->bodies[i].bytes = l->ahead[left - 1].bytes;
            status = count_bytes(l, l->bodies[i].bytes.len, err);
        } else if (!aci_numbers_add(missing, l->env, &no, 1)) {
            status = aci_fail_nomem(err);
        }
    }
    return status;
}

agentchat_status aci_loading_bodies(aci_loading *l, agentchat_error *err)
{
    aci_number_set missing = {NULL, 0, 0};
    agentchat_status status;

    aci_numbers_sort(&l->set);
    aci_numbers_sort(&l->messages);
    if (l->set.count == 0)
        return AGENTCHAT_OK;
    l->bodies = aci_arena_alloc(l->arena, l->set.count * sizeof *l->bodies);
    if (l->bodies == NULL)
        return aci_fail_nomem(err);
    memset(l->bodies, 0, l->set.count * sizeof *l->bodies);
    status = take_ahead(l, &missing, err);
    l->lacks = l->tx == NULL && missing.count > 0;
    if (status >= 0 && missing.count > 0 && !l->lacks) {
        aci_numbers_ask(&missing, l->tx, l->num, ACI_BODY_ROWS, load_body, l);
        status = aci_transact_run(l->tx, false, err);
    }
    aci_numbers_clear(&missing, l->env);
    return status;
}
