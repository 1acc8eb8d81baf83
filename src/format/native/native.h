/* SPDX-License-Identifier: Apache-2.0 */
/* Our own format and its encoded variant, as the library knows them. */
#ifndef ACI_FORMAT_NATIVE_NATIVE_H
#define ACI_FORMAT_NATIVE_NATIVE_H

#include "format/kit/format.h"

extern const aci_format aci_native_format, aci_native_encoded_format;

aci_probe aci_native_probe, aci_native_encoded_probe, aci_native_session_probe;

#endif
