/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of threads, checkpoints and bodies. */
#include "thread/thread.h"

#include "base/error.h"
#include "state/state.h"
#include "thread/thread_internal.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ==== rows of threads and checkpoints ============================================================================ */

/* Stored data is checked like any other input. */

/* ---- threads -------------------------------------------------------------------------------------------------- */

/* The index of threads by time has hours, so that few puts have to write to it. */
static int64_t hour_of(int64_t time_us)
{
    const int64_t hour_us = INT64_C(3600000000);

    return time_us / hour_us - (time_us % hour_us < 0);
}

bool aci_rows_is_name(agentchat_str text)
{
    return aci_label_check(text, "name", NULL) >= 0;
}

agentchat_status aci_rows_read_thread(aci_thread_row *row, const aci_sql_value *columns, size_t count,
                                      agentchat_error *err)
{
    agentchat_status status = aci_table_read(&aci_thread_table, 0, columns, count, row, err);

    if (status >= 0 &&
        (row->seq < 0 || row->segments < 0 || row->bodies < 0 || row->replaced < 0 || row->seq > ACI_THREAD_HIGHEST ||
         row->segments > ACI_THREAD_HIGHEST || row->bodies > ACI_THREAD_HIGHEST || row->messages < 0 ||
         row->indexed < ACI_INDEXED_NOT || row->indexed > ACI_INDEXED_LEAVING || row->bytes < 0 ||
         row->bytes > ACI_THREAD_HIGHEST || row->hour != hour_of(row->updated_us) || !aci_rows_is_name(row->id)))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored thread counts further than any does");
    return status;
}

agentchat_status aci_rows_load_thread(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_thread_found *found = user;
    agentchat_status status = aci_rows_read_thread(&found->row, columns, count, err);

    found->row.id = found->id;
    if (status >= 0 && count > aci_thread_table.count + 1)
        status = aci_transact_column_integer(columns, count, aci_thread_table.count + 1, &found->wants_index, err);
    found->found = status >= 0;
    return status;
}

void aci_rows_ask_thread(aci_tx *tx, aci_thread_statement which, agentchat_str id, aci_thread_found *found)
{
    *found = (aci_thread_found){.id = id};
    ACI_THREAD_ASK(tx, which, aci_rows_load_thread, found, ACI_TEXT(id));
}

void aci_rows_ask_threads(aci_tx *tx, int64_t after_us, agentchat_str after, int64_t limit, aci_sql_row_fn row,
                          void *user)
{
    aci_thread_statement_add(tx, after.ptr != NULL ? ACI_THREADS_AFTER : ACI_THREADS, row, user);
    if (after.ptr != NULL)
        ACI_BIND(tx, ACI_INT(hour_of(after_us)), ACI_INT(after_us), ACI_TEXT(after));
    aci_transact_integer(tx, limit);
}

static agentchat_status load_next(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_thread_next *next = user;
    agentchat_str id = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &id, err);

    if (status >= 0 && aci_str_compare(id, next->after) <= 0)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored threads are not in their order");
    if (status < 0)
        return status;
    agentchat_error_clear(&next->why);
    next->sound = aci_rows_read_thread(&next->row, columns, count, &next->why);
    next->row.id = next->id = aci_arena_copy(next->arena, id, &ok);
    next->found = ok;
    return ok && next->sound != AGENTCHAT_E_NOMEM ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_rows_next_thread(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_thread_next *next = user;

    next->found = false;
    next->sound = AGENTCHAT_OK;
    ACI_THREAD_ASK(tx, ACI_THREAD_NEXT, load_next, next, ACI_TEXT(next->after));
    return aci_transact_run(tx, false, err);
}

void aci_rows_insert_thread(aci_tx *tx, agentchat_str id, const aci_thread_row *row)
{
    aci_thread_row written = *row;

    written.id = id;
    written.hour = hour_of(row->updated_us);
    aci_thread_statement_add(tx, ACI_THREAD_INSERT, NULL, NULL);
    aci_table_bind(tx, &aci_thread_table, &written);
}

