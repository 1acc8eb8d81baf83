/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 over libcrypto. Layer 0; the only header through which digests are made. */
#ifndef ACI_BASE_DIGEST_H
#define ACI_BASE_DIGEST_H

#include <agentchat/base.h>

typedef struct aci_sha256 {
    void *context; /* EVP_MD_CTX */
} aci_sha256;

bool aci_sha256_begin(aci_sha256 *sha); /* false: out of memory */
bool aci_sha256_add(aci_sha256 *sha, const void *bytes, size_t len);
/* Ends and releases; out may be NULL to release only. */
bool aci_sha256_end(aci_sha256 *sha, unsigned char out[32]);
bool aci_sha256_of(const void *bytes, size_t len, unsigned char out[32]);

#endif
