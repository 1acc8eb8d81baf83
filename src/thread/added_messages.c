/* SPDX-License-Identifier: Apache-2.0 */
/* The messages that checkpoints add. */
#include "thread/added_messages.h"

#include "base/error.h"
#include "thread/load.h"
#include "thread/numbers.h"

enum {
    GROUP_BYTES = 4 << 20, /* of a group, unless one message has more */
    BYTES_OF_MESSAGE = 64
};

/* ---- messages --------------------------------------------------------------------------------------------------- */

static agentchat_status load_length(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_added_messages *m = user;
    int64_t no = 0, length = 0;
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &no, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &length, err);
    if (status >= 0 && length < 0)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body is shorter than any is");
    for (size_t i = 0; i < m->count && status >= 0; i++)
        if (m->group[i].number == no)
            m->group[i].length = length;
    return status;
}

static agentchat_status read_lengths(aci_added_messages *m, agentchat_error *err)
{
    const aci_added_list *s = m->added;
    aci_number_set set = {NULL, 0, 0};
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < m->count && status >= 0; i++)
        if (!aci_numbers_add(&set, s->env, &m->group[i].number, 1))
            status = aci_fail_nomem(err);
    if (status >= 0) {
        aci_numbers_sort(&set);
        aci_numbers_ask(&set, s->tx, s->num, ACI_BODY_LENGTHS, load_length, m);
        status = aci_transact_run(s->tx, false, err);
    }
    aci_numbers_clear(&set, s->env);
    return status;
}

static agentchat_status search_messages(aci_added_messages *m, const aci_added_message *first, size_t count,
                                        agentchat_error *err)
{
    const aci_added_list *s = m->added;
    int64_t numbers[ACI_ADDED_GROUP] = {0};
    agentchat_messages list;
    aci_list_cursor cursor;
    agentchat_status status;

    for (size_t i = 0; i < count; i++)
        numbers[i] = first[i].number;
    status = aci_load_without_data(s->tx, s->num, numbers, count, &list, err);
    aci_list_cursor_begin(&cursor, &list);
    for (size_t i = 0; i < count && status >= 0 && !*m->stopped; i++)
        status = m->each(m->user, &first[i], aci_list_cursor_at(&cursor, i), err);
    aci_list_clear(&list);
    return status;
}

/* The group, in parts that are not too long. */
agentchat_status aci_added_messages_end(aci_added_messages *m, agentchat_error *err)
{
    size_t done = 0;
    agentchat_status status = m->count > 0 ? read_lengths(m, err) : AGENTCHAT_OK;

    while (done < m->count && status >= 0 && !*m->stopped) {
        size_t count = 0;
        uint64_t sum = 0;

        do
            sum += (uint64_t)m->group[done + count++].length + BYTES_OF_MESSAGE;
        while (done + count < m->count && sum + (uint64_t)m->group[done + count].length <= GROUP_BYTES);
        status = search_messages(m, &m->group[done], count, err);
        done += count;
        *m->bytes = sum < *m->bytes ? *m->bytes - (size_t)sum : 0;
        *m->stopped = *m->stopped || *m->bytes == 0;
    }
    m->count = 0;
    return status;
}

agentchat_status aci_added_messages_of(aci_added_messages *m, const aci_added *one, int64_t before,
                                       agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (int64_t i = one->added_numbers != NULL ? aci_range_length(one->added) : 0;
         i-- > 0 && status >= 0 && !*m->stopped;) {
        int64_t position = one->added.from - one->history.from + i;

        if (one->added_numbers[i] == 0 || position >= before)
            continue;
        m->group[m->count++] = (aci_added_message){one, position, one->added_numbers[i], 0};
        if (m->count == ACI_ADDED_GROUP)
            status = aci_added_messages_end(m, err);
    }
    return status;
}