void aci_rows_advance_thread(aci_tx *tx, agentchat_str id, const aci_thread_row *row)
{
    const int64_t numbers[] = {row->seq,     row->segments, row->bodies, row->replaced,
                               row->indexed, row->messages, row->bytes,  row->updated_us};
    aci_thread_row written = *row;

    written.id = id;
    written.hour = hour_of(row->updated_us);
    aci_thread_statement_add(tx, written.hour == row->hour ? ACI_THREAD_ADVANCE : ACI_THREAD_ADVANCE_HOUR, NULL, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        aci_transact_integer(tx, numbers[i]);
    if (written.hour != row->hour)
        aci_transact_integer(tx, written.hour);
    aci_table_bind_sum(tx, &aci_thread_table, &written);
    aci_transact_text(tx, id);
}

/* ---- checkpoints ---------------------------------------------------------------------------------------------- */

/* What no put writes is not from this library, whatever its checksum; others rely on the length of names. */
static bool is_possible(const aci_checkpoint_row *row)
{
    return row->seq > 0 && row->seq <= ACI_THREAD_HIGHEST && row->parent_seq >= 0 && row->messages >= 0 &&
           row->line > 0 && row->line <= row->seq && row->written >= row->seq && row->written <= ACI_THREAD_HIGHEST &&
           (row->ns.len == 0 || aci_rows_is_name(row->ns)) && aci_rows_is_name(row->id) &&
           (row->parent.ptr == NULL || aci_rows_is_name(row->parent)) &&
           (row->source.ptr == NULL || aci_rows_is_name(row->source)) &&
           (row->run.ptr == NULL || aci_rows_is_name(row->run));
}

agentchat_status aci_rows_read_checkpoint(aci_checkpoint_row *row, const aci_sql_value *columns, size_t count,
                                          agentchat_error *err)
{
    agentchat_status status = aci_table_read(&aci_checkpoint_table, 0, columns, count, row, err);

    row->sum = status >= 0 ? columns[aci_checkpoint_table.count].integer : 0;
    if (status >= 0 && !is_possible(row))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored checkpoint has a name or a number that none has");
    return status;
}

agentchat_status aci_rows_load_checkpoint(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_checkpoint_found *found = user;
    agentchat_status status = aci_rows_read_checkpoint(&found->row, columns, count, err);
    bool ok = true;

    if (status < 0)
        return status;
    aci_table_keep(&aci_checkpoint_table, &found->row, found->arena, &ok);
    found->found = ok;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

void aci_rows_insert_checkpoint(aci_tx *tx, const aci_checkpoint_row *row)
{
    aci_thread_statement_add(tx, ACI_CHECKPOINT_INSERT, NULL, NULL);
    aci_table_bind(tx, &aci_checkpoint_table, row);
}

bool aci_rows_checkpoint_info(const aci_checkpoint_row *row, aci_arena *arena, agentchat_checkpoint_info *out)
{
    bool ok = true;

    out->ns = aci_arena_cstr(arena, row->ns, &ok);
    out->id = aci_arena_cstr(arena, row->id, &ok);
    out->parent = aci_arena_cstr(arena, row->parent, &ok);
    out->sequence = (uint64_t)row->seq;
    out->line = (uint64_t)row->line;
    out->step = row->step;
    out->has_step = row->has_step;
    out->source = aci_arena_cstr(arena, row->source, &ok);
    out->run = aci_arena_cstr(arena, row->run, &ok);
    out->time_us = row->time_us;
    out->messages = (uint64_t)row->messages;
    out->metadata = aci_arena_copy(arena, row->meta, &ok);
    return ok;
}

agentchat_status aci_rows_load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    int64_t number = 0;
    agentchat_status status;

    if (count > 0 && columns[0].type == ACI_SQL_NULL)
        return AGENTCHAT_OK;
    status = aci_transact_column_integer(columns, count, 0, &number, err);
    if (status >= 0 && (number < 0 || number > ACI_THREAD_HIGHEST))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body has a number that none has");
    if (status >= 0)
        *(int64_t *)user = number;
    return status;
}

/* ---- names ---------------------------------------------------------------------------------------------------- */

agentchat_status aci_rows_new_number(const agentchat_env *env, int64_t *out, agentchat_error *err)
{
    uint64_t bits = 0;

    if (env->random(env->user, &bits, sizeof bits) != 0)
        return aci_fail(err, AGENTCHAT_E_INTERNAL, "there are no random bytes for a thread's number");
    *out = (int64_t)(bits >> 1);
    return AGENTCHAT_OK;
}

agentchat_status aci_rows_check_thread(const char *thread, agentchat_str *out, agentchat_error *err)
{
    if (thread == NULL)
        return aci_fail_null(err, "thread");
    *out = agentchat_str_from(thread);
    return aci_label_check(*out, "thread", err);
}

agentchat_status aci_rows_check_namespace(const char *ns, agentchat_str *out, agentchat_error *err)
{
    *out = ns != NULL ? agentchat_str_from(ns) : AGENTCHAT_STR("");
    return out->len == 0 ? AGENTCHAT_OK : aci_label_check(*out, "namespace", err);
}

agentchat_status aci_rows_check_optional(const char *name, const char *what, agentchat_str *out, agentchat_error *err)
{
    *out = agentchat_str_from(name);
    return name == NULL ? AGENTCHAT_OK : aci_label_check(*out, what, err);
}

agentchat_status aci_rows_fail_no_thread(agentchat_str thread, agentchat_error *err)
{
    aci_excerpt excerpt;

    return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no thread %s", aci_error_excerpt(thread, &excerpt));
}

agentchat_status aci_rows_fail_no_checkpoint(agentchat_str thread, agentchat_str ns, agentchat_str id,
                                             agentchat_error *err)
{
    aci_excerpt a, b, c;

    if (id.ptr == NULL && ns.len == 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "thread %s has no checkpoint", aci_error_excerpt(thread, &a));
    if (id.ptr == NULL)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "thread %s: namespace %s has no checkpoint",
                        aci_error_excerpt(thread, &a), aci_error_excerpt(ns, &b));
    return aci_fail(err, AGENTCHAT_E_NOTFOUND, "thread %s, namespace %s: there is no checkpoint %s",
                    aci_error_excerpt(thread, &a), ns.len > 0 ? aci_error_excerpt(ns, &b) : "(the usual one)",
                    aci_error_excerpt(id, &c));
}

