/* SPDX-License-Identifier: Apache-2.0 */
/* Calls as OpenAI spells them: arguments are a text that should be JSON, and names have no plugin. */
#ifndef ACI_FORMAT_KIT_CALL_H
#define ACI_FORMAT_KIT_CALL_H

#include "format/kit/object.h"
#include "format/kit/object_out.h"

/* The value of a row as arguments: the JSON in the text, or the text itself as a string. call: the item's object, which
   has the form mark; inner: that in which they stand, perhaps the same. is_custom: the text is no JSON. */
bool aci_call_read_arguments(aci_object *call, aci_object *inner, uint32_t row, bool is_custom);
void aci_call_write_arguments(aci_object_out *call, aci_object_out *o, uint32_t row, bool is_custom);

/* The function's name under the name of a row, with the plugin's. */
void aci_call_write_name(aci_object_out *call, aci_object_out *o, uint32_t row);

#endif
