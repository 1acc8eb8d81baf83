/* SPDX-License-Identifier: Apache-2.0 */
/* Getting a checkpoint. */
#include "thread/get.h"

#include "base/error.h"
#include "thread/load.h"
#include <inttypes.h>
#include <string.h>

/* ---- finding it ------------------------------------------------------------------------------------------------- */

agentchat_status aci_get_begin(aci_get *get, agentchat_store *store, const char *thread,
                               const agentchat_checkpoint_options *options, agentchat_error *err)
{
    agentchat_checkpoint_options loaded;
    agentchat_status status;

    memset(get, 0, sizeof *get);
    if (store == NULL)
        return aci_fail_null(err, "store");
    get->store = store;
    status = aci_env_options_load(&loaded, sizeof loaded, options, err);
    if (status >= 0)
        status = aci_rows_check_thread(thread, &get->thread, err);
    if (status >= 0)
        status = aci_rows_check_namespace(loaded.ns, &get->ns, err);
    if (status >= 0)
        status = aci_rows_check_optional(loaded.id, "checkpoint", &get->id, err);
    if (status < 0)
        return status;
    get->found.arena = aci_arena_new(store->env, 0);
    return get->found.arena != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_get_clear(aci_get *get)
{
    aci_arena_unref(get->found.arena);
}

static agentchat_status load_lines(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_get *get = user;
    agentchat_status status = aci_rows_load_number(&get->first_line, columns, count, err);

    return status < 0 ? status : aci_rows_load_number(&get->last_line, columns + 1, count - 1, err);
}

static void ask(const aci_get *get, aci_tx *tx, aci_thread_statement which, aci_sql_row_fn row, void *user)
{
    aci_thread_statement_add(tx, which, row, user);
    aci_transact_text(tx, get->thread);
    aci_transact_text(tx, get->ns);
}

void aci_get_ask(aci_get *get, aci_tx *tx)
{
    get->found.found = get->held.found = get->line_newest.found = false;
    get->held.arena = get->line_newest.arena = get->found.arena;
    if (get->line != 0) {
        ask(get, tx, ACI_CHECKPOINT_LINE_NEWEST, aci_rows_load_checkpoint, &get->found);
        aci_transact_integer(tx, get->line);
    } else if (get->id.ptr != NULL) {
        ask(get, tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &get->found);
        aci_transact_text(tx, get->id);
    } else {
        ask(get, tx, ACI_CHECKPOINT_NEWEST, aci_rows_load_checkpoint, &get->found);
    }
    if (get->memory != NULL) {
        ask(get, tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &get->held);
        aci_transact_text(tx, get->memory->id);
    }
    if (!get->about_lines)
        return;
    ask(get, tx, ACI_CHECKPOINT_LINES, load_lines, get);
    if (get->id.ptr != NULL) {
        ask(get, tx, ACI_CHECKPOINT_LINE_NEWEST_OF, aci_rows_load_checkpoint, &get->line_newest);
        aci_transact_text(tx, get->id);
    }
}

agentchat_status aci_get_find(aci_get *get, aci_tx *tx, bool ends, agentchat_error *err)
{
    agentchat_status status = aci_transact_run(tx, ends, err);
    aci_excerpt excerpt;

    if (status >= 0 && !get->found.found && get->line != 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "thread %s has no line %" PRId64 " (any more)",
                        aci_error_excerpt(get->thread, &excerpt), get->line);
    if (status >= 0 && !get->found.found)
        status = aci_rows_fail_no_checkpoint(get->thread, get->ns, get->id, err);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

struct agentchat_checkpoint {
    const agentchat_env *env;
    aci_arena *arena; /* of what is known of it */
    agentchat_checkpoint_info info;
    agentchat_snapshot *snapshot;
};

static agentchat_status get_work(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_get *get = user;
    bool is_held;
    agentchat_status status;

    agentchat_snapshot_unref(get->snapshot); /* of an attempt that failed */
    get->snapshot = NULL;
    aci_get_ask(get, tx);
    status = aci_get_find(get, tx, false, err);
    is_held = get->held.found && aci_thread_memory_fits(get->memory, &get->held.row);
    return status < 0 ? status
                      : aci_load_chat(tx, &get->found.row, is_held ? &get->held.row : NULL,
                                      is_held ? get->memory->snapshot : NULL, &get->snapshot, err);
}

agentchat_status aci_get_run(aci_get *get, agentchat_error *err)
{
    agentchat_status status = aci_transact(get->store, false, get_work, get, err);

    if (status < 0) {
        agentchat_snapshot_unref(get->snapshot);
        get->snapshot = NULL;
    }
    return aci_rows_name_damage(status, get->thread, get->ns, get->id, err);
}

static agentchat_status give(aci_get *get, agentchat_checkpoint **out, agentchat_error *err)
{
    agentchat_checkpoint *checkpoint = aci_alloc_zero(get->store->env, sizeof *checkpoint);

    if (checkpoint == NULL || !aci_rows_checkpoint_info(&get->found.row, get->found.arena, &checkpoint->info)) {
        aci_free(get->store->env, checkpoint, sizeof *checkpoint);
        agentchat_snapshot_unref(get->snapshot);
        return aci_fail_nomem(err);
    }
    checkpoint->env = get->store->env;
    checkpoint->arena = aci_arena_ref(get->found.arena);
    checkpoint->snapshot = get->snapshot;
    *out = checkpoint;
    return AGENTCHAT_OK;
}

void agentchat_checkpoint_options_init(agentchat_checkpoint_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_checkpoint_get(agentchat_store *store, const char *thread,
                                          const agentchat_checkpoint_options *options, agentchat_checkpoint **out,
                                          agentchat_error *err)
{
    aci_get get;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = aci_get_begin(&get, store, thread, options, err);
    if (status >= 0)
        status = aci_get_run(&get, err);
    if (status >= 0)
        status = give(&get, out, err);
    aci_get_clear(&get);
    return status;
}

const agentchat_checkpoint_info *agentchat_checkpoint_get_info(const agentchat_checkpoint *checkpoint)
{
    return checkpoint != NULL ? &checkpoint->info : NULL;
}

const agentchat_snapshot *agentchat_checkpoint_snapshot(const agentchat_checkpoint *checkpoint)
{
    return checkpoint != NULL ? checkpoint->snapshot : NULL;
}

void agentchat_checkpoint_free(agentchat_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    agentchat_snapshot_unref(checkpoint->snapshot);
    aci_arena_unref(checkpoint->arena);
    aci_free(checkpoint->env, checkpoint, sizeof *checkpoint);
}
