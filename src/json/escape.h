/* SPDX-License-Identifier: Apache-2.0 */
/* Spelling of text inside JSON strings; aci_json_plain_prefix() in writer.h is its other half. Layer 1. */
#ifndef ACI_JSON_ESCAPE_H
#define ACI_JSON_ESCAPE_H

#include "json/writer.h"

enum { ACI_JSON_LONGEST_ESCAPE = 12 }; /* a pair of surrogates */

/* Spells the characters at *text that need an escape, up to the first one that needs none or the end of the room, into
   out, and moves *text behind them. Returns the number of bytes written; 0 when *text stands on bytes that are no
   character. cap >= ACI_JSON_LONGEST_ESCAPE. */
size_t aci_json_escape_run(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap);

#endif
