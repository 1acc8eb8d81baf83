/* SPDX-License-Identifier: Apache-2.0 */
/* Doubles as text, whatever the locale of the process. */
#ifndef ACI_JSON_BRIDGE_H
#define ACI_JSON_BRIDGE_H

#include <agentchat/base.h>

enum { ACI_REAL_SIZE = 40 };

/* Shortest spelling that reads back as the same double, always with a point or an exponent, NUL-terminated. Returns its
   length. value is finite. */
size_t aci_json_real_print(double value, char out[ACI_REAL_SIZE]);
/* The same of a float. */
size_t aci_json_float_print(float value, char out[ACI_REAL_SIZE]);

#endif