agentchat_status aci_rows_name_damage(agentchat_status status, agentchat_str thread, agentchat_str ns, agentchat_str id,
                                      agentchat_error *err)
{
    aci_excerpt a, b, c;

    if (status == AGENTCHAT_E_CORRUPT)
        aci_error_prefix(err, "thread %s%s%s, %s%s", aci_error_excerpt(thread, &a), ns.len > 0 ? ", namespace " : "",
                         ns.len > 0 ? aci_error_excerpt(ns, &b) : "",
                         id.ptr != NULL ? "checkpoint " : "the newest checkpoint",
                         id.ptr != NULL ? aci_error_excerpt(id, &c) : "");
    return status;
}

agentchat_status aci_rows_name_thread(agentchat_status status, agentchat_str thread, agentchat_str ns,
                                      agentchat_error *err)
{
    aci_excerpt a, b;

    if (status == AGENTCHAT_E_CORRUPT)
        aci_error_prefix(err, "thread %s%s%s", aci_error_excerpt(thread, &a), ns.len > 0 ? ", namespace " : "",
                         ns.len > 0 ? aci_error_excerpt(ns, &b) : "");
    return status;
}

agentchat_status aci_rows_name_before(agentchat_status status, int64_t seq, agentchat_error *err)
{
    if (status == AGENTCHAT_E_CORRUPT && seq == INT64_MAX)
        aci_error_prefix(err, "the newest checkpoint");
    else if (status == AGENTCHAT_E_CORRUPT)
        aci_error_prefix(err, "the checkpoint before number %" PRId64, seq);
    return status;
}

agentchat_status aci_rows_name_after(agentchat_status status, int64_t seq, agentchat_error *err)
{
    if (status == AGENTCHAT_E_CORRUPT && seq == INT64_MIN)
        aci_error_prefix(err, "the first checkpoint");
    else if (status == AGENTCHAT_E_CORRUPT)
        aci_error_prefix(err, "the checkpoint after number %" PRId64, seq);
    return status;
}

/* ==== rows of bodies ============================================================================================= */

agentchat_status aci_body_row_read(aci_body_row *row, int64_t num, const aci_sql_value *columns, size_t count,
                                   agentchat_error *err)
{
    const aci_sql_value *more;
    agentchat_status status;

    *row = (aci_body_row){.num = num};
    status = aci_table_read(&aci_body_table, 0, columns, count, row, err);
    if (status < 0)
        return status;
    if (row->no <= 0 || row->no > ACI_THREAD_HIGHEST)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body has a number that none has");
    if (count <= aci_body_table.count + 1)
        return AGENTCHAT_OK;
    more = &columns[aci_body_table.count + 1];
    row->bytes = more->type == ACI_SQL_BYTES ? more->text : row->bytes;
    row->length = more->type == ACI_SQL_BYTES ? (int64_t)more->text.len : more->integer;
    if ((more->type != ACI_SQL_BYTES && more->type != ACI_SQL_INTEGER) || row->length < 0 || row->length > UINT32_MAX)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body is longer than any is, or of another type");
    return AGENTCHAT_OK;
}

