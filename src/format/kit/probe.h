/* SPDX-License-Identifier: Apache-2.0 */
/* What a format says about a document that nobody has checked. */
#ifndef ACI_FORMAT_KIT_PROBE_H
#define ACI_FORMAT_KIT_PROBE_H

#include <stddef.h>

typedef enum aci_likeness {
    ACI_UNLIKE,  /* no mark of the format */
    ACI_LIKELY,  /* nothing speaks against it, and something for it */
    ACI_CERTAIN, /* a mark that no other format has */
} aci_likeness;

/* Looks at a document, or at its beginning: it may end anywhere. Reads each byte once at most and allocates nothing. */
typedef aci_likeness aci_probe(const char *data, size_t len);

#endif
