/* SPDX-License-Identifier: Apache-2.0 */
/* Which formats a document may be in, by what their probes say, and reading it. */
#ifndef ACI_FORMAT_DETECT_H
#define ACI_FORMAT_DETECT_H

#include "format/kit/format.h"

enum { ACI_MOST_CANDIDATES = 16 };
typedef struct aci_candidates {
    const aci_format *list[ACI_MOST_CANDIDATES]; /* in the order of the table */
    size_t count;
} aci_candidates;

/* Those of `formats` whose probe says the most: one when one is certain, none when the document is none's. */
void aci_detect(const aci_format *const *formats, size_t format_count, const char *data, size_t len,
                aci_candidates *out);
/* Reads a document in the format that it is in. Where several remain that read the same, the first one reads it, with a
   note that names the others; E_SCHEMA where they do not, or where there is none. */
agentchat_status aci_detect_and_read(const aci_format *const *formats, size_t format_count, aci_read *in,
                                     agentchat_snapshot **out, agentchat_error *err);

#endif
