/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACI_FORMAT_DETECT_H
#define ACI_FORMAT_DETECT_H

#include "format/kit/format.h"

/* The format that a document is in, from its beginning; never fails: what is not native is read as Semantic Kernel's.
 */
const aci_format *aci_detect(const char *data, size_t len);

#endif
