/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 and WTF-8 (UTF-8 that may hold lone surrogates as three bytes ED A0..BF xx). */
#ifndef ACI_BASE_UTF8_H
#define ACI_BASE_UTF8_H

#include "base/shared.h"
#include <agentchat/base.h>

/* Bytes of the valid character that begins at p (1 to 4), 0 when there is none. wtf8: surrogates are valid. */
ACI_SHARED size_t aci_utf8_char(const unsigned char *p, const unsigned char *end, bool wtf8);
/* The same, decoded into *out. */
ACI_SHARED size_t aci_utf8_decode(const unsigned char *p, const unsigned char *end, bool wtf8, uint32_t *out);
/* Writes a code point (surrogates as WTF-8) and returns its length, 1 to 4. */
ACI_SHARED size_t aci_utf8_encode(uint32_t code_point, char out[4]);
/* Number of leading bytes that are valid; len when all are. Fast for ASCII. */
size_t aci_utf8_valid_prefix(const char *text, size_t len, bool wtf8);
ACI_SHARED bool aci_utf8_is_valid(agentchat_str text, bool wtf8);
ACI_SHARED bool aci_utf8_has_surrogates(agentchat_str wtf8); /* whether valid WTF-8 is no UTF-8 */
/* ASCII case-insensitive comparison. */
ACI_SHARED bool aci_utf8_equal_ignore_case(agentchat_str a, agentchat_str b);
/* Whether the text is empty or whitespace-only, as .NET's string.IsNullOrWhiteSpace defines it (Unicode
   White_Space). */
bool aci_utf8_is_whitespace(agentchat_str text);

#endif
