/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of bodies. */
#include "thread/body_row.h"

#include "base/error.h"
#include "thread/bodies.h"
#include <string.h>

static void begin_sum(aci_row_sum *sum, int64_t num, int64_t no, agentchat_str digest)
{
    aci_row_sum_begin(sum);
    aci_row_sum_integer(sum, num);
    aci_row_sum_integer(sum, no);
    aci_row_sum_text(sum, digest);
}

agentchat_status aci_body_row_sum(int64_t num, int64_t no, agentchat_str digest, int64_t *out, agentchat_error *err)
{
    aci_row_sum sum;

    begin_sum(&sum, num, no, digest);
    return aci_row_sum_end(&sum, out, err);
}

agentchat_status aci_body_row_check_sum(int64_t num, int64_t no, agentchat_str digest, const aci_sql_value *columns,
                                        size_t count, size_t index, agentchat_error *err)
{
    int64_t stored = 0;
    aci_row_sum sum;
    agentchat_status status = aci_transact_column_integer(columns, count, index, &stored, err);

    if (status < 0)
        return status;
    begin_sum(&sum, num, no, digest);
    status = aci_row_sum_check(&sum, stored, "body", err);
    if (status >= 0 && (no <= 0 || no > ACI_THREAD_HIGHEST))
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored body has a number that none has");
    return status;
}

agentchat_status aci_body_row_read(aci_body_row *row, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    agentchat_status status;

    *row = (aci_body_row){.no = 0};
    status = aci_transact_column_integer(columns, count, 0, &row->no, err);
    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 1, &row->digest, err);
    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 2, &row->bytes, err);
    row->length = (int64_t)row->bytes.len;
    return status;
}

agentchat_status aci_body_row_check(const aci_body_row *row, int64_t num, const aci_sql_value *columns, size_t count,
                                    agentchat_error *err)
{
    unsigned char computed[ACI_DIGEST_SIZE];
    agentchat_status status = aci_body_row_check_sum(num, row->no, row->digest, columns, count, 3, err);

    if (status < 0)
        return status;
    if (!aci_sha256_of(row->bytes.ptr, row->bytes.len, computed))
        return aci_fail_nomem(err);
    if (row->digest.len == sizeof computed && memcmp(row->digest.ptr, computed, sizeof computed) == 0)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "body %lld of a thread is damaged: its bytes have another digest",
                    (long long)row->no);
}
