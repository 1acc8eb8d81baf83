/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of bodies (bodies.h). */
#ifndef ACI_THREAD_BODY_ROW_H
#define ACI_THREAD_BODY_ROW_H

#include "thread/rows.h"

typedef struct aci_body_row {
    int64_t no, length;
    agentchat_str digest, bytes;
} aci_body_row;

/* The checksum of a body, which binds its digest to its number. E_NOMEM. */
agentchat_status aci_body_row_sum(int64_t num, int64_t no, agentchat_str digest, int64_t *out, agentchat_error *err);
/* Compares it with column `index`: E_CORRUPT. */
agentchat_status aci_body_row_check_sum(int64_t num, int64_t no, agentchat_str digest, const aci_sql_value *columns,
                                        size_t count, size_t index, agentchat_error *err);
/* The row that the columns number, digest, bytes and checksum hold, unchecked; its texts live as long as these. */
agentchat_status aci_body_row_read(aci_body_row *row, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* E_CORRUPT unless the checksum of such a row is right and its bytes have its digest. */
agentchat_status aci_body_row_check(const aci_body_row *row, int64_t num, const aci_sql_value *columns, size_t count,
                                    agentchat_error *err);

#endif
