/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of rows: the first eight bytes of a SHA-256 over the columns, each with its length. */
#ifndef ACI_STORE_CORE_ROW_SUM_H
#define ACI_STORE_CORE_ROW_SUM_H

#include "base/sha256.h"
#include <agentchat/base.h>

typedef struct aci_row_sum {
    aci_sha256 sha;
    bool ok;
} aci_row_sum;
void aci_row_sum_begin(aci_row_sum *sum);
void aci_row_sum_integer(aci_row_sum *sum, int64_t value);
void aci_row_sum_text(aci_row_sum *sum, agentchat_str text); /* absent is not empty */
/* *out: the checksum. E_NOMEM. */
agentchat_status aci_row_sum_end(aci_row_sum *sum, int64_t *out, agentchat_error *err);
/* Ends a checksum and compares it with the stored one: E_CORRUPT, which names `what`. */
agentchat_status aci_row_sum_check(aci_row_sum *sum, int64_t stored, const char *what, agentchat_error *err);

#endif
