/* SPDX-License-Identifier: Apache-2.0 */
/* Spelling of text inside JSON strings; aci_json_plain_prefix() in writer.h is its other half. */
#ifndef ACI_JSON_ESCAPE_H
#define ACI_JSON_ESCAPE_H

#include "json/writer.h"

enum {
    ACI_JSON_LONGEST_ESCAPE = 12, /* a pair of surrogates */
    ACI_JSON_SPELL_ROOM = 256     /* for all the escapes of a block of 32 bytes, and the full blocks that are stored */
};

/* Spells text from *text up to `end` or the end of the room into out, and moves *text past what was spelled. Returns
   the number of bytes written; 0 when *text stands on bytes that are no character. cap >= ACI_JSON_SPELL_ROOM. */
size_t aci_json_spell(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap);

#endif
