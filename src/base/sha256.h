/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 over libcrypto. The only header through which digests are made. */
#ifndef ACI_BASE_SHA256_H
#define ACI_BASE_SHA256_H

#include "base/shared.h"
#include <agentchat/base.h>

typedef struct aci_sha256 {
    void *context; /* EVP_MD_CTX */
} aci_sha256;

ACI_SHARED bool aci_sha256_begin(aci_sha256 *sha); /* false: out of memory */
ACI_SHARED bool aci_sha256_add(aci_sha256 *sha, const void *bytes, size_t len);
/* Ends and releases; out may be NULL to release only. */
ACI_SHARED bool aci_sha256_end(aci_sha256 *sha, unsigned char out[32]);
ACI_SHARED bool aci_sha256_of(const void *bytes, size_t len, unsigned char out[32]);

#endif