agentchat_status aci_body_row_verify(aci_body_row *row, int64_t num, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err)
{
    unsigned char computed[ACI_DIGEST_SIZE];
    agentchat_status status = aci_body_row_read(row, num, columns, count, err);

    if (status < 0)
        return status;
    if (!aci_sha256_of(row->bytes.ptr, row->bytes.len, computed))
        return aci_fail_nomem(err);
    if (row->digest.len == sizeof computed && memcmp(row->digest.ptr, computed, sizeof computed) == 0)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "body %lld of a thread is damaged: its bytes have another digest",
                    (long long)row->no);
}

void aci_body_row_insert(aci_tx *tx, const aci_body_row *row)
{
    ACI_THREAD_ASK(tx, ACI_BODY_INSERT, NULL, NULL, ACI_INT(row->num),
                   ACI_BYTES(row->bytes.len > 0 ? row->bytes : AGENTCHAT_STR("")));
    aci_table_bind(tx, &aci_body_table, row);
}

/* ==== going through the namespaces of a thread =================================================================== */

typedef struct namespaces_next {
    aci_arena *arena;
    agentchat_str before, ns;
    bool found;
} namespaces_next;

static agentchat_status load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    namespaces_next *n = user;
    agentchat_str ns = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &ns, err);

    if (status >= 0 && (!aci_rows_is_name(ns) || aci_str_compare(ns, n->before) <= 0))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "the namespaces of a thread are not in their order");
    if (status < 0)
        return status;
    n->found = true;
    n->ns = aci_arena_copy(n->arena, ns, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_namespaces_next(aci_tx *tx, int64_t num, aci_arena *arena, agentchat_str *ns, bool *found,
                                     agentchat_error *err)
{
    namespaces_next n = {.arena = arena, .before = *ns, .ns = *ns};
    agentchat_status status;

    ACI_THREAD_ASK(tx, ACI_NAMESPACE_NEXT, load, &n, ACI_INT(num), ACI_TEXT(n.before));
    status = aci_transact_run(tx, false, err);
    *ns = n.ns;
    *found = n.found;
    return status;
}

/* ==== what a live chat remembers of its thread, and what became of a put whose answer was lost =================== */

agentchat_status aci_thread_memory_fail_gone(agentchat_str thread, bool is_other, agentchat_error *err)
{
    aci_excerpt excerpt;

    return aci_fail(
        err, AGENTCHAT_E_NOTFOUND,
        "thread %s, which the chat remembers, was deleted%s; agentchat_thread_detach() lets the chat begin a"
        " thread",
        aci_error_excerpt(thread, &excerpt), is_other ? ", and there is another one of its name" : "");
}

/* Each line is a chain, and so the next checkpoint after the remembered one shows whether there was another between
   them. A look without the lock that finds none decides nothing: the put may be on its way. */
agentchat_status aci_thread_memory_decide_lost(const aci_lost *lost, const aci_checkpoint_row *row,
                                               const aci_memory *base, const aci_checkpoint_row *next, bool locked,
                                               aci_found_lost *out, agentchat_error *err)
{
    aci_excerpt excerpt;

    *out = (aci_found_lost){.outcome = locked ? ACI_LOST_NOT_PUT : ACI_LOST_UNKNOWN};
    if (row != NULL) { /* a put's number is that of its writing */
        out->outcome = ACI_LOST_PUT;
        out->memory =
            (aci_memory){lost->snapshot, agentchat_str_from(lost->id), row->num, row->seq, row->seq, row->line};
        return AGENTCHAT_OK;
    }
    if (lost->branch || next == NULL)
        return AGENTCHAT_OK;
    out->outcome = ACI_LOST_NOT_PUT;
    if (base != NULL ? agentchat_str_equal(next->parent, base->id) : next->parent.ptr == NULL)
        return AGENTCHAT_OK;
    out->outcome = ACI_LOST_UNKNOWN;
    return aci_fail(err, AGENTCHAT_E_CONFLICT,
                    "whether checkpoint %s was put is not known: its answer was lost, and others have deleted what came"
                    " next; save the chat with branch",
                    aci_error_excerpt(agentchat_str_from(lost->id), &excerpt));
}
