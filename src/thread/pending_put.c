/* SPDX-License-Identifier: Apache-2.0 */
/* Keeping pending writes with a checkpoint. */
#include "thread/pending.h"

#include "base/error.h"
#include "base/ids.h"
#include "state/state.h"
#include "json/value.h"

typedef struct writing {
    agentchat_str thread, ns, checkpoint;
    const agentchat_pending_write *writes;
    size_t count;
} writing;

static bool is_json(const agentchat_pending_write *write)
{
    return write->media_type.ptr == NULL || agentchat_str_is_null(write->media_type);
}

/* ---- the transaction ------------------------------------------------------------------------------------------- */

static agentchat_status lock_thread(aci_tx *tx, aci_thread_found *found, agentchat_error *err)
{
    aci_thread_statement_add(tx, ACI_THREAD_LOCK, aci_rows_load_thread, found);
    aci_transact_text(tx, found->id);
    return aci_transact_run(tx, false, err);
}

/* Locks the thread, which is made if there is none; somebody else may make it at the same moment. */
static agentchat_status find_thread(aci_tx *tx, aci_thread_found *found, agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    aci_thread_row row = {.created_us = aci_now_us(env)};
    agentchat_status status = lock_thread(tx, found, err);

    if (status < 0 || found->found)
        return status;
    row.updated_us = row.created_us;
    status = aci_rows_new_number(env, &row.num, err);
    if (status >= 0)
        status = aci_rows_insert_thread(tx, found->id, &row, err);
    if (status >= 0)
        status = lock_thread(tx, found, err);
    if (status >= 0 && !found->found)
        status = aci_fail(err, AGENTCHAT_E_INTERNAL, "a thread that was made cannot be found");
    return status;
}

static agentchat_status write_work(aci_tx *tx, void *user, agentchat_error *err)
{
    const writing *w = user;
    aci_thread_found thread = {.id = w->thread};
    agentchat_status status = find_thread(tx, &thread, err);

    for (size_t i = 0; i < w->count && status >= 0; i++) {
        const agentchat_pending_write *write = &w->writes[i];
        aci_pending_row row = {.num = thread.row.num,
                               .index = write->index,
                               .ns = w->ns,
                               .checkpoint = w->checkpoint,
                               .path = agentchat_str_from(write->path),
                               .task = agentchat_str_from(write->task),
                               .channel = agentchat_str_from(write->channel),
                               .media = write->media_type,
                               .value = write->value};

        if (is_json(write))
            row.media = (agentchat_str){NULL, 0};
        status = aci_pending_put_row(tx, &row, err);
    }
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* ---- what was given -------------------------------------------------------------------------------------------- */

static agentchat_status check_name(const char *name, const char *what, agentchat_error *err)
{
    return name != NULL ? aci_label_check(agentchat_str_from(name), what, err) : aci_fail_null(err, what);
}

static agentchat_status check_value(const agentchat_env *env, const agentchat_pending_write *write,
                                    agentchat_error *err)
{
    agentchat_str span;
    agentchat_status status;
    agentchat_error why;

    if (write->value.ptr == NULL && write->value.len > 0)
        return aci_fail_null(err, "value");
    if (!is_json(write))
        return aci_label_check(write->media_type, "media type", err);
    agentchat_error_clear(&why);
    status = aci_json_check(env, write->value, env->limits.max_depth, &span, NULL, &why);
    if (status == AGENTCHAT_E_NOMEM || status == AGENTCHAT_E_LIMIT)
        return aci_fail(err, status, "%s", why.message);
    if (status < 0)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a pending write without a media type must be JSON: %s", why.message);
    return AGENTCHAT_OK;
}

static agentchat_status check_write(const agentchat_env *env, const agentchat_pending_write *write,
                                    agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (write->path == NULL)
        return aci_fail_null(err, "path");
    if (write->path[0] != '\0')
        status = check_name(write->path, "path", err);
    if (status >= 0)
        status = check_name(write->task, "task", err);
    if (status >= 0)
        status = check_name(write->channel, "channel", err);
    return status < 0 ? status : check_value(env, write, err);
}

static agentchat_status check_all(writing *w, const agentchat_env *env, const char *thread,
                                  const agentchat_checkpoint_options *options, agentchat_error *err)
{
    agentchat_checkpoint_options loaded;
    agentchat_status status = aci_env_options_load(&loaded, sizeof loaded, options, err);

    if (status >= 0)
        status = aci_rows_check_thread(thread, &w->thread, err);
    if (status >= 0)
        status = aci_rows_check_namespace(loaded.ns, &w->ns, err);
    if (status >= 0 && loaded.id == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the id of the checkpoint is needed that the writes belong to");
    if (status >= 0)
        status = aci_rows_check_optional(loaded.id, "checkpoint", &w->checkpoint, err);
    if (status < 0 || w->count == 0)
        return status;
    if (w->writes == NULL)
        return aci_fail_null(err, "writes");
    for (size_t i = 0; i < w->count && status >= 0; i++)
        status = check_write(env, &w->writes[i], err);
    return status;
}

agentchat_status agentchat_checkpoint_put_writes(agentchat_store *store, const char *thread,
                                                 const agentchat_checkpoint_options *options,
                                                 const agentchat_pending_write *writes, size_t count,
                                                 agentchat_error *err)
{
    writing w = {.writes = writes, .count = count};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    status = check_all(&w, store->env, thread, options, err);
    return status < 0 || count == 0 ? status : aci_transact(store, true, write_work, &w, err);
}
