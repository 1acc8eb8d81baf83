/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of rows. */
#include "store/core/sql.h"

#include "base/error.h"

void aci_row_sum_begin(aci_row_sum *sum)
{
    sum->ok = aci_sha256_begin(&sum->sha);
}

static void add(aci_row_sum *sum, const void *bytes, size_t len)
{
    sum->ok = sum->ok && aci_sha256_add(&sum->sha, bytes, len);
}

void aci_row_sum_integer(aci_row_sum *sum, int64_t value)
{
    unsigned char bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)value >> (8 * i));
    add(sum, bytes, sizeof bytes);
}

void aci_row_sum_text(aci_row_sum *sum, agentchat_str text)
{
    aci_row_sum_integer(sum, text.ptr == NULL ? -1 : (int64_t)text.len);
    if (text.len > 0)
        add(sum, text.ptr, text.len);
}

agentchat_status aci_row_sum_end(aci_row_sum *sum, int64_t *out, agentchat_error *err)
{
    unsigned char digest[32] = {0};
    uint64_t value = 0;

    *out = 0;
    if (sum->sha.context == NULL)
        return aci_fail_nomem(err);
    sum->ok = aci_sha256_end(&sum->sha, sum->ok ? digest : NULL) && sum->ok;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)digest[i] << (8 * i);
    *out = (int64_t)value;
    return sum->ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

agentchat_status aci_row_sum_check(aci_row_sum *sum, int64_t stored, const char *what, agentchat_error *err)
{
    int64_t computed;
    agentchat_status status = aci_row_sum_end(sum, &computed, err);

    if (status >= 0 && computed != stored)
        status =
            aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored %s is damaged: its checksum is not that of its columns", what);
    return status;
}
