/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 over libcrypto. */
#include "base/sha256.h"

#include <openssl/evp.h>
#include <pthread.h>

/* Looking an algorithm up costs as much as digesting a row, so it is done once. NULL: it failed, which begin tries to
   do again. */
static const EVP_MD *algorithm;
static pthread_once_t looked_up = PTHREAD_ONCE_INIT;

static void look_up(void)
{
    algorithm = EVP_MD_fetch(NULL, "SHA256", NULL);
}

bool aci_sha256_begin(aci_sha256 *sha)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();

    sha->context = NULL;
    (void)pthread_once(&looked_up, look_up);
    if (context == NULL)
        return false;
    if (EVP_DigestInit_ex(context, algorithm != NULL ? algorithm : EVP_sha256(), NULL) != 1) {
        EVP_MD_CTX_free(context);
        return false;
    }
    sha->context = context;
    return true;
}

bool aci_sha256_add(aci_sha256 *sha, const void *bytes, size_t len)
{
    if (sha->context == NULL)
        return false;
    return len == 0 || EVP_DigestUpdate(sha->context, bytes, len) == 1;
}

bool aci_sha256_end(aci_sha256 *sha, unsigned char out[32])
{
    bool ok = sha->context != NULL;

    if (ok && out != NULL)
        ok = EVP_DigestFinal_ex(sha->context, out, NULL) == 1;
    EVP_MD_CTX_free(sha->context);
    sha->context = NULL;
    return ok;
}

bool aci_sha256_of(const void *bytes, size_t len, unsigned char out[32])
{
    aci_sha256 sha;
    bool added;

    if (!aci_sha256_begin(&sha))
        return false;
    added = aci_sha256_add(&sha, bytes, len);
    return aci_sha256_end(&sha, out) && added;
}
