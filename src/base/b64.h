/* SPDX-License-Identifier: Apache-2.0 */
/* Strict base64 (RFC 4648 section 4, canonical: padded, unused bits zero) over libb64. */
#ifndef ACI_BASE_B64_H
#define ACI_BASE_B64_H

#include "base/shared.h"
#include <agentchat/base.h>

/* Number of leading bytes of the standard alphabet (no padding). Vectorised; the heart of reading images. */
size_t aci_b64_alphabet_prefix(const char *text, size_t len);
/* Whether text is canonical; else *bad is the index of the first wrong byte (len when it is too short). */
bool aci_b64_check(agentchat_str text, size_t *bad);
/* Bytes that canonical text decodes to. */
size_t aci_b64_decoded_size(agentchat_str text);
/* Decodes canonical text; out must have room for aci_b64_decoded_size() + 1 bytes (libb64 needs one more). */
void aci_b64_decode(agentchat_str text, char *out);
ACI_SHARED size_t aci_b64_encoded_size(size_t len); /* without NUL; SIZE_MAX when it would wrap */
/* Encodes; out must have room for aci_b64_encoded_size() bytes. No line breaks, no NUL. */
ACI_SHARED void aci_b64_encode(const void *bytes, size_t len, char *out);

#endif
