/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of sessions, by which damage and what is missing are noticed. */
#include "session/sums.h"

#include "base/error.h"
#include "store/core/row_sum.h"
#include <inttypes.h>

/* ---- rows ----------------------------------------------------------------------------------------------------- */

agentchat_status aci_sums_of_session(const aci_session_name *name, const aci_session_row *row, int64_t *out,
                                     agentchat_error *err)
{
    const int64_t numbers[] = {row->num,        row->seq,  row->rewinds, row->created_us,
                               row->updated_us, row->last, row->keys};
    aci_row_sum sum;

    aci_row_sum_begin(&sum);
    aci_row_sum_text(&sum, name->app);
    aci_row_sum_text(&sum, name->user);
    aci_row_sum_text(&sum, name->id);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        aci_row_sum_integer(&sum, numbers[i]);
    return aci_row_sum_end(&sum, out, err);
}

agentchat_status aci_sums_of_scope(const aci_scope_row *row, int64_t *out, agentchat_error *err)
{
    aci_row_sum sum;

    aci_row_sum_begin(&sum);
    aci_row_sum_text(&sum, row->app);
    aci_row_sum_text(&sum, row->user);
    aci_row_sum_integer(&sum, row->revision);
    aci_row_sum_integer(&sum, row->keys);
    return aci_row_sum_end(&sum, out, err);
}

agentchat_status aci_sums_of_event(const aci_event_row *row, int64_t *out, agentchat_error *err)
{
    aci_row_sum sum;

    aci_row_sum_begin(&sum);
    aci_row_sum_integer(&sum, row->seq);
    aci_row_sum_text(&sum, row->id);
    aci_row_sum_integer(&sum, row->time_ns);
    aci_row_sum_text(&sum, row->json);
    aci_row_sum_text(&sum, row->effect);
    aci_row_sum_integer(&sum, row->sums.is_linked);
    aci_row_sum_integer(&sum, row->sums.previous);
    return aci_row_sum_end(&sum, out, err);
}

static bool is_there(const aci_sql_value *columns, size_t count, size_t index)
{
    return index < count && columns[index].type != ACI_SQL_NULL;
}

/* So many columns of sums: all of them, or *are_there is false and none of them. */
static agentchat_status read_all(const aci_sql_value *columns, size_t count, size_t first, int64_t *const *out,
                                 size_t wanted, bool *are_there, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t found = 0;

    for (size_t i = 0; i < wanted; i++)
        found += is_there(columns, count, first + i);
    *are_there = found > 0;
    for (size_t i = 0; i < wanted && status >= 0 && found > 0; i++)
        status = aci_transact_column_integer(columns, count, first + i, out[i], err);
    return status;
}

static agentchat_status compare(int64_t stored, int64_t computed, const char *what, agentchat_error *err)
{
    if (stored == computed)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "%s is damaged: its checksum is not that of its columns", what);
}

agentchat_status aci_sums_read_session(const aci_session_name *name, aci_session_row *row, const aci_sql_value *columns,
                                       size_t count, size_t first, agentchat_error *err)
{
    int64_t stored = 0, computed = 0;
    int64_t *const sums[] = {&row->last, &row->keys, &stored};
    agentchat_status status;

    row->last = row->keys = 0;
    status = read_all(columns, count, first, sums, sizeof sums / sizeof *sums, &row->is_summed, err);
    if (status >= 0 && row->is_summed)
        status = aci_sums_of_session(name, row, &computed, err);
    return status < 0 ? status : compare(stored, computed, "its row", err);
}

agentchat_status aci_sums_read_scope(aci_scope_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err)
{
    int64_t stored = 0, computed = 0;
    int64_t *const sums[] = {&row->keys, &stored};
    agentchat_status status;

    row->keys = 0;
    status = read_all(columns, count, first, sums, sizeof sums / sizeof *sums, &row->is_summed, err);
    if (status >= 0 && row->is_summed)
        status = aci_sums_of_scope(row, &computed, err);
    if (status >= 0)
        status = compare(stored, computed, "the row of its state", err);
    row->is_summed = row->is_summed || row->revision == 0; /* made to be locked: it has had no keys yet */
    return status;
}

agentchat_status aci_sums_read_event(aci_event_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err)
{
    aci_event_sums *sums = &row->sums;
    int64_t *const linked[] = {&sums->previous, &sums->sum};

    *sums = (aci_event_sums){.is_linked = is_there(columns, count, first)};
    return sums->is_linked ? read_all(columns, count, first, linked, 2, &sums->is_summed, err)
                           : read_all(columns, count, first + 1, &linked[1], 1, &sums->is_summed, err);
}

agentchat_status aci_sums_check_event(const aci_event_row *row, agentchat_error *err)
{
    int64_t computed = 0;
    agentchat_status status = row->sums.is_summed ? aci_sums_of_event(row, &computed, err) : AGENTCHAT_OK;

    if (status < 0 || computed == row->sums.sum)
        return status;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "event %" PRId64 " is damaged: its checksum is not that of its columns",
                    row->seq);
}

/* ---- keys ----------------------------------------------------------------------------------------------------- */

agentchat_status aci_sums_toggle_key(int64_t *keys, agentchat_str rest, agentchat_str value, int64_t revision,
                                     agentchat_error *err)
{
    aci_row_sum sum;
    int64_t one = 0;
    agentchat_status status;

    if (value.ptr == NULL)
        return AGENTCHAT_OK;
    aci_row_sum_begin(&sum);
    aci_row_sum_text(&sum, rest);
    aci_row_sum_text(&sum, value);
    aci_row_sum_integer(&sum, revision);
    status = aci_row_sum_end(&sum, &one, err);
    *keys = (int64_t)((uint64_t)*keys ^ (uint64_t)one);
    return status;
}

agentchat_status aci_sums_check_keys(int64_t read, int64_t stored, agentchat_scope scope, agentchat_error *err)
{
    static const char *const whose[] = {
        [AGENTCHAT_SCOPE_SESSION] = "session", [AGENTCHAT_SCOPE_USER] = "user", [AGENTCHAT_SCOPE_APP] = "application"};

    if (read == stored)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT,
                    "the stored state of the %s is damaged: its keys are not those of its checksum", whose[scope]);
}

/* ---- events --------------------------------------------------------------------------------------------------- */

static agentchat_status fail_chain(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored events are not all there, or not where they belong");
}

agentchat_status aci_sums_check_chain(const aci_event_array *events, bool newest_first, const int64_t *before,
                                      const aci_session_row *row, agentchat_error *err)
{
    bool is_known = before != NULL;
    int64_t previous = before != NULL ? *before : 0;
    uint64_t sequence = 0;

    if (!row->is_summed)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < events->count; i++) {
        const agentchat_event *event = events->list[newest_first ? events->count - 1 - i : i];

        if (!event->sums.is_summed || !event->sums.is_linked || event->sequence <= sequence ||
            (is_known && event->sums.previous != previous))
            return fail_chain(err);
        previous = event->sums.sum;
        sequence = event->sequence;
        is_known = true;
    }
    return is_known && previous != row->last ? fail_chain(err) : AGENTCHAT_OK;
}
